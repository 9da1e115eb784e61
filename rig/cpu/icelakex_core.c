/* Ice Lake-SP: the pipeline.
 *
 * Sources, all public. [O]: Intel 64 and IA-32 Architectures Optimization Reference Manual, "Ice
 * Lake Client Microarchitecture" and its server part. [F]: Agner Fog, "The microarchitecture of
 * Intel, AMD and VIA CPUs", Ice Lake. [U]: uops.info, Ice Lake and Rocket Lake. [C]: A. Abel, J.
 * Reineke, "uiCA" (measured). [W]: WikiChip, "Sunny Cove" and "Ice Lake (server)". [M]: Intel
 * Memory Latency Checker on two Ice Lake-SP, gjbex/Code-optimization, info/icelake_mlc.txt. [I]:
 * InstLatx64, GenuineIntel00706E5_IceLakeY_InstLatX64 (measured, the client's core). A figure
 * marked [guess] is not published; it was chosen so that a sum is as measured elsewhere, or it is a
 * round figure of the right order of magnitude. [T]: Intel's Topdown metrics, Mem_XSNP_None_Cost,
 * _Hit_Cost and _HitM_Cost, Mem_Remote_Fwd_Cost and _HitM_Cost, and the costs of assists. */
#include "core/parameters.h"

#define ALU_PORTS (PORT(0) | PORT(1) | PORT(5) | PORT(6))

