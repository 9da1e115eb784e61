/* What the parts of the state (state.h) are made of: coming cycles, instructions in flight, lines
 * of the uop cache. */
#ifndef RIG_CORE_CYCLE_ELEMENTS_H
#define RIG_CORE_CYCLE_ELEMENTS_H

#include "core/decode/decode.h"
#include "core/memory/memory.h"
#include "core/model.h"
#include "core/parameters.h"
#include "core/predict/branch.h"

/* Coming cycles that can be noted: small enough for the host's second-level cache. */
#define HORIZON 16384u
/* Instructions between allocation and retirement: at least twice a re-order buffer. */
#define RETIRING        1024u
#define SLOT_RING       512u /* more than any re-order buffer or uop queue */
#define FORWARD_ENTRIES 1024u
#define FORWARD_STORES  4u    /* stores to parts of one 8-byte unit that are remembered */
#define PASSING_LOADS   256u  /* loads whose conflicts with older stores are remembered */
#define FUSED_ENTRIES   1024u /* pairs of a compare and its jump that are remembered */

#define NOWHERE UINT64_MAX /* no line, block or window of code */

/* What the front end did or waited for in a cycle. */
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

/* More of a cycle: in the low bits the instructions decoded, above them flags. */
enum more_flag {
    MORE_DECODED = 15,
    MORE_WALK = 16,
    MORE_CODE_READ = 32,
    MORE_NOTES = 64,
    MORE_UNKNOWN_BRANCH = 128
};

#define FP_DIVIDERS 16 /* an FP division in `dividers`: more than integer ones can be */

/* Notes that few cycles have (MORE_NOTES): changes of what goes on, and uops that begin. */
struct notes {
    int8_t pending, waiting, reads, data_reads, queued, rfos, load_walks, store_walks, locks;
    uint8_t x87, divisions, waits, blends, cancelled, trace_misses, split_loads, split_stores;
    uint8_t taken, taken_mispredicts; /* branches that are executed */
};

/* What goes on in the allocator's cycle: lines, walks and locks under way (notes.c). */
struct going {
    int pending, waiting, reads, data_reads, queued, rfos, load_walks, store_walks, locks;
    bool any;
};

/* Outstanding loads of a cycle, by the last level that is known to lack their line. */
enum outstanding { OUT_ANY, OUT_L1_MISS, OUT_L2_MISS, OUT_L3_MISS, OUT_COUNT };

/* A coming cycle. */
struct cycle {
    uint16_t ports;   /* that are busy, a bit each */
    uint8_t executed; /* uops that begin */
    uint8_t retired;  /* slots that retire */
    uint8_t dsb, mite, ms, decoder0;
    int8_t loads[OUT_COUNT]; /* change of the loads outstanding */
    int8_t divider;          /* change of the busy dividers; FP_DIVIDERS for an FP division */
    uint8_t front;           /* enum front_flag */
    uint8_t loop;
    uint8_t more; /* enum more_flag */
};
_Static_assert(sizeof(struct cycle) == 16, "a quarter of a host cache line");

/* Why the slots left in a cycle stay empty. */
enum idle {
    IDLE_FRONT,     /* nothing in the uop queue */
    IDLE_BACK,      /* what the allocator cannot take together with what it has taken */
    IDLE_ROB,       /* no room in the re-order buffer */
    IDLE_SCHEDULER, /* no room in the scheduler */
    IDLE_MEMORY,    /* likewise, for an instruction with a load or a store; or in the load buffer */
    IDLE_STORES,    /* no room in the store buffer */
    IDLE_RECOVERY,  /* after a clear */
    IDLE_CLEAR,     /* the cycle of a clear that counts as back-end bound */
    IDLE_LOCK,      /* a locked instruction waits for the store buffer to empty, */
    IDLE_DRAIN,     /* a serialising one or a fence */
    IDLE_SERIAL,    /* and for all before it to retire */
    IDLE_PAUSE,
    IDLE_SIBLING, /* the allocator serves the other thread */
};

/* An instruction between allocation and retirement. */
struct retiring {
    uint64_t cycle, from, to;
    uint32_t flags;
    uint16_t uops;
    uint8_t kind, level;
    uint16_t heavy;       /* slots that the truth charges to heavy operations */
    uint8_t flops;        /* enum flops */
    uint8_t late, served; /* enum late of its first load, when RETIRE_LEVELLED */
    /* of that load: the cycle in which its address was translated, and how many cycles translation
     * took (before that it waited for older stores) */
    uint16_t translating;
    uint64_t translated;
    /* when its uops are complete, and when its last load has its data */
    uint64_t complete, loaded;
};

/* The instructions that retire in one cycle. */
struct retire_group {
    uint64_t cycle, end; /* `end`: the number of the entry behind the last one */
    uint64_t sums[2];    /* how many of each kind, a byte each (retire.c) */
    bool more;           /* the sums do not say all */
};

