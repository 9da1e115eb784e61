/* A node for people: its formula with names and then with numbers, then the nodes that it needs in
 * the same way, each once, down to the events and the registers that counted them. */
#include "explain_node.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "explain.h"
#include "harness/window/stats.h"
#include "pmu/formula/formula_tokens.h"
#include "pmu/kind.h"
#include "pmu/pass_turn.h"
#include "pmu/registers.h"

#define LINE_WIDTH 100u
#define NUMBER     32

struct account {
    const struct trial *trial;
    const struct measurement *m;
    struct selection nodes; /* logged already */
    uint64_t events[DESCRIPTION_STATEMENTS / 64];
    char line[LINE_WIDTH + DESCRIPTION_NAME + 8];
    size_t length;
};

static void end_line(struct account *account)
{
    if (account->length > 0)
        log_comment("%s", account->line);
    account->length = 0;
}

/* Appends a word of a formula, on a new line when the line is full. */
static void add_word(struct account *account, const char *word)
{
    if (account->length > 0 && account->length + 1 + strlen(word) > LINE_WIDTH)
        end_line(account);
    account->length +=
        format(account->line + account->length, sizeof(account->line) - account->length, "%s%s",
               account->length == 0 ? "      " : " ", word);
}

static void number_text(char out[NUMBER], double value)
{
    if ((double)(int64_t)value == value)
        format(out, NUMBER, "%lld", (long long)value);
    else
        format(out, NUMBER, "%.6f", value);
}

/* Appends the formula, with its names or with their values. */
static void add_formula(struct account *account, const struct formula *formula, bool values)
{
    size_t at = 0;

    for (;;) {
        const struct token token = formula_token(formula->text, formula->length, at);
        char word[DESCRIPTION_NAME];

        if (token.kind == TOKEN_END || token.kind == TOKEN_BAD)
            return;
        format(word, sizeof(word), "%.*s", (int)token.length, formula->text + token.start);
        if (values && token.kind == TOKEN_NAME) {
            struct formula_result result;

            explain_value(account->trial, word, &result);
            if (result.finite)
                number_text(word, result.value);
            else
                format(word, sizeof(word), "?");
        }
        add_word(account, word);
        at = token.start + token.length;
    }
}

static void register_text(const struct facts *facts, const struct pass *pass,
                          const struct reading *reading, char *out, size_t size)
{
    const uint32_t select = IA32_PERFEVTSEL0 + reading->counter;
    uint64_t value = 0;

    switch (reading->kind) {
    case READING_GENERAL:
        if (kind_of(facts)->reading_text != NULL) {
            kind_of(facts)->reading_text(pass, reading, out, (unsigned)size);
            break;
        }
        for (unsigned i = 0; i < pass->setup_count; i++) {
            if (pass->setup[i].msr == select)
                value = pass->setup[i].value;
        }
        format(out, size, "IA32_PERFEVTSEL%u = 0x%llx, IA32_PMC%u%s", reading->counter,
               (unsigned long long)value, reading->counter,
               pass_turns(pass) > 1 ? " (in the first repeat; then on others)" : "");
        break;
    case READING_FIXED:
    case READING_SLOTS:
        format(out, size, "IA32_FIXED_CTR%u", reading->counter);
        break;
    case READING_METRIC:
        format(out, size, "MSR_PERF_METRICS[%u:%u] of IA32_FIXED_CTR3", 8u * reading->field + 7,
               8u * reading->field);
        break;
    }
}

/* The first complete pass that counted the event: results_make takes the value from that pass. */
static void log_event(struct account *account, const struct event *event)
{
    const struct measurement *m = account->m;
    const char *reason = "no pass counted it";
    double value = 0;
    char where[120];

    for (unsigned p = 0; p < m->plan->pass_count; p++) {
        const struct pass *pass = &m->plan->passes[p];

        for (unsigned i = 0; m->passes[p].complete && i < pass->reading_count; i++) {
            const struct pass_result *result = &m->passes[p];
            struct spread once, twice;

            if (pass->readings[i].event != event ||
                !results_value(account->trial->results, event->name, &value, &reason))
                continue;
            once = stats_spread(pass_values(result, i, false, m->repeats), m->repeats);
            twice = stats_spread(pass_values(result, i, true, m->repeats), m->repeats);
            register_text(m->facts, pass, &pass->readings[i], where, sizeof(where));
            log_comment("    %s = %.0f", event->name, value);
            log_comment("      pass %u, %s: %llu in windows of 2n from %llu, %llu in windows of n "
                        "from %llu",
                        p, where, (unsigned long long)twice.median,
                        (unsigned long long)*pass_windows(result, true, m->repeats),
                        (unsigned long long)once.median,
                        (unsigned long long)*pass_windows(result, false, m->repeats));
            return;
        }
    }
    (void)results_value(account->trial->results, event->name, &value, &reason);
    log_comment("    %s: none, %s", event->name, reason);
}

static void log_node(struct account *account, const struct node *node, const char *indent)
{
    const struct formula_result *result;
    char value[NUMBER + 100];

    result = trial_node(account->trial, node);
    if (result->finite)
        number_text(value, result->value);
    else
        format(value, sizeof(value), "none, %s", result->reason);
    log_comment("%s%s = %s", indent, node->name, value);
    account->length = 0;
    add_word(account, "=");
    add_formula(account, &node->formula, false);
    end_line(account);
    add_word(account, "=");
    add_formula(account, &node->formula, true);
    end_line(account);
}

/* Logs the names of a formula in their order: a node with everything that it needs, then the next
 * name. It calls itself as deep as nodes need nodes, DESCRIPTION_DEPTH at most. */
static void log_names(struct account *account, const struct formula *formula)
{
    const struct description *description = account->trial->description;

    for (unsigned i = 0; i < formula->name_count; i++) {
        const struct event *event = description_event(description, formula->names[i]);
        const struct node *node = description_node(description, formula->names[i]);

        if (node != NULL &&
            !selection_has(&account->nodes, (unsigned)(node - description->nodes))) {
            selection_add(&account->nodes, (unsigned)(node - description->nodes));
            log_node(account, node, "    ");
            log_names(account, &node->formula);
        } else if (event != NULL && results_find(account->trial->results, event->name) != NULL) {
            /* An event that was not planned is in the arm of a condition that was not taken. */
            const size_t number = (size_t)(event - description->events);

            if (account->events[number / 64] >> number % 64 & 1)
                continue;
            account->events[number / 64] |= 1ull << number % 64;
            log_event(account, event);
        }
    }
}

void explain_node(const struct trial *trial, const struct measurement *m, const struct node *node)
{
    struct account account = {.trial = trial, .m = m};
    char title[160];

    format(title, sizeof(title), "core %u %s explains ", trial->core,
           trial->experiment->kernel->name);
    log_node(&account, node, title);
    log_names(&account, &node->formula);
}
