/* Two threads of one core: what they share, cycle by cycle.
 *
 * The machine executes each thread on its own, some instructions at a time. While both threads run,
 * an instruction is not accounted for at once but waits in its thread's queue; the thread whose
 * clock is behind takes its next one (pair.c), so the other is ahead by at most one instruction.
 * What a thread uses of a cycle is noted in a ledger (smt_slots.c): the thread that comes to a
 * cycle second sees what is left of it.
 *
 * The allocator serves one thread a cycle, in turn, and the other thread when the first has nothing
 * to allocate or may not (Intel 64 and IA-32 Architectures Optimization Reference Manual, "Intel
 * Hyper-Threading Technology", on shared execution resources). A cycle that neither thread used
 * belongs to the thread whose turn it was. So every cycle has one owner, and the slots of the two
 * threads, without the slots of node NODE_SIBLING, add up to the slots of the core. The thread that
 * is ahead cannot know whether the other one will want a cycle, so finished cycles wait in a log
 * (smt_log.c) until both threads are past them, and only then reach the PMU.
 *
 * Not exact: a thread ahead leaves the other thread its turns even if the other thread will not use
 * them (it matters within one instruction); execution ports and the scheduler go to the thread that
 * asks first; retirement is not shared; each thread has TLBs of full size. */
#ifndef RIG_CORE_CYCLE_SMT_H
#define RIG_CORE_CYCLE_SMT_H

#include "state.h"

#define SMT_THREADS      2u
#define SMT_QUEUE        256u   /* instructions that can wait */
#define SMT_ENOUGH       64u    /* waiting instructions that end a thread's slice */
#define SMT_AHEAD        32768u /* cycles that also end it: calls of the firmware account for all */
#define SMT_LEDGER       65536u /* cycles: more than one thread can be ahead and note beyond that */
#define SMT_RUNS         4096u  /* of a log, at first */
#define INSTRUCTION_ROOM 16u

/* What is taken of a cycle of the core. A thread is named by its number + 1; 0: no thread. */
struct smt_cycle {
    uint64_t cycle; /* when this differs, the entry is another cycle's */
    uint16_t ports;
    uint8_t allocator, delivery, fetch;
    bool divider;
};

struct smt_waiting {
    struct executed executed;
    uint8_t bytes[INSTRUCTION_ROOM]; /* zero beyond its length */
};

/* Finished cycles of one thread that were alike, as if the thread had every cycle. */
struct smt_run {
    uint64_t start, cycles;
    bool idle;     /* the thread took no slot; its slots are charged to `node` */
    uint16_t node; /* NODE_SIBLING: it left its slots to the other thread */
    uint16_t value[SIGNAL_COUNT];
};

struct smt_retired {
    uint64_t at; /* cycle before whose signals it is reported */
    struct retired_branch branch;
};

struct smt_thread {
    struct model *model;
    bool running;
    uint64_t starving; /* its allocator lacks uops, or did until shortly before this cycle */
    struct smt_waiting *waiting;
    unsigned first, count; /* of `waiting` */
    struct model_follower follower;
    struct smt_run *run;
    unsigned run_first, run_end, run_room;
    struct smt_retired *branch;
    unsigned branch_first, branch_end, branch_room;
};

struct smt {
    struct smt_thread thread[SMT_THREADS];
    struct smt_cycle *ledger;
    uint64_t emitted; /* all before this cycle has reached the PMU */
    bool sharing;     /* both threads run, or cycles wait in a log */
};

/* Cycles of a core that two threads share are taken from its ledger, and reach the sink when both
 * threads are past them. */
static inline bool is_shared(const struct smt *smt)
{
    return rarely(smt != NULL && smt->sharing);
}

static inline bool smt_both_run(const struct smt *smt)
{
    return smt->thread[0].running && smt->thread[1].running;
}

/* Whether cycles are not observed: instructions need not go through the pipeline. Those of two
 * threads that share a core do, since how far each comes depends on the other. */
static inline bool is_unobserved(struct smt *smt, const struct access_events *events,
                                 const struct warming *warming)
{
    return warming->observed != NULL && *warming->observed != OBSERVED_NOW && !events->subscribed &&
           !is_shared(smt);
}

/* Every cycle of a shared core calls these functions, and no cycle of another core. */
#define SMT_APART __attribute__((noinline))

/* --- the ledger: only where is_shared --- */

/* Whether this thread may take slots in its current cycle, which is then its own. */
SMT_APART bool smt_may_allocate(struct smt *smt, unsigned thread, uint64_t now);
/* The allocator of this thread has nothing before cycle `delivered`. */
SMT_APART void smt_starves(struct smt *smt, unsigned thread, uint64_t delivered);
/* Entries of the scheduler that this thread may have in its current cycle. */
SMT_APART unsigned smt_scheduler(const struct model_parameters *p, struct smt *smt, unsigned thread,
                                 uint64_t now);
/* The first cycle from `ready` on in which neither thread uses one of the ports, which is taken. */
SMT_APART uint64_t smt_take_port(struct model *model, uint16_t ports, uint64_t ready);
/* The first cycle from `ready` on in which the divider is free for `occupies` cycles and one of the
 * ports is free. The divider is taken, the port is not. */
SMT_APART uint64_t smt_divider(struct smt *smt, struct timeline *time, uint16_t ports,
                               uint64_t ready, unsigned occupies);
/* The first cycle from `cycle` on in which the decoders and the uop cache, or the fetch of code,
 * can work for this thread; it is taken. */
SMT_APART uint64_t smt_delivery(struct smt *smt, unsigned thread, uint64_t cycle);
SMT_APART uint64_t smt_fetch(struct smt *smt, unsigned thread, uint64_t cycle);

/* --- the log --- */

/* A cycle ends, of which the thread used nothing; its slots were charged to `node`, which is
 * NODE_SIBLING when the thread had uops and left the cycle to the other thread. */
SMT_APART void smt_idle_ends(struct model *model, const uint16_t *value, enum truth_node node);
/* A cycle ends in which the thread allocated something, or which a clear took. */
SMT_APART void smt_cycle_ends(struct model *model, const uint16_t *value);
SMT_APART void smt_branch(struct model *model, const struct retired_branch *branch);
/* Passes on every cycle that both threads are past. */
void smt_emit(struct smt *smt);

#endif
