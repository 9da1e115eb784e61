/* The Topdown trees that logs name, for their page. */
#ifndef SLOTLOG_PAGE_TREES_H
#define SLOTLOG_PAGE_TREES_H

#include "whole_log.h"

/* An object with a member for each description that `core` records of the logs name, and that this
 * program has: what it says of the tree. A description that came from a rig's stick is left out:
 * it may be another one of the same name. The caller owns the object.
 *
 *   {NAME: {"width": slots in a cycle, "parameters": {NAME: number...},
 *           "nodes": {NAME: NODE...}}}
 *
 * NODE is {"level": N, "parent": NAME or null,
 * "formula": as the description's file has it}; the level of a `let` is 0 (pmu/description.h). */
json_t *page_trees(const struct whole_log *logs, size_t count);

#endif
