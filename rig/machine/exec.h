/* Running guest code on a core: the hooks, and the loop around the emulator. */
#ifndef RIG_MACHINE_EXEC_H
#define RIG_MACHINE_EXEC_H

#include <stdbool.h>
#include <stddef.h>

struct core;

/* Gives the core its engine with memory and hooks; false, with a line in `why`, on failure. */
bool exec_new(struct core *core, char *why, size_t why_size);
void exec_free(struct core *core);
/* Runs until the slice ends, the core halts or the run ends. */
void exec_run(struct core *core);

#endif
