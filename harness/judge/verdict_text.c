#include "verdict_text.h"

#include "boot/format.h"
#include "boot/text.h"

#define NUMBER_TEXT 32

static bool is_whole(double value)
{
    return __builtin_fabs(value) < 9e15 && (double)(int64_t)value == value;
}

/* A bound: a whole number as it is, else two digits after the point or as many more (up to six) as
 * it has. */
static void bound_text(char *out, double value, bool share)
{
    size_t length;

    if (is_whole(value) && !share) {
        format(out, NUMBER_TEXT, "%lld", (long long)value);
        return;
    }
    length = format(out, NUMBER_TEXT, "%.6f", value);
    for (unsigned zeros = 0; zeros < 4 && length < NUMBER_TEXT && out[length - 1] == '0'; zeros++)
        out[--length] = '\0';
}

static void value_text(char *out, double value, unsigned decimals, bool share)
{
    if (is_whole(value) && !share)
        format(out, NUMBER_TEXT, "%lld", (long long)value);
    else
        format(out, NUMBER_TEXT, "%.*f", (int)decimals, value);
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
    char value_of[NUMBER_TEXT], low_of[NUMBER_TEXT], high_of[NUMBER_TEXT];
    bool inside = value >= low && value <= high;

    bound_text(low_of, low, share);
    bound_text(high_of, high, share);
    value_text(value_of, value, inside ? 3 : 6, share);
    format(verdict->text, sizeof(verdict->text), "core %u %s %s %s in [%s, %s]", trial->core,
           trial->experiment->kernel->name, subject, value_of, low_of, high_of);
    verdict->outcome = inside ? VERDICT_PASS : VERDICT_FAIL;
}

void verdict_exactly(struct verdict *verdict, const struct trial *trial, const char *subject,
                     const struct tally *tally, double expected)
{
    char expected_of[NUMBER_TEXT];

    bound_text(expected_of, expected, false);
    if (tally->constant) {
        verdict_in_range(verdict, trial, subject, (double)tally->lowest, expected, expected, false);
        return;
    }
    verdict->outcome = VERDICT_FAIL;
    format(verdict->text, sizeof(verdict->text), "core %u %s %s %lld..%lld in [%s, %s]",
           trial->core, trial->experiment->kernel->name, subject, (long long)tally->lowest,
           (long long)tally->highest, expected_of, expected_of);
}

void verdict_doubt(struct verdict *verdict, const struct trial *trial,
                   const struct formula *formula)
{
    const struct event *event;
    size_t length = strlen(verdict->text);
    double ratio;

    if (verdict->outcome == VERDICT_SKIP || trial->exactness == NULL)
        return;
    event = exactness_doubt(trial->exactness, &trial->counts, formula);
    if (event == NULL)
        return;
    if (exactness_ratio(&trial->exactness->events[event - trial->description->events], &ratio))
        format(verdict->text + length, sizeof(verdict->text) - length,
               ", but %s counts %.3f of what it should", event->name, ratio);
    else
        format(verdict->text + length, sizeof(verdict->text) - length,
               ", but %s counts what is not there", event->name);
}
