/* Exceptions and interrupts on their way into the guest: who may interrupt, which gate, which
 * stack, which error code. SDM 3A, "Interrupt and Exception Handling", for 64-bit mode. */
#ifndef RIG_MACHINE_ENGINE_TRAP_H
#define RIG_MACHINE_ENGINE_TRAP_H

#include <stdbool.h>
#include <stdint.h>

struct core;

enum exception {
    EXCEPTION_DE,
    EXCEPTION_DB,
    EXCEPTION_NMI,
    EXCEPTION_BP,
    EXCEPTION_OF,
    EXCEPTION_UD = 6,
    EXCEPTION_NM,
    EXCEPTION_DF,
    EXCEPTION_TS = 10,
    EXCEPTION_NP,
    EXCEPTION_SS,
    EXCEPTION_GP,
    EXCEPTION_PF,
    EXCEPTION_AC = 17,
    EXCEPTION_MC,
    EXCEPTION_XM = 19,
    EXCEPTION_CP = 21
};

#define NO_ERROR_CODE (-1)

/* The current privilege level. */
unsigned trap_cpl(const struct core *core);
bool trap_takes_interrupts(const struct core *core); /* RFLAGS.IF */
bool trap_single_steps(const struct core *core);     /* RFLAGS.TF, in 64-bit mode */
/* Whether an NMI or interrupt can be taken at this boundary; `shadow`: no maskable interrupt can,
 * and behind MOV SS no NMI. */
bool trap_interrupt_ready(struct core *core, bool shadow);
/* Whether INT may use the gate from the present level. */
bool trap_gate_is_open(const struct core *core, unsigned vector);
bool trap_gate_is_present(const struct core *core, unsigned vector);

/* These four give the address of the handler. When even the double fault cannot be delivered the
 * run ends. */
uint64_t trap_deliver_interrupt(struct core *core);
/* `return_rip` goes into the frame, and `error_code` unless it is NO_ERROR_CODE. */
uint64_t trap_deliver(struct core *core, unsigned vector, int64_t error_code, uint64_t return_rip);
/* The same of an instruction's fault: the flags that it pushes have RF, so that a breakpoint on the
 * instruction does not come again after the return. */
uint64_t trap_fault_with(struct core *core, unsigned vector, int64_t error_code, uint64_t rip);
/* An exception that the emulator raised at `rip`; finds its error code. */
uint64_t trap_fault(struct core *core, unsigned vector, uint64_t rip);

#endif
