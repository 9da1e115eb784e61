#include "tip.h"

#include <stddef.h>

void tip_begin(struct tip *tip, uint64_t begun)
{
    *tip = (struct tip){.last = begun - 1};
}

static void share_group(struct tip *tip, const struct tip_sink *sink)
{
    for (unsigned i = 0; i < tip->grouped; i++)
        sink->add(sink->context, tip->group[i], 1.0 / tip->grouped);
    tip->grouped = 0;
}

/* The cycles behind the last retirement and before `end`, in which nothing retires. */
static void share_wait(const struct tip *tip, const struct tip_passage *passage, uint64_t end,
                       const struct tip_sink *sink)
{
    const uint64_t begin = tip->last + 1;
    const uint64_t from = passage->entered < end ? passage->entered : end;
    const uint64_t empty = from > begin ? from - begin : 0;

    if (empty > 0)
        sink->add(sink->context, tip->flushed ? tip->blamed : passage->address, (double)empty);
    if (end > begin + empty)
        sink->add(sink->context, passage->address, (double)(end - begin - empty));
}

void tip_pass(struct tip *tip, const struct tip_passage *passage, const struct tip_sink *sink)
{
    if (passage->retired > tip->last) {
        share_group(tip, sink);
        share_wait(tip, passage, passage->retired, sink);
        tip->last = passage->retired;
    }
    if (tip->grouped < TIP_GROUP)
        tip->group[tip->grouped++] = passage->address;
    tip->flushed = passage->holds;
    tip->blamed = passage->address;
}

void tip_end(struct tip *tip, uint64_t end, const struct tip_passage *passage,
             const struct tip_sink *sink)
{
    share_group(tip, sink);
    if (passage != NULL && tip->last + 1 < end)
        share_wait(tip, passage, end, sink);
}
