/* Formulas for people, with their numbers filled in. */
#ifndef HARNESS_EXPERIMENT_TOPDOWN_EXPLAIN_H
#define HARNESS_EXPERIMENT_TOPDOWN_EXPLAIN_H

#include "harness/judge/verdict.h"

/* The value of a name, looked up in the evaluator's order: extras, events, nodes, parameters. */
void explain_value(const struct trial *trial, const char *name, struct formula_result *result);
/* Logs the node's formula and the value of every name in it. */
void explain_formula(const struct trial *trial, const struct node *node);
/* Logs, for an expectation that failed, the formula of its subject and the value of every name in
 * it. */
void explain_expectation(const struct trial *trial, unsigned index);

#endif
