/* Shared by inject.c and inject_point.c. */
#ifndef RIG_MACHINE_ENGINE_INJECT_INJECT_INSIDE_H
#define RIG_MACHINE_ENGINE_INJECT_INJECT_INSIDE_H

#include <stdbool.h>

struct core;

/* inject.c: plays the handler of an SMI. */
void inject_smi(struct core *core);

/* inject_point.c: a counting window begins or has ended; a turn in 64-bit mode begins. */
void inject_points_window(struct core *core, bool begins);
void inject_points_turn(struct core *core);

#endif
