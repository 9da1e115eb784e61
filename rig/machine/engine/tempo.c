#include "tempo.h"

#include <stdlib.h>

#include "device/apic.h"
#include "device/platform.h"
#include "pmu/pmu.h"
#include "state.h"

static bool append(struct tempo *tempo, struct tempo_step step)
{
    if (tempo->count == tempo->room) {
        const size_t room = tempo->room ? 2 * tempo->room : 64;
        struct tempo_step *grown = realloc(tempo->step, room * sizeof(*grown));

        if (grown == NULL)
            return false;
        tempo->step = grown;
        tempo->room = room;
    }
    tempo->step[tempo->count++] = step;
    return true;
}

static uint64_t latest_cycle(const struct machine *machine)
{
    uint64_t latest = 0;

    for (unsigned i = 0; i < machine->cores; i++) {
        const uint64_t now = core_now(&machine->core[i]);

        if (now > latest)
            latest = now;
    }
    return latest;
}

bool tempo_change(struct machine *machine, unsigned mhz)
{
    struct tempo *tempo = &machine->tempo;
    const uint64_t cycle = latest_cycle(machine);
    const uint64_t ticks = machine_ticks(machine, cycle);

    if (tempo->count == 0 && !append(tempo, (struct tempo_step){0, 0, (unsigned)machine->core_mhz}))
        return false;
    if (!append(tempo, (struct tempo_step){cycle, ticks, mhz}))
        return false;
    for (unsigned i = 0; i < machine->cores; i++)
        apic_clock_changed(&machine->core[i].apic);
    return true;
}

const struct tempo_step *tempo_at_cycle(const struct tempo *tempo, uint64_t cycle)
{
    const struct tempo_step *step = &tempo->step[tempo->count - 1];

    while (step > tempo->step && step->cycle > cycle)
        step--;
    return step;
}

const struct tempo_step *tempo_at_tick(const struct tempo *tempo, uint64_t ticks)
{
    const struct tempo_step *step = &tempo->step[tempo->count - 1];

    while (step > tempo->step && step->ticks > ticks)
        step--;
    return step;
}

void tempo_turn(struct core *core)
{
    const struct tempo *tempo = &core->machine->tempo;

    while (tempo_due(core) <= core_now(core)) {
        const struct tempo_step *step = &tempo->step[core->tempo_seen++];

        model_report(core->model); /* cycles of the old clock are counted by the old clock */
        pmu_clock(core->pmu, step->cycle, step->mhz);
        model_clock(core->model, step->mhz, (unsigned)core->machine->core_mhz);
    }
}

uint64_t tempo_due(const struct core *core)
{
    const struct tempo *tempo = &core->machine->tempo;

    return core->tempo_seen < tempo->count ? tempo->step[core->tempo_seen].cycle : NEVER;
}

void tempo_free(struct tempo *tempo)
{
    free(tempo->step);
}
