#include "cores_start.h"

#include "apic.h"
#include "boot/clock.h"
#include "boot/cpu.h"
#include "boot/log.h"
#include "boot/firmware/firmware.h"
#include "boot/firmware/memory.h"
#include "boot/text.h"
#include "core.h"
#include "descriptors.h"
#include "memory/low_page.h"
#include "memory/paging.h"
#include "memory/stacks.h"
#include "trampoline.h"

#define INIT_WAIT_US    10000 /* SDM 3A, "Typical BSP Initialization Sequence" */
#define STARTUP_WAIT_US 200
_Static_assert(CORES_MAX == ACPI_PROCESSORS, "each processor of the MADT has a place");
_Static_assert(CORE_NODE_UNKNOWN == ACPI_NODE_UNKNOWN, "nodes are taken over as they are");
#define FIRST_ANSWER_US 200000 /* then INIT-SIPI-SIPI again */
#define LOOK_US         100    /* between two looks whether a processor has answered */

static struct {
    uint32_t ids[CORES_MAX], nodes[CORES_MAX];
    uint64_t stacks[CORES_MAX];
    bool startable;      /* there is a page for the trampoline */
    uint64_t trampoline; /* address of its page */
} self;

static void add_core(uint32_t apic_id, uint32_t node)
{
    if (cores.count == CORES_MAX)
        return;
    self.nodes[cores.count] = node;
    self.ids[cores.count++] = apic_id;
}

void cores_list(const struct acpi_processors *found, unsigned most)
{
    uint32_t own = apic_own_id();

    cores.count = 0;
    add_core(own, CORE_NODE_UNKNOWN);
    for (unsigned i = 0; found != NULL && i < found->count; i++) {
        if (found->apic_id[i] != own)
            add_core(found->apic_id[i], found->node[i]);
        else
            self.nodes[0] = found->node[i];
    }
    if (most && cores.count > most)
        cores.count = most;
    cores.boot.place.apic_id = own;
    cores.boot.place.node = self.nodes[0];
    cores.boot.place.why = "the processor could not be taken over";
}

/* Waits, without a call of the firmware while its page is borrowed. */
static void wait(uint64_t microseconds)
{
    struct deadline deadline = clock_deadline(microseconds);

    if (!low_page_is_borrowed()) {
        firmware_wait(microseconds);
        return;
    }
    while (!clock_passed(&deadline))
        pause();
}

/* Fills the page that the SIPI names: the code, and the data that it needs. */
static void fill_trampoline(void)
{
    uint8_t *page = (uint8_t *)(uintptr_t)self.trampoline;
    uint32_t base = (uint32_t)self.trampoline;
    struct trampoline_data data;
    size_t data_at = (size_t)(trampoline_data - trampoline_start);
    uint32_t gdt;

    memcpy(page, trampoline_start, (size_t)(trampoline_end - trampoline_start));
    memcpy(&data, page + data_at, sizeof(data));
    data.cr3 = (uint32_t)paging_root();
    data.cr4 = (uint32_t)(CR4_PAE | CR4_OSFXSR | CR4_OSXMMEXCPT | (read_cr4() & CR4_LA57));
    data.efer = (uint32_t)plain_rdmsr(IA32_EFER) & (EFER_LME | EFER_NXE);
    data.count = cores.count;
    data.ids = (uintptr_t)self.ids;
    data.stacks = (uintptr_t)self.stacks;
    data.entry = (uintptr_t)core_main;
    data.to_protected = base + (uint32_t)(trampoline_protected - trampoline_start);
    data.to_long = base + (uint32_t)(trampoline_long - trampoline_start);
    gdt = base + (uint32_t)data_at + (uint32_t)offsetof(struct trampoline_data, descriptors);
    memcpy(data.gdt_base, &gdt, sizeof(gdt));
    memcpy(page + data_at, &data, sizeof(data));
}

enum rc cores_prepare(void (*last_landing)(void))
{
    struct core *all = memory_alloc(cores.count * sizeof(*all));

    if (all == NULL || stacks_prepare(cores.count) != RC_OK)
        return RC_NO_SPACE;
    for (unsigned i = 0; i < cores.count; i++) {
        uint64_t top;

        if (descriptors_stacks(i, &top) != RC_OK)
            return RC_NO_SPACE;
        self.stacks[i] = top;
        all[i].place.apic_id = self.ids[i];
        all[i].place.node = self.nodes[i];
        all[i].place.why = "not started";
        all[i].trap.landing = i ? core_trapped : last_landing;
        all[i].trap.landing_stack = top;
        trap_set_state(i, &all[i].trap);
    }
    cores.all = all;
    self.startable = cores.count > 1 && low_page_find();
    return RC_OK;
}

void cores_boot_ready(void)
{
    struct core *core = &cores.all[0];

    core->place.online = true;
    core->place.why = NULL;
    core->state = CORE_PARKED;
    cores.started = clock_now();
}

static const char *send_startup(unsigned index, bool again)
{
    uint32_t id = cores.all[index].place.apic_id;
    uint8_t page = (uint8_t)(self.trampoline >> 12);

    switch (again ? apic_send_startup(id, page) : apic_send_init(id)) {
    case RC_OK:
        return NULL;
    case RC_ABSENT:
        return "its APIC id needs x2APIC mode";
    default:
        return "the local APIC does not send";
    }
}

