/* The end of the log: tables and failures for people, and the `end` record. */
#ifndef HARNESS_SUMMARY_H
#define HARNESS_SUMMARY_H

#include "run.h"

/* The tables, the cores that are lost or not trusted, the failures and the totals. Of a refused run
 * only the verdict that its configuration is not well formed; nothing when there was no memory. */
void summary_print(const struct run *run);
/* The `end` record; `reason` says why the run ends. Null: there was no memory for the run. */
void summary_end(const struct run *run, const char *reason);

#endif
