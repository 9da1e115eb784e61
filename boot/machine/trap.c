#include "trap.h"

#include "apic.h"
#include "boot/clock.h"
#include "boot/cpu.h"
#include "boot/context/context.h"
#include "boot/format.h"
#include "boot/log.h"
#include "core_place.h"
#include "memory/stacks.h"
#include "vector.h"

#define PORT_SYSTEM_CONTROL_B 0x61u
#define NMI_BY_SERR           0x80u
#define NMI_BY_IOCHK          0x40u

/* An entry of the fix-up table (msr.asm): the instruction that may fault, and where execution
 * continues then; each as a distance from the member itself. */
struct fixup {
    int32_t from, to;
};
extern const struct fixup __start_fixups[], __stop_fixups[];
/* The image's first byte (linker.ld). */
extern const char ImageBase[];

static struct trap_state *states[CORES_MAX];
static uint64_t out_of_ring_3; /* 0: no code runs there */

void trap_dispatch(struct trap_frame *frame);

void trap_set_state(unsigned core, struct trap_state *state)
{
    states[core] = state;
}

INTERRUPT_SAFE struct trap_state *trap_state_of(unsigned core)
{
    return states[core];
}

void trap_lead_out_of_ring_3(uint64_t address)
{
    out_of_ring_3 = address;
}

INTERRUPT_SAFE static bool fix_up(struct trap_frame *frame)
{
    for (const struct fixup *fixup = __start_fixups; fixup < __stop_fixups; fixup++) {
        if ((uint64_t)((intptr_t)&fixup->from + fixup->from) != frame->rip)
            continue;
        frame->rip = (uint64_t)((intptr_t)&fixup->to + fixup->to);
        return true;
    }
    return false;
}

INTERRUPT_SAFE bool trap_note_nmi(struct trap_state *state, uint64_t rip)
{
    if (state->nmis == state->nmis_told) {
        state->first_nmi.rip = rip;
        state->first_nmi.tsc = clock_now();
        state->first_nmi.port_61 = port_in(PORT_SYSTEM_CONTROL_B);
    }
    state->nmis++;
    if (state->nmis - state->storm_from < NMI_STORM)
        return false;
    state->storm_from = state->nmis;
    return true;
}

/* Whether the NMI ends the core's work: because that is over, or because there is no end of NMIs.
 * What runs after the end of the work must go on. */
INTERRUPT_SAFE static bool nmi_ends_work(struct trap_state *state, uint64_t rip)
{
    if (state->called_off)
        return true;
    if (state->answer != NULL && state->answer(state->answer_context))
        return false;
    if (!trap_note_nmi(state, rip) || state->storm)
        return false;
    state->storm = true;
    return true;
}

/* What a processor pushes in 64-bit mode: RIP, CS, RFLAGS, RSP, SS. */
#define PUSHED 40u

/* Whether the exception says something of the code in ring 3 that it interrupted, and of nothing
 * else. */
INTERRUPT_SAFE static bool ends_ring_3(const struct trap_frame *frame)
{
    return out_of_ring_3 != 0 && (frame->cs & SELECTOR_LEVEL) != 0 && frame->vector != VECTOR_NMI &&
           frame->vector != VECTOR_DF && frame->vector != VECTOR_MC;
}

/* The trap returns to ring 0 with interrupts off and the direction flag clear. */
INTERRUPT_SAFE static void go_on_at(struct trap_frame *frame, uint64_t rip, uint64_t rsp)
{
    frame->rip = rip;
    frame->rsp = rsp;
    frame->cs = SELECTOR_CODE;
    frame->ss = SELECTOR_DATA;
    frame->rflags = 2; /* only the bit that is always 1 */
}

/* Called by trap.asm, on the stack of the vector. The trap returns to the frame as this function
 * leaves it. */
INTERRUPT_SAFE void trap_dispatch(struct trap_frame *frame)
{
    struct trap_state *state = trap_state_of(context_core());

    if (frame->vector == VECTOR_NMI && !nmi_ends_work(state, frame->rip))
        return;
    if (frame->vector >= VECTOR_FIRST_INTERRUPT) {
        if (frame->vector != VECTOR_WAKE && frame->vector != VECTOR_TIMER)
            state->strays++;
        if (frame->vector != VECTOR_SPURIOUS)
            apic_end_of_interrupt();
        return;
    }
    if ((frame->vector == VECTOR_GP || frame->vector == VECTOR_UD || frame->vector == VECTOR_DB) &&
        fix_up(frame))
        return;

    /* Word by word: a copy of the struct could become a call of memcpy, or use vector registers. */
    for (unsigned i = 0; i < sizeof(*frame) / sizeof(uint64_t); i++)
        ((volatile uint64_t *)&state->frame)[i] = ((const uint64_t *)frame)[i];
    state->cr2 = read_cr2();
    state->ring_3 = ends_ring_3(frame);
    if (state->ring_3)
        go_on_at(frame, out_of_ring_3, *state->ring_0_stack - PUSHED);
    else
        go_on_at(frame, (uintptr_t)state->landing, state->landing_stack);
}

