/* Both threads of a core over the same windows: one is measured, and its loaded sibling counts too.
 */
#ifndef HARNESS_SERIES_CORE_WIDE_H
#define HARNESS_SERIES_CORE_WIDE_H

#include "harness/run/run.h"

/* Measures and reports both threads, after the lane's thread alone was measured while its sibling
 * was loaded; `sibling` is a lane that is free. */
void core_wide_measure(struct run *run, struct lane *lane, struct lane *sibling,
                       struct experiment *experiment);

#endif
