/* Alder Lake, P core (Golden Cove): the pipeline of Sapphire Rapids, except for these figures.
 *
 * Sources, all public. [O]: Intel 64 and IA-32 Architectures Optimization Reference Manual, "Golden
 * Cove Microarchitecture". [W]: WikiChip and Chips and Cheese, "Golden Cove" (measured). [I]:
 * InstLatx64, GenuineIntel0090672_AlderLake_BC_NewMemLat (measured). [T]: Intel's Topdown metrics,
 * Mem_XSNP_Hit_Cost and Mem_XSNP_HitM_Cost. A figure marked [guess] is not published; it is a round
 * figure of the right order of magnitude. */
#include "core/parameters.h"
#include "golden_cove.h"
#include "like.h"

/* clang-format off */
const struct model_parameters alderlake_core = {
#include "sapphirerapids_core.inc"
    .name = "alderlake",

    .loop_uops = 144,        /* [O] "Loop Stream Detector": what the queue holds; the server parts'
                                published tree has no such node, and here they have none */
    .l2 = {1280 * 1024, 10, 15},               /* [O] */
    .l3_slice = {3072 * 1024, 12, 79},         /* [W] 3 MiB; latency [I] 24.9 ns at 3.19 GHz */
    .shared_latency = 108,   /* [T] 27 and 28 ns at 4.0 GHz */
    .contested_latency = 112,
    .memory_latency = 336,   /* [I] 84.0 ns, here at 4.0 GHz */
    .memory_interval = 6,    /* [guess] two channels of DDR5-4800 */
};
/* clang-format on */
