/* Defines what device/platform.h declares, except the clocks, which are in engine/clock.c. */
#include "device/platform.h"

#include <stdarg.h>
#include <stdio.h>

#include "machine/engine/activity.h"
#include "machine/engine/clock.h"
#include "machine/engine/debug.h"
#include "machine/engine/engine.h"
#include "machine/engine/fault.h"
#include "machine/engine/state.h"
#include "pmu/pmu.h"

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

bool machine_has_ended(const struct machine *machine)
{
    return machine->ended;
}

struct apic *machine_apic(struct machine *machine, unsigned n)
{
    return n < machine->cores ? &machine->core[n].apic : NULL;
}

unsigned core_number(const struct core *core)
{
    return core->index;
}

uint64_t core_window(const struct core *core)
{
    return core->window;
}

bool core_is_bsp(const struct core *core)
{
    return core->index == 0;
}

void core_look_for_interrupts(struct core *core)
{
    core->attention |= ATTENTION_INTERRUPT;
}

void core_end_slice(struct core *core)
{
    core->attention |= ATTENTION_YIELD;
}

void core_wait(struct core *core, uint64_t ticks)
{
    core_idle_until(core, machine_cycles(core->machine, core_ticks(core) + ticks));
}

void core_wake(struct core *core, uint64_t now)
{
    if (core->activity == ACTIVITY_RUNNING || core->activity == ACTIVITY_WAIT_SIPI)
        return;
    core->wake = now < core->wake ? now : core->wake;
}

void core_nmi(struct core *core)
{
    core->nmi_pending = true;
    core_look_for_interrupts(core);
}

bool core_init(struct core *core, uint64_t now)
{
    if (core_is_bsp(core)) {
        machine_end(core->machine, 1, "an INIT was sent to the boot processor");
        return false;
    }
    if (core->activity == ACTIVITY_STUCK && core->faults.stuck == STUCK_FOR_GOOD)
        return false;
    core->inits++;
    if (core->activity != ACTIVITY_WAIT_SIPI)
        core_idle_until(core, now);
    if (core->armed)
        core->machine->armed--;
    core->armed = false;
    core->nmi_pending = core->nmi_blocked = core->shadow = false;
    core->pending.live = false;
    core->attention = 0;
    debug_reset(core);
    core->wake = NEVER;
    core->faults.stuck = STUCK_NOT;
    activity_set(core, ACTIVITY_WAIT_SIPI, now > core_now(core) ? now : core_now(core));
    model_running(core->model, false);
    return true;
}

unsigned core_inits(const struct core *core)
{
    return core->inits;
}

void core_start(struct core *core, uint8_t vector, uint64_t now)
{
    if (core->activity != ACTIVITY_WAIT_SIPI ||
        fault_silences(core->machine->faults, core->index, core->inits))
        return;
    core->boot_selector = (uint16_t)(vector << 8);
    if (!engine_enter_real_mode(core, (uint16_t)core->boot_selector)) {
        machine_end(core->machine, 1, "not enough memory on the host to start processor %u",
                    core->index);
        return;
    }
    debug_reset(core);
    core_set_register(core, UC_X86_REG_RDX, pmu_cpuid(core->pmu, 1, 0, 0).eax);
    core->rip = (uint64_t)vector << 12;
    core->long_mode = false;
    core->code_bits = 16;
    core->code_base = core->rip;
    core->attention = 0;
    core->pending.live = false;
    core_idle_until(core, now);
    activity_set(core, ACTIVITY_RUNNING, core_now(core));
}
