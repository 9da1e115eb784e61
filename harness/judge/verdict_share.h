/* A verdict that would pass, over a node whose formula gives what is no share. Pure. */
#ifndef HARNESS_JUDGE_VERDICT_SHARE_H
#define HARNESS_JUDGE_VERDICT_SHARE_H

#include "verdict_text.h"

/* A verdict that names what the node's formula gives never passes where that is no share: it fails
 * when the value is outside of 0 to 1 by more than it may be off, and is a skip when it is not. It
 * fails, too, when a node of level 2 is more than its parent, of which it is a part. A verdict that
 * did not pass stays what it is. */
void verdict_ask_share(struct verdict *verdict, const struct trial *trial, const struct node *node);

#endif
