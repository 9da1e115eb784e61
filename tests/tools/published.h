/* What the published formula of a node should make of the rig's truth, where it is no plain share
 * of slots: it counts cycles, or what the decoders made. The rig states such cycles and slots in
 * its truth (never as events); the formulas are written here a second time, from TMA 5.2's tables.
 */
#ifndef TESTS_TOOLS_PUBLISHED_H
#define TESTS_TOOLS_PUBLISHED_H

#include "truth_log.h"

/* Which of the formulas a description has; FORM_SLOTS: all its nodes are shares of slots. */
enum form { FORM_SLOTS, FORM_HASWELL, FORM_SKYLAKE, FORM_ICELAKE };
enum form form_of(const char *description);

bool is_back_end(const char *node);

/* Whether the node's formula divides by uops of the decoders where the decoders made next to none:
 * only the edges of the windows had any, and they differ from pass to pass. */
bool rests_on_edges(struct run *run, const json_t *topdown, const char *node);

/* Returns the value that the node's published formula should have, given the log's values of level
 * 1 (which are compared with the truth themselves). NAN when the formula is a share of slots, when
 * it has no finite value, or when the truth lacks what it needs: before Skylake, with two threads,
 * cycles by how many uops of both threads begin in them. */
double published_value(struct run *run, const json_t *topdown, const char *node);

#endif
