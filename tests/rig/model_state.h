/* The inside of the core model, shared by model*.c only.
 *
 * One instruction at a time flows through: the front end says in which cycle each of its slots
 * reaches the uop queue (model_front.c), the allocator takes them in order, `width` a cycle, and
 * gives every slot a cause, the scheduler finds each uop a port (model_back.c), and finished cycles
 * leave as spans (model_cycles.c). `now` is the allocator's cycle: all before it is final. What
 * happens later (execution, completion, retirement) is noted in a ring of coming cycles. */
#ifndef RIG_MODEL_STATE_H
#define RIG_MODEL_STATE_H

#include "model.h"
#include "model_branch.h"
#include "model_decode.h"
#include "model_memory.h"
#include "model_parameters.h"
#include "model_smt.h"

#define HORIZON                                                                                    \
    16384u /* coming cycles that can be noted: small enough for the host's second-level cache */
#define RETIRING                                                                                   \
    1024u /* instructions between allocation and retirement: twice a re-order buffer at least */
#define SLOT_RING       512u /* more than any re-order buffer or uop queue */
#define FORWARD_ENTRIES 1024u
#define PASSING_LOADS   256u  /* whose meetings with older stores are remembered */
#define FUSED_ENTRIES   1024u /* pairs of a compare and its jump that are remembered */
#define MAX_PORTS       16u
#define SPLIT_REGISTERS 32u /* the most that a core can have */

enum front_flag {
    FRONT_NONE = 0,
    FRONT_LCP = 1,
    FRONT_ICACHE = 2,
    FRONT_ITLB = 4,
    FRONT_SWITCH = 8,
    FRONT_BACLEAR = 16,
    FRONT_MS_SWITCH = 32,
    FRONT_ITLB_HIT = 64,
    FRONT_ITLB_WALK = 128
};

enum more_flag {
    MORE_DECODED = 15,
    MORE_WALK = 16,
    MORE_CODE_READ = 32,
    MORE_NOTES = 64,
    MORE_UNKNOWN_BRANCH = 128
};

#define FP_DIVIDERS 16 /* as many as no core has of the other kind */

/* Notes that few cycles have: changes of what is going on, and uops. MORE_NOTES says that a cycle
 * has some. */
struct notes {
    int8_t pending, waiting, reads, data_reads, queued, rfos, load_walks, store_walks, locks;
    uint8_t x87, divisions, waits, blends;
};

/* What goes on. */
struct going {
    int pending, waiting, reads, data_reads, queued, rfos, load_walks, store_walks, locks;
    bool any;
};

/* Where the outstanding loads of a cycle were found missing. */
enum outstanding { OUT_ANY, OUT_L1_MISS, OUT_L2_MISS, OUT_L3_MISS, OUT_COUNT };

struct cycle {
    uint16_t ports;   /* busy ones */
    uint8_t executed; /* uops that begin */
    uint8_t retired;  /* slots that retire */
    uint8_t dsb, mite, ms, decoder0;
    int8_t loads[OUT_COUNT]; /* change of the loads outstanding */
    int8_t divider;          /* change of dividers busy; FP_DIVIDERS for one that divides FP */
    uint8_t front;           /* enum front_flag */
    uint8_t loop;
    uint8_t more; /* enum more_flag and, below them, instructions decoded */
};
_Static_assert(sizeof(struct cycle) == 16, "a quarter of a host cache line");

/* Why the rest of a cycle's slots stays empty. */
enum idle {
    IDLE_FRONT,    /* nothing in the uop queue */
    IDLE_BACK,     /* no room behind the allocator */
    IDLE_STORES,   /* none in the store buffer */
    IDLE_RECOVERY, /* after a clear */
    IDLE_CLEAR,    /* the cycle of a clear that counts as the back end's */
    IDLE_LOCK,     /* a locked instruction waits for the store buffer to empty, */
    IDLE_DRAIN,    /* a serialising one or a fence */
    IDLE_SERIAL,   /* and for all before it to retire */
    IDLE_PAUSE,
    IDLE_SIBLING, /* it serves the other thread */
};

