/* What goes on beside the pipeline: lines and page walks on their way, fill buffers; and the
 * signals that few retiring instructions have. Only the cycles in which something begins or ends
 * have notes.
 */
#include "notes.h"

static struct notes *notes_at(struct timeline *time, uint64_t cycle)
{
    cycle_at(time, cycle)->more |= MORE_NOTES;
    if (cycle > time->noted_until)
        time->noted_until = cycle;
    return &time->notes[cycle % HORIZON];
}

/* A walk is active while a walker does it, not while it waits for a walker ("WALK_DURATION",
 * "cycles when the page miss handler is servicing page walks": Intel's event lists). */
static uint64_t walk_begun(const struct model_parameters *p, uint64_t asked, uint64_t walked)
{
    return walked < asked + p->walk_latency ? asked : walked - p->walk_latency;
}

/* Beyond the ring neither the beginning nor the end is noted. */
static bool in_reach(uint64_t now, uint64_t begun, uint64_t end)
{
    return begun < end && begun >= now && end < now + HORIZON;
}

void notes_load(const struct model_parameters *p, struct timeline *time, uint64_t begun,
                bool locked, const struct reach *reach)
{
    const uint64_t asked = reach->translated > begun ? reach->translated : begun;
    const uint64_t buffered = reach->buffered > asked ? reach->buffered : asked;

    /* Three cycles change the node that the truth charges, so they must not be skipped: when older
     * stores no longer delay the load, when it need not be compared with them again, and when its
     * translation is over. */
    if (reach->begun > begun && in_reach(time->now, begun, reach->begun)) {
        notes_at(time, reach->begun);
        if (reach->begun > begun + p->alias_penalty)
            notes_at(time, reach->begun - p->alias_penalty);
    }
    if (asked > reach->begun && in_reach(time->now, reach->begun, asked)) {
        notes_at(time, reach->begun);
        notes_at(time, asked)->load_walks -= reach->walk;
        notes_at(time, walk_begun(p, reach->begun, asked))->load_walks += reach->walk;
    }
    if (reach->level <= LEVEL_FILL_BUFFER || !in_reach(time->now, begun, reach->done))
        return;
    if (buffered > asked && buffered < reach->done) {
        notes_at(time, asked)->waiting++;
        notes_at(time, asked)->waits++;
        notes_at(time, buffered)->waiting--;
    }
    if (buffered >= reach->done)
        return;
    notes_at(time, buffered)->pending++;
    notes_at(time, reach->done)->pending--;
    if (reach->level > LEVEL_L2 && locked) {
        notes_at(time, buffered)->rfos++;
        notes_at(time, reach->done)->rfos--;
    } else if (reach->level > LEVEL_L2) {
        notes_at(time, buffered)->reads++;
        notes_at(time, reach->done)->reads--;
    }
}

void notes_store(struct timeline *time, uint64_t begun, const struct reach *reach)
{
    if (reach->level <= LEVEL_L2 || !in_reach(time->now, begun, reach->done))
        return;
    notes_at(time, begun)->rfos++;
    notes_at(time, reach->done)->rfos--;
}

void notes_store_walk(const struct model_parameters *p, struct timeline *time, uint64_t walked)
{
    const uint64_t begun = walk_begun(p, time->now, walked);

    if (!in_reach(time->now, begun, walked))
        return;
    notes_at(time, begun)->store_walks++;
    notes_at(time, walked)->store_walks--;
}

void notes_lock(struct timeline *time, uint64_t begun, uint64_t unlocked)
{
    if (!in_reach(time->now, begun, unlocked))
        return;
    notes_at(time, begun)->locks++;
    notes_at(time, unlocked)->locks--;
}

void notes_x87(struct timeline *time, uint64_t begun)
{
    notes_at(time, begun)->x87++;
}

void notes_blend(struct timeline *time)
{
    notes_at(time, time->now)->blends++;
}

void notes_division(struct timeline *time, uint64_t begun)
{
    notes_at(time, begun)->divisions++;
}

void notes_split(struct timeline *time, uint64_t cycle, bool store)
{
    struct notes *notes = notes_at(time, cycle);

    notes->split_stores = (uint8_t)(notes->split_stores + store);
    notes->split_loads = (uint8_t)(notes->split_loads + !store);
}

