#include "steps.h"

#include <stdlib.h>

/* So many copies are compared; the first ones differ, because registers and memory are all equal at
 * the start. */
#define ALIKE    4u
#define DONE_MIN 10u

bool steps_start(struct steps *steps, unsigned copies)
{
    *steps = (struct steps){.copies = copies};
    steps->copy = calloc(copies + 1u, sizeof(*steps->copy));
    return steps->copy != NULL;
}

struct step *steps_add(struct steps *steps)
{
    if (steps->count == steps->room) {
        const size_t room = steps->room ? 2 * steps->room : 1024;
        struct step *grown = realloc(steps->step, room * sizeof(*grown));

        if (grown == NULL)
            return NULL;
        steps->step = grown;
        steps->room = room;
    }
    return &steps->step[steps->count++];
}

static uint64_t moved(const struct step *from, const struct step *to, unsigned access)
{
    return to->access[access].address - from->access[access].address;
}

/* Whether the step follows the two that are the same in the copies before. */
static bool follows(const struct step *first, const struct step *second, const struct step *third)
{
    if (first->offset != second->offset || second->offset != third->offset ||
        first->repeat != second->repeat || second->repeat != third->repeat)
        return false;
    for (unsigned i = 0; i < third->accesses; i++)
        if (moved(first, second, i) != moved(second, third, i))
            return false;
    return true;
}

bool steps_settled(const struct steps *steps, unsigned done)
{
    if (done < DONE_MIN)
        return false;
    for (unsigned copy = done - ALIKE; copy < done - 2; copy++) {
        const size_t *begin = &steps->copy[copy];
        const size_t count = begin[1] - begin[0];

        if (begin[2] - begin[1] != count || begin[3] - begin[2] != count)
            return false;
        for (size_t i = 0; i < count; i++)
            if (!follows(&steps->step[begin[0] + i], &steps->step[begin[1] + i],
                         &steps->step[begin[2] + i]))
                return false;
    }
    return true;
}

bool steps_continue(struct steps *steps, unsigned done)
{
    for (unsigned copy = done; copy < steps->copies; copy++) {
        const size_t before = steps->copy[copy - 2], last = steps->copy[copy - 1];
        const size_t count = steps->copy[copy] - last;

        for (size_t i = 0; i < count; i++) {
            struct step *step = steps_add(steps);

            if (step == NULL)
                return false;
            *step = steps->step[last + i];
            for (unsigned j = 0; j < step->accesses; j++)
                step->access[j].address +=
                    moved(&steps->step[before + i], &steps->step[last + i], j);
        }
        steps->copy[copy + 1] = steps->count;
    }
    return true;
}

void steps_free(struct steps *steps)
{
    free(steps->step);
    free(steps->copy);
    *steps = (struct steps){0};
}
