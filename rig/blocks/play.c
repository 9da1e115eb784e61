#include "play.h"

#define DATA UINT64_C(0x10000000) /* the physical page that all accesses are in */

void play_step(struct model *model, const struct block *block, const struct step *step,
               uint64_t copy)
{
    struct executed executed = {.rip = copy + step->offset,
                                .bytes = block->code + step->offset,
                                .length = step->length,
                                .repeat = step->repeat,
                                .accesses = step->accesses};

    executed.next = executed.rip + (step->repeat ? 0 : step->length);
    for (unsigned i = 0; i < step->accesses; i++) {
        executed.access[i] = step->access[i];
        executed.access[i].address = DATA + step->access[i].address % STEPS_PAGE;
    }
    if (step->accesses > 0) /* of two accesses both are taken to be in the page of the last */
        model_linear_above(model,
                           step->access[step->accesses - 1].address / STEPS_PAGE * STEPS_PAGE);
    model_execute(model, &executed);
}
