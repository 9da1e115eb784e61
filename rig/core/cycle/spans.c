/* Spans of cycles on their way to the sink. As long as the sink accepts spans in any order, they
 * wait with their memos until the order matters or the sink has to have them. */
#include "spans.h"

#include <stdlib.h>
#include <string.h>

/* --- collecting --- */

bool spans_collect(struct model *model)
{
    struct span_sequence *all = &model->collected;

    if (all->span == NULL)
        all->span = malloc(COLLECTED_SPANS * sizeof(*all->span));
    if (all->turn == NULL)
        all->turn = malloc(COLLECTED_TURNS * sizeof(*all->turn));
    all->spans = all->turns = 0;
    memset(model->collected_at, 0, sizeof(model->collected_at));
    model->collects = all->span != NULL && all->turn != NULL;
    return model->collects;
}

void spans_free(struct model *model)
{
    free(model->collected.span);
    free(model->collected.turn);
}

static void deliver_once(struct model *model)
{
    const struct span_sequence *all = &model->collected;

    for (unsigned i = 0; i < all->turns; i++) {
        struct span *span = &all->span[all->turn[i].number];

        span->cycles = all->turn[i].cycles;
        model->sink.span(model->sink.context, span);
    }
}

void spans_deliver(struct model *model, uint64_t times)
{
    if (!model->collects)
        return;
    model->collects = false;
    if (times == 1)
        deliver_once(model);
    else
        model->sink.repeat(model->sink.context, &model->collected, times);
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
static unsigned number_of(struct model *model, const struct span *span)
{
    struct span_sequence *all = &model->collected;
    uint64_t at = hash_of(span);

    for (;; at++) {
        uint16_t *number = &model->collected_at[at % COLLECTED_PLACES];

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

static void collect(struct model *model, const struct span *span)
{
    struct span_sequence *all = &model->collected;
    const unsigned number = all->turns < COLLECTED_TURNS ? number_of(model, span) : COLLECTED_SPANS;

    if (number == COLLECTED_SPANS || span->cycles > UINT32_MAX) {
        spans_deliver(model, 1);
        model->sink.span(model->sink.context, span);
        return;
    }
    all->turn[all->turns++] = (struct span_turn){number, (uint32_t)span->cycles};
    all->span[number].cycles += span->cycles;
}

void span_report(struct model *model, const struct span *span)
{
    if (rarely(model->collects))
        collect(model, span);
    else
        model->sink.span(model->sink.context, span);
}

/* --- on the way --- */

static void send(struct model *model, struct span *span)
{
    if (span->cycles == 0)
        return;
    span_report(model, span);
    span->cycles = 0;
}

void span_flush(struct model *model)
{
    if (model->unobserved.cycles != 0) {
        span_report(model, &model->unobserved);
        model->unobserved.cycles = 0;
    }
    for (unsigned i = 0; i < model->held_count; i++) {
        send(model, &model->held[i]->span);
        model->held[i]->held = false;
    }
    model->held_count = 0;
    send(model, model->older);
    send(model, model->last);
    send(model, model->span);
    model->span_key = 0;
    model->order_slack_known = false;
}

RIG_RARE static void ask_order_slack(struct model *model)
{
    model->order_slack =
        model->sink.order_slack != NULL ? model->sink.order_slack(model->sink.context) : 0;
    model->order_slack_known = true;
}

/* Before the answer changes, all spans are sent. */
bool span_any_order(struct model *model, uint64_t cycles)
{
    if (rarely(!model->order_slack_known))
        ask_order_slack(model);
    if (model->order_slack > cycles) {
        model->order_slack -= cycles;
        return true;
    }
    if (model->order_slack == 0)
        return false;
    span_flush(model);
    spans_deliver(model, 1);
    ask_order_slack(model);
    return model->order_slack > 0;
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
static void settle_older(struct model *model)
{
    struct span *before = model->older, *last = model->last;

    if (before->cycles == 0 || last->cycles == 0)
        return;
    if (is_alike(before, last)) {
        last->cycles += before->cycles;
        before->cycles = 0;
    } else {
        send(model, before);
    }
}

/* The former last span is compared with the span before it. The new one is not compared yet: a host
 * waits long for values that were just written one by one and are read several at a time. */
void span_join(struct model *model, unsigned key)
{
    struct span *before = model->older, *last = model->last;

    if (!span_any_order(model, 1) && model->span != last) /* a memo's, and nothing is before it */
        send(model, model->span);
    settle_older(model);
    model->older = last->cycles != 0 ? last : before;
    model->last = model->coming;
    model->coming = last->cycles != 0 ? before : last;
    model->last->cycles = 1;
    model->span = model->last;
    model->span_key = key;
}

void span_repeat(struct model *model, struct cycle_memo *memo, unsigned key)
{
    memo->times++;
    if (span_any_order(model, 1)) {
        if (!memo->held)
            model->held[model->held_count++] = memo;
        memo->held = true;
        model->span = &memo->span;
    } else if (model->span != &memo->span) {
        settle_older(model);
        send(model, model->older);
        send(model, model->span);
        model->span = &memo->span;
    }
    memo->span.cycles++;
    model->span_key = key;
}
