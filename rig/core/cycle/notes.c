/* What goes on beside the pipeline: lines and page walks on their way, fill buffers; and the
 * signals that few retiring instructions have. Only the cycles in which something begins or ends
 * have notes.
 */
#include "notes.h"

static struct notes *notes_at(struct model *model, uint64_t cycle)
{
    cycle_at(model, cycle)->more |= MORE_NOTES;
    if (cycle > model->noted_until)
        model->noted_until = cycle;
    return &model->notes[cycle % HORIZON];
}

/* A walk is active while a walker does it, not while it waits for a walker ("WALK_DURATION",
 * "cycles when the page miss handler is servicing page walks": Intel's event lists). */
static uint64_t walk_begun(const struct model *model, uint64_t asked, uint64_t walked)
{
    return walked < asked + model->p->walk_latency ? asked : walked - model->p->walk_latency;
}

/* Beyond the ring neither the beginning nor the end is noted. */
static bool in_reach(const struct model *model, uint64_t begun, uint64_t end)
{
    return begun < end && begun >= model->now && end < model->now + HORIZON;
}

void notes_load(struct model *model, uint64_t begun, bool locked, const struct reach *reach)
{
    const uint64_t asked = reach->translated > begun ? reach->translated : begun;
    const uint64_t buffered = reach->buffered > asked ? reach->buffered : asked;

    /* Three cycles change the node that the truth charges, so they must not be skipped: when older
     * stores no longer delay the load, when it need not be compared with them again, and when its
     * translation is over. */
    if (reach->begun > begun && in_reach(model, begun, reach->begun)) {
        notes_at(model, reach->begun);
        if (reach->begun > begun + model->p->alias_penalty)
            notes_at(model, reach->begun - model->p->alias_penalty);
    }
    if (asked > reach->begun && in_reach(model, reach->begun, asked)) {
        notes_at(model, reach->begun);
        notes_at(model, asked)->load_walks -= reach->walk;
        notes_at(model, walk_begun(model, reach->begun, asked))->load_walks += reach->walk;
    }
    if (reach->level <= LEVEL_FILL_BUFFER || !in_reach(model, begun, reach->done))
        return;
    if (buffered > asked && buffered < reach->done) {
        notes_at(model, asked)->waiting++;
        notes_at(model, asked)->waits++;
        notes_at(model, buffered)->waiting--;
    }
    if (buffered >= reach->done)
        return;
    notes_at(model, buffered)->pending++;
    notes_at(model, reach->done)->pending--;
    if (reach->level > LEVEL_L2 && locked) {
        notes_at(model, buffered)->rfos++;
        notes_at(model, reach->done)->rfos--;
    } else if (reach->level > LEVEL_L2) {
        notes_at(model, buffered)->reads++;
        notes_at(model, reach->done)->reads--;
    }
}

void notes_store(struct model *model, uint64_t begun, const struct reach *reach)
{
    if (reach->level <= LEVEL_L2 || !in_reach(model, begun, reach->done))
        return;
    notes_at(model, begun)->rfos++;
    notes_at(model, reach->done)->rfos--;
}

void notes_store_walk(struct model *model, uint64_t walked)
{
    const uint64_t begun = walk_begun(model, model->now, walked);

    if (!in_reach(model, begun, walked))
        return;
    notes_at(model, begun)->store_walks++;
    notes_at(model, walked)->store_walks--;
}

void notes_lock(struct model *model, uint64_t begun, uint64_t unlocked)
{
    if (!in_reach(model, begun, unlocked))
        return;
    notes_at(model, begun)->locks++;
    notes_at(model, unlocked)->locks--;
}

void notes_x87(struct model *model, uint64_t begun)
{
    notes_at(model, begun)->x87++;
}

void notes_blend(struct model *model)
{
    notes_at(model, model->now)->blends++;
}

void notes_division(struct model *model, uint64_t begun)
{
    notes_at(model, begun)->divisions++;
}

void notes_split(struct model *model, uint64_t cycle, bool store)
{
    struct notes *notes = notes_at(model, cycle);

    notes->split_stores = (uint8_t)(notes->split_stores + store);
    notes->split_loads = (uint8_t)(notes->split_loads + !store);
}

void notes_cancelled(struct model *model, uint64_t cycle)
{
    notes_at(model, cycle)->cancelled++;
}

void notes_trace_miss(struct model *model, uint64_t cycle)
{
    notes_at(model, cycle)->trace_misses++;
}

void notes_line_reads(struct model *model)
{
    const struct line_read *read;
    const unsigned count = memory_line_reads(model->memory, &read);

    for (unsigned i = 0; i < count; i++, read++) {
        if (!in_reach(model, read->begun, read->done))
            continue;
        notes_at(model, read->begun)->data_reads += read->load;
        notes_at(model, read->done)->data_reads -= read->load;
        notes_at(model, read->begun)->queued++;
        notes_at(model, read->done)->queued--;
    }
}

static void pass(struct model *model, struct notes *notes)
{
    struct going *going = &model->going;

    going->pending += notes->pending;
    going->waiting += notes->waiting;
    going->reads += notes->reads;
    going->data_reads += notes->data_reads;
    going->queued += notes->queued;
    going->rfos += notes->rfos;
    going->load_walks += notes->load_walks;
    going->store_walks += notes->store_walks;
    going->locks += notes->locks;
    going->any = (going->pending | going->waiting | going->reads | going->data_reads | going->rfos |
                  going->load_walks | going->store_walks | going->queued | going->locks) != 0;
    *notes = (struct notes){0};
}