enum retire_flag {
    RETIRE_INSTRUCTION = 1u << 0,
    RETIRE_NOP = 1u << 1,
    RETIRE_FUSED = 1u << 2,
    RETIRE_LOAD = 1u << 3,
    RETIRE_STORE = 1u << 4,
    RETIRE_BRANCH = 1u << 5,
    RETIRE_TAKEN = 1u << 6,
    RETIRE_MISPREDICTED = 1u << 7,
    RETIRE_LOAD_WALK = 1u << 8,
    RETIRE_STORE_WALK = 1u << 9,
    RETIRE_LEVELLED = 1u << 10, /* `level` says where its load was found */
    RETIRE_CONDITIONAL = 1u << 11,
    RETIRE_SPLIT_LOAD = 1u << 12, /* crosses a cache line */
    RETIRE_SPLIT_STORE = 1u << 13,
    RETIRE_LOCK = 1u << 14,            /* a locked load */
    RETIRE_FORWARD_BLOCKED = 1u << 15, /* its load overlapped an older store that cannot forward */
    RETIRE_ALIAS = 1u << 16,           /* its load had to be told from a store 4 KiB apart */
    RETIRE_SPLIT_BLOCKED = 1u << 20,   /* its load had to wait for a split register */
    RETIRE_ASSIST = 1u << 21,          /* these slots are an assist's */
    RETIRE_RFO_HITM = 1u << 23,        /* another core had modified the line that its store wants */
    RETIRE_ACCESS = RETIRE_SPLIT_LOAD | RETIRE_SPLIT_STORE | RETIRE_LOCK | RETIRE_FORWARD_BLOCKED |
                    RETIRE_ALIAS | RETIRE_SPLIT_BLOCKED | RETIRE_RFO_HITM,
    RETIRE_LFENCE = 1u << 17,
    RETIRE_MICROCODED = 1u << 18,  /* its slots came from the sequencer, */
    RETIRE_FIRST_LIGHT = 1u << 19, /* of which `heavy` leaves out the first */
    RETIRE_DIVIDES = 1u << 24,     /* it has a uop for the divider */
    RETIRE_FP_DIVIDES = 1u << 25,
    RETIRE_LOAD_STLB_HIT = 1u << 26, /* the second-level TLB had its page */
    RETIRE_STORE_STLB_HIT = 1u << 27,
    RETIRE_RFO_L2_HIT = 1u << 28, /* its store missed L1 and hit L2 */
    RETIRE_RFO_L2_MISS = 1u << 29,
    RETIRE_PAUSE = 1u << 30,
    RETIRE_NOTED = RETIRE_LOAD_STLB_HIT | RETIRE_STORE_STLB_HIT | RETIRE_RFO_L2_HIT |
                   RETIRE_RFO_L2_MISS | RETIRE_PAUSE | RETIRE_LFENCE | RETIRE_ASSIST |
                   RETIRE_MICROCODED, /* what retire_notes tells */
};

struct retiring {
    uint64_t cycle, from, to;
    uint32_t flags;
    uint16_t uops;
    uint8_t kind, level;
    uint16_t heavy;       /* slots beyond the first, in the truth's sense */
    uint8_t flops;        /* enum flops */
    uint8_t late, served; /* enum late of its first load, when RETIRE_LEVELLED */
    /* of that load: when its address was translated, and how many cycles that took (what it waited
     * before was for older stores) */
    uint16_t translating;
    uint64_t translated;
};

/* What a listener wants to know of an entry of the ring besides; kept only while there is one. */
struct retiring_note {
    struct retired_access load, store; /* of the first each */
    bool has_load, has_store;
    unsigned fetched; /* enum fetched */
};

struct store_seen {
    uint64_t address;                   /* of its first byte */
    uint64_t granule;                   /* the 8-byte unit this entry stands for, ~0 empty */
    uint64_t known, data_begun, commit; /* when its address was known, when its data uop began, when
                                           it is in L1 */
    uint8_t size;
};

struct load_seen {
    uint64_t first, last; /* lines */
    uint64_t done;        /* when its instruction was */
};

/* What throws away all that is younger. */
enum clear { CLEAR_MISPREDICT, CLEAR_CODE, CLEAR_ORDERING, CLEAR_DISAMBIGUATION, CLEAR_ASSIST };

struct dsb_line {
    uint64_t window; /* rip / dsb_window, ~0 empty */
    uint64_t starts; /* bit n: an instruction that starts at offset n of the window is in it */
    uint32_t used;   /* for LRU */
    uint8_t uops;
};

enum source { SOURCE_NONE, SOURCE_DSB, SOURCE_MITE, SOURCE_MS, SOURCE_LOOP };

/* What the front end waits for before `until`. */
struct front_delay {
    uint64_t until;
    enum truth_node node;
};
#define FRONT_DELAYS 8u

/* The loop that the queue may repeat: from `first` to the taken branch at `last`. */
struct loop {
    uint64_t first, last;
    unsigned slots; /* since its last beginning */
    unsigned turns; /* that were alike and small enough */
    bool unfit;     /* this turn has microcode */
    bool closed;    /* a branch was just taken: the next instruction is where it leads */
    uint64_t from;  /* that branch */
};

