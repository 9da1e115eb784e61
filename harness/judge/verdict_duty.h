/* The verdict on the cycles of a core whose sibling thread halts for a known part of the time.
 * Pure.
 */
#ifndef HARNESS_JUDGE_VERDICT_DUTY_H
#define HARNESS_JUDGE_VERDICT_DUTY_H

#include "dose.h"
#include "verdict_text.h"

/* The part of a thread's cycles in which the sibling works too, out of the cycles of the core that
 * the published formula has for that thread: each of them is half of a cycle in which both work,
 * and a whole one in which the thread works alone. */
double verdict_duty_share(double core_cycles, double cycles);
/* The share at each duty is that duty: within DUTY_BOUND at each point, and, of three duties or
 * more, on a straight line. `steps`: so many duties were asked for. */
#define DUTY_BOUND 0.1
void verdict_duty(struct verdict *verdict, const struct trial *trial,
                  const struct dose_point *points, unsigned count, unsigned steps,
                  const struct dose_line *line);

#endif