void notes_finish(struct model *model, const struct cycle *cycle, uint16_t *value)
{
    if (cycle->more & MORE_NOTES) {
        struct notes *notes = &model->notes[model->now % HORIZON];

        value[SIG_X87_EXECUTED] = notes->x87;
        value[SIG_DIVISIONS] = notes->divisions;
        value[SIG_BLENDS] = notes->blends;
        value[SIG_FILL_BUFFER_WAITS] = notes->waits;
        value[SIG_UOPS_CANCELLED] = notes->cancelled;
        value[SIG_SPLIT_LOADS_DONE] = notes->split_loads;
        value[SIG_SPLIT_STORES_DONE] = notes->split_stores;
        value[SIG_TC_MISSES] = notes->trace_misses;
        pass(model, notes);
    }
    if (cycle->more & (MORE_DECODED | MORE_WALK | MORE_CODE_READ | MORE_UNKNOWN_BRANCH)) {
        value[SIG_DECODED] = cycle->more & MORE_DECODED;
        value[SIG_CODE_WALK_ACTIVE] = (cycle->more & MORE_WALK) != 0;
        value[SIG_CODE_READ_ACTIVE] = (cycle->more & MORE_CODE_READ) != 0;
        value[SIG_UNKNOWN_BRANCH_CYCLES] = (cycle->more & MORE_UNKNOWN_BRANCH) != 0;
    }
    if (!model->going.any)
        return;
    value[SIG_L1D_PENDING] = (uint16_t)model->going.pending;
    value[SIG_FILL_BUFFERS_FULL] = model->going.waiting > 0;
    value[SIG_READS_OUTSTANDING] = (uint16_t)model->going.reads;
    value[SIG_DATA_READS_OUTSTANDING] = (uint16_t)model->going.data_reads;
    value[SIG_SUPERQUEUE_FULL] =
        model->p->superqueue && model->going.queued >= model->p->superqueue;
    value[SIG_RFOS_OUTSTANDING] = (uint16_t)model->going.rfos;
    value[SIG_LOAD_WALKS_ACTIVE] = (uint16_t)model->going.load_walks;
    value[SIG_STORE_WALKS_ACTIVE] = (uint16_t)model->going.store_walks;
    value[SIG_L1D_LOCKED] = model->going.locks > 0;
}

void notes_skip(struct model *model, uint64_t cycle)
{
    for (uint64_t at = model->now; at <= model->noted_until && at < cycle; at++) {
        cycle_at(model, at)->more &= (uint8_t)~MORE_NOTES;
        pass(model, &model->notes[at % HORIZON]);
    }
}

void notes_retire(const struct retiring *entry, uint16_t *value)
{
    static const enum signal arithmetic[] = {
        [FLOPS_SCALAR_SINGLE] = SIG_FP_SCALAR_SINGLE, [FLOPS_SCALAR_DOUBLE] = SIG_FP_SCALAR_DOUBLE,
        [FLOPS_PACKED_SINGLE] = SIG_FP_PACKED_SINGLE, [FLOPS_PACKED_DOUBLE] = SIG_FP_PACKED_DOUBLE,
        [FLOPS_256_SINGLE] = SIG_FP_256_SINGLE,       [FLOPS_256_DOUBLE] = SIG_FP_256_DOUBLE,
        [FLOPS_512_SINGLE] = SIG_FP_512_SINGLE,       [FLOPS_512_DOUBLE] = SIG_FP_512_DOUBLE,
        [FLOPS_INTEGER] = SIG_INTEGER_VECTORS,        [FLOPS_INTEGER_256] = SIG_INTEGER_VECTORS_256,
        [FLOPS_INTEGER_MUL] = SIG_INTEGER_PRODUCTS,
    };
    const unsigned flops = entry->flops & FLOPS_KIND, times = entry->flops & FLOPS_TWICE ? 2 : 1;

    static const struct {
        uint32_t flag;
        enum signal signal;
    } flagged[] = {
        {RETIRE_LOAD_STLB_HIT, SIG_DTLB_LOAD_STLB_HITS},
        {RETIRE_STORE_STLB_HIT, SIG_DTLB_STORE_STLB_HITS},
        {RETIRE_RFO_L2_HIT, SIG_RFO_L2_HITS},
        {RETIRE_RFO_L2_MISS, SIG_RFO_L2_MISSES},
        {RETIRE_PAUSE, SIG_PAUSES},
        {RETIRE_LFENCE, SIG_LFENCES},
        {RETIRE_ASSIST, SIG_ASSISTS},
    };

    if (flops != FLOPS_NONE)
        value[arithmetic[flops]] = (uint16_t)(value[arithmetic[flops]] + times);
    if (flops >= FLOPS_PACKED_SINGLE && flops <= FLOPS_512_DOUBLE)
        value[SIG_FP_VECTORS] = (uint16_t)(value[SIG_FP_VECTORS] + times);
    if (entry->flags & RETIRE_MICROCODED)
        value[SIG_MS_UOPS_RETIRED] = (uint16_t)(value[SIG_MS_UOPS_RETIRED] + entry->heavy +
                                                ((entry->flags & RETIRE_FIRST_LIGHT) != 0));
    for (unsigned i = 0; i < sizeof(flagged) / sizeof(*flagged); i++)
        if (entry->flags & flagged[i].flag)
            value[flagged[i].signal]++;
}
