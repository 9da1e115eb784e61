/* Shared by engine.c and engine_hidden.c. */
#ifndef RIG_ENGINE_INSIDE_H
#define RIG_ENGINE_INSIDE_H

#include <stdbool.h>

struct machine;

/* Where the code runs that shows where an engine keeps something. */
#define PROBE_ADDRESS 0x1000u

/* Where an engine's saved context has the privilege level and EFER; false when that is not found.
 */
bool engine_find_hidden(struct machine *machine);

#endif
