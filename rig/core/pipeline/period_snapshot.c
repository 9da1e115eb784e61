/* The state of a pipeline, unit by unit in the order of cycle/state.h (tests/rig/core/snapshot.sh
 * looks whether a member is forgotten).
 *
 * Left out, as STRUCTURE.MEMBER or as a whole:
 * - constant while a model skips: model.decoder, model.smt, model.thread, model.at_length,
 *   front.window_shift, front.fetch_shift, front.set_mask;
 * - said by other state: model.translations (a second thread's, and two threads skip nothing),
 *   dispatch.full, dispatch.full_port and struct full_cycles, front.dsb_clock (lines are compared
 *   by their order);
 * - of what is sent to the sink, or summed up; it decides no cycle: model.truth, struct output and
 *   struct cycle_memo;
 * - of the instruction before, for who watches windows; it decides no cycle: previous.first_slot,
 *   previous.holds;
 * - there is none while a model skips: struct access_events, struct retiring_note, and
 *   struct warming (periods of observed cycles alone are skipped);
 * - of skipping itself: struct skipping;
 * - compared byte by byte, as a whole, with what will be added to them: struct cycle, struct notes,
 *   struct going, struct allocator, struct window, struct mechanisms. */
#include "period_snapshot.h"

#include "back.h"
#include "dsb.h"

/* Cycles in the past are alike. One cycle back is still told from this one: some waits end in the
 * cycle behind. */
#define OVER 1u
/* The front end has a clock of its own, which may be as far behind the allocator as a whole queue
 * waits for room: more than a queue of instructions that wait long takes. */
#define FRONT_OVER (1u << 20)
/* Coming cycles in a sketch. */
#define SKETCHED 24u
/* Behind the front end's clock: fetch is at most the instruction queue ahead (fetch_legacy). */
#define FETCH_OVER 64u

/* The last cycle that any unit of the pipeline names. */
static uint64_t last_named(const struct model *model)
{
    uint64_t last = later(model->retirement.last, model->stores.last_commit);

    last = later(last, later(model->stores.miss, model->time.noted_until));
    last = later(last, later(model->dispatch.divider_free, model->stores.addresses_known));
    last = later(last, later(model->front.delivered.at, model->front.fetching.at));
    for (unsigned i = 0; i < REG_COUNT; i++)
        last = later(last, model->renamer.register_ready[i]);
    return later(last, model->time.now) + 1;
}

static bool is_blank(const struct cycle *cycle)
{
    uint64_t words[2];

    memcpy(words, cycle, sizeof(words));
    return (words[0] | words[1]) == 0;
}

bool period_is_blank_beyond(const struct model *model)
{
    for (uint64_t at = last_named(model) + 1; at < model->time.now + HORIZON; at++)
        if (!is_blank(&model->time.ring[at % HORIZON]))
            return false;
    return true;
}

static void add_due(struct snapshot *snapshot, uint64_t cycle, uint64_t now)
{
    snapshot_cycle(snapshot, cycle, now, OVER);
}

/* --- coming cycles --- */

static void add_cycles(const struct timeline *time, uint64_t end, struct snapshot *snapshot)
{
    for (uint64_t at = time->now; at < end; at++) {
        const struct cycle *cycle = &time->ring[at % HORIZON];

        snapshot_bytes(snapshot, cycle, sizeof(*cycle));
        if (cycle->more & MORE_NOTES)
            snapshot_bytes(snapshot, &time->notes[at % HORIZON], sizeof(*time->notes));
    }
}

static void add_current(const struct timeline *time, const struct allocator *allocator,
                        const struct window *window, struct snapshot *snapshot)
{
    snapshot_bytes(snapshot, allocator, sizeof(*allocator));
    snapshot_bytes(snapshot, window, sizeof(*window));
    snapshot_bytes(snapshot, &time->going, offsetof(struct going, any));
    snapshot_add(snapshot, time->going.any);
    add_due(snapshot, time->noted_until, time->now);
}

/* --- the front end --- */

/* The lines of a set that are in use, the one used last first. */
static void add_set(const struct model_parameters *p, const struct dsb_line *set,
                    struct snapshot *snapshot)
{
    const unsigned ways = p->dsb_ways;

    for (unsigned way = 0; way < ways; way++) {
        unsigned younger = 0;

        if (set[way].window == NOWHERE)
            continue;
        for (unsigned other = 0; other < ways; other++)
            younger += set[other].window != NOWHERE && set[other].used > set[way].used;
        snapshot_add(snapshot, set[way].window);
        snapshot_add(snapshot, set[way].starts);
        snapshot_add(snapshot, (uint64_t)way << 32 | younger << 8 | set[way].uops);
    }
}

