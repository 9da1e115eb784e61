#include "core.h"

#include "apic.h"
#include "clock.h"
#include "context.h"
#include "cpu.h"
#include "format.h"
#include "watchdog.h"
#include "log.h"
#include "paging.h"
#include "idle.h"

struct cores cores = {.all = &cores.boot, .count = 1};

static struct {
    struct watchdog of;
    unsigned core; /* that watches the boot processor now; 0: none */
} guard;

INTERRUPT_SAFE struct trap_state *trap_state_of(unsigned core)
{
    return &cores.all[core].trap;
}

void core_give_up(unsigned index, const char *why)
{
    struct core_place *place = &cores.all[index].place;
    char where[48];

    place->online = false;
    place->why = why;
    format(where, sizeof(where), "core %u, APIC id %u", index, (unsigned)place->apic_id);
    log_error(why, where, "a core that answers");
}

/* --- on the application processors ----------------------------------------------------------- */

/* The first state ends the boot processor's wait; the second says that the interrupt was sent. It
 * must know that: an interrupt of ours that came later would reach the firmware. */
static void tell_boot_processor(struct core *core, enum core_state first, enum core_state second)
{
    if (!core_change_state(core, CORE_WORKING, first))
        halt_forever(); /* given up */
    apic_send_fixed(cores.all[0].place.apic_id, VECTOR_WAKE);
    core_set_state(core, second);
}

/* Where an unexpected trap of an application processor goes on: the boot processor reports it. */
void core_trapped(void)
{
    struct core *core = &cores.all[context_core()];

    if (cores.aftermath != NULL && !core->landed) {
        core->landed = true;
        cores.aftermath(cores.aftermath_context, context_core());
    }
    tell_boot_processor(core, CORE_TRAPPING, CORE_TRAPPED);
    halt_forever();
}

/* Entered from the trampoline, on the core's own stack. */
void core_main(uint64_t index)
{
    struct core *core = &cores.all[index];
    struct context context = context_own((unsigned)index);
    const uint32_t mxcsr = 0x1f80;

    context_load(&context);
    __asm__ volatile("fninit; ldmxcsr %0" : : "m"(mxcsr));
    apic_enable_here();
    core->generation = paging_generation();
    if (!core_change_state(core, CORE_STARTING, CORE_PARKED))
        halt_forever();

    for (;;) {
        if (core_state(core) != CORE_WORKING) {
            wait_for_interrupt();
            continue;
        }
        if (core->generation != paging_generation()) {
            core->generation = paging_generation();
            write_cr3(paging_root());
        }
        core->work(core->argument);
        tell_boot_processor(core, CORE_DONE, CORE_PARKED);
    }
}

/* --- work ------------------------------------------------------------------------------------ */

unsigned cores_count(void)
{
    return cores.count;
}

const struct core_place *cores_place(unsigned core)
{
    return core < cores.count ? &cores.all[core].place : NULL;
}

void cores_set_aftermath(void (*aftermath)(void *context, unsigned core), void *context)
{
    cores.aftermath = aftermath;
    cores.aftermath_context = context;
}

unsigned cores_self(void)
{
    return cores.all[0].place.online ? context_core() : 0;
}

static enum rc begin(unsigned index, void (*work)(void *argument), void *argument)
{
    struct core *core = &cores.all[index];

    core->work = work;
    core->argument = argument;
    core_set_state(core, CORE_WORKING);
    return apic_send_fixed(core->place.apic_id, VECTOR_WAKE);
}

/* NMIs and stray interrupts harm nobody, but who reads the numbers should know of them. */
static void tell_interrupts(unsigned index)
{
    struct core *core = &cores.all[index];
    uint64_t nmis = core->trap.nmis, strays = core->trap.strays;

    if (nmis == core->nmis_told && strays == core->strays_told)
        return;
    log_comment("core %u: %llu NMIs and %llu stray interrupts during its work", index,
                (unsigned long long)(nmis - core->nmis_told),
                (unsigned long long)(strays - core->strays_told));
    core->nmis_told = nmis;
    core->strays_told = strays;
}

/* Halts until the core has left that state. False: it is in it still when the deadline passes. */
static bool leaves(const struct core *core, enum core_state state, uint64_t deadline)
{
    while (core_state(core) == state) {
        if (clock_passed(deadline))
            return false;
        idle_halt();
    }
    return true;
}

/* Halts until the core's work is over. When the deadline passes first the core is stopped: by an
 * NMI, after which it still does what is to be done after a trap, or else by an INIT. Nothing may
 * be logged (that calls the firmware) before this was done for all cores that work: any of them may
 * send its interrupt meanwhile. */
