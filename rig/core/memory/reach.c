/* What an answer of the memory is for events. */
#include "reach.h"

enum origin reach_origin(enum level level, enum late served)
{
    static const enum origin origins[] = {
        [LEVEL_L1] = ORIGIN_L1, [LEVEL_FILL_BUFFER] = ORIGIN_FILL_BUFFER, [LEVEL_L2] = ORIGIN_L2,
        [LEVEL_L3] = ORIGIN_L3, [LEVEL_MEMORY] = ORIGIN_MEMORY,
    };

    if (level != LEVEL_MEMORY)
        return origins[level];
    return served == LATE_FAR_MEMORY      ? ORIGIN_REMOTE_MEMORY
           : served == LATE_FAR_SHARED    ? ORIGIN_REMOTE_CLEAN
           : served == LATE_FAR_CONTESTED ? ORIGIN_REMOTE_MODIFIED
                                          : ORIGIN_MEMORY;
}
