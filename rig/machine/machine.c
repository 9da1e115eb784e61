#include "machine.h"

#include <stdio.h>
#include <stdlib.h>

#include "device/platform.h"
#include "exec.h"
#include "firmware/firmware.h"
#include "machine/engine/activity.h"
#include "machine/engine/clock.h"
#include "machine/engine/debug.h"
#include "machine/engine/engine.h"
#include "machine/engine/fault.h"
#include "machine/engine/inject/inject.h"
#include "machine/engine/paging.h"
#include "machine/engine/pmi.h"
#include "machine/engine/pmi_wait.h"
#include "machine/engine/follow/profile.h"
#include "machine/engine/sampling.h"
#include "machine/engine/state.h"
#include "machine/engine/tempo.h"
#include "machine/engine/trap.h"
#include "machine/special/special.h"
#include "pmu/parameters.h"
#include "pmu/personality.h"
#include "pmu/pmu.h"
#include "truth.h"

#define XAPIC_PROCESSORS     255u       /* their identifiers are 0 to 254 */
#define FEATURE_X2APIC       (1u << 21) /* leaf 1 ECX */
#define FEATURE_TSC_DEADLINE (1u << 24)
#define QUANTUM              2000    /* cycles that a core may run ahead of the others */
#define SHORT                32      /* the same while a cache line goes to and fro between them */
#define FUEL                 32      /* instructions between two looks at the clock */
#define ALONE                1000000 /* cycles of a slice when nobody else could run */

/* ---- construction ---- */

/* The PMU also asks for the time while it takes a span of cycles: this must not cause another span.
 */
static uint64_t pmu_now(void *context)
{
    return core_clock(context);
}

static void pmu_counting(void *context, bool counting)
{
    struct core *core = context;

    core->counting = counting;
    if (counting) {
        core->window++;
        truth_begin(&core->seen);
        inject_window(core, true);
    } else {
        inject_window(core, false);
        truth_write(core->machine->truth, core);
    }
    profile_window(core->machine->profile, core, counting);
}

static void pmu_counts_here(void *context, bool sees)
{
    struct core *core = context;

    if (sees)
        truth_go_on(&core->seen, core);
    else if (core->machine->truth != NULL)
        truth_pause(&core->seen, core);
}

static void apic_new(struct core *core, const struct pmu_parameters *pmu, uint32_t id)
{
    /* "APIC Timer": the crystal's clock where CPUID enumerates it, else the bus clock. */
    const unsigned mhz = pmu->crystal_enumerated ? pmu->crystal_mhz : pmu->bus_mhz;

    core->apic = (struct apic){.machine = core->machine,
                               .core = core,
                               .irq = &core->machine->devices.irq,
                               .id = id,
                               .timer_hz = (uint64_t)mhz * MHZ};
    apic_power_on(&core->apic);
}

