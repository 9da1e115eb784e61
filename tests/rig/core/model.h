/* The core model of one logical processor: what executed goes in, what every cycle did comes out.
 *
 * The machine (machine.c and its friends) executes instructions with the emulator library and hands
 * each one over, in program order, with the memory it touched and the address that came next. The
 * model decides how many cycles that took and why, and reports every finished cycle, in order, as a
 * span of signals. The PMU (pmu.c) listens to the spans; it never looks into the model, and the
 * model knows no event encodings. */
#ifndef RIG_CORE_MODEL_H
#define RIG_CORE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "signals.h"

struct decoded; /* what the model made of an instruction's bytes: model_decode.h */

struct access {
    uint64_t address;
    uint8_t size;
    bool write;
};

#define EXECUTED_ACCESSES 8

enum executed_end {
    END_NEXT,      /* went on to `next`, in order or by its own branch */
    END_FAULT,     /* did not retire: an exception was delivered, `next` is the handler */
    END_INTERRUPT, /* retired, and an interrupt was delivered after it, `next` is the handler */
};

/* One executed instruction. A REP string instruction is ONE record for each iteration the emulator
 * reports, with `repeat` set on all but the last; it retires once. */
struct executed {
    uint64_t rip;
    uint64_t next;
    uint64_t resume; /* with END_INTERRUPT: where the program itself goes on */
    const uint8_t *bytes;
    /* Where the model may keep what it made of the bytes, null at first; or null for no such place.
     * With one, 16 bytes can be read from `bytes`, those beyond `length` zero. */
    const struct decoded **kept;
    uint8_t length;
    uint8_t accesses;
    bool repeat;
    bool assist; /* the values it met need microcode's help: a floating-point assist */
    enum executed_end end;
    struct access access[EXECUTED_ACCESSES];
};

/* Where the instruction's own flow goes. */
static inline uint64_t executed_flow(const struct executed *executed)
{
    return executed->end == END_INTERRUPT ? executed->resume : executed->next;
}

/* What the model asks of the machine. */
struct model_world {
    void *context;
    /* log2 of the size of the page that maps `address` (12, 21 or 30). */
    unsigned (*page_shift)(void *context, uint64_t address);
};

/* `cycles` consecutive cycles in which every signal had the same value per cycle (signals.h).
 * `cycles` is at least 1. */
#define SPAN_VALUES   ((SIGNAL_COUNT + 7) / 8 * 8) /* whole vectors of the host */
#define COMMON_VALUES ((SIGNAL_RARE + 7) / 8 * 8)
struct span {
    uint64_t cycles;
    const uint16_t *sibling; /* the values of the other thread of the core; NULL: it is halted, or
                                there is none */
    _Alignas(
        16) uint16_t value[SPAN_VALUES]; /* by enum signal; those beyond SIGNAL_COUNT are zero */
    bool rare; /* some of RARE_SIGNALS are not zero, or were meant to be */
};

/* A branch that retired, in order, for the LBR. Delivered after the span of the cycles before its
 * retirement. */
enum branch_kind {
    BRANCH_CONDITIONAL,
    BRANCH_JUMP,
    BRANCH_JUMP_INDIRECT,
    BRANCH_CALL,
    BRANCH_CALL_INDIRECT,
    BRANCH_RETURN,
    BRANCH_FAR
};
struct retired_branch {
    uint64_t from, to;
    uint64_t cycle; /* model cycle of retirement */
    enum branch_kind kind;
    bool taken, mispredicted;
};

struct model_sink {
    void *context;
    void (*span)(void *context, const struct span *span);
    void (*branch)(void *context, const struct retired_branch *branch); /* taken and not taken */
    /* For how many cycles from now on it does not matter in which order spans come, and whether
     * before or after a branch; asked again when they have passed and after model_drain. NULL: for
     * none. */
    uint64_t (*order_slack)(void *context);
};

/* What is told one at a time, to those who ask for it only (model_subscribe). */
enum origin { ORIGIN_L1, ORIGIN_FILL_BUFFER, ORIGIN_L2, ORIGIN_L3, ORIGIN_MEMORY };

