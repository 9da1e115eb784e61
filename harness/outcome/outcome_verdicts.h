/* The verdicts of the kernel that is being reported: collected in the run, then logged. */
#ifndef HARNESS_OUTCOME_OUTCOME_VERDICTS_H
#define HARNESS_OUTCOME_OUTCOME_VERDICTS_H

#include "harness/run/run.h"

/* Forgets the verdicts so far. */
void outcome_verdicts_begin(struct run_verdicts *verdicts);
/* The place of the next verdict; when there is no room, the last place again. */
struct verdict *outcome_verdicts_next(struct run_verdicts *verdicts);
/* Forgets all but the failures. */
void outcome_verdicts_keep_failures(struct run_verdicts *verdicts);
/* Of a verdict, which on an untrusted core is a skip, except in the self-check. */
struct outcome_said {
    enum outcome outcome;
    char reason[200]; /* of a skip */
};
void outcome_verdicts_said(struct outcome_said *said, const struct measured_core *core,
                           const struct trial *trial, const struct verdict *verdict);
/* Logs them; in the brief form only those that fail. On a core that cannot count they are one skip,
 * for all kernels together: then it returns false. */
bool outcome_verdicts_log(struct run_verdicts *verdicts, struct measured_core *core,
                          const struct trial *trial);
/* Whether the core cannot count: then nothing more is said of its kernels than one skip, which is
 * logged when the first of them, this one, comes. */
bool outcome_verdicts_silent(struct measured_core *core, const char *kernel);
/* Logs one verdict at once: whether the text holds, also on an untrusted core. */
void outcome_verdicts_log_text(struct run_verdicts *verdicts, bool holds, const char *pattern, ...)
    __attribute__((format(printf, 3, 4)));

#endif
