/* How a period is found, and skipped.
 *
 * Watching: every jump back ends a turn. When as many turns as lie between two equal ones have been
 * like those before them, they may be a period; it is taken so many times that it has UNIT_LEAST
 * instructions, which makes a unit. Gathering: the instructions of one unit are kept. Probing: from
 * unit to unit they must be the same, until a sketch of the state at the end of one is like that of
 * an earlier one. Recording: so many units again, of which everything is kept that the model says,
 * and at the end the state must be that of their beginning, word by word. From then on an
 * instruction that is the expected one needs no pipeline: skipping. The pipeline stands still then,
 * in the state at the end of a period, and the clock goes on (model->skipped).
 *
 * With any other instruction, and before anything else is asked of the model, what was skipped is
 * reported and the instructions of the period that is not over are accounted for. So nobody can
 * tell whether cycles were skipped, other than by the host's time. */
#include "period.h"

#include <stdlib.h>

#include "core/cycle/access_events.h"
#include "core/cycle/cycle_memo.h"
#include "core/cycle/spans.h"
#include "account.h"
#include "period_inputs.h"
#include "period_snapshot.h"

#define WATCHED        1024u /* turns */
#define UNIT_LEAST     64u   /* instructions */
#define PROBES         4096u /* units that are looked at */
#define PROBE_PLACES   8192u
#define RECORDS        8u         /* that are tried, */
#define MULTIPLES      8u         /* each for up to so many times what the sketches say, */
#define RECORDED       (1u << 18) /* and for so many instructions */
#define SNAPSHOT_WORDS 65536u
/* Instructions of equal turns before a period is looked for, at first and at most: more after each
 * time that it was not worth it. */
#define PATIENCE_LEAST 200u
#define PATIENCE_MOST  (1u << 20)
#define WORTH          2000u /* instructions skipped */
/* Instructions that are watched before no period is expected soon, and that are not watched after
 * the first time that none was found, and after many times. */
#define WATCH_MOST 4096u
#define REST_LEAST 256u
#define REST_MOST  16384u
#define LOOPS      64u /* that have a patience of their own */
/* Cycles in which the sink must not do more than add up. */
#define QUIET_LEAST (UINT64_C(1) << 20)

enum step { WATCHING, GATHERING, PROBING, RECORDING, SKIPPING };

/* The turns so far, the last WATCHED by number. */
struct watch {
    uint64_t hash;         /* of the current one, up to now */
    unsigned instructions; /* of it */
    uint64_t turn;         /* its number */
    uint64_t hashes[WATCHED];
    uint64_t last[WATCHED]; /* by hash: the number of its last turn */
    unsigned distance;      /* turns from one to the next that is like it; 0: none is known */
    uint64_t alike, alike_instructions; /* since then: all were like the one so far before */
};

/* After an instruction, as distances from the cycle in which the record begins. */
struct said {
    uint32_t now, retired;
};

/* What is known of a loop from before. */
struct known {
    uint64_t head;
    uint32_t patience;
    unsigned units, after; /* of its period, and before the first one; `units` 0: not known */
};

struct period {
    enum step step;
    struct watch watch;
    unsigned watched;          /* instructions since the last rest */
    unsigned rest;             /* instructions that are not watched, */
    unsigned next_rest;        /* and how many will not be the next time; 0: REST_LEAST */
    struct known known[LOOPS]; /* by the loop's head */
    uint64_t head;             /* where the last turn began */
    bool disturbed;            /* another core has changed what the caches hold */
    unsigned turns;            /* of a unit */
    struct inputs inputs;
    unsigned turns_left; /* of this unit, while gathering */
    uint64_t committed;  /* the cycle in which all older stores are */
    unsigned at;         /* instructions of this unit so far */
    unsigned probes;
    uint64_t probe[PROBES];        /* hashes of the sketches at the ends of units, by number; */
    uint16_t probed[PROBE_PLACES]; /* and by hash the number of the last one */
    unsigned records;              /* tried, */
    unsigned waits;                /* and units to wait before the next one */
    unsigned probe_units;          /* between two that ended with the same sketch */
    unsigned units;                /* of a period */
    unsigned unit;                 /* the current one */
    struct snapshot first, last;
    struct said *said;        /* by instruction of the period */
    uint64_t begun;           /* model->now where the record begins */
    uint64_t beyond;          /* memory_beyond there */
    uint64_t cycles;          /* of a period */
    uint64_t quiet;           /* cycles in which the sink only adds up */
    uint64_t times;           /* periods skipped */
    uint64_t skipped;         /* instructions, ever */
    struct model_truth truth; /* of a period */
};