static void wait_for(unsigned index, uint64_t deadline)
{
    struct core *core = &cores.all[index];
    bool given_up = false;

    idle_begin();
    if (!leaves(core, CORE_WORKING, deadline)) {
        core->trap.called_off = true;
        apic_send_nmi(core->place.apic_id);
        if (!leaves(core, CORE_WORKING, clock_deadline(ANSWER_US)))
            given_up = core_change_state(core, CORE_WORKING, CORE_GIVEN_UP);
    }
    deadline = clock_deadline(ANSWER_US);
    while (!given_up && (core_state(core) == CORE_DONE || core_state(core) == CORE_TRAPPING)) {
        given_up = clock_passed(deadline);
        pause();
    }
    core->late = given_up || core->trap.called_off;
    if (core->late)
        apic_send_init(core->place.apic_id); /* it shall not disturb the others */
    idle_end();
}

/* How its work ended, after wait_for. */
static enum rc conclude(unsigned index)
{
    struct core *core = &cores.all[index];

    if (core->late) {
        core_give_up(index, "its work did not end in time");
        return RC_TIMEOUT;
    }
    if (core_state(core) == CORE_TRAPPED) {
        trap_report(&core->trap, index);
        core->place.online = false;
        core->place.why = "an unexpected trap";
        return RC_FAULT;
    }
    tell_interrupts(index);
    return RC_OK;
}

/* The highest core that is there; 0: the boot processor is alone. */
static unsigned last_online(void)
{
    unsigned core = cores.count - 1;

    while (core != 0 && !cores.all[core].place.online)
        core--;
    return core;
}

/* Has the last core watch the boot processor, after some work of its own; null: none. Its index; 0:
 * nobody can. */
static unsigned begin_guard(void (*work)(void *argument), void *argument, uint64_t timeout_us)
{
    const unsigned core = last_online();

    guard.core = core;
    guard.of = (struct watchdog){.work = work, .argument = argument, .timeout_us = timeout_us};
    if (core != 0 && begin(core, watchdog_work, &guard.of) != RC_OK)
        guard.core = 0;
    return core;
}

/* False: it had given up the boot processor's work before. */
static bool release_guard(void)
{
    const unsigned core = guard.core;
    bool in_time = core == 0 || watchdog_release(&guard.of);

    guard.core = 0;
    if (core != 0)
        apic_send_fixed(cores.all[core].place.apic_id, VECTOR_WAKE);
    return in_time;
}

static void work_guarded(void (*work)(void *argument), void *argument)
{
    uint64_t deadline;

    if (guard.core != 0)
        watchdog_wait(&guard.of);
    work(argument);
    deadline = clock_deadline(ANSWER_US);
    if (!release_guard())
        while (!clock_passed(deadline))
            pause(); /* for the NMI that ends it */
}

void cores_settle(uint64_t timeout_us)
{
    uint64_t deadline = clock_deadline(timeout_us);
    bool at_work[CORES_MAX];

    if (cores.count == 1)
        return; /* there may be no local APIC either */
    release_guard();
    for (unsigned i = 1; i < cores.count; i++) {
        at_work[i] = cores.all[i].place.online && core_state(&cores.all[i]) != CORE_PARKED;
        if (at_work[i])
            wait_for(i, deadline);
    }
    idle_begin();
    idle_end(); /* takes what those sent that were done before */
    for (unsigned i = 1; i < cores.count; i++)
        if (at_work[i])
            conclude(i);
}

static enum rc run_here(void (*work)(void *argument), void *argument, uint64_t timeout_us)
{
    unsigned core = begin_guard(NULL, NULL, timeout_us);

    work_guarded(work, argument);
    if (core != 0) {
        wait_for(core, clock_deadline(ANSWER_US));
        conclude(core);
    }
    tell_interrupts(0);
    return RC_OK;
}

enum rc cores_run(unsigned core, void (*work)(void *argument), void *argument, uint64_t timeout_us)
{
    enum rc rc;

    if (core >= cores.count || !cores.all[core].place.online)
        return RC_ABSENT;
    if (core == 0)
        return run_here(work, argument, timeout_us);
    rc = begin(core, work, argument);
    if (rc != RC_OK)
        timeout_us = 0; /* the call that wakes it did not get through */
    wait_for(core, clock_deadline(timeout_us));
    return conclude(core);
}

enum rc cores_run_all(void (*work)(void *argument), void **arguments, uint64_t timeout_us)
{
    const unsigned last = last_online();
    bool begun[CORES_MAX] = {false};
    enum rc result = RC_OK, rc;
    uint64_t deadline;

    for (unsigned i = 1; i < cores.count; i++) {
        if (!cores.all[i].place.online)
            continue;
        if (i == last)
            begin_guard(work, arguments[i], timeout_us);
        else
            begin(i, work, arguments[i]);
        begun[i] = true;
    }
    deadline = clock_deadline(timeout_us);
    work_guarded(work, arguments[0]);
    for (unsigned i = 1; i < cores.count; i++) {
        if (i == last && clock_passed(deadline)) /* it must come to see that it is released */
            deadline = clock_deadline(ANSWER_US);
        if (begun[i])
            wait_for(i, deadline);
    }
    for (unsigned i = 1; i < cores.count; i++) {
        rc = begun[i] ? conclude(i) : RC_OK;
        if (rc != RC_OK)
            result = rc;
    }
    tell_interrupts(0);
    return result;
}
