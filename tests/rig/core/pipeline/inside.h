/* What the files of the core model, model*.c, ask of each other. What they work on is in
 * model_state.h. */
#ifndef RIG_MODEL_INSIDE_H
#define RIG_MODEL_INSIDE_H

#include "state.h"

static inline uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* For conditions that the host's compiler should not lay its code out for. */
static inline bool rarely(bool condition)
{
    return __builtin_expect(condition, false);
}

/* Cycles of a core that two threads share are taken from its ledger, and reach the sink when both
 * threads are past them. */
static inline bool is_shared(const struct model *model)
{
    return rarely(model->smt != NULL && model->smt->sharing);
}

/* Whether nobody would see what cycles are like: instructions need not go through the pipeline. */
static inline bool is_unobserved(const struct model *model)
{
    return model->observed != NULL && !*model->observed && !model->subscribed && model->smt == NULL;
}

/* model.c */
/* Accounts for one instruction now. */
void model_account(struct model *model, const struct executed *executed);
RIG_RARE const struct decoded *model_decode_anew(struct model *model,
                                                 const struct executed *executed);
static inline const struct decoded *model_decode(struct model *model,
                                                 const struct executed *executed)
{
    const struct decoded *decoded = executed->kept != NULL ? *executed->kept : NULL;

    return decoded != NULL && decoded_is(decoded, executed->rip, executed->bytes)
               ? decoded
               : model_decode_anew(model, executed);
}
/* What the next instruction has to know of this one, which ends before `end`. */
static inline void model_remember(struct model *model, const struct decoded *decoded, uint64_t end,
                                  uint64_t complete)
{
    model->previous_fuses = decoded->fuses_first;
    model->previous_class = decoded->fuse_class;
    model->previous_rip = decoded->rip;
    model->previous_end = end;
    model->previous_complete = complete;
}
/* Whether it is the second of a pair that the decoders fuse. */
bool model_fuses(const struct model *model, const struct decoded *decoded,
                 const struct executed *executed);
/* Whether it stored into code that was fetched, which the caches then forget. */
bool model_wrote_code(struct model *model, const struct executed *executed);
/* Every cycle up to the end of what is in flight is over. */
void settle(struct model *model);

/* functional_warming.c */
/* Instructions that nobody looks at: the first comes after pass_begin, after the last comes
 * pass_end.
 */
RIG_RARE void pass_begin(struct model *model);
__attribute__((noinline)) void functional_warming(struct model *model,
                                                  const struct executed *executed);
RIG_RARE void pass_end(struct model *model);

/* model_cycles.c */
static inline struct cycle *cycle_at(struct model *model, uint64_t cycle)
{
    return &model->ring[cycle % HORIZON];
}
/* Ends the current allocator cycle, its free slots idle for that reason, and goes to the next. */
void cycle_finish(struct model *model, enum idle why);
/* Ends cycles until `now` is `cycle`. */
void cycle_wait(struct model *model, uint64_t cycle, enum idle why);

/* model_signals.c */
static inline unsigned idle_slots(const struct model *model)
{
    return model->p->width - model->issued - model->wrong;
}

/* Of a cycle whose slots the front end left empty, all or some. */
static inline bool front_waits_for_sequencer(const struct model *model)
{
    return idle_slots(model) == model->p->width ? model->starved == NODE_MS_SWITCHES
                                                : model->taken_source == SOURCE_MS;
}
/* The signals of the cycle that ends but for what retires and what slots were left empty; those, of
 * which `memory` left them, when what retires is noted. */
void signals_begin(struct model *model, const struct cycle *cycle, enum idle why,
                   struct span *span);
void signals_idle(struct model *model, enum idle why, bool memory, struct span *span);

/* model_spans.c */
/* All cycles that are over are sent. */
void span_flush(struct model *model);
/* The cycle in model->coming becomes the last span. `key`: of its quiet state, or 0. */
void span_join(struct model *model, unsigned key);
/* The same of a cycle that is like one before it. */
void span_repeat(struct model *model, struct cycle_memo *memo, unsigned key);
/* So many cycles pass: whether their spans may come in any order. */
bool span_any_order(struct model *model, uint64_t cycles);

/* model_retire.c */
/* Everything that retires in the cycle that ends. */
void cycle_retire(struct model *model, struct span *span);

/* The entry at retire_tail is complete. */
void retire_push(struct model *model);
/* The same of one whose sum is known: it is told by sums[0] alone. */
static inline void retire_push_sum(struct model *model, uint64_t cycle, uint64_t sum)
{
    struct retire_group *group = &model->groups[(model->group_tail - 1) % RETIRING];

    if (model->group_tail == model->group_head || group->cycle != cycle) {
        group = &model->groups[model->group_tail++ % RETIRING];
        *group = (struct retire_group){.cycle = cycle};
    }
    group->end = ++model->retire_tail;
    group->sums[0] += sum;
}
/* Those that retire in the cycle that ends; NULL: none. */
static inline const struct retire_group *retire_due(const struct model *model)
{
    const struct retire_group *group = &model->groups[model->group_head % RETIRING];

    return model->group_head != model->group_tail && group->cycle <= model->now ? group : NULL;
}
/* They retire; what the sums tell is in the span already. */
void retire_group(struct model *model, const struct retire_group *group);
#define RETIRE_SUM_ONE(byte) (1ull << 8 * (byte))
#define RETIRE_SUM_UOPS      1 /* bytes of sums[0]; byte 0: instructions */
#define RETIRE_SUM_NOPS      3

