/* The state of the pipeline, in parts by subject. A function is given the parts that it works on,
 * `const` where it only reads them, and the whole model only where it works on many or calls one
 * that does.
 *
 * Where a loop is skipped, all that the cycles to come follow from is compared
 * (pipeline/period_snapshot.c): a new member belongs there, too. tests/rig/core/snapshot.sh fails
 * while it is neither compared nor named there as left out. What one mechanism keeps for itself is
 * the mechanism's (core/mechanism_rules.h). */
#ifndef RIG_CORE_CYCLE_STATE_H
#define RIG_CORE_CYCLE_STATE_H

#include "core/mechanism_rules.h"
#include "elements.h"

/* The clock, and the ring of coming cycles: `now` is the allocator's cycle, and everything before
 * it is final. What happens later (execution, completion, retirement) is noted in the ring. */
struct timeline {
    uint64_t now;
    uint64_t noted_until;
    struct cycle *ring;  /* HORIZON */
    struct notes *notes; /* by cycle, as the ring */
    struct going going;
};

/* The allocator, in the cycle `now`. Values alone: a snapshot has all of it, byte by byte, and what
 * is added here. */
struct allocator {
    unsigned issued;       /* its slots taken by uops that will retire */
    unsigned wrong;        /* its slots taken by uops that will not */
    uint32_t wrong_chance; /* of what begins on a wrong path (model_wrong_paths); 0: nothing */
    enum slot_cause wrong_cause;
    enum truth_node wrong_node;
    enum truth_node starved;  /* IDLE_FRONT: what the front end waits for */
    enum source taken_source; /* where the slot taken last came from */
    unsigned pending_clears, pending_machine_clears, pending_smc, pending_ordering,
        pending_disambiguation;
    bool taken_alone; /* that slot came from the first decoder, the others were idle */
    bool resteering;  /* the front end refills after a clear */
    bool builds;      /* the trace cache is in build mode */
};

/* The uop queue: room for the next slot follows from when earlier ones left it. */
struct uop_queue {
    unsigned room;                      /* entries that this thread may use */
    uint64_t slot_count;                /* slots ever allocated */
    uint64_t slot_allocated[SLOT_RING]; /* cycle, by slot number */
};

/* What is between allocation and retirement: the re-order buffer, the scheduler, and what goes on.
 * Values alone, as in struct allocator. */
struct window {
    unsigned rob; /* entries that this thread may use */
    unsigned in_rob, in_scheduler;
    unsigned room_slots, room_uops; /* that both need before a slot is allocated */
    int outstanding[OUT_COUNT], dividers;
    unsigned under_way; /* a bit for each of the last two lines above 0 (cycles.c) */
};

/* What the renamer knows of registers. */
struct renamer {
    uint64_t register_ready[REG_COUNT];
    uint64_t loaded; /* a bit for each register that a load wrote last */
    bool upper_used; /* upper halves of vector registers were written and not cleared since */
};

/* Ports and units. */
struct dispatch {
    uint64_t divider_free, unit_free[CLASS_COUNT];
    struct full_cycles full[CLASS_COUNT], full_port[16];
    /* Uops bound before this cycle that began, if they did, in the last one; bound in this one. */
    union port_counts bound, binding;
    union port_counts taken; /* balances_ports: uops that took a port of late */
    uint16_t begun_ports;    /* on which a uop began in the last cycle */
};

/* The load buffer, and what loads meet on their way to L1. */
struct loads {
    unsigned room; /* entries that this thread may use */
    uint64_t count;
    uint64_t freed[SLOT_RING];
    struct load_seen seen[SLOT_RING];
    uint8_t passes[PASSING_LOADS];
    bool second_port;    /* the next load takes the other port */
    bool forwarded;      /* a store gave the value of the load executed last */
    bool passed_wrongly; /* a load of this instruction began before a store it depends on */
    bool snooped;        /* another core wrote under a load: a clear is due */
};

/* The store buffer. */
struct stores {
    unsigned room; /* entries that this thread may use */
    uint64_t count;
    uint64_t freed[SLOT_RING];
    uint8_t node[SLOT_RING]; /* enum truth_node: what its commit waited for */
    uint64_t last_commit;
    uint64_t commit_alone;    /* line of the store that was committed in last_commit, if another
                                 store can be committed with it; else NOWHERE */
    uint8_t last_commit_node; /* enum truth_node: what last_commit waited for */
    uint64_t miss;            /* when the last missing store has its line */
    uint64_t addresses_known; /* when the addresses of all stores so far are known */
    struct store_seen seen[FORWARD_ENTRIES][FORWARD_STORES]; /* of a unit the youngest first */
};

