/* Ivy Bridge: the pipeline. Haswell includes the same figures. */
#include "core/parameters.h"

const struct model_parameters ivybridge_core = {
    .name = "ivybridge",
#include "ivybridge_core.inc"
    .binds_ports = BINDS_LOADS, /* [C] */
    .banks.conflict = true,     /* [O] not Haswell */
};
