#include "estimated.h"

#include "square_root.h"
#include "student_t.h"

static uint64_t samples_of(const struct groups *groups, unsigned *filled)
{
    uint64_t samples = 0;

    *filled = 0;
    for (unsigned g = 0; g < PROFILE_GROUPS; g++) {
        samples += groups->used[g];
        *filled += groups->used[g] != 0;
    }
    return samples;
}

bool left_out_variance(const struct left_out *left_out, double *variance)
{
    unsigned filled;
    const double samples = (double)samples_of(left_out->groups, &filled);
    double centre, sum = 0;

    if (filled < 2)
        return false;
    centre = filled * left_out->all;
    for (unsigned g = 0; g < PROFILE_GROUPS; g++)
        if (left_out->groups->used[g])
            centre -= (1 - (double)left_out->groups->used[g] / samples) * left_out->without[g];
    for (unsigned g = 0; g < PROFILE_GROUPS; g++) {
        double part, off;

        if (!left_out->groups->used[g])
            continue;
        part = samples / (double)left_out->groups->used[g];
        off = part * left_out->all - (part - 1) * left_out->without[g] - centre;
        sum += off * off / (part - 1);
    }
    *variance = sum / filled;
    return true;
}

struct estimated estimated_absent(const char *reason)
{
    return (struct estimated){.reason = reason};
}

struct estimated estimated_make(const struct left_out *first, const struct left_out *second)
{
    const struct left_out *source[] = {first, second};
    struct estimated estimated = {.value = first->all};
    unsigned fewest = PROFILE_GROUPS;
    double total = 0, half;

    for (unsigned s = 0; s < 2 && source[s]; s++) {
        double variance;
        unsigned filled;

        if (!left_out_variance(source[s], &variance))
            return estimated_absent("there are too few samples for a confidence interval");
        samples_of(source[s]->groups, &filled);
        fewest = filled < fewest ? filled : fewest;
        total += variance;
    }
    half = student_t(fewest - 1) * square_root(total);
    estimated.low = estimated.value > half ? estimated.value - half : 0;
    estimated.high = estimated.value + half;
    return estimated;
}
