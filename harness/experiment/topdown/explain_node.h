/* One node for people, step by step. */
#ifndef HARNESS_EXPERIMENT_TOPDOWN_EXPLAIN_NODE_H
#define HARNESS_EXPERIMENT_TOPDOWN_EXPLAIN_NODE_H

#include "harness/judge/trial.h"
#include "harness/window/measurement.h"

/* Logs a node step by step, down to the registers that counted its events. trial->results is not
 * null. */
void explain_node(const struct trial *trial, const struct measurement *m, const struct node *node);

#endif
