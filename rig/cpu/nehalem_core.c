/* Nehalem: the pipeline.
 *
 * Sources, all public. [O]: Intel 64 and IA-32 Architectures Optimization Reference Manual, "Intel
 * Microarchitecture Code Name Nehalem". [F]: Agner Fog, "The microarchitecture of Intel, AMD and
 * VIA CPUs" and "Instruction tables", Nehalem. [U]: uops.info, Nehalem. [I]: InstLatx64,
 * GenuineIntel00106E5_Lynnfield_InstLatX64 and GenuineIntel00106A4_Bloomfield_MemLatX86 (measured).
 * A figure marked [guess] is not published; it is a round figure of the right order of magnitude.
 * There is no uop cache: its sets hold nothing. [L]: D. Levinthal, "Performance Analysis Guide for
 * Intel Core i7 Processor and Intel Xeon 5500 Processors". */
#include "core/parameters.h"

#define ALU_PORTS (PORT(0) | PORT(1) | PORT(5))

/* clang-format off */
const struct model_parameters nehalem_core = {
    .name = "nehalem",

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
    .idq = 28,               /* [O] */
    .loop_uops = 28,         /* [O] "Loop Stream Detector" */
    .l1i = {32 * 1024, 4, 4},                  /* [O]; latency [guess] */
    .itlb = {128, 4, 7, 7},                    /* [O] a thread */

    .btb_sets = 1024,        /* [guess] 4096 entries */
    .btb_ways = 4,           /* [guess] how the entries are arranged */
    .btb_miss_resteer = 8,   /* [guess] decode corrects the fetch */
    .return_stack = 16,      /* [O] */
    .history_bits = 18,      /* [F] */
    .recovery = 6,           /* [guess] */
    .resteer = 15,           /* [F] 17 in all: the branch and the first decode are the rest */
    .clear_recovery = 65,    /* [guess] */
    .clear_resteer = 80,     /* [guess] */

    .rob = 128,              /* [O] */
    .scheduler = 36,         /* [O] */
    .load_buffer = 48,       /* [O] */
    .store_buffer = 32,      /* [O] */
    .fill_buffers = 10,      /* [O] */
    .ports = 6,              /* [O] */
    .div32_uops = 7,         /* [U] */
    .div64_uops = 34,        /* [U] */
    .idiv64_uops = 59,       /* [U] */
    .assist_uops = 66,       /* [guess] as Ivy Bridge */
    .carry_uops = 2,         /* [F] */
    .pause_latency = 9,      /* [O] "Pause Latency in Skylake Client ...": about 10 before */

    /* [F], [U]. Divisions with large quotients take longer than these figures. */
    .classes = {
        [CLASS_ALU] = {ALU_PORTS, 1, 1},
        [CLASS_LEA] = {PORT(1), 1, 1},
        [CLASS_SHIFT] = {PORT(0) | PORT(5), 1, 1},
        [CLASS_SLOW_LEA] = {PORT(1), 1, 1},
        [CLASS_MUL] = {PORT(1), 3, 1},
        [CLASS_MUL_HIGH] = {PORT(0), 1, 1},
        [CLASS_BIT] = {PORT(1), 3, 1},
        [CLASS_DIV32] = {PORT(0), 21, 11}, /* [I] 21.5 */
        [CLASS_DIV64] = {PORT(0), 37, 24},
        [CLASS_BRANCH] = {PORT(5), 1, 1},
        [CLASS_BRANCH_TAKEN] = {PORT(5), 1, 1},
        [CLASS_LOAD] = {PORT(2), 4, 1},
        [CLASS_STORE_ADDRESS] = {PORT(3), 1, 1},
        [CLASS_STORE_DATA] = {PORT(4), 1, 1},
        [CLASS_VECTOR_ALU] = {ALU_PORTS, 1, 1},
        [CLASS_VECTOR_SHUFFLE] = {PORT(0) | PORT(5), 1, 1},
        [CLASS_VECTOR_MUL] = {PORT(1), 3, 1},
        [CLASS_FP_ADD] = {PORT(1), 3, 1},
        [CLASS_FP_MUL] = {PORT(0), 5, 1}, /* [F] MULPD; MULPS takes 4 */
        [CLASS_FP_DIV_SINGLE] = {PORT(0), 10, 7},
        [CLASS_FP_DIV_DOUBLE] = {PORT(0), 15, 14},
        [CLASS_FP_CONVERT] = {PORT(1), 4, 1},
        [CLASS_TO_VECTOR] = {ALU_PORTS, 1, 1},
        [CLASS_FROM_VECTOR] = {PORT(0), 1, 1},
        [CLASS_X87] = {PORT(0) | PORT(1), 4, 1},
        [CLASS_MICROCODE] = {ALU_PORTS, 1, 1},
        [CLASS_NONE] = {0, 0, 0},
    },
    .forward_latency = 5,    /* [F] */
    .forward_blocked = 12,   /* [F] */
    .alias_penalty = 5,      /* [guess] as Sandy Bridge */
    .store_drain = 1,        /* [O] */
    .l1d = {32 * 1024, 8, 4},                  /* [O] */
    .l2 = {256 * 1024, 8, 10},                 /* [O] */
    .stream_ahead = 20,      /* [O] "Data Prefetching" */
    .adjacent_line = true,   /* [O] */
    .next_line_l1 = true,    /* [O] "Data Prefetching" */
    .stride_l1 = true,       /* [O] */
    .l3_slice = {2048 * 1024, 16, 38},         /* [O] 8 MiB for four cores; 35 to 40 cycles */
    .l3_inclusive = true,    /* [O] */
    .shared_latency = 65,    /* [L] */
    .contested_latency = 75, /* [L] */
    .memory_latency = 210,   /* [I] 68.5 ns at 3.21 GHz, here at 3.06 GHz */
    .memory_interval = 6,    /* [guess] three channels of DDR3-1333 */
    .dtlb = {64, 4, 32, 4},                    /* [O] */
    .stlb = {512, 4, 0, 0},                    /* [O] 4 KiB pages only; here both sizes */
    .stlb_latency = 7,       /* [O] */
    .walk_latency = 20,      /* [guess] with its tables in the caches */
    .walkers = 1,            /* [guess] */
};
/* clang-format on */
