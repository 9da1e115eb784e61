/* Before anything is planned on a core: do its counters agree? */
#ifndef HARNESS_SURVEY_EVERY_COUNTER_H
#define HARNESS_SURVEY_EVERY_COUNTER_H

#include "harness/run/run.h"

enum every_counter_outcome {
    EVERY_COUNTER_AGREE,
    EVERY_COUNTER_OFF,     /* one does not, and has its verdict */
    EVERY_COUNTER_PASSING, /* one did not in a window, and is not off: an `error` record says so */
    EVERY_COUNTER_UNKNOWN, /* they cannot be compared, or the core is lost */
};

/* Counts retired instructions on every counter of the core at once, with a verdict that they agree,
 * which is only logged when it shall be `said`, or one for each counter that does not. Plans avoid
 * such a general counter from then on (facts.general_reserved, facts.general_off). A core that does
 * not come back is lost. Why they cannot be compared has its SKIP. */
enum every_counter_outcome every_counter_compare(struct run_comparison *comparison,
                                                 struct run_verdicts *verdicts,
                                                 struct measured_core *core, bool said);
/* The same once more, in a few windows: nothing is said of counters that agree, nor of a comparison
 * that cannot be made; *why is that reason then. Counters that seem to be off are compared as in
 * every_counter_compare, and only what that finds is said. */
enum every_counter_outcome every_counter_again(struct run_comparison *comparison,
                                               struct run_verdicts *verdicts,
                                               struct measured_core *core, const char **why);

#endif
