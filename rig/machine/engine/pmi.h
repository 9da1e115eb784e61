/* Performance-monitoring interrupts at the boundary where a processor takes them.
 *
 * The emulator is far ahead of the model's retirement. So while a PMI may come, the model and the
 * PMU are asked after every instruction whether it is the one that the interrupt waits for; then
 * everything in flight retires, the PMI comes, and no younger instruction has been executed.
 *
 * The rule: an interrupt that is there in cycle c waits for the oldest instruction that has not
 * retired before c, and is taken behind that instruction; younger instructions are thrown away.
 * Sources: SDM 3A, "Program or Task Restart" (interrupts are taken on an instruction boundary);
 * Intel VTune Profiler User Guide, "Hardware Event Skid" (the retirement in progress is completed,
 * and the pipeline is flushed); T. Downs, "Where Do Interrupts Happen?", 2019 (measured on Skylake:
 * the oldest unretired instruction completes, and the sample names the instruction after it).
 * Other ways: pmi_way.h. */
#ifndef RIG_MACHINE_ENGINE_PMI_H
#define RIG_MACHINE_ENGINE_PMI_H

#include <stdbool.h>
#include <stdint.h>

#include "core/model.h"

struct core;

/* Behind struct pmu_host; `core` is a struct core. */
void pmi_foresee(void *core, bool on);
void pmi_raise(void *core);

/* After every instruction while core->foresees. */
void pmi_look(struct core *core);
static inline bool pmi_is_near(uint64_t retired, uint64_t cycle, uint64_t *instructions)
{
    return (*instructions == 0 || --*instructions == 0) | (retired >= cycle);
}

#endif