static void add_dsb(const struct model_parameters *p, const struct front *front,
                    struct snapshot *snapshot)
{
    for (unsigned set = 0; set < front->dsb_sets && p->dsb_ways > 0; set++)
        add_set(p, &front->dsb[(size_t)set * p->dsb_ways], snapshot);
    snapshot_add(snapshot,
                 front->dsb_last == NULL ? NOWHERE : (uint64_t)(front->dsb_last - front->dsb));
}

/* A cycle of fetching, as its distance from the front end's clock. */
static void add_fetch(struct snapshot *snapshot, const struct front *front, uint64_t cycle)
{
    snapshot_cycle(snapshot, cycle, front->cycle, FETCH_OVER);
}

static void add_decoders(const struct front *front, struct snapshot *snapshot)
{
    const bool used =
        front->source == SOURCE_MITE || (front->source == SOURCE_MS && front->ms_from_decoders);

    snapshot_add(snapshot, used);
    if (used)
        add_fetch(snapshot, front, front->fetched);
    add_fetch(snapshot, front, front->fetching.of);
    snapshot_add(snapshot, front->block);
    snapshot_add(snapshot, front->line);
    snapshot_add(snapshot, (uint64_t)front->decoded << 32 | (uint64_t)front->lengths << 8 |
                               (uint64_t)front->alone << 1 | front->slow_block);
    for (unsigned i = 1; i <= DECODED_REMEMBERED && i <= front->decoded_count; i++)
        add_fetch(snapshot, front,
                  front->decoded_at[(front->decoded_count - i) % DECODED_REMEMBERED]);
}

static void add_loop(const struct loop *loop, struct snapshot *snapshot)
{
    snapshot_add(snapshot, loop->first);
    snapshot_add(snapshot, loop->last);
    snapshot_add(snapshot, loop->from);
    snapshot_add(snapshot, (uint64_t)loop->slots << 32 | loop->turns);
    snapshot_add(snapshot, (uint64_t)loop->held << 2 | (uint64_t)loop->unfit << 1 | loop->closed);
}

static void add_front(const struct model_parameters *p, const struct front *front, uint64_t now,
                      struct snapshot *snapshot)
{
    snapshot_cycle(snapshot, front->cycle, now, FRONT_OVER);
    snapshot_cycle(snapshot, front->delivered.of, now, FRONT_OVER);
    snapshot_cycle(snapshot, front->delivered.at, now, FRONT_OVER);
    add_due(snapshot, front->fetching.at, now);
    snapshot_add(snapshot, front->window);
    snapshot_add(snapshot, front->page);
    snapshot_add(snapshot, (uint64_t)front->room << 32 | front->source << 2 |
                               (uint64_t)front->redirected << 1 | front->ms_from_decoders);
    snapshot_add(snapshot, front->delays);
    for (unsigned i = 0; i < front->delays; i++) {
        add_due(snapshot, front->delay[i].until, now);
        snapshot_add(snapshot, front->delay[i].node);
    }
    add_decoders(front, snapshot);
    add_loop(&front->loop, snapshot);
    add_dsb(p, front, snapshot);
}

/* --- buffers --- */

/* The last slots, which the queue waits for. */
static void add_slots(const struct uop_queue *queue, uint64_t now, struct snapshot *snapshot)
{
    for (unsigned i = 1; i <= queue->room && i <= queue->slot_count; i++)
        snapshot_cycle(snapshot, queue->slot_allocated[(queue->slot_count - i) % SLOT_RING], now,
                       FRONT_OVER);
}

/* Loads leave their buffer in order, so behind the first one that is free all are. */
static void add_loads(const struct loads *loads, uint64_t now, struct snapshot *snapshot)
{
    for (uint64_t i = 1; i <= loads->count && i <= SLOT_RING; i++) {
        const unsigned at = (unsigned)((loads->count - i) % SLOT_RING);

        if (loads->freed[at] < now)
            break;
        add_due(snapshot, loads->freed[at], now);
        add_due(snapshot, loads->seen[at].done, now);
        snapshot_add(snapshot, loads->seen[at].first);
        snapshot_add(snapshot, loads->seen[at].last);
    }
    snapshot_add(snapshot, NOWHERE);
    snapshot_add(snapshot, loads->count < loads->room);
}

