/* The figures of one pipeline: all that distinguishes one core from another in the model. Data in
 * cpu/NAME_core.c, each figure with its public source. Latencies are in core cycles, sizes in bytes
 * or entries. */
#ifndef RIG_CORE_PARAMETERS_H
#define RIG_CORE_PARAMETERS_H

#include <stdbool.h>
#include <stdint.h>

struct cache_geometry {
    uint32_t bytes, ways, latency; /* lines are 64 bytes; latency is load-to-use on a hit */
};

struct tlb_geometry {
    uint32_t entries_4k, ways_4k, entries_2m, ways_2m; /* 1 GiB pages use the 2 MiB entries */
};

/* Which ports can begin a uop, how long until its result, and for how long it keeps its unit (1:
 * pipelined). Divisions have one unit, the divider; any other class that is not pipelined has one
 * of its own. */
#define PORT(n) (1u << (n))
struct uop_class {
    uint16_t ports; /* bit n: port n */
    uint16_t latency;
    uint16_t occupies;
};

/* What the decoder sorts uops into. */
#define UOP_CLASSES(C)                                                                             \
    C(ALU)          /* add, logic, mov */                                                          \
    C(SHIFT)        /* shifts by a constant, rotates */                                            \
    C(LEA)          /* up to two components; where it has no ports, as ALU */                      \
    C(SLOW_LEA)     /* three components */                                                         \
    C(MUL)          /* integer multiply */                                                         \
    C(MUL64)        /* of 64-bit operands into one register; where it has no ports, as MUL */      \
    C(MUL_HIGH)     /* the upper half of a wide multiply */                                        \
    C(BIT)          /* popcnt, lzcnt, bsf ... */                                                   \
    C(DIV32)        /* the divider, operand size up to 32 */                                       \
    C(DIV64)        /* the divider, 64-bit operands */                                             \
    C(BRANCH)       /* predicted not taken or conditional */                                       \
    C(BRANCH_TAKEN) /* unconditional, indirect, call, return */                                    \
    C(LOAD)         /* address generation and load; the memory adds its latency */                 \
    C(STORE_ADDRESS)                                                                               \
    C(STORE_DATA)                                                                                  \
    C(VECTOR_ALU) /* SSE integer add, logic, moves between vector registers */                     \
    C(VECTOR_SHUFFLE)                                                                              \
    C(VECTOR_MUL) /* integer multiplies */                                                         \
    C(FP_ADD)                                                                                      \
    C(FP_COMPARE) /* min, max and compare; where it has no ports, as FP_ADD */                     \
    C(FP_MUL)                                                                                      \
    C(FP_DIV_SINGLE)                                                                               \
    C(FP_DIV_DOUBLE)                                                                               \
    C(FP_DIV_PACKED)     /* two doubles; where it has no ports, as one */                          \
    C(FP_DIV_SINGLE_256) /* where it has no ports, 256 bits are two of 128 */                      \
    C(FP_DIV_DOUBLE_256)                                                                           \
    C(FMA)            /* where it has no ports, as FP_MUL */                                       \
    C(VECTOR_LANES)   /* shuffles across 128 bits; where it has no ports, as VECTOR_SHUFFLE */     \
    C(VECTOR_ALU_512) /* the same of 512 bits; where it has no ports, as of less */                \
    C(VECTOR_MUL_512)                                                                              \
    C(FP_512) /* additions, multiplications and both at once */                                    \
    C(FP_CONVERT)                                                                                  \
    C(TO_VECTOR) /* movd/movq r -> x */                                                            \
    C(FROM_VECTOR)                                                                                 \
    C(X87)                                                                                         \
    C(MICROCODE) /* an ordinary uop out of the sequencer */                                        \
    C(NONE)      /* nothing to execute: nop, eliminated move, zero idiom */

enum uop_class_id {
#define UOP_CLASS_ENUM(name) CLASS_##name,
    UOP_CLASSES(UOP_CLASS_ENUM)
#undef UOP_CLASS_ENUM
        CLASS_COUNT
};

