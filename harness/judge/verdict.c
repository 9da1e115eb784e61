#include "verdict_inside.h"

#include "boot/format.h"
#include "boot/text.h"

#define NUMBER_TEXT 32
/* No share lies below 0 or above 1, so a bound of exactly 0 or 1 claims nothing of the kernel. The
 * difference of two windows may pass it all the same: a byte of PERF_METRICS is off by up to half
 * of 1/255 in each window, twice that in 2n, together 0.006, and so is the sum of level 1's bytes
 * that those below are divided by; and the edges of the two windows differ by a few cycles. So a
 * range of cycles is wider by those at both ends. */
#define BYTES_BLUR   0.006
#define METRICS_BLUR 0.01

static double magnitude(double value)
{
    return value < 0 ? -value : value;
}

static bool is_whole(double value)
{
    return magnitude(value) < 9e15 && (double)(int64_t)value == value;
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

/* "core 0 KERNEL SUBJECT 0.913 in [0.80, 1.00]"; a value that rounding would move onto its bound
 * shows more digits. */
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

/* The tally when the formula is nothing but the name of one event. */
static const struct tally *single_event(const struct trial *trial, const struct formula *formula)
{
    if (formula->step_count != 1 || formula->name_count != 1)
        return NULL;
    return results_find(trial->results, formula->names[0]);
}

static const struct node *share_of(const struct trial *trial, const struct formula *formula)
{
    const struct node *node;

    if (formula->step_count != 1 || formula->name_count != 1)
        return NULL;
    node = description_node(trial->description, formula->names[0]);
    return node != NULL && node->level > 0 ? node : NULL;
}

/* Cycles of n iterations, when they are too few for shares of slots to mean anything. */
static bool too_short(const struct trial *trial)
{
    const struct tally *cycles = results_find(trial->results, "CPU_CLK_UNHALTED.THREAD");

    return cycles != NULL && cycles->measured && cycles->difference.median < VERDICT_CYCLES_MIN;
}

void verdict_forget(struct node_value *nodes, struct node_memo *memos, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        nodes[i].asked = false;
    topdown_forget(memos, count);
}

const struct formula_result *verdict_node(const struct trial *trial, const struct node *node)
{
    struct node_value *value = &trial->nodes[node - trial->description->nodes];

    if (value->asked)
        return &value->result;
    value->asked = true;
    if (trial->memos != NULL)
        topdown_node_once(&trial->counts, trial->memos, node, &value->result);
    else
        topdown_node(&trial->counts, node, &value->result);
    if (node->level > 0 && value->result.finite && too_short(trial)) {
        value->result.finite = false;
        value->result.value = 0;
        value->result.reason = "n iterations take too few cycles to divide their slots";
    }
    return &value->result;
}

static void judge_exact(struct verdict *verdict, const struct trial *trial, const char *subject,
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

double verdict_edge(const struct trial *trial)
{
    return trial->repeats == 1 ? EDGE_CYCLES_ALONE : EDGE_CYCLES;
}

/* In thousandths, rounded up, since it is printed. */
double verdict_tolerance(const struct trial *trial, const struct node *node)
{
    const bool bytes = experiment_method(&trial->counts) == TOPDOWN_PERF_METRICS;
    const double rounding = node->level > 1 ? 2 * BYTES_BLUR : BYTES_BLUR;
    const char *reason;
    double cycles, edge;

    if (!results_value(trial->results, "CPU_CLK_UNHALTED.THREAD", &cycles, &reason) ||
        cycles < VERDICT_CYCLES_MIN)
        return METRICS_BLUR;
    edge = verdict_edge(trial) / cycles + (bytes ? rounding : 0);
    if (bytes && edge <= METRICS_BLUR)
        return METRICS_BLUR;
    return (double)((uint64_t)(edge * 1000) + 1) / 1000;
}

bool verdict_pin(const struct trial *trial, unsigned index, struct pin *pin)
{
    const struct expectation *expectation = &trial->experiment->expectations[index];
    struct formula_result low, high;
    const struct tally *tally;
    double expected;

    if (trial->blocked != NULL || trial->results == NULL)
        return false;
    tally = single_event(trial, &experiment_subject(expectation, trial->description)->formula);
    if (tally == NULL || !tally->measured)
        return false;
    topdown_evaluate(&trial->counts, &expectation->low, &low);
    topdown_evaluate(&trial->counts, &expectation->high, &high);
    if (!low.finite || !high.finite)
        return false;
    expected = (low.value + high.value) / 2;
    if (high.value - low.value > PIN_COUNTS && high.value - low.value > PIN_SHARE * expected)
        return false;
    *pin = (struct pin){.event = tally->event,
                        .expected = expected,
                        .measured = (double)tally->difference.median,
                        .exact = low.value == high.value
                                     ? (double)tally->lowest == low.value &&
                                           (double)tally->highest == low.value
                                     : (double)tally->difference.median >= low.value &&
                                           (double)tally->difference.median <= high.value};
    return true;
}

/* A formula that rests on an event which other kernels have shown to be wrong says so. */
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

void verdict_expectation(struct verdict *verdict, const struct trial *trial, unsigned index)
{
    const struct expectation *expectation = &trial->experiment->expectations[index];
    const struct subject *subject = experiment_subject(expectation, trial->description);
    struct formula_result own, low, high;
    const struct formula_result *value = &own;
    const struct tally *tally;
    const struct node *share;

    verdict_begin(verdict, trial,
                  expectation->subject_count > 0
                      ? subject->text
                      : trial->experiment->kernel->expectations[index].subject);
    if (trial->blocked != NULL || trial->results == NULL) {
        verdict_skip(verdict, trial->blocked != NULL ? trial->blocked : "nothing was counted");
        return;
    }
    topdown_evaluate(&trial->counts, &expectation->low, &low);
    topdown_evaluate(&trial->counts, &expectation->high, &high);
    share = share_of(trial, &subject->formula);
    if (share != NULL)
        value = verdict_node(trial, share);
    else
        topdown_evaluate(&trial->counts, &subject->formula, &own);
    tally = single_event(trial, &subject->formula);
    if (share == NULL && !own.finite && tally != NULL &&
        tally->measured) /* no number for formulas */
        own = (struct formula_result){.finite = true, .value = (double)tally->difference.median};
    if (!value->finite || !low.finite || !high.finite) {
        verdict_skip(verdict, !value->finite ? value->reason
                              : !low.finite  ? low.reason
                                             : high.reason);
        return;
    }
    if (trial->corunner != NULL && low.value != high.value) {
        char reason[100];

        format(reason, sizeof(reason), "the sibling thread runs %s", trial->corunner);
        verdict_skip(verdict, reason);
        return;
    }
    if (tally != NULL && low.value != high.value &&
        strcmp(tally->event->name, "CPU_CLK_UNHALTED.THREAD") == 0) {
        low.value -= verdict_edge(trial);
        high.value += verdict_edge(trial);
    }
    if (share != NULL) {
        const double tolerance = verdict_tolerance(trial, share);

        low.value = low.value == 0 ? -tolerance : low.value;
        high.value = high.value == 1 ? 1 + tolerance : high.value;
    }
    if (tally != NULL && low.value == high.value)
        judge_exact(verdict, trial, subject->text, tally, low.value);
    else
        verdict_in_range(verdict, trial, subject->text, value->value, low.value, high.value,
                         share != NULL);
    if (tally == NULL)
        verdict_doubt(verdict, trial, &subject->formula);
}

/* "code+18" or "code-4": a distance in bytes from the kernel's first instruction. */
static void place_text(char *out, const struct kernel *kernel, uint64_t address)
{
    uint64_t code = (uint64_t)(uintptr_t)kernel->code;
    bool before = address < code;

    format(out, NUMBER_TEXT, "code%c%llu", before ? '-' : '+',
           (unsigned long long)(before ? code - address : address - code));
}

void verdict_branch(struct verdict *verdict, const struct trial *trial, unsigned index,
                    const struct lbr_stack *stack, const char *absent, const void *return_address)
{
    const struct kernel *kernel = trial->experiment->kernel;
    uint64_t from = (uint64_t)(uintptr_t)kernel->branches[index].from;
    uint64_t to = (uint64_t)(uintptr_t)kernel->branches[index].to;
    char from_of[NUMBER_TEXT], to_of[NUMBER_TEXT], subject[120];
    const struct lbr_entry *entry;
    size_t length;
    bool aligned;

    place_text(from_of, kernel, from);
    place_text(to_of, kernel, to);
    format(subject, sizeof(subject), "branch record %u is %s to %s", index + 1, from_of, to_of);
    verdict_begin(verdict, trial, subject);
    if (trial->blocked != NULL || stack == NULL) {
        verdict_skip(verdict, trial->blocked != NULL ? trial->blocked : absent);
        return;
    }
    length = strlen(verdict->text);
    if (index + 1 >= stack->count) {
        verdict->outcome = VERDICT_FAIL;
        format(verdict->text + length, sizeof(verdict->text) - length, ", only %u were recorded",
               stack->count);
        return;
    }
    entry = &stack->entries[index + 1];
    aligned = stack->entries[0].to == (uint64_t)(uintptr_t)return_address;
    if (aligned && entry->from == from && entry->to == to)
        return;
    verdict->outcome = VERDICT_FAIL;
    place_text(from_of, kernel, entry->from);
    place_text(to_of, kernel, entry->to);
    format(verdict->text + length, sizeof(verdict->text) - length, ", found %s to %s%s", from_of,
           to_of, aligned ? "" : " and the newest record is not the last RET");
}
