/* Prescott with EM64T: the pipeline.
 *
 * Sources, all public. [O]: Intel 64 and IA-32 Architectures Optimization Reference Manual, "Intel
 * NetBurst Microarchitecture" and its tables of latencies for models 3 and later. [F]: Agner Fog,
 * "The microarchitecture of Intel, AMD and VIA CPUs" and "Instruction tables", Pentium 4 with EM64T
 * (Prescott). [I]: InstLatx64, GenuineIntel0000F43_P4_Prescott_InstLatX86 and _NewMemLat
 * (measured). [guess]: not published; of the right order of magnitude. The model's uop cache plays
 * the trace cache, but holds code by address, not by trace; the part has no first-level instruction
 * cache behind it. Each of the two fast arithmetic units begins two uops a cycle: ports 4 and 5 are
 * their second halves. */
#include "core/parameters.h"

#define FAST_PORTS (PORT(0) | PORT(1) | PORT(4) | PORT(5))

/* clang-format off */
const struct model_parameters prescott_core = {
    .name = "prescott",

    .width = 3,              /* [O] */
    .retire_width = 3,       /* [O] */
    .cancelled_retire = true, /* SDM 3B, uops_retired: it counts bogus uops, too */
    .decoders = 1,           /* [O] one instruction a cycle */
    .decode_uops = 4,        /* [O] */
    .fetch_bytes = 16,       /* [guess] */
    .trace_cache = true,
    .dsb_uops = 3,           /* [O] three a cycle out of the trace cache */
    .dsb_line_uops = 6,      /* [O] */
    .dsb_lines_window = 8,   /* [guess] a trace has no window */
    .dsb_window = 32,        /* [guess] */
    .dsb_sets = 256,         /* [O] 12K uops, 8 ways */
    .dsb_ways = 8,           /* [O] */
    .ms_uops = 3,            /* [F] */
    .ms_switch = 4,          /* [guess] */
    .dsb_to_mite = 4,        /* [guess] */
    .lcp_stall = 0,          /* [F] prefixes cost nothing once they are in the trace cache */
    .idq = 32,               /* [guess] */
    .l1i = {2 * 1024, 4, 8},                   /* [guess] the buffers that stream code from L2 */
    .itlb = {128, 4, 128, 4},                  /* [O] 128 entries */

    .btb_sets = 1024,        /* [O] 4096 entries */
    .btb_ways = 4,           /* [guess] how the entries are arranged */
    .btb_miss_resteer = 20,  /* [guess] decode corrects the fetch */
    .return_stack = 16,      /* [F] */
    .history_bits = 16,      /* [F] */
    .recovery = 12,          /* [guess] */
    .resteer = 30,           /* [F] the pipeline has 31 stages; at least 24 cycles, often more */
    .clear_recovery = 100,   /* [guess] */
    .clear_resteer = 120,    /* [guess] */

    .rob = 126,              /* [O] uops in flight */
    .scheduler = 46,         /* [F] */
    .load_buffer = 48,       /* [O] */
    .store_buffer = 32,      /* [O] */
    .fill_buffers = 8,       /* [O] */
    .ports = 6,              /* see above */
    .div32_uops = 20,        /* [F] */
    .div64_uops = 31,        /* [F] */
    .idiv64_uops = 31,       /* [guess] as DIV */
    .pause_latency = 43,     /* [F] */

    /* [F] and [O]; X87 has the figures of additions. */
    .classes = {
        [CLASS_ALU] = {FAST_PORTS, 1, 1},
        [CLASS_SHIFT] = {PORT(1), 1, 1},
        [CLASS_SLOW_LEA] = {PORT(1), 3, 1},
        [CLASS_MUL] = {PORT(1), 10, 1},
        [CLASS_MUL_HIGH] = {PORT(1), 1, 1},
        [CLASS_BIT] = {PORT(1), 16, 2},
        [CLASS_DIV32] = {PORT(1), 76, 34},      /* [I] 79 if signed */
        [CLASS_DIV64] = {PORT(1), 161, 161},
        [CLASS_BRANCH] = {PORT(0), 1, 1},
        [CLASS_BRANCH_TAKEN] = {PORT(0), 1, 1},
        [CLASS_LOAD] = {PORT(2), 4, 1},
        [CLASS_STORE_ADDRESS] = {PORT(3), 2, 1},
        [CLASS_STORE_DATA] = {PORT(0), 1, 1},
        [CLASS_VECTOR_ALU] = {PORT(1), 2, 2},
        [CLASS_VECTOR_SHUFFLE] = {PORT(1), 4, 2},
        [CLASS_VECTOR_MUL] = {PORT(1), 7, 2},
        [CLASS_FP_ADD] = {PORT(1), 5, 2},
        [CLASS_FP_MUL] = {PORT(1), 7, 2},
        [CLASS_FP_DIV_SINGLE] = {PORT(1), 32, 32},
        [CLASS_FP_DIV_DOUBLE] = {PORT(1), 40, 40},
        [CLASS_FP_DIV_PACKED] = {PORT(1), 71, 71}, /* [I] */
        [CLASS_FP_CONVERT] = {PORT(1), 5, 2},
        [CLASS_TO_VECTOR] = {PORT(1), 6, 2},
        [CLASS_FROM_VECTOR] = {PORT(0), 7, 1},
        [CLASS_X87] = {PORT(1), 6, 1},
        [CLASS_MICROCODE] = {FAST_PORTS, 1, 1},
        [CLASS_NONE] = {0, 0, 0},
    },
    .forward_latency = 6,    /* [I] 6.3 with the store; 5.1 by PUSH and POP */
    .forward_blocked = 50,   /* [F] about */
    .store_drain = 2,        /* [I] 1.83 */
    .l1d = {16 * 1024, 8, 4},                  /* [O] integers */
    .l2 = {1024 * 1024, 8, 28},                /* [O]; latency [F] [I] */
    .l3_slice = {0, 0, 0},                     /* [O] none */
    .memory_latency = 346,   /* [I] 108 ns at 3.2 GHz, "Page_Random", stride 256 bytes */
    .memory_interval = 32,   /* [O] 6.4 GB/s over the front-side bus */
    .dtlb = {64, 64, 64, 64},                  /* [O] 64 entries, fully associative */
    .stlb = {0, 0, 0, 0},                      /* [O] none */
    .walk_latency = 55,      /* [guess] */
    .walkers = 1,            /* [guess] */
};
/* clang-format on */
