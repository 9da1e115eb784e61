#include "groups.h"

void groups_make(struct groups *groups, uint64_t planned)
{
    *groups = (struct groups){.planned = planned ? planned : 1};
}

unsigned groups_next(struct groups *groups)
{
    const uint64_t each = (groups->planned - 1) / PROFILE_GROUPS + 1;
    const uint64_t group = groups->taken++ / each;

    return group < PROFILE_GROUPS ? (unsigned)group : PROFILE_GROUPS - 1;
}
