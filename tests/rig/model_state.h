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

#define HORIZON                                                                                    \
    16384u /* coming cycles that can be noted: small enough for the host's second-level cache */
#define RETIRING                                                                                   \
    1024u /* instructions between allocation and retirement: twice a re-order buffer at least */
#define SLOT_RING       512u /* more than any re-order buffer or uop queue */
#define FORWARD_ENTRIES 1024u
#define FUSED_ENTRIES   1024u /* pairs of a compare and its jump that are remembered */
#define MAX_PORTS       16u

enum front_flag {
    FRONT_LCP = 1,
    FRONT_ICACHE = 2,
    FRONT_ITLB = 4,
    FRONT_SWITCH = 8,
    FRONT_BACLEAR = 16,
    FRONT_MS_SWITCH = 32,
    FRONT_ITLB_HIT = 64,
    FRONT_ITLB_WALK = 128
};

/* Where the outstanding loads of a cycle were found missing. */
enum outstanding { OUT_ANY, OUT_L1_MISS, OUT_L2_MISS, OUT_L3_MISS, OUT_COUNT };

struct cycle {
    uint16_t ports;   /* busy ones */
    uint8_t executed; /* uops that begin */
    uint8_t retired;  /* slots that retire */
    uint8_t dsb, mite, ms, decoder0;
    int8_t loads[OUT_COUNT]; /* change of the loads outstanding */
    int8_t divider;          /* change of dividers busy */
    uint8_t front;           /* enum front_flag */
    uint8_t loop;
    uint8_t spare;
};
_Static_assert(sizeof(struct cycle) == 16, "a quarter of a host cache line");

/* Why the rest of a cycle's slots stays empty. */
enum idle { IDLE_FRONT, IDLE_BACK, IDLE_STORES, IDLE_RECOVERY, IDLE_CLEAR };

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
};

struct retiring {
    uint64_t cycle, from, to;
    uint32_t flags;
    uint16_t uops;
    uint8_t kind, level;
    uint16_t heavy; /* slots beyond the first, in the truth's sense */
};

/* What a listener wants to know of an entry of the ring besides; kept only while there is one. */
struct retiring_note {
    struct retired_access load, store; /* of the first each */
    bool has_load, has_store;
    unsigned fetched; /* enum fetched */
};

struct store_seen {
    uint64_t address;            /* of its first byte */
    uint64_t granule;            /* the 8-byte unit this entry stands for, ~0 empty */
    uint64_t data_begun, commit; /* when its data uop began; when it is in L1 */
    uint8_t size;
};

struct dsb_line {
    uint64_t window; /* rip / dsb_window, ~0 empty */
    uint64_t starts; /* bit n: an instruction that starts at offset n of the window is in it */
    uint32_t used;   /* for LRU */
    uint8_t uops;
};

enum source { SOURCE_NONE, SOURCE_DSB, SOURCE_MITE, SOURCE_MS, SOURCE_LOOP };

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
    struct loop loop;
    struct dsb_line *dsb;
    struct dsb_line *dsb_last; /* the line the last instruction came from */
    uint32_t dsb_clock;
};

struct model {
    const struct model_parameters *p;
    struct model_sink sink;
    struct decoder *decoder;
    struct memory *memory;
    struct predictor *predictor;
    struct front front;

    struct cycle *ring;
    uint64_t now;    /* the allocator's cycle */
    unsigned issued; /* slots taken in it by uops that will retire */
    unsigned wrong;  /* by uops that will not */
    enum slot_cause wrong_cause;
    bool resteering; /* the front end refills after a clear */
    unsigned pending_clears, pending_machine_clears, pending_smc;

    unsigned in_rob, in_scheduler;
    int outstanding[OUT_COUNT], dividers;
    uint64_t slot_count;                /* slots ever allocated */
    uint64_t slot_allocated[SLOT_RING]; /* cycle, by slot number */
    uint64_t last_retire;
    unsigned last_retire_used;
    uint64_t load_count, store_count;
    uint64_t load_freed[SLOT_RING], store_freed[SLOT_RING];
    uint64_t last_commit, store_miss; /* store_miss: when the last missing store has its line */
    uint64_t register_ready[REG_COUNT];
    uint64_t divider_free;
    uint64_t port_hint[CLASS_COUNT];
    struct store_seen stores[FORWARD_ENTRIES];

    struct retiring *retiring;
    uint64_t retire_head, retire_tail;
    struct retiring_note *notes; /* beside `retiring` */
    struct model_listener listener;

    struct decoded previous; /* for macro-fusion: only the fields it needs are kept */
    bool previous_fuses;
    uint64_t previous_rip, previous_end, previous_complete;
    uint64_t fused_first[FUSED_ENTRIES]; /* addresses of the firsts of fused pairs, 0 none */
    uint64_t repeat_rip;

    struct span span;  /* not yet sent; cycles 0: none */
    unsigned span_key; /* of a span made of event-free cycles, 0 otherwise */
    struct model_truth truth;
};

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

/* model_listen.c */
static inline bool listened(const struct model *model) /* else none of the others is called */
{
    return model->listener.access || model->listener.fetch;
}
/* The instruction at retire_tail begins; its fetch, loads and stores as they go; the entry retires.
 */
void listen_begin(struct model *model);
void listen_load(struct model *model, const struct access *access, bool locked, uint64_t begun,
                 const struct reach *reach);
void listen_store(struct model *model, const struct access *access, bool locked, bool walked,
                  enum level level);
void listen_fetch(struct model *model, const struct reach *reach); /* NULL: by the decoders */
void listen_retired(struct model *model, uint64_t entry);

/* model_front.c */
bool front_start(struct model *model);
void front_free(struct model *model);
/* Where the instruction's slots come from; call before its first front_slot. */
void front_begin(struct model *model, const struct decoded *decoded);
/* The cycle in which the next slot of this instruction is in the queue. `first` marks its first
 * slot. */
uint64_t front_slot(struct model *model, const struct decoded *decoded, bool first);
/* After a branch: taken ends the fetch block; unknown costs a resteer. */
void front_branch(struct model *model, bool taken, bool unknown);
/* Nothing reaches the queue before `cycle`, fetch starts anew. */
void front_restart(struct model *model, uint64_t cycle);
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
/* Takes an instruction through allocation, execution and retirement; `retiring` is the entry at
 * retire_tail and is pushed. Returns the cycle in which its last uop completed. */
uint64_t back_execute(struct model *model, const struct decoded *decoded,
                      const struct executed *executed, struct retiring *retiring, bool fused);
/* Everything younger than what was allocated is on the wrong path until `resolved`; then recovery,
 * then refill. */
void back_clear(struct model *model, uint64_t resolved, enum slot_cause cause, unsigned resteer);

#endif
