/* Whether a log's verdicts that hold say what can hold: the node that one names is a share of the
 * slots as far as the log's records can tell, has a value there, and was compared with another. It
 * knows the format of the log (doc/log.md) and the tolerances of doc/measuring.md. */
#ifndef TESTS_TOOLS_SHARE_VERDICTS_H
#define TESTS_TOOLS_SHARE_VERDICTS_H

#include <jansson.h>

/* What the records said of the kernel that is being judged. All zero at first. */
struct share_verdicts {
    json_t *kernel, *topdown; /* its last `kernel` record; all parts of its last `topdown` record */
};

/* To be called for each record of the log, in order. */
void share_verdicts_record(struct share_verdicts *shares, json_t *record);
/* Returns what is wrong with a line of the log; null: nothing is. */
const char *share_verdicts_wrong(const struct share_verdicts *shares, const char *line);
void share_verdicts_free(struct share_verdicts *shares);

#endif
