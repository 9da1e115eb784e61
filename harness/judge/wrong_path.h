/* What uops of wrong paths add to counts. */
#ifndef HARNESS_JUDGE_WRONG_PATH_H
#define HARNESS_JUDGE_WRONG_PATH_H

#include "trial.h"

/* By how much the formula's value may lie below and above that of what retires, at least 0. */
struct wrong_path {
    double below, above;
};

/* False with *why: the formula rests on a speculative event, and how many branches were
 * mispredicted or what the re-order buffer holds is not known, or without these uops it has no
 * value. trial->results must not be null. */
bool wrong_path_of(const struct trial *trial, const struct formula *formula, struct wrong_path *off,
                   const char **why);

#endif
