#include "verdict_pebs.h"

#include "boot/format.h"
#include "boot/text.h"

#define SUBJECT 120

/* One verdict in the making. */
struct judgement {
    struct verdict *verdict;
    const struct trial *trial;
    const struct pebs_sampling *sampling;
    const struct pebs_plan *plan;
    const struct pebs_tally *tallies; /* by threshold */
};

bool verdict_pebs_applies(const struct pebs_plan *plan, enum pebs_promise promise)
{
    switch (promise) {
    case PEBS_LOSES_NONE:
    case PEBS_LOSES_NONE_FULL:
        return pebs_is_numbered(plan);
    case PEBS_LOSES_NONE_STOPPED:
        return plan->witness >= 0;
    case PEBS_DISTRIBUTES:
        return plan->distributed && plan->witness >= 0;
    case PEBS_FINDS_DATA:
        /* until Haswell records have the address with load latency only */
        return plan->above != 0 ||
               (plan->use == PEBS_LOADS && (plan->layout.adaptive || plan->layout.format >= 2));
    case PEBS_FINDS_LATENCY:
        return plan->above != 0;
    case PEBS_HAS_GROUPS:
        return field_get(plan->groups, PEBS_DATA_CFG_LBRS);
    default:
        return true;
    }
}

static void begin(const struct judgement *j, const char *claim)
{
    char subject[SUBJECT];

    format(subject, sizeof(subject), "PEBS of %s: %s", pebs_use_name(j->plan->use), claim);
    verdict_begin(j->verdict, j->trial, subject);
}

/* Appends what was found, and fails the verdict unless the claim holds. */
static void conclude(const struct judgement *j, bool holds, const char *found)
{
    const size_t length = strlen(j->verdict->text);

    if (!holds)
        j->verdict->outcome = VERDICT_FAIL;
    format(j->verdict->text + length, sizeof(j->verdict->text) - length, "%s%s", ": ", found);
}

/* "code+18": where in the kernel. */
static void place_text(const struct judgement *j, char *out, size_t size, uint64_t address)
{
    const uint64_t code = (uint64_t)(uintptr_t)j->trial->experiment->kernel->code;

    format(out, size, "code%c%llu", address < code ? '-' : '+',
           (unsigned long long)(address < code ? code - address : address - code));
}

/* Records of both thresholds; those of the instructions around the loop are at most one a window.
 */
static void judge_cause(const struct judgement *j)
{
    uint64_t exact = 0, wrong = 0, outside = 0, windows = 0, first = 0;
    char found[160], place[32];

    begin(j, "a record names the instruction that caused the event");
    for (unsigned i = 0; i < PEBS_THRESHOLDS; i++) {
        const struct pebs_tally *tally = &j->tallies[i];

        exact += tally->exact;
        wrong += tally->wrong + tally->undecoded + tally->wrong_counters;
        outside += tally->outside;
        windows += tally->windows;
        if (first == 0)
            first = tally->first_wrong;
    }
    format(found, sizeof(found), "%llu do, %llu do not", (unsigned long long)exact,
           (unsigned long long)wrong);
    if (first != 0) {
        const size_t length = strlen(found);

        place_text(j, place, sizeof(place), first);
        format(found + length, sizeof(found) - length, ", the first %s", place);
    }
    conclude(j, exact > 0 && wrong == 0 && outside <= windows, found);
}

/* With the events that a gap is longer than the period, the gaps account for every event. */
static void judge_loss(const struct judgement *j, enum pebs_threshold threshold)
{
    static const char *const claims[PEBS_THRESHOLDS] = {
        [PEBS_AT_ONE] = "none is lost with a threshold of one record",
        [PEBS_AT_FULL] = "none is lost with a threshold of a full buffer",
        [PEBS_AT_INTERRUPT] = "none is lost when the buffer's interrupt ends the window",
    };
    const struct pebs_tally *tally = &j->tallies[threshold];
    char found[160];

    begin(j, claims[threshold]);
    if (threshold == PEBS_AT_INTERRUPT && j->sampling->no_interrupt != NULL) {
        verdict_skip(j->verdict, j->sampling->no_interrupt);
        return;
    }
    format(
        found, sizeof(found),
        "%llu records of %llu events, period %llu, lost %llu, out of order %llu, windows that do "
        "not add up %llu",
        (unsigned long long)tally->records, (unsigned long long)tally->events,
        (unsigned long long)j->plan->period, (unsigned long long)tally->lost,
        (unsigned long long)tally->unordered,
        (unsigned long long)(tally->open_ends + tally->wrong_status));
    conclude(j,
             tally->gaps > 0 && tally->lost == 0 && tally->unordered == 0 &&
                 tally->open_ends == 0 && tally->wrong_status == 0,
             found);
}

/* The claim is of all that are known, and there is one. */
static void conclude_all(const struct judgement *j, uint64_t right, uint64_t known,
                         const char *what)
{
    char found[96];

    format(found, sizeof(found), "in %llu of %llu %s", (unsigned long long)right,
           (unsigned long long)known, what);
    conclude(j, known > 0 && right == known, found);
}

