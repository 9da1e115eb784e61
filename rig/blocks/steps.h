/* What the instructions of several copies of a block did. */
#ifndef RIG_BLOCKS_STEPS_H
#define RIG_BLOCKS_STEPS_H

#include <stddef.h>

#include "core/model.h"

#define STEPS_PAGE 4096u /* bytes of a page; all pages are one physical page */

/* One executed instruction: where in its copy of the block, and what it accessed. */
struct step {
    uint16_t offset;
    uint8_t length;
    bool repeat; /* of a REP string instruction: another iteration follows */
    uint8_t accesses;
    struct access access[EXECUTED_ACCESSES];
};

struct steps {
    struct step *step;
    size_t count, room;
    size_t *copy; /* copy[i]: the first step of copy number i; copy[copies] is `count` */
    unsigned copies;
};

/* Room for that many copies. False: the host's memory ran out. Free with steps_free in both cases.
 */
bool steps_start(struct steps *steps, unsigned copies);
/* One more step, not filled in. NULL: the host's memory ran out. */
struct step *steps_add(struct steps *steps);
/* Whether the last of `done` copies did the same as the copies before it, each access a fixed
 * number of bytes further. */
bool steps_settled(const struct steps *steps, unsigned done);
/* Adds what the copies from number `done` on will do if they go on like the last two. False: the
 * host's memory ran out. */
bool steps_continue(struct steps *steps, unsigned done);
void steps_free(struct steps *steps);

#endif
