/* The first and the third step before measuring: the run itself, and the machine. The order of all
 * steps is in harness/main.c. A step that finds something malformed refuses the run; the steps
 * after it then do only what the log of a refused run needs. */
#ifndef HARNESS_SETUP_SETUP_H
#define HARNESS_SETUP_SETUP_H

#include "harness/run/run.h"

/* The run with its defaults; its last words are said when a trap on the boot processor ends it.
 * `started` is the TSC. Null: no memory, which is logged. */
struct run *setup_run(uint64_t started);
/* Own page tables, interrupts and cores, the log's sinks; the `machine` record. A null run, or one
 * that is refused, starts no other core. */
void setup_machine(struct run *run);

#endif
