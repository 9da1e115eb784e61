/* Ivy Bridge: the pipeline, in the form in which Haswell is like it. */
#include "core/parameters.h"

const struct model_parameters ivybridge_core = {
    .name = "ivybridge",
#include "ivybridge_core.inc"
};
