#include "cores.h"

#include "apic.h"
#include "boot/clock.h"
#include "boot/cpu.h"
#include "boot/firmware/clock_start.h"
#include "boot/log.h"
#include "core.h"
#include "cores_start.h"
#include "idle.h"
#include "ring_3.h"
#include "trap.h"
#include "vector.h"
#include "watchdog.h"

static struct {
    struct watchdog watchdog;
    unsigned core;     /* the watchdog of the boot processor's work runs there; 0: nowhere */
    unsigned released; /* it ran there until it was released; 0: no core is awaited for that */
    bool told;         /* that the boot processor cannot halt */
} self;

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

static enum rc begin(unsigned index, void (*work)(void *argument), void *argument)
{
    struct core *core = &cores.all[index];

    core->work = work;
    core->argument = argument;
    if (!core_change_state(core, CORE_PARKED, CORE_WORKING))
        return RC_FAULT; /* it trapped while it had no work */
    return apic_send_fixed(core->place.apic_id, VECTOR_WAKE);
}

void cores_name_work(const char *name)
{
    cores.work_name = name;
}

const char *cores_work_name(void)
{
    return cores.work_name;
}

/* NMIs and stray interrupts end no work, but may have changed its numbers. */
static void log_interrupts(unsigned first, unsigned count)
{
    for (unsigned i = first; i < first + count; i++)
        trap_tell(&cores.all[i].trap, i, cores.work_name, cores.started);
}

void cores_tell_interrupts(void)
{
    log_interrupts(0, cores.count);
}

bool cores_wait_in_loop(void)
{
    return idle_spun();
}

static void tell_loop(void)
{
    if (self.told || !idle_spun())
        return;
    self.told = true;
    log_error("the boot processor cannot halt while another core measures: it waits in a loop",
              "local APIC, LVT Timer Register", "no timer of the firmware's in TSC-deadline mode");
}

/* Halts until the core has left that state. False: the deadline passed first. */
static bool leaves(const struct core *core, enum core_state state, struct deadline *deadline)
{
    while (core_state(core) == state) {
        if (clock_passed(deadline))
            return false;
        idle_halt();
        clock_check();
    }
    return true;
}

/* Ends the work of the awaited cores that are still at it by an NMI, as a trap does, aftermath
 * included; a core that does not react to the NMI is given up. */
static void call_off(const bool *awaited)
{
    struct deadline deadline;

    for (unsigned i = 1; i < cores.count; i++) {
        struct core *core = &cores.all[i];

        if (!awaited[i] || core_state(core) != CORE_WORKING)
            continue;
        core->trap.called_off = true;
        apic_send_nmi(core->place.apic_id);
    }
    deadline = clock_deadline(ANSWER_US);
    for (unsigned i = 1; i < cores.count; i++)
        if (awaited[i] && !leaves(&cores.all[i], CORE_WORKING, &deadline))
            (void)core_change_state(&cores.all[i], CORE_WORKING, CORE_GIVEN_UP);
}

/* Waits until the core's interrupt has been sent. A core that was given up, or whose interrupt does
 * not come, gets an INIT: it must not disturb the others. */
static void let_go(struct core *core, struct deadline *deadline)
{
    bool given_up = core_state(core) == CORE_GIVEN_UP;

    while (!given_up && (core_state(core) == CORE_DONE || core_state(core) == CORE_TRAPPING)) {
        given_up = clock_passed(deadline);
        pause();
    }
    core->late = given_up || core->trap.called_off;
    core->reset = core->late && core_state(core) != CORE_TRAPPED; /* else it is halted for good */
    if (core->reset)
        apic_send_init(core->place.apic_id);
}

/* Halts until the work of the awaited cores is over; those that are late are stopped. Before this
 * is done nothing may be logged: logging calls the firmware, and the interrupt of a core that is
 * still working would reach it. */
static void wait_for(const bool *awaited, struct deadline deadline)
{
    bool late = false;

    idle_begin();
    for (unsigned i = 1; i < cores.count; i++) {
        if (!awaited[i])
            continue;
        if (i == self.released && clock_passed(&deadline)) /* time to see that it is released */
            deadline = clock_deadline(ANSWER_US);
        late |= !leaves(&cores.all[i], CORE_WORKING, &deadline);
    }
    self.released = 0;
    if (late)
        call_off(awaited);
    deadline = clock_deadline(ANSWER_US);
    for (unsigned i = 1; i < cores.count; i++)
        if (awaited[i])
            let_go(&cores.all[i], &deadline);
    idle_end();
    cores_halt();
}

/* Why a core is given up whose work did not end in time. */
static const char *late_reason(const struct core *core)
{
    if (!core->reset)
        return "its work did not end in time";
    return core_state(core) == CORE_HALTED
               ? "its work did not end in time, nor at an NMI: an INIT stopped it"
               : "its work did not end in time, nor at an NMI or INIT: it may disturb what follows";
}