/* cycle_memo.c */
/* The place for a cycle with that key, which may hold another one. */
struct cycle_memo *cycle_memo_at(struct model *model, const uint64_t *key);
static inline bool cycle_memo_is(const struct cycle_memo *memo, const uint64_t *key)
{
    /* One after the other: a host waits long for words that were just written one by one and are
     * read several at a time. */
    for (unsigned i = 0; i < SHAPE_WORDS; i++)
        if (memo->key[i] != key[i])
            return false;
    return true;
}
/* The shape of the cycle that ends, or NULL. Most often it is the one that came next the last time
 * too. */
static inline struct cycle_memo *cycle_memo_find(struct model *model, const uint64_t *key)
{
    struct cycle_memo *memo = model->memo->next;

    if (memo == NULL || !cycle_memo_is(memo, key)) {
        memo = cycle_memo_at(model, key);
        if (!cycle_memo_is(memo, key))
            return NULL;
        model->memo->next = memo;
    }
    model->memo = memo;
    return memo;
}
/* Keeps what a cycle with that key was like. What its place held is sent and accounted for. */
void cycle_memo_keep(struct model *model, const uint64_t *key, const struct span *span,
                     enum cycle_kind kind);
/* What the repeated cycles add to the truth. */
void cycle_memos_add(const struct model *model, struct model_truth *truth);
void cycle_memos_forget(struct model *model);

static inline void charge(struct model *model, enum truth_node node, uint64_t slots)
{
    model->truth.exact[node] += slots;
}

static inline bool idle_for_stores(enum idle why)
{
    return why == IDLE_STORES || why == IDLE_LOCK || why == IDLE_DRAIN;
}

/* model_notes.c */
/* What a load or a store that reached its line so means for the cycles to come. */
void notes_load(struct model *model, uint64_t begun, bool locked, const struct reach *reach);
void notes_store(struct model *model, uint64_t begun, const struct reach *reach);
void notes_store_walk(struct model *model, uint64_t walked);
/* A line of L1 is locked from `begun` until `unlocked`. */
void notes_lock(struct model *model, uint64_t begun, uint64_t unlocked);
void notes_x87(struct model *model, uint64_t begun);
void notes_division(struct model *model, uint64_t begun);
void notes_blend(struct model *model); /* in this cycle */
/* What the memory asked for beyond L2 since the last call. */
void notes_line_reads(struct model *model);
/* What the instruction means for the upper halves; true when it is one that takes a blend. */
static inline bool upper_note(struct model *model, const struct decoded *decoded)
{
    if (decoded->upper == UPPER_KEPT)
        return model->upper_used && model->p->blends_upper;
    model->upper_used = decoded->upper == UPPER_USED;
    return false;
}
/* The signals of those notes in the cycle that ends. */
void notes_finish(struct model *model, const struct cycle *cycle, uint16_t *value);
/* Cycles before that one pass without being told. */
void notes_skip(struct model *model, uint64_t cycle);
/* The signals of an instruction with flops or RETIRE_NOTED. */
void notes_retire(const struct retiring *entry, uint16_t *value);

/* model_cause.c */
/* Whether memory is why the back end refuses slots in a cycle in which so many uops began. */
bool back_waits_for_memory(const struct model *model, enum idle why, unsigned executed);
/* The node that such slots are charged to; `memory`: what that said. */
enum truth_node back_node(const struct model *model, enum idle why, unsigned executed, bool memory);
/* Cycles that are over: each began so many uops. Gives the kind that they are of. */
enum cycle_kind truth_cycles(struct model *model, enum idle why, unsigned executed,
                             uint64_t cycles);
/* The node of slots that the front end left empty in a cycle, all of them or some. */
enum truth_node front_node(const struct model *model, bool all);
/* What the commit of a store waits for last: its line (`reach`), the store before it, which lets it
 * commit at `drained`, or its retirement. NODE_NONE: its retirement. */
enum truth_node commit_node(const struct model *model, const struct reach *reach, uint64_t drained,
                            uint64_t retired, bool split);

/* model_subscribe.c */
static inline bool subscribed(const struct model *model) /* else none of the others is called */
{
    return rarely(model->subscribed);
}
/* The instruction at retire_tail begins; its fetch, loads and stores as they go; the entry retires.
 */
RIG_RARE void access_events_begin(struct model *model);
RIG_RARE void access_event_load(struct model *model, const struct access *access, uint32_t flags,
                                uint64_t begun, const struct reach *reach); /* enum retire_flag */
RIG_RARE void access_event_store(struct model *model, const struct access *access, bool locked,
                                 bool walked, enum level level);