/* Retirement, in order. */
struct retirement {
    struct retiring *retiring; /* RETIRING entries, from `head` until before `tail` */
    uint64_t head, tail;
    struct retire_group *groups; /* RETIRING */
    uint64_t group_head, group_tail;
    uint64_t last;      /* the cycle in which a slot retires last */
    unsigned last_used; /* slots that retire in it */
};

/* The previous instruction, and what is known of pairs that fuse. */
struct previous {
    uint8_t class; /* its fuse_class, and in the next line its fuses_first */
    bool fuses;
    enum truth_node node; /* of its first slot; NODE_NONE: before the reset */
    uint64_t rip, end, complete;
    uint64_t first_slot; /* its number, and */
    bool holds;          /* what model_passage says of it */
    uint64_t
        fused_first[FUSED_ENTRIES]; /* addresses of first instructions of fused pairs, 0 none */
};

#define COLLECTED_SPANS  512u /* that differ */
#define COLLECTED_TURNS  (1u << 17)
#define COLLECTED_PLACES 2048u

/* Spans of finished cycles on their way to the sink (spans.c). */
struct output {
    struct model_sink sink;
    struct span spans[3];     /* last, older and coming */
    struct span *span;        /* of the last cycle, not yet sent; either `last` or a memo's */
    struct span *last;        /* cycles 0: empty */
    struct span *older;       /* of the cycles before `last` */
    struct span *coming;      /* of the cycle that ends now */
    unsigned span_key;        /* of a span of idle cycles; 0: it is none (idle_key) */
    struct cycle_memo *memos; /* CYCLE_MEMOS */
    struct cycle_memo *memo;  /* of the last cycle that had one */
    /* memos whose spans have cycles to send, in any order */
    struct cycle_memo *held[CYCLE_MEMOS];
    unsigned held_count;
    uint64_t order_slack;   /* for so many cycles the sink accepts any order */
    bool order_slack_known; /* the sink was asked since spans were sent last */
    /* Spans that are kept for the sink (spans_collect). */
    struct span_sequence collected;
    uint16_t collected_at[COLLECTED_PLACES]; /* by hash: the number of a span, + 1 */
    bool collects;
    struct span unobserved; /* not yet sent; it or the others have cycles, never both */
};

/* The subscriber, and what it wants to know of retiring instructions. */
struct access_events {
    struct retiring_note *notes; /* beside the retiring instructions */
    struct model_subscriber subscriber;
    bool subscribed; /* to accesses or fetches of what retires */
};

/* Functional warming. */
struct warming {
    const enum observation *observed; /* NULL: always */
    bool goes_on;
    unsigned slots;
    struct {
        uint64_t at;     /* the address of the last PAUSE */
        unsigned count;  /* of PAUSEs there, one after another */
        unsigned behind; /* instructions since the last one */
        uint64_t waited; /* cycles that passed with them, since they are taken for a wait */
    } pausing;
};

struct period;

/* Periods that are skipped (pipeline/period.c). */
struct skipping {
    /* The instruction that comes next in the period, NULL when none is expected. */
    struct {
        const struct inputs *inputs;
        const struct input *next, *end; /* of a unit */
    } expected;
    struct period *period; /* NULL: periods are not skipped */
    uint64_t skipped;      /* cycles that were: the clock is so many above `now` */
};

struct smt;

struct model {
    const struct model_parameters *p;
    struct decoder *decoder;
    struct memory_hierarchy *memory;
    struct memory_hierarchy *translations; /* `memory`; a second thread has its own */
    struct predictor *predictor;
    struct smt *smt; /* NULL: a core of one thread */
    unsigned thread; /* number of this thread in it */
    bool at_length;  /* no shortcuts */

    struct front front;
    struct timeline time;
    struct allocator allocator;
    struct window window;
    struct uop_queue queue;
    struct renamer renamer;
    struct dispatch dispatch;
    struct loads loads;
    struct stores stores;
    struct retirement retirement;
    struct previous previous;
    struct mechanisms mechanisms;
    struct output output;
    struct access_events events;
    struct warming warming;
    struct skipping skipping;
    struct model_truth truth;
};

static inline struct cycle *cycle_at(struct timeline *time, uint64_t cycle)
{
    return &time->ring[cycle % HORIZON];
}

static inline unsigned idle_slots(const struct model_parameters *p,
                                  const struct allocator *allocator)
{
    return p->width - allocator->issued - allocator->wrong;
}

static inline bool idle_for_stores(enum idle why)
{
    return why == IDLE_STORES || why == IDLE_LOCK || why == IDLE_DRAIN;
}

#endif
