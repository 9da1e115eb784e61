/* The registers are those of SDM 3B, "Thermal Monitoring and Protection" (IA32_THERM_STATUS,
 * Thermal Monitor 1), and SDM 4, MSR_SMI_COUNT. */
#include "inject.h"

#include "device/platform.h"
#include "inject_inside.h"
#include "machine/engine/activity.h"
#include "machine/engine/clock.h"
#include "machine/engine/fault.h"
#include "machine/engine/state.h"
#include "machine/engine/tempo.h"
#include "machine/engine/follow/trace.h"

#define MSR_SMI_COUNT             0x034u
#define IA32_MPERF                0x0e7u
#define IA32_THERM_STATUS         0x19cu
#define IA32_PACKAGE_THERM_STATUS 0x1b1u
#define THERMAL_NOW               1u
#define THERMAL_LOG               2u

/* The address of the virtual SMM handler, where the guest has no RAM. */
#define SMM_HANDLER 0xffff8000u
#define SMM_ROUNDS  2000u

/* Of every THROTTLE_SPAN cycles of a core, cycles BEGIN to END are hot: then the clock runs for
 * THROTTLE_RUN cycles and is stopped for as many, by turns. */
#define THROTTLE_SPAN  8000000u
#define THROTTLE_BEGIN 2000000u
#define THROTTLE_END   4000000u
#define THROTTLE_RUN   2000u

/* The clock rises in so many steps from half of its frequency, in half a millisecond; the turbo
 * frequency loses at most so many steps of 100 MHz. A guess: no processor's governor is meant. */
#define CLOCK_RISE 5u
#define CLOCK_BINS 3u

/* A core that executes an instruction of 512 bits asks for a licence: while the voltage rises it
 * is slowed down, then its clock stops, and runs lower until no such instruction came for a while;
 * then it stops again. The times are those of a Skylake-W in T. Downs, "Gathering Intel on Intel
 * AVX-512 Transitions" (2020): about 9 and 11 us, and 650 to 680 us; Intel's optimization manual
 * says "approximately 2 ms" of the latter. How much lower the clock is differs by part and by how
 * many cores are busy: the step is a guess, as is that it slows all cores alike while one of them
 * has a licence. There are two such licences on silicon, here one. */
#define LICENCE_SLOW_US 9u
#define LICENCE_STOP_US 11u
#define LICENCE_KEPT_US 670u
#define LICENCE_MHZ     400u

void inject_cr3(struct core *core)
{
    struct points *points = &core->machine->faults->points;
    struct fault_request *request =
        fault_at(points, POINT_CR3, point_pass(points, POINT_CR3), NULL);

    if (request == NULL)
        return;
    fault_happened(request, true, core->index, core->window, "at 0x%llx",
                   (unsigned long long)core->rip);
    machine_end(core->machine, 1, "processor %u: triple fault: on demand, at 0x%llx", core->index,
                (unsigned long long)core->rip);
}

static bool is_hot(const struct core *core)
{
    uint64_t at = core_now(core) % THROTTLE_SPAN;

    return core->machine->faults->throttle && at >= THROTTLE_BEGIN && at < THROTTLE_END;
}

void inject_after_read(struct core *core, uint32_t msr, uint64_t *value)
{
    const struct core_faults *mine = &core->faults;

    switch (msr) {
    case MSR_SMI_COUNT:
        *value += mine->smi_count;
        break;
    case IA32_MPERF: /* goes on while the clock is stopped; IA32_APERF does not */
        *value += machine_ticks(core->machine, mine->stolen);
        break;
    case IA32_THERM_STATUS:
    case IA32_PACKAGE_THERM_STATUS:
        *value |= (is_hot(core) ? THERMAL_NOW : 0u) | (mine->throttled_before ? THERMAL_LOG : 0u);
        break;
    default:
        break;
    }
}

void inject_after_write(struct core *core, uint32_t msr, uint64_t value)
{
    if (msr == IA32_MPERF)
        core->faults.stolen = 0;
    if (msr == IA32_THERM_STATUS && !(value & THERMAL_LOG))
        core->faults.throttled_before = is_hot(core);
}

/* ---- time that is taken away ---- */

/* A linear congruential generator (Numerical Recipes, "Random Numbers"); from 0 to `below` - 1. */
static unsigned chance(uint32_t *random, unsigned below)
{
    *random = *random * 1664525u + 1013904223u;
    return (*random >> 16) % below;
}

/* Core cycles to the next SMI. */
static uint64_t smi_interval(struct core *core)
{
    const struct faults *faults = core->machine->faults;

    if (faults->smi_seed == 0)
        return faults->smi_period;
    if (core->faults.smi_random == 0)
        core->faults.smi_random = (uint32_t)faults->smi_seed + core->index;
    return faults->smi_period / 2 +
           faults->smi_period * chance(&core->faults.smi_random, 1000) / 1000;
}

/* The handler: a counted loop and RSM. Its instructions go through the core model and are counted,
 * as on parts that do not freeze counters in SMM. */
void inject_smi(struct core *core)
{
    static const uint8_t dec_ecx[] = {0xff, 0xc9}, jnz_back[] = {0x75, 0xfc}, rsm[] = {0x0f, 0xaa};
    struct executed record = {.length = 2, .end = END_NEXT};

    model_drain(core->model);
    for (unsigned round = 1; round <= SMM_ROUNDS; round++) {
        record.rip = SMM_HANDLER;
        record.next = SMM_HANDLER + 2;
        record.bytes = dec_ecx;
        trace_execute(core->machine->trace, core, &record);
        record.rip = SMM_HANDLER + 2;
        record.next = round < SMM_ROUNDS ? SMM_HANDLER : SMM_HANDLER + 4;
        record.bytes = jnz_back;
        trace_execute(core->machine->trace, core, &record);
    }
    record.rip = SMM_HANDLER + 4;
    record.next = core->rip;
    record.bytes = rsm;
    trace_execute(core->machine->trace, core, &record);
    model_drain(core->model);
}

