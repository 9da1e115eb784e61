/* The state of a pipeline, unit by unit in the order of cycle/state.h (tests/rig/core/snapshot.sh
 * looks whether a member is forgotten).
 *
 * Left out, by name:
 * - constant while a model skips: sink, decoder, smt, thread, rob, room_slots,
 *   room_uops, at_length, window_shift, fetch_shift, set_mask;
 * - said by other state: translations (a second thread's, and two threads skip nothing), under_way,
 *   full and full_port, full_cycles' from and to, dsb_clock (lines are compared by their order);
 * - of what is sent to the sink, or summed up; it decides no cycle: spans, span, last, older,
 *   coming, span_key, memos, memo, held, held_count, order_slack, order_slack_known, collected,
 *   collected_at, collects, truth, and struct cycle_memo;
 * - there is none while a model skips: access_events, subscriber, subscribed, struct retiring_note;
 *   observed, unobserved, warming, warmed_slots (periods of observed cycles alone are skipped);
 * - of skipping itself: expected, inputs, next, end, period, skipped;
 * - compared byte by byte, as a whole: struct cycle, struct notes, struct going. */
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
    uint64_t last = later(model->last_retire, model->last_commit);

    last = later(last, later(model->store_miss, model->noted_until));
    last = later(last, later(model->divider_free, model->addresses_known));
    last = later(last, later(model->front.delivered.at, model->front.fetching.at));
    for (unsigned i = 0; i < REG_COUNT; i++)
        last = later(last, model->register_ready[i]);
    return later(last, model->now) + 1;
}

static bool is_blank(const struct cycle *cycle)
{
    uint64_t words[2];

    memcpy(words, cycle, sizeof(words));
    return (words[0] | words[1]) == 0;
}

bool period_is_blank_beyond(const struct model *model)
{
    for (uint64_t at = last_named(model) + 1; at < model->now + HORIZON; at++)
        if (!is_blank(&model->ring[at % HORIZON]))
            return false;
    return true;
}

static void add_due(struct snapshot *snapshot, const struct model *model, uint64_t cycle)
{
    snapshot_cycle(snapshot, cycle, model->now, OVER);
}

/* --- coming cycles --- */

static void add_cycles(const struct model *model, uint64_t end, struct snapshot *snapshot)
{
    for (uint64_t at = model->now; at < end; at++) {
        const struct cycle *cycle = &model->ring[at % HORIZON];

        snapshot_bytes(snapshot, cycle, sizeof(*cycle));
        if (cycle->more & MORE_NOTES)
            snapshot_bytes(snapshot, &model->notes[at % HORIZON], sizeof(*model->notes));
    }
}

static void add_current(const struct model *model, struct snapshot *snapshot)
{
    const unsigned values[] = {model->issued,
                               model->wrong,
                               model->wrong_chance,
                               model->wrong_cause,
                               model->wrong_node,
                               model->starved,
                               model->taken_source,
                               model->taken_alone,
                               model->resteering,
                               model->builds,
                               model->pending_clears,
                               model->pending_machine_clears,
                               model->pending_smc,
                               model->pending_ordering,
                               model->pending_disambiguation,
                               model->in_rob,
                               model->in_scheduler,
                               (unsigned)model->dividers};

    snapshot_bytes(snapshot, values, sizeof(values));
    snapshot_bytes(snapshot, model->outstanding, sizeof(model->outstanding));
    snapshot_bytes(snapshot, &model->going, offsetof(struct going, any));
    snapshot_add(snapshot, model->going.any);
    add_due(snapshot, model, model->noted_until);
}

/* --- the front end --- */

