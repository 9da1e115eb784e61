/* Members that several kinds of records have. */
#ifndef HARNESS_RECORDS_RECORD_MEMBERS_H
#define HARNESS_RECORDS_RECORD_MEMBERS_H

#include "boot/json_line.h"
#include "harness/judge/measured_core.h"
#include "harness/judge/trial.h"

/* A record longer than this is sent, and its list goes on in the next part: what may still follow
 * must fit into 4096 bytes. */
#define RECORD_FULL 3600u

/* Begins a result record of a core: type, seq, core, kernel (may be null) and unit; "round",
 * "forced" and "trusted" where they are not the usual. */
struct json_line *record_begin(const char *type, const struct measured_core *core,
                               const char *kernel, const char *unit);
/* The kernel on the sibling thread, the dose, and the threads when both count. */
void record_circumstances(struct json_line *record, const struct measurement *measurement);
/* The core that runs the kernel's PARTNER, and its package; nothing when there is none. */
void record_partner(struct json_line *record, const struct partner *partner);
/* How the trial's nodes of level 1 were counted: "formula", "perf_metrics" or "none". */
const char *record_method(const struct trial *trial);
/* How far the windows of both threads were apart, where both counted; null: it is not known. */
void record_windows_apart(struct json_line *record, const struct measurement *measurement);
/* Windows that were thrown away, by guard; null: the core lacks it. */
void record_discarded(struct json_line *record, const struct core_guards *guards,
                      const uint64_t windows[GUARD_KINDS]);
/* Null when the value is not valid. */
void record_real(struct json_line *record, const char *key, bool valid, double value,
                 unsigned decimals);

#endif
