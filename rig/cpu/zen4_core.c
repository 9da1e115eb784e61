/* Zen 4: the pipeline.
 *
 * Sources, all public. [S]: AMD, "Software Optimization Guide for the AMD Zen4 Microarchitecture",
 * publication 57647. [F]: Agner Fog, "The microarchitecture of Intel, AMD and VIA CPUs" and
 * "Instruction tables", Zen 4. [U]: uops.info, Zen 4. [I]: InstLatx64,
 * AuthenticAMD0A10F11_K19_Genoa_01_InstLatX64 (measured). [guess]: not published; of the right
 * order of magnitude. Ports 0 to 3 are the arithmetic units, 4 to 6 the address units, 7 the second
 * branch unit, 8 to 11 the vector pipes, 12 and 13 the two store data paths. */
#include "core/parameters.h"

#define ALU_PORTS    (PORT(0) | PORT(1) | PORT(2) | PORT(3))
#define VECTOR_PORTS (PORT(8) | PORT(9) | PORT(10) | PORT(11))

/* clang-format off */
const struct model_parameters zen4_core = {
    .name = "zen4",

    .width = 6,              /* [S] dispatch of macro-ops */
    .retire_width = 8,       /* [S] */
    .decoders = 4,           /* [S] */
    .decode_uops = 4,        /* [S] */
    .fetch_bytes = 32,       /* [S] */
    .dsb_uops = 9,           /* [S] */
    .dsb_line_uops = 9,      /* [S] 6.75K ops in 64 sets of 12 ways */
    .dsb_lines_window = 12,  /* [guess] */
    .dsb_window = 64,        /* [S] */
    .dsb_sets = 64,          /* [S] */
    .dsb_ways = 12,          /* [S] */
    .ms_uops = 4,            /* [guess] */
    .ms_switch = 2,          /* [guess] */
    .dsb_to_mite = 2,        /* [guess] */
    .lcp_stall = 0,          /* [F] */
    .idq = 72,               /* [guess] */
    .l1i = {32 * 1024, 8, 4},                  /* [S]; latency [guess] */
    .itlb = {64, 64, 64, 64},                  /* [S] 64 entries, fully associative */

    .btb_sets = 1024,        /* [S] 7K entries in the second level */
    .btb_ways = 7,           /* [guess] how the entries are arranged */
    .btb_miss_resteer = 8,   /* [guess] */
    .return_stack = 32,      /* [S] */
    .history_bits = 64,      /* [guess] */
    .recovery = 4,           /* [guess] */
    .resteer = 13,           /* [S] 11 to 18 cycles, 13 in the common case */
    .clear_recovery = 60,    /* [guess] */
    .clear_resteer = 72,     /* [guess] */

    .rob = 320,              /* [S] */
    .scheduler = 160,        /* [S] 4 of 24 and 2 of 32 */
    .load_buffer = 88,       /* [F] */
    .store_buffer = 64,      /* [S] */
    .fill_buffers = 24,      /* [S] outstanding misses of L1D */
    .ports = 14,             /* see above */
    .move_elimination = true,/* [S] */
    .vector_move_elimination = true,/* [S] */
    .div32_uops = 2,         /* [U] */
    .div64_uops = 2,         /* [U] */
    .idiv64_uops = 2,        /* [U] */
    .pmulld_uops = 1,        /* [U] */
    .vector_bits = 256,      /* [S] wider vectors take two turns */
    .vector_parts_share_slot = true,/* [S] as one op */
    .pause_latency = 64,     /* [F] about */

    /* [U] and [S] */
    .classes = {
        [CLASS_ALU] = {ALU_PORTS, 1, 1},
        [CLASS_SHIFT] = {PORT(1) | PORT(2), 1, 1},
        [CLASS_SLOW_LEA] = {ALU_PORTS, 2, 1},
        [CLASS_MUL] = {PORT(1), 3, 1},
        [CLASS_MUL_HIGH] = {PORT(1), 1, 1},
        [CLASS_BIT] = {ALU_PORTS, 1, 1},
        [CLASS_DIV32] = {PORT(2), 10, 6},
        [CLASS_DIV64] = {PORT(2), 11, 7},
        [CLASS_BRANCH] = {PORT(0) | PORT(7), 1, 1},
        [CLASS_BRANCH_TAKEN] = {PORT(7), 1, 1},
        [CLASS_LOAD] = {PORT(4) | PORT(5) | PORT(6), 4, 1},
        [CLASS_STORE_ADDRESS] = {PORT(4) | PORT(5) | PORT(6), 1, 1},
        [CLASS_STORE_DATA] = {PORT(12) | PORT(13), 1, 1},
        [CLASS_VECTOR_ALU] = {VECTOR_PORTS, 1, 1},
        [CLASS_VECTOR_SHUFFLE] = {PORT(9) | PORT(10), 1, 1},
        [CLASS_VECTOR_MUL] = {PORT(8) | PORT(11), 3, 1},
        [CLASS_FP_ADD] = {PORT(10) | PORT(11), 3, 1},
        [CLASS_FP_COMPARE] = {PORT(10) | PORT(11), 2, 1}, /* [I] */
        [CLASS_FP_MUL] = {PORT(8) | PORT(9), 3, 1},
        [CLASS_FMA] = {PORT(8) | PORT(9), 4, 1},
        [CLASS_FP_DIV_SINGLE] = {PORT(9), 10, 3},
        [CLASS_FP_DIV_DOUBLE] = {PORT(9), 13, 5},
        [CLASS_FP_DIV_SINGLE_256] = {PORT(9), 10, 6},  /* [F] */
        [CLASS_FP_DIV_DOUBLE_256] = {PORT(9), 13, 10}, /* [F] */
        [CLASS_FP_CONVERT] = {PORT(10) | PORT(11), 4, 1},
        [CLASS_TO_VECTOR] = {PORT(10) | PORT(11), 1, 1},
        [CLASS_FROM_VECTOR] = {PORT(10), 1, 1},
        [CLASS_X87] = {PORT(8) | PORT(10), 6, 1},
        [CLASS_MICROCODE] = {ALU_PORTS, 1, 1},
        [CLASS_NONE] = {0, 0, 0},
    },
    .forward_latency = 7,    /* [F] when the address is not predicted */
    .forward_blocked = 17,   /* [guess] */
    .store_drain = 1,        /* [S] */
    .l1d = {32 * 1024, 8, 4},                  /* [S] */
    .l2 = {1024 * 1024, 8, 14},                /* [S] */
    .l3_slice = {4 * 1024 * 1024, 16, 50},     /* [S] 32 MiB for eight cores */
    .memory_latency = 360,   /* [guess] about 105 ns */
    .memory_interval = 3,    /* [guess] a few cores' share of twelve DDR5 channels */
    .dtlb = {72, 72, 72, 72},                  /* [S] 72 entries, fully associative */
    .stlb = {3072, 12, 0, 0},                  /* [S] 3072 entries; ways [guess] */
    .stlb_latency = 7,       /* [S] */
    .walk_latency = 24,      /* [guess] */
    .walkers = 6,            /* [S] */
};
/* clang-format on */
