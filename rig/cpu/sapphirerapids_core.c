/* Sapphire Rapids (Golden Cove): the pipeline. Other parts include the same figures. */
#include "core/parameters.h"
#include "golden_cove.h"

const struct model_parameters sapphirerapids_core = {
    .name = "sapphirerapids",
#include "sapphirerapids_core.inc"
    .l3_if_reused = true, /* [guess] as Skylake-SP */
};
