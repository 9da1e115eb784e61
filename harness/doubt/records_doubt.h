/* What speaks against numbers: windows that lie apart, and what is doubted afterwards. */
#ifndef HARNESS_DOUBT_RECORDS_DOUBT_H
#define HARNESS_DOUBT_RECORDS_DOUBT_H

#include "boot/log.h"
#include "harness/judge/measured_core.h"
#include "second_look.h"

/* The windows that lay apart in the first measurement of the kernel, and the events of which the
 * second one, whose results are given, disagrees; null: it has none. */
void record_outliers(const struct measured_core *core, const struct measurement *measurement,
                     const struct second_look *look, const struct results *second);
/* In each form of the log: what it says of this core's windows since core->compared and until `now`
 * is doubted, because of `why`. */
void record_doubt(const struct measured_core *core, const struct agreement *now, const char *why);

#endif
