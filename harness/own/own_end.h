/* How a kernel of the user's own ended that did not come back well, in words and as a record. */
#ifndef HARNESS_OWN_OWN_END_H
#define HARNESS_OWN_OWN_END_H

#include "boot/cell/cell.h"
#include "own_kernel.h"

/* "#PF at byte 7 of its code: it wrote 0x1000". `text` gets it. */
void own_end_words(const struct own_kernel *own, const struct cell_report *report, char *text,
                   size_t size);
/* Logs an `error` record: what ended it, in which run, all registers. */
void own_end_log(const struct own_kernel *own, const struct cell_report *report, unsigned core);

#endif