/* Logs how the core's work ended, after wait_for. */
static enum rc conclude(unsigned index)
{
    struct core *core = &cores.all[index];
    enum rc rc = RC_OK;

    if (core->late) {
        core_give_up(index, late_reason(core));
        return RC_TIMEOUT;
    }
    if (core_state(core) == CORE_TRAPPED) {
        trap_report(&core->trap, index);
        core->place.online = false;
        core->place.trapped = true;
        core->place.nmi_storm = core->trap.storm;
        core->place.why =
            core->trap.storm ? "a storm of NMIs that nobody asked for" : "an unexpected trap";
        rc = RC_FAULT;
    }
    log_interrupts(index, 1);
    tell_loop();
    return rc;
}

/* The highest core that is online; 0: there is only the boot processor. */
static unsigned last_online(void)
{
    unsigned core = cores.count - 1;

    while (core != 0 && !cores.all[core].place.online)
        core--;
    return core;
}

/* Makes the last core the watchdog of the boot processor's work. The watchdog runs work(argument)
 * first; `work` may be null. Returns the index of its core, 0: there is no other core. */
static unsigned begin_watchdog(void (*work)(void *argument), void *argument, uint64_t timeout_us)
{
    const unsigned core = last_online();

    self.core = core;
    self.watchdog = (struct watchdog){.work = work,
                                      .argument = argument,
                                      .timeout_us = timeout_us,
                                      .apic_id = cores.all[0].place.apic_id};
    if (core != 0 && begin(core, watchdog_work, &self.watchdog) != RC_OK)
        self.core = 0;
    return core;
}

/* False: the watchdog has ended the boot processor's work already. */
static bool release_watchdog(void)
{
    const unsigned core = self.core;
    bool in_time = core == 0 || watchdog_release(&self.watchdog);

    self.released = core;
    self.core = 0;
    if (core != 0)
        apic_send_fixed(cores.all[core].place.apic_id, VECTOR_WAKE);
    return in_time;
}

static void work_watched(void (*work)(void *argument), void *argument)
{
    struct deadline deadline;

    if (self.core != 0)
        watchdog_wait(&self.watchdog, ANSWER_US);
    ring_3_begin();
    work(argument);
    ring_3_end();
    deadline = clock_deadline(ANSWER_US);
    if (!release_watchdog())
        while (!clock_passed(&deadline))
            pause(); /* until the NMI comes that ends the work */
}

void cores_settle(uint64_t timeout_us)
{
    bool at_work[CORES_MAX];

    ring_3_end(); /* before the firmware runs again */
    if (cores.count == 1)
        return; /* there may be no local APIC either */
    if (cores.aftermath != NULL)
        cores.aftermath(cores.aftermath_context, 0);
    release_watchdog();
    for (unsigned i = 1; i < cores.count; i++)
        at_work[i] = cores.all[i].place.online && core_state(&cores.all[i]) != CORE_PARKED;
    wait_for(at_work, clock_deadline(timeout_us)); /* also takes interrupts of those done before */
    for (unsigned i = 1; i < cores.count; i++)
        if (at_work[i])
            conclude(i);
}

static enum rc wait_for_one(unsigned core, uint64_t timeout_us)
{
    bool awaited[CORES_MAX] = {false};

    awaited[core] = true;
    wait_for(awaited, clock_deadline(timeout_us));
    return conclude(core);
}

static enum rc run_here(void (*work)(void *argument), void *argument, uint64_t timeout_us)
{
    unsigned core = begin_watchdog(NULL, NULL, timeout_us);

    work_watched(work, argument);
    if (core != 0)
        (void)wait_for_one(core, ANSWER_US);
    clock_check();
    cores_tell_interrupts();
    return RC_OK;
}

void cores_lose(unsigned core, const char *why)
{
    if (core > 0 && core < cores.count && cores.all[core].place.online)
        core_give_up(core, why);
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
        timeout_us = 0; /* the interrupt that wakes it was not sent */
    rc = wait_for_one(core, timeout_us);
    clock_check();
    cores_tell_interrupts();
    return rc;
}

enum rc cores_run_all(void (*work)(void *argument), void **arguments, uint64_t timeout_us)
{
    const unsigned last = last_online();
    bool begun[CORES_MAX] = {false};
    enum rc result = RC_OK, rc;
    struct deadline deadline;

    for (unsigned i = 1; i < cores.count; i++) {
        if (!cores.all[i].place.online)
            continue;
        if (i == last)
            begin_watchdog(work, arguments[i], timeout_us);
        else
            begin(i, work, arguments[i]);
        begun[i] = true;
    }
    deadline = clock_deadline(timeout_us);
    work_watched(work, arguments[0]);
    (void)clock_passed_working(&deadline);
    wait_for(begun, deadline);
    for (unsigned i = 1; i < cores.count; i++) {
        rc = begun[i] ? conclude(i) : RC_OK;
        if (rc != RC_OK)
            result = rc;
    }
    clock_check();
    cores_tell_interrupts();
    return result;
}
