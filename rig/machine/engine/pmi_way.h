/* Ways other than the usual one in which a core may take a PMI (pmi.h), for --interrupt.
 *
 * The usual way waits for the oldest instruction that has not retired. The other ways throw that
 * instruction away: the interrupt saves its address, and it is executed when the handler has
 * returned. But which instruction is the oldest, and whether the re-order buffer was empty before
 * it, is known only when the emulator has executed it. So it is executed once, before the handler:
 * the saved address is that of the instruction, the last-branch stack has no record of it, and
 * behind the IRET that returns to it the program goes on with the instruction behind it. It is
 * counted before the handler, and the handler begins when it has retired.
 *
 * While one instruction is thrown away, and its handler has not returned with the stack that it was
 * given, no other one is. */
#ifndef RIG_MACHINE_ENGINE_PMI_WAY_H
#define RIG_MACHINE_ENGINE_PMI_WAY_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct executed;

/* The instruction was accounted for; `met`: a PMI that waited is taken behind it. */
void pmi_way_executed(struct core *core, const struct executed *executed, bool met);
/* An interrupt is taken now, before the instruction at core->rip. Gives the address that it saves.
 */
uint64_t pmi_way_saved(struct core *core);
/* IRET has returned to that address. True: what is there is executed already, and the program goes
 * on at core->thrown.next. */
bool pmi_way_returned(struct core *core, uint64_t address);

#endif
