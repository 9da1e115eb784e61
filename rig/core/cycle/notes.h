/* What goes on beside the pipeline and is noted in the ring of coming cycles: lines and page walks
 * in flight, locks, a few uops. */
#ifndef RIG_CORE_CYCLE_NOTES_H
#define RIG_CORE_CYCLE_NOTES_H

#include "state.h"

/* A load that began in cycle `begun`, or a store whose line was asked for then: notes in the coming
 * cycles what its `reach` means for them. */
void notes_load(const struct model_parameters *p, struct timeline *time, uint64_t begun,
                bool locked, const struct reach *reach);
void notes_store(struct timeline *time, uint64_t begun, const struct reach *reach);
/* The page walk of a store, over in cycle `walked`. */
void notes_store_walk(const struct model_parameters *p, struct timeline *time, uint64_t walked);
/* A line of L1 is locked from `begun` until `unlocked`. */
void notes_lock(struct timeline *time, uint64_t begun, uint64_t unlocked);
void notes_x87(struct timeline *time, uint64_t begun);
void notes_division(struct timeline *time, uint64_t begun);
void notes_blend(struct timeline *time); /* in this cycle */
/* A load or store that crosses a line has its data, or retires, in that cycle. */
void notes_split(struct timeline *time, uint64_t cycle, bool store);
/* A uop of a wrong path leaves the re-order buffer in that cycle. */
void notes_cancelled(struct timeline *time, uint64_t cycle);
/* A taken branch is executed in that cycle: its direction and its target are known. */
void notes_taken(struct timeline *time, uint64_t cycle, bool mispredicted);
/* The same signals of a coming cycle, ahead of notes_finish: as far as its branches are known. */
void notes_taken_ahead(struct timeline *time, uint64_t cycle, uint16_t *value);
void notes_trace_miss(struct timeline *time, uint64_t cycle);
/* The lines that the memory asked for beyond L2 since the last call. */
void notes_line_reads(struct memory_hierarchy *memory, struct timeline *time);
/* The instruction uses, clears or keeps upper halves of vector registers. True: it takes a blend.
 */
static inline bool upper_note(const struct model_parameters *p, struct renamer *renamer,
                              const struct decoded *decoded)
{
    if (decoded->upper == UPPER_KEPT)
        return renamer->upper_used && p->blends_upper;
    renamer->upper_used = decoded->upper == UPPER_USED;
    return false;
}
/* Sets the signals of the notes of the cycle that ends. */
void notes_finish(const struct model_parameters *p, struct timeline *time,
                  const struct cycle *cycle, uint16_t *value);
/* The cycles before `cycle` pass without signals. */
void notes_skip(struct timeline *time, uint64_t cycle);
/* Sets the signals of a retiring instruction with flops or RETIRE_NOTED. */
void notes_retire(const struct retiring *entry, uint16_t *value);

#endif
