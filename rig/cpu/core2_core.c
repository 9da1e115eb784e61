/* Core 2 (Merom, 65 nm): the pipeline.
 *
 * Sources, all public. [O]: Intel 64 and IA-32 Architectures Optimization Reference Manual, "Intel
 * Core Microarchitecture". [F]: Agner Fog, "The microarchitecture of Intel, AMD and VIA CPUs" and
 * "Instruction tables", Core 2 (Merom). [I]: InstLatx64, GenuineIntel00006F6_Conroe_InstLatX64 and
 * _NewMemLat (measured). A figure marked [guess] is not published; it is a round figure of the
 * right order of magnitude. There is no uop cache: its sets hold nothing.
 *
 * The second level is one cache for two cores and the last. In the model it is the cache that all
 * cores share, 2 MiB for each, and there is no private second level. */
#include "core/parameters.h"

#define ALU_PORTS (PORT(0) | PORT(1) | PORT(5))

/* clang-format off */
const struct model_parameters core2_core = {
    .name = "core2",

    .width = 4,              /* [O] */
    .retire_width = 4,       /* [O] */
    .decoders = 4,           /* [O] one complex, three simple */
    .decode_uops = 7,        /* [O] 4-1-1-1 */
    .fetch_bytes = 16,       /* [O] */
    .stack_engine.present = true, /* [F] */
    .dsb_window = 32,        /* no uop cache */
    .dsb_sets = 1,           /* no uop cache */
    .ms_uops = 4,            /* [F] */
    .ms_switch = 2,          /* [guess] */
    .lcp_stall = 6,          /* [O] "Length-Changing Prefixes": added to the block's cycle */
    .lcp_block = true,       /* [I] ADD r16, imm16: 2.17 cycles, so 7 for each 16 bytes */
    .idq = 7,                /* [O] uops between the decoders and rename */
    .l1i = {32 * 1024, 8, 3},                  /* [O]; latency [guess] */
    .itlb = {128, 4, 8, 4},                    /* [O] */

    .btb_sets = 512,         /* 2048 entries: [F] */
    .btb_ways = 4,           /* [guess] how the entries are arranged */
    .btb_miss_resteer = 7,   /* [guess] decode corrects the fetch */
    .return_stack = 16,      /* [O] */
    .history_bits = 8,       /* [guess] */
    .recovery = 6,           /* [guess] */
    .resteer = 13,           /* [F] 15 in all: the branch and the first decode are the rest */
    .clear_recovery = 60,    /* [guess] */
    .clear_resteer = 74,     /* [guess] */

    .rob = 96,               /* [O] */
    .scheduler = 32,         /* [O] */
    .load_buffer = 32,       /* [O] */
    .store_buffer = 20,      /* [O] */
    .fill_buffers = 8,       /* [O] */
    .ports = 6,              /* [O] */
    .div32_uops = 7,         /* [F] */
    .div64_uops = 32,        /* [F] */
    .idiv64_uops = 56,       /* [F] */
    .assist_uops = 66,       /* [guess] as Ivy Bridge */
    .carry_uops = 2,         /* [F] */
    .pause_latency = 9,      /* [F] about 8 */

    /* [F]. Divisions with large quotients take longer than these figures. */
    .classes = {
        [CLASS_ALU] = {ALU_PORTS, 1, 1},
        [CLASS_LEA] = {PORT(0), 1, 1},
        [CLASS_SHIFT] = {PORT(0) | PORT(5), 1, 1},
        [CLASS_SLOW_LEA] = {PORT(0), 1, 1},
        [CLASS_MUL] = {PORT(1), 3, 1},
        [CLASS_MUL64] = {PORT(0), 5, 2}, /* [F] [I] */
        [CLASS_MUL_HIGH] = {PORT(5), 2, 1},
        [CLASS_BIT] = {PORT(1), 2, 1},
        [CLASS_DIV32] = {PORT(0), 18, 12}, /* [F]; [I] 17 */
        [CLASS_DIV64] = {PORT(0), 32, 24},
        [CLASS_BRANCH] = {PORT(5), 1, 1},
        [CLASS_BRANCH_TAKEN] = {PORT(5), 1, 1},
        [CLASS_LOAD] = {PORT(2), 3, 1},
        [CLASS_STORE_ADDRESS] = {PORT(3), 1, 1},
        [CLASS_STORE_DATA] = {PORT(4), 1, 1},
        [CLASS_VECTOR_ALU] = {ALU_PORTS, 1, 1},
        [CLASS_VECTOR_SHUFFLE] = {PORT(5), 1, 1},
        [CLASS_VECTOR_MUL] = {PORT(1), 3, 1},
        [CLASS_FP_ADD] = {PORT(1), 3, 1},
        [CLASS_FP_MUL] = {PORT(0), 5, 1},
        [CLASS_FP_DIV_SINGLE] = {PORT(0), 18, 17},
        [CLASS_FP_DIV_DOUBLE] = {PORT(0), 32, 31},
        [CLASS_FP_CONVERT] = {PORT(1), 4, 1},
        [CLASS_TO_VECTOR] = {PORT(0) | PORT(5), 2, 1},
        [CLASS_FROM_VECTOR] = {PORT(0), 2, 1},
        [CLASS_X87] = {PORT(0) | PORT(1), 4, 1},
        [CLASS_MICROCODE] = {ALU_PORTS, 1, 1},
        [CLASS_NONE] = {0, 0, 0},
    },
    .forward_latency = 5,    /* [F] */
    .forward_blocked = 12,   /* [F] */
    .alias_penalty = 5,      /* [guess] as Sandy Bridge */
    .store_drain = 1,        /* [O] */
    .l1d = {32 * 1024, 8, 3},                  /* [O] */
    .l3_slice = {2048 * 1024, 16, 14},         /* [O] half of the 4 MiB of a pair of cores */
    .l3_core_clock = true,   /* it is the L2 of both cores */
    .l3_inclusive = true,    /* [guess] */
    .memory_latency = 171,   /* [I] 80.4 ns at 2.94 GHz, here at 2.13 GHz */
    .memory_interval = 16,   /* [guess] a front-side bus of 1066 million transfers a second */
    .dtlb = {16, 4, 16, 4},                    /* [O] DTLB0, the small TLB of loads */
    .stlb = {256, 4, 32, 4},                   /* [O] DTLB1; here it also backs the ITLB */
    .stlb_latency = 2,       /* [O] */
    .walk_latency = 12,      /* [guess] with its tables in the caches */
    .walkers = 1,            /* [guess] */
};
/* clang-format on */
