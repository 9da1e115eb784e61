/* Breakpoints of the debug registers. The emulator's own end in its own code, so it gets none: the
 * code hook looks for those on instructions, every access for those on data and ports. SDM 3B,
 * "Debug Registers", "Debug Exceptions". */
#ifndef RIG_MACHINE_ENGINE_DEBUG_H
#define RIG_MACHINE_ENGINE_DEBUG_H

#include <stdbool.h>
#include <stdint.h>

struct core;

/* As INIT leaves the debug registers. */
void debug_reset(struct core *core);
/* A value for DR7. False: it enables a breakpoint on ports without CR4.DE, which is undefined. */
bool debug_control(struct core *core, uint64_t value);
/* An access of the instruction that runs now; only while core->debug.data is not 0. */
void debug_access(struct core *core, uint64_t address, unsigned size, bool write);
/* The same of a port; only while core->debug.ports is not 0. */
void debug_port(struct core *core, uint16_t port, unsigned size);
/* Whether the instruction at `address`, which has not begun, meets a breakpoint; DR6 says which. */
bool debug_breaks(struct core *core, uint64_t address);
/* The breakpoints on data and ports that were met go into DR6. */
void debug_report(struct core *core);
/* Nothing came of the instruction: it met none. */
void debug_forget(struct core *core);
/* An IRET is complete: whether the next instruction meets no breakpoint, because of RF. */
void debug_resume(struct core *core);
/* Before something is delivered between two instructions: RF lasts for one instruction, but the
 * emulator keeps it to the end of its block. */
void debug_resumed(struct core *core);

#endif