/* --- life --- */

/* Another core is about to change what the caches hold. */
static void on_change(void *context)
{
    struct model *model = context;

    if (model->period->step == SKIPPING)
        period_settle(model);
    model->period->disturbed = true;
}

struct period *period_new(struct model *model)
{
    struct period *period = calloc(1, sizeof(*period));

    if (period == NULL)
        return NULL;
    memory_announce(model->memory, on_change, model);
    return period;
}

void period_free(struct model *model)
{
    struct period *period = model->period;

    if (period == NULL)
        return;
    memory_announce(model->memory, NULL, NULL);
    inputs_free(&period->inputs);
    free(period->first.word);
    free(period->last.word);
    free(period->said);
    free(period);
    model->period = NULL;
}

/* What only a program with periods needs. False: the host's memory ran out. */
static bool has_room(struct period *period)
{
    if (period->said == NULL) {
        period->said = malloc(RECORDED * sizeof(*period->said));
        period->first.word = malloc(SNAPSHOT_WORDS * sizeof(*period->first.word));
        period->last.word = malloc(SNAPSHOT_WORDS * sizeof(*period->last.word));
        period->first.room = period->last.room = SNAPSHOT_WORDS;
    }
    return inputs_new(&period->inputs) && period->said != NULL && period->first.word != NULL &&
           period->last.word != NULL;
}

/* --- watching --- */

static void watch_again(struct period *period)
{
    struct watch *watch = &period->watch;

    period->step = WATCHING;
    watch->hash = 0;
    watch->instructions = 0;
    watch->distance = 0;
    watch->alike = watch->alike_instructions = 0;
}

static uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* What a turn is known by: where it jumps and what it accesses. */
static void watch_instruction(struct watch *watch, const struct executed *executed)
{
    watch->hash = mixed(watch->hash, executed->next);
    for (unsigned i = 0; i < executed->accesses; i++)
        watch->hash = mixed(watch->hash, executed->access[i].address);
}

/* The current turn is over. */
static void watch_turn(struct watch *watch)
{
    const uint64_t hash = watch->hash, turn = watch->turn++;
    uint64_t *last = &watch->last[hash % WATCHED];

    if (watch->distance > 0 && watch->hashes[(turn - watch->distance) % WATCHED] == hash) {
        watch->alike++;
        watch->alike_instructions += watch->instructions;
    } else {
        const bool again = turn - *last < WATCHED && watch->hashes[*last % WATCHED] == hash;

        watch->distance = again ? (unsigned)(turn - *last) : 0;
        watch->alike = watch->alike_instructions = 0;
    }
    watch->hashes[turn % WATCHED] = hash;
    *last = turn;
    watch->hash = 0;
    watch->instructions = 0;
}

/* Of the loop whose turn was the last one. Loops with one place forget each other. */
static struct known *known_of(struct period *period)
{
    struct known *known = &period->known[(period->head ^ period->head >> 6) % LOOPS];

    if (known->head != period->head)
        *known = (struct known){.head = period->head, .patience = PATIENCE_LEAST};
    return known;
}

/* Whether so many turns are one period, and how many turns make a unit. */
static bool finds_unit(struct period *period)
{
    const struct watch *watch = &period->watch;
    uint64_t instructions;

    if (watch->distance == 0 || watch->alike < watch->distance ||
        watch->alike_instructions < known_of(period)->patience)
        return false;
    instructions = watch->alike_instructions * watch->distance / watch->alike;
    period->turns = watch->distance;
    if (instructions < UNIT_LEAST)
        period->turns *= (unsigned)(UNIT_LEAST / (instructions ? instructions : 1) + 1);
    return instructions <= INPUTS_MOST;
}

