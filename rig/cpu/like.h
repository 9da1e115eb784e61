/* For a part that is like another part: its file states what differs.
 *
 * Its initialiser begins with `#include "OTHER.inc"`, the figures of the other part, and then sets
 * the members that differ. If a member is initialised twice, the later value counts (C11, 6.7.9).
 * GCC's -Wextra warns of that; in these files it is intended. */
#ifndef RIG_CPU_LIKE_H
#define RIG_CPU_LIKE_H

#pragma GCC diagnostic ignored "-Woverride-init"

#endif