RIG_RARE void access_event_fetch(struct model *model,
                                 const struct reach *reach); /* NULL: by the decoders */
RIG_RARE void access_event_retired(struct model *model, uint64_t entry);

/* model_front.c */
bool front_start(struct model *model);
void front_free(struct model *model);
/* The uop cache loses what it has and is shared out among so many threads. */
void front_divide(struct model *model, unsigned threads);
/* Where the instruction's slots come from; call before its first front_slot. */
void front_begin(struct model *model, const struct decoded *decoded);
/* The cycle in which the next slot of this instruction is in the queue. `first` marks its first
 * slot. */
uint64_t front_slot(struct model *model, const struct decoded *decoded, bool first);
/* For an instruction that nobody looks at: the uop cache, the instruction cache and its TLB learn
 * of it. Gives the cycles that fetch waits. */
uint64_t front_pass(struct model *model, const struct decoded *decoded);
/* What comes next is fetched elsewhere. */
void front_pass_redirect(struct model *model);
/* The sequencer is entered for what is no instruction. */
void front_assist(struct model *model);
/* After a branch: taken ends the fetch block; unknown costs a resteer. */
void front_branch(struct model *model, bool taken, bool unknown);
/* Nothing reaches the queue before `cycle`, fetch starts anew. */
void front_restart(struct model *model, uint64_t cycle);
/* Cycles before `until` that stay empty do so for that reason, but for those with an earlier one.
 */
void front_late(struct model *model, uint64_t until, enum truth_node node);
/* Drops uops of the 64-byte line from the uop cache; true when there were any. */
bool front_drop_line(struct model *model, uint64_t address);

/* Whether the instruction is in the line of the uop cache that the last one came from. */
static inline bool front_goes_on(const struct model *model, const struct decoded *decoded)
{
    const struct front *front = &model->front;
    const struct dsb_line *line = front->dsb_last;
    const uint64_t rip = decoded->rip;

    return front->source == SOURCE_DSB && line != NULL && model->p->loop_uops == 0 &&
           rip >> 12 == front->page && line->window == rip >> front->window_shift &&
           line->starts >> (rip & ((1u << front->window_shift) - 1)) & 1;
}
/* The ring cycle for something the front end does in `at`: never before the allocator's cycle,
 * which is final, and things of different cycles stay in different cycles. */
static inline struct cycle *front_note(struct model *model, uint64_t at)
{
    struct front *front = &model->front;

    if (at != front->noted_for) {
        front->noted_for = at;
        front->noted++;
    }
    if (front->noted < at)
        front->noted = at;
    if (front->noted < model->now)
        front->noted = model->now;
    return cycle_at(model, front->noted);
}
/* The first cycle in which the queue has room for the next slot. */
static inline uint64_t front_behind(const struct model *model)
{
    return model->slot_count < model->idq
               ? 0
               : model->slot_allocated[(model->slot_count - model->idq) % SLOT_RING];
}

/* model_loop.c */
/* At the start of each instruction: true when the loop buffer delivers it. */
bool loop_begin(struct model *model, const struct decoded *decoded);
/* A branch at `rip` was taken. */
void loop_taken(struct model *model, uint64_t rip);
/* The front end was sent elsewhere: the loop is over. */
void loop_end(struct model *model);

/* model_back.c */
/* The instruction at this address turned out to be the first of a fused pair. */
void fused_remember(struct model *model, uint64_t rip);
/* Takes an instruction through allocation, execution and retirement; `retiring` is the entry at
 * retire_tail and is pushed. Returns the cycle in which its last uop completed. */
uint64_t back_execute(struct model *model, const struct decoded *decoded,
                      const struct executed *executed, struct retiring *retiring, bool fused);
/* Everything younger than what was allocated is on the wrong path until `resolved`; then recovery,
 * then refill. */
void back_clear(struct model *model, uint64_t resolved, enum clear clear);
/* The instruction that was executed last needs the microcode's help: all that is younger goes, and
 * the sequencer's uops retire. */
RIG_RARE void back_assist(struct model *model);

/* model_plain.c */
/* Takes an instruction all the way that decoded->plain says is plain, when it met nothing that is
 * not; false: nothing was done. */
bool model_plain(struct model *model, const struct decoded *decoded,
                 const struct executed *executed);

/* model_order.c */
/* A load by the instruction at `rip`, which may be locked, that could begin at `cycle`: from an
 * older store or from memory. What it met is added to *flags (enum retire_flag). */
struct reach order_load(struct model *model, uint64_t rip, const struct access *access, bool locked,
                        uint64_t cycle, uint32_t *flags);
/* A store for the loads after it; address, granule and size of `store` are filled in. */
void order_store(struct model *model, const struct access *access, const struct store_seen *store);
/* Another core wrote to the line: a load of it that is done and has not retired must be made again.
 * That core may be up to a turn of the machine ahead or behind; the pipeline is looked at as it
 * stands. */
void order_snoop(struct model *model, uint64_t line);

#endif
