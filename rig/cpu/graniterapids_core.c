/* Granite Rapids (Redwood Cove): the pipeline of Sapphire Rapids, except for these figures.
 *
 * Sources, all public. [O]: Intel 64 and IA-32 Architectures Optimization Reference Manual,
 * "Redwood Cove Microarchitecture", which is also the source of the figures marked [O] in
 * sapphirerapids_core.inc. [W]: WikiChip and Chips and Cheese, "Redwood Cove" (measured). [T]:
 * Intel's Topdown metrics, Mem_XSNP_Hit_Cost, Mem_XSNP_HitM_Cost, Mem_Remote_Fwd_Cost and
 * Mem_Remote_HitM_Cost. [X]: "Intel vs AMD CPU/Memory
 * Subsystem Comparison", a Xeon 6962P measured and compared with Chips and Cheese, "A Look into
 * Intel Xeon 6's Memory Subsystem" (33 ns for L3 within a die, 58 and 80 ns for L3 in the next
 * dies) and Intel's own 33 ns at Hot Chips 2024. A figure marked [guess] is not published; it is a
 * round figure of the right order of magnitude: the queue of L2 has as many entries as Golden
 * Cove's, and four cycles of memory for a line are a few cores' share of twelve DDR5 channels. */
#include "core/parameters.h"
#include "golden_cove.h"
#include "like.h"

/* clang-format off */
const struct model_parameters graniterapids_core = {
#include "sapphirerapids_core.inc"
    .name = "graniterapids",

    .idq = 192,              /* [O] with one thread */
    .l1i = {64 * 1024, 16, 5},                 /* [O]; latency [guess] */
    .classes[CLASS_FP_MUL] = {PORT(0) | PORT(1), 3, 1}, /* [W] one cycle less than Golden Cove */
    .l3_slice = {4096 * 1024, 16, 103},        /* [W] 4 MiB; latency [X] 33 ns at 3.1 GHz */
    .l3_if_reused = true,    /* [guess] as Skylake-SP */
    .shared_latency = 245,   /* [T] 79 and 81 ns at 3.1 GHz */
    .contested_latency = 251,
    .far_shared_latency = 527,   /* [T] 170 ns at 3.1 GHz */
    .far_contested_latency = 527,
    .memory_latency = 428,   /* [X] 138 ns at 3.1 GHz */
};
/* clang-format on */
