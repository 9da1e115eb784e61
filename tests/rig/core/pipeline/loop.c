/* The loop buffer: a small loop is repeated from the uop queue, and neither uop cache nor decoders
 * are asked (Optimization Reference Manual, "Loop Stream Detector (LSD)"). */
#include "loop.h"

#define TURNS_ALIKE 4u /* before the queue is sure: not published */

void loop_end(struct model *model)
{
    model->front.loop = (struct loop){0};
}

void loop_taken(struct model *model, uint64_t rip)
{
    model->front.loop.closed = true;
    model->front.loop.from = rip;
}

/* The branch at loop->from led to `target`. Only a loop of one taken branch is followed. */
static void close_turn(struct model *model, uint64_t target)
{
    struct loop *loop = &model->front.loop;
    const bool same = loop->first == target && loop->last == loop->from;

    if (target > loop->from)
        loop_end(model);
    else if (!same)
        *loop = (struct loop){.first = target, .last = loop->from};
    else if (loop->unfit || loop->slots > model->p->loop_uops)
        loop->turns = 0;
    else if (loop->turns < TURNS_ALIKE)
        loop->turns++;
    loop->closed = loop->unfit = false;
    loop->slots = 0;
}

bool loop_begin(struct model *model, const struct decoded *decoded)
{
    struct loop *loop = &model->front.loop;

    if (model->p->loop_uops == 0)
        return false;
    if (loop->closed)
        close_turn(model, decoded->rip);
    loop->unfit |= decoded->microcoded;
    loop->slots += decoded->slots;
    return loop->turns >= TURNS_ALIKE && !loop->unfit && decoded->rip >= loop->first &&
           decoded->rip <= loop->last;
}