/* What a subscriber wants to know of a retiring instruction; kept only while there is a subscriber.
 */
struct retiring_note {
    struct retired_access load, store; /* its first load, its first store */
    bool has_load, has_store;
    unsigned fetched; /* enum fetched */
};

/* One of the 8-byte units that an older store wrote. */
struct store_seen {
    uint64_t address;                   /* of the store's first byte */
    uint64_t granule;                   /* number of the unit; ~0: none */
    uint64_t known, data_begun, commit; /* when its address was known, when its data uop began, when
                                           it is in L1 */
    uint64_t value;                     /* when the register that it stores was ready */
    uint8_t size;
    uint8_t spill; /* of its instruction (decoded.h) */
};

/* A load, for snoops. */
struct load_seen {
    uint64_t first, last; /* lines */
    uint64_t done;        /* cycle in which its instruction was done */
};

/* Why all younger instructions are thrown away. */
enum clear { CLEAR_MISPREDICT, CLEAR_CODE, CLEAR_ORDERING, CLEAR_DISAMBIGUATION, CLEAR_ASSIST };

/* A line of the uop cache. */
struct dsb_line {
    uint64_t window; /* rip / dsb_window; NOWHERE: empty */
    uint64_t starts; /* bit n: it has the instruction at offset n of the window */
    uint64_t used;   /* for LRU */
    uint8_t uops;
};

/* A cycle to be recognised when it comes again, by all that its signals follow from (cycle_memo.c).
 */
#define CYCLE_MEMOS     256u
#define CYCLE_KEY_WORDS 5u
struct cycle_memo {
    uint64_t key[CYCLE_KEY_WORDS]; /* all zero: empty */
    uint64_t times;                /* repetitions that are not yet in the truth */
    enum cycle_kind kind;
    bool held;               /* is in the output's held */
    struct cycle_memo *next; /* the memo that came after it the last time; NULL: none yet */
    struct span span;
};

/* Cycles from `from` until before `to` in which all ports of a class, or one port, are taken. */
struct full_cycles {
    uint64_t from, to;
};

/* Where the front end takes uops from. */
enum source { SOURCE_NONE, SOURCE_DSB, SOURCE_MITE, SOURCE_MS, SOURCE_LOOP };

/* What the front end waits for before `until`. */
struct front_delay {
    uint64_t until;
    enum truth_node node;
};
#define FRONT_DELAYS 8u

#define DECODED_REMEMBERED 32u /* more than an instruction queue holds */

/* The loop that the queue may repeat: from `first` to the taken branch at `last`. */
struct loop {
    uint64_t first, last;
    unsigned slots; /* of the current turn so far */
    unsigned turns; /* in a row that were alike and small enough */
    unsigned held;  /* of what the queue holds, the turns that are delivered */
    bool unfit;     /* the current turn has microcode, or came from the decoders */
    bool closed;    /* a branch was just taken: the next instruction is where it leads */
    uint64_t from;  /* that branch */
};

/* What the front end did in its cycle `of` is noted in ring cycle `at`, never before `now`. */
struct front_notes {
    uint64_t of, at;
};

struct front {
    uint64_t cycle;      /* the cycle in which the next slot can reach the queue */
    uint64_t slow_until; /* model_slow */
    unsigned room;       /* slots left in that cycle */
    unsigned decoded;    /* MITE: instructions decoded in that cycle */
    bool alone;          /* MITE: and no other can be */
    enum source source;
    uint64_t fetched; /* MITE: cycle in which the current block was fetched */
    uint64_t block;   /* MITE: rip / fetch_bytes of that block */
    unsigned lengths; /* MITE: instructions whose lengths were found in that cycle */
    bool slow_block;  /* MITE: the slow length decoder went through that block */
    uint64_t line;    /* MITE: rip / 64 of the last line looked up */
    /* The uops delivered, and what the fetch waits for, which goes on meanwhile. */
    struct front_notes delivered, fetching;
    uint64_t window, page;                  /* of the last instruction */
    bool redirected;                        /* the next instruction starts a new fetch */
    bool ms_from_decoders;                  /* the sequencer took over from the decoders */
    struct front_delay delay[FRONT_DELAYS]; /* since the slot allocated last, in order */
    unsigned delays;
    struct loop loop;
    uint8_t window_shift, fetch_shift;
    uint32_t set_mask; /* dsb_sets - 1, or 0 when that is no mask */
    struct dsb_line *dsb;
    unsigned dsb_sets;         /* that this thread may use */
    struct dsb_line *dsb_last; /* the line that the last instruction came from */
    uint64_t dsb_clock;
    uint64_t decoded_count;                  /* MITE: instructions that the decoders have taken, */
    uint64_t decoded_at[DECODED_REMEMBERED]; /* and when, by number */
};

/* Uops by the port to which they are bound (pipeline/bind.c). */
union port_counts {
    uint8_t of[16];
    uint64_t words[2];
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

#endif
