/* What the self-check makes of a count that is off: it is measured again. Pure. */
#ifndef HARNESS_JUDGE_RECHECK_H
#define HARNESS_JUDGE_RECHECK_H

#include "verdict.h"

/* How often a kernel of the self-check with a count that is off is measured again, at most. */
#define RECHECKS 3u
/* More expectations than any kernel of the self-check has; what further ones did is not kept. */
#define RECHECK_COUNTS 16u

struct recheck {
    unsigned measured; /* how often the kernel was measured and looked at, the last time included */
    struct {
        unsigned off;      /* in so many of them the expectation failed */
        int64_t low, high; /* of all repeats of all measurements */
        double expected;   /* the middle of the expected range */
        bool known;        /* low, high and expected are */
    } counts[RECHECK_COUNTS];
};

/* Looks at one more measurement of a kernel of the self-check. Returns whether an expectation
 * failed. */
bool recheck_look(struct recheck *recheck, const struct trial *trial);
/* What the measurements so far made of expectation `index`. Off each time is wrong when the values
 * lie together: no further apart than a tenth of what the nearest of them is off by. Otherwise it
 * is noise. */
enum miscount recheck_result(const struct recheck *recheck, unsigned index);
/* Adds to the verdict on expectation `index` what the measurements made of it, if any was off:
 * ", wrong: the same in 4 measurements", ", wrong: 4619..4621 in 4 measurements", ", noisy:
 * 4000..4010 in 2 measurements". */
void recheck_tell(const struct recheck *recheck, unsigned index, struct verdict *verdict);

#endif