static bool core_new(struct core *core, const struct hardware *hardware, char *why, size_t why_size)
{
    struct machine *machine = core->machine;
    const struct personality_seat seat =
        personality_seat(hardware->personality, hardware->cores, hardware->threads, core->index);
    const struct pmu_place place = {core->index, personality_apic_id(&seat),
                                    hardware->cores / hardware->sockets, seat.threads,
                                    machine->cores / hardware->sockets};
    const struct personality *kind = fault_processor(hardware->faults, core->index, seat.kind);

    core->wake = NEVER;
    core->random = UINT64_C(0x9e3779b97f4a7c15) * (core->index + 1);
    special_reset(core);
    core->cet.offered = hardware->cet;
    apic_new(core, hardware->personality->pmu, place.apic_id);
    if (!exec_new(core, why, why_size))
        return false;
    debug_reset(core);
    core->pmu = pmu_new(kind, place,
                        (struct pmu_host){.context = core,
                                          .pmi = pmi_raise,
                                          .counting = pmu_counting,
                                          .sees = pmu_counts_here,
                                          .observes = pmi_observes,
                                          .now = pmu_now,
                                          .read = sampling_read,
                                          .write = sampling_write,
                                          .registers = sampling_registers,
                                          .subscribe = sampling_subscribe,
                                          .foresee = pmi_foresee,
                                          .watch = sampling_watch});
    if (core->pmu != NULL) {
        inject_skew(core);
        pmu_delay(core->pmu, hardware->delay);
    }
    core->model = core->pmu != NULL ? model_new(kind->core, core->index, machine->shared,
                                                (struct model_world){core, paging_shift},
                                                (struct model_sink){.context = core->pmu,
                                                                    .span = pmu_span,
                                                                    .branch = pmu_branch,
                                                                    .order_slack = pmu_order_slack,
                                                                    .quiet = pmu_quiet,
                                                                    .repeat = pmu_repeat})
                                    : NULL;
    if (core->model == NULL) {
        snprintf(why, why_size, "no model for processor %u: out of memory", core->index);
        return false;
    }
    model_at_length(core->model, machine->at_length);
    model_prefetch(core->model, 0); /* as a reset leaves them */
    if (machine->faults->exits_seed)
        model_ends_by_chance(core->model, (uint32_t)machine->faults->exits_seed + core->index);
    if (machine->faults->wrong_seed)
        model_wrong_paths(core->model, (uint32_t)machine->faults->wrong_seed + core->index);
    model_observed(core->model, &machine->observed);
    if (core->index % place.processors > 0)
        pmu_join_package(core->pmu, machine->core[core->index - 1].pmu);
    if (seat.thread > 0) {
        pmu_join(core->pmu, machine->core[core->index - 1].pmu);
        if (!model_pair(machine->core[core->index - 1].model, core->model)) {
            snprintf(why, why_size, "no core for processor %u: out of memory", core->index);
            return false;
        }
    }
    core->activity = core_is_bsp(core) ? ACTIVITY_RUNNING : ACTIVITY_WAIT_SIPI;
    return true;
}

static bool allocate(struct machine *machine, const struct hardware *hardware)
{
    const uint64_t bytes = (uint64_t)hardware->memory_mib << 20;
    const struct model_packages packages = {.count = hardware->sockets,
                                            .processors = machine->cores / hardware->sockets,
                                            .node_bytes = bytes / hardware->sockets,
                                            .far_percent = hardware->far_percent};

    machine->core = calloc(machine->cores, sizeof(*machine->core));
    machine->shared =
        shared_cache_new(hardware->personality->core, hardware->cores / hardware->sockets);
    if (machine->core == NULL || machine->shared == NULL ||
        !shared_cache_packages(machine->shared, &packages) || !memory_new(&machine->memory, bytes))
        return false;
    machine->touched = calloc(machine->memory.size / 64, 1);
    return machine->touched != NULL;
}

/* The firmware's part: "the BIOS must place the logical processors in the x2APIC mode" where
 * identifiers of 255 and more are in use (SDM 3A, "Initialization by System Software"). False: the
 * first processor, which is there, lacks that mode, or the timer's that the firmware uses. */
static bool offers_modes(const struct machine *machine, const struct hardware *hardware,
                         bool x2apic, char *why, size_t why_size)
{
    const uint32_t features = pmu_cpuid(machine->core[0].pmu, 1, 0, 0).ecx;

    if (x2apic && !(features & FEATURE_X2APIC))
        snprintf(why, why_size, "%s has no x2APIC mode%s", hardware->personality->name,
                 hardware->x2apic ? "" : ", which APIC ids above 254 need");
    else if (hardware->tsc_deadline && !(features & FEATURE_TSC_DEADLINE))
        snprintf(why, why_size, "%s has no TSC-deadline mode", hardware->personality->name);
    else
        return true;
    return false;
}

