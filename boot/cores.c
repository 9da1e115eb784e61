#include "cores.h"

#include "apic.h"
#include "clock.h"
#include "context.h"
#include "cores_start.h"
#include "cpu.h"
#include "firmware.h"
#include "format.h"
#include "log.h"
#include "machine.h"
#include "memory.h"
#include "paging.h"
#include "quiet.h"
#include "text.h"
#include "trap.h"

#define LOW_MEMORY 0xa0000ull   /* a SIPI reaches below 1 MiB; above this it is no memory */
#define INIT_WAIT_US 10000      /* SDM 3A, "Typical BSP Initialization Sequence" */
#define STARTUP_WAIT_US 200
#define ANSWER_US 1000000 /* far more than silicon needs: an emulator may starve its processors */

enum core_state {
    CORE_ABSENT,    /* not started */
    CORE_STARTING,
    CORE_PARKED,    /* halted, waits for work */
    CORE_WORKING,
    CORE_DONE,      /* the work is; the boot processor is being told, then the core is parked */
    CORE_TRAPPING,  /* its work met an unexpected trap; the boot processor is being told */
    CORE_TRAPPED,   /* and now it is halted for good */
    CORE_GIVEN_UP,  /* it did not answer in time: must halt if it ever does */
};

struct core {
    struct core_place place;
    struct trap_state trap;
    enum core_state state;         /* written by both sides: only by the atomic helpers below */
    unsigned generation;           /* of the page tables it has seen */
    uint64_t nmis_told, strays_told;
    void (*work)(void *argument);
    void *argument;
};

/* As laid out in trampoline.asm. */
struct trampoline_data {
    uint32_t cr3, cr4, efer, count;
    uint64_t ids, stacks, entry;
    uint32_t to_protected;
    uint16_t code_32, unused1;
    uint32_t to_long;
    uint16_t code_64, unused2;
    uint64_t descriptors[4];
    uint16_t gdt_limit;
    uint16_t gdt_base[2];
    uint16_t unused3;
};
extern const char trampoline_start[], trampoline_protected[], trampoline_long[], trampoline_data[],
    trampoline_end[];

static struct {
    struct core boot;              /* before there is memory for more */
    struct core *cores;
    unsigned count, found;
    uint32_t ids[CORES_MAX];
    uint64_t stacks[CORES_MAX];
    uint64_t trampoline;           /* its page, 0: none */
} self = { .cores = &self.boot, .count = 1, .found = 1 };

static enum core_state state_of(const struct core *core)
{
    return __atomic_load_n(&core->state, __ATOMIC_ACQUIRE);
}

static void set_state(struct core *core, enum core_state state)
{
    __atomic_store_n(&core->state, state, __ATOMIC_RELEASE);
}

static bool change_state(struct core *core, enum core_state from, enum core_state to)
{
    return __atomic_compare_exchange_n(&core->state, &from, to, false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE);
}

INTERRUPT_SAFE struct trap_state *trap_state_of(unsigned core)
{
    return &self.cores[core].trap;
}

static void give_up(unsigned index, const char *why)
{
    struct core_place *place = &self.cores[index].place;
    char where[48];

    place->online = false;
    place->why = why;
    format(where, sizeof where, "core %u, APIC id %u", index, (unsigned)place->apic_id);
    log_error(why, where, "a core that answers");
}

/* --- on the application processors ----------------------------------------------------------- */

/* The first state ends the boot processor's wait; the second says that the interrupt was sent. It
 * must know that: an interrupt of ours that came later would reach the firmware. */
static void tell_boot_processor(struct core *core, enum core_state first, enum core_state second)
{
    if (!change_state(core, CORE_WORKING, first))
        halt_forever(); /* given up */
    apic_send_fixed(self.cores[0].place.apic_id, VECTOR_WAKE);
    set_state(core, second);
}

/* Where an unexpected trap of an application processor goes on: the boot processor reports it. */
__attribute__((noreturn)) static void core_trapped(void)
{
    tell_boot_processor(&self.cores[context_core()], CORE_TRAPPING, CORE_TRAPPED);
    halt_forever();
}

