#include "verdict.h"

#include "boot/format.h"
#include "boot/text.h"

#define NUMBER_TEXT 32
/* No share lies below 0 or above 1, so a bound of exactly 0 or 1 claims nothing of the kernel. The
 * difference of two windows may pass it all the same: a byte of PERF_METRICS is off by up to half
 * of 1/255 in each window, twice that in 2n, together 0.006; and with full counters the edges of
 * the two windows, five instructions each, differ by a few cycles. */
#define METRICS_BLUR 0.01
#define EDGE_CYCLES  8

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

static void skip(struct verdict *verdict, const char *reason)
{
    verdict->outcome = VERDICT_SKIP;
    format(verdict->reason, sizeof(verdict->reason), "%s", reason);
}

static void begin(struct verdict *verdict, const struct trial *trial, const char *subject)
{
    memset(verdict, 0, sizeof(*verdict));
    format(verdict->text, sizeof(verdict->text), "core %u %s %s", trial->core,
           trial->experiment->kernel->name, subject);
}

/* "core 0 KERNEL SUBJECT 0.913 in [0.80, 1.00]"; a value that rounding would move onto its bound
 * shows more digits. */
static void in_range(struct verdict *verdict, const struct trial *trial, const char *subject,
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

static bool is_share(const struct trial *trial, const struct formula *formula)
{
    const struct node *node;

    if (formula->step_count != 1 || formula->name_count != 1)
        return false;
    node = description_node(trial->description, formula->names[0]);
    return node != NULL && node->level > 0;
}

/* Cycles of n iterations, when they are too few for shares of slots to mean anything. */
static bool too_short(const struct trial *trial)
{
    const struct tally *cycles = results_find(trial->results, "CPU_CLK_UNHALTED.THREAD");

    return cycles != NULL && cycles->measured && cycles->difference.median < VERDICT_CYCLES_MIN;
}

const struct formula_result *verdict_node(const struct trial *trial, const struct node *node)
{
    struct node_value *value = &trial->nodes[node - trial->description->nodes];

    if (value->asked)
        return &value->result;
    value->asked = true;
    topdown_node(&trial->counts, node, &value->result);
    if (node->level > 0 && value->result.finite && too_short(trial)) {
        value->result.finite = false;
        value->result.value = 0;
        value->result.reason = "n iterations take too few cycles to divide their slots";
    }
    return &value->result;
}

static void judge_exact(struct verdict *verdict, const struct trial *trial,
                        const struct expectation *expectation, const struct tally *tally,
                        double expected)
{
    char expected_of[NUMBER_TEXT];

    bound_text(expected_of, expected, false);
    if (tally->constant) {
        in_range(verdict, trial, expectation->subject_text, (double)tally->lowest, expected,
                 expected, false);
        return;
    }
    verdict->outcome = VERDICT_FAIL;
    format(verdict->text, sizeof(verdict->text), "core %u %s %s %lld..%lld in [%s, %s]",
           trial->core, trial->experiment->kernel->name, expectation->subject_text,
           (long long)tally->lowest, (long long)tally->highest, expected_of, expected_of);
}

/* In thousandths, rounded up, since it is printed; never more than that of PERF_METRICS. */
double verdict_blur(const struct trial *trial)
{
    const char *reason;
    double cycles;

    if (trial->description->method == TOPDOWN_PERF_METRICS ||
        !results_value(trial->results, "CPU_CLK_UNHALTED.THREAD", &cycles, &reason) ||
        cycles < EDGE_CYCLES / METRICS_BLUR)
        return METRICS_BLUR;
    return (double)((uint64_t)(EDGE_CYCLES * 1000 / cycles) + 1) / 1000;
}

void verdict_expectation(struct verdict *verdict, const struct trial *trial, unsigned index)
{
    const struct expectation *expectation = &trial->experiment->expectations[index];
    struct formula_result own, low, high;
    const struct formula_result *subject = &own;
    const struct tally *tally;
    bool share;

    begin(verdict, trial, trial->experiment->kernel->expectations[index].subject);
    if (trial->blocked != NULL || trial->results == NULL) {
        skip(verdict, trial->blocked != NULL ? trial->blocked : "nothing was counted");
        return;
    }
    topdown_evaluate(&trial->counts, &expectation->low, &low);
    topdown_evaluate(&trial->counts, &expectation->high, &high);
    share = is_share(trial, &expectation->subject);
    if (share)
        subject = verdict_node(trial,
                               description_node(trial->description, expectation->subject.names[0]));
    else
        topdown_evaluate(&trial->counts, &expectation->subject, &own);
    if (!subject->finite || !low.finite || !high.finite) {
        skip(verdict, !subject->finite ? subject->reason : !low.finite ? low.reason : high.reason);
        return;
    }
    tally = single_event(trial, &expectation->subject);
    if (share) {
        const double blur = verdict_blur(trial);

        low.value = low.value == 0 ? -blur : low.value;
        high.value = high.value == 1 ? 1 + blur : high.value;
    }
    if (tally != NULL && low.value == high.value)
        judge_exact(verdict, trial, expectation, tally, low.value);
    else
        in_range(verdict, trial, expectation->subject_text, subject->value, low.value, high.value,
                 share);
}

/* Level 1: its sum, and the largest of it. False with a skip when there is no such level or one has
 * no value. */
struct level_one {
    double sum, largest;
    const struct node *largest_node;
};

static bool level_one(struct verdict *verdict, const struct trial *trial, struct level_one *level)
{
    *level = (struct level_one){0};
    if (trial->blocked != NULL || trial->results == NULL) {
        skip(verdict, trial->blocked != NULL ? trial->blocked : "nothing was counted");
        return false;
    }
    for (unsigned i = 0; i < trial->description->node_count; i++) {
        const struct node *node = &trial->description->nodes[i];
        const struct formula_result *result;

        if (node->level != 1)
            continue;
        result = verdict_node(trial, node);
        if (!result->finite) {
            skip(verdict, result->reason);
            return false;
        }
        level->sum += result->value;
        if (level->largest_node == NULL || result->value > level->largest) {
            level->largest = result->value;
            level->largest_node = node;
        }
    }
    if (level->largest_node == NULL)
        skip(verdict, "the CPU description has no Topdown nodes");
    return level->largest_node != NULL;
}

void verdict_sum(struct verdict *verdict, const struct trial *trial)
{
    struct level_one level;

    begin(verdict, trial, "sum of level 1");
    if (level_one(verdict, trial, &level))
        in_range(verdict, trial, "sum of level 1", level.sum, 0.99, 1.01, true);
}

void verdict_family(struct verdict *verdict, const struct trial *trial)
{
    const char *wanted = trial->experiment->family_node;
    struct level_one level;
    const struct node *node;
    char subject[96];
    double value;

    format(subject, sizeof(subject), "%s is the largest of level 1", wanted);
    begin(verdict, trial, subject);
    if (!level_one(verdict, trial, &level))
        return;
    node = description_node(trial->description, wanted);
    if (node == NULL || node->level != 1) {
        skip(verdict, "the CPU description has no such node at level 1");
        return;
    }
    value = verdict_node(trial, node)->value;
    verdict->outcome = value >= level.largest ? VERDICT_PASS : VERDICT_FAIL;
    if (verdict->outcome == VERDICT_PASS)
        format(subject, sizeof(subject), "%s %.3f is the largest of level 1", wanted, value);
    else
        format(subject, sizeof(subject), "%s %.3f is the largest of level 1, not %s %.3f", wanted,
               value, level.largest_node->name, level.largest);
    format(verdict->text, sizeof(verdict->text), "core %u %s %s", trial->core,
           trial->experiment->kernel->name, subject);
}

/* The first of the names in `leaf`, apart by " | ", that is a node here. */
static const struct node *leaf_of(const struct trial *trial, const char *leaf)
{
    char name[DESCRIPTION_NAME];

    while (*leaf != '\0') {
        size_t length = 0;
        const struct node *node;

        while (leaf[length] != '\0' && leaf[length] != ' ' && leaf[length] != '|')
            length++;
        format(name, sizeof(name), "%.*s", (int)length, leaf);
        node = description_node(trial->description, name);
        if (node != NULL && node->level > 0)
            return node;
        for (leaf += length; *leaf == ' ' || *leaf == '|';)
            leaf++;
    }
    return NULL;
}

const struct node *verdict_leaf_node(const struct trial *trial)
{
    return trial->description != NULL ? leaf_of(trial, trial->experiment->kernel->leaf) : NULL;
}

void verdict_dose(struct verdict *verdict, const struct trial *trial, const struct dose_line *line,
                  double blur)
{
    const struct node *node = verdict_leaf_node(trial);
    char subject[120];

    format(subject, sizeof(subject), "%s answers to the dose",
           node != NULL ? node->name : trial->experiment->kernel->leaf);
    begin(verdict, trial, subject);
    if (trial->blocked != NULL || node == NULL) {
        skip(verdict,
             trial->blocked != NULL ? trial->blocked : "the CPU description has no such node");
        return;
    }
    if (line->valid && line->slope > 0 && line->largest_drop <= blur &&
        line->r_squared >= DOSE_R_SQUARED)
        verdict->outcome = VERDICT_PASS;
    else
        verdict->outcome = VERDICT_FAIL;
    if (line->valid)
        format(verdict->text, sizeof(verdict->text),
               "core %u %s %s: slope %.3f, intercept %.3f, R squared %.4f, largest drop %.4f",
               trial->core, trial->experiment->kernel->name, subject, line->slope, line->intercept,
               line->r_squared, line->largest_drop);
    else
        format(verdict->text, sizeof(verdict->text), "core %u %s %s: its share does not change",
               trial->core, trial->experiment->kernel->name, subject);
}

static bool is_asked(const struct trial *trial, const struct node *node)
{
    return trial->asked == NULL ||
           selection_has(trial->asked, (unsigned)(node - trial->description->nodes));
}

bool verdict_has_leaf(const struct trial *trial)
{
    const char *leaf = trial->experiment->kernel->leaf;
    const struct node *node;

    if (leaf[0] == '\0')
        return false;
    node = trial->description != NULL ? leaf_of(trial, leaf) : NULL;
    return node != NULL ? trial->drilled || is_asked(trial, node)
                        : trial->experiment->kernel->level > 1;
}

void verdict_leaf(struct verdict *verdict, const struct trial *trial)
{
    const char *leaf = trial->experiment->kernel->leaf;
    const struct node *node, *largest = NULL;
    const struct formula_result *value;
    double most = 0;
    char subject[160];

    format(subject, sizeof(subject), "%s is the largest of its siblings", leaf);
    begin(verdict, trial, subject);
    if (trial->blocked != NULL || trial->results == NULL) {
        skip(verdict, trial->blocked != NULL ? trial->blocked : "nothing was counted");
        return;
    }
    node = leaf_of(trial, leaf);
    if (node == NULL) {
        skip(verdict, "the CPU description has no such node");
        return;
    }
    if (!is_asked(trial, node)) {
        skip(verdict, "no node above it was over its threshold");
        return;
    }
    value = verdict_node(trial, node);
    if (!value->finite) {
        skip(verdict, value->reason);
        return;
    }
    for (unsigned i = 0; i < trial->description->node_count; i++) {
        const struct node *other = &trial->description->nodes[i];
        const struct formula_result *result;

        if (other->level != node->level || other->parent != node->parent || !is_asked(trial, other))
            continue;
        result = verdict_node(trial, other);
        if (result->finite && (largest == NULL || result->value > most)) {
            most = result->value;
            largest = other;
        }
    }
    verdict->outcome = value->value >= most ? VERDICT_PASS : VERDICT_FAIL;
    if (verdict->outcome == VERDICT_PASS)
        format(subject, sizeof(subject), "%s %.3f is the largest of its siblings", node->name,
               value->value);
    else
        format(subject, sizeof(subject), "%s %.3f is the largest of its siblings, not %s %.3f",
               node->name, value->value, largest->name, most);
    format(verdict->text, sizeof(verdict->text), "core %u %s %s", trial->core,
           trial->experiment->kernel->name, subject);
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
    begin(verdict, trial, subject);
    if (trial->blocked != NULL || stack == NULL) {
        skip(verdict, trial->blocked != NULL ? trial->blocked : absent);
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
