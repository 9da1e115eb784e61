#include "part.h"

/* With no sample among n, the true share is below 3/n at 95 % (the rule of three). */
#define NONE_OF 3.0

static const char too_few[] = "there are too few samples";

static double sum_row(const struct raw *raw, const double *rows, unsigned row, uint32_t first,
                      uint32_t count)
{
    const double *at = raw_row(raw, rows, row);
    double sum = 0;

    for (uint32_t i = first; i < first + count; i++)
        sum += at[i];
    return sum;
}

void part_sum(struct part *part, const struct raw *raw, const double *rows, uint32_t first,
              uint32_t count)
{
    for (unsigned row = 0; row < RAW_ROWS; row++)
        part->of[row] = sum_row(raw, rows, row, first, count);
}

void part_divide(struct part *part, const struct part *whole)
{
    for (unsigned row = 0; row < RAW_ROWS; row++)
        part->of[row] = whole->of[row] > 0 ? part->of[row] / whole->of[row] : 0;
}

static uint64_t used(const struct groups *groups)
{
    uint64_t sum = 0;

    for (unsigned g = 0; g < PROFILE_GROUPS; g++)
        sum += groups->used[g];
    return sum;
}

struct estimated part_scaled(struct estimated estimated, double factor)
{
    estimated.value *= factor;
    estimated.low *= factor;
    estimated.high *= factor;
    return estimated;
}

/* A sample, or a part of one that several blocks share, cannot say less is there than none does. */
static void raise_high(struct estimated *estimated, double high)
{
    if (!estimated->reason && estimated->high < high)
        estimated->high = high;
}

struct estimated part_estimated(const struct part *part)
{
    struct left_out left_out = {.all = part->of[RAW_ALL], .groups = part->groups};
    struct estimated estimated;

    for (unsigned g = 0; g < PROFILE_GROUPS; g++)
        left_out.without[g] = part->of[g];
    estimated = estimated_make(&left_out, 0);
    raise_high(&estimated, NONE_OF / (double)used(part->groups));
    return estimated;
}

/* above / below; false: without a group, below is 0. A row of `fixed` 'a' or 'b' stays that of all
 * samples above or below. */
static bool ratio_of(struct left_out *ratio, const struct part *above, const struct part *below,
                     char fixed)
{
    ratio->groups = fixed == 'a' ? below->groups : above->groups;
    ratio->all = above->of[RAW_ALL] / below->of[RAW_ALL];
    for (unsigned g = 0; g < PROFILE_GROUPS; g++) {
        const double a = above->of[fixed == 'a' ? RAW_ALL : g];
        const double b = below->of[fixed == 'b' ? RAW_ALL : g];

        if (ratio->groups->used[g] && !(b > 0))
            return false;
        ratio->without[g] = b > 0 ? a / b : 0;
    }
    return true;
}

struct estimated part_ratio(const struct part *cycles, const struct part *instructions)
{
    struct left_out first, second;
    struct estimated cpi;

    if (!(instructions->of[RAW_ALL] > PART_ROUNDING))
        return estimated_absent("no sample shows that it ran");
    if (cycles->groups == instructions->groups) {
        if (!ratio_of(&first, cycles, instructions, 0))
            return estimated_absent(too_few);
        cpi = estimated_make(&first, 0);
    } else {
        if (!ratio_of(&first, cycles, instructions, 'b') ||
            !ratio_of(&second, cycles, instructions, 'a'))
            return estimated_absent(too_few);
        cpi = estimated_make(&first, &second);
    }
    raise_high(&cpi, NONE_OF / (double)used(cycles->groups) / instructions->of[RAW_ALL]);
    return cpi;
}
