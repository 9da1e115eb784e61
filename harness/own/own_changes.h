/* What a kernel of the user's own changed that is not its own, as records and in words. */
#ifndef HARNESS_OWN_OWN_CHANGES_H
#define HARNESS_OWN_OWN_CHANGES_H

#include "boot/cell/cell.h"
#include "own_kernel.h"
#include "pmu/facts.h"

/* Logs an `error` record for each of them. `text` gets the first one in words, and how many there
 * are: "IA32_MISC_ENABLE: 0x1 before, 0x0 after, put back; 2 more". False: there is none. */
bool own_changes_log(const struct own_kernel *own, const struct cell_report *report,
                     const struct facts *facts, unsigned core, char *text, size_t size);

#endif
