/* Dose and response: how a node's share follows a kernel's knob. Pure. */
#ifndef HARNESS_JUDGE_DOSE_H
#define HARNESS_JUDGE_DOSE_H

#include <stdbool.h>
#include <stdint.h>

#define DOSE_STEPS 32
/* The least R squared of a straight line. */
#define DOSE_R_SQUARED 0.98

/* The knob in per cent, and the node's share at that dose (0..1). Points come by rising dose. */
struct dose_point {
    double dose, share;
};

struct dose_line {
    bool valid; /* at least two different doses, and shares that differ */
    double slope, intercept;
    double r_squared;    /* 0..1: 1 - residual / total sum of squares */
    double largest_drop; /* the largest fall from one dose to the next; 0: none */
};

/* The dose of step number `step` of `doses`, at least 2: 0 at the first, 100 at the last. */
unsigned dose_of_step(uint64_t doses, unsigned step);
/* Fits share = intercept + slope * dose / 100 by least squares. */
void dose_fit(struct dose_line *line, const struct dose_point *points, unsigned count);

#endif
