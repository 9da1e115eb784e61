/* The core model of one logical processor: executed instructions go in, signals of every cycle come
 * out.
 *
 * The machine executes instructions with the emulator library and hands each one over, in program
 * order, with the memory that it touched and the address of the next instruction. The model decides
 * how many cycles that took and why, and reports every finished cycle, in order, as a span of
 * signals. The PMU takes the spans; it never looks into the model, and the model knows no event
 * encodings.
 *
 * This header is the door of the room: its functions are defined in pipeline/ (model.c, pair.c),
 * cycle/ (ahead.c, truth.c, access_events.c) and memory/shared.c. */
#ifndef RIG_CORE_MODEL_H
#define RIG_CORE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "signals.h"

struct decoded; /* what the model made of the bytes of an instruction: decode/decoded.h */

/* One access of an instruction to memory. */
struct access {
    uint64_t address;
    uint8_t size;
    bool write;
};

#define EXECUTED_ACCESSES 8

enum executed_end {
    END_NEXT,      /* went on to `next`, in order or by its own branch */
    END_FAULT,     /* did not retire: an exception was delivered, `next` is the handler */
    END_INTERRUPT, /* retired, then an interrupt was delivered, `next` is the handler */
};

/* One executed instruction. A REP string instruction is one record for each iteration that the
 * emulator reports, with `repeat` set in all but the last; it retires once. */
struct executed {
    uint64_t rip;
    uint64_t next;
    uint64_t resume; /* END_INTERRUPT: where the program goes on */
    const uint8_t *bytes;
    /* May be NULL. Otherwise the model may keep its decoded instruction in *kept, which is NULL at
     * first and again when the bytes or their address have changed, and 16 bytes can be read from
     * `bytes`, zero beyond `length`. */
    const struct decoded **kept;
    uint8_t length;
    uint8_t accesses;
    bool repeat;
    bool assist; /* its values need microcode's help: a floating-point assist */
    enum executed_end end;
    struct access access[EXECUTED_ACCESSES];
};

/* The address to which the program goes from the instruction. */
static inline uint64_t executed_flow(const struct executed *executed)
{
    return executed->end == END_INTERRUPT ? executed->resume : executed->next;
}

/* Questions of the model to the machine. */
struct model_world {
    void *context;
    /* log2 of the size of the page that maps `address` (12, 21 or 30). */
    unsigned (*page_shift)(void *context, uint64_t address);
};

/* `cycles` consecutive cycles, at least 1, in which every signal had the same value (signals.h). */
#define SPAN_VALUES   ((SIGNAL_COUNT + 7) / 8 * 8) /* whole vectors of the host */
#define COMMON_VALUES ((SIGNAL_RARE + 7) / 8 * 8)
struct span {
    uint64_t cycles;
    /* the values of the core's other thread; NULL: it is halted, or there is none */
    const uint16_t *sibling;
    /* by enum signal, per cycle; zero from SIGNAL_COUNT on */
    _Alignas(16) uint16_t value[SPAN_VALUES];
    bool rare; /* a rare signal may be above zero */
};

/* A branch that retired. Reported in order, after the span of the cycles before its retirement. */
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

/* Spans that come in a certain order, most of them again and again. */
struct span_turn {
    uint32_t number; /* of the span */
    uint32_t cycles; /* of it, at this place in the order */
};
struct span_sequence {
    struct span *span; /* by number; `cycles` are those of all its places */
    struct span_turn *turn;
    unsigned spans, turns;
};

struct model_sink {
    void *context;
    void (*span)(void *context, const struct span *span);
    void (*branch)(void *context, const struct retired_branch *branch); /* taken and not taken */
    /* For how many cycles from now on spans may come in any order, and before or after branches;
     * asked again when these cycles have passed and after model_drain. NULL: for none. */
    uint64_t (*order_slack)(void *context);
    /* For how many cycles, from the last span that was sent on, the sink only adds up what spans
     * say, and the rises from a span to the next one. So long several spans may come at once
     * (below), and branches need not be reported. NULL: for none. */
    uint64_t (*quiet)(void *context);
    /* All of the sequence, so many times in a row. Not NULL if `quiet` is not. */
    void (*repeat)(void *context, const struct span_sequence *sequence, uint64_t times);
};

