/* Alder Lake, E core (Gracemont): the pipeline.
 *
 * Sources, all public. [O]: Intel 64 and IA-32 Architectures Optimization Reference Manual,
 * "Gracemont Microarchitecture". [U]: uops.info, Alder Lake E. [W]: Chips and Cheese, "Gracemont"
 * (measured). [I]: InstLatx64, GenuineIntel0090672_AlderLake_LC_InstLatX64 and _NewMemLat
 * (measured). A figure marked [guess] is not published; it is a round figure of the right order of
 * magnitude. There is no uop cache: its sets hold nothing. The two clusters of three decoders are
 * modelled as one of six. The part has 17 ports; the model has 15, with two ports for the store
 * data of both register files, not four. */
#include "core/parameters.h"

#define ALU_PORTS  (PORT(0) | PORT(1) | PORT(2) | PORT(3))
#define JUMP_PORTS (PORT(4) | PORT(5))
#define FP_PORTS   (PORT(12) | PORT(13) | PORT(14))

/* clang-format off */
const struct model_parameters alderlake_e_core = {
    .name = "alderlake_e",

    .width = 5,              /* [O] */
    .retire_width = 8,       /* [O] */
    .decoders = 6,           /* [O] */
    .decode_uops = 6,        /* [O] */
    .fetch_bytes = 32,       /* [O] 16 for each cluster */
    .dsb_window = 64,        /* no uop cache */
    .dsb_sets = 1,           /* no uop cache */
    .ms_uops = 4,            /* [guess] */
    .ms_switch = 2,          /* [guess] */
    .lcp_stall = 3,          /* [guess] */
    .idq = 64,               /* [guess] two queues of 32 */
    .l1i = {64 * 1024, 8, 4},                  /* [O]; latency [guess] */
    .itlb = {64, 64, 8, 8},                    /* [O]; the large pages [guess] */

    .btb_sets = 1024,        /* 5120 entries: [O] */
    .btb_ways = 5,           /* [guess] how the entries are arranged */
    .btb_miss_resteer = 8,   /* [guess] decode corrects the fetch */
    .return_stack = 16,      /* [guess] */
    .history_bits = 64,      /* [guess] */
    .recovery = 5,           /* [guess] */
    .refill_is_bad = true,   /* event list: TOPDOWN_BAD_SPECULATION.ALL */
    .resteer = 14,           /* [W] */
    .clear_recovery = 60,    /* [guess] */
    .clear_resteer = 74,     /* [guess] */

    .rob = 256,              /* [O] */
    .scheduler = 140,        /* [W] all schedulers together */
    .load_buffer = 80,       /* [W] */
    .store_buffer = 50,      /* [W] */
    .fill_buffers = 16,      /* [guess] */
    .ports = 15,             /* see above */
    .move_elimination = true,        /* [U] */
    .vector_move_elimination = true, /* [U] */
    .div32_uops = 4,         /* [guess] */
    .div64_uops = 4,         /* [guess] */
    .idiv64_uops = 4,        /* [guess] */
    .vector_bits = 128,      /* [O] wider vectors are two uops */
    .pause_latency = 62,     /* [guess] */

    /* [U], except X87, one class for additions and multiplications. */
    .classes = {
        [CLASS_ALU] = {ALU_PORTS, 1, 1},
        [CLASS_SHIFT] = {PORT(0) | PORT(1), 1, 1},
        [CLASS_SLOW_LEA] = {PORT(1) | PORT(2), 2, 1},
        [CLASS_MUL] = {PORT(1), 3, 1},
        [CLASS_MUL64] = {PORT(1), 5, 1}, /* [I] */
        [CLASS_MUL_HIGH] = {PORT(1), 1, 1},
        [CLASS_BIT] = {PORT(1), 3, 1},
        [CLASS_DIV32] = {PORT(0), 11, 6}, /* [I], both; longer for large quotients */
        [CLASS_DIV64] = {PORT(0), 11, 6},
        [CLASS_BRANCH] = {JUMP_PORTS, 1, 1},
        [CLASS_BRANCH_TAKEN] = {JUMP_PORTS, 1, 1},
        [CLASS_LOAD] = {PORT(6) | PORT(7), 3, 1},
        [CLASS_STORE_ADDRESS] = {PORT(8) | PORT(9), 1, 1},
        [CLASS_STORE_DATA] = {PORT(10) | PORT(11), 1, 1},
        [CLASS_VECTOR_ALU] = {FP_PORTS, 1, 1},
        [CLASS_VECTOR_SHUFFLE] = {PORT(12) | PORT(13), 1, 1},
        [CLASS_VECTOR_MUL] = {PORT(12), 4, 1},
        [CLASS_FP_ADD] = {PORT(12) | PORT(13), 3, 1},
        [CLASS_FP_MUL] = {PORT(12) | PORT(13), 4, 1},
        [CLASS_FMA] = {PORT(12) | PORT(13), 6, 1},
        [CLASS_FP_DIV_SINGLE] = {PORT(12), 13, 5},
        [CLASS_FP_DIV_DOUBLE] = {PORT(12), 15, 8},
        [CLASS_FP_CONVERT] = {PORT(12) | PORT(13), 4, 1},
        [CLASS_TO_VECTOR] = {PORT(10) | PORT(11), 3, 1},
        [CLASS_FROM_VECTOR] = {PORT(12), 3, 1},
        [CLASS_X87] = {PORT(12), 5, 1},
        [CLASS_MICROCODE] = {ALU_PORTS, 1, 1},
        [CLASS_NONE] = {0, 0, 0},
    },
    .forward_latency = 5,    /* [guess] */
    .memory_renaming = true, /* [I] a MOV to memory and back in half a cycle */
    .forward_blocked = 13,   /* [guess] */
    .store_drain = 1,        /* [O] */
    .store_pairs = true,     /* [W] two stores a cycle, to one line */
    .l1d = {32 * 1024, 8, 3},                  /* [W] [I] */
    .l2 = {2048 * 1024, 16, 17},               /* [O]; latency [W] */
    .l3_slice = {3072 * 1024, 12, 79},         /* as the P core: one cache for all */
    .l3_inclusive = false,   /* as the P core */
    .shared_latency = 108,    /* as the P core */
    .contested_latency = 112,
    .stream_ahead = 20,      /* [guess] as the P core; there is no adjacent-line prefetcher */
    .next_line_l1 = true,    /* SDM 4: their switches, bits 2 and 3 of MSR_MISC_FEATURE_CONTROL */
    .stride_l1 = true,
    .memory_latency = 336,   /* as the P core; [I] 85.8 ns, here at 4.0 GHz */
    .memory_interval = 6,    /* [guess] two channels of DDR5-4800 */
    .dtlb = {32, 32, 8, 8},                    /* [O]; the large pages [guess] */
    .stlb = {2048, 4, 0, 0},                   /* [O] both sizes */
    .stlb_latency = 9,       /* [guess] */
    .walk_latency = 26,      /* [guess] with its tables in the caches */
    .walkers = 4,            /* [O] */
};
/* clang-format on */
