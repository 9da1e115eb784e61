#include "clock.h"

#include "device/platform.h"
#include "firmware/firmware.h"
#include "pmu/pmu.h"
#include "follow/profile.h"
#include "state.h"
#include "tempo.h"

typedef unsigned __int128 wide;

uint64_t machine_ticks(const struct machine *machine, uint64_t cycles)
{
    const struct tempo_step *step;

    if (machine->tempo.count == 0)
        return (uint64_t)((wide)cycles * machine->tsc_mhz / machine->core_mhz);
    step = tempo_at_cycle(&machine->tempo, cycles);
    return step->ticks + (uint64_t)((wide)(cycles - step->cycle) * machine->tsc_mhz / step->mhz);
}

static uint64_t cycles_in(uint64_t ticks, uint64_t core_mhz, uint64_t tsc_mhz)
{
    const wide cycles = ((wide)ticks * core_mhz + tsc_mhz - 1) / tsc_mhz;

    return cycles >= NEVER ? NEVER - 1 : (uint64_t)cycles;
}

uint64_t machine_cycles(const struct machine *machine, uint64_t ticks)
{
    const struct tempo_step *step;
    uint64_t cycles;

    if (machine->tempo.count == 0)
        return cycles_in(ticks, machine->core_mhz, machine->tsc_mhz);
    step = tempo_at_tick(&machine->tempo, ticks);
    cycles = cycles_in(ticks - step->ticks, step->mhz, machine->tsc_mhz);
    return cycles >= NEVER - 1 - step->cycle ? NEVER - 1 : step->cycle + cycles;
}

uint64_t machine_ticks_of(const struct machine *machine, uint64_t count, uint64_t hz)
{
    return (uint64_t)(((wide)count * machine->tsc_mhz * MHZ + hz - 1) / hz);
}

uint64_t machine_count_of(const struct machine *machine, uint64_t ticks, uint64_t hz)
{
    return (uint64_t)((wide)ticks * hz / ((wide)machine->tsc_mhz * MHZ));
}

uint64_t core_clock(const struct core *core)
{
    /* The PMU is made before the model, and looks at the clock. */
    return core->model != NULL ? model_now(core->model) : 0;
}

uint64_t core_now(const struct core *core)
{
    if (core->model != NULL)
        model_sync(core->model);
    return core_clock(core);
}

uint64_t core_ticks(const struct core *core)
{
    return machine_ticks(core->machine, core_now(core));
}

uint64_t core_tsc(const struct core *core)
{
    return pmu_tsc(core->pmu);
}

void core_idle_until(struct core *core, uint64_t cycle)
{
    uint64_t now;

    model_drain(core->model);
    now = core_now(core);
    if (cycle > now) {
        profile_idle(core->machine->profile, core, cycle - now);
        model_idle(core->model, cycle - now);
    }
}

void machine_look_at_time(struct machine *machine)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    if (now.tv_sec - machine->begun.tv_sec >= (time_t)machine->seconds)
        machine_end(machine, 1, "stopped after %u seconds of host time%s", machine->seconds,
                    firmware_has_left(machine->firmware) ? ", and the image had ended boot services"
                                                         : "");
}
