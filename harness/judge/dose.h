/* Dose and response: how a node's share answers to a knob. Pure. */
#ifndef HARNESS_DOSE_H
#define HARNESS_DOSE_H

#include <stdbool.h>

#define DOSE_STEPS 32

/* The knob in per cent, and the node's share there (0..1), in the order of rising doses. */
struct dose_point {
    double dose, share;
};

/* The straight line share = intercept + slope * dose / 100 by least squares, and how well it fits.
 */
struct dose_line {
    bool valid; /* at least two different doses, and shares that differ */
    double slope, intercept;
    double r_squared;    /* 0..1, of the line: 1 - residual / total sum of squares */
    double largest_drop; /* the most that a share lies below the one of the dose before, 0 none */
};

void dose_fit(struct dose_line *line, const struct dose_point *points, unsigned count);

#endif
