/* The frequency of the cores' clocks over time. All cores share it, as on parts whose cores have
 * one clock domain; without --fault clock or slow it never changes. */
#ifndef RIG_MACHINE_ENGINE_TEMPO_H
#define RIG_MACHINE_ENGINE_TEMPO_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct machine;
struct tempo;
struct tempo_step;

/* From the latest cycle of any core on the cores have `mhz`. False: the host's memory ran out. */
bool tempo_change(struct machine *machine, unsigned mhz);
/* The step of a cycle, of a tick; `tempo->count` is not 0. */
const struct tempo_step *tempo_at_cycle(const struct tempo *tempo, uint64_t cycle);
const struct tempo_step *tempo_at_tick(const struct tempo *tempo, uint64_t ticks);
/* The core's PMU and model learn of the changes up to the core's clock; at the beginning of each
 * turn. */
void tempo_turn(struct core *core);
/* The cycle of the next change that the core's PMU has not learnt of; NEVER: none. */
uint64_t tempo_due(const struct core *core);
void tempo_free(struct tempo *tempo);

#endif
