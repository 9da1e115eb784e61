/* Cycles that are recognised when they come again. */
#ifndef RIG_CORE_CYCLE_CYCLE_MEMO_H
#define RIG_CORE_CYCLE_CYCLE_MEMO_H

#include "state.h"

/* The memo in the place of that key, which may be another key's. */
struct cycle_memo *cycle_memo_at(struct output *output, const uint64_t *key);
static inline bool cycle_memo_is(const struct cycle_memo *memo, const uint64_t *key)
{
    uint64_t differ = 0;

    for (unsigned i = 0; i < CYCLE_KEY_WORDS; i++)
        differ |= memo->key[i] ^ key[i];
    return differ == 0;
}
/* The memo of the cycle that ends, or NULL. Most often it is the memo that came next the last time
 * too. */
static inline struct cycle_memo *cycle_memo_find(struct output *output, const uint64_t *key)
{
    struct cycle_memo *memo = output->memo->next;

    if (memo == NULL || !cycle_memo_is(memo, key)) {
        memo = cycle_memo_at(output, key);
        if (!cycle_memo_is(memo, key))
            return NULL;
        output->memo->next = memo;
    }
    output->memo = memo;
    return memo;
}
/* Makes a memo of the cycle with that key, its signals in `span`. The memo that had its place is
 * sent and accounted for. */
void cycle_memo_keep(struct output *output, struct model_truth *truth, const uint64_t *key,
                     const struct span *span, enum cycle_kind kind);
/* Adds the repeated cycles to the truth. */
void cycle_memos_add(const struct output *output, struct model_truth *truth);
/* The repeated cycles so far are part of no truth. */
void cycle_memos_forget(struct output *output);

#endif