/* ---- the clock ---- */

static void set_clock(struct machine *machine)
{
    const struct core_clock *clock = &machine->clock;
    unsigned mhz = (unsigned)machine->core_mhz - 100 * clock->bins;

    if (clock->licences > 0)
        mhz -= LICENCE_MHZ;
    if (clock->risen < CLOCK_RISE)
        mhz = mhz / 2 + mhz / 2 * clock->risen / CLOCK_RISE;
    if (!tempo_change(machine, mhz))
        machine_end(machine, 1, "not enough memory on the host");
}

/* The frequency of this step of the rise, or of the next while; and when it changes again. */
static void change_clock(struct machine *machine)
{
    struct core_clock *clock = &machine->clock;
    const uint64_t ms = machine->core_mhz * 1000;

    if (clock->due == 0)
        clock->random = (uint32_t)machine->faults->clock_seed;
    if (clock->risen >= CLOCK_RISE)
        clock->bins = chance(&clock->random, CLOCK_BINS + 1);
    set_clock(machine);
    clock->due = tempo_at_cycle(&machine->tempo, NEVER)->cycle +
                 (clock->risen < CLOCK_RISE ? ms / 2 / CLOCK_RISE
                                            : ms + ms / 100 * chance(&clock->random, 400));
    if (clock->risen < CLOCK_RISE)
        clock->risen++;
}

static void change_licence(struct core *core)
{
    struct core_faults *mine = &core->faults;

    if (mine->licence == LICENCE_ASKED) {
        mine->licence = LICENCE_GRANTED;
        core->machine->clock.licences++;
    } else {
        mine->licence = LICENCE_NONE;
        core->machine->clock.licences--;
    }
    set_clock(core->machine);
    core_idle_until(core, core_now(core) + core->machine->core_mhz * LICENCE_STOP_US);
    mine->licence_due = core_now(core) + core->machine->core_mhz * LICENCE_KEPT_US;
}

void inject_wide(struct core *core)
{
    struct core_faults *mine = &core->faults;
    const uint64_t mhz = core->machine->core_mhz;

    if (!core->machine->faults->clock)
        return;
    if (mine->licence == LICENCE_NONE) {
        mine->licence = LICENCE_ASKED;
        mine->licence_due = core_now(core) + mhz * LICENCE_SLOW_US;
        model_slow(core->model, mine->licence_due);
    } else if (mine->licence == LICENCE_GRANTED) {
        mine->licence_due = core_now(core) + mhz * LICENCE_KEPT_US;
    }
}

void inject_wake(struct core *core)
{
    struct machine *machine = core->machine;

    if (!machine->faults->clock || !core->long_mode)
        return;
    machine->clock.risen = 0;
    change_clock(machine);
}

void inject_window(struct core *core, bool begins)
{
    inject_points_window(core, begins);
    if (!begins)
        return;
    core->faults.stuck = fault_stuck(core->machine->faults, core->index, core->window);
    if (core->faults.stuck != STUCK_NOT)
        core_end_slice(core);
}

bool inject_frees(const struct core *core)
{
    return core->faults.stuck == STUCK_UNTIL_NMI && core->nmi_pending && !core->nmi_blocked;
}

void inject_turn(struct core *core)
{
    const struct faults *faults = core->machine->faults;
    struct core_faults *mine = &core->faults;
    uint64_t now = core_now(core);

    if (!core->long_mode)
        return;
    inject_points_turn(core);
    if (mine->stuck != STUCK_NOT) {
        model_drain(core->model);
        activity_set(core, ACTIVITY_STUCK, core_now(core));
        return;
    }
    if (faults->slow_mhz && core->machine->tempo.count == 0 &&
        !tempo_change(core->machine, (unsigned)faults->slow_mhz))
        machine_end(core->machine, 1, "not enough memory on the host");
    if (faults->clock && now >= core->machine->clock.due)
        change_clock(core->machine);
    if (mine->licence != LICENCE_NONE && now >= mine->licence_due)
        change_licence(core);
    tempo_turn(core);
    if (faults->smi_period && now >= mine->smi_due) {
        if (mine->smi_due)
            mine->smi_count += (now - mine->smi_due) / faults->smi_period + 1;
        if (mine->smi_due)
            inject_smi(core);
        mine->smi_due = core_now(core) + smi_interval(core);
    }
    if (is_hot(core) && core_now(core) >= mine->stop_due) {
        core_idle_until(core, core_now(core) + THROTTLE_RUN);
        mine->stolen += THROTTLE_RUN;
        mine->throttled_before = true;
        mine->stop_due = core_now(core) + THROTTLE_RUN;
    }
}

uint64_t inject_due(const struct core *core)
{
    const struct faults *faults = core->machine->faults;
    uint64_t due = faults->smi_period ? core->faults.smi_due : NEVER;

    if (faults->throttle && is_hot(core) && core->faults.stop_due < due)
        due = core->faults.stop_due;
    if (faults->clock && core->machine->clock.due < due)
        due = core->machine->clock.due;
    if (core->faults.licence != LICENCE_NONE && core->faults.licence_due < due)
        due = core->faults.licence_due;
    return tempo_due(core) < due ? tempo_due(core) : due;
}
