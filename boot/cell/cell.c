#include "cell.h"

#include "boot/clock.h"
#include "boot/cpu.h"
#include "boot/firmware/memory.h"
#include "boot/machine/apic.h"
#include "boot/machine/apic_timer.h"
#include "boot/machine/vector.h"
#include "boot/msr.h"
#include "boot/text.h"
#include "cell_inside.h"
#include "cell_kept.h"

#define LVT_TSC_DEADLINE  (2u << 17)
#define IA32_TSC_DEADLINE 0x6e0
#define CR0_WP            (1ull << 16) /* ring 0, too, writes no page that is read-only */
#define BREAKPOINT        0xcc         /* INT3, behind the code */
#define COUNT_MAX         0xffffffffu

enum rc cell_prepare(struct cell **cell, unsigned core, const struct cell_code *code)
{
    if (*cell == NULL)
        *cell = memory_alloc(sizeof(**cell));
    if (*cell == NULL)
        return RC_NO_SPACE;
    (*cell)->code = *code;
    return cell_build(*cell, core) ? RC_OK : RC_NO_SPACE;
}

/* --- the timer -------------------------------------------------------------------------------- */

static void take_timer(struct cell *cell, unsigned core)
{
    cell->spurious = apic_read(APIC_SPURIOUS);
    cell->timer = apic_read(APIC_TIMER);
    cell->divide = apic_read(APIC_TIMER_DIVIDE);
    cell->count = apic_read(APIC_TIMER_INITIAL);
    if (cell->timer & LVT_TSC_DEADLINE)
        (void)msr_read(IA32_TSC_DEADLINE, &cell->tsc_deadline);
    if (!(cell->spurious & APIC_SPURIOUS_ENABLE))
        apic_write(APIC_SPURIOUS, APIC_SPURIOUS_ENABLE | VECTOR_SPURIOUS);
    hold_others(&cell->held, core == 0);
    (void)apic_timer_rate();
    apic_write(APIC_TIMER, VECTOR_TIMER); /* one-shot */
    apic_write(APIC_TIMER_DIVIDE, DIVIDE_BY_128);
}

static void give_timer(struct cell *cell, unsigned core)
{
    apic_write(APIC_TIMER, VECTOR_TIMER | LVT_MASKED);
    apic_write(APIC_TIMER_INITIAL, 0);
    take_interrupts(); /* what is still pending is not the firmware's */
    apic_write(APIC_TIMER_DIVIDE, cell->divide);
    apic_write(APIC_TIMER, cell->timer);
    if (cell->timer & LVT_TSC_DEADLINE)
        (void)msr_write(IA32_TSC_DEADLINE, cell->tsc_deadline);
    else if (cell->count != 0)
        apic_write(APIC_TIMER_INITIAL, cell->count);
    hold_release(&cell->held, core == 0);
    if (!(cell->spurious & APIC_SPURIOUS_ENABLE))
        apic_write(APIC_SPURIOUS, cell->spurious);
}

static void arm(struct cell *cell)
{
    const uint64_t ticks = (uint64_t)cell->code.deadline_us * apic_timer_rate() / (128 * 1000) + 2;

    cell->armed = ticks < COUNT_MAX ? (uint32_t)ticks : COUNT_MAX;
    apic_write(APIC_TIMER_INITIAL, cell->armed);
}

static void disarm(void)
{
    apic_write(APIC_TIMER_INITIAL, 0);
    take_interrupts();
}

/* --- running ---------------------------------------------------------------------------------- */

static void fill_control(struct cell *cell, enum cell_mode mode, uint64_t n,
                         const struct cell_counting *counting)
{
    struct cell_control *control = cell->control;
    const uint64_t gate = cell->pages + (uint64_t)CELL_GATE * CELL_PAGE;

    control->n = n;
    control->buffer = (uintptr_t)cell->code.buffer;
    control->buffer_bytes = cell->code.buffer_bytes;
    control->code = cell->copy;
    control->mode = mode;
    control->root = mode == CELL_MODE_TRIAL ? cell->view.ring_3 : cell->view.ring_0;
    control->end = 0;
    if (counting != NULL) {
        control->msr = counting->msr;
        control->enable = counting->enable;
        control->disable = counting->disable;
    }
    if (mode == CELL_MODE_TRIAL)
        memcpy((void *)(uintptr_t)(control->kernel_stack - 8), &gate, sizeof(gate));
}

