/* What a series of samples is held to: only what a source promises. Pure. */
#ifndef HARNESS_EXPERIMENT_SKID_SKID_JUDGE_H
#define HARNESS_EXPERIMENT_SKID_SKID_JUDGE_H

#include "skid_series.h"

enum skid_outcome { SKID_HOLDS, SKID_BROKEN, SKID_OPEN };

/* Of an interrupt: it is taken between two instructions behind the one that overflowed the counter
 * (SDM 3A, "Interrupt and Exception Handling"), so the saved address is never the cause's. Of PEBS:
 * the record names the cause, or the instruction behind it where its format has only that (SDM 3B,
 * "Processor Event Based Sampling"). Of precise distribution of instructions: each comes equally
 * often, whatever it waits for. SKID_OPEN with *why: nobody promises anything, or the samples
 * cannot tell. */
enum skid_outcome skid_judge(const struct skid_distances *distances, const struct skid_laps *laps,
                             enum skid_method method, bool every, uint32_t due, uint64_t windows,
                             const char **why);
#endif
