/* A NetBurst event as register values, for events that no description names:
 *
 *   CCCR/ESCR@COUNTER       0x00039000/0x04000204@0x8000000c
 *   CCCR/ESCR@COUNTER --p4pe=PEBS_ENABLE --p4pmv=PEBS_MATRIX_VERT
 *
 * as perfex of perfctr has them. COUNTER is the index for RDPMC: 0 to 17, and bit 31 for the fast
 * form, which reads 32 bits. Which ESCR takes the value follows from the counter and the CCCR's
 * ESCR select. The other two values choose what is tagged for replay_event. Pure. */
#ifndef PMU_NETBURST_RAW_H
#define PMU_NETBURST_RAW_H

#include "select.h"

struct netburst_raw {
    uint32_t cccr, escr;
    uint32_t ignored; /* bits of the ESCR's value for a logical processor that is not there: not in
                       * `escr` */
    uint32_t pebs_enable, matrix; /* 0: not given */
    uint8_t counter;              /* 0 to 17 */
    uint8_t escr_index;           /* into netburst_escrs */
    bool fast;
};

/* Reads the text for a core with or without HyperThreading. Returns false with a complaint that
 * names the register and what is wrong, and expects what would do; its column is the place in the
 * text, from 1. Refused are reserved bits, a counter that does not exist or that cannot count from
 * such an ESCR, and values with which nothing would be counted. */
bool netburst_raw_read(struct netburst_raw *raw, const struct description *description,
                       struct slice text, const struct netburst_core *core, bool hyperthreading,
                       struct complaint *complaint);

/* Returns null, or why a pass that counts nothing else cannot count this on the core's logical
 * processor of that number (0 or 1): it would not count for that one alone, it never starts, it
 * interrupts, or it needs tags that register values of one counter do not bring. */
const char *netburst_raw_absent(const struct netburst_raw *raw,
                                const struct description *description, unsigned thread,
                                bool hyperthreading);

#define NETBURST_NOTE 256
/* Writes what is to be known of a count by these values, at most NETBURST_NOTE bytes with the 0:
 * bits that are not written, fields without which the manual says that nothing counts. Returns
 * false, and writes nothing, where there is nothing to say. */
bool netburst_raw_note(const struct netburst_raw *raw, const struct netburst_core *core,
                       char out[NETBURST_NOTE]);

#endif
