/* --truth: what really happened in every counting window of every core, as the model saw it and not
 * as counters did. One JSON object a line:
 *
 * Of Intel's counters from family 6 on: as long as one of them counts at the privilege level at
 * hand. Counters of ring 3 see a kernel there, and not the way there and back.
 *
 *   core, window  which; the windows of each core are numbered from 1
 *   cycles, instructions, uops_issued, uops_retired, branches, taken, mispredicts, loads, stores,
 *   decoded, decoded_beyond, scheduler_empty
 *                 see struct model_truth
 *   reference     ticks of the time stamp counter from the window's begin to its end, as far as
 *                 something counts
 *   nodes         slots by node of the Topdown tree, at all levels. The slots of a node include
 *                 those of all nodes below it; a parent may have slots that fit no child of it. A
 *                 node that this core cannot have (a loop buffer) is absent; a node that did not
 *                 happen is 0. signals.h says what each node means and what its parent is.
 *   cycles_by     cycles by how many uops began in them (CYCLE_KINDS of core/model.h)
 *   slots         slots by cause at level 2 only; they add up to width x cycles
 *   recorders     what recorded branches or instructions when the window ended: LBR (a stack of
 *                 branches), BTS, PT (processor trace); absent when nothing did
 *
 * On a core with two threads `nodes` and `slots` have a member "sibling": the slots of cycles in
 * which the allocator served the other thread. The member is absent when there are none, as while
 * the other thread is halted. `waited` says for which of these slots this thread had no use
 * itself, by what it waited for (level 2); it is absent when there are none. Over a time in which
 * both threads run, the slots of both without "sibling" add up to the slots of the core. */
#ifndef RIG_MACHINE_TRUTH_H
#define RIG_MACHINE_TRUTH_H

#include <stdbool.h>
#include <stdio.h>

struct core;
struct truth;

struct truth_seen;

struct truth *truth_new(FILE *out);
void truth_free(struct truth *truth);
/* A window begins: nothing is seen of it yet. */
void truth_begin(struct truth_seen *seen);
/* From here on something counts, at the privilege level at hand; up to here it did. */
void truth_go_on(struct truth_seen *seen, struct core *core);
void truth_pause(struct truth_seen *seen, const struct core *core);
/* Writes the window of this core that has just ended; `truth` may be NULL. */
void truth_write(struct truth *truth, const struct core *core);

#endif