/* clang-format off */
const struct model_parameters icelakex_core = {
    .name = "icelakex",

    .width = 5,              /* [O] allocation and rename */
    .retire_width = 8,       /* [C] */
    .decoders = 4,           /* [C] one complex, three simple */
    .decode_uops = 5,        /* [W] */
    .fetch_bytes = 16,       /* [W] */
    .stack_engine.present = true, /* [F] */
    .predecoded = 5,         /* [C] */
    .first_decoder_rows = true, /* [U] */
    .dsb_uops = 6,           /* [O] */
    .dsb_line_uops = 6,      /* [O] */
    .dsb_lines_window = 6,   /* [C] */
    .dsb_window = 64,        /* [C] */
    .dsb_sets = 48,          /* [O] 2304 uops */
    .dsb_ways = 8,           /* [O] */
    .ms_uops = 4,            /* [F] */
    .ms_switch = 2,          /* [C] */
    .dsb_to_mite = 2,        /* [guess] as Skylake */
    .lcp_stall = 3,          /* [O] "Length-Changing Prefixes" */
    .idq = 70,               /* [O] a thread */
    .l1i = {32 * 1024, 8, 5},                  /* [O]; latency [guess] */
    .itlb = {128, 8, 16, 16},                  /* [O] */

    .btb_sets = 1024,        /* 5120 entries: [W] */
    .btb_ways = 5,           /* [guess] how the entries are arranged */
    .btb_miss_resteer = 8,   /* [guess] decode corrects the fetch */
    .return_stack = 16,      /* [F] */
    .history_bits = 64,      /* [guess] */
    .recovery = 6,           /* [guess] */
    .resteer = 17,           /* [F] */
    .clear_recovery = 70,    /* [guess] a clear by self-modifying code costs some 100 cycles */
    .clear_resteer = 84,     /* [guess] */
    .clear_cycle_is_backend = true,/* as its published formulas say */
    .heavy_is_microcode = true,/* as its published formulas say */

    .rob = 352,              /* [O] */
    .scheduler = 160,        /* [W] all schedulers together */
    .load_buffer = 128,      /* [O] */
    .store_buffer = 72,      /* [O] */
    .fill_buffers = 12,      /* [W] */
    .ports = 10,             /* [O] */
    /* [C] Microcode updates disabled it for general registers on client Ice Lake; assumed for
     * the server part too. */
    .move_elimination = false,/* [C], see above */
    .vector_move_elimination = true,/* [C] */
    .blends_upper = true,    /* [O] "Mixing Intel AVX Code with Intel SSE Code" */
    .div32_uops = 4,         /* [U] */
    .div64_uops = 4,         /* [U] */
    .idiv64_uops = 4,        /* [U] */
    .assist_uops = 34,       /* [T] tma_fp_assists */
    .pause_latency = 140,    /* [guess] as Skylake */

    /* [U], except X87, one class for additions (3 cycles) and multiplications (4). Divisions
     * with large quotients take longer than these figures. The model has one divider for
     * integers and floating point; the part has two. */
    .classes = {
        [CLASS_ALU] = {ALU_PORTS, 1, 1},
        [CLASS_SHIFT] = {PORT(0) | PORT(6), 1, 1},
        [CLASS_LEA] = {PORT(1) | PORT(5), 1, 1},
        [CLASS_SLOW_LEA] = {PORT(1) | PORT(5), 1, 1},
        [CLASS_MUL] = {PORT(1), 3, 1},
        [CLASS_MUL_HIGH] = {PORT(5), 1, 1},
        [CLASS_BIT] = {PORT(1), 3, 1},
        [CLASS_DIV32] = {PORT(1), 15, 6},  /* [I] [U], from the dividend */
        [CLASS_DIV64] = {PORT(1), 18, 10}, /* [I] [U], from the dividend */
        [CLASS_BRANCH] = {PORT(0) | PORT(6), 1, 1},
        [CLASS_BRANCH_TAKEN] = {PORT(6), 1, 1},
        [CLASS_LOAD] = {PORT(2) | PORT(3), 5, 1},
        [CLASS_STORE_ADDRESS] = {PORT(7) | PORT(8), 1, 1},
        [CLASS_STORE_DATA] = {PORT(4) | PORT(9), 1, 1},
        [CLASS_VECTOR_ALU] = {PORT(0) | PORT(1) | PORT(5), 1, 1},
        [CLASS_VECTOR_SHUFFLE] = {PORT(1) | PORT(5), 1, 1},
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
        [CLASS_FP_DIV_DOUBLE] = {PORT(0), 13, 4},
        [CLASS_FP_DIV_SINGLE_256] = {PORT(0), 11, 5},
        [CLASS_FP_DIV_DOUBLE_256] = {PORT(0), 13, 8},
        [CLASS_FP_CONVERT] = {PORT(0) | PORT(1), 4, 1},
        [CLASS_TO_VECTOR] = {PORT(5), 2, 1},
        [CLASS_FROM_VECTOR] = {PORT(0), 2, 1},
        [CLASS_X87] = {PORT(0) | PORT(5), 4, 1},
        [CLASS_MICROCODE] = {ALU_PORTS, 1, 1},
        [CLASS_NONE] = {0, 0, 0},
    },
    .forward_latency = 5,    /* [F] */
    .memory_renaming = true, /* [I] a MOV to memory and back in half a cycle */
    .forward_blocked = 13,   /* [guess] as Skylake */
    .lock_penalty = 4,       /* chosen so that a LOCK ADD after another takes 18 cycles [U] */
    .alias_penalty = 5,      /* Intel's list for Sandy Bridge, LD_BLOCKS_PARTIAL.ADDRESS_ALIAS */
    .split_registers.count = 8, /* [guess] published: few; the number is not */
    .store_drain = 1,        /* [O] */
    .store_pairs = true,     /* [O] two stores a cycle, to one line; measured: [I] 0.5 cycles a store */
    .l1d = {48 * 1024, 12, 5},                 /* [O] */
    .l2 = {1280 * 1024, 20, 14},               /* [O] */
    .stream_ahead = 20,      /* [O] "Data Prefetching" */
    .adjacent_line = true,   /* [O] */
    .next_line_l1 = true,    /* [O] "Data Prefetching" */
    .stride_l1 = true,       /* [O] */
    .l3_slice = {1536 * 1024, 12, 60},         /* [W]; latency [T] 23 ns at 2.6 GHz */
    .l3_inclusive = false,   /* [W] */
    .l3_if_reused = true,    /* [guess] as Skylake-SP */
    .shared_latency = 124,    /* [T] 47.5 and 48 ns at 2.6 GHz */
    .contested_latency = 125,
    .far_shared_latency = 312,    /* [T] 120 ns at 2.6 GHz */
    .far_contested_latency = 312,
    /* [M] 89.2 ns idle, 95.6 ns at 41 GB/s: here 96 ns at 2.6 GHz, since with 232 cycles the
     * published formula of tma_memory_bound misses be.mem.bandwidth by 0.0507; 0.05 is allowed. */
    .memory_latency = 250,
    .memory_interval = 4,    /* [guess] a few cores' share of eight DDR4 channels */
    .dtlb = {64, 4, 32, 4},                    /* [O] of loads; 16 more are for stores */
    .stlb = {2048, 16, 1024, 16},              /* [W] */
    .stlb_latency = 7,       /* [guess] 7 to 9 are measured */
    .walk_latency = 26,      /* [guess] with its tables in the caches */
    .walkers = 2,            /* [O] */
};
/* clang-format on */
