/* The stack engine: PUSH, POP, CALL and RET move the stack pointer ahead of the renamer. Where
 * another instruction then reads it, the renamer adds a uop that brings it up to date. */
#ifndef RIG_CORE_MECHANISM_STACK_ENGINE_H
#define RIG_CORE_MECHANISM_STACK_ENGINE_H

#include <stdbool.h>

struct flow;
struct model;

struct stack_engine_figures {
    bool present;
};

struct stack_engine_state {
    bool moved; /* RSP was moved since it was brought up to date */
};

/* Before the uops of an instruction. Gives the uops added. */
unsigned stack_engine_uops(struct model *model, struct flow *flow);

#endif

#ifdef MECHANISM
MECHANISM(stack_engine)
#endif
