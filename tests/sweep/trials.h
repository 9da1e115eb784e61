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
/* Whether the one that the options name is of a class; where in the run it is, is not looked at. */
bool trials_one_has_class(const struct options *options);
/* Tries the one that the options name, and prints each number that moved. Returns a status. */
int trials_one(struct trials *trials);
/* Prints how many faults each class has in each base run. */
void trials_list(const struct trials *trials);

#endif
