#include "recheck.h"

#include "boot/format.h"
#include "boot/text.h"

/* The lowest and highest repeat of an expectation on a single event. */
static void widen(struct recheck *recheck, const struct trial *trial, unsigned index)
{
    const struct tally *tally;
    struct pin pin;

    if (!verdict_pin(trial, index, &pin))
        return;
    tally = results_find(trial->results, pin.event->name);
    if (!recheck->counts[index].known || tally->lowest < recheck->counts[index].low)
        recheck->counts[index].low = tally->lowest;
    if (!recheck->counts[index].known || tally->highest > recheck->counts[index].high)
        recheck->counts[index].high = tally->highest;
    recheck->counts[index].expected = pin.expected;
    recheck->counts[index].known = true;
}

bool recheck_look(struct recheck *recheck, const struct trial *trial)
{
    bool off = false;

    recheck->measured++;
    for (unsigned i = 0; i < trial->experiment->kernel->expectation_count; i++) {
        struct verdict verdict;

        verdict_expectation(&verdict, trial, i);
        off = off || verdict.outcome == VERDICT_FAIL;
        if (i >= RECHECK_COUNTS)
            continue;
        recheck->counts[i].off += verdict.outcome == VERDICT_FAIL;
        widen(recheck, trial, i);
    }
    return off;
}

/* Whether the values lie together, away from the expected one. */
static bool is_constant(const struct recheck *recheck, unsigned index)
{
    const double below = recheck->counts[index].expected - (double)recheck->counts[index].high;
    const double above = (double)recheck->counts[index].low - recheck->counts[index].expected;
    const double off = below > above ? below : above;

    return recheck->counts[index].known && off > 0 &&
           (double)(recheck->counts[index].high - recheck->counts[index].low) <= off / 10;
}

enum miscount recheck_result(const struct recheck *recheck, unsigned index)
{
    if (index >= RECHECK_COUNTS || recheck->counts[index].off == 0)
        return MISCOUNT_NONE;
    if (recheck->counts[index].off < recheck->measured)
        return MISCOUNT_PASSING;
    return is_constant(recheck, index) ? MISCOUNT_WRONG : MISCOUNT_NOISY;
}

void recheck_tell(const struct recheck *recheck, unsigned index, struct verdict *verdict)
{
    const enum miscount result = recheck_result(recheck, index);
    const char *const word = result == MISCOUNT_WRONG ? "wrong" : "noisy";

    if (result == MISCOUNT_NONE)
        return;
    if (!recheck->counts[index].known)
        verdict_append(verdict, ", %s: off in %u of %u measurements", word,
                       recheck->counts[index].off, recheck->measured);
    else if (recheck->counts[index].low == recheck->counts[index].high)
        verdict_append(verdict, ", %s: the same in %u measurements", word, recheck->measured);
    else
        verdict_append(verdict, ", %s: %lld..%lld in %u measurements", word,
                       (long long)recheck->counts[index].low,
                       (long long)recheck->counts[index].high, recheck->measured);
}
