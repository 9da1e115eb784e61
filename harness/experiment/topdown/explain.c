#include "explain.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"

void explain_value(const struct trial *trial, const char *name, struct formula_result *result)
{
    const struct node *node = description_node(trial->description, name);
    const struct parameter *parameter = description_parameter(trial->description, name);

    *result = (struct formula_result){.reason = "unknown"};
    for (unsigned i = 0; i < trial->counts.extra_count; i++) {
        if (strcmp(trial->counts.extras[i].name, name) == 0) {
            *result =
                (struct formula_result){.finite = true, .value = trial->counts.extras[i].value};
            return;
        }
    }
    if (description_event(trial->description, name) != NULL) {
        result->finite = results_value(trial->results, name, &result->value, &result->reason);
        return;
    }
    if (node != NULL) {
        topdown_node(&trial->counts, node, result);
        return;
    }
    if (parameter != NULL)
        *result = (struct formula_result){.finite = true, .value = parameter->value};
}

static void log_name(const struct trial *trial, const char *name)
{
    struct formula_result result;

    explain_value(trial, name, &result);
    if (!result.finite)
        log_comment("    %s: none, %s", name, result.reason);
    else if ((double)(int64_t)result.value == result.value)
        log_comment("    %s = %lld", name, (long long)result.value);
    else
        log_comment("    %s = %.4f", name, result.value);
}

static void log_names(const struct trial *trial, const struct formula *formula)
{
    for (unsigned i = 0; i < formula->name_count; i++)
        log_name(trial, formula->names[i]);
}

void explain_formula(const struct trial *trial, const struct node *node)
{
    log_comment("  %s = %.*s, where", node->name, (int)node->formula.length, node->formula.text);
    log_names(trial, &node->formula);
}

void explain_expectation(const struct trial *trial, unsigned index)
{
    const struct subject *subject =
        experiment_subject(&trial->experiment->expectations[index], trial->description);
    const struct formula *formula = &subject->formula;
    const char *name = subject->text;
    const struct node *node;

    if (trial->results == NULL || formula->name_count == 0)
        return;
    if (formula->step_count == 1) {
        node = description_node(trial->description, formula->names[0]);
        if (node != NULL)
            explain_formula(trial, node);
        return;
    }
    log_comment("  %s, where", name);
    log_names(trial, formula);
}
