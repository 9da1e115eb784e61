/* Sapphire Rapids (Golden Cove): the pipeline, in the form in which other parts are like it. */
#include "core/parameters.h"
#include "golden_cove.h"

const struct model_parameters sapphirerapids_core = {
    .name = "sapphirerapids",
#include "sapphirerapids_core.inc"
};
