/* Spans of finished cycles on their way to the sink. */
#ifndef RIG_CORE_CYCLE_SPANS_H
#define RIG_CORE_CYCLE_SPANS_H

#include "state.h"

/* Sends every cycle that is over. */
void span_flush(struct output *output);
/* The cycle in output->coming becomes the last span. `key`: idle_key of an idle cycle, else 0. */
void span_join(struct output *output, unsigned key);
/* The same for a cycle that is like the memo's. */
void span_repeat(struct output *output, struct cycle_memo *memo, unsigned key);
/* So many cycles pass: whether the sink accepts their spans in any order. */
bool span_any_order(struct output *output, uint64_t cycles);
/* A span for the sink, which gets it now or when those that are collected are delivered. */
void span_report(struct output *output, const struct span *span);

/* From now on spans are collected, until spans_deliver, or until there are too many, or until the
 * sink has to have them. False: the host's memory ran out, and spans are sent as ever. */
bool spans_collect(struct output *output);
void spans_free(struct output *output);
/* Sends what was collected so many times, in its order; then spans are sent as ever. */
void spans_deliver(struct output *output, uint64_t times);

#endif
