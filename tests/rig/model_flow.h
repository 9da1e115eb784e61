/* An instruction on its way through the back end, shared by model_back.c and model_execute.c. */
#ifndef RIG_MODEL_FLOW_H
#define RIG_MODEL_FLOW_H

#include "model_state.h"

/* Cycles from a uop's allocation to the first in which it can begin: the issue-to-dispatch delay
 * of "uiCA" (A. Abel, J. Reineke), one figure for Skylake and Ice Lake alike. */
#define DISPATCH_DELAY 5u

struct flow { /* of one instruction */
    const struct decoded *decoded;
    const struct executed *executed;
    struct retiring *retiring;
    uint64_t complete;   /* of its uops so far */
    uint64_t data_begun; /* when the data uop of its store began */
    uint64_t known;      /* when the address of its store was */
    uint64_t locked;     /* when a locked load had its line */
    bool
        with_branch; /* fused with the conditional jump that follows: one uop, on a branch's port */
    const struct access *loads[EXECUTED_ACCESSES], *stores[EXECUTED_ACCESSES];
    unsigned load_total, store_total, loads_begun;
};

/* Takes one of the instruction's uops to a port. Returns when its result is there. */
uint64_t execute_uop(struct model *model, struct flow *flow, const struct uop *uop);
/* A slot retires in order, `retire_width` a cycle, not before `complete` + 1. */
void retire_slot(struct model *model, uint64_t complete);
/* How the line that a store or a locked load wants for itself was found. */
void note_ownership(struct flow *flow, const struct reach *reach);
/* Of the lines of 64 bytes. */
bool crosses_line(const struct access *access);

#endif
