/* Spans of cycles on their way to the sink. As long as the sink accepts spans in any order, they
 * wait with their memos until the order matters or the sink has to have them. */
#include "spans.h"

#include <stdlib.h>
#include <string.h>

/* --- collecting --- */

bool spans_collect(struct output *output)
{
    struct span_sequence *all = &output->collected;

    if (all->span == NULL)
        all->span = malloc(COLLECTED_SPANS * sizeof(*all->span));
    if (all->turn == NULL)
        all->turn = malloc(COLLECTED_TURNS * sizeof(*all->turn));
    all->spans = all->turns = 0;
    memset(output->collected_at, 0, sizeof(output->collected_at));
    output->collects = all->span != NULL && all->turn != NULL;
    return output->collects;
}

void spans_free(struct output *output)
{
    free(output->collected.span);
    free(output->collected.turn);
}

static void deliver_once(const struct output *output)
{
    const struct span_sequence *all = &output->collected;

    for (unsigned i = 0; i < all->turns; i++) {
        struct span *span = &all->span[all->turn[i].number];

        span->cycles = all->turn[i].cycles;
        output->sink.span(output->sink.context, span);
    }
}

void spans_deliver(struct output *output, uint64_t times)
{
    if (!output->collects)
        return;
    output->collects = false;
    if (times == 1)
        deliver_once(output);
    else
        output->sink.repeat(output->sink.context, &output->collected, times);
}

static uint64_t hash_of(const struct span *span)
{
    uint64_t hash = 0;

    for (unsigned i = 0; i < SPAN_VALUES; i += 4) {
        uint64_t four;

        memcpy(&four, &span->value[i], sizeof(four));
        hash = (hash ^ four) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

/* The number of the span with these values, which may be a new one; COLLECTED_SPANS: there are too
 * many. */
static unsigned number_of(struct output *output, const struct span *span)
{
    struct span_sequence *all = &output->collected;
    uint64_t at = hash_of(span);

    for (;; at++) {
        uint16_t *number = &output->collected_at[at % COLLECTED_PLACES];

        if (*number == 0) {
            if (all->spans == COLLECTED_SPANS)
                return COLLECTED_SPANS;
            all->span[all->spans] = *span;
            all->span[all->spans].cycles = 0;
            *number = (uint16_t)++all->spans;
        }
        if (memcmp(all->span[*number - 1u].value, span->value, sizeof(span->value)) == 0)
            return *number - 1u;
    }
}

static void collect(struct output *output, const struct span *span)
{
    struct span_sequence *all = &output->collected;
    const unsigned number =
        all->turns < COLLECTED_TURNS ? number_of(output, span) : COLLECTED_SPANS;

    if (number == COLLECTED_SPANS || span->cycles > UINT32_MAX) {
        spans_deliver(output, 1);
        output->sink.span(output->sink.context, span);
        return;
    }
    all->turn[all->turns++] = (struct span_turn){number, (uint32_t)span->cycles};
    all->span[number].cycles += span->cycles;
}

void span_report(struct output *output, const struct span *span)
{
    if (rarely(output->collects))
        collect(output, span);
    else
        output->sink.span(output->sink.context, span);
}

/* --- on the way --- */

static void send(struct output *output, struct span *span)
{
    if (span->cycles == 0)
        return;
    span_report(output, span);
    span->cycles = 0;
}

void span_flush(struct output *output)
{
    if (output->unobserved.cycles != 0) {
        span_report(output, &output->unobserved);
        output->unobserved.cycles = 0;
    }
    for (unsigned i = 0; i < output->held_count; i++) {
        send(output, &output->held[i]->span);
        output->held[i]->held = false;
    }
    output->held_count = 0;
    send(output, output->older);
    send(output, output->last);
    send(output, output->span);
    output->span_key = 0;
    output->order_slack_known = false;
}

RIG_RARE static void ask_order_slack(struct output *output)
{
    output->order_slack =
        output->sink.order_slack != NULL ? output->sink.order_slack(output->sink.context) : 0;
    output->order_slack_known = true;
}

/* Before the answer changes, all spans are sent. */
bool span_any_order(struct output *output, uint64_t cycles)
{
    if (rarely(!output->order_slack_known))
        ask_order_slack(output);
    if (output->order_slack > cycles) {
        output->order_slack -= cycles;
        return true;
    }
    if (output->order_slack == 0)
        return false;
    span_flush(output);
    spans_deliver(output, 1);
    ask_order_slack(output);
    return output->order_slack > 0;
}

static bool is_alike(const struct span *a, const struct span *b)
{
    uint64_t differ = 0;

    for (unsigned i = 0; i < COMMON_VALUES; i += 4) {
        uint64_t of_a, of_b;

        memcpy(&of_a, &a->value[i], sizeof(of_a));
        memcpy(&of_b, &b->value[i], sizeof(of_b));
        differ |= of_a ^ of_b;
    }
    return differ == 0 && (!(a->rare | b->rare) ||
                           memcmp(a->value + COMMON_VALUES, b->value + COMMON_VALUES,
                                  sizeof(a->value) - COMMON_VALUES * sizeof(*a->value)) == 0);
}

/* Sends the span before the last one, or joins the two. */
static void settle_older(struct output *output)
{
    struct span *before = output->older, *last = output->last;

    if (before->cycles == 0 || last->cycles == 0)
        return;
    if (is_alike(before, last)) {
        last->cycles += before->cycles;
        before->cycles = 0;
    } else {
        send(output, before);
    }
}

/* The former last span is compared with the span before it. The new one is not compared yet: a host
 * waits long for values that were just written one by one and are read several at a time. */
void span_join(struct output *output, unsigned key)
{
    struct span *before = output->older, *last = output->last;

    if (!span_any_order(output, 1) && output->span != last) /* a memo's, and nothing is before it */
        send(output, output->span);
    settle_older(output);
    output->older = last->cycles != 0 ? last : before;
    output->last = output->coming;
    output->coming = last->cycles != 0 ? before : last;
    output->last->cycles = 1;
    output->span = output->last;
    output->span_key = key;
}

void span_repeat(struct output *output, struct cycle_memo *memo, unsigned key)
{
    memo->times++;
    if (span_any_order(output, 1)) {
        if (!memo->held)
            output->held[output->held_count++] = memo;
        memo->held = true;
        output->span = &memo->span;
    } else if (output->span != &memo->span) {
        settle_older(output);
        send(output, output->older);
        send(output, output->span);
        output->span = &memo->span;
    }
    memo->span.cycles++;
    output->span_key = key;
}