/* Where a line came from. */
enum origin {
    ORIGIN_L1,
    ORIGIN_FILL_BUFFER,
    ORIGIN_L2,
    ORIGIN_L3,
    ORIGIN_MEMORY,          /* of the own package */
    ORIGIN_REMOTE_MEMORY,   /* of another package */
    ORIGIN_REMOTE_CLEAN,    /* the caches of another package, which has not written to it */
    ORIGIN_REMOTE_MODIFIED, /* and which has */
    ORIGIN_COUNT
};

/* The first load or the first store of an instruction that retired. Reported to a subscriber only
 * (model_subscribe), in order, after the span of the cycles before its retirement. */
struct retired_access {
    uint64_t address;
    bool write;
    /* of a load */
    uint64_t begun;   /* cycle of its dispatch */
    uint64_t latency; /* core cycles from then until its data could be used */
    enum origin origin;
    bool blocked; /* an older store overlapped and could not forward */
    bool aliased; /* an older store had the same offset in another page */
    /* of a store */
    bool hit; /* its line was in L1 */
    /* of both: missed the second-level TLB; has a LOCK prefix or implies one */
    bool walked, locked;
};

/* Why this core asked for a line beyond its L2. Reported to a subscriber when the instruction that
 * caused it is accounted for, some cycles before the line comes; wrong paths ask for nothing. */
enum request {
    REQUEST_DATA_READ,
    REQUEST_OWNERSHIP, /* by a store */
    REQUEST_CODE_READ,
    REQUEST_PREFETCH_READ,      /* of L2's prefetchers, after a load */
    REQUEST_PREFETCH_OWNERSHIP, /* after a store */
    REQUEST_SOFTWARE_PREFETCH,
    REQUEST_L1_PREFETCH, /* of L1's prefetchers */
    REQUEST_STREAMING,   /* a line that streaming stores wrote, all of it or a part */
    REQUEST_WRITEBACK,   /* a modified line that left L2 for memory, of parts without an L3 */
    REQUEST_COUNT
};

/* What happened to the fetch of an instruction: a set, reported to a subscriber when it retires. */
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

/* A function that few instructions call: the host's compiler moves the calls out of the common
 * path.
 */
#define RIG_RARE __attribute__((cold))

struct model;
struct model_parameters; /* widths, latencies, sizes: parameters.h, data in cpu/NAME.inc */
struct shared_cache;     /* the last-level caches and the memory behind them, one for all cores */

#define PACKAGES_MAX 8u
/* Packages (sockets) of equal size. Numbers of cores and addresses go from package to package. */
struct model_packages {
    unsigned count;
    unsigned processors;  /* numbers of cores (`cpu` below) in each */
    uint64_t node_bytes;  /* memory of each */
    unsigned far_percent; /* time to another package, in percent of the time to near memory */
};
/* Before any model is made: the shared cache was made for the cores of one package, and now there
 * are several. False: the host's memory ran out, or there are more than PACKAGES_MAX. */
bool shared_cache_packages(struct shared_cache *shared, const struct model_packages *packages);

/* Both return NULL if the host's memory ran out or a figure is impossible. `cpu`: the core's
 * number. */
struct shared_cache *shared_cache_new(const struct model_parameters *parameters, unsigned cores);
struct model *model_new(const struct model_parameters *parameters, unsigned cpu,
                        struct shared_cache *shared, struct model_world world,
                        struct model_sink sink);
void model_free(struct model *model);
void shared_cache_free(struct shared_cache *shared);

/* Two new models of the same parameters become the threads of one core; no thread runs yet. False:
 * the host's memory ran out. A model that is not paired is a core with one thread, which always
 * runs. */
bool model_pair(struct model *first, struct model *second);
/* A paired model runs from now on, or is halted. It cannot begin before the cycle that the other
 * thread has reached. */
void model_running(struct model *model, bool running);
/* While both threads run, instructions given to model_execute wait until the other thread has come
 * as far. Accounts for the instructions that need not wait any more; call it after each slice of a
 * thread. */
void model_advance(struct model *model);
/* Accounts for every waiting instruction of this thread, and sets its clock to the last one. */
void model_sync(struct model *model);
/* Whether instructions wait: of a paired model, while both threads run. */
bool model_puts_aside(const struct model *model);
/* Called before and after an instruction of this paired model that waited is accounted for. Neither
 * may change the model. */
struct model_follower {
    void *context;
    void (*before)(void *context);
    void (*after)(void *context, const struct executed *executed);
};
void model_follow(struct model *model, struct model_follower follower);
/* True: the other thread has not come as far as this one, so counts that include the other thread
 * are not known yet. False: a thread of a shared core is drained. */
