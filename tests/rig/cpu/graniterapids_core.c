/* Granite Rapids (Redwood Cove): the pipeline.
 *
 * Sources, all public. [O]: Intel 64 and IA-32 Architectures Optimization Reference Manual,
 * "Redwood Cove Microarchitecture".
 * [U]: uops.info, Alder Lake P (the same ports). [W]: WikiChip and Chips and Cheese, "Redwood Cove"
 * (measured). What is marked [guess] is not published; it was chosen as a round figure of the
 * right size.
 * [T]: Intel's Topdown metrics, Mem_XSNP_Hit_Cost and Mem_XSNP_HitM_Cost, and those of assists.
 * [X]: "Intel vs AMD CPU/Memory Subsystem Comparison", a Xeon 6962P measured and held against Chips
 * and Cheese, "A Look into Intel Xeon 6's Memory Subsystem" (33 ns for L3 within a die, 58 and 80
 * in the next ones) and Intel's own 33 ns at Hot Chips 2024. */
#include "core/parameters.h"
#include "golden_cove.h"

/* clang-format off */
const struct model_parameters graniterapids_core = {
    .name = "graniterapids",

    .width = GOLDEN_COVE_WIDTH, /* [O] */
    .retire_width = 8,       /* [O] */
    .decoders = 6,           /* [O] */
    .decode_uops = 6,        /* [O] */
    .fetch_bytes = 32,       /* [O] */
    .dsb_uops = 8,           /* [O] */
    .dsb_line_uops = 8,      /* [W] */
    .dsb_lines_window = 6,   /* [guess] as Ice Lake */
    .dsb_window = 64,        /* [guess] as Ice Lake */
    .dsb_sets = 64,          /* [O] 4096 uops */
    .dsb_ways = 8,           /* [O] */
    .ms_uops = 4,            /* [guess] as Ice Lake */
    .ms_switch = 2,          /* [guess] */
    .dsb_to_mite = 2,        /* [guess] */
    .lcp_stall = 3,          /* [O] "Length-Changing Prefixes" */
    .idq = 192,              /* [O] with one thread */
    .l1i = {64 * 1024, 16, 5},                 /* [O]; latency [guess] */
    .itlb = {256, 8, 32, 8},                   /* [O] */

    .btb_sets = 1024,        /* 12288 entries: [O] */
    .btb_ways = 12,          /* [guess] how the entries are arranged */
    .btb_miss_resteer = 8,   /* [guess] decode corrects the fetch */
    .return_stack = 24,      /* [W] */
    .history_bits = 64,      /* [guess] */
    .recovery = 6,           /* [guess] */
    .resteer = 15,           /* [O] 17 in all: the branch and the first decode are the rest */
    .clear_recovery = 70,    /* [guess] */
    .clear_resteer = 84,     /* [guess] */
    .clear_cycle_is_backend = false, /* the published formulas have no such correction */
    .heavy_is_microcode = false,     /* UOPS_RETIRED.HEAVY: all but one uop of an instruction */

    .rob = 512,              /* [O] */
    .scheduler = 205,        /* [W] 97 for execution, 70 for loads, 38 for stores */
    .load_buffer = 192,      /* [O] */
    .store_buffer = 114,     /* [O] */
    .fill_buffers = 16,      /* [O] */
    .ports = 12,             /* [O] */
    .move_elimination = true,        /* [U] */
    .vector_move_elimination = true, /* [U] */
    .div32_uops = 4,         /* [U] */
    .div64_uops = 4,         /* [U] */
    .idiv64_uops = 4,        /* [U] */
    .assist_uops = 30,       /* [T] tma_fp_assists */
    .pause_latency = 140,    /* [guess] as Skylake */

    .classes = {
        GOLDEN_COVE_CLASSES,
        [CLASS_FP_MUL] = {PORT(0) | PORT(1), 3, 1}, /* [W] one cycle less than Golden Cove */
    },
    .forward_latency = 5,    /* [W] */
    .forward_blocked = 15,   /* [guess] */
    .alias_penalty = 5,      /* Intel's event list for Sandy Bridge, LD_BLOCKS_PARTIAL.ADDRESS_ALIAS */
    .split_registers = 8,    /* [guess] that there are few is published, how many is not */
    .store_drain = 1,        /* [O] two stores a cycle only to one line: not modelled */
    .l1d = {48 * 1024, 12, 5},                 /* [O] */
    .l2 = {2048 * 1024, 16, 16},               /* [O] */
    .l3_slice = {4096 * 1024, 16, 103},        /* [W] 4 MiB; latency [X] 33 ns at 3.1 GHz */
    .l3_inclusive = false,   /* [O] */
    .shared_latency = 245,    /* [T] 79 and 81 ns at 3.1 GHz */
    .contested_latency = 251,
    .superqueue = 48,        /* [guess] as in Golden Cove, which this core goes back to */
    .prefetch_flights = 48,  /* [guess] as many as the queue takes */
    .stream_ahead = 20,      /* [O] "Data Prefetching" */
    .adjacent_line = true,   /* [O] */
    .next_line_l1 = true,    /* [O] "Data Prefetching" */
    .stride_l1 = true,       /* [O] */
    .memory_latency = 428,   /* [X] 138 ns at 3.1 GHz */
    .memory_interval = 4,    /* [guess] a few cores' share of twelve DDR5 channels */
    .dtlb = {96, 6, 32, 8},                    /* [O] of loads; stores have 16 of their own there */
    .stlb = {2048, 16, 0, 0},                  /* [O] both sizes */
    .stlb_latency = 7,       /* [guess] as Ice Lake */
    .walk_latency = 26,      /* [guess] its tables in the caches */
    .walkers = 4,            /* [O] */
};
/* clang-format on */