struct model_parameters {
    const char *name;
    /* front end */
    uint8_t width;            /* issue slots per cycle */
    uint8_t retire_width;     /* fused uops retired per cycle */
    uint8_t decoders;         /* instructions decoded per cycle by the legacy path */
    uint8_t decode_uops;      /* uops decoded per cycle by the legacy path */
    uint8_t fetch_bytes;      /* per cycle into the legacy path */
    uint8_t dsb_uops;         /* delivered per cycle by the uop cache */
    uint8_t dsb_line_uops;    /* of one line */
    uint8_t dsb_lines_window; /* lines one window may take */
    uint8_t dsb_window;       /* bytes of code that one set of lines covers */
    uint16_t dsb_sets, dsb_ways;
    uint8_t ms_uops;     /* per cycle from the microcode sequencer */
    uint8_t ms_switch;   /* cycles lost on entering it */
    uint8_t dsb_to_mite; /* cycles lost on leaving the uop cache */
    uint8_t lcp_stall;   /* cycles that a length-changing prefix holds the pre-decoder */
    bool lcp_block;      /* once for all prefixes of a block, and MOV is not spared */
    uint16_t idq;        /* uop queue entries */
    uint8_t
        loop_uops; /* a loop of up to so many slots is repeated from the queue; 0: no loop buffer */
    struct cache_geometry l1i;
    struct tlb_geometry itlb;
    /* branches */
    uint16_t btb_sets, btb_ways;
    uint8_t btb_miss_resteer; /* front-end bubble when decode finds a branch the BTB did not know */
    uint8_t return_stack;
    uint8_t history_bits;
    uint16_t recovery; /* allocator cycles lost to recovery after a mispredict or clear */
    uint16_t resteer;  /* cycles from the resolved branch to the first in which a new uop can begin,
                          recovery included */
    uint16_t clear_recovery, clear_resteer; /* the same two for a machine clear */
    bool clear_cycle_is_backend;            /* one allocator cycle a clear counts as back-end bound
                                               (INT_MISC.CLEARS_COUNT's correction) */
    bool heavy_is_microcode; /* "heavy" slots: all those of microcoded instructions, and those
                                beyond the first of others; false: those beyond the first of every
                                instruction */
    bool few_uops_are_light; /* those of instructions without microcode are "light", all of them */
    /* back end */
    uint16_t rob, scheduler, load_buffer, store_buffer, fill_buffers;
    uint8_t ports;
    bool move_elimination; /* of general registers */
    bool vector_move_elimination;
    uint8_t div32_uops, div64_uops,
        idiv64_uops;      /* slots of DIV and IDIV up to 32 bits, of DIV, of IDIV with 64 */
    uint8_t assist_uops;  /* slots of microcode that a floating-point assist adds; 0: none ever */
    uint8_t carry_uops;   /* ADC, SBB, CMOV: so many in a chain; 0 and 1: one */
    uint8_t pmulld_uops;  /* likewise; 0: two */
    uint16_t vector_bits; /* wider vectors go through in parts of that; 0: none */
    bool vector_parts_share_slot; /* their parts are one slot */
    bool blends_upper; /* while upper halves are in use an SSE instruction takes a uop more, which
                          keeps that of its destination */
    uint16_t pause_latency; /* how long PAUSE holds the allocator */
    struct uop_class classes[CLASS_COUNT];
    uint8_t simple_load_saves;  /* cycles less for a load that hits L1 by one register and a
                                   displacement below 2048 */
    uint8_t forward_latency;    /* store to load, when it forwards */
    uint8_t forward_blocked;    /* when it overlaps but cannot */
    uint8_t lock_penalty;       /* added to the load of a locked instruction */
    uint8_t alias_penalty;      /* added to a load that begins while a store to the same offset of
                                   another 4 KiB page is in the store buffer; 0: not known */
    uint8_t split_registers;    /* loads that cross a line and may be on their way at once; 0: any
                                   number */
    uint8_t page_split_penalty; /* added to a load that crosses a 4 KiB boundary; 0: no more than
                                   any split */
    uint8_t store_drain;        /* cycles between committed stores that hit L1 */
    struct cache_geometry l1d, l2;
    uint8_t superqueue;       /* lines on their way to L2 at once, whoever asks; 0: no limit */
    uint8_t prefetch_flights; /* of those, for prefetchers of L2; 0: PREFETCH_FLIGHTS */
    uint8_t stream_ahead;     /* lines that the stream prefetcher of L2 runs ahead of the accesses,
                                 within their page; 0: none */
    bool adjacent_line;       /* a miss of L2 also brings the other line of its aligned pair */
    bool next_line_l1, stride_l1;   /* the prefetchers of L1 */
    struct cache_geometry l3_slice; /* of one core; the shared cache has cores x that */
    bool l3_inclusive;
    uint16_t shared_latency;    /* load to use, the line clean in one other core; 0: as L3 */
    uint16_t contested_latency; /* the same, the line modified there */
    uint16_t memory_latency;    /* load to use, all levels missed */
    uint16_t memory_interval;   /* core cycles between line transfers at full bandwidth, all cores
                                   together */
    struct tlb_geometry dtlb, stlb; /* stlb entries_4k serve both sizes when entries_2m is 0 */
    uint8_t stlb_latency;           /* added on a hit in the second level */
    uint16_t walk_latency;          /* added for a page walk that hits the caches */
    uint8_t walkers;
};

/* cpu/NAME.c declares its own core: extern const struct model_parameters NAME_core. */

#endif
