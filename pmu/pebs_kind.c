#include "pebs_kind.h"

const char *pebs_use_name(enum pebs_use use)
{
    static const char *const names[PEBS_USES] = {
        [PEBS_INSTRUCTIONS] = "instructions",
        [PEBS_TAKEN] = "taken branches",
        [PEBS_LOADS] = "loads",
        [PEBS_LATENCY] = "loads above 3 cycles",
        [PEBS_LONG_LATENCY] = "loads above 9 cycles",
    };

    return names[use];
}
