#include "verdict_text.h"

#include "boot/format.h"
#include "boot/text.h"

#define VALUE_DECIMALS 3
#define DECIMALS_MAX   6
#define DIGITS_MAX     6
#define CUT            "..." /* where a part of a text did not fit */
#define TAIL           128   /* four numbers of 63 bits with six decimals */
#define SCALED_MAX     9e15  /* a double and an int64_t hold every whole number up to here */

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

/* The text; what does not fit is left out of the subject, and never of the tail with its numbers.
 */
static void say(struct verdict *verdict, const struct trial *trial, const char *subject,
                const char *tail)
{
    const size_t begun = format(verdict->text, sizeof(verdict->text), "core %u %s ", trial->core,
                                trial->experiment->kernel->name);
    const size_t room = sizeof(verdict->text) - 1 - begun - strlen(tail);
    const bool fits = strlen(subject) <= room;

    format(verdict->text + begun, sizeof(verdict->text) - begun, "%.*s%s%s",
           (int)(fits ? room : room - strlen(CUT)), subject, fits ? "" : CUT, tail);
}

void verdict_begin(struct verdict *verdict, const struct trial *trial, const char *subject)
{
    memset(verdict, 0, sizeof(*verdict));
    say(verdict, trial, subject, "");
}

void verdict_append(struct verdict *verdict, const char *pattern, ...)
{
    const size_t length = strlen(verdict->text), size = sizeof(verdict->text) - length;
    va_list arguments;

    va_start(arguments, pattern);
    if (format_list(verdict->text + length, size, pattern, arguments) >= size)
        memcpy(verdict->text + sizeof(verdict->text) - sizeof(CUT), CUT, sizeof(CUT));
    va_end(arguments);
}

void verdict_in_range(struct verdict *verdict, const struct trial *trial, const char *subject,
                      double value, double low, double high, bool share)
{
    const int decimals = (int)decimals_for(value, low, high, share);

    char tail[TAIL];

    format(tail, sizeof(tail), " %.*f in [%.*f, %.*f]", decimals, value, decimals, low, decimals,
           high);
    say(verdict, trial, subject, tail);
    verdict->outcome = value >= low && value <= high ? VERDICT_PASS : VERDICT_FAIL;
}

void verdict_exactly(struct verdict *verdict, const struct trial *trial, const char *subject,
                     const struct tally *tally, double expected)
{
    const int decimals = (int)decimals_of(expected);
    char tail[TAIL];

    if (tally->constant) {
        verdict_in_range(verdict, trial, subject, (double)tally->lowest, expected, expected, false);
        return;
    }
    verdict->outcome = VERDICT_FAIL;
    format(tail, sizeof(tail), " %.*f..%.*f in [%.*f, %.*f]", decimals, (double)tally->lowest,
           decimals, (double)tally->highest, decimals, expected, decimals, expected);
    say(verdict, trial, subject, tail);
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
    char errata[DESCRIPTION_ERRATA];

    if (description_errata(trial->description, event, errata) > 0)
        verdict_append(verdict, ", see erratum %s", errata);
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
    verdict_append(verdict, ", but %s", off);
    verdict_errata(verdict, trial, event);
}
