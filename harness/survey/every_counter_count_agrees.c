/* What the windows say, apart from how they came about. Pure. */
#include "every_counter_count.h"

static void look(struct disagreement *found, int64_t value, int64_t most)
{
    const int64_t off = value > most ? value - most : most - value;

    found->low = value < found->low ? value : found->low;
    found->high = value > found->high ? value : found->high;
    found->nearest = off < found->nearest ? off : found->nearest;
}

bool every_counter_agrees(const struct every_counter_windows *windows, enum every_counter what,
                          unsigned reading, struct disagreement *found)
{
    bool agree = true;

    *found = (struct disagreement){.low = INT64_MAX, .high = INT64_MIN, .nearest = INT64_MAX};
    for (unsigned i = windows->repeats; i-- > 0;) {
        const uint64_t *counted = windows->counted[i];
        const uint64_t agreed = every_counter_agreed(what, counted, windows->pass.reading_count);
        const int64_t value = (int64_t)counted[reading], most = (int64_t)agreed,
                      tolerance = (int64_t)every_counter_tolerance(what, agreed);

        look(found, value, most);
        if (value + tolerance >= most && value <= most + tolerance)
            continue;
        agree = false;
        found->value = value;
        found->agreed = most;
        found->tolerance = tolerance;
    }
    return agree;
}
