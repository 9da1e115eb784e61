/* The loop buffer: a small loop is repeated from the uop queue, and neither uop cache nor decoders
 * are asked (Optimization Reference Manual, "Loop Stream Detector (LSD)"). */
#include "loop.h"

#define TURNS_ALIKE 4u /* before the queue is sure: not published */

void loop_end(struct model *model)
{
    model->front.loop = (struct loop){0};
}

/* Turns of the current length that the queue holds at a time: as it was measured for a queue that
 * one thread has alone, and no more than there is room for. */
static unsigned turns_held(const struct model *model)
{
    const unsigned slots = model->front.loop.slots;
    const unsigned turns = slots < LOOP_TURNS ? model->p->loop_turns[slots] : 0;

    return turns * slots > model->idq ? model->idq / slots : turns;
}

bool loop_taken(struct model *model, uint64_t rip)
{
    struct loop *loop = &model->front.loop;

    loop->closed = true;
    loop->from = rip;
    loop->held++;
    if (model->front.source == SOURCE_LOOP && loop->held < turns_held(model))
        return true;
    loop->held = 0;
    return false;
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

/* Where there is a uop cache, all of the loop comes from it ("Loop Stream Detector", as above). */
void loop_decoded(struct model *model)
{
    model->front.loop.unfit |= model->p->dsb_ways > 0;
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