static uint64_t quiet(const struct model *model)
{
    return model->sink.quiet(model->sink.context);
}

static void begin_gathering(struct model *model, struct period *period)
{
    if (is_subscribed(model) || quiet(model) < QUIET_LEAST || !has_room(period)) {
        watch_again(period);
        return;
    }
    period->step = GATHERING;
    period->turns_left = period->turns;
    period->committed = model->last_commit;
}

/* Code without periods costs little time when most of it is not watched. */
static void take_rest(struct period *period)
{
    period->watched = 0;
    period->rest = period->next_rest > REST_LEAST ? period->next_rest : REST_LEAST;
    period->next_rest = period->rest < REST_MOST ? 2 * period->rest : REST_MOST;
}

/* It was not worth it, or was. */
static void learn(struct period *period, uint64_t skipped)
{
    struct known *known = known_of(period);

    if (skipped >= WORTH) {
        known->patience = PATIENCE_LEAST;
        period->next_rest = period->watched = 0;
        return;
    }
    if (known->patience < PATIENCE_MOST)
        known->patience *= 2;
    take_rest(period);
}

static void give_up(struct period *period)
{
    learn(period, 0);
    watch_again(period);
}

/* --- probing --- */

static uint64_t hash_of(const struct snapshot *snapshot)
{
    uint64_t hash = snapshot->count;

    for (size_t i = 0; i < snapshot->count; i++)
        hash = mixed(hash, snapshot->word[i]);
    return hash;
}

static struct model_truth truth_so_far(const struct model *model)
{
    struct model_truth truth = model->truth;

    cycle_memos_add(model, &truth);
    return truth;
}

/* The state is that in period->first. */
static void begin_recording(struct model *model, struct period *period)
{
    span_flush(model);
    period->disturbed = false;
    if (quiet(model) < QUIET_LEAST || !spans_collect(model)) {
        give_up(period);
        return;
    }
    period->step = RECORDING;
    period->unit = 0;
    period->begun = model->now;
    period->beyond = memory_beyond(model->memory);
    period->truth = truth_so_far(model);
}

/* The distance to the last unit that ended with such a sketch; 0: there is none. */
static unsigned probe_again(struct period *period, uint64_t hash)
{
    const unsigned number = period->probes++;
    uint16_t *place = &period->probed[hash % PROBE_PLACES];
    const unsigned last = *place;

    period->probe[number] = hash;
    *place = (uint16_t)number;
    return last < number && period->probe[last] == hash ? number - last : 0;
}

/* Whether the state at the end of this unit may be that of the beginning of a period: it has come
 * again, or it is where that was so before. */
static bool may_return(struct model *model, struct period *period)
{
    struct known *known = known_of(period);
    unsigned units;

    period_sketch(model, &period->first);
    units = probe_again(period, hash_of(&period->first));
    if (units > 0) {
        known->units = units;
        known->after = period->probes - units;
    } else if (known->units > 0 && period->probes == known->after && period->records == 0) {
        units = known->units;
    }
    if (period->waits > 0)
        period->waits--;
    period->units = period->probe_units = units;
    return units > 0 && period->waits == 0 && period->committed <= model->now;
}

/* At the end of a unit. */
static void probe(struct model *model, struct period *period)
{
    if (period->probes == PROBES) {
        give_up(period);
        return;
    }
    if (!may_return(model, period))
        return;
    if (period->units * period->inputs.count > RECORDED)
        give_up(period);
    else if (period_snapshot(model, &period->inputs, &period->first) &&
             period_is_blank_beyond(model))
        begin_recording(model, period);
}

/* --- gathering --- */