bool machine_new(struct machine *machine, const struct hardware *hardware, char *why,
                 size_t why_size)
{
    const unsigned processors =
        personality_processors(hardware->personality, hardware->cores, hardware->threads);
    const struct personality_seat last =
        personality_seat(hardware->personality, hardware->cores, hardware->threads, processors - 1);
    const bool x2apic = hardware->x2apic || personality_apic_id(&last) >= XAPIC_PROCESSORS;

    *machine = (struct machine){.seconds = hardware->seconds,
                                .faults = hardware->faults,
                                .cores = processors,
                                .interrupt = hardware->interrupt,
                                .at_length = hardware->at_length,
                                .observing = hardware->full ? 1 : 0,
                                .observed = hardware->full ? OBSERVED_NOW : OBSERVED_NEVER,
                                .core_mhz = hardware->personality->pmu->core_mhz,
                                .tsc_mhz = hardware->personality->pmu->tsc_mhz};
    if (hardware->threads > 1 && hardware->personality->single_thread) {
        snprintf(why, why_size, "%s has one thread a core",
                 hardware->personality->pmu->recorded != NULL ? "the recorded machine"
                                                              : hardware->personality->name);
        return false;
    }
    clock_gettime(CLOCK_MONOTONIC, &machine->begun);
    for (unsigned i = 0; i < hardware->faults->points.count; i++)
        hardware->faults->points.request[i].ticks_a_ms =
            hardware->personality->pmu->tsc_mhz * UINT64_C(1000);
    devices_reset(&machine->devices, machine, &hardware->devices);
    if (!engine_probe(machine, why, why_size))
        return false;
    if (!allocate(machine, hardware)) {
        snprintf(why, why_size, "not enough memory on the host");
        return false;
    }
    for (unsigned i = 0; i < machine->cores; i++) {
        machine->core[i].machine = machine;
        machine->core[i].index = i;
        if (!core_new(&machine->core[i], hardware, why, why_size))
            return false;
        if (i == 0 && !offers_modes(machine, hardware, x2apic, why, why_size))
            return false;
        if (x2apic)
            machine->core[i].apic.base |= APIC_BASE_X2;
    }
    return true;
}

void machine_free(struct machine *machine)
{
    for (unsigned i = 0; machine->core != NULL && i < machine->cores; i++) {
        exec_free(&machine->core[i]);
        if (machine->core[i].model != NULL)
            model_free(machine->core[i].model);
        if (machine->core[i].pmu != NULL)
            pmu_free(machine->core[i].pmu);
    }
    if (machine->shared != NULL)
        shared_cache_free(machine->shared);
    memory_free(&machine->memory);
    tempo_free(&machine->tempo);
    free(machine->core);
    free(machine->touched);
}

/* ---- turns ---- */

static bool is_asleep(const struct core *core)
{
    return core->activity == ACTIVITY_HALTED || core->activity == ACTIVITY_MWAIT ||
           core->activity == ACTIVITY_STUCK;
}

/* Whether an interrupt or NMI is pending that would end the sleep of the core. */
static bool may_wake(struct core *core)
{
    if (core->activity == ACTIVITY_STUCK)
        return inject_frees(core);
    if (trap_interrupt_ready(core, false))
        return true;
    return core->activity == ACTIVITY_MWAIT &&
           (!core->armed ||
            (core->mwait_break && (apic_pending(&core->apic) >= 0 || irq_external(&core->apic))));
}

/* The cycle at which the core can do something, NEVER when it waits for others. */
static uint64_t due(struct core *core)
{
    const struct firmware *firmware = core->machine->firmware;
    uint64_t now, event, tick;

    if (core->activity == ACTIVITY_WAIT_SIPI)
        return NEVER;
    now = core_clock(core);
    if (core->activity == ACTIVITY_RUNNING)
        return now;
    if (may_wake(core))
        return core->wake == NEVER || core->wake < now ? now : core->wake;
    if (core->activity == ACTIVITY_STUCK ||
        (core->activity == ACTIVITY_HALTED && !trap_takes_interrupts(core)))
        return NEVER; /* the timer's interrupt would not be taken */
    event = firmware_tick_due(firmware, core);
    tick = firmware_next_tick(firmware, core);
    if (tick < event)
        event = tick;
    if (core->apic.event < event)
        event = core->apic.event;
    return event == NEVER ? NEVER : event > now ? event : now;
}

