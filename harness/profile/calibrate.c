#include "calibrate.h"

#include "square_root.h"

/* So many standard deviations of the sum are chance (a guess). What is beyond has another cause,
 * and an instruction that hardly varies must not bear it. */
#define DEVIATIONS 2.0

/* No instruction gives more of its cycles (a guess): records show that it waited. What it cannot
 * give is shared by all, as what is beyond chance. */
#define GIVEN_MOST 0.5

/* Of the instruction's cycles, by how its latencies differ from group to group. */
static double variance_of(const struct raw *raw, const struct addresses *addresses, uint32_t i)
{
    const uint32_t count = raw->map->instruction_count;
    const double samples = raw_sum(addresses->at, count, i, RAW_ALL);
    const double executions = raw_row(raw, raw->executions, RAW_ALL)[i];
    double mean, sum = 0;

    if (!(samples > 0 && executions > 0))
        return 0;
    mean = raw_row(raw, raw->cycles, RAW_ALL)[i] / executions;
    for (unsigned g = 0; g < PROFILE_GROUPS; g++) {
        const uint64_t at = (uint64_t)g * count + i;
        const double off = (double)addresses->latency[at] - mean * addresses->at[at];

        sum += off * off;
    }
    return sum * (executions / samples) * (executions / samples);
}

/* `off`: by how much the row's sum is to fall. */
static void fit_row(const struct raw *raw, unsigned row, const double *variances, double off)
{
    double *cycles = raw->cycles + (uint64_t)row * raw->map->instruction_count;

    for (uint32_t i = 0; i < raw->map->instruction_count; i++) {
        const double wanted = off * variances[i], most = GIVEN_MOST * cycles[i];

        cycles[i] -= wanted < most ? wanted : most;
    }
}

void calibrate(const struct raw *raw, const struct addresses *addresses, double counted,
               const double *executed, const double *ran)
{
    double *variances = raw->moved, sum = 0;

    for (uint32_t i = 0; i < raw->map->instruction_count; i++)
        sum += variances[i] = variance_of(raw, addresses, i);
    for (unsigned row = 0; row < RAW_ROWS && sum > 0; row++) {
        const double most = DEVIATIONS * square_root(sum) * executed[row] / executed[RAW_ALL];
        double off = ran[row] - counted * executed[row];

        if (!(executed[row] > 0)) /* what a flow without the group may come to */
            continue;
        if (off > most)
            off = most;
        if (off < -most)
            off = -most;
        fit_row(raw, row, variances, off / sum);
    }
}
