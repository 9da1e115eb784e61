/* The lines on their way to the first-level data cache, one in each fill buffer. */
#ifndef RIG_CORE_MEMORY_FILL_H
#define RIG_CORE_MEMORY_FILL_H

#include <stdint.h>

#include "reach.h"

#define FILL_BUFFERS_MAX 64u
#define FILLS_MAX        240u /* more than can wait for a buffer at once */
#define FILL_HINTS       64u

/* A line on its way to L1D. The caches hold it from the moment it is asked for; until `ready` an
 * access to it waits. */
struct fill {
    uint64_t line; /* UINT64_MAX: a later request for the same line took over */
    uint64_t begin, ready;
    enum level level;
    enum late late;   /* what the line waits for longest */
    enum late served; /* who has the line */
};

struct fills {
    /* Accesses come in program order, not in the order of their cycles. So more fills are
     * remembered than can be in flight in one cycle. A fill is forgotten when it is over in the
     * cycle of the current access; until then `count` grows. */
    struct fill fill[FILLS_MAX];
    unsigned count, limit;
    uint64_t last_ready;         /* nothing is under way at this cycle or later */
    uint64_t full_from, full_to; /* all buffers are in use from full_from until before full_to */
    uint8_t hint[FILL_HINTS];    /* by line: 0 no fill, n the fill n - 1, or several: look at all */
};

/* False when there are more buffers than can be kept. */
bool fills_init(struct fills *fills, unsigned buffers);
/* How many fills are in flight at `cycle`. */
unsigned fills_busy(const struct fills *fills, uint64_t cycle);
/* The first cycle from `cycle` on in which a fill buffer is free. */
uint64_t fill_begin(struct fills *fills, uint64_t cycle);
/* Remembers a new fill, asked for by an access at `cycle`, in place of the fill that was over
 * first. */
void fill_note(struct fills *fills, const struct fill *made, uint64_t cycle);
/* The fill that an access to the line at `cycle` has to wait for, or NULL. */
struct fill *fill_pending(struct fills *fills, uint64_t line, uint64_t cycle);
/* An access at `cycle` to a line in flight. True: `cycle` is before the cycle of the request.
 * Although the access comes later in the program, it then makes the request, and the whole fill
 * moves to its cycle. */
bool fill_join(struct fills *fills, struct fill *fill, uint64_t cycle);

#endif
