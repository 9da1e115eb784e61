#include "verdict_text.h"

#include "boot/format.h"
#include "boot/text.h"

#define VALUE_DECIMALS 3
#define DECIMALS_MAX   6
#define DIGITS_MAX     6
#define SCALED_MAX     9e15 /* a double and an int64_t hold every whole number up to here */

/* To a whole number, away from 0 at a half; |value| is at most SCALED_MAX. */
static int64_t rounded(double value)
{
    return (int64_t)(value < 0 ? value - 0.5 : value + 0.5);
}

static double power_of_ten(unsigned decimals)
{
    double power = 1;

    for (; decimals > 0; decimals--)
        power *= 10;
    return power;
}

/* How many decimals the value has, up to DECIMALS_MAX and to DIGITS_MAX digits in all, rounding
 * errors of doubles left out: a bound that rests on a measured frequency has no more meaning. */
static unsigned decimals_of(double value)
{
    unsigned decimals = 0;

    for (; decimals < DECIMALS_MAX; decimals++) {
        const double scaled = value * power_of_ten(decimals);

        if (__builtin_fabs(scaled) * 10 >= power_of_ten(DIGITS_MAX) ||
            __builtin_fabs(scaled - (double)rounded(scaled)) < 1e-6)
            break;
    }
    return decimals;
}

static unsigned larger(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

/* The decimals of all three numbers: as many as the bounds have; at least three for shares and for
 * values that are not whole; and so many that a value outside the range is not printed as if it
 * were inside. */
static unsigned decimals_for(double value, double low, double high, bool share)
{
    unsigned decimals = larger(decimals_of(low), decimals_of(high));

    if (share || decimals_of(value) > 0)
        decimals = larger(decimals, VALUE_DECIMALS);
    for (; decimals < DECIMALS_MAX; decimals++) {
        const double power = power_of_ten(decimals);
        int64_t printed;

        if (power * (__builtin_fabs(value) + __builtin_fabs(low) + __builtin_fabs(high)) >
            SCALED_MAX)
            break;
        printed = rounded(value * power);
        if ((value >= low || printed < rounded(low * power)) &&
            (value <= high || printed > rounded(high * power)))
            break;
    }
    return decimals;
}

void verdict_skip(struct verdict *verdict, const char *reason)
{
    verdict->outcome = VERDICT_SKIP;
    format(verdict->reason, sizeof(verdict->reason), "%s", reason);
}

void verdict_begin(struct verdict *verdict, const struct trial *trial, const char *subject)
{
    memset(verdict, 0, sizeof(*verdict));
    format(verdict->text, sizeof(verdict->text), "core %u %s %s", trial->core,
           trial->experiment->kernel->name, subject);
}

void verdict_in_range(struct verdict *verdict, const struct trial *trial, const char *subject,
                      double value, double low, double high, bool share)
{
    const int decimals = (int)decimals_for(value, low, high, share);

    format(verdict->text, sizeof(verdict->text), "core %u %s %s %.*f in [%.*f, %.*f]", trial->core,
           trial->experiment->kernel->name, subject, decimals, value, decimals, low, decimals,
           high);
    verdict->outcome = value >= low && value <= high ? VERDICT_PASS : VERDICT_FAIL;
}

void verdict_exactly(struct verdict *verdict, const struct trial *trial, const char *subject,
                     const struct tally *tally, double expected)
{
    const int decimals = (int)decimals_of(expected);

    if (tally->constant) {
        verdict_in_range(verdict, trial, subject, (double)tally->lowest, expected, expected, false);
        return;
    }
    verdict->outcome = VERDICT_FAIL;
    format(verdict->text, sizeof(verdict->text), "core %u %s %s %.*f..%.*f in [%.*f, %.*f]",
           trial->core, trial->experiment->kernel->name, subject, decimals, (double)tally->lowest,
           decimals, (double)tally->highest, decimals, expected, decimals, expected);
}

void verdict_place(char out[VERDICT_PLACE], const struct kernel *kernel, uint64_t address)
{
    uint64_t code = (uint64_t)(uintptr_t)kernel->code;
    bool before = address < code;

    format(out, VERDICT_PLACE, "code%c%llu", before ? '-' : '+',
           (unsigned long long)(before ? code - address : address - code));
}

void verdict_errata(struct verdict *verdict, const struct trial *trial, const struct event *event)
{
    const size_t length = strlen(verdict->text);
    char errata[DESCRIPTION_ERRATA];

    if (description_errata(trial->description, event, errata) > 0)
        format(verdict->text + length, sizeof(verdict->text) - length, ", see erratum %s", errata);
}

/* Writes "EVENT counts 1.100 of what it should" to `out`. */
static void describe(const struct trial *trial, const struct event *event, char *out, unsigned size)
{
    double ratio;

    if (exactness_ratio(&trial->exactness->events[event - trial->description->events], &ratio))
        format(out, size, "%s counts %.3f of what it should", event->name, ratio);
    else
        format(out, size, "%s counts where nothing happens", event->name);
}

void verdict_refuse(struct verdict *verdict, const struct trial *trial, const struct event *event)
{
    char reason[sizeof(verdict->reason)];

    describe(trial, event, reason, sizeof(reason));
    verdict_skip(verdict, reason);
}

void verdict_doubt(struct verdict *verdict, const struct trial *trial,
                   const struct formula *formula)
{
    const struct event *event;
    const size_t length = strlen(verdict->text);
    char off[sizeof(verdict->reason)];

    if (verdict->outcome == VERDICT_SKIP || trial->exactness == NULL)
        return;
    event = exactness_doubt(trial->exactness, &trial->counts, formula);
    if (event == NULL)
        return;
    if (exactness_refuses(trial->exactness, trial->description, event)) {
        verdict_refuse(verdict, trial, event);
        return;
    }
    describe(trial, event, off, sizeof(off));
    format(verdict->text + length, sizeof(verdict->text) - length, ", but %s", off);
    verdict_errata(verdict, trial, event);
}