/* The lines of a set that are in use, the one used last first. */
static void add_set(const struct model *model, const struct dsb_line *set,
                    struct snapshot *snapshot)
{
    const unsigned ways = model->p->dsb_ways;

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

static void add_dsb(const struct model *model, struct snapshot *snapshot)
{
    const struct front *front = &model->front;

    for (unsigned set = 0; set < front->dsb_sets && model->p->dsb_ways > 0; set++)
        add_set(model, &front->dsb[(size_t)set * model->p->dsb_ways], snapshot);
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

static void add_front(const struct model *model, struct snapshot *snapshot)
{
    const struct front *front = &model->front;

    snapshot_cycle(snapshot, front->cycle, model->now, FRONT_OVER);
    snapshot_cycle(snapshot, front->delivered.of, model->now, FRONT_OVER);
    snapshot_cycle(snapshot, front->delivered.at, model->now, FRONT_OVER);
    add_due(snapshot, model, front->fetching.at);
    snapshot_add(snapshot, front->window);
    snapshot_add(snapshot, front->page);
    snapshot_add(snapshot, (uint64_t)front->room << 32 | front->source << 2 |
                               (uint64_t)front->redirected << 1 | front->ms_from_decoders);
    snapshot_add(snapshot, front->delays);
    for (unsigned i = 0; i < front->delays; i++) {
        add_due(snapshot, model, front->delay[i].until);
        snapshot_add(snapshot, front->delay[i].node);
    }
    add_decoders(front, snapshot);
    add_loop(&front->loop, snapshot);
    add_dsb(model, snapshot);
}

/* --- buffers --- */

/* The last slots, which the queue waits for. */
static void add_slots(const struct model *model, struct snapshot *snapshot)
{
    for (unsigned i = 1; i <= model->idq && i <= model->slot_count; i++)
        snapshot_cycle(snapshot, model->slot_allocated[(model->slot_count - i) % SLOT_RING],
                       model->now, FRONT_OVER);
}

/* Loads leave their buffer in order, so behind the first one that is free all are. */
static void add_loads(const struct model *model, struct snapshot *snapshot)
{
    for (uint64_t i = 1; i <= model->load_count && i <= SLOT_RING; i++) {
        const unsigned at = (unsigned)((model->load_count - i) % SLOT_RING);

        if (model->load_freed[at] < model->now)
            break;
        add_due(snapshot, model, model->load_freed[at]);
        add_due(snapshot, model, model->loads_seen[at].done);
        snapshot_add(snapshot, model->loads_seen[at].first);
        snapshot_add(snapshot, model->loads_seen[at].last);
    }
    snapshot_add(snapshot, NOWHERE);
    snapshot_add(snapshot, model->load_count < model->load_buffer);
}

static void add_stores(const struct model *model, struct snapshot *snapshot)
{
    for (uint64_t i = 1; i <= model->store_count && i <= SLOT_RING; i++) {
        const unsigned at = (unsigned)((model->store_count - i) % SLOT_RING);

        if (model->store_freed[at] < model->now)
            break;
        add_due(snapshot, model, model->store_freed[at]);
        snapshot_add(snapshot, model->store_node[at]);
    }
    snapshot_add(snapshot, NOWHERE);
    snapshot_add(snapshot, model->store_count < model->store_buffer);
    snapshot_cycle(snapshot, model->last_commit, model->now, FETCH_OVER);
    add_due(snapshot, model, model->store_miss);
    add_due(snapshot, model, model->addresses_known);
    snapshot_add(snapshot, model->commit_alone);
    snapshot_add(snapshot, model->last_commit_node);
}

/* A store that is in L1 concerns no load. */
static void add_seen(const struct model *model, const struct store_seen *seen,
                     struct snapshot *snapshot)
{
    if (seen->granule == NOWHERE || seen->commit <= model->now) {
        snapshot_add(snapshot, 0);
        return;
    }
    snapshot_add(snapshot, seen->address);
    snapshot_add(snapshot, seen->granule);
    snapshot_add(snapshot, (uint64_t)seen->size << 8 | seen->spill);
    add_due(snapshot, model, seen->known);
    add_due(snapshot, model, seen->data_begun);
    add_due(snapshot, model, seen->commit);
    add_due(snapshot, model, seen->value);
}

static void add_stored(const struct model *model, const struct access *access,
                       struct snapshot *snapshot)
{
    const uint64_t last = (access->address + access->size - 1) / 8;

    for (uint64_t granule = access->address / 8; granule <= last; granule++)
        for (unsigned i = 0; i < FORWARD_STORES; i++)
            add_seen(model, &model->stores[granule % FORWARD_ENTRIES][i], snapshot);
}

/* The stores that loads may meet: all of the period's, which are all that can be under way. */
static void add_forwards(const struct model *model, const struct inputs *inputs,
                         struct snapshot *snapshot)
{
    for (unsigned i = 0; i < inputs->count; i++)
        for (unsigned j = 0; j < inputs_accesses(&inputs->input[i]); j++) {
            const struct access access = inputs_access(inputs, &inputs->input[i], j);

            if (access.write)
                add_stored(model, &access, snapshot);
        }
}

/* --- registers and execution --- */

/* The loads that have begun, or will. */
static void add_banks(const struct model *model, struct snapshot *snapshot)
{
    for (unsigned i = 0; i < BANK_USES && model->p->l1_banks; i++) {
        const struct bank_use *use = &model->banks[(model->now + i) % BANK_USES];

        if (use->cycle < model->now)
            continue;
        snapshot_add(snapshot, use->cycle - model->now);
        snapshot_add(snapshot, (uint64_t)use->set << 8 | use->bank);
    }
    snapshot_add(snapshot, NOWHERE);
}

/* `full` and `full_port` say again what coming cycles say; of `binding` and `bound` both count. */
static void add_execution(const struct model *model, struct snapshot *snapshot)
{
    for (unsigned i = 0; i < REG_COUNT; i++)
        add_due(snapshot, model, model->register_ready[i]);
    snapshot_add(snapshot, model->loaded);
    snapshot_add(snapshot, model->sharing);
    snapshot_add(snapshot, (uint64_t)model->high_written << 8 | (uint64_t)model->stack_moved << 3 |
                               (uint64_t)model->upper_used << 2 |
                               (uint64_t)model->second_load_port << 1);
    add_due(snapshot, model, model->divider_free);
    for (unsigned i = 0; i < CLASS_COUNT; i++)
        add_due(snapshot, model, model->unit_free[i]);
    snapshot_bytes(snapshot, &model->bound, sizeof(model->bound));
    snapshot_bytes(snapshot, &model->binding, sizeof(model->binding));
    snapshot_bytes(snapshot, &model->taken, sizeof(model->taken));
    snapshot_add(snapshot, model->begun_ports);
    for (unsigned i = 0; i < model->p->split_registers; i++)
        add_due(snapshot, model, model->split_free[i]);
    add_banks(model, snapshot);
    snapshot_bytes(snapshot, model->passes, sizeof(model->passes));
    snapshot_add(snapshot, (uint64_t)model->forwarded << 2 | (uint64_t)model->passed_wrongly << 1 |
                               model->snooped);
    snapshot_add(snapshot, model->add_cycle == model->now ? model->adds + 1u : 0);
}

/* Of the cycle that looked at a move last only how long it is ago, without those cycles that do not
 * count; beyond MOVE_CYCLES all is remembered that ever will be (moves.c). */
static void add_moves(const struct model *model, struct snapshot *snapshot)
{
    const struct moves *moves = &model->moves;
    const uint64_t passed = model->now - moves->cycle - moves->full_cycles;

    if (model->p->move_slots == 0)
        return;
    snapshot_add(snapshot, passed < 2 * MOVE_CYCLES ? passed : 2 * MOVE_CYCLES);
    snapshot_add(snapshot, moves->cycle == model->now);
    snapshot_bytes(snapshot, moves->slot_of, sizeof(moves->slot_of));
    for (unsigned i = 0; i < MOVE_SLOTS; i++) {
        const struct move_slot *slot = &moves->slot[i];

        snapshot_add(snapshot, (uint64_t)slot->registers << 4 | (uint64_t)slot->taken << 3 |
                                   (uint64_t)slot->vector << 2 |
                                   (uint64_t)(slot->single == moves->cycle) << 1 |
                                   (slot->single == model->now));
    }
    snapshot_bytes(snapshot, moves->taken, sizeof(moves->taken));
    snapshot_bytes(snapshot, moves->eliminated, sizeof(moves->eliminated));
    snapshot_bytes(snapshot, moves->held, sizeof(moves->held));
}

/* --- retirement --- */

static void add_entry(const struct model *model, const struct retiring *entry,
                      struct snapshot *snapshot)
{
    add_due(snapshot, model, entry->cycle);
    snapshot_add(snapshot, entry->from);
    snapshot_add(snapshot, entry->to);
    snapshot_add(snapshot,
                 (uint64_t)entry->flags << 32 | (uint64_t)entry->uops << 16 | entry->heavy);
    snapshot_add(snapshot, (uint64_t)entry->kind << 56 | (uint64_t)entry->level << 48 |
                               (uint64_t)entry->flops << 40 | (uint64_t)entry->late << 32 |
                               (uint64_t)entry->served << 24 | entry->translating);
    add_due(snapshot, model, entry->translated);
    snapshot_cycle(snapshot, entry->complete, model->now, FRONT_OVER);
    add_due(snapshot, model, entry->loaded);
}

static void add_retirement(const struct model *model, struct snapshot *snapshot)
{
    snapshot_add(snapshot, model->retire_tail - model->retire_head);
    for (uint64_t i = model->retire_head; i != model->retire_tail; i++)
        add_entry(model, &model->retiring[i % RETIRING], snapshot);
    for (uint64_t i = model->group_head; i != model->group_tail; i++) {
        const struct retire_group *group = &model->groups[i % RETIRING];

        add_due(snapshot, model, group->cycle);
        snapshot_add(snapshot, group->end - model->retire_tail);
        snapshot_bytes(snapshot, group->sums, sizeof(group->sums));
        snapshot_add(snapshot, group->more);
    }
    snapshot_cycle(snapshot, model->last_retire, model->now, FRONT_OVER);
    snapshot_add(snapshot, model->last_retire_used);
}

/* --- instructions --- */

static void add_previous(const struct model *model, struct snapshot *snapshot)
{
    snapshot_add(snapshot, (uint64_t)model->previous_class << 16 |
                               (uint64_t)model->previous_fuses << 8 | model->previous_node);
    snapshot_add(snapshot, model->previous_rip);
    snapshot_add(snapshot, model->previous_end);
    snapshot_cycle(snapshot, model->previous_complete, model->now, FRONT_OVER);
}

static void add_inputs(const struct model *model, const struct inputs *inputs,
                       struct snapshot *snapshot)
{
    for (unsigned i = 0; i < inputs->count; i++) {
        const struct decoded *decoded = inputs->input[i].decoded;
        const uint64_t rip = decoded->rip;

        if (decoded->fuses_first)
            snapshot_add(snapshot, model->fused_first[fused_place(rip)]);
        if (decoded->branch)
            predictor_snapshot_branch(model->predictor, rip, snapshot);
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
    add_cycles(model, model->now + SKETCHED, snapshot);
    add_current(model, snapshot);
    snapshot_bytes(snapshot, &model->bound, sizeof(model->bound));
    snapshot_add(snapshot, model->last_retire - model->now);
    snapshot_cycle(snapshot, model->front.cycle, model->now, FRONT_OVER);
}

/* No access to memory and no fetch comes from before this cycle. */
static uint64_t earliest(const struct model *model)
{
    const uint64_t fetch = model->front.cycle > FETCH_OVER ? model->front.cycle - FETCH_OVER : 0;

    return fetch < model->now ? fetch : model->now;
}

bool period_snapshot(const struct model *model, const struct inputs *inputs,
                     struct snapshot *snapshot)
{
    begin(snapshot);
    if (model->front.slow_until > earliest(model) ||
        last_named(model) >= model->now + HORIZON / 2 ||
        !memory_snapshot(model->memory, earliest(model), snapshot))
        return false;
    predictor_snapshot(model->predictor, inputs->indirect, snapshot);
    snapshot_add(snapshot, last_named(model) - model->now);
    add_cycles(model, last_named(model) + 1, snapshot);
    add_current(model, snapshot);
    add_front(model, snapshot);
    add_slots(model, snapshot);
    add_loads(model, snapshot);
    add_stores(model, snapshot);
    add_forwards(model, inputs, snapshot);
    add_execution(model, snapshot);
    add_moves(model, snapshot);
    add_retirement(model, snapshot);
    add_previous(model, snapshot);
    add_inputs(model, inputs, snapshot);
    return !snapshot->full;
}
