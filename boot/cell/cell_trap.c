/* Traps and interrupts while code runs in a cell. Nothing saves vector registers here. */
#include "boot/cpu.h"
#include "boot/machine/apic.h"
#include "boot/machine/core_place.h"
#include "boot/machine/vector.h"
#include "cell_inside.h"

/* Ticks of the timer until it is looked at again, when it found the cell's own code. */
#define AGAIN 100u

static struct cell *cells[CORES_MAX]; /* the open ones */

INTERRUPT_SAFE struct cell *cell_of(unsigned core)
{
    return cells[core];
}

void cell_set(unsigned core, struct cell *cell)
{
    cells[core] = cell;
}

/* Whether the cell's own instructions were interrupted, which are about to end by themselves. */
INTERRUPT_SAFE static bool is_inside(const struct cell *cell, const struct trap_frame *frame)
{
    return frame->rip - cell->pages < CELL_TEXT_SPAN;
}

/* Word by word: a copy of the struct could become a call of memcpy, or use vector registers. */
INTERRUPT_SAFE static void note(struct cell *cell, const struct trap_frame *frame)
{
    for (unsigned i = 0; i < sizeof(*frame) / sizeof(uint64_t); i++)
        ((volatile uint64_t *)&cell->report.frame)[i] = ((const uint64_t *)frame)[i];
    cell->report.cr2 = read_cr2();
}

/* The trap returns to the caller of cell_text (cell.asm), with the full page tables. */
INTERRUPT_SAFE static void end(struct cell *cell, struct trap_frame *frame, uint64_t *cr3,
                               enum cell_end how)
{
    struct cell_control *control = cell->control;

    note(cell, frame);
    control->end = 1 + (uint64_t)how;
    frame->rip = cell->pages + cell_leave_offset;
    frame->cs = SELECTOR_CODE;
    frame->ss = SELECTOR_DATA;
    frame->rsp = control->caller_stack;
    frame->rflags = 2; /* only the bit that is always 1: interrupts off, direction flag clear */
    *cr3 = control->full_root;
}

/* The watchdog's NMI, or that of the boot processor, ends the code in the place of the core's whole
 * work; and so does a storm of NMIs that nobody asked for. */
INTERRUPT_SAFE static void take_nmi(struct cell *cell, struct trap_frame *frame, uint64_t *cr3,
                                    struct trap_state *state)
{
    cell->disturbed = true;
    if (!state->called_off) {
        if (state->answer != NULL && state->answer(state->answer_context))
            return;
        if (!trap_note_nmi(state, frame->rip))
            return;
    }
    cell->nmi_end = state->called_off ? CELL_CALLED_OFF : CELL_NMIS;
    state->called_off = false;
    if (is_inside(cell, frame))
        note(cell, frame);
    else
        end(cell, frame, cr3, cell->nmi_end);
}

INTERRUPT_SAFE static void take_interrupt(struct cell *cell, struct trap_frame *frame,
                                          uint64_t *cr3, struct trap_state *state)
{
    cell->disturbed = true;
    if (frame->vector != VECTOR_SPURIOUS)
        apic_end_of_interrupt();
    if (frame->vector != VECTOR_TIMER) {
        state->strays += frame->vector != VECTOR_WAKE;
        return;
    }
    if (is_inside(cell, frame))
        apic_write(APIC_TIMER_INITIAL, AGAIN);
    else
        end(cell, frame, cr3, CELL_LATE);
}

/* Code in ring 3 returns to an instruction that traps. */
INTERRUPT_SAFE static bool is_return(const struct cell *cell, const struct trap_frame *frame)
{
    return frame->vector == VECTOR_UD && cell->report.ring_3 &&
           frame->rip == cell->pages + (uint64_t)CELL_GATE * CELL_PAGE;
}

/* What cell.asm gives the code in its registers, once more; page tables and stack are as then. */
INTERRUPT_SAFE static void begin_again(const struct cell *cell, struct trap_frame *frame)
{
    const struct cell_control *control = cell->control;

    frame->rip = frame->r10 = control->code;
    frame->rdi = control->n;
    frame->rsi = control->buffer;
    frame->r8 = control->buffer_bytes;
    frame->r9 = 0;
    frame->rflags = RFLAGS_IF | 2;
    frame->rsp = control->kernel_stack - 8;
    *(volatile uint64_t *)(uintptr_t)frame->rsp = cell->pages + (uint64_t)CELL_GATE * CELL_PAGE;
}

/* The code has returned in ring 3. Counting starts and stops here, in ring 0: counters that count
 * ring 3 alone count nothing of that. */
INTERRUPT_SAFE static void go_on(struct cell *cell, struct trap_frame *frame, uint64_t *cr3)
{
    struct cell_control *control = cell->control;

    if (cell->next == RING_3_COUNT && frame->rsp == control->kernel_stack) {
        cell->next = RING_3_STOP;
        begin_again(cell, frame);
        plain_wrmsr((uint32_t)control->msr, control->enable);
        return;
    }
    if (cell->next == RING_3_STOP)
        plain_wrmsr((uint32_t)control->msr, control->disable);
    control->returned_stack = frame->rsp;
    end(cell, frame, cr3, CELL_RETURNED);
}

INTERRUPT_SAFE void cell_trap(struct trap_frame *frame, uint64_t *cr3)
{
    const unsigned core = context_core();
    struct trap_state *state = trap_state_of(core);
    struct cell *cell = cell_of(core);

    if (frame->vector == VECTOR_NMI) {
        take_nmi(cell, frame, cr3, state);
    } else if (frame->vector >= VECTOR_FIRST_INTERRUPT) {
        take_interrupt(cell, frame, cr3, state);
    } else if (is_return(cell, frame)) {
        go_on(cell, frame, cr3);
    } else {
        end(cell, frame, cr3, CELL_TRAPPED);
    }
}
