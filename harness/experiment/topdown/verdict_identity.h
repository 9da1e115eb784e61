/* Verdicts on identities between counts: what must hold of any kernel on any core, because of what
 * the events count. A formula may be true by its own definition, as shares are of which one is the
 * rest; an identity fails when a counter lies, or when the description's width is wrong. Pure. */
#ifndef HARNESS_EXPERIMENT_TOPDOWN_VERDICT_IDENTITY_H
#define HARNESS_EXPERIMENT_TOPDOWN_VERDICT_IDENTITY_H

#include "harness/judge/verdict_text.h"
#include "harness/window/measurement.h"

#define IDENTITIES 7u

/* Identity number `index`, below IDENTITIES, over the windows of 2n of each pass that counts all of
 * its events; the window that is worst is judged. False: no pass counts them, or its windows are
 * shorter than TRIAL_CYCLES_MIN, so there is nothing to judge. */
bool verdict_identity(struct verdict *verdict, const struct trial *trial,
                      const struct measurement *measurement, unsigned index);

#endif
