#include "exactness.h"

/* More events than any formula needs. */
#define EVENTS_LIMIT 256

void exactness_note(struct exactness *exactness, const struct description *description,
                    const struct event *event, double expected, double measured, bool exact)
{
    struct pinned *pinned = &exactness->events[event - description->events];
    double error = __builtin_fabs(measured - expected);

    if (expected > 0)
        error /= expected;
    else if (error > 0)
        error = 1;
    pinned->times++;
    pinned->exact += exact;
    pinned->expected += expected;
    pinned->measured += measured;
    if (!exact && error > pinned->worst)
        pinned->worst = error;
}

enum exactness_kind exactness_of(const struct pinned *pinned)
{
    if (pinned->times == 0)
        return EXACTNESS_NOT_PROVABLE;
    if (pinned->exact == pinned->times)
        return pinned->expected > 0 ? EXACTNESS_EXACT : EXACTNESS_AT_0;
    return pinned->measured < pinned->expected ? EXACTNESS_UNDER : EXACTNESS_OVER;
}

const char *exactness_name(enum exactness_kind kind)
{
    static const char *const names[] = {"not provable", "exact", "exact at 0", "over", "under"};

    return names[kind];
}

const char *miscount_name(enum miscount miscount)
{
    static const char *const names[] = {[MISCOUNT_PASSING] = "exact in the end",
                                        [MISCOUNT_NOISY] = "noisy",
                                        [MISCOUNT_WRONG] = "wrong"};

    return names[miscount];
}

bool exactness_ratio(const struct pinned *pinned, double *ratio)
{
    if (pinned->expected <= 0)
        return false;
    *ratio = pinned->measured / pinned->expected;
    return true;
}

bool exactness_refuses(const struct exactness *exactness, const struct description *description,
                       const struct event *event)
{
    return exactness != NULL && exactness->events != NULL &&
           exactness->events[event - description->events].miscount >= MISCOUNT_NOISY;
}

const struct event *exactness_doubt(const struct exactness *exactness, const struct counts *given,
                                    const struct formula *formula)
{
    const struct event *events[EVENTS_LIMIT];
    unsigned count;

    if (exactness == NULL || exactness->events == NULL)
        return NULL;
    count = topdown_events_given(given, formula, events, 0, EVENTS_LIMIT, NULL);
    for (unsigned i = 0; i < count; i++)
        if (exactness_refuses(exactness, given->description, events[i]))
            return events[i];
    for (unsigned i = 0; i < count; i++) {
        if (exactness->events[events[i] - given->description->events].worst > EXACTNESS_DOUBT)
            return events[i];
    }
    return NULL;
}
