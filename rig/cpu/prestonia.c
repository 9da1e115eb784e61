/* Prestonia, the Xeon of 2002: what the rig leaves out. Events: pmu/kind/netburst_rows.c. */
#define PART_IS_LIKE_ANOTHER
#include "part.h"

/* clang-format off */

static const struct part part = {
#include "prestonia.inc"
};
CORE(prestonia);

static const struct personality prestonia = {
    .name = "prestonia",
    .title = "Prestonia, the Xeon of 2002, 0F_02H stepping 7: 3 slots, 45 ESCRs, 18 counters, LBR",
    .omitted =
        "no Xeon of that year has the 64-bit mode that the image needs: this part has Prescott's, with "
        "its execute disable and its addresses; apart from that what prescott leaves out, and "
        "MSR_IQ_ESCR0 and MSR_IQ_ESCR1 select nothing, for want of an event",
    .core = &part.core,
    .pmu = &part.pmu,
};
/* clang-format on */
PERSONALITY(prestonia);
