#include "profile_error.h"

#include "square_root.h"

#define BOUND_SAMPLES 100000.0

const char *profile_error(double *error, double *unknown, const struct profile *profile,
                          enum profile_level level, const double *instructions)
{
    double whole = 0, off = 0, without = 0;

    if (profile->reason != NULL)
        return profile->reason;
    for (uint32_t i = 0; i < profile->count[level]; i++) {
        const struct estimated *estimated = &profile->entries[level][i].instructions;
        const double estimate = estimated->value;

        if (estimated->reason != NULL) {
            without += instructions[i];
            continue;
        }
        whole += instructions[i];
        off += estimate > instructions[i] ? estimate - instructions[i] : instructions[i] - estimate;
    }
    if (whole <= 0)
        return "the truth has nothing to compare with";
    *error = off / whole;
    *unknown = without / (whole + without);
    return NULL;
}

double profile_chance(double places, double samples)
{
    return 0.8 * square_root(2 * places / samples);
}

uint64_t profile_samples(uint64_t places)
{
    return (12800 * places + 8) / 9;
}

double profile_bound(double systematic, double places, double samples)
{
    const double chance = square_root(places / samples);

    if (samples < BOUND_SAMPLES)
        systematic *= square_root(BOUND_SAMPLES / samples);
    return chance > systematic ? chance : systematic;
}