struct front {
    uint64_t cycle;   /* in which the next slot can reach the queue */
    unsigned room;    /* slots left in it */
    unsigned decoded; /* instructions decoded in it (MITE) */
    enum source source;
    uint64_t fetched;      /* MITE: cycle in which the current block was fetched */
    uint64_t block;        /* MITE: rip / fetch_bytes of that block */
    uint64_t line;         /* MITE: rip / 64 of the last line looked up */
    uint64_t noted;        /* ring cycle of the last delivery noted, never before `now` */
    uint64_t noted_for;    /* the front-end cycle it stands for */
    uint64_t window, page; /* of the last instruction */
    bool redirected;       /* the next instruction starts a new fetch */
    bool ms_from_decoders; /* which switched to the sequencer */
    struct front_delay delay[FRONT_DELAYS]; /* since the last slot that was allocated, in order */
    unsigned delays;
    struct loop loop;
    uint8_t window_shift, fetch_shift;
    uint32_t set_mask; /* dsb_sets - 1, or 0 when that is no mask */
    struct dsb_line *dsb;
    unsigned dsb_sets;         /* that this thread may use */
    struct dsb_line *dsb_last; /* the line the last instruction came from */
    uint32_t dsb_clock;
};

struct model {
    const struct model_parameters *p;
    struct model_sink sink;
    struct decoder *decoder;
    struct memory *memory;
    struct memory *translations; /* that of `memory`; a second thread's are its own */
    struct predictor *predictor;
    struct front front;

    struct cycle *ring;
    struct smt *smt;                              /* NULL: a core of one thread */
    unsigned thread;                              /* of it */
    unsigned rob, load_buffer, store_buffer, idq; /* entries that this thread may use */

    struct notes *notes; /* by cycle, as the ring */
    uint64_t noted_until;
    struct going going;
    uint64_t now;    /* the allocator's cycle */
    unsigned issued; /* slots taken in it by uops that will retire */
    unsigned wrong;  /* by uops that will not */
    enum slot_cause wrong_cause;
    enum truth_node wrong_node;
    enum truth_node starved;  /* what the front end waits for, when IDLE_FRONT */
    enum source taken_source; /* where the slot taken last came from */
    bool taken_alone;         /* from the first decoder, the others idle */
    bool resteering;          /* the front end refills after a clear */
    unsigned pending_clears, pending_machine_clears, pending_smc, pending_ordering,
        pending_disambiguation;

    unsigned in_rob, in_scheduler;
    int outstanding[OUT_COUNT], dividers;
    uint64_t slot_count;                /* slots ever allocated */
    uint64_t slot_allocated[SLOT_RING]; /* cycle, by slot number */
    uint64_t last_retire;
    unsigned last_retire_used;
    uint64_t load_count, store_count;
    uint64_t load_freed[SLOT_RING], store_freed[SLOT_RING];
    uint64_t last_commit, store_miss; /* store_miss: when the last missing store has its line */
    uint8_t last_commit_node;         /* what last_commit waited for */
    uint8_t store_node[SLOT_RING];    /* enum truth_node: the same by store */
    uint64_t register_ready[REG_COUNT];
    bool upper_used; /* upper halves of vector registers, and not cleared since */
    uint64_t divider_free, unit_free[CLASS_COUNT];
    uint64_t port_hint[CLASS_COUNT];
    struct store_seen stores[FORWARD_ENTRIES];
    uint64_t addresses_known; /* of all stores so far */
    uint64_t split_free[SPLIT_REGISTERS];
    uint8_t passes[PASSING_LOADS];
    struct load_seen loads_seen[SLOT_RING];
    bool passed_wrongly; /* a load of this instruction began before a store it depends on */
    bool snooped;        /* another core wrote under a load: a clear is due */

    struct retiring *retiring;
    uint64_t retire_head, retire_tail;
    struct retiring_note *told; /* beside `retiring` */
    struct model_listener listener;
    bool listening; /* to what retires */

    uint8_t previous_class; /* for macro-fusion: fuse_class and fuses_first of the one before */
    bool previous_fuses;
    enum truth_node previous_node; /* its first slot was charged to; NODE_NONE: before the reset */
    uint64_t previous_rip, previous_end, previous_complete;
    uint64_t fused_first[FUSED_ENTRIES]; /* addresses of the firsts of fused pairs, 0 none */
    uint64_t repeat_rip;

