#include "lane.h"

#include "boot/firmware/memory.h"
#include "boot/format.h"
#include "boot/machine/machine.h"

bool lane_take_words(struct lane *lane, size_t words)
{
    if (words <= lane->word_count)
        return true;
    lane->words = memory_alloc(words * sizeof(*lane->words));
    lane->word_count = lane->words != NULL ? words : 0;
    return lane->words != NULL;
}

void lane_block(struct lane *lane, const char *why)
{
    if (lane->blocked[0] == '\0')
        format(lane->blocked, sizeof(lane->blocked), "%s", why);
}

bool lane_counted(const struct lane *lane)
{
    return lane->ready && lane->blocked[0] == '\0';
}
