#include "play.h"

#include "bare_core.h"

/* The harness ran the code 16 times and took the time that most of the runs had. Here predictors
 * settle first: that of loads that pass older stores begins as code leaves it whose loads overlap
 * none (a guess: a kernel's and a library's code ran before), and takes 16 runs to trust a load
 * again. A block that does not both load and store is settled sooner. Then the median of some runs
 * is taken: where loads share an entry, no two runs need be alike. */
#define TIMES_BEFORE    30u
#define TIMES_TO_SETTLE 4u
#define TIMES           9u

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

/* Cycles of so many copies, from a pipeline that is empty to one that is. */
static uint64_t play_copies(struct model *model, const struct block *block,
                            const struct steps *steps, unsigned copies)
{
    uint64_t begun;

    for (unsigned copy = 0; copy < copies; copy++) /* leaves the uop cache, stays in L1 */
        model_snoop_sibling(model, PLAY_CODE + (uint64_t)copy * block->length, block->length);
    model_drain(model);
    model_flush_first_tlb(model);
    begun = model_now(model);
    for (unsigned copy = 0; copy < copies; copy++)
        for (size_t i = steps->copy[copy]; i < steps->copy[copy + 1]; i++)
            play_step(model, block, &steps->step[i], PLAY_CODE + (uint64_t)copy * block->length);
    model_drain(model);
    return model_now(model) - begun;
}

/* The median of some runs. */
static uint64_t play_times(struct model *model, const struct block *block,
                           const struct steps *steps, unsigned copies)
{
    uint64_t cycles[TIMES];

    for (unsigned i = 0; i < TIMES; i++) {
        const uint64_t now = play_copies(model, block, steps, copies);
        unsigned at = i;

        for (; at > 0 && cycles[at - 1] > now; at--)
            cycles[at] = cycles[at - 1];
        cycles[at] = now;
    }
    return cycles[TIMES / 2];
}

static bool loads_and_stores(const struct steps *steps)
{
    bool loads = false, stores = false;

    for (size_t i = 0; i < steps->count; i++)
        for (unsigned k = 0; k < steps->step[i].accesses; k++) {
            stores |= steps->step[i].access[k].write;
            loads |= !steps->step[i].access[k].write;
        }
    return loads && stores;
}

double play_straight(const struct model_parameters *core, const struct block *block,
                     const struct steps *steps)
{
    const unsigned half = steps->copies / 2;
    const unsigned before = loads_and_stores(steps) ? TIMES_BEFORE : TIMES_TO_SETTLE;
    struct bare_core bare;
    uint64_t shorter, longer;

    if (!bare_core_new(&bare, core))
        return -1;
    model_trust_loads(bare.model);
    for (unsigned i = 0; i < before; i++)
        play_copies(bare.model, block, steps, steps->copies);
    longer = play_times(bare.model, block, steps, steps->copies);
    shorter = play_times(bare.model, block, steps, half);
    bare_core_free(&bare);
    return ((double)longer - (double)shorter) / (steps->copies - half);
}
