#include "interrupt.h"

#include <stddef.h>

#include "apic.h"
#include "boot/context/context.h"
#include "cores.h"
#include "trap.h"

void interrupt_answer(bool (*answer)(void *context), void *context)
{
    struct trap_state *state = trap_state_of(context_core());

    /* An NMI between the two writes must not find the new answer with the old context. */
    state->answer = NULL;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    state->answer_context = context;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    state->answer = answer;
}

uint64_t interrupt_strays(void)
{
    return trap_state_of(context_core())->nmis;
}

enum rc interrupt_core(unsigned core)
{
    return apic_send_nmi(cores_place(core)->apic_id);
}
