#include "rate_limit.h"

bool rate_limit_allows(const struct rate_limit *limit, uint64_t now, uint64_t least)
{
    const uint64_t rested = now - limit->ended;

    return !limit->done || (rested >= least && rested / RATE_LIMIT_REST >= limit->took);
}

void rate_limit_done(struct rate_limit *limit, uint64_t began, uint64_t now)
{
    *limit = (struct rate_limit){
        .ended = now, .took = (int64_t)(now - began) > 0 ? now - began : 0, .done = true};
}
