/* The inside of the core model, shared by model*.c only.
 *
 * One instruction at a time flows through: the front end says in which cycle each of its slots
 * reaches the uop queue (model_front.c), the allocator takes them in order, `width` a cycle, and
 * gives every slot a cause, the scheduler finds each uop a port (model_back.c), and finished cycles
 * leave as spans (model_cycles.c). `now` is the allocator's cycle: all before it is final. What
 * happens later (execution, completion, retirement) is noted in a ring of coming cycles. */
#ifndef RIG_MODEL_STATE_H
#define RIG_MODEL_STATE_H

#include "core/model.h"
#include "core/predict/branch.h"
#include "core/decode/decode.h"
#include "core/memory/memory.h"
#include "core/parameters.h"
#include "smt.h"

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

/* The entries of the ring that retire in one cycle. */
struct retire_group {
    uint64_t cycle, end; /* the number of the entry behind the last one */
    uint64_t sums[2];    /* of what they are, a byte a kind (retire_push) */
    bool more;           /* they are more than the sums tell */
};

/* What a subscriber wants to know of an entry of the ring besides; kept only while there is one. */
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

/* What a cycle was like, by all that its signals follow from (cycle_memo.c): loops repeat few. */
#define CYCLE_MEMOS 256u
#define SHAPE_WORDS 5u
struct cycle_memo {
    uint64_t key[SHAPE_WORDS]; /* all zero: empty */
    uint64_t times;            /* cycles of that kind that are not yet in the truth */
    enum cycle_kind kind;
    bool held;               /* is in model->held */
    struct cycle_memo *next; /* what came after it the last time; NULL: nothing yet */
    struct span span;
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
    bool slow_block;       /* MITE: its lengths were found the slow way */
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
    struct memory_hierarchy *memory;
    struct memory_hierarchy *translations; /* that of `memory`; a second thread's are its own */
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
    unsigned under_way;                 /* a bit for each of those that are not 0 (quiet_key) */
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
    struct store_seen stores[FORWARD_ENTRIES];
    uint64_t addresses_known; /* of all stores so far */
    uint64_t split_free[SPLIT_REGISTERS];
    uint8_t passes[PASSING_LOADS];
    struct load_seen loads_seen[SLOT_RING];
    bool passed_wrongly; /* a load of this instruction began before a store it depends on */
    bool snooped;        /* another core wrote under a load: a clear is due */

    struct retiring *retiring;
    uint64_t retire_head, retire_tail;
    struct retire_group *groups; /* RETIRING */
    uint64_t group_head, group_tail;
    struct retiring_note *access_events; /* beside `retiring` */
    struct model_subscriber subscriber;
    bool subscribed; /* to what retires */

    uint8_t previous_class; /* for macro-fusion: fuse_class and fuses_first of the one before */
    bool previous_fuses;
    enum truth_node previous_node; /* its first slot was charged to; NODE_NONE: before the reset */
    uint64_t previous_rip, previous_end, previous_complete;
    uint64_t fused_first[FUSED_ENTRIES]; /* addresses of the firsts of fused pairs, 0 none */
    uint64_t repeat_rip;

    struct span spans[3];
    struct span *span; /* of the last cycle, not yet sent; cycles 0: none. It is `last`, or */
    struct cycle_memo *memos; /* that of one of these (CYCLE_MEMOS) */
    struct cycle_memo *memo;  /* of the last cycle that had one */
    bool at_length;           /* no shortcuts */
    struct cycle_memo
        *held[CYCLE_MEMOS]; /* those with cycles not yet sent, of which the order is free */
    unsigned held_count;
    uint64_t order_slack;   /* for so many cycles the sink bears any order */
    bool order_slack_known; /* it was asked since spans were sent last */
    struct span *last;
    struct span *older;     /* of the cycles before `last` */
    struct span *coming;    /* the third one: the cycle that is being ended */
    unsigned span_key;      /* of a span made of event-free cycles, 0 otherwise */
    const bool *observed;   /* NULL: always */
    struct span unobserved; /* not yet sent; only one of the two has cycles */
    bool passing;           /* between pass_begin and pass_end */
    unsigned passed_slots;
    struct model_truth truth;
};

#endif