bool model_must_wait(struct model *model);
/* True: the clock has reached `limit`, or so many instructions wait that the other thread should
 * have its turn. */
bool model_slice_over(const struct model *model, uint64_t limit);
bool model_is_sibling(const struct model *model, const struct model *other);

/* Whom accesses, requests and fetches are reported to from now on; one subscriber at a time. With
 * nothing in flight (model_drain). */
void model_subscribe(struct model *model, struct model_subscriber subscriber);
/* Who looks at what instructions do. While nobody observes signals and branches, spans hold only an
 * estimate of the cycles that passed, and the truth does not change (functional_warming.c). */
enum observation {
    OBSERVED_NEVER, /* nor has anybody yet: instructions train nothing */
    OBSERVED_LATER, /* instructions train caches, TLBs and predictors, and nothing else */
    OBSERVED_NOW
};
/* Looks at *observation before each instruction. NULL, as in a new model: always observed. */
void model_observed(struct model *model, const enum observation *observation);
/* True: no shortcuts from now on. Every instruction takes every step, and the signals of every
 * cycle are made anew; the result is the same, which tests show. False in a new model. */
void model_at_length(struct model *model, bool at_length);
/* Account for one executed instruction. */
void model_execute(struct model *model, const struct executed *executed);
/* Lets everything in flight finish: every cycle up to then is reported through the sink before this
 * returns. The machine calls it before a register of the PMU is read or written, so that counts are
 * exact at that point. */
void model_drain(struct model *model);
/* The core was halted or otherwise idle for so many cycles; none of them is reported. */
void model_idle(struct model *model, uint64_t cycles);
/* How many instructions went no way through the pipeline, because all that comes of them was known
 * from the same instructions before (pipeline/period.c). */
uint64_t model_skipped(const struct model *model);
/* Core cycles since model_new, idle ones included. */
uint64_t model_now(const struct model *model);
/* The cycle in which the slot taken last was allocated, and the one in which the instruction
 * accounted for last retires. */
uint64_t model_allocated(struct model *model);
uint64_t model_retired(const struct model *model);
/* When the instruction accounted for last was in the re-order buffer. */
struct model_passage {
    uint64_t entered; /* the cycle in which its first slot was allocated; of an instruction without
                       * a slot: the slot before it */
    uint64_t retired; /* as model_retired says */
    bool fused;       /* it is the second of a macro-fused pair: one entry with the one before */
    bool holds; /* where the buffer is empty behind it, that is because of it: it mispredicted,
                 * was cleared or assisted, or holds up the allocator, as MFENCE and PAUSE do */
};
/* Not of a core that two threads share. */
struct model_passage model_passage(struct model *model);
/* Whether two threads share the core, so that the cycle in which an instruction retires is not
 * known when it is handed over. */
bool model_is_shared(const struct model *model);
/* Whether an interrupt can be taken behind the instruction accounted for last: false when it is
 * known to be the first of a macro-fused pair, which is one uop and retires as a whole. */
bool model_can_interrupt(struct model *model);
/* An interrupt is delivered behind the instruction accounted for last: everything in flight
 * retires, and the handler's first instruction is fetched anew. */
void model_interrupt(struct model *model);

/* Whom model_ahead tells of coming cycles. */
struct model_outlook {
    void *context;
    /* What retires in so many coming cycles, which follow those of the call before. Only the
     * signals of model_tells_ahead have their values. False: enough. */
    bool (*see)(void *context, const struct span *cycles);
};
/* Whether what the signal will be in a coming cycle follows from the instructions accounted for so
 * far: it counts what retires, or has one value in every cycle of a core that is not shared. */
bool model_tells_ahead(enum signal signal);
/* Reports every finished cycle through the sink. False, and nothing is reported: model_is_shared.
 */
bool model_report(struct model *model);
/* Directly after model_report: tells of all coming cycles, from model_now up to the one in which
 * the instruction accounted for last retires. Of that last cycle it is not known yet what else
 * retires in it. */
void model_ahead(struct model *model, struct model_outlook outlook);
/* Another core wrote to these bytes: their lines leave this core's caches. */
void model_snoop_write(struct model *model, uint64_t address, unsigned size);
/* The other thread of the core wrote to them: the threads share the caches, but not the uop cache.
 */
