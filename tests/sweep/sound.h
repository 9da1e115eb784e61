/* The runs without a fault, which those with one are held against. */
#ifndef TESTS_SWEEP_SOUND_H
#define TESTS_SWEEP_SOUND_H

#include "options.h"
#include "plan.h"
#include "run.h"
#include "sort.h"

#define SOUND_RUNS 5 /* of each base run */

/* By base run. */
struct sound {
    struct baseline baselines[OPTIONS_BASES];
    struct extent extents[OPTIONS_BASES];
    struct outcome outcomes[OPTIONS_BASES][SOUND_RUNS];
};

/* Boots each base run that is used; it must live as long as `sound`. Returns false when one of them
 * is not sound, and says on standard error why. */
bool sound_run(struct sound *sound, const struct setup *setup, const struct options *options);

#endif