static void gather(struct model *model, struct period *period, const struct executed *executed)
{
    if (!inputs_add(&period->inputs, executed)) {
        give_up(period);
        return;
    }
    if (executed->next > executed->rip || --period->turns_left > 0)
        return;
    period->step = PROBING;
    period->at = 0;
    period->probes = period->records = period->waits = 0;
    probe(model, period);
}

/* --- recording --- */

static void stop_collecting(struct model *model)
{
    span_flush(model);
    spans_deliver(model, 1);
}

/* The words of a truth, all of which are sums. */
#define TRUTH_WORDS (sizeof(struct model_truth) / sizeof(uint64_t))

static void truth_add(struct model_truth *truth, const struct model_truth *more, uint64_t times)
{
    uint64_t sum[TRUTH_WORDS], word[TRUTH_WORDS];

    memcpy(sum, truth, sizeof(sum));
    memcpy(word, more, sizeof(word));
    for (unsigned i = 0; i < TRUTH_WORDS; i++)
        sum[i] += word[i] * times;
    memcpy(truth, sum, sizeof(sum));
}

/* The state was not what its sketch said, or something disturbed the record. What changes more
 * slowly than the sketch has twice the time before the next record. */
static void probe_on(struct period *period)
{
    if (++period->records == RECORDS) {
        give_up(period);
        return;
    }
    period->step = PROBING;
    period->waits = 1u << period->records;
}

/* The first instruction of a unit is expected. */
static void begin_unit(struct model *model, unsigned unit)
{
    const struct inputs *inputs = &model->period->inputs;

    model->period->unit = unit;
    model->expected.next = inputs->input;
    model->expected.end = inputs->input + inputs->count;
}

/* Whether nothing but the period's instructions had to do with what the record holds. */
static bool is_sound(const struct model *model, const struct period *period)
{
    return model->collects && !period->disturbed && period->cycles > 0 &&
           memory_beyond(model->memory) == period->beyond &&
           period->quiet >= QUIET_LEAST + 2 * period->cycles;
}

/* Whether the state is that of the beginning of the record. */
static bool has_returned(const struct model *model, struct period *period)
{
    return period_snapshot(model, &period->inputs, &period->last) &&
           snapshot_equal(&period->first, &period->last) && period_is_blank_beyond(model);
}

/* The record goes on, as far as it may, to a state that is like the first one in more than its
 * sketch. False: it may not. */
static bool records_on(struct period *period)
{
    period->units += period->probe_units;
    return period->units <= MULTIPLES * period->probe_units &&
           period->units * period->inputs.count <= RECORDED;
}

/* At the end of the last unit of the record. */
static void end_recording(struct model *model, struct period *period)
{
    struct model_truth before = period->truth;

    span_flush(model);
    period->cycles = model->now - period->begun;
    period->quiet = quiet(model);
    if (!is_sound(model, period) || !has_returned(model, period)) {
        if (is_sound(model, period) && records_on(period))
            return;
        stop_collecting(model);
        probe_on(period);
        return;
    }
    period->truth = truth_so_far(model);
    truth_add(&period->truth, &before, UINT64_MAX);
    period->quiet -= QUIET_LEAST + 2 * period->cycles;
    period->times = 0;
    period->step = SKIPPING;
    model->expected.inputs = &period->inputs;
    begin_unit(model, 0);
}

static void say(const struct model *model, struct period *period)
{
    struct said *said = &period->said[period->unit * period->inputs.count + period->at];
    const uint64_t retired = model->retiring[(model->retire_tail - 1) % RETIRING].cycle;

    said->now = (uint32_t)(model->now - period->begun);
    said->retired = (uint32_t)(retired - period->begun);
}

/* One more instruction, which was accounted for, of a unit that must be the one that was gathered.
 */
static void follow(struct model *model, struct period *period, const struct executed *executed)
{
    if (!inputs_match(&period->inputs, &period->inputs.input[period->at], executed)) {
        if (period->step == RECORDING)
            stop_collecting(model);
        give_up(period);
        return;
    }
    if (period->step == RECORDING)
        say(model, period);
    if (++period->at < period->inputs.count)
        return;
    period->at = 0;
    if (period->step == PROBING)
        probe(model, period);
    else if (++period->unit == period->units)
        end_recording(model, period);
}

