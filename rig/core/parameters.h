/* The figures of one pipeline: all that distinguishes one core from another in the model. Data in
 * cpu/NAME.inc, each figure with its public source. Latencies are in core cycles, sizes in bytes
 * or entries. */
#ifndef RIG_CORE_PARAMETERS_H
#define RIG_CORE_PARAMETERS_H

#include <stdbool.h>
#include <stdint.h>

#include "mechanisms.inc"

struct cache_geometry {
    uint32_t bytes, ways, latency; /* lines are 64 bytes; latency is load-to-use on a hit */
};

struct tlb_geometry {
    uint32_t entries_4k, ways_4k, entries_2m, ways_2m; /* 1 GiB pages use the 2 MiB entries */
};

#define PORT(n) (1u << (n))

/* How the uops of a class execute. */
struct uop_class {
    uint16_t ports;   /* the ports that can begin the uop: PORT(n) for each */
    uint16_t latency; /* cycles from its begin to its result */
    /* Cycles for which the uop keeps its execution unit; 1: the unit is pipelined, 0: and there
     * are units without end. All divisions share one divider; every other class that is not
     * pipelined has one unit. */
    uint16_t occupies;
};

/* The classes of uops. A comment "else X" means: on a core where the class has no ports, its uops
 * are of class X. */
/* clang-format off */
#define UOP_CLASSES(C) \
    C(ALU) /* add, logic, mov */ \
    C(SHIFT) /* shifts by a constant, rotates */ \
    C(LEA) /* of up to two components; else ALU */ \
    C(SLOW_LEA) /* of three components */ \
    C(MUL) /* integer multiply */ \
    C(MUL64) /* of 64-bit operands into one register; else MUL */ \
    C(MUL_HIGH) /* the upper half of a wide multiply */ \
    C(BIT) /* popcnt, lzcnt, bsf ... */ \
    C(DIV32) /* the divider, operand size up to 32 */ \
    C(DIV64) /* the divider, 64-bit operands */ \
    C(IDIV64) /* of 64-bit operands with signs; else DIV64 */ \
    C(BRANCH) /* predicted not taken or conditional */ \
    C(BRANCH_TAKEN) /* unconditional, indirect, call, return */ \
    C(LOAD) /* address generation and load; the memory adds its latency */ \
    C(STORE_ADDRESS) \
    C(STORE_INDEXED) /* STORE_ADDRESS of an address with an index; else STORE_ADDRESS */ \
    C(STORE_DATA) \
    C(VECTOR_ALU) /* SSE integer add, logic, moves between vector registers */ \
    C(VECTOR_MOVE) /* between vector registers, where it is not eliminated; else VECTOR_ALU */ \
    C(VECTOR_SHUFFLE) \
    C(VECTOR_MUL) /* integer multiplies */ \
    C(FP_ADD) \
    C(FP_COMPARE) /* min, max and compare; else FP_ADD */ \
    C(FP_MUL) \
    C(FP_DIV_SINGLE) \
    C(FP_DIV_DOUBLE) \
    C(FP_DIV_PACKED) /* of two doubles; else FP_DIV_DOUBLE */ \
    C(FP_DIV_SINGLE_256) /* of 256 bits; else two divisions of 128 bits */ \
    C(FP_DIV_DOUBLE_256) /* likewise */ \
    C(FMA) /* fused multiply-add; else FP_MUL */ \
    C(VECTOR_LANES) /* shuffles across lanes of 128 bits; else VECTOR_SHUFFLE */ \
    C(VECTOR_ALU_512) /* VECTOR_ALU of 512 bits; else VECTOR_ALU */ \
    C(VECTOR_MUL_512) /* else VECTOR_MUL */ \
    C(FP_512) /* FP_ADD, FP_COMPARE, FP_MUL and FMA of 512 bits; else these classes */ \
    C(FP_CONVERT) \
    C(TO_VECTOR) /* movd/movq r -> x */ \
    C(FROM_VECTOR) \
    C(X87) \
    C(MICROCODE) /* an ordinary uop out of the sequencer */ \
    C(NONE) /* nothing to execute: nop, eliminated move, zero idiom */
/* clang-format on */

enum uop_class_id {
#define UOP_CLASS_ENUM(name) CLASS_##name,
    UOP_CLASSES(UOP_CLASS_ENUM)
#undef UOP_CLASS_ENUM
        CLASS_COUNT
};

/* Causes of lost slots that a core can be without (ideal.h). */
/* clang-format off */
#define IDEALS(I) \
    I(MEMORY, "memory") /* every access to data is an L1 hit that nothing holds up */ \
    I(BRANCHES, "branches") /* every branch is predicted */ \
    I(FRONTEND, "frontend") /* every uop is in the queue when there is room for it */ \
    I(CLEARS, "clears") /* no machine clears */ \
    I(CORE, "core") /* latencies of one cycle, ports without end, nothing serialises */
/* clang-format on */

enum ideal_number {
#define IDEAL_ENUM(name, text) IDEAL_NUMBER_##name,
    IDEALS(IDEAL_ENUM)
#undef IDEAL_ENUM
};