static void turn(struct core *core, uint64_t at, uint64_t others)
{
    struct firmware *firmware = core->machine->firmware;
    uint64_t now, device = devices_due(&core->machine->devices), quantum;
    bool contended;

    if (is_asleep(core)) {
        const uint64_t tick = firmware_next_tick(firmware, core);

        core_idle_until(core, at);
        apic_tick(&core->apic);
        if (!may_wake(core) && !firmware_tick(firmware, core) && at < tick)
            return;
        activity_set(core, ACTIVITY_RUNNING, core_now(core));
        core->faults.stuck = STUCK_NOT;
        core->wake = NEVER;
        inject_wake(core);
    } else {
        apic_tick(&core->apic);
        firmware_tick(firmware, core);
    }
    model_running(core->model, true);
    inject_turn(core);
    if (core->activity != ACTIVITY_RUNNING) {
        model_running(core->model, false);
        return;
    }
    now = core_now(core);
    contended = now < core->machine->contended;
    quantum = contended ? SHORT : QUANTUM;
    core->refill = contended || core->faults.waiting != 0 ? 1 : FUEL;
    core->limit = others == NEVER ? now + ALONE : (others > now ? others : now) + quantum;
    if (core->apic.event < core->limit)
        core->limit = core->apic.event;
    if (device < core->limit)
        core->limit = device;
    if (firmware_tick_due(firmware, core) < core->limit)
        core->limit = firmware_tick_due(firmware, core);
    if (inject_due(core) < core->limit)
        core->limit = inject_due(core);
    exec_run(core);
    model_running(core->model, core->activity == ACTIVITY_RUNNING);
    model_advance(core->model);
}

/* Whether a device could wake a core, when all are asleep. */
static bool device_may_wake(const struct machine *machine)
{
    if (devices_due(&machine->devices) == NEVER)
        return false;
    for (unsigned i = 0; i < machine->cores; i++) {
        const struct core *core = &machine->core[i];

        if (core->activity == ACTIVITY_MWAIT ||
            (core->activity == ACTIVITY_HALTED && trap_takes_interrupts(core)))
            return true;
    }
    return devices_may_break_in(&machine->devices);
}

/* Nothing can happen any more: an end in order when every core is halted with interrupts off, else
 * a deadlock. */
static void all_asleep(struct machine *machine)
{
    char text[256] = "";
    size_t used = 0;
    bool stuck = false;

    for (unsigned i = 0; i < machine->cores; i++) {
        struct core *core = &machine->core[i];

        if (core->activity == ACTIVITY_WAIT_SIPI || core->activity == ACTIVITY_STUCK ||
            (core->activity == ACTIVITY_HALTED && !trap_takes_interrupts(core)))
            continue;
        stuck = true;
        if (used < sizeof(text) - 32)
            used += (size_t)snprintf(text + used, sizeof(text) - used, " %u at 0x%llx", i,
                                     (unsigned long long)core->rip);
    }
    if (stuck)
        machine_end(machine, 1,
                    "deadlock: every processor is halted and nothing will wake one; waiting:%s",
                    text);
    else
        machine_end(machine, 0, "every processor is halted with interrupts off");
}

void machine_run(struct machine *machine)
{
    for (unsigned long turns = 0; !machine->ended; turns++) {
        struct core *next = NULL;
        uint64_t first = NEVER, second = NEVER, device;

        if (turns % 64 == 0)
            machine_look_at_time(machine);
        for (unsigned i = 0; i < machine->cores; i++) {
            uint64_t at = due(&machine->core[i]);

            if (at < first) {
                second = first;
                first = at;
                next = &machine->core[i];
            } else if (at < second) {
                second = at;
            }
        }
        device = devices_due(&machine->devices);
        if (device != NEVER && device <= first && (next != NULL || device_may_wake(machine))) {
            devices_turn(&machine->devices, device);
            continue;
        }
        if (next == NULL) {
            all_asleep(machine);
            return;
        }
        turn(next, first, second);
        if (firmware_watchdog(machine->firmware, core_ticks(&machine->core[0])))
            machine_end(machine, 1, "the firmware's watchdog timer reset the machine");
    }
}