/* The first load and the first store of an instruction that retired, in order; delivered after the
 * span of the cycles before its retirement. */
struct retired_access {
    uint64_t address;
    bool write;
    /* a load's */
    uint64_t begun;   /* cycle of its dispatch */
    uint64_t latency; /* core cycles from there until its data could be used */
    enum origin origin;
    bool blocked; /* an older store overlapped and could not forward */
    bool aliased; /* an older store had the same offset in another page */
    /* a store's */
    bool hit; /* its line was in L1 */
    /* both: missed the second-level TLB; has a LOCK prefix or implies one */
    bool walked, locked;
};

/* A line that this core asked for beyond its L2. Delivered when the instruction that caused it is
 * accounted for, which is some cycles before the line comes; wrong paths ask for nothing. */
enum request {
    REQUEST_DATA_READ,
    REQUEST_OWNERSHIP, /* by a store */
    REQUEST_CODE_READ,
    REQUEST_PREFETCH_READ,      /* of L2's prefetchers, after a load */
    REQUEST_PREFETCH_OWNERSHIP, /* after a store */
    REQUEST_SOFTWARE_PREFETCH,
    REQUEST_L1_PREFETCH, /* of L1's prefetchers */
    REQUEST_STREAMING,   /* a line written by streaming stores, all of it or what there was */
    REQUEST_COUNT
};

/* What happened to an instruction on its way in; told when it retires, as a set of these. */
enum fetched {
    FETCHED_L1_MISS = 1u << 0,   /* its line was not in the instruction cache */
    FETCHED_L2_MISS = 1u << 1,   /* nor in L2 */
    FETCHED_ITLB_MISS = 1u << 2, /* the first-level TLB had no translation */
    FETCHED_STLB_MISS = 1u << 3, /* nor the second */
    FETCHED_DSB_MISS = 1u << 4,  /* the decoders made its uops */
};

struct model_subscriber {
    void *context;
    void (*fetch)(void *context, unsigned fetched);                           /* or NULL */
    void (*access)(void *context, const struct retired_access *access);       /* or NULL */
    void (*request)(void *context, enum request request, enum origin origin); /* or NULL */
};

/* A function that few instructions come by: a host's compiler keeps the way to it out of the way of
 * all others. */
#define RIG_RARE __attribute__((cold))

struct model;
struct model_parameters; /* widths, latencies, sizes: model_parameters.h, data in cpu/NAME_core.c */
struct shared_cache;     /* the last-level cache and the memory behind it, one for all cores */

struct shared_cache *shared_cache_new(const struct model_parameters *parameters, unsigned cores);
struct model *model_new(const struct model_parameters *parameters, unsigned cpu,
                        struct shared_cache *shared, struct model_world world,
                        struct model_sink sink);
void model_free(struct model *model);
void shared_cache_free(struct shared_cache *shared);

/* Two new models of the same parameters become the threads of one core; no thread runs yet. False:
 * memory ran out. A model that is not paired is a core of its own and always runs. */
bool model_pair(struct model *first, struct model *second);
/* Of a paired model: it runs from now on, or is halted. It cannot begin before the cycle that the
 * other has reached. */
void model_running(struct model *model, bool running);
/* While both of a pair run, what model_execute is given waits until the other thread has come as
 * far: accounts for what waits. Called after each slice of a thread. */
void model_advance(struct model *model);
/* Accounts for all that waits of this thread; the clock is then that of its last instruction. */
void model_sync(struct model *model);
/* True when the other thread has yet to come as far as this one: what includes the other is not
 * known. When false, a thread of a shared core is drained. */
bool model_must_wait(struct model *model);
/* The clock has reached `limit`, or so much waits that the other thread should have its turn. */
bool model_slice_over(const struct model *model, uint64_t limit);
bool model_is_sibling(const struct model *model, const struct model *other);

/* Who is told from now on; one subscriber at a time. With nothing in flight (model_drain). */
void model_subscribe(struct model *model, struct model_subscriber subscriber);
/* While *observed is false nobody looks at the signals or the branches: instructions then teach
 * caches, TLBs and predictors only, spans say how many cycles passed by an estimate and nothing
 * else, and the truth stands still (functional_warming.c). NULL, as in a new model: always
 * observed. */
