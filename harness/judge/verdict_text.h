/* A verdict as a value: its outcome and its text, which the caller logs. Pure. */
#ifndef HARNESS_JUDGE_VERDICT_TEXT_H
#define HARNESS_JUDGE_VERDICT_TEXT_H

#include "trial.h"

enum outcome { VERDICT_PASS, VERDICT_FAIL, VERDICT_SKIP };

struct verdict {
    enum outcome outcome;
    char text[280];              /* "core 0 be.mem.l1 tma_memory_bound 0.913 in [0.800, 1.000]" */
    char reason[160];            /* of a skip */
    unsigned expectation;        /* of the kernel, which this judges, from 1; 0: it judges none */
    const struct node *no_share; /* it fails because of what this node's formula gives; or null */
};

/* "core 0 KERNEL SUBJECT"; a pass until something else is found. */
void verdict_begin(struct verdict *verdict, const struct trial *trial, const char *subject);
/* Adds to the text; what does not fit is left out, and "..." says so. */
void verdict_append(struct verdict *verdict, const char *pattern, ...)
    __attribute__((format(printf, 2, 3)));
void verdict_skip(struct verdict *verdict, const char *reason);
/* Why a share has no verdict where trial_needs_deeper_tree() says so. */
#define VERDICT_TREE_TOO_SHORT "the CPU description's tree ends above this kernel's level"
/* Passes when low <= value <= high. "core 0 KERNEL SUBJECT 0.913 in [0.800, 1.000]": all three have
 * the same number of decimals, none when all are whole and no shares. */
void verdict_in_range(struct verdict *verdict, const struct trial *trial, const char *subject,
                      double value, double low, double high, bool share);
/* For a single event that should count exactly `expected` in every repeat, and counted the tally.
 * "core 0 KERNEL SUBJECT 64..65 in [64, 64]" when the repeats differ. */
void verdict_exactly(struct verdict *verdict, const struct trial *trial, const char *subject,
                     const struct tally *tally, double expected);
/* Writes "code+18" or "code-4": a distance in bytes from the kernel's first instruction. */
#define VERDICT_PLACE 32
void verdict_place(char out[VERDICT_PLACE], const struct kernel *kernel, uint64_t address);
/* Names the errata that the description lists for the event, if any. */
void verdict_errata(struct verdict *verdict, const struct trial *trial, const struct event *event);
/* The verdict is a skip when the self-check refuses an event that the formula needs; when other
 * kernels have shown such an event to be off, the verdict says so. */
void verdict_doubt(struct verdict *verdict, const struct trial *trial,
                   const struct formula *formula);

/* The verdict is a skip, because the self-check refuses the event. */
void verdict_refuse(struct verdict *verdict, const struct trial *trial, const struct event *event);

#endif
