/* Off-core response values: from the event lists of Ivy Bridge, Haswell, Skylake-SP, Ice
 * Lake-SP, Sapphire Rapids, Granite Rapids and Alder Lake (github.com/intel/perfmon), which
 * agree on these values. */
#include "responses.h"

/* clang-format off */
const struct pmu_response topdown_responses[TOPDOWN_RESPONSES] = {
    {UINT64_C(0x10003c0001), COUNTS(LOADS_XSNP_HITM), "demand data read, L3 hit, another core's"},
    {UINT64_C(0x8003c0001), COUNTS(LOADS_XSNP_HIT), "demand data read, L3 hit, forwarded"},
    {UINT64_C(0x10003c0002), COUNTS(RFOS_XSNP_HITM), "demand RFO, L3 hit, another core's"},
    {UINT64_C(0x103fc00002), COUNTS(RFOS_REMOTE_MODIFIED), "demand RFO, L3 miss, another socket's"},
    {UINT64_C(0x103b800002), COUNTS(RFOS_REMOTE_MODIFIED), "demand RFO, L3 miss, another socket's"},
    /* The model's L2 prefetches no ownership ahead of stores. */
    {UINT64_C(0x10003c0020), COUNTS(NEVER), "L2 prefetch RFO, L3 hit, another core's"},
    {UINT64_C(0x103fc00020), COUNTS(NEVER), "L2 prefetch RFO, L3 miss, another socket's"},
};
/* clang-format on */
