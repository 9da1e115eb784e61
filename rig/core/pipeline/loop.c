/* The loop buffer: a small loop is repeated from the uop queue, and neither uop cache nor decoders
 * are asked (Optimization Reference Manual, "Loop Stream Detector (LSD)"). */
#include "loop.h"

#define TURNS_ALIKE 4u /* before the queue is sure: not published */

void loop_end(struct loop *loop)
{
    *loop = (struct loop){0};
}

/* Turns of the current length that the queue holds at a time: as it was measured for a queue that
 * one thread has alone, and no more than there is room for. */
static unsigned turns_held(const struct model_parameters *p, const struct loop *loop,
                           const struct uop_queue *queue)
{
    const unsigned slots = loop->slots;
    const unsigned turns = slots < LOOP_TURNS ? p->loop_turns[slots] : 0;

    return turns * slots > queue->room ? queue->room / slots : turns;
}

bool loop_taken(const struct model_parameters *p, struct front *front,
                const struct uop_queue *queue, uint64_t rip)
{
    struct loop *loop = &front->loop;

    loop->closed = true;
    loop->from = rip;
    loop->held++;
    if (front->source == SOURCE_LOOP && loop->held < turns_held(p, loop, queue))
        return true;
    loop->held = 0;
    return false;
}

/* The branch at loop->from led to `target`. Only a loop of one taken branch is followed. */
static void close_turn(const struct model_parameters *p, struct loop *loop, uint64_t target)
{
    const bool same = loop->first == target && loop->last == loop->from;

    if (target > loop->from)
        loop_end(loop);
    else if (!same)
        *loop = (struct loop){.first = target, .last = loop->from};
    else if (loop->unfit || loop->slots > p->loop_uops)
        loop->turns = 0;
    else if (loop->turns < TURNS_ALIKE)
        loop->turns++;
    loop->closed = loop->unfit = false;
    loop->slots = 0;
}

/* Where there is a uop cache, all of the loop comes from it ("Loop Stream Detector", as above). */
void loop_decoded(const struct model_parameters *p, struct loop *loop)
{
    loop->unfit |= p->dsb_ways > 0;
}

bool loop_begin(const struct model_parameters *p, struct loop *loop, const struct decoded *decoded)
{
    if (p->loop_uops == 0)
        return false;
    if (loop->closed)
        close_turn(p, loop, decoded->rip);
    loop->unfit |= decoded->microcoded;
    loop->slots += decoded->slots;
    return loop->turns >= TURNS_ALIKE && !loop->unfit && decoded->rip >= loop->first &&
           decoded->rip <= loop->last;
}
