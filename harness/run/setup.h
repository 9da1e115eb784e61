/* The steps before measuring, in this order. A step that finds something malformed refuses the run;
 * the steps after it then do only what the log of a refused run needs. */
#ifndef HARNESS_SETUP_H
#define HARNESS_SETUP_H

#include "run.h"

/* The run with its defaults; its last words are said when a trap on the boot processor ends it.
 * `started` is the TSC. Null: no memory, which is logged. */
struct run *setup_run(uint64_t started);
/* \slotscope\slotscope.cfg and the load options. */
void setup_config(struct run *run);
/* The CPU descriptions of the image and of the stick; the stick's are checked at once. */
void setup_descriptions(struct run *run);
/* Own page tables, interrupts and cores, the log's sinks; the `machine` record. A null run, or one
 * that is refused, starts no other core. */
void setup_machine(struct run *run);
/* The wanted kernels and the one for sibling threads, ready to be judged. */
void setup_kernels(struct run *run);
/* The memory that all kernels share; after the survey of the cores. False: nothing can be measured,
 * because there is not enough, which is logged, or because the run is refused. */
bool setup_memory(struct run *run);

/* A file in \slotscope\ on the stick, at most `limit` bytes. False: there is none, or it cannot be
 * read and the run is refused. */
bool setup_file(struct run *run, const char *name, size_t limit, const char **data, size_t *size);

#endif