static void judge_distribution(const struct judgement *j)
{
    uint64_t gaps = 0, exact = 0;

    begin(j, "precise distribution: it is one period from record to record");
    for (unsigned i = 0; i < PEBS_THRESHOLDS; i++) {
        gaps += j->tallies[i].gaps;
        exact += j->tallies[i].period_gaps;
    }
    conclude_all(j, exact, gaps, "gaps");
}

static void judge_data(const struct judgement *j)
{
    uint64_t known = 0, right = 0;

    begin(j, "the address of the data is where the instruction loads from");
    for (unsigned i = 0; i < PEBS_THRESHOLDS; i++) {
        known += j->tallies[i].addresses;
        right += j->tallies[i].right_addresses;
    }
    conclude_all(j, right, known, "records");
}

/* The latencies of one level with both thresholds. */
static struct pebs_latency latency_of(const struct judgement *j, unsigned level)
{
    struct pebs_latency all = j->tallies[PEBS_AT_ONE].latency[level];
    const struct pebs_latency *more = &j->tallies[PEBS_AT_FULL].latency[level];

    if (all.count == 0)
        return *more;
    if (more->count == 0)
        return all;
    all.count += more->count;
    all.sum += more->sum;
    all.minimum = more->minimum < all.minimum ? more->minimum : all.minimum;
    all.maximum = more->maximum > all.maximum ? more->maximum : all.maximum;
    return all;
}

/* Whether the least latency is above the threshold and not below what the level takes, as far as
 * the description says. */
static bool is_plausible(const struct judgement *j, const struct pebs_latency *latency,
                         const char *parameter)
{
    const struct parameter *least = description_parameter(j->trial->description, parameter);

    return latency->count == 0 || (latency->minimum > j->plan->above &&
                                   (least == NULL || (double)latency->minimum >= least->value));
}

static void latency_text(char *out, size_t size, const char *level,
                         const struct pebs_latency *latency)
{
    if (latency->count == 0)
        format(out, size, "%s -", level);
    else
        format(out, size, "%s %llu to %llu cycles", level, (unsigned long long)latency->minimum,
               (unsigned long long)latency->maximum);
}

static void judge_latency(const struct judgement *j)
{
    const struct pebs_latency l1 = latency_of(j, 0), l2 = latency_of(j, 1);
    char found[160], l1_text[64], l2_text[64];

    begin(j, "latencies are above the threshold and not below what the cache takes");
    latency_text(l1_text, sizeof(l1_text), "L1", &l1);
    latency_text(l2_text, sizeof(l2_text), "L2", &l2);
    format(found, sizeof(found), "%s, %s", l1_text, l2_text);
    conclude(j,
             l1.count + l2.count > 0 && is_plausible(j, &l1, "l1_latency") &&
                 is_plausible(j, &l2, "l2_latency"),
             found);
}

static void judge_groups(const struct judgement *j)
{
    uint64_t branches = 0, right_branches = 0, vectors = 0, right_vectors = 0;
    char found[120];

    begin(j, "newest branch and XMM7 are those of the instruction");
    for (unsigned i = 0; i < PEBS_THRESHOLDS; i++) {
        branches += j->tallies[i].branches;
        right_branches += j->tallies[i].right_branches;
        vectors += j->tallies[i].vectors;
        right_vectors += j->tallies[i].right_vectors;
    }
    format(found, sizeof(found), "%llu of %llu branches, %llu of %llu registers",
           (unsigned long long)right_branches, (unsigned long long)branches,
           (unsigned long long)right_vectors, (unsigned long long)vectors);
    conclude(j,
             branches > 0 && right_branches == branches && vectors > 0 && right_vectors == vectors,
             found);
}

void verdict_pebs(struct verdict *verdict, const struct trial *trial,
                  const struct pebs_sampling *sampling, enum pebs_use use,
                  enum pebs_promise promise)
{
    const struct judgement j = {verdict, trial, sampling, &sampling->uses[use].plan,
                                sampling->uses[use].tallies};

    switch (promise) {
    case PEBS_NAMES_CAUSE:
        judge_cause(&j);
        break;
    case PEBS_LOSES_NONE:
        judge_loss(&j, PEBS_AT_ONE);
        break;
    case PEBS_LOSES_NONE_FULL:
        judge_loss(&j, PEBS_AT_FULL);
        break;
    case PEBS_LOSES_NONE_STOPPED:
        judge_loss(&j, PEBS_AT_INTERRUPT);
        break;
    case PEBS_DISTRIBUTES:
        judge_distribution(&j);
        break;
    case PEBS_FINDS_DATA:
        judge_data(&j);
        break;
    case PEBS_FINDS_LATENCY:
        judge_latency(&j);
        break;
    default:
        judge_groups(&j);
        break;
    }
}

void verdict_pebs_absent(struct verdict *verdict, const struct trial *trial, enum pebs_use use,
                         const char *why)
{
    char subject[SUBJECT];

    format(subject, sizeof(subject), "PEBS of %s", pebs_use_name(use));
    verdict_begin(verdict, trial, subject);
    verdict_skip(verdict, why);
}