void notes_cancelled(struct timeline *time, uint64_t cycle)
{
    notes_at(time, cycle)->cancelled++;
}

void notes_taken(struct timeline *time, uint64_t cycle, bool mispredicted)
{
    struct notes *notes = notes_at(time, cycle < time->now ? time->now : cycle);

    notes->taken++;
    notes->taken_mispredicts = (uint8_t)(notes->taken_mispredicts + mispredicted);
}

static void finish_taken(const struct notes *notes, uint16_t *value)
{
    value[SIG_TAKEN_EXECUTED] = notes->taken;
    value[SIG_TAKEN_MISPREDICTS_EXECUTED] = notes->taken_mispredicts;
}

void notes_taken_ahead(struct timeline *time, uint64_t cycle, uint16_t *value)
{
    if (cycle_at(time, cycle)->more & MORE_NOTES)
        finish_taken(&time->notes[cycle % HORIZON], value);
}

void notes_trace_miss(struct timeline *time, uint64_t cycle)
{
    notes_at(time, cycle)->trace_misses++;
}

void notes_line_reads(struct memory_hierarchy *memory, struct timeline *time)
{
    const struct line_read *read;
    const unsigned count = memory_line_reads(memory, &read);

    for (unsigned i = 0; i < count; i++, read++) {
        if (!in_reach(time->now, read->begun, read->done))
            continue;
        notes_at(time, read->begun)->data_reads += read->load;
        notes_at(time, read->done)->data_reads -= read->load;
        notes_at(time, read->begun)->queued++;
        notes_at(time, read->done)->queued--;
    }
}

static void pass(struct going *going, struct notes *notes)
{
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

void notes_finish(const struct model_parameters *p, struct timeline *time,
                  const struct cycle *cycle, uint16_t *value)
{
    if (cycle->more & MORE_NOTES) {
        struct notes *notes = &time->notes[time->now % HORIZON];

        value[SIG_X87_EXECUTED] = notes->x87;
        value[SIG_DIVISIONS] = notes->divisions;
        value[SIG_BLENDS] = notes->blends;
        value[SIG_FILL_BUFFER_WAITS] = notes->waits;
        value[SIG_UOPS_CANCELLED] = notes->cancelled;
        value[SIG_SPLIT_LOADS_DONE] = notes->split_loads;
        value[SIG_SPLIT_STORES_DONE] = notes->split_stores;
        value[SIG_TC_MISSES] = notes->trace_misses;
        finish_taken(notes, value);
        pass(&time->going, notes);
    }
    if (cycle->more & (MORE_DECODED | MORE_WALK | MORE_CODE_READ | MORE_UNKNOWN_BRANCH)) {
        value[SIG_DECODED] = cycle->more & MORE_DECODED;
        value[SIG_CODE_WALK_ACTIVE] = (cycle->more & MORE_WALK) != 0;
        value[SIG_CODE_READ_ACTIVE] = (cycle->more & MORE_CODE_READ) != 0;
        value[SIG_UNKNOWN_BRANCH_CYCLES] = (cycle->more & MORE_UNKNOWN_BRANCH) != 0;
    }
    if (!time->going.any)
        return;
    value[SIG_L1D_PENDING] = (uint16_t)time->going.pending;
    value[SIG_FILL_BUFFERS_FULL] = time->going.waiting > 0;
    value[SIG_READS_OUTSTANDING] = (uint16_t)time->going.reads;
    value[SIG_DATA_READS_OUTSTANDING] = (uint16_t)time->going.data_reads;
    value[SIG_SUPERQUEUE_FULL] = p->superqueue && time->going.queued >= p->superqueue;
    value[SIG_RFOS_OUTSTANDING] = (uint16_t)time->going.rfos;
    value[SIG_LOAD_WALKS_ACTIVE] = (uint16_t)time->going.load_walks;
    value[SIG_STORE_WALKS_ACTIVE] = (uint16_t)time->going.store_walks;
    value[SIG_L1D_LOCKED] = time->going.locks > 0;
}

void notes_skip(struct timeline *time, uint64_t cycle)
{
    for (uint64_t at = time->now; at <= time->noted_until && at < cycle; at++) {
        cycle_at(time, at)->more &= (uint8_t)~MORE_NOTES;
        pass(&time->going, &time->notes[at % HORIZON]);
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
