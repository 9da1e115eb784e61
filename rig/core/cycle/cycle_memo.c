/* Cycles of a loop repeat. The signals of a cycle are kept under a key of everything that they
 * follow from; a cycle with the same key has the same signals, which need neither be made nor be
 * compared with the cycle before. */
#include "cycle_memo.h"

#include "spans.h"

struct cycle_memo *cycle_memo_at(struct output *output, const uint64_t *key)
{
    static const uint64_t odd[CYCLE_KEY_WORDS] = {0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9,
                                                  0x94d049bb133111eb, 0xd6e8feb86659fd93,
                                                  0xa0761d6478bd642f};
    uint64_t sum = 0;

    for (unsigned i = 0; i < CYCLE_KEY_WORDS; i++)
        sum += key[i] * odd[i];
    return &output->memos[(sum ^ sum >> 32) >> 24 & (CYCLE_MEMOS - 1)];
}

static void add(const struct cycle_memo *memo, struct model_truth *truth)
{
    const uint16_t *value = memo->span.value;
    const uint64_t times = memo->times;

    truth->cycles += times;
    truth->kinds[memo->kind] += times;
    truth->scheduler_empty += times * value[SIG_SCHEDULER_EMPTY];
    truth->uops_issued += times * value[SIG_UOPS_ISSUED];
    truth->uops_retired += times * value[SIG_UOPS_RETIRED];
    truth->instructions += times * value[SIG_INSTRUCTIONS];
    truth->branches += times * value[SIG_BRANCHES];
    truth->taken += times * value[SIG_BRANCHES_TAKEN];
    truth->loads += times * value[SIG_LOADS];
    truth->stores += times * value[SIG_STORES];
}

void cycle_memos_add(const struct output *output, struct model_truth *truth)
{
    for (unsigned i = 0; i < CYCLE_MEMOS; i++)
        if (output->memos[i].times)
            add(&output->memos[i], truth);
}

void cycle_memos_forget(struct output *output)
{
    for (unsigned i = 0; i < CYCLE_MEMOS; i++)
        output->memos[i].times = 0;
}

void cycle_memo_keep(struct output *output, struct model_truth *truth, const uint64_t *key,
                     const struct span *span, enum cycle_kind kind)
{
    struct cycle_memo *memo = cycle_memo_at(output, key);

    if (memo->span.cycles)
        span_report(output, &memo->span);
    add(memo, truth);
    for (unsigned i = 0; i < CYCLE_KEY_WORDS; i++)
        memo->key[i] = key[i];
    memo->times = 0;
    memo->kind = kind;
    memo->span = *span;
    memo->span.cycles = 0;
}
