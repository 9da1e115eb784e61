/* The runs with one fault each. */
#ifndef TESTS_SWEEP_TRIALS_H
#define TESTS_SWEEP_TRIALS_H

#include <stdio.h>

#include "sound.h"
#include "tally.h"

struct trials {
    const struct options *options;
    const struct setup *setup;
    struct sound *sound;
    struct plan plan;
    struct tally tally;
    FILE *results;
};

/* Draws the faults, tries them and prints the table, and what no log owns up to. Returns a status.
 */
int trials_sweep(struct trials *trials);
/* Tries the one that the options name, and prints each number that moved. Returns a status. */
int trials_one(struct trials *trials);
/* Prints how many faults each class has in each base run. */
void trials_list(const struct trials *trials);

#endif
