/* Tags of uops, of which a processor has few: events that count tagged uops can disturb each other
 * although their ESCRs and counters differ. Pure. */
#ifndef PMU_NETBURST_TAGS_H
#define PMU_NETBURST_TAGS_H

#include "select.h"

/* Returns the register over which the two cannot count at the same time, because each would also
 * count uops that the other has tagged, or because both need it with different values; null: they
 * can. */
const char *netburst_tags_clash(const struct netburst_selection *a,
                                const struct netburst_selection *b);

#endif
