#include "profile_error.h"

/* One entry of a level: its estimate, in a unit of which `weight` x `truth` is a part of the sum.
 */
struct compared {
    const struct estimated *estimated;
    double truth, weight;
};

static struct compared compared_of(const struct profile_entry *entry,
                                   const struct profile_truth *truth, bool cpi)
{
    if (!cpi)
        return (struct compared){&entry->instructions, truth->instructions, 1};
    return (struct compared){&entry->cpi,
                             truth->instructions > 0 ? truth->cycles / truth->instructions : 0,
                             truth->instructions};
}

static double off_by(const struct compared *one)
{
    const double estimate = one->estimated->reason ? 0 : one->estimated->value;

    return estimate > one->truth ? estimate - one->truth : one->truth - estimate;
}

static double cycles_of(const struct profile_truth *truth, uint32_t count)
{
    double cycles = 0;

    for (uint32_t i = 0; i < count; i++)
        cycles += truth[i].cycles;
    return cycles;
}

static void add_up(struct profile_error *error, const struct profile *profile,
                   enum profile_level level, const struct profile_truth *truth, bool cpi)
{
    const double least = ERROR_LEAST_SHARE * cycles_of(truth, profile->count[level]);
    double whole = 0, off = 0;

    for (uint32_t i = 0; i < profile->count[level]; i++) {
        const struct compared one = compared_of(&profile->entries[level][i], &truth[i], cpi);

        error->missing += one.estimated->reason && truth[i].instructions > 0;
        whole += one.weight * one.truth;
        off += one.weight * off_by(&one);
        if (truth[i].cycles >= least && one.truth > 0 &&
            (error->worst == UINT32_MAX || off_by(&one) > error->largest * one.truth)) {
            error->largest = off_by(&one) / one.truth;
            error->worst = i;
        }
    }
    if (whole > 0)
        error->mean = off / whole;
    else
        error->reason = "the truth has nothing to compare with";
}

static void make(struct profile_error *error, const struct profile *profile,
                 enum profile_level level, const struct profile_truth *truth, bool cpi)
{
    *error = (struct profile_error){.reason = profile->reason, .worst = UINT32_MAX};
    if (!error->reason)
        add_up(error, profile, level, truth, cpi);
}

void profile_error_executions(struct profile_error *error, const struct profile *profile,
                              enum profile_level level, const struct profile_truth *truth)
{
    make(error, profile, level, truth, false);
}

void profile_error_cpi(struct profile_error *error, const struct profile *profile,
                       enum profile_level level, const struct profile_truth *truth)
{
    make(error, profile, level, truth, true);
}
