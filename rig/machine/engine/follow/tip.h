/* To whom a cycle belongs, by the rules of B. Gottschall, L. Eeckhout and M. Jahre, "TIP:
 * Time-Proportional Instruction Profiling", MICRO 2021:
 *
 *   instructions retire      the cycle is shared out among them, in equal parts
 *   the oldest waits         it is the oldest's
 *   the buffer is empty      behind a flush it is the flushing instruction's, else the next one's
 * to enter, which the front end delivers late
 *
 * Of a macro-fused pair, which is one entry of the re-order buffer, the second instruction has what
 * the pair has. What this rig adds: behind MFENCE, PAUSE or a serialising instruction, which hold
 * up the allocator, an empty buffer is theirs too; behind a clear because another core wrote under
 * a load it is the load's, which comes next; behind an interrupt or exception it belongs to the
 * first instruction of the handler. In the cycle of its allocation an instruction is in the buffer.
 */
#ifndef RIG_MACHINE_ENGINE_FOLLOW_TIP_H
#define RIG_MACHINE_ENGINE_FOLLOW_TIP_H

#include <stdbool.h>
#include <stdint.h>

#define TIP_GROUP 16u /* more than retire in a cycle */

/* Cycles that belong to the instruction at that address. */
struct tip_sink {
    void *context;
    void (*add)(void *context, uint64_t address, double cycles);
};

struct tip {
    uint64_t last; /* the cycle in which the group retires */
    uint64_t group[TIP_GROUP];
    unsigned grouped;
    uint64_t blamed; /* the address that a flush is to be blamed on, */
    bool flushed;    /* if there was one */
};

struct tip_passage {
    uint64_t address, entered, retired; /* cycles */
    bool holds;                         /* as struct model_passage says */
};

/* A window begins in cycle `begun`. */
void tip_begin(struct tip *tip, uint64_t begun);
/* The next instruction, in order. */
void tip_pass(struct tip *tip, const struct tip_passage *passage, const struct tip_sink *sink);
/* The window ends before cycle `end`; `passage`: of the first instruction that does not retire in
 * it, NULL when none is known: then the cycles behind the last retirement belong to nobody. */
void tip_end(struct tip *tip, uint64_t end, const struct tip_passage *passage,
             const struct tip_sink *sink);

#endif