enum ideal {
#define IDEAL_ENUM(name, text) IDEAL_##name = 1u << IDEAL_NUMBER_##name,
    IDEALS(IDEAL_ENUM)
#undef IDEAL_ENUM
};

#define LOOP_TURNS 31u /* loops of as many slots and more are held once */

/* Which uops are bound to a port when they are allocated (pipeline/bind.c); a port of the others is
 * chosen when they are dispatched. */
enum binds {
    BINDS_NONE,
    BINDS_LOADS, /* those that only ports 2 and 3 take, by turns */
    BINDS_ALL,
};

/* Which micro-fused instructions take a slot in the queue and two in the allocator. */
enum unlaminates {
    UNLAMINATES_NONE,
    UNLAMINATES_INDEXED,       /* those whose address has an index */
    UNLAMINATES_UNLESS_UPDATED /* of these, loads whose operation does not read and write one
                                  register, its first of two operands */
};

struct model_parameters {
    const char *name;
    unsigned ideal; /* a set of enum ideal; 0: a core as it is */

    /* front end */
    uint8_t width;        /* issue slots per cycle */
    uint8_t retire_width; /* fused uops retired per cycle */
    /* Uops of a wrong path leave the re-order buffer in order, as uops that retire do. Otherwise
     * they leave it when their branch is resolved. */
    bool cancelled_retire;
    /* Branches are noted as they are executed: of a core whose events count that. */
    bool notes_executed;
    bool notes_no_retire; /* why nothing retires in a cycle is noted, for events that count it */
    uint8_t decoders;     /* instructions that the legacy path decodes per cycle */
    uint8_t decode_uops;  /* uops that the legacy path decodes per cycle */
    uint8_t fetch_bytes;  /* bytes that the legacy path fetches per cycle */
    uint8_t predecoded;   /* instructions whose lengths it finds per cycle; 0: no limit */
    uint8_t instruction_queue; /* between the pre-decoder and the decoders; with `predecoded` */
    /* An instruction that could fuse with a jump waits for its successor, and (fusible_not_last) is
     * not taken by the last decoder. */
    bool fusible_waits, fusible_not_last;
    uint8_t decoded_alone;   /* no other instruction is decoded behind one of so many slots, or
                                behind POP of RSP and R12, in its cycle; 0: one may be */
    bool first_decoder_rows; /* some instructions of one slot need the first decoder (decode.c) */
    /* the uop cache */
    uint8_t dsb_uops;         /* uops delivered per cycle */
    uint8_t dsb_line_uops;    /* uops that one line holds */
    uint8_t dsb_lines_window; /* lines that one window of code may take */
    uint8_t dsb_window;       /* bytes of one window of code */
    uint16_t dsb_sets, dsb_ways;
    bool jcc_erratum; /* the uop cache keeps no jump that crosses or ends on a 32-byte boundary */
    uint8_t dsb_to_mite; /* cycles lost when delivery changes to the legacy path */
    bool trace_cache;    /* the uop cache is NetBurst's: it delivers traces or builds them */
    /* the microcode sequencer */
    uint8_t ms_uops;   /* uops delivered per cycle */
    uint8_t ms_switch; /* cycles lost when delivery changes to the sequencer */
    uint8_t lcp_stall; /* cycles for which a length-changing prefix holds the pre-decoder */
    bool lcp_block;    /* all prefixes of a block cost one stall, and MOV has it too */
    uint16_t idq;      /* uop queue entries */
    /* The queue repeats a loop of up to this many slots by itself; 0: no loop buffer. */
    uint8_t loop_uops;
    /* How many turns of a loop of so many slots it holds at a time. What it holds it delivers
     * without a gap, and begins anew in a cycle of its own. 0: one turn. */
    uint8_t loop_turns[LOOP_TURNS];
    struct cache_geometry l1i;
    struct tlb_geometry itlb;

    /* branches */
    uint16_t btb_sets, btb_ways;
    uint8_t btb_miss_resteer; /* cycles lost when decode finds a branch that the BTB lacked */
    uint8_t return_stack;     /* entries */
    uint8_t history_bits;
    /* `recovery`: cycles that the allocator loses after a mispredict. `resteer`: cycles from the
     * resolved branch to the first in which a new uop can begin, recovery included. `clear_...`:
     * the same after a machine clear. */
    uint16_t recovery, resteer, clear_recovery, clear_resteer;
    /* One allocator cycle of every clear counts as back-end bound, as INT_MISC.CLEARS_COUNT's
     * correction in the formulas assumes. */
    bool clear_cycle_is_backend;
    /* Which retired slots are "heavy". True: all slots of microcoded instructions, and the slots
     * beyond the first of other instructions. False: the slots beyond the first of every
     * instruction. */
    bool heavy_is_microcode;
    /* All slots of instructions without microcode are "light", whatever `heavy_is_microcode` is. */
    bool few_uops_are_light;
    /* Slots up to the first uop behind a mispredict or a clear are bad speculation in the truth. */
    bool refill_is_bad;

