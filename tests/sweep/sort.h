/* The comparator: sorts a faulty run by what a reader of its logs would believe. */
#ifndef TESTS_SWEEP_SORT_H
#define TESTS_SWEEP_SORT_H

#include "outcome.h"
#include "table.h"

enum sort {
    SORT_RIGHT, /* numbers moved, each to what really happened or within what sound runs differ by;
                   the log says nothing, and need not */
    SORT_LOUD,  /* every wrong number is null, missing with its reason, or doubted where it stands;
                   or all are right, and the log names what went wrong */
    SORT_QUIET, /* the fault changed no number, and nothing is said */
    SORT_WRONG, /* silent and wrong: a number that is not so, as good; or one missing without a word
                 */
    SORT_ENDLESS, /* no `end`: the rig had to stop the run, or a log that could be whole is cut */
    SORT_EARLY,   /* documented as impossible: the firmware's own handler ended the run */
    SORTS
};
const char *sort_name(enum sort sort);

/* What sound runs of a base say: the clean one, and those that differ in what changes nothing. */
struct baseline {
    struct facts facts; /* of all streams of all these runs; of the clean run: 0 and 1 */
    struct statements statements[STREAMS];
    struct outcome clean;
};
/* Adds a sound run, the clean one first; it must live as long. Returns false when it is not sound,
 * and says on standard error why. */
bool baseline_add(struct baseline *baseline, struct outcome *sound, unsigned number);
void baseline_end(struct baseline *baseline);
void baseline_free(struct baseline *baseline);

/* What may end without its `end` record because of what the fault is, which members of records
 * (names separated by blanks, or NULL) say other things then, and rightly, and which machine it
 * makes. */
struct allowed {
    bool stick, serial, all;
    const char *moves;
    enum machine machine;
};

/* What was found: `wrong` numbers, and the first of them; for all of them, `every` is a file. */
struct finding {
    enum sort sort;
    unsigned moved, wrong, doubted, missing;
    char first[512];
};
void sort_run(struct finding *finding, struct outcome *outcome, struct baseline *baseline,
              const struct allowed *allowed, FILE *every);

#endif
