/* An event of NetBurst, as a description states it (`event NAME escr ...`, pmu/description.h). */
#ifndef PMU_NETBURST_EVENT_H
#define PMU_NETBURST_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#define NETBURST_NAME  40 /* bytes of a mask's name, with the 0 that ends it */
#define NETBURST_MASKS 16 /* bits of an event mask */

/* A bit of the event mask. */
struct netburst_mask {
    char name[NETBURST_NAME];
    uint8_t bit;
};

struct netburst_event;

/* What the event counts when uops were tagged in a certain way before they retired: "At-Retirement
 * Counting". */
struct netburst_tagged {
    char name[NETBURST_NAME], also[NETBURST_NAME]; /* also: a second name, or "" */
    struct netburst_tagged *next;
    uint16_t mask; /* of the event that counts */
    /* The registers that choose a replay tag; 0: they are not needed. */
    uint32_t pebs_enable, matrix;
    /* The event whose ESCR tags the uops; null: no ESCR does. */
    const struct netburst_event *upstream;
    uint16_t upstream_mask;
    uint8_t upstream_tag;                           /* ESCR_TAG_VALUE; 0: none */
    uint8_t upstream_escrs[2], upstream_escr_count; /* indices into netburst_escrs */
};

struct netburst_event {
    char name[NETBURST_NAME];
    uint8_t select;               /* ESCR_EVENT_SELECT, 1 to 63 */
    uint8_t escrs[2], escr_count; /* the ESCRs that can select it: indices into netburst_escrs */
    /* The second ESCR cannot select it before this model and stepping; 0 and 0: it always can. */
    uint8_t second_model, second_stepping;
    bool thread_independent; /* it counts for both logical processors: "Thread Independent" */
    bool tags_only;          /* it tags uops, and counts none */
    struct netburst_mask masks[NETBURST_MASKS];
    uint8_t mask_count;
    struct netburst_tagged *tagged; /* the first of a list; null: it counts no tagged uops */
};

#endif
