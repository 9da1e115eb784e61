/* Formulas for people, with their numbers filled in. */
#ifndef HARNESS_EXPLAIN_H
#define HARNESS_EXPLAIN_H

#include "harness/measure/measure.h"
#include "harness/judge/verdict.h"

/* The value of a name, as the evaluator looks it up: events, nodes, what the core adds, parameters.
 */
void explain_value(const struct trial *trial, const char *name, struct formula_result *result);
/* Logs, for an expectation that failed, the formula of its subject and the value of every name in
 * it. */
void explain_expectation(const struct trial *trial, unsigned index);
/* Logs a node step by step, down to the registers that counted its events. There are results. */
void explain_node(const struct trial *trial, const struct measurement *m, const struct node *node);

#endif
