/* The machine as a whole: its parts, its clock, and whose turn it is. */
#define _GNU_SOURCE
#include "machine.h"

#include <stdlib.h>
#include <string.h>

#include "exec.h"
#include "firmware/firmware.h"
#include "device/irq.h"
#include "pmu/personality.h"
#include "pmu/parameters.h"
#include "truth.h"

#define QUANTUM 2000    /* cycles that a core may run ahead of the others, */
#define SHORT   32      /* while a line goes to and fro between them: less than that takes */
#define FUEL    32      /* instructions between two looks at the clock */
#define ALONE   1000000 /* cycles of a slice when nobody else could run */
#define MHZ     1000000u

typedef unsigned __int128 wide;

uint64_t machine_ticks(const struct machine *machine, uint64_t cycles)
{
    return (uint64_t)((wide)cycles * machine->tsc_mhz / machine->core_mhz);
}

uint64_t machine_cycles(const struct machine *machine, uint64_t ticks)
{
    wide cycles = ((wide)ticks * machine->core_mhz + machine->tsc_mhz - 1) / machine->tsc_mhz;

    return cycles >= NEVER ? NEVER - 1 : (uint64_t)cycles;
}

uint64_t machine_ticks_of(const struct machine *machine, uint64_t count, uint64_t hz)
{
    return (uint64_t)(((wide)count * machine->tsc_mhz * MHZ + hz - 1) / hz);
}

uint64_t machine_count_of(const struct machine *machine, uint64_t ticks, uint64_t hz)
{
    return (uint64_t)((wide)ticks * hz / ((wide)machine->tsc_mhz * MHZ));
}

