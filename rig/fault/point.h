/* Points of a run at which faults are asked for: each kind is numbered from 1 as it happens. */
#ifndef RIG_FAULT_POINT_H
#define RIG_FAULT_POINT_H

#include <stdio.h>

#include "rows.h"

#define FAULT_REQUESTS 16

struct points {
    uint64_t seen[POINT_COUNT];
    struct fault_request request[FAULT_REQUESTS];
    unsigned count;
};

/* It happens once more: which time this is. */
static inline uint64_t point_pass(struct points *points, enum point point)
{
    return ++points->seen[point];
}

/* The next request behind `after` (NULL: the first) that acts at the k-th of these points; NULL:
 * there is none. */
struct fault_request *fault_at(struct points *points, enum point point, uint64_t k,
                               const struct fault_request *after);
/* The first request with that act, NULL: there is none. */
struct fault_request *fault_with(struct points *points, enum act act);

/* The request acts on this processor, in or behind its counting window; `where` is a printf format
 * that says on what, kept of the first time. `changed`: something is different by it. */
void fault_happened(struct fault_request *request, bool changed, unsigned core, uint64_t window,
                    const char *where, ...) __attribute__((format(printf, 5, 6)));
/* Likewise, on a register. */
void fault_happened_to(struct fault_request *request, bool changed, unsigned core, uint64_t window,
                       uint32_t reg);

/* A JSON line for each class of points, and for each request. */
void points_write(const struct points *points, FILE *out);
/* One more class: how many k it has. */
void points_write_class(FILE *out, const char *prefix, const char *name, uint64_t count);
/* A line for each request whose K is beyond the run; false: there is none. `service_calls` has the
 * calls of each service, `windows` the counting windows of each processor. */
bool points_report_beyond(const struct points *points, const uint64_t *service_calls,
                          const uint64_t *windows, FILE *out);

#endif
