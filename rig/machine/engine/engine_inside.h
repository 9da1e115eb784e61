/* Shared by engine.c and engine_hidden.c. */
#ifndef RIG_MACHINE_ENGINE_ENGINE_INSIDE_H
#define RIG_MACHINE_ENGINE_ENGINE_INSIDE_H

#include <stdbool.h>

struct machine;

/* The address of the code that is run to find out where an engine keeps something. */
#define PROBE_ADDRESS 0x1000u

/* Finds where a saved context has the privilege level and EFER; false when it does not. */
bool engine_find_hidden(struct machine *machine);

#endif
