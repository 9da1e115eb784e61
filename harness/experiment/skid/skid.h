/* The skid of a core: for each method, how far from the instruction that caused an event the
 * recorded address is, by kernels whose cause is known (CAUSE in kernels/kernel.inc). On the boot
 * processor. */
#ifndef HARNESS_EXPERIMENT_SKID_SKID_H
#define HARNESS_EXPERIMENT_SKID_SKID_H

#include "skid_series.h"

/* Whether the skid of this kernel is to be measured. */
bool skid_wanted(const struct config *config, const struct kernel *kernel);
/* Takes the memory for these kernels. Null: no kernel wants it, or there is no memory, which is
 * logged; then all else is still measured. */
struct skid *skid_take(const struct config *config, const struct kernel *const *kernels,
                       unsigned count);
/* Measures with every method and reports. A core that does not come back is lost. */
void skid_kernel(const struct skid_job *job);

#endif
