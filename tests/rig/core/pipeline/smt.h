/* Two threads of one core: what they share, and how their two models are kept in step.
 *
 * The machine executes each thread on its own, some instructions at a time. While both threads run,
 * an instruction is not accounted for at once but waits in its thread's queue; whichever thread's
 * clock stands lower takes its next one (smt_advance), so one is ahead of the other by no more than
 * what a single instruction took. What a thread has used of a cycle is noted in a ledger that both
 * read: the one that comes to a cycle second sees what is left of it.
 *
 * The allocator serves one thread a cycle, in turn, and the other one when the first has nothing to
 * allocate or may not (Intel 64 and IA-32 Architectures Optimization Reference Manual, "Intel
 * Hyper-Threading Technology", on shared execution resources). A cycle that nobody used belongs to
 * the one whose turn it was. So every cycle has one owner, and the slots of the two threads add up
 * to those of the core, without those of node NODE_SIBLING. As the one that is ahead cannot know
 * whether the other will want a cycle, finished cycles wait in a log until both threads are past
 * them, and only then reach the PMU.
 *
 * What is not exact: a thread ahead leaves the other its turns even if that one will not use them
 * (it matters within one instruction); execution ports and the scheduler go to whoever asked first;
 * retirement is not shared out; translations are each thread's own, whole, in TLBs of full size. */
#ifndef RIG_MODEL_SMT_H
#define RIG_MODEL_SMT_H

#include "core/model.h"

#define SMT_THREADS     2u
#define SMT_QUEUE       256u   /* records that can wait */
#define SMT_ENOUGH      64u    /* records that end a thread's slice */
#define SMT_LEDGER      65536u /* cycles: more than one thread can be ahead and note beyond that */
#define SMT_RUNS        4096u  /* of a log, at first */
#define INSTRUCTION_MAX 15u

/* A cycle of the core as far as it is taken. A thread is its number + 1, 0 nobody. */
struct smt_cycle {
    uint64_t cycle; /* the entry is another cycle's when this differs */
    uint16_t ports;
    uint8_t allocator, delivery, fetch;
    bool divider;
};

struct smt_waiting {
    struct executed executed;
    uint8_t bytes[INSTRUCTION_MAX];
};

/* Finished cycles of one thread that were alike, as they would be if it had every cycle. */
struct smt_run {
    uint64_t start, cycles;
    bool idle;     /* the thread took no slot; all of them are of `node` */
    uint16_t node; /* NODE_SIBLING: it left them to the other */
    uint16_t value[SIGNAL_COUNT];
};

struct smt_retired {
    uint64_t at; /* delivered before the signals of this cycle */
    struct retired_branch branch;
};

struct smt_thread {
    struct model *model;
    bool running;
    uint64_t starving; /* its allocator lacks uops, or did until shortly before this cycle */
    struct smt_waiting *waiting;
    unsigned first, count; /* of those */
    struct smt_run *run;
    unsigned run_first, run_end, run_room;
    struct smt_retired *branch;
    unsigned branch_first, branch_end, branch_room;
    uint64_t before[NODE_COUNT]; /* truth as the cycle began */
};

struct smt {
    struct smt_thread thread[SMT_THREADS];
    struct smt_cycle *ledger;
    uint64_t emitted; /* all before this cycle has reached the PMU */
    bool sharing;     /* both threads run, or cycles wait in a log */
};

/* --- model_smt.c: hooks that are called only where model->smt is set --- */

/* True when the instruction was put aside for smt_advance. */
RIG_RARE bool smt_put_aside(struct model *model, const struct executed *executed);
/* Accounts for what waits of this thread, whatever the other has done. */
void smt_sync(struct model *model);
/* Accounts for what waits of both as far as it can be in step, and passes on what is final. */
void smt_advance(struct smt *smt);
void smt_free(struct model *model);

/* --- model_smt_slots.c --- */

/* Whether this thread may take slots in its current cycle, which is then its own. */
RIG_RARE bool smt_may_allocate(struct model *model);
/* The allocator of this thread has nothing before `delivered`. */
RIG_RARE void smt_starves(struct model *model, uint64_t delivered);
/* Entries of the scheduler that this thread may have in its current cycle. */
RIG_RARE unsigned smt_scheduler(const struct model *model);
/* The first cycle from `ready` on in which neither thread uses one of the ports; it is taken. */
RIG_RARE uint64_t smt_take_port(struct model *model, uint16_t ports, uint64_t ready);
/* The first cycle from `ready` on in which the divider is free for so long and one of the ports is;
 * the divider is taken, the port is not. */
RIG_RARE uint64_t smt_divider(struct model *model, uint16_t ports, uint64_t ready,
                              unsigned occupies);
/* The first cycle from `cycle` on in which the decoders and the uop cache, or the fetch of code,
 * work for this thread; it is taken. */
RIG_RARE uint64_t smt_delivery(struct model *model, uint64_t cycle);
RIG_RARE uint64_t smt_fetch(struct model *model, uint64_t cycle);

/* --- model_smt_log.c --- */

/* A cycle of this thread begins and ends; `took`: it allocated something in it, or a clear took it;
 * `left`: it had uops and left the cycle to the other. */
RIG_RARE void smt_cycle_begins(struct model *model);
RIG_RARE void smt_cycle_ends(struct model *model, const uint16_t *value, bool took, bool left);
RIG_RARE void smt_branch(struct model *model, const struct retired_branch *branch);
/* Passes on every cycle that both threads are past. */
void smt_emit(struct smt *smt);

#endif