    /* back end */
    uint16_t rob, scheduler, load_buffer, store_buffer, fill_buffers; /* entries */
    uint8_t ports;
    enum binds binds_ports; /* which uops get their port as they are allocated */
    /* Of several free ports a uop takes the one that the fewest took of late, else the lowest. */
    bool balances_ports;
    bool allocates_groups; /* nothing is allocated unless there is room for `width` slots */
    enum unlaminates unlaminates;
    bool move_elimination; /* of general registers */
    bool vector_move_elimination;
    uint8_t div32_uops;  /* slots of DIV and IDIV of up to 32 bits */
    uint8_t div64_uops;  /* slots of DIV of 64 bits */
    uint8_t idiv64_uops; /* slots of IDIV of 64 bits */
    uint8_t assist_uops; /* microcode slots of a floating-point assist; 0: no assists */
    /* POPCNT, or LZCNT and TZCNT, wait for the register that they overwrite. */
    bool popcnt_waits, lzcnt_waits;
    /* Slots of a shift by CL. 0: two, and the second alone needs what is shifted; or a third one
     * that merges the flags in. */
    uint8_t shift_cl_uops;
    bool shift_cl_merges;
    uint8_t comis_uops; /* uops of COMISS and its like, the second waiting for the first; 0: one */
    uint8_t vzeroall_uops; /* slots of VZEROALL; 0: 12 */
    uint8_t carry_uops;    /* uops of ADC, SBB and CMOV, each waiting for the last; 0: one */
    uint8_t pmulld_uops;   /* uops of PMULLD, the second waiting for the first; 0: two */
    /* Instructions on wider vectors execute in parts of this size; 0: in one part. */
    uint16_t vector_bits;
    bool vector_parts_share_slot; /* all parts of an instruction are one slot */
    /* While upper halves of vector registers are in use, an SSE instruction takes one more uop,
     * which keeps the upper half of its destination. */
    bool blends_upper;
    uint16_t mfence_latency; /* cycles for which MFENCE holds the allocator when all before it is
                                done */
    uint16_t pause_latency;  /* cycles for which PAUSE holds the allocator */
    struct uop_class classes[CLASS_COUNT];

    /* loads and stores */
    /* Cycles less for a load that hits L1 and addresses by one register, which a load wrote, and a
     * displacement below 2048. */
    uint8_t simple_load_saves;
    bool wide_accesses_twice; /* an access of 256 bits keeps its port for two cycles */
    uint8_t forward_latency;  /* from a store to a load to which it forwards */
    /* The result of a load that reads exactly what a store in the store buffer wrote, by a register
     * each, is the stored register, without waiting for memory. */
    bool memory_renaming;
    uint8_t forward_blocked; /* from a store to a load that overlaps it, without forwarding */
    uint8_t lock_penalty;    /* added to the load of a locked instruction */
    /* Added to a load that begins while a store to the same offset of another 4 KiB page is in the
     * store buffer; 0: unknown. */
    uint8_t alias_penalty;
    uint8_t page_split_penalty; /* added to a load that crosses a 4 KiB boundary */
    uint8_t store_drain;        /* cycles between committed stores that hit L1 */
    bool store_pairs;           /* two stores in a row to one line are committed in one cycle */

    /* memory */
    struct cache_geometry l1d, l2;
    uint8_t superqueue;       /* lines in flight to L2, demand and prefetch; 0: no limit */
    uint8_t prefetch_flights; /* of these, for L2's prefetchers; 0: PREFETCH_FLIGHTS */
    /* Lines by which L2's stream prefetcher runs ahead of the accesses, within their page; 0: it
     * has none. */
    uint8_t stream_ahead;
    bool adjacent_line;           /* a miss of L2 also fetches the other line of its aligned pair */
    bool next_line_l1, stride_l1; /* L1's prefetchers */
    struct cache_geometry l3_slice; /* of one core; the shared cache has one slice for each core */
    bool l3_core_clock; /* it runs at the cores' clock; else what lies beyond L2 has its own, and
                           its latencies here are cycles of the clock that the core has at first */
    bool l3_inclusive;
    /* Of an L3 that is not inclusive: a clean line that leaves L2 goes to L3 only if it is expected
     * to be used again. Otherwise every line goes there. */
    bool l3_if_reused;
    uint16_t shared_latency;    /* load-to-use, the line clean in one other core; 0: as L3 */
    uint16_t contested_latency; /* load-to-use, the line modified in another core; 0: as L3 */
    uint16_t memory_latency;    /* load-to-use, all levels missed */
    /* The same two in another package; 0: as that package's memory. */
    uint16_t far_shared_latency, far_contested_latency;
    uint16_t memory_interval; /* core cycles, at the first clock, between two lines from memory */
    struct tlb_geometry dtlb, stlb; /* stlb.entries_4k serve both page sizes if entries_2m is 0 */
    uint8_t stlb_latency;           /* added by a hit in the second-level TLB */
    uint16_t walk_latency;          /* added by a page walk whose entries are in the caches */
    uint8_t walkers;

    /* the figures of each mechanism by its name (mechanism_rules.h) */
#define MECHANISM(name) struct name##_figures name;
#include "mechanisms.inc"
#undef MECHANISM
};

#endif