void model_snoop_sibling(struct model *model, uint64_t address, unsigned size);
/* TLBs as after a write to CR3: empty. */
void model_flush_tlb(struct model *model);
/* The first-level data TLB alone is empty. */
void model_flush_first_tlb(struct model *model);
/* Other code has run before, whose loads overlapped no older store: the predictor of such loads
 * lets all of them pass. In a new model it lets none. */
void model_trust_loads(struct model *model);
/* The data of the instructions to come have linear addresses so many bytes above those that they
 * are executed with, which are physical: then several pages can be one physical page. 0 in a new
 * model. Not for a core that two threads share. */
void model_linear_above(struct model *model, uint64_t bytes);
/* Switches hardware prefetchers: the value of MSR_MISC_FEATURE_CONTROL (0x1A4; SDM 4), in which a 1
 * switches off: bit 0 the stream prefetcher of L2, bit 1 its adjacent line, bit 2 the next line of
 * L1, bit 3 its prefetcher by stride; the model ignores other bits. All are off in a new model. */
void model_prefetch(struct model *model, uint64_t off);
/* From now on the core's clock has `mhz`, in place of the `first_mhz` for which the parameters are
 * stated. Caches beyond L2 and memory have clocks of their own: their latencies are other numbers
 * of core cycles now, and so is the time between two lines from memory. */
void model_clock(struct model *model, unsigned mhz, unsigned first_mhz);
/* Until that cycle the front end delivers in one cycle of four, as while a licence for wide vectors
 * is waited for: T. Downs, "Gathering Intel on Intel AVX-512 Transitions", found dispatch four
 * times slower; that the front end is what holds back is a guess. */
void model_slow(struct model *model, uint64_t until);

/* From now on chance, which begins with `seed` above 0, says whether the end of a loop of more than
 * 64 turns is predicted, one time in two. No predictor is known to count more (A. Fog, "The
 * microarchitecture of Intel, AMD and VIA CPUs", "Branch prediction": up to 64), and what the
 * tables say then depends on what else ran: no program can know it. */
void model_ends_by_chance(struct model *model, uint32_t seed);
/* From now on uops of wrong paths are delivered, and begin on ports, as those of the right path do:
 * up to two uops in each slot that a mispredicted branch wastes. Chance decides how many; `seed` is
 * above 0. Real machines deliver such uops too; how many begin depends on the wrong path's code,
 * which the model does not know. */
void model_wrong_paths(struct model *model, uint32_t seed);

/* Kinds of cycles, as formulas in the domain of cycles weigh them: by how many uops began, and
 * without any by what the core waited for. */
/* clang-format off */
#define CYCLE_KINDS(K) \
    K(LOADS, "waits_for_loads") /* no uop began, and a load was in flight */ \
    K(STORES, "waits_for_stores") /* no uop, no load, and the allocator waited for stores */ \
    K(IDLE, "idle") /* no uop, for any other reason */ \
    K(ONE, "one") \
    K(TWO, "two") \
    K(MORE, "more")
/* clang-format on */

enum cycle_kind {
#define CYCLE_ENUM(name, key) CYCLES_##name,
    CYCLE_KINDS(CYCLE_ENUM)
#undef CYCLE_ENUM
        CYCLE_KIND_COUNT
};

/* Counts since the last call of model_truth_reset; after model_drain. `slots`, by cause, add up to
 * width * cycles, and so do `exact`, the slots charged to each node itself; `nodes` has the slots
 * of the node and of all nodes below it. `kinds` add up to cycles; in `scheduler_empty` cycles no
 * uop waited to begin. Of the slots `decoded` by the legacy decoders, `decoded_beyond` were not the
 * first of their instruction. */
struct model_truth {
    uint64_t cycles, instructions, uops_issued, uops_retired, branches, taken, mispredicts, loads,
        stores, decoded, decoded_beyond, scheduler_empty;
    uint64_t kinds[CYCLE_KIND_COUNT];
    uint64_t slots[CAUSE_COUNT];
    uint64_t exact[NODE_COUNT], nodes[NODE_COUNT];
};
void model_truth_reset(struct model *model);
void model_truth(struct model *model, struct model_truth *truth);
const char *model_cycle_name(enum cycle_kind kind);
const char *model_cause_name(enum slot_cause cause); /* the Topdown node, as Linux perf names it */
const char *model_node_name(enum truth_node node);
enum truth_node model_node_parent(enum truth_node node); /* NODE_NONE at level 1 */
/* Whether slots of this core can have that cause, or a deeper one, at all. */
bool model_has_node(const struct model *model, enum truth_node node);

#endif
