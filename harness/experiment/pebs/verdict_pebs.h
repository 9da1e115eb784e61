/* Verdicts on PEBS records. Pure. */
#ifndef HARNESS_EXPERIMENT_PEBS_VERDICT_PEBS_H
#define HARNESS_EXPERIMENT_PEBS_VERDICT_PEBS_H

#include "harness/judge/verdict_text.h"
#include "pebs_windows.h"

/* What the manual promises of records. */
enum pebs_promise {
    PEBS_NAMES_CAUSE, /* a record names the instruction that caused the event */
    PEBS_LOSES_NONE,  /* with either threshold: one record, a full buffer */
    PEBS_LOSES_NONE_FULL,
    PEBS_LOSES_NONE_STOPPED, /* when a nearly full buffer interrupts and ends the window */
    PEBS_DISTRIBUTES,        /* precise distribution: from record to record it is one period */
    PEBS_FINDS_DATA,         /* the address of the data is where the instruction loads from */
    PEBS_FINDS_LATENCY,
    PEBS_HAS_GROUPS, /* the newest branch and XMM7 are those of the instruction */
    PEBS_PROMISES
};

/* Whether the promise is about this use on this core. */
bool verdict_pebs_applies(const struct pebs_plan *plan, enum pebs_promise promise);
void verdict_pebs(struct verdict *verdict, const struct trial *trial,
                  const struct pebs_sampling *sampling, enum pebs_use use,
                  enum pebs_promise promise);
/* Use `use` is not sampled at all: a skip. */
void verdict_pebs_absent(struct verdict *verdict, const struct trial *trial, enum pebs_use use,
                         const char *why);

#endif
