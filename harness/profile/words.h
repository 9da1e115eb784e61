/* Memory that is given out in one direction and never returned: whoever profiles asks for the sum
 * of the *_words functions before the window, takes that much once, and nothing allocates later. */
#ifndef HARNESS_PROFILE_WORDS_H
#define HARNESS_PROFILE_WORDS_H

#include <stdint.h>

struct words {
    uint64_t *next;
    uint64_t left; /* words of 8 bytes */
};

/* Takes `count` words, all zero. Null: there are not that many left. */
uint64_t *words_take(struct words *words, uint64_t count);
/* How many words `count` numbers of 4 bytes need. */
uint64_t words_of_halves(uint64_t count);

#endif
