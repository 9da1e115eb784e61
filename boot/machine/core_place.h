/* One core (a logical processor) as the harness sees it. */
#ifndef BOOT_MACHINE_CORE_PLACE_H
#define BOOT_MACHINE_CORE_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#define CORES_MAX         1024
#define CORE_NODE_UNKNOWN UINT32_MAX

struct core_place {
    uint32_t apic_id;
    uint32_t node;   /* of its memory, as the firmware numbers it; CORE_NODE_UNKNOWN */
    bool online;     /* it started and can be given work */
    bool trapped;    /* it is offline because an unexpected trap ended its work */
    bool nmi_storm;  /* that trap was an NMI, one of too many that nobody asked for */
    const char *why; /* why it is offline, in words for the log; null when online */
};

#endif