void trap_describe(struct json_line *record, const struct trap_frame *frame, uint64_t cr2)
{
    json_line_unsigned(record, "vector", frame->vector);
    if (frame->error != TRAP_NO_ERROR_CODE)
        json_line_hex(record, "error_code", frame->error);
    json_line_hex(record, "rip", frame->rip);
    json_line_unsigned(record, "ring", frame->cs & SELECTOR_LEVEL);
    json_line_hex(record, "image_base", (uintptr_t)ImageBase);
    json_line_hex(record, "cr2", cr2);
    json_line_object(record, "registers");
    json_line_hex(record, "rax", frame->rax);
    json_line_hex(record, "rbx", frame->rbx);
    json_line_hex(record, "rcx", frame->rcx);
    json_line_hex(record, "rdx", frame->rdx);
    json_line_hex(record, "rsi", frame->rsi);
    json_line_hex(record, "rdi", frame->rdi);
    json_line_hex(record, "rbp", frame->rbp);
    json_line_hex(record, "rsp", frame->rsp);
    json_line_hex(record, "r8", frame->r8);
    json_line_hex(record, "r9", frame->r9);
    json_line_hex(record, "r10", frame->r10);
    json_line_hex(record, "r11", frame->r11);
    json_line_hex(record, "r12", frame->r12);
    json_line_hex(record, "r13", frame->r13);
    json_line_hex(record, "r14", frame->r14);
    json_line_hex(record, "r15", frame->r15);
    json_line_hex(record, "rflags", frame->rflags);
    json_line_end(record);
}

void trap_report(const struct trap_state *state, unsigned core)
{
    const struct trap_frame *frame = &state->frame;
    struct json_line *record;
    const char *overflowed =
        frame->vector == VECTOR_PF ? stacks_overflowed(core, state->cr2) : NULL;
    char name[TRAP_WORDS], text[80], where[64];

    if (state->called_off)
        format(text, sizeof(text), "the work did not end in time");
    else if (state->storm)
        format(text, sizeof(text), "unexpected trap: %u NMIs that nobody asked for", NMI_STORM);
    else if (overflowed != NULL)
        format(text, sizeof(text), "unexpected trap: #PF: %s overflowed", overflowed);
    else
        format(text, sizeof(text), "unexpected trap: %s", trap_words(frame, name));
    format(where, sizeof(where), "core %u, rip 0x%llx", core, (unsigned long long)frame->rip);
    record =
        log_error_record(text, where, state->called_off ? "an end before the deadline" : "no trap");
    json_line_unsigned(record, "core", core);
    trap_describe(record, frame, state->cr2);
    log_send(record);
}

const char *trap_nmi_cause(uint8_t port_61)
{
    if (port_61 & NMI_BY_SERR)
        return port_61 & NMI_BY_IOCHK ? "SERR# and IOCHK#" : "SERR#";
    return port_61 & NMI_BY_IOCHK ? "IOCHK#" : NULL;
}

static void tell_nmis(const struct trap_state *state, unsigned long long count, unsigned core,
                      const char *work, uint64_t since)
{
    const struct stray_nmi *first = &state->first_nmi;
    const char *cause = trap_nmi_cause(first->port_61);
    struct json_line *record;
    char text[64], where[120], expected[64];

    if (count == 1)
        format(text, sizeof(text), "an NMI that nobody asked for");
    else
        format(text, sizeof(text), "%llu NMIs that nobody asked for", count);
    format(where, sizeof(where), "core %u, %s, %srip 0x%llx", core,
           work != NULL ? work : "between kernels", count == 1 ? "" : "the first at ",
           (unsigned long long)first->rip);
    format(expected, sizeof(expected), "no NMI; port 61H names %s",
           cause != NULL ? cause : "no cause");
    record = log_error_record(text, where, expected);
    json_line_unsigned(record, "core", core);
    json_line_unsigned(record, "nmis", count);
    json_line_hex(record, "rip", first->rip);
    json_line_hex(record, "image_base", (uintptr_t)ImageBase);
    json_line_hex(record, "port_61", first->port_61);
    if (clock_source() != NULL && (int64_t)(first->tsc - since) >= 0)
        json_line_unsigned(record, "after_us", (first->tsc - since) / clock_ticks_per_us());
    else
        json_line_null(record, "after_us");
    log_send(record);
}

void trap_tell(struct trap_state *state, unsigned core, const char *work, uint64_t since)
{
    const uint64_t strays = state->strays - state->strays_told, nmis = state->nmis;

    if (nmis != state->nmis_told)
        tell_nmis(state, nmis - state->nmis_told, core, work, since);
    if (strays != 0)
        log_comment("core %u: %llu stray interrupts during its work", core,
                    (unsigned long long)strays);
    state->nmis_told = state->storm_from = nmis;
    state->strays_told += strays;
}
