/* For a part that is like another one: it states what differs.
 *
 * An initialiser begins with the figures of the other part, `#include "OTHER.inc"`, and sets after
 * them what this part has otherwise. Of a member that is initialised twice the later value counts
 * (C11, 6.7.9); GCC's -Wextra warns of that, and here it is meant. */
#ifndef RIG_CPU_LIKE_H
#define RIG_CPU_LIKE_H

#pragma GCC diagnostic ignored "-Woverride-init"

#endif
