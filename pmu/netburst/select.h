/* From the name of a NetBurst event to the values of its registers. Pure.
 *
 * A name is EVENT, then after colons in any order
 *   masks of the event; an event with one mask needs none named
 *   one count of tagged uops (replay_event:DTLB_load_miss_retired), which sets up what tags them;
 * its mask counts unless masks are named too u, k            count in rings 1 to 3, in ring 0; both
 * when neither is named thr=N           count cycles in which the event adds more than N, 0 to 15;
 * 0: no threshold cmpl            count cycles in which it adds at most the threshold instead e
 * count where that begins to be so TAG0 ... TAG3   tag uops with that bit of ESCR_TAG_VALUE which
 * are the names and rules of libpfm4, where it has any. */
#ifndef PMU_NETBURST_SELECT_H
#define PMU_NETBURST_SELECT_H

#include "boot/slice.h"
#include "event.h"
#include "pmu/description.h"
#include "pmu/facts.h"

/* Logical processors for which an event counts. Without HyperThreading only T0 is allowed. */
enum { NETBURST_T0 = 1, NETBURST_T1 = 2, NETBURST_BOTH = 3 };

/* A core of family 15. */
struct netburst_core {
    uint8_t model, stepping; /* 0 to 6, 0 to 15 */
    bool user_only;          /* what names no ring counts in rings 1 to 3 alone */
};

struct netburst_core netburst_core_of(const struct facts *facts);

/* What a name asks for. */
struct netburst_request {
    const struct netburst_event *event;
    const struct netburst_tagged *tagged; /* null: no count of tagged uops is named */
    uint16_t mask;
    uint8_t tag; /* ESCR_TAG_VALUE; 0: it tags nothing */
    bool user, kernel, edge, complement;
    bool every_ring;   /* no ring is named, and user and kernel are set */
    uint8_t threshold; /* 0 to 15 */
};

/* ESCRs of which one will do, and its value. */
struct netburst_choice {
    uint32_t value;
    uint8_t escrs[2], count; /* indices into netburst_escrs; none: no ESCR is needed */
};

/* All that the counting of one event needs. */
struct netburst_selection {
    const struct netburst_event *event;
    const struct netburst_tagged *tagged; /* null: it counts without tags */
    struct netburst_choice escr;          /* the event's own, which feeds the counter */
    struct netburst_choice upstream;      /* what tags the uops: an ESCR, but no counter */
    uint32_t cccr;                        /* of the counter, enabled */
    uint32_t pebs_enable, matrix;         /* what a replay tag needs; 0: nothing */
};

/* Reads the name. Returns false with a complaint, whose column is the place in the text, from 1. */
bool netburst_read(struct netburst_request *request, const struct description *description,
                   struct slice text, struct complaint *complaint);
/* Return the values of the ESCR and of the CCCR. `threads` is NETBURST_T0, T1 or BOTH. */
uint32_t netburst_escr_value(const struct netburst_request *request, unsigned threads);
uint32_t netburst_cccr_value(const struct netburst_request *request);
/* Reads the name and says what its count needs on that core. Returns false with a complaint; also
 * when nothing would be counted: an event that only tags, or tagged uops that nothing tags. */
bool netburst_select(struct netburst_selection *selection, const struct description *description,
                     struct slice text, const struct netburst_core *core, unsigned threads,
                     struct complaint *complaint);
/* Keeps those of the event's ESCRs that can select it on that core. */
void netburst_choose(struct netburst_choice *choice, const struct netburst_event *event,
                     const uint8_t *escrs, unsigned count, const struct netburst_core *core);
/* Returns the counters that can count from one of these ESCRs, bit n for counter n. */
uint32_t netburst_counters_of(const struct netburst_choice *choice);

#endif
