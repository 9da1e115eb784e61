/* What really happened, by the rig's own truth (--truth): whether a number that is another than in
 * the sound run is right all the same, because the run itself went otherwise. */
#ifndef TESTS_SWEEP_REAL_H
#define TESTS_SWEEP_REAL_H

#include "facts.h"
#include "tests/tools/truth_log.h"

enum real { REAL_UNKNOWN, REAL_RIGHT, REAL_WRONG };

/* `sound` is the same fact of the sound run, whose log and truth are `of_sound`; NULL: that run has
 * no such number. A node's formula has an own error: a node may be off by `share` more than the
 * sound run's, or by `share` to the other side of the truth. */
enum real real_says(const struct fact *fact, struct run *of_fact, const struct fact *sound,
                    struct run *of_sound, double share);

/* How the windows of the fact's kernel went, by their cycles, uops and mispredictions: as in the
 * sound run, otherwise in some windows, or so that the middle one is another. */
enum real_way { REAL_SAME, REAL_IN_SOME, REAL_OTHERWISE };
enum real_way real_went(const struct fact *fact, struct run *of_fact, const struct fact *sound,
                        struct run *of_sound);

#endif