/* Entered from the trampoline, on the core's own stack. */
__attribute__((noreturn)) static void core_main(uint64_t index)
{
    struct core *core = &self.cores[index];
    struct context context = context_own((unsigned)index);
    const uint32_t mxcsr = 0x1f80;

    context_load(&context);
    __asm__ volatile("fninit; ldmxcsr %0" : : "m"(mxcsr));
    apic_enable_here();
    core->generation = paging_generation();
    if (!change_state(core, CORE_STARTING, CORE_PARKED))
        halt_forever();

    for (;;) {
        if (state_of(core) != CORE_WORKING) {
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

/* --- starting and stopping ------------------------------------------------------------------- */

static void add_core(uint32_t apic_id)
{
    if (self.count < CORES_MAX)
        self.ids[self.count++] = apic_id;
}

unsigned cores_list(const struct acpi_processors *found, unsigned most)
{
    uint32_t own = apic_own_id();

    self.count = 0;
    add_core(own);
    for (unsigned i = 0; found && i < found->count; i++)
        if (found->apic_id[i] != own)
            add_core(found->apic_id[i]);
    self.found = self.count + (found ? found->left_out : 0);
    if (most && self.count > most)
        self.count = most;
    self.boot.place.apic_id = own;
    self.boot.place.why = "the processor could not be taken over";
    return self.found;
}

/* The page that the SIPI names, with what the processors need there. */
static void fill_trampoline(void)
{
    uint8_t *page = (uint8_t *)(uintptr_t)self.trampoline;
    uint32_t base = (uint32_t)self.trampoline;
    struct trampoline_data data;
    size_t data_at = (size_t)(trampoline_data - trampoline_start);
    uint32_t gdt;

    memcpy(page, trampoline_start, (size_t)(trampoline_end - trampoline_start));
    memcpy(&data, page + data_at, sizeof data);
    data.cr3 = (uint32_t)paging_root();
    data.cr4 = (uint32_t)(CR4_PAE | CR4_OSFXSR | CR4_OSXMMEXCPT | (read_cr4() & CR4_LA57));
    data.efer = (uint32_t)plain_rdmsr(IA32_EFER) & (EFER_LME | EFER_NXE);
    data.count = self.count;
    data.ids = (uintptr_t)self.ids;
    data.stacks = (uintptr_t)self.stacks;
    data.entry = (uintptr_t)core_main;
    data.to_protected = base + (uint32_t)(trampoline_protected - trampoline_start);
    data.to_long = base + (uint32_t)(trampoline_long - trampoline_start);
    gdt = base + (uint32_t)data_at + (uint32_t)offsetof(struct trampoline_data, descriptors);
    memcpy(data.gdt_base, &gdt, sizeof gdt);
    memcpy(page + data_at, &data, sizeof data);
}

enum rc cores_prepare(void)
{
    struct core *cores = machine_alloc(self.count * sizeof *cores);

    if (!cores)
        return RC_NO_SPACE;
    for (unsigned i = 0; i < self.count; i++) {
        uint64_t top;

        if (context_stacks(i, &top) != RC_OK)
            return RC_NO_SPACE;
        self.stacks[i] = top;
        cores[i].place.apic_id = self.ids[i];
        cores[i].place.why = "not started";
        cores[i].trap.landing = i ? core_trapped : trap_last_landing;
        cores[i].trap.landing_stack = top;
    }
    self.cores = cores;
    if (self.count > 1) {
        self.trampoline = memory_pages(1, LOW_MEMORY);
        if (self.trampoline)
            fill_trampoline();
    }
    return RC_OK;
}

void cores_boot_ready(void)
{
    struct core *core = &self.cores[0];

    core->place.online = true;
    core->place.why = NULL;
    core->state = CORE_PARKED;
}

static const char *send_startup(unsigned index, bool again)
{
    uint32_t id = self.cores[index].place.apic_id;
    uint8_t page = (uint8_t)(self.trampoline >> 12);

    switch (again ? apic_send_startup(id, page) : apic_send_init(id)) {
    case RC_OK: return NULL;
    case RC_ABSENT: return "its APIC id needs x2APIC mode";
    default: return "the local APIC does not send";
    }
}

static void start_all(void)
{
    for (unsigned i = 1; i < self.count; i++) {
        const char *why;

        set_state(&self.cores[i], CORE_STARTING);
        why = send_startup(i, false);
        if (why) {
            set_state(&self.cores[i], CORE_GIVEN_UP);
            give_up(i, why);
        }
    }
    firmware_wait(INIT_WAIT_US);
    /* The second round is for processors that missed the first. */
    for (int round = 0; round < 2; round++) {
        for (unsigned i = 1; i < self.count; i++)
            if (state_of(&self.cores[i]) == CORE_STARTING)
                send_startup(i, true);
        firmware_wait(STARTUP_WAIT_US);
    }
}

void cores_start_others(void)
{
    uint64_t deadline;

    if (self.count > 1 && !self.trampoline) {
        for (unsigned i = 1; i < self.count; i++)
            give_up(i, "no memory below 1 MiB to start it from");
        return;
    }
    start_all();
    deadline = clock_deadline(ANSWER_US);
    for (unsigned i = 1; i < self.count; i++) {
        struct core *core = &self.cores[i];

        while (state_of(core) == CORE_STARTING && !clock_passed(deadline))
            pause();
        if (change_state(core, CORE_STARTING, CORE_GIVEN_UP)) {
            apic_send_init(core->place.apic_id);
            give_up(i, "no answer within 1 s of its start");
        } else if (state_of(core) == CORE_PARKED) {
            core->place.online = true;
            core->place.why = NULL;
        }
    }
}

unsigned cores_online(void)
{
    unsigned online = 0;

    for (unsigned i = 0; i < self.count; i++)
        online += self.cores[i].place.online;
    return online;
}

void cores_stop_others(void)
{
    for (unsigned i = 1; i < self.count; i++)
        if (state_of(&self.cores[i]) != CORE_ABSENT)
            apic_send_init(self.cores[i].place.apic_id);
    if (self.count > 1)
        firmware_wait(STARTUP_WAIT_US);
}

/* --- work ------------------------------------------------------------------------------------ */

unsigned cores_count(void)
{
    return self.count;
}

const struct core_place *cores_place(unsigned core)
{
    return core < self.count ? &self.cores[core].place : NULL;
}

unsigned cores_self(void)
{
    return self.cores[0].place.online ? context_core() : 0;
}

static enum rc begin(unsigned index, void (*work)(void *argument), void *argument)
{
    struct core *core = &self.cores[index];

    core->work = work;
    core->argument = argument;
    set_state(core, CORE_WORKING);
    return apic_send_fixed(core->place.apic_id, VECTOR_WAKE);
}

/* NMIs and stray interrupts harm nobody, but who reads the numbers should know of them. */
static void tell_interrupts(unsigned index)
{
    struct core *core = &self.cores[index];
    uint64_t nmis = core->trap.nmis, strays = core->trap.strays;

    if (nmis == core->nmis_told && strays == core->strays_told)
        return;
    log_comment("core %u: %llu NMIs and %llu stray interrupts during its work", index,
                (unsigned long long)(nmis - core->nmis_told),
                (unsigned long long)(strays - core->strays_told));
    core->nmis_told = nmis;
    core->strays_told = strays;
}

/* Halts until the core's work is over. False: a deadline passed first, and the core is stopped. */
static bool wait_for(struct core *core, uint64_t deadline)
{
    bool quiet = quiet_begin(), given_up = false;

    while (!given_up && state_of(core) == CORE_WORKING) {
        if (clock_passed(deadline))
            given_up = change_state(core, CORE_WORKING, CORE_GIVEN_UP);
        else if (quiet)
            quiet_halt();
        else
            pause();
    }
    deadline = clock_deadline(ANSWER_US);
    while (!given_up && (state_of(core) == CORE_DONE || state_of(core) == CORE_TRAPPING)) {
        given_up = clock_passed(deadline);
        pause();
    }
    if (given_up)
        apic_send_init(core->place.apic_id); /* it shall not disturb the others */
    if (quiet)
        quiet_end();
    return !given_up;
}

static enum rc finish(unsigned index, uint64_t deadline)
{
    struct core *core = &self.cores[index];

    if (!wait_for(core, deadline)) {
        give_up(index, "its work did not end in time");
        return RC_TIMEOUT;
    }
    if (state_of(core) == CORE_TRAPPED) {
        trap_report(&core->trap, index);
        core->place.online = false;
        core->place.why = "an unexpected trap";
        return RC_FAULT;
    }
    tell_interrupts(index);
    return RC_OK;
}

enum rc cores_run(unsigned core, void (*work)(void *argument), void *argument, uint64_t timeout_us)
{
    enum rc rc;

    if (core >= self.count || !self.cores[core].place.online)
        return RC_ABSENT;
    if (core == 0) {
        work(argument);
        tell_interrupts(core);
        return RC_OK;
    }
    rc = begin(core, work, argument);
    if (rc != RC_OK)
        timeout_us = 0; /* the call that wakes it did not get through */
    return finish(core, clock_deadline(timeout_us));
}

enum rc cores_run_all(void (*work)(void *argument), void **arguments, uint64_t timeout_us)
{
    bool begun[CORES_MAX] = { false };
    enum rc result = RC_OK, rc;
    uint64_t deadline;

    for (unsigned i = 1; i < self.count; i++) {
        if (!self.cores[i].place.online)
            continue;
        begin(i, work, arguments[i]);
        begun[i] = true;
    }
    deadline = clock_deadline(timeout_us);
    rc = cores_run(0, work, arguments[0], timeout_us);
    if (rc != RC_OK)
        result = rc;
    for (unsigned i = 1; i < self.count; i++) {
        if (!begun[i])
            continue;
        rc = finish(i, deadline);
        if (rc != RC_OK)
            result = rc;
    }
    return result;
}