static void add_stores(const struct stores *stores, uint64_t now, struct snapshot *snapshot)
{
    for (uint64_t i = 1; i <= stores->count && i <= SLOT_RING; i++) {
        const unsigned at = (unsigned)((stores->count - i) % SLOT_RING);

        if (stores->freed[at] < now)
            break;
        add_due(snapshot, stores->freed[at], now);
        snapshot_add(snapshot, stores->node[at]);
    }
    snapshot_add(snapshot, NOWHERE);
    snapshot_add(snapshot, stores->count < stores->room);
    snapshot_cycle(snapshot, stores->last_commit, now, FETCH_OVER);
    add_due(snapshot, stores->miss, now);
    add_due(snapshot, stores->addresses_known, now);
    snapshot_add(snapshot, stores->commit_alone);
    snapshot_add(snapshot, stores->last_commit_node);
}

/* A store that is in L1 concerns no load. */
static void add_seen(uint64_t now, const struct store_seen *seen, struct snapshot *snapshot)
{
    if (seen->granule == NOWHERE || seen->commit <= now) {
        snapshot_add(snapshot, 0);
        return;
    }
    snapshot_add(snapshot, seen->address);
    snapshot_add(snapshot, seen->granule);
    snapshot_add(snapshot, (uint64_t)seen->size << 8 | seen->spill);
    add_due(snapshot, seen->known, now);
    add_due(snapshot, seen->data_begun, now);
    add_due(snapshot, seen->commit, now);
    add_due(snapshot, seen->value, now);
}

static void add_stored(const struct stores *stores, uint64_t now, const struct access *access,
                       struct snapshot *snapshot)
{
    const uint64_t last = (access->address + access->size - 1) / 8;

    for (uint64_t granule = access->address / 8; granule <= last; granule++)
        for (unsigned i = 0; i < FORWARD_STORES; i++)
            add_seen(now, &stores->seen[granule % FORWARD_ENTRIES][i], snapshot);
}

/* The stores that loads may meet: all of the period's, which are all that can be under way. */
static void add_forwards(const struct stores *stores, uint64_t now, const struct inputs *inputs,
                         struct snapshot *snapshot)
{
    for (unsigned i = 0; i < inputs->count; i++)
        for (unsigned j = 0; j < inputs_accesses(&inputs->input[i]); j++) {
            const struct access access = inputs_access(inputs, &inputs->input[i], j);

            if (access.write)
                add_stored(stores, now, &access, snapshot);
        }
}

/* --- registers and execution --- */

static void add_registers(const struct renamer *renamer, uint64_t now, struct snapshot *snapshot)
{
    for (unsigned i = 0; i < REG_COUNT; i++)
        add_due(snapshot, renamer->register_ready[i], now);
    snapshot_add(snapshot, renamer->loaded);
    snapshot_add(snapshot, renamer->upper_used);
}

/* `full` and `full_port` say again what coming cycles say; of `binding` and `bound` both count. */
static void add_dispatch(const struct dispatch *dispatch, uint64_t now, struct snapshot *snapshot)
{
    add_due(snapshot, dispatch->divider_free, now);
    for (unsigned i = 0; i < CLASS_COUNT; i++)
        add_due(snapshot, dispatch->unit_free[i], now);
    snapshot_bytes(snapshot, &dispatch->bound, sizeof(dispatch->bound));
    snapshot_bytes(snapshot, &dispatch->binding, sizeof(dispatch->binding));
    snapshot_bytes(snapshot, &dispatch->taken, sizeof(dispatch->taken));
    snapshot_add(snapshot, dispatch->begun_ports);
}

/* What loads meet beside the load buffer. */
static void add_load_paths(const struct loads *loads, struct snapshot *snapshot)
{
    snapshot_bytes(snapshot, loads->passes, sizeof(loads->passes));
    snapshot_add(snapshot, (uint64_t)loads->second_port << 3 | (uint64_t)loads->forwarded << 2 |
                               (uint64_t)loads->passed_wrongly << 1 | loads->snooped);
}

/* --- retirement --- */

static void add_entry(uint64_t now, const struct retiring *entry, struct snapshot *snapshot)
{
    add_due(snapshot, entry->cycle, now);
    snapshot_add(snapshot, entry->from);
    snapshot_add(snapshot, entry->to);
    snapshot_add(snapshot,
                 (uint64_t)entry->flags << 32 | (uint64_t)entry->uops << 16 | entry->heavy);
    snapshot_add(snapshot, (uint64_t)entry->kind << 56 | (uint64_t)entry->level << 48 |
                               (uint64_t)entry->flops << 40 | (uint64_t)entry->late << 32 |
                               (uint64_t)entry->served << 24 | entry->translating);
    add_due(snapshot, entry->translated, now);
    snapshot_cycle(snapshot, entry->complete, now, FRONT_OVER);
    add_due(snapshot, entry->loaded, now);
}

