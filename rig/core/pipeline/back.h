/* The back end: instructions that reach it one at a time, and what empties it. */
#ifndef RIG_CORE_PIPELINE_BACK_H
#define RIG_CORE_PIPELINE_BACK_H

#include "core/cycle/state.h"

/* Takes an instruction through allocation, execution and retirement; `retiring` is the entry at
 * the ring's tail and is pushed. `fused`: it is the second of a fused pair. Gives the cycle in
 * which its last uop completed. */
uint64_t back_execute(struct model *model, const struct decoded *decoded,
                      const struct executed *executed, struct retiring *retiring, bool fused);
/* The instruction at `rip` turned out to be the first of a fused pair, which ends before `end`. */
void fused_remember(const struct model_parameters *p, struct front *front,
                    struct previous *previous, uint64_t rip, uint64_t end);
static inline unsigned fused_place(uint64_t rip)
{
    return (unsigned)((rip ^ rip >> 12) % FUSED_ENTRIES);
}
static inline bool fused_remembered(const struct previous *previous, uint64_t rip)
{
    return previous->fused_first[fused_place(rip)] == rip;
}
/* Whether the instruction is known to be the first of a fused pair. */
static inline bool fused_known(const struct previous *previous, const struct decoded *decoded)
{
    return decoded->fuses_first && fused_remembered(previous, decoded->rip);
}
/* The lines that the instruction flushes leave all caches, and the uop cache. */
void back_flush(struct model *model, const struct executed *executed);
/* Ends every cycle until nothing is in flight. */
void back_drain(struct model *model);
/* Of a drained pipeline: the handler of an exception or interrupt is fetched. */
void back_interrupt(const struct model_parameters *p, struct front *front,
                    struct mechanisms *mechanisms, uint64_t now);
/* Of a drained pipeline: so many cycles pass in which nothing happens and nothing is reported. */
void back_idle(const struct model_parameters *p, struct front *front, struct timeline *time,
               uint64_t cycles);
/* Everything younger than the slot allocated last is on the wrong path until cycle `resolved`; then
 * come recovery and refill. */
void back_clear(struct model *model, uint64_t resolved, enum clear clear);
/* The instruction that was executed last needs microcode's help: all younger instructions are
 * thrown away, and the uops of the sequencer retire. */
RIG_RARE void back_assist(struct model *model);

#endif