    struct span spans[3];
    struct span *span;   /* of the last cycle, not yet sent; cycles 0: none */
    struct span *older;  /* the same of the cycles before it */
    struct span *coming; /* the third one: the cycle that is being ended */
    unsigned span_key;   /* of a span made of event-free cycles, 0 otherwise */
    const bool *heard;   /* NULL: always */
    struct span unheard; /* not yet sent; only one of the two has cycles */
    bool passing;        /* between pass_begin and pass_end */
    unsigned passed_slots;
    struct model_truth truth;
};

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* For conditions that the host's compiler should not lay its code out for. */
static inline bool rarely(bool condition)
{
    return __builtin_expect(condition, false);
}

/* Cycles of a core that two threads share are taken from its ledger, and reach the sink when both
 * threads are past them. */
static inline bool is_shared(const struct model *model)
{
    return rarely(model->smt && model->smt->sharing);
}

/* Whether nobody would see what cycles are like: instructions need not go through the pipeline. */
static inline bool is_unheard(const struct model *model)
{
    return model->heard && !*model->heard && !model->listening && !model->smt;
}

/* model.c */
/* Accounts for one instruction now. */
void model_account(struct model *model, const struct executed *executed);
const struct decoded *model_decode_anew(struct model *model, const struct executed *executed);
static inline const struct decoded *model_decode(struct model *model,
                                                 const struct executed *executed)
{
    const struct decoded *decoded = executed->kept ? *executed->kept : NULL;

    return decoded && decoded_is(decoded, executed->rip, executed->bytes)
               ? decoded
               : model_decode_anew(model, executed);
}
/* Whether it is the second of a pair that the decoders fuse. */
bool model_fuses(const struct model *model, const struct decoded *decoded,
                 const struct executed *executed);
/* Whether it stored into code that was fetched, which the caches then forget. */
bool model_wrote_code(struct model *model, const struct executed *executed);
/* Every cycle up to the end of what is in flight is over. */
void settle(struct model *model);

/* model_pass.c */
/* Instructions that nobody looks at: the first comes after pass_begin, after the last comes pass_end.
 */
void pass_begin(struct model *model);
void model_pass(struct model *model, const struct executed *executed);
void pass_end(struct model *model);

/* model_cycles.c */
static inline struct cycle *cycle_at(struct model *model, uint64_t cycle)
{
    return &model->ring[cycle % HORIZON];
}
/* Ends the current allocator cycle, its free slots idle for that reason, and goes to the next. */
void cycle_finish(struct model *model, enum idle why);
/* Ends cycles until `now` is `cycle`. */
void cycle_wait(struct model *model, uint64_t cycle, enum idle why);
void span_flush(struct model *model);

/* model_retire.c */
/* Everything that retires in the cycle that ends. */
void cycle_retire(struct model *model, struct span *span);

static inline void charge(struct model *model, enum truth_node node, uint64_t slots)
{
    model->truth.exact[node] += slots;
}

static inline bool idle_for_stores(enum idle why)
{
    return why == IDLE_STORES || why == IDLE_LOCK || why == IDLE_DRAIN;
}

/* model_notes.c */
/* What a load or a store that reached its line so means for the cycles to come. */
void notes_load(struct model *model, uint64_t begun, bool locked, const struct reach *reach);
void notes_store(struct model *model, uint64_t begun, const struct reach *reach);
void notes_store_walk(struct model *model, uint64_t walked);
/* A line of L1 is locked from `begun` until `unlocked`. */
void notes_lock(struct model *model, uint64_t begun, uint64_t unlocked);
void notes_x87(struct model *model, uint64_t begun);
void notes_division(struct model *model, uint64_t begun);
void notes_blend(struct model *model); /* in this cycle */
/* What the memory asked for beyond L2 since the last call. */
void notes_line_reads(struct model *model);
/* What the instruction means for the upper halves; true when it is one that takes a blend. */
static inline bool upper_note(struct model *model, const struct decoded *decoded)
{
    if (decoded->upper == UPPER_KEPT)
        return model->upper_used && model->p->blends_upper;
    model->upper_used = decoded->upper == UPPER_USED;
    return false;
}
/* The signals of those notes in the cycle that ends. */
void notes_finish(struct model *model, const struct cycle *cycle, uint16_t *value);
/* Cycles before that one pass without being told. */
void notes_skip(struct model *model, uint64_t cycle);
/* The signals of an instruction with flops or RETIRE_NOTED. */
void notes_retire(const struct retiring *entry, uint16_t *value);

