/* Formulas for people, with their numbers filled in. */
#ifndef HARNESS_EXPLAIN_H
#define HARNESS_EXPLAIN_H

#include "harness/measure/measure.h"
#include "harness/judge/verdict.h"

/* The value of a name, looked up in the evaluator's order: extras, events, nodes, parameters. */
void explain_value(const struct trial *trial, const char *name, struct formula_result *result);
/* Logs, for an expectation that failed, the formula of its subject and the value of every name in
 * it. */
void explain_expectation(const struct trial *trial, unsigned index);
/* Logs a node step by step, down to the registers that counted its events. trial->results is not
 * null. */
void explain_node(const struct trial *trial, const struct measurement *m, const struct node *node);

#endif