static void enter(struct cell *cell)
{
    void (*const code)(void) = (void (*)(void))(uintptr_t)cell->pages;
    struct cell_kept kept;

    cell_keep(&kept);
    arm(cell);
    changes_before(cell);
    write_cr0(kept.cr0 | CR0_WP);
    cell_reset_floats();
    code();
    cell_put_back(&kept);
    if (!cell->report.ring_3) /* there it can change nothing of this */
        changes_after(cell);
    if (!cell->apic_lost)
        disarm();
}

/* What the run came to; false: it did not end well. */
static bool conclude(struct cell *cell, uint64_t n)
{
    const struct cell_control *control = cell->control;
    struct cell_report *report = &cell->report;

    report->n = n;
    report->end = (enum cell_end)(control->end - 1);
    if (cell->apic_lost) {
        report->end = CELL_APIC;
        report->frame = (struct trap_frame){0};
        return false;
    }
    if (report->end != CELL_RETURNED)
        return false;
    if (cell->nmi_end != CELL_RETURNED) { /* between the code and the end of the cell's own */
        report->end = cell->nmi_end;
        return false;
    }
    if (control->returned_stack != control->kernel_stack) {
        report->end = CELL_STACK;
        report->frame = (struct trap_frame){.rsp = control->returned_stack};
        report->stack = control->kernel_stack;
        return false;
    }
    return true;
}

static bool run(struct cell *cell, enum cell_mode mode, uint64_t n,
                const struct cell_counting *counting)
{
    if (cell->report.end != CELL_RETURNED)
        return false;
    cell->disturbed = false;
    cell->nmi_end = CELL_RETURNED;
    cell->report.ring_3 = mode == CELL_MODE_TRIAL;
    fill_control(cell, mode, n, counting);
    enter(cell);
    return conclude(cell, n);
}

bool cell_try(struct cell *cell, uint64_t n)
{
    cell->next = RING_3_END;
    cell->report.trial = true;
    return run(cell, CELL_MODE_TRIAL, n, NULL);
}

static bool run_in_ring_3(struct cell *cell, uint64_t n, const struct cell_counting *counting)
{
    cell->next = counting != NULL ? RING_3_COUNT : RING_3_END;
    return run(cell, CELL_MODE_TRIAL, n, counting);
}

bool cell_run(struct cell *cell, uint64_t n, const struct cell_counting *counting)
{
    const enum cell_mode mode = counting == NULL ? CELL_MODE_PLAIN
                                : counting->cold ? CELL_MODE_COLD
                                                 : CELL_MODE_COUNTED;
    const bool in_ring_3 = cell->code.ring_3;

    cell->report.trial = false;
    if (in_ring_3 ? run_in_ring_3(cell, n, counting) : run(cell, mode, n, counting))
        return true;
    if (counting != NULL)
        (void)msr_write(counting->msr, counting->disable);
    return false;
}

bool cell_disturbed(const struct cell *cell)
{
    return cell->disturbed;
}

const char *cell_open(struct cell *cell)
{
    const unsigned core = context_core();

    cell->report = (struct cell_report){.end = CELL_RETURNED, .code = cell->copy};
    cell->apic_lost = false;
    if (!apic_is_here())
        return "without a local APIC nothing could end it";
    memset((void *)(uintptr_t)cell->copy, BREAKPOINT, cell->copy_pages * CELL_PAGE);
    memcpy((void *)(uintptr_t)cell->copy, cell->code.code, cell->code.bytes);
    if (cell->code.buffer != NULL)
        memset(cell->code.buffer, 0, cell->code.buffer_bytes);
    cell_set(core, cell);
    take_timer(cell, core);
    changes_open(cell);
    return NULL;
}

void cell_close(void)
{
    const unsigned core = context_core();
    struct cell *cell = cell_of(core);

    if (cell == NULL)
        return;
    if (!cell->apic_lost)
        give_timer(cell, core);
    cell_set(core, NULL);
}

const struct cell_report *cell_report(const struct cell *cell)
{
    return &cell->report;
}