void model_observed(struct model *model, const bool *observed);
/* True: no shortcuts from now on. Every instruction takes every step that any may take, and every
 * cycle is made anew; the result is the same, which tests claim. False in a new model. */
void model_at_length(struct model *model, bool at_length);
/* Account for one executed instruction. */
void model_execute(struct model *model, const struct executed *executed);
/* Let everything in flight finish: every cycle up to then is reported through the sink before this
 * returns. Called by the machine before a register of the PMU is read or written, so that counts
 * are exact at that point. */
void model_drain(struct model *model);
/* The core was halted or otherwise idle for that long (no unhalted cycle is reported). */
void model_idle(struct model *model, uint64_t cycles);
/* Core cycles since model_new, idle ones included. */
uint64_t model_now(const struct model *model);
/* The cycles in which the slot taken last was allocated and in which it retires. */
uint64_t model_allocated(const struct model *model);
uint64_t model_retired(const struct model *model);
/* Another core wrote this line, or this core's caches are told to flush it (CLFLUSH is seen by
 * model_execute itself). */
void model_snoop_write(struct model *model, uint64_t address, unsigned size);
/* The other thread of the core wrote it: the caches are the same, what was decoded is not. */
void model_snoop_sibling(struct model *model, uint64_t address, unsigned size);
/* Branch predictors, caches and TLBs as after reset / after a write to CR3. */
void model_flush_tlb(struct model *model);
/* Switches hardware prefetchers off and on: the value of MSR_MISC_FEATURE_CONTROL (0x1A4; SDM 4), a
 * 1 switches off: bit 0 the stream prefetcher of L2, bit 1 its adjacent line, bit 2 the next line
 * of L1, bit 3 its prefetcher by stride; other bits say nothing to the model. All are off in a new
 * model. */
void model_prefetch(struct model *model, uint64_t off);

/* What formulas in the domain of cycles weigh: each cycle by how many uops began in it, and one
 * without any by what was waited for. */
#define CYCLE_KINDS(K)                                                                             \
    K(LOADS, "waits_for_loads")   /* none began, and a load was on its way; else */                \
    K(STORES, "waits_for_stores") /* the allocator waited for stores to leave; else */             \
    K(IDLE, "idle")                                                                                \
    K(ONE, "one")                                                                                  \
    K(TWO, "two")                                                                                  \
    K(MORE, "more")

enum cycle_kind {
#define CYCLE_ENUM(name, key) CYCLES_##name,
    CYCLE_KINDS(CYCLE_ENUM)
#undef CYCLE_ENUM
        CYCLE_KIND_COUNT
};

/* Slots by cause since the last call of model_truth_reset, after model_drain. `slots` add up to
 * width
 * * cycles, and so do `exact`: the slots that were charged to that very node. `nodes` hold those of
 * the node and of all below it. `kinds` add up to cycles; in `scheduler_empty` of them nothing
 * waited to begin. Of the slots `decoded` by the legacy decoders, `decoded_beyond` were not the
 * first of their instruction. */
struct model_truth {
    uint64_t cycles, instructions, uops_issued, uops_retired, branches, taken, mispredicts, loads,
        stores, decoded, decoded_beyond, scheduler_empty;
    uint64_t kinds[CYCLE_KIND_COUNT];
    uint64_t slots[CAUSE_COUNT];
    uint64_t exact[NODE_COUNT], nodes[NODE_COUNT];
};
void model_truth_reset(struct model *model);
void model_truth(const struct model *model, struct model_truth *truth);
const char *model_cycle_name(enum cycle_kind kind);
const char *model_cause_name(enum slot_cause cause); /* the Topdown node, as Linux perf names it */
const char *model_node_name(enum truth_node node);
enum truth_node model_node_parent(enum truth_node node); /* NODE_NONE at level 1 */
/* Whether slots of this core can have that cause, or a deeper one, at all. */
bool model_has_node(const struct model *model, enum truth_node node);

#endif
