/* A formula with its counts filled in, as comments under a verdict that failed. */
#ifndef HARNESS_EXPLAIN_H
#define HARNESS_EXPLAIN_H

#include "verdict.h"

/* Logs the formula of the node that expectation `index` is about (or the subject itself when it is
 * a formula) and the value of every name in it. A single event explains itself: nothing is logged.
 */
void explain_expectation(const struct trial *trial, unsigned index);

#endif
