/* How the firmware set a core up where that moves its results: turbo, prefetchers, C1E, HWP. */
#ifndef HARNESS_SETTINGS_H
#define HARNESS_SETTINGS_H

#include "harness/run/run.h"

/* Reads the core's settings as they were found and logs a `settings` record; none for a core that
 * is not Intel's, lost, or set up as the core whose settings were logged last. Then sets what the
 * configuration asks for (`turbo = off`, `prefetch = off`) and logs a verdict on each. The
 * registers are restored with all others. Before anything is measured on the core. */
void settings_apply(struct run *run, struct measured_core *core);

#endif
