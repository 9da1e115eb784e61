/* Ivy Bridge: the pipeline.
 *
 * Sources, all public. [O]: Intel 64 and IA-32 Architectures Optimization Reference Manual, "Intel
 * Microarchitecture Code Name Sandy Bridge" and what it says of Ivy Bridge.
 * [F]: Agner Fog, "The microarchitecture of Intel, AMD and VIA CPUs" and "Instruction tables",
 * Ivy Bridge. [U]: uops.info, Ivy Bridge. [C]: A. Abel, J. Reineke, "uiCA" (measured). [I]:
 * InstLatx64, GenuineIntel00306A9_IvyBridge_MemLatX64 (measured). What is marked [guess] is not
 * published; it was chosen as a round figure of the right size.
 * [T]: Intel's Topdown metrics, Mem_XSNP_Hit_Cost and Mem_XSNP_HitM_Cost, and those of assists. */
#include "core/parameters.h"

#define P(n)      (1u << (n))
#define ALU_PORTS (P(0) | P(1) | P(5))

/* clang-format off */
const struct model_parameters ivybridge_core = {
    .name = "ivybridge",

    .width = 4,              /* [O] */
    .retire_width = 4,       /* [O] */
    .decoders = 4,           /* [O] one complex, three simple */
    .decode_uops = 4,        /* [C] */
    .fetch_bytes = 16,       /* [O] */
    .dsb_uops = 4,           /* [O] */
    .dsb_line_uops = 6,      /* [O] "Decoded ICache" */
    .dsb_lines_window = 3,   /* [O] */
    .dsb_window = 32,        /* [O] */
    .dsb_sets = 32,          /* [O] 1536 uops */
    .dsb_ways = 8,           /* [O] */
    .ms_uops = 4,            /* [F] */
    .ms_switch = 4,          /* [C] */
    .dsb_to_mite = 2,        /* [guess] as Skylake */
    .lcp_stall = 3,          /* [O] "Length-Changing Prefixes" */
    .idq = 56,               /* [O] both threads' share, as one thread has it */
    .loop_uops = 28,         /* [O] a thread "Loop Stream Detector" */
    .l1i = {32 * 1024, 8, 5},                  /* [O]; latency [guess] */
    .itlb = {128, 4, 8, 8},                    /* [O] */

    .btb_sets = 1024,        /* [guess] 4096 entries */
    .btb_ways = 4,           /* [guess] how the entries are arranged */
    .btb_miss_resteer = 8,   /* [guess] decode corrects the fetch */
    .return_stack = 16,      /* [F] */
    .history_bits = 32,      /* [guess] */
    .recovery = 6,           /* [guess] */
    .resteer = 15,           /* [F] */
    .clear_recovery = 70,    /* [guess] */
    .clear_resteer = 84,     /* [guess] */
    .heavy_is_microcode = true, /* the published formula takes all that the sequencer delivers */
    .few_uops_are_light = true, /* and nothing else: "heavy" has no other child in its tree */

    .rob = 168,              /* [O] */
    .scheduler = 54,         /* [O] */
    .load_buffer = 64,       /* [O] */
    .store_buffer = 36,      /* [O] */
    .fill_buffers = 10,      /* [O] */
    .ports = 6,              /* [O] */
    .move_elimination = true,        /* [O] */
    .vector_move_elimination = true, /* [O] */
    .div32_uops = 10,        /* [U] */
    .div64_uops = 36,        /* [U] */
    .idiv64_uops = 59,       /* [U] */
    .carry_uops = 2,         /* [F] */
    .pmulld_uops = 1,        /* [U] */
    .assist_uops = 66,       /* [T] the average of all assists, Avg_Assist_Cost */
    .pause_latency = 9,      /* [O] "Pause Latency in Skylake Client ...": about 10 before */

    /* [U]. Divisions take longer for large quotients than is said here. */
    .classes = {
        [CLASS_ALU] = {ALU_PORTS, 1, 1},
        [CLASS_LEA] = {P(1) | P(5), 1, 1},
        [CLASS_SHIFT] = {P(0) | P(5), 1, 1},
        [CLASS_SLOW_LEA] = {P(1), 3, 1},
        [CLASS_MUL] = {P(1), 3, 1},
        [CLASS_MUL_HIGH] = {P(0), 1, 1},
        [CLASS_BIT] = {P(1), 3, 1},
        [CLASS_DIV32] = {P(0), 22, 9},
        [CLASS_DIV64] = {P(0), 40, 24},
        [CLASS_BRANCH] = {P(5), 1, 1},
        [CLASS_BRANCH_TAKEN] = {P(5), 1, 1},
        [CLASS_LOAD] = {P(2) | P(3), 5, 1},
        [CLASS_STORE_ADDRESS] = {P(2) | P(3), 1, 1},
        [CLASS_STORE_DATA] = {P(4), 1, 1},
        [CLASS_VECTOR_ALU] = {P(1) | P(5), 1, 1},
        [CLASS_VECTOR_SHUFFLE] = {P(1) | P(5), 1, 1},
        [CLASS_VECTOR_LANES] = {P(5), 2, 1}, /* [F] */
        [CLASS_VECTOR_MUL] = {P(0), 5, 1},
        [CLASS_FP_ADD] = {P(1), 3, 1},
        [CLASS_FP_MUL] = {P(0), 5, 1},
        [CLASS_FP_DIV_SINGLE] = {P(0), 11, 7},
        [CLASS_FP_DIV_DOUBLE] = {P(0), 15, 8},
        [CLASS_FP_CONVERT] = {P(1), 4, 1},
        [CLASS_TO_VECTOR] = {P(5), 1, 1},
        [CLASS_FROM_VECTOR] = {P(0), 2, 1},
        [CLASS_X87] = {P(0) | P(1), 4, 1},
        [CLASS_MICROCODE] = {ALU_PORTS, 1, 1},
        [CLASS_NONE] = {0, 0, 0},
    },
    .forward_latency = 5,    /* [F] */
    .forward_blocked = 13,   /* [F] */
    .alias_penalty = 5,      /* Intel's event list for Sandy Bridge, LD_BLOCKS_PARTIAL.ADDRESS_ALIAS */
    .page_split_penalty = 100, /* [O] what "Skylake Client Microarchitecture" says it was before */
    .split_registers = 8,    /* [guess] that there are few is published, how many is not */
    .store_drain = 1,        /* [O] */
    .l1d = {32 * 1024, 8, 5},                  /* [O] */
    .simple_load_saves = 1,  /* [O] 4 cycles by base and displacement below 2048 */
    .l2 = {256 * 1024, 8, 12},                 /* [O] */
    .superqueue = 16,        /* Nehalem has 16 (M. Thomadakis); [guess] that it is so here */
    .stream_ahead = 20,      /* [O] "Data Prefetching" */
    .adjacent_line = true,   /* [O] */
    .next_line_l1 = true,    /* [O] "Data Prefetching" */
    .stride_l1 = true,       /* [O] */
    .l3_slice = {2048 * 1024, 16, 30},         /* [O] 8 MiB for four cores; latency [F] */
    .l3_inclusive = true,    /* [O] */
    .shared_latency = 43,    /* [T] */
    .contested_latency = 60,
    .memory_latency = 246,   /* [I] 66.4 ns at 3.51 GHz, here at 3.7 GHz */
    .memory_interval = 9,    /* [guess] two channels of DDR3-1600 */
    .dtlb = {64, 4, 32, 4},                    /* [O] */
    .stlb = {512, 4, 0, 0},                    /* [O] 4 KiB pages only; here both sizes */
    .stlb_latency = 7,       /* [O] */
    .walk_latency = 22,      /* [guess] its tables in the caches */
    .walkers = 1,            /* [O] */
};
/* clang-format on */