static void add_retirement(const struct retirement *retirement, uint64_t now,
                           struct snapshot *snapshot)
{
    snapshot_add(snapshot, retirement->tail - retirement->head);
    for (uint64_t i = retirement->head; i != retirement->tail; i++)
        add_entry(now, &retirement->retiring[i % RETIRING], snapshot);
    for (uint64_t i = retirement->group_head; i != retirement->group_tail; i++) {
        const struct retire_group *group = &retirement->groups[i % RETIRING];

        add_due(snapshot, group->cycle, now);
        snapshot_add(snapshot, group->end - retirement->tail);
        snapshot_bytes(snapshot, group->sums, sizeof(group->sums));
        snapshot_add(snapshot, group->more);
    }
    snapshot_cycle(snapshot, retirement->last, now, FRONT_OVER);
    snapshot_add(snapshot, retirement->last_used);
}

/* --- instructions --- */

static void add_previous(const struct previous *previous, uint64_t now, struct snapshot *snapshot)
{
    snapshot_add(snapshot,
                 (uint64_t)previous->class << 16 | (uint64_t)previous->fuses << 8 | previous->node);
    snapshot_add(snapshot, previous->rip);
    snapshot_add(snapshot, previous->end);
    snapshot_cycle(snapshot, previous->complete, now, FRONT_OVER);
}

static void add_inputs(struct predictor *predictor, const struct previous *previous,
                       const struct inputs *inputs, struct snapshot *snapshot)
{
    for (unsigned i = 0; i < inputs->count; i++) {
        const struct decoded *decoded = inputs->input[i].decoded;
        const uint64_t rip = decoded->rip;

        if (decoded->fuses_first)
            snapshot_add(snapshot, previous->fused_first[fused_place(rip)]);
        if (decoded->branch)
            predictor_snapshot_branch(predictor, rip, snapshot);
    }
}

static void begin(struct snapshot *snapshot)
{
    snapshot->count = 0;
    snapshot->full = false;
}

void period_sketch(const struct model *model, struct snapshot *snapshot)
{
    begin(snapshot);
    add_cycles(&model->time, model->time.now + SKETCHED, snapshot);
    add_current(&model->time, &model->allocator, &model->window, snapshot);
    snapshot_bytes(snapshot, &model->dispatch.bound, sizeof(model->dispatch.bound));
    snapshot_add(snapshot, model->retirement.last - model->time.now);
    snapshot_cycle(snapshot, model->front.cycle, model->time.now, FRONT_OVER);
}

/* No access to memory and no fetch comes from before this cycle. */
static uint64_t earliest(const struct front *front, uint64_t now)
{
    const uint64_t fetch = front->cycle > FETCH_OVER ? front->cycle - FETCH_OVER : 0;

    return fetch < now ? fetch : now;
}

bool period_snapshot(const struct model *model, const struct inputs *inputs,
                     struct snapshot *snapshot)
{
    begin(snapshot);
    if (model->front.slow_until > earliest(&model->front, model->time.now) ||
        last_named(model) >= model->time.now + HORIZON / 2 ||
        !memory_snapshot(model->memory, earliest(&model->front, model->time.now), snapshot))
        return false;
    predictor_snapshot(model->predictor, inputs->indirect, snapshot);
    snapshot_add(snapshot, last_named(model) - model->time.now);
    add_cycles(&model->time, last_named(model) + 1, snapshot);
    add_current(&model->time, &model->allocator, &model->window, snapshot);
    add_front(model->p, &model->front, model->time.now, snapshot);
    add_slots(&model->queue, model->time.now, snapshot);
    add_loads(&model->loads, model->time.now, snapshot);
    add_stores(&model->stores, model->time.now, snapshot);
    add_forwards(&model->stores, model->time.now, inputs, snapshot);
    add_registers(&model->renamer, model->time.now, snapshot);
    add_dispatch(&model->dispatch, model->time.now, snapshot);
    add_load_paths(&model->loads, snapshot);
    mechanisms_snapshot(model->p, &model->mechanisms, model->time.now, snapshot);
    add_retirement(&model->retirement, model->time.now, snapshot);
    add_previous(&model->previous, model->time.now, snapshot);
    add_inputs(model->predictor, &model->previous, inputs, snapshot);
    return !snapshot->full;
}