/* model_cause.c */
/* Whether memory is why the back end refuses slots in a cycle in which so many uops began. */
bool back_waits_for_memory(const struct model *model, enum idle why, unsigned executed);
/* The node that such slots are charged to. */
/* Cycles that are over: each began so many uops. */
void truth_cycles(struct model *model, enum idle why, unsigned executed, uint64_t cycles);
enum truth_node back_node(const struct model *model, enum idle why, unsigned executed);
/* The node of slots that the front end left empty in a cycle, all of them or some. */
enum truth_node front_node(const struct model *model, bool all);
/* What the commit of a store waits for last: its line (`reach`), the store before it, which lets it
 * commit at `drained`, or its retirement. NODE_NONE: its retirement. */
enum truth_node commit_node(const struct model *model, const struct reach *reach, uint64_t drained,
                            uint64_t retired, bool split);

/* model_listen.c */
static inline bool listened(const struct model *model) /* else none of the others is called */
{
    return rarely(model->listening);
}
/* The instruction at retire_tail begins; its fetch, loads and stores as they go; the entry retires.
 */
void listen_begin(struct model *model);
void listen_load(struct model *model, const struct access *access, uint32_t flags, uint64_t begun,
                 const struct reach *reach); /* enum retire_flag */
void listen_store(struct model *model, const struct access *access, bool locked, bool walked,
                  enum level level);
void listen_fetch(struct model *model, const struct reach *reach); /* NULL: by the decoders */
void listen_retired(struct model *model, uint64_t entry);

/* model_front.c */
bool front_start(struct model *model);
void front_free(struct model *model);
/* The uop cache loses what it has and is shared out among so many threads. */
void front_divide(struct model *model, unsigned threads);
/* Where the instruction's slots come from; call before its first front_slot. */
void front_begin(struct model *model, const struct decoded *decoded);
/* The cycle in which the next slot of this instruction is in the queue. `first` marks its first
 * slot. */
uint64_t front_slot(struct model *model, const struct decoded *decoded, bool first);
/* For an instruction that nobody looks at: the uop cache, the instruction cache and its TLB learn of
 * it. Gives the cycles that fetch waits. */
uint64_t front_pass(struct model *model, const struct decoded *decoded);
/* What comes next is fetched elsewhere. */
void front_pass_redirect(struct model *model);
/* The sequencer is entered for what is no instruction. */
void front_assist(struct model *model);
/* After a branch: taken ends the fetch block; unknown costs a resteer. */
void front_branch(struct model *model, bool taken, bool unknown);
/* Nothing reaches the queue before `cycle`, fetch starts anew. */
void front_restart(struct model *model, uint64_t cycle);
/* Cycles before `until` that stay empty do so for that reason, but for those with an earlier one.
 */
void front_late(struct model *model, uint64_t until, enum truth_node node);
/* Drops uops of the 64-byte line from the uop cache; true when there were any. */
bool front_drop_line(struct model *model, uint64_t address);

/* model_loop.c */
/* At the start of each instruction: true when the loop buffer delivers it. */
bool loop_begin(struct model *model, const struct decoded *decoded);
/* A branch at `rip` was taken. */
void loop_taken(struct model *model, uint64_t rip);
/* The front end was sent elsewhere: the loop is over. */
void loop_end(struct model *model);

/* model_back.c */
/* The instruction at this address turned out to be the first of a fused pair. */
void fused_remember(struct model *model, uint64_t rip);
/* Takes an instruction through allocation, execution and retirement; `retiring` is the entry at
 * retire_tail and is pushed. Returns the cycle in which its last uop completed. */
uint64_t back_execute(struct model *model, const struct decoded *decoded,
                      const struct executed *executed, struct retiring *retiring, bool fused);
/* Everything younger than what was allocated is on the wrong path until `resolved`; then recovery,
 * then refill. */
void back_clear(struct model *model, uint64_t resolved, enum clear clear);
/* The instruction that was executed last needs the microcode's help: all that is younger goes, and
 * the sequencer's uops retire. */
void back_assist(struct model *model);

/* model_order.c */
/* A load by the instruction at `rip`, which may be locked, that could begin at `cycle`: from an
 * older store or from memory. What it met is added to *flags (enum retire_flag). */
struct reach order_load(struct model *model, uint64_t rip, const struct access *access, bool locked,
                        uint64_t cycle, uint32_t *flags);
/* A store for the loads after it; address, granule and size of `store` are filled in. */
void order_store(struct model *model, const struct access *access, const struct store_seen *store);
/* Another core wrote to the line: a load of it that is done and has not retired must be made again.
 * That core may be up to a turn of the machine ahead or behind; the pipeline is looked at as it
 * stands. */
void order_snoop(struct model *model, uint64_t line);

#endif