/* The clock without what still waits for the other thread of the core. */
static uint64_t core_clock(const struct core *core)
{
    return core->model != NULL ? model_now(core->model)
                               : 0; /* the PMU is made first and looks at the clock */
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

bool core_is_bsp(const struct core *core)
{
    return core->index == 0;
}

void core_idle_until(struct core *core, uint64_t cycle)
{
    uint64_t now;

    model_drain(core->model);
    now = core_now(core);
    if (cycle > now)
        model_idle(core->model, cycle - now);
}

void core_wake(struct core *core, uint64_t now)
{
    if (core->state != CORE_HALTED && core->state != CORE_MWAIT)
        return;
    core->wake = now < core->wake ? now : core->wake;
}

void core_init(struct core *core, uint64_t now)
{
    if (core_is_bsp(core)) {
        machine_end(core->machine, 1, "an INIT was sent to the boot processor");
        return;
    }
    if (core->state != CORE_WAIT_SIPI)
        core_idle_until(core, now);
    apic_reset(core, false);
    if (core->armed)
        core->machine->armed--;
    core->armed = false;
    core->nmi_pending = core->nmi_blocked = false;
    core->pending.live = false;
    core->attention = 0;
    core->wake = NEVER;
    core->state = CORE_WAIT_SIPI;
    model_running(core->model, false);
}

void machine_end(struct machine *machine, int status, const char *format, ...)
{
    va_list list;

    if (machine->ended)
        return;
    machine->ended = true;
    machine->status = status;
    va_start(list, format);
    vsnprintf(machine->message, sizeof(machine->message), format, list);
    va_end(list);
}

/* ---- construction ---- */

/* Asked for while cycles are passed on too, so it must not make any. */
static uint64_t pmu_now(void *context)
{
    return core_clock(context);
}

static void pmu_interrupt(void *context)
{
    apic_performance(context);
}

static void pmu_counting(void *context, bool counting)
{
    struct core *core = context;

    core->counting = counting;
    if (counting) {
        core->window++;
        model_truth_reset(core->model);
    } else {
        truth_write(core->machine->truth, core);
    }
}

/* What one core does can be seen by what another one counts. */
static void pmu_observes(void *context, bool observes)
{
    struct machine *machine = ((struct core *)context)->machine;

    machine->observing += observes ? 1u : -1u;
    machine->observed = machine->observing > 0;
}

static bool core_new(struct core *core, const struct machine_options *options, char *why,
                     size_t why_size)
{
    struct machine *machine = core->machine;
    unsigned threads = options->threads;
    struct pmu_place place = {core->index, core->apic_id, options->cores, threads};
    const struct personality *kind =
        personality_of_core(options->personality, core->index / threads, options->cores);

    core->wake = NEVER;
    vector_reset(core);
    core->random = UINT64_C(0x9e3779b97f4a7c15) * (core->index + 1);
    if (!engine_new(core, why, why_size))
        return false;
    core->pmu = pmu_new(kind, place,
                        (struct pmu_host){.context = core,
                                          .pmi = pmu_interrupt,
                                          .counting = pmu_counting,
                                          .observes = pmu_observes,
                                          .now = pmu_now,
                                          .read = core_guest_read,
                                          .write = core_guest_write,
                                          .registers = core_snapshot,
                                          .subscribe = core_subscribe,
                                          .watch = core_watch});
    core->model =
        core->pmu != NULL
            ? model_new(kind->core, core->index, machine->shared,
                        (struct model_world){core, core_page_shift},
                        (struct model_sink){core->pmu, pmu_span, pmu_branch, pmu_order_slack})
            : NULL;
    if (core->model == NULL) {
        snprintf(why, why_size, "no model for processor %u: out of memory", core->index);
        return false;
    }
    model_prefetch(core->model, 0); /* as a reset leaves them */
    model_observed(core->model, &machine->observed);
    if (threads > 1 && core->index % threads) {
        pmu_join(core->pmu, machine->core[core->index - 1].pmu);
        if (!model_pair(machine->core[core->index - 1].model, core->model)) {
            snprintf(why, why_size, "no core for processor %u: out of memory", core->index);
            return false;
        }
    }
    core->state = core_is_bsp(core) ? CORE_RUNNING : CORE_WAIT_SIPI;
    apic_reset(core, true);
    return true;
}

bool machine_new(struct machine *machine, const struct machine_options *options, char *why,
                 size_t why_size)
{
    const struct pmu_parameters *pmu = options->personality->pmu;

    memset(machine, 0, sizeof(*machine));
    if (options->threads > 1 && options->personality->single_thread) {
        snprintf(why, why_size, "%s has one thread a core", options->personality->name);
        return false;
    }
    machine->seconds = options->seconds;
    machine->faults = *options->faults;
    clock_gettime(CLOCK_MONOTONIC, &machine->begun);
    machine->core_mhz = pmu->core_mhz;
    machine->tsc_mhz = pmu->tsc_mhz;
    /* "APIC Timer": the crystal's clock where CPUID enumerates it, else the bus clock. */
    machine->apic_hz = (uint64_t)(pmu->crystal_enumerated ? pmu->crystal_mhz : pmu->bus_mhz) * MHZ;
    uart_new(&machine->uart, options->serial, options->faults->serial);
    uart_new(&machine->uart_2, options->serial_2, options->faults->serial);
    pic_reset(&machine->pic);
    pit_reset(&machine->pit);
    rtc_reset(&machine->rtc);
    hpet_reset(&machine->hpet);
    if (!engine_find_old_exception(machine)) {
        snprintf(why, why_size,
                 "this libunicorn does not keep its last exception where version 2.0.1 does");
        return false;
    }
    if (!engine_find_hidden(machine)) {
        snprintf(why, why_size,
                 "this libunicorn does not keep its privilege level where version 2.0.1 does");
        return false;
    }
    machine->cores = options->cores * options->threads;
    machine->core = calloc(machine->cores, sizeof(*machine->core));
    machine->shared = shared_cache_new(options->personality->core, options->cores);
    if (machine->core == NULL || machine->shared == NULL ||
        !memory_new(&machine->memory, (uint64_t)options->memory_mib << 20)) {
        snprintf(why, why_size, "not enough memory on the host");
        return false;
    }
    machine->touched = calloc(machine->memory.size / 64, 1);
    if (machine->touched == NULL) {
        snprintf(why, why_size, "not enough memory on the host");
        return false;
    }
    for (unsigned i = 0; i < machine->cores; i++) {
        machine->core[i].machine = machine;
        machine->core[i].index = i;
        machine->core[i].apic_id = i;
        if (!core_new(&machine->core[i], options, why, why_size))
            return false;
    }
    return true;
}

void machine_free(struct machine *machine)
{
    for (unsigned i = 0; machine->core != NULL && i < machine->cores; i++) {
        engine_free(&machine->core[i]);
        if (machine->core[i].model != NULL)
            model_free(machine->core[i].model);
        if (machine->core[i].pmu != NULL)
            pmu_free(machine->core[i].pmu);
    }
    if (machine->shared != NULL)
        shared_cache_free(machine->shared);
    memory_free(&machine->memory);
    free(machine->core);
    free(machine->touched);
}

/* ---- turns ---- */

static bool is_asleep(const struct core *core)
{
    return core->state == CORE_HALTED || core->state == CORE_MWAIT;
}

/* An interrupt or NMI that would end a sleep is waiting. */
static bool may_wake(struct core *core)
{
    if (trap_interrupt_ready(core, false))
        return true;
    return core->state == CORE_MWAIT &&
           (!core->armed ||
            (core->mwait_break && (apic_pending(&core->apic) >= 0 || irq_external(core))));
}

/* The cycle at which the core can do something, NEVER when it waits for others. */
static uint64_t due(struct core *core)
{
    uint64_t now, event;

    if (core->state == CORE_WAIT_SIPI)
        return NEVER;
    now = core_clock(core);
    if (core->state == CORE_RUNNING)
        return now;
    if (may_wake(core))
        return core->wake == NEVER || core->wake < now ? now : core->wake;
    if (core->state == CORE_HALTED && !core_takes_interrupts(core))
        return NEVER; /* the timer's interrupt would not be taken */
    event = firmware_tick_due(core);
    if (core->apic.event < event)
        event = core->apic.event;
    return event == NEVER ? NEVER : event > now ? event : now;
}

static void turn(struct core *core, uint64_t at, uint64_t others)
{
    uint64_t now, device = irq_due(core->machine), quantum;
    bool contended;

    if (is_asleep(core)) {
        core_idle_until(core, at);
        apic_tick(core);
        if (!may_wake(core) && !firmware_tick(core))
            return;
        core->state = CORE_RUNNING;
        core->wake = NEVER;
    } else {
        apic_tick(core);
        firmware_tick(core);
    }
    model_running(core->model, true);
    fault_turn(core);
    now = core_now(core);
    contended = now < core->machine->contended;
    quantum = contended ? SHORT : QUANTUM;
    core->refill = contended ? 1 : FUEL;
    core->limit = others == NEVER ? now + ALONE : (others > now ? others : now) + quantum;
    if (core->apic.event < core->limit)
        core->limit = core->apic.event;
    if (device < core->limit)
        core->limit = device;
    if (firmware_tick_due(core) < core->limit)
        core->limit = firmware_tick_due(core);
    if (fault_due(core) < core->limit)
        core->limit = fault_due(core);
    core_run(core);
    model_running(core->model, core->state == CORE_RUNNING);
    model_advance(core->model);
}

static bool out_of_time(const struct machine *machine)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec - machine->begun.tv_sec >= (time_t)machine->seconds;
}

/* Nothing can happen any more: an end in order when every core halted with interrupts off, else a
 * deadlock. */
static void all_asleep(struct machine *machine)
{
    char text[256] = "";
    size_t used = 0;
    bool stuck = false;

    for (unsigned i = 0; i < machine->cores; i++) {
        struct core *core = &machine->core[i];

        if (core->state == CORE_WAIT_SIPI ||
            (core->state == CORE_HALTED && !core_takes_interrupts(core)))
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
        device = irq_due(machine);
        if (device != NEVER && device <= first && (next != NULL || irq_may_wake(machine))) {
            irq_turn(machine, device);
            continue;
        }
        if (next == NULL) {
            all_asleep(machine);
            return;
        }
        turn(next, first, second);
        if (firmware_watchdog(machine->firmware, core_ticks(&machine->core[0])))
            machine_end(machine, 1, "the firmware's watchdog timer reset the machine");
        if (turns % 64 == 0 && out_of_time(machine))
            machine_end(machine, 1, "stopped after %u seconds of host time", machine->seconds);
    }
}
