/* The execution of uops. */
#ifndef RIG_CORE_PIPELINE_EXECUTE_H
#define RIG_CORE_PIPELINE_EXECUTE_H

#include "flow.h"

/* Takes one of the instruction's uops to a port. Gives the cycle in which its result is there. */
uint64_t execute_uop(struct model *model, struct flow *flow, const struct uop *uop);
/* Sets the flags of the line that a store or a locked load asked to own. */
void note_ownership(struct flow *flow, const struct reach *reach);
/* Whether the access crosses a line of 64 bytes. */
bool crosses_line(const struct access *access);

#endif
