/* Skylake-SP: the pipeline.
 *
 * Sources, all public. [O]: Intel 64 and IA-32 Architectures Optimization Reference Manual,
 * "Skylake Server Microarchitecture" and "Skylake Client Microarchitecture". [F]: Agner Fog, "The
 * microarchitecture of Intel, AMD and VIA CPUs", Skylake. [U]: uops.info, Skylake-X. [W]: WikiChip,
 * "Skylake (server)". [C]: A. Abel, J. Reineke, "uiCA" (measured). [A]: AnandTech, "Intel
 * Skylake-EP vs AMD EPYC 7000". [I]: InstLatx64, GenuineIntel0050654_SkylakeX2_NewMemLat
 * (measured). A figure marked [guess] is not published; it was chosen so that a sum is as measured
 * elsewhere, or it is a round figure of the right order of magnitude. [T]: Intel's Topdown metrics,
 * Mem_XSNP_Hit_Cost, Mem_XSNP_HitM_Cost, Mem_Remote_Fwd_Cost and Mem_Remote_HitM_Cost, and the
 * costs of assists. */
#include "core/parameters.h"

#define ALU_PORTS (PORT(0) | PORT(1) | PORT(5) | PORT(6))

/* clang-format off */
const struct model_parameters skylakex_core = {
    .name = "skylakex",

    .width = 4,              /* [O] allocation and rename */
    .retire_width = 4,       /* [O] a thread */
    .decoders = 4,           /* [C] one complex, three simple */
    .decode_uops = 5,        /* [O] legacy decode pipeline */
    .fetch_bytes = 16,       /* [O] */
    .stack_engine.present = true, /* [F] */
    .predecoded = 5,         /* [C] */
    .instruction_queue = 25, /* [C] */
    .first_decoder_rows = true, /* [U] */
    .dsb_uops = 6,           /* [O] */
    .dsb_line_uops = 6,      /* [O] "Decoded ICache" */
    .dsb_lines_window = 3,   /* [O] */
    .dsb_window = 32,        /* [O] */
    .dsb_sets = 32,          /* [O] 1536 uops */
    .dsb_ways = 8,           /* [O] */
    .ms_uops = 4,            /* [F] */
    .ms_switch = 2,          /* [C] */
    .dsb_to_mite = 2,        /* [O] up to two cycles */
    .jcc_erratum = true,     /* Intel 341810-001; its microcode has the update */
    .lcp_stall = 3,          /* [O] "Length-Changing Prefixes" */
    .idq = 64,               /* [O] a thread */
    .l1i = {32 * 1024, 8, 5},                  /* [O]; latency [guess] */
    .itlb = {128, 8, 8, 8},                    /* [O] */

    .btb_sets = 1024,        /* 4096 entries: [F] */
    .btb_ways = 4,           /* [guess] how the entries are arranged */
    .btb_miss_resteer = 8,   /* [guess] decode corrects the fetch */
    .return_stack = 16,      /* [F] */
    .history_bits = 64,      /* [guess] */
    .recovery = 6,           /* [guess] */
    .resteer = 16,           /* [F] a misprediction costs 15 to 20 cycles */
    .clear_recovery = 70,    /* [guess] a clear by self-modifying code costs some 100 cycles */
    .clear_resteer = 84,     /* [guess] */
    .clear_cycle_is_backend = false,/* as its published formulas say */
    .heavy_is_microcode = false,/* as its published formulas say */

    .rob = 224,              /* [O] */
    .scheduler = 97,         /* [O] */
    .load_buffer = 72,       /* [O] */
    .store_buffer = 56,      /* [O] */
    .fill_buffers = 12,      /* [W] */
    .ports = 8,              /* [O] */
    .binds_ports = BINDS_ALL, /* [C] */
    .allocates_groups = true, /* [C] */
    .unlaminates = UNLAMINATES_UNLESS_UPDATED, /* [U] */
    .move_elimination = true,/* [O] "Move Elimination" */
    .vector_move_elimination = true,/* [O] "Move Elimination" */
    .moves.slots = 4,        /* [C] */
    .moves.cycles = 2,       /* [C] */
    .moves.until_all = true, /* [C] */
    .blends_upper = true,    /* [O] "Mixing Intel AVX Code with Intel SSE Code" */
    .div32_uops = 10,        /* [U] */
    .div64_uops = 36,        /* [U] */
    .idiv64_uops = 57,       /* [U] */
    .high_bytes.apart = true, /* [C] */
    .popcnt_waits = true,    /* [U] */
    .shift_cl_merges = true, /* LLVM's schedule: three uops on ports 0 and 6 */
    .vzeroall_uops = 34,     /* [F] */
    .assist_uops = 34,       /* [T] tma_fp_assists */
    .mfence_latency = 29,    /* chosen so that MFENCE and two more take 38 cycles (BHive) */
    .pause_latency = 140,    /* [O] "Pause Latency in Skylake Client Microarchitecture" */

    /* [U], except X87, one class for additions (3 cycles) and multiplications (5). Divisions
     * with large quotients take longer than these figures. */
    .classes = {
        [CLASS_ALU] = {ALU_PORTS, 1, 1},
        [CLASS_SHIFT] = {PORT(0) | PORT(6), 1, 1},
        [CLASS_LEA] = {PORT(1) | PORT(5), 1, 1},
        [CLASS_SLOW_LEA] = {PORT(1), 3, 1},
        [CLASS_MUL] = {PORT(1), 3, 1},
        [CLASS_MUL_HIGH] = {PORT(5), 1, 1},
        [CLASS_BIT] = {PORT(1), 3, 1},
        [CLASS_DIV32] = {PORT(0), 26, 6},
        [CLASS_DIV64] = {PORT(0), 35, 21},  /* [F] */
        [CLASS_IDIV64] = {PORT(0), 42, 24}, /* [F] */
        [CLASS_BRANCH] = {PORT(0) | PORT(6), 1, 1},
        [CLASS_BRANCH_TAKEN] = {PORT(6), 1, 1},
        [CLASS_LOAD] = {PORT(2) | PORT(3), 5, 1},
        [CLASS_STORE_ADDRESS] = {PORT(2) | PORT(3) | PORT(7), 1, 1},
        [CLASS_STORE_INDEXED] = {PORT(2) | PORT(3), 1, 1}, /* [F] */
        [CLASS_STORE_DATA] = {PORT(4), 1, 1},
        [CLASS_VECTOR_ALU] = {PORT(0) | PORT(1) | PORT(5), 1, 1},
        [CLASS_VECTOR_SHUFFLE] = {PORT(5), 1, 1},
        [CLASS_VECTOR_LANES] = {PORT(5), 3, 1},
        [CLASS_VECTOR_MUL] = {PORT(0) | PORT(1), 5, 1},
        /* 512 bits: ports 0 and 1 act as one port, and port 5 [O]; integer uops do not lose
         * port 1 meanwhile */
        [CLASS_VECTOR_ALU_512] = {PORT(0) | PORT(5), 1, 1},
        [CLASS_VECTOR_MUL_512] = {PORT(0) | PORT(5), 5, 1},
        [CLASS_FP_512] = {PORT(0) | PORT(5), 4, 1},
        [CLASS_FP_ADD] = {PORT(0) | PORT(1), 4, 1},
        [CLASS_FP_MUL] = {PORT(0) | PORT(1), 4, 1},
        [CLASS_FMA] = {PORT(0) | PORT(1), 4, 1},
        [CLASS_FP_DIV_SINGLE] = {PORT(0), 11, 3},
        [CLASS_FP_DIV_DOUBLE] = {PORT(0), 14, 4},
        [CLASS_FP_DIV_SINGLE_256] = {PORT(0), 11, 5},
        [CLASS_FP_DIV_DOUBLE_256] = {PORT(0), 14, 8},
        [CLASS_FP_CONVERT] = {PORT(0) | PORT(1), 4, 1},
        [CLASS_TO_VECTOR] = {PORT(5), 2, 1},
        [CLASS_FROM_VECTOR] = {PORT(0), 2, 1},
        [CLASS_X87] = {PORT(0) | PORT(5), 4, 1},
        [CLASS_MICROCODE] = {ALU_PORTS, 1, 1},
        [CLASS_NONE] = {0, 0, 0},
    },
    .forward_latency = 4,    /* [F] MOV to memory 2, MOV from memory 2 */
    .forward_blocked = 13,   /* [F] 11 to 13 */
    .lock_penalty = 3,       /* chosen so that a LOCK ADD after another takes 18 cycles [U] */
    .alias_penalty = 5,      /* Intel's list for Sandy Bridge, LD_BLOCKS_PARTIAL.ADDRESS_ALIAS */
    .split_registers.count = 8, /* [guess] published: few; the number is not */
    .store_drain = 1,        /* [O] one store a cycle to L1 */
    .l1d = {32 * 1024, 8, 5},                  /* [O] */
    .simple_load_saves = 1,                    /* [O] "Load Operations": 4 cycles by base and
                                                  displacement below 2048 */
    .l2 = {1024 * 1024, 16, 14},               /* [O] */
    .superqueue = 16,        /* [guess] as Nehalem (M. Thomadakis) */
    .stream_ahead = 20,      /* [O] "Data Prefetching" */
    .adjacent_line = true,   /* [O] */
    .next_line_l1 = true,    /* [O] "Data Prefetching" */
    .stride_l1 = true,       /* [O] */
    .l3_slice = {1408 * 1024, 11, 70},         /* [O] 1.375 MiB; latency of the mesh [A] 26 ns */
    .l3_inclusive = false,   /* [O] */
    .l3_if_reused = true,    /* D. Mulnix, "Intel Xeon Processor Scalable Family Technical
                                Overview" (Intel, 2017), "Cache Hierarchy Changes", from memory */
    .shared_latency = 128,    /* [T] 47.5 ns at 2.7 GHz */
    .contested_latency = 128,
    .far_shared_latency = 297,    /* [T] 110 ns at 2.7 GHz */
    .far_contested_latency = 297,
    .memory_latency = 240,   /* [A] 90 ns at 2.7 GHz; [I] 76.5 ns on a desktop part */
    .memory_interval = 4,    /* [guess] a few cores' share of six DDR4 channels */
    .dtlb = {64, 4, 32, 4},                    /* [O] */
    .stlb = {1536, 12, 0, 0},                  /* [O] shared by both sizes */
    .stlb_latency = 9,       /* [guess] 7 to 9 are measured */
    .walk_latency = 26,      /* [guess] with its tables in the caches */
    .walkers = 2,            /* [O] */
};
/* clang-format on */
