#include "words.h"

#include "boot/text.h"

uint64_t *words_take(struct words *words, uint64_t count)
{
    uint64_t *taken = words->next;

    if (count > words->left)
        return 0;
    memset(taken, 0, count * sizeof(uint64_t));
    words->next += count;
    words->left -= count;
    return taken;
}

uint64_t words_of_halves(uint64_t count)
{
    return (count + 1) / 2;
}
