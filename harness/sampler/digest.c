#include "digest.h"

#include "pmu/sampling/lbr_decode.h"

/* One of so many newest records nearly always leads into the kernel's code. */
#define FEW 2

/* A reading of so many events more than so many times the usual ones was misread, or its interrupt
 * was held back by what no guard sees (a guess). */
#define APART_LEAST 1000
#define APART_TIMES 8
#define FEW_LATE    8

static void see(struct seen *seen, uint64_t value)
{
    if (seen->count == 0 || value < seen->lowest)
        seen->lowest = value;
    if (value > seen->highest)
        seen->highest = value;
    seen->count++;
    seen->sum += (double)value;
    seen->squares += (double)value * (double)value;
}

/* How late an interrupt usually is: by the samples of earlier windows, or of this one. */
static double usual_late(const struct sampler *s, uint64_t count)
{
    const uint64_t words = PMI_RECORD_WORDS + s->plan.read_count;
    uint64_t values[STATS_VALUES];
    unsigned some = 0;

    if (s->late.count >= FEW_LATE)
        return s->late.sum / (double)s->late.count;
    for (uint64_t i = 0; i < count && some < STATS_VALUES; i++)
        values[some++] = s->records[i * words + PMI_RECORD_WORDS];
    return some > 0 ? (double)stats_spread(values, some).median : 0;
}

/* The handler reads the counter once. */
static void see_late(struct sampler *s, uint64_t value, double usual)
{
    if ((value & ~s->plan.counter_mask) != 0 || (double)value > APART_LEAST + APART_TIMES * usual)
        s->late.apart++;
    else
        see(&s->late, value);
}

/* Decodes the records from the newest to one that leads into the kernel's code, or all of them. */
static void decode_into_code(const struct sampler *s, const uint64_t *record,
                             struct lbr_stack *stack)
{
    const uint64_t *words = record + PMI_RECORD_WORDS + 1;

    lbr_decode_newest(s->lbr, words, FEW, stack);
    for (unsigned i = 0; i < stack->count; i++)
        if (code_holds(s->addresses->index, stack->entries[i].to))
            return;
    lbr_decode(s->lbr, words, stack);
}

static void take_address(struct sampler *s, const uint64_t *record)
{
    struct lbr_stack stack;

    if (s->lbr != NULL) {
        decode_into_code(s, record, &stack);
        addresses_add_after(s->addresses, record[0], &stack);
    } else {
        addresses_add(s->addresses, record[0]);
    }
    if (s->take != NULL)
        s->take(s->take_context, record[0], record[PMI_RECORD_WORDS]);
    if (code_holds(s->addresses->index, record[0]))
        s->kept++;
    else
        s->outside++;
}

/* The place in the stack of the branch behind which the counter has counted `since`, newest first.
 * A counter of mispredicted branches counts the records that say so. LBR_DEPTH: it is not there. */
static unsigned place_of(const struct sampler *s, const struct lbr_stack *stack, uint64_t since)
{
    unsigned place = 0;

    if (!s->finds_mispredicted)
        return since < LBR_DEPTH ? (unsigned)since : LBR_DEPTH;
    for (; place < stack->count; place++)
        if (stack->entries[place].mispredicted && since-- == 0)
            return place;
    return LBR_DEPTH;
}

static void take_branches(struct sampler *s, const uint64_t *record)
{
    const uint64_t since = record[PMI_RECORD_WORDS];
    struct lbr_stack stack;

    lbr_decode(s->lbr, record + PMI_RECORD_WORDS + 1, &stack);
    branches_add(s->branches, &stack,
                 since < s->behind ? LBR_DEPTH : place_of(s, &stack, since - s->behind));
    s->kept++;
}

/* Any branch alike is so many behind an overflow's: chooses how many, so that the stacks hold that
 * branch's record, and those before it that are used, as often as can be. */
static void choose_behind(struct sampler *s, uint64_t count)
{
    const uint64_t words = PMI_RECORD_WORDS + s->plan.read_count;
    const unsigned newest = s->lbr->depth - s->branches->keep; /* that still has enough before it */
    uint64_t held[LBR_DEPTH] = {0};

    for (uint64_t i = 0; i < count; i++) {
        const uint64_t since = s->records[i * words + PMI_RECORD_WORDS];

        for (uint64_t behind = since > newest ? since - newest : 0;
             behind <= since && behind < LBR_DEPTH; behind++)
            held[behind]++;
    }
    for (unsigned behind = 0; behind < LBR_DEPTH; behind++)
        if (held[behind] > held[s->behind])
            s->behind = behind;
}

void digest_records(struct sampler *s, uint64_t count)
{
    const uint64_t words = PMI_RECORD_WORDS + s->plan.read_count;
    const double usual = usual_late(s, count);

    if (s->lbr != NULL && s->branches != NULL && s->lbr->freezes_counters && s->kept == 0)
        choose_behind(s, count);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t *record = s->records + i * words;

        see_late(s, record[PMI_RECORD_WORDS], usual);
        if (s->branches != NULL)
            take_branches(s, record);
        else if (s->addresses != NULL)
            take_address(s, record);
        else
            s->kept++;
    }
}