/* --- skipping --- */

/* Instructions of the period that is not over. */
static unsigned over(const struct model *model)
{
    const struct period *period = model->period;

    return period->unit * period->inputs.count +
           (unsigned)(model->expected.next - period->inputs.input);
}

/* Accounts for the instructions of the period that is not over. */
static void account_again(struct model *model, struct period *period, unsigned count)
{
    struct executed executed;
    const struct decoded *kept;

    for (unsigned i = 0; i < count; i++) {
        inputs_get(&period->inputs, i % period->inputs.count, &executed, &kept);
        account(model, &executed);
    }
}

static void stop_skipping(struct model *model, struct period *period)
{
    const uint64_t skipped = period->times * period->units * period->inputs.count;
    const unsigned count = over(model);

    watch_again(period);
    model->expected.next = NULL;
    spans_deliver(model, 1 + period->times);
    truth_add(&model->truth, &period->truth, period->times);
    model->order_slack_known = false;
    model->skipped += period->times * period->cycles;
    memory_skips(model->memory, model->skipped);
    period->skipped += skipped;
    account_again(model, period, count);
    learn(period, skipped);
}

void period_unit_ends(struct model *model)
{
    struct period *period = model->period;

    if (period->unit + 1 < period->units) {
        begin_unit(model, period->unit + 1);
        return;
    }
    period->times++;
    begin_unit(model, 0);
    if (period->times * period->cycles > period->quiet)
        stop_skipping(model, period);
}

void period_settle(struct model *model)
{
    struct period *period = model->period;

    if (period == NULL || period->step == WATCHING)
        return;
    if (period->step == SKIPPING) {
        stop_skipping(model, period);
        return;
    }
    if (period->step == RECORDING)
        stop_collecting(model);
    watch_again(period);
}

uint64_t period_ahead(const struct model *model)
{
    const struct period *period = model->period;
    unsigned said;

    if (period == NULL || period->step != SKIPPING)
        return model->skipped;
    said = over(model);
    return model->skipped + period->times * period->cycles +
           (said > 0 ? period->said[said - 1].now : 0);
}

uint64_t period_retired(const struct model *model)
{
    const struct period *period = model->period;
    unsigned said;

    if (period == NULL || period->step != SKIPPING)
        return model->retiring[(model->retire_tail - 1) % RETIRING].cycle + model->skipped;
    said = over(model);
    if (said == 0)
        return model->retiring[(model->retire_tail - 1) % RETIRING].cycle + model->skipped +
               period->times * period->cycles;
    return model->now + model->skipped + period->times * period->cycles +
           period->said[said - 1].retired;
}

uint64_t period_skipped(const struct model *model)
{
    return model->period != NULL ? model->period->skipped : 0;
}

/* --- the way of an instruction --- */

static void watch(struct model *model, struct period *period, const struct executed *executed)
{
    struct watch *watch = &period->watch;

    if (period->rest > 0) {
        period->rest--;
        return;
    }
    watch->instructions++;
    if (++period->watched > WATCH_MOST && watch->alike_instructions < period->watched / 8) {
        watch_again(period);
        take_rest(period);
        return;
    }
    if (executed->accesses == 0 && executed->next == executed->rip + executed->length)
        return;
    watch_instruction(watch, executed);
    if (executed->next > executed->rip)
        return;
    watch_turn(watch);
    period->head = executed->next;
    if (finds_unit(period))
        begin_gathering(model, period);
}

void period_execute(struct model *model, const struct executed *executed)
{
    struct period *period = model->period;

    if (period->step == SKIPPING)
        stop_skipping(model, period);
    account(model, executed);
    if (period->step == WATCHING)
        watch(model, period, executed);
    else if (period->step == GATHERING)
        gather(model, period, executed);
    else
        follow(model, period, executed);
}
