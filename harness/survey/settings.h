/* How the firmware set a core up where that moves its results: turbo, prefetchers, C1E, HWP. */
#ifndef HARNESS_SURVEY_SETTINGS_H
#define HARNESS_SURVEY_SETTINGS_H

#include "harness/run/run.h"

/* Reads the core's settings as they were found, notes in core->switches what the configuration asks
 * for (`turbo = off`, `prefetch = off`), and logs a `settings` record; none for a core that is not
 * Intel's, lost, or set up as the core whose settings were logged last. */
void settings_find(const struct config *config, struct measured_core *core,
                   struct run_logged *logged);
/* Sets what the configuration asks for, on all cores, and logs a verdict on each. After
 * settings_find of every core, since cores share registers, and before anything is measured;
 * restore_switches puts it back. */
void settings_change(struct run_cores *cores, struct run_verdicts *verdicts);

/* When no core is measured any more, before restore_switches: reads the settings of all again. One
 * that is another than before is put back, if kernels of the user's own ran, has an `error` record,
 * and its core a verdict. */
void settings_check(struct run_cores *cores, const struct own_kernel *own,
                    struct run_verdicts *verdicts);

#endif
