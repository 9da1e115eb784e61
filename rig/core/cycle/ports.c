#include "ports.h"

#include <limits.h>

/* All counts are halved when one is as high, so that what was long ago counts little. With 4 to 64
 * the measured blocks take the same. */
#define TAKEN_MOST 8u
#define HALVES     UINT64_C(0x7f7f7f7f7f7f7f7f)

uint16_t ports_lightest(struct dispatch *dispatch, uint16_t free)
{
    union port_counts *taken = &dispatch->taken;
    unsigned lightest = 0, least = UINT_MAX;

    if (free == 0)
        return 0;
    for (unsigned rest = free; rest != 0; rest &= rest - 1) {
        const unsigned port = (unsigned)__builtin_ctz(rest);

        if (taken->of[port] < least) {
            least = taken->of[port];
            lightest = port;
        }
    }
    if (++taken->of[lightest] == TAKEN_MOST) {
        taken->words[0] = taken->words[0] >> 1 & HALVES;
        taken->words[1] = taken->words[1] >> 1 & HALVES;
    }
    return (uint16_t)PORT(lightest);
}