/* INIT-SIPI-SIPI for all cores that are CORE_ABSENT. */
static void start_absent(void)
{
    for (unsigned i = 1; i < cores.count; i++) {
        const char *why;

        if (core_state(&cores.all[i]) != CORE_ABSENT)
            continue;
        core_set_state(&cores.all[i], CORE_STARTING);
        why = send_startup(i, false);
        if (why != NULL) {
            core_set_state(&cores.all[i], CORE_GIVEN_UP);
            cores.all[i].unreachable = true;
            cores.all[i].place.why = why;
        }
    }
    wait(INIT_WAIT_US);
    /* The second SIPI is for processors that missed the first. */
    for (int round = 0; round < 2; round++) {
        for (unsigned i = 1; i < cores.count; i++)
            if (core_state(&cores.all[i]) == CORE_STARTING)
                send_startup(i, true);
        wait(STARTUP_WAIT_US);
    }
}

/* Waits until no core is CORE_STARTING, at most so long. A core without an answer is given up: if
 * it still comes, it halts for good. Gives how many those are. */
static unsigned await_answers(uint64_t timeout_us)
{
    struct deadline deadline = clock_deadline(timeout_us);
    unsigned silent = 0;

    for (unsigned i = 1; i < cores.count; i++) {
        struct core *core = &cores.all[i];

        while (core_state(core) == CORE_STARTING && !clock_passed(&deadline))
            wait(LOOK_US);
        if (core_change_state(core, CORE_STARTING, CORE_GIVEN_UP)) {
            silent++;
        } else if (core_state(core) == CORE_PARKED) {
            core->place.online = true;
            core->place.why = NULL;
        }
    }
    return silent;
}

/* The cores that were given up, and not because their APIC cannot be reached, get another start,
 * also one that has come meanwhile. */
static void forgive(void)
{
    for (unsigned i = 1; i < cores.count; i++)
        if (!cores.all[i].unreachable &&
            !core_change_state(&cores.all[i], CORE_GIVEN_UP, CORE_ABSENT))
            (void)core_change_state(&cores.all[i], CORE_HALTED, CORE_ABSENT);
}

/* Logs what became of the cores that did not get ready, once none is starting any more. */
static void report_failures(void)
{
    for (unsigned i = 1; i < cores.count; i++) {
        struct core *core = &cores.all[i];

        if (core_state(core) == CORE_TRAPPED) {
            trap_report(&core->trap, i);
            core->place.why = "an unexpected trap before it was parked";
        } else if (core_state(core) == CORE_GIVEN_UP || core_state(core) == CORE_HALTED) {
            core_give_up(i, core->unreachable ? core->place.why
                                              : "no answer within 1 s of its second start");
        }
    }
    if (low_page_is_borrowed())
        log_comment(
            "no page below 640 KiB is free: one of the firmware's was borrowed, and put back");
}

/* A core that would come to a page which is the firmware's again waits for a start-up message
 * instead. */
static void stop_silent(void)
{
    for (unsigned i = 1; i < cores.count; i++)
        if (core_state(&cores.all[i]) == CORE_GIVEN_UP && !cores.all[i].unreachable)
            apic_send_init(cores.all[i].place.apic_id);
}

void cores_start_others(void)
{
    if (!self.startable) {
        for (unsigned i = 1; i < cores.count; i++)
            core_give_up(i, "no memory below 640 KiB to start it from");
        return;
    }
    self.trampoline = low_page_take();
    fill_trampoline();
    start_absent();
    if (await_answers(FIRST_ANSWER_US) > 0) {
        forgive();
        start_absent();
        if (await_answers(ANSWER_US) > 0 && low_page_is_borrowed())
            stop_silent();
    }
    low_page_give_back();
    report_failures();
}

static bool is_to_halt(const struct core *core)
{
    return core->reset && core->place.online;
}

/* Waits until the cores are halted, at most so long. One that comes no more must not come to a page
 * which is the firmware's again. */
static void await_halted(uint64_t timeout_us)
{
    struct deadline deadline = clock_deadline(timeout_us);

    for (unsigned i = 1; i < cores.count; i++) {
        if (!is_to_halt(&cores.all[i]))
            continue;
        while (core_state(&cores.all[i]) == CORE_GIVEN_UP && !clock_passed(&deadline))
            wait(LOOK_US);
        if (core_state(&cores.all[i]) == CORE_GIVEN_UP && low_page_is_borrowed())
            apic_send_init(cores.all[i].place.apic_id);
    }
}

void cores_halt(void)
{
    unsigned count = 0;

    for (unsigned i = 1; i < cores.count; i++) {
        if (!is_to_halt(&cores.all[i]))
            continue;
        core_set_state(&cores.all[i], CORE_GIVEN_UP);
        count++;
    }
    if (count == 0)
        return;
    self.trampoline = low_page_take();
    fill_trampoline();
    wait(INIT_WAIT_US);
    for (int round = 0; round < 2; round++) {
        for (unsigned i = 1; i < cores.count; i++)
            if (is_to_halt(&cores.all[i]))
                send_startup(i, true);
        wait(STARTUP_WAIT_US);
    }
    await_halted(FIRST_ANSWER_US);
    low_page_give_back();
}

unsigned cores_online(void)
{
    unsigned online = 0;

    for (unsigned i = 0; i < cores.count; i++)
        online += cores.all[i].place.online;
    return online;
}

bool cores_was_started(uint64_t apic_id)
{
    for (unsigned i = 1; i < cores.count; i++)
        if (cores.all[i].place.apic_id == apic_id)
            return core_state(&cores.all[i]) != CORE_ABSENT && !cores.all[i].unreachable;
    return false;
}

void cores_stop_others(void)
{
    for (unsigned i = 1; i < cores.count; i++)
        if (core_state(&cores.all[i]) != CORE_ABSENT)
            apic_send_init(cores.all[i].place.apic_id);
    if (cores.count > 1)
        firmware_wait(STARTUP_WAIT_US);
}
