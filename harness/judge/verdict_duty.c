#include "verdict_duty.h"

#include "boot/format.h"

/* A line through two points is always straight. */
#define LINE_POINTS 5u

double verdict_duty_share(double core_cycles, double cycles)
{
    return 2 - 2 * core_cycles / cycles;
}

/* The point that is farthest off its duty. */
static const struct dose_point *worst_of(const struct dose_point *points, unsigned count)
{
    const struct dose_point *worst = points;

    for (unsigned i = 1; i < count; i++)
        if (__builtin_fabs(points[i].share - points[i].dose / 100) >
            __builtin_fabs(worst->share - worst->dose / 100))
            worst = &points[i];
    return worst;
}

void verdict_duty(struct verdict *verdict, const struct trial *trial,
                  const struct dose_point *points, unsigned count, unsigned steps,
                  const struct dose_line *line)
{
    const struct dose_point *worst;
    char subject[160];
    bool straight;

    format(subject, sizeof(subject), "beside %s: cycles of the core answer to the duty",
           trial->beside != NULL ? trial->beside->kernel->name : "its sibling");
    verdict_begin(verdict, trial, subject);
    if (trial->blocked != NULL || count < steps) {
        format(subject, sizeof(subject), "they have a value at %u of %u duties", count, steps);
        verdict_skip(verdict, trial->blocked != NULL ? trial->blocked : subject);
        return;
    }
    worst = worst_of(points, count);
    straight = line->valid && line->slope > 0 && line->r_squared >= DOSE_R_SQUARED;
    if (__builtin_fabs(worst->share - worst->dose / 100) > DUTY_BOUND ||
        (count >= LINE_POINTS && !straight))
        verdict->outcome = VERDICT_FAIL;
    verdict_append(verdict, ": at %u %% the sibling works in %.3f of the cycles",
                   (unsigned)worst->dose, worst->share);
    if (count >= LINE_POINTS && line->valid)
        verdict_append(verdict, ", slope %.3f, intercept %.3f, R squared %.4f", line->slope,
                       line->intercept, line->r_squared);
}
