/* Spans of cycles on their way to the sink. As long as the sink accepts spans in any order, they
 * wait with their memos until the order matters or the sink has to have them. */
#include "spans.h"

#include <string.h>

static void send(struct model *model, struct span *span)
{
    if (span->cycles == 0)
        return;
    model->sink.span(model->sink.context, span);
    span->cycles = 0;
}

void span_flush(struct model *model)
{
    if (model->unobserved.cycles != 0) {
        model->sink.span(model->sink.context, &model->unobserved);
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
