/* How a period is found, and skipped.
 *
 * Watching (period_watch.h): some turns of a loop may be a period; they make a unit. Gathering: the
 * instructions of one unit are kept. Probing: from unit to unit they must be the same, until a
 * sketch of the state at the end of one is like that of an earlier one. Recording: so many units
 * again, of which everything is kept that the model says, and at the end the state must be that of
 * their beginning, word by word. From then on an instruction that is the expected one needs no
 * pipeline: skipping. The pipeline stands still then, in the state at the end of a period, and the
 * clock goes on (skipping.skipped).
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
#include "period_watch.h"

#define PROBES         4096u /* units that are looked at */
#define PROBE_PLACES   8192u
#define RECORDS        8u         /* that are tried, */
#define MULTIPLES      8u         /* each for up to so many times what the sketches say, */
#define RECORDED       (1u << 18) /* and for so many instructions */
#define SNAPSHOT_WORDS 65536u
/* Cycles in which the sink must not do more than add up. */
#define QUIET_LEAST (UINT64_C(1) << 20)

enum step { WATCHING, GATHERING, PROBING, RECORDING, SKIPPING };

/* After an instruction, as distances from the cycle in which the record begins. */
struct said {
    uint32_t now, retired;
};

struct period {
    enum step step;
    struct watch watch;
    bool disturbed; /* another core has changed what the caches hold */
    unsigned turns; /* of a unit */
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

    if (model->skipping.period->step == SKIPPING)
        period_settle(model);
    model->skipping.period->disturbed = true;
}

struct period *period_new(struct model *model)
{
    struct period *period = calloc(1, sizeof(*period));

    if (period == NULL)
        return NULL;
    memory_announce(model->memory, on_change, model);
    return period;
}

void period_free(struct memory_hierarchy *memory, struct skipping *skipping)
{
    struct period *period = skipping->period;

    if (period == NULL)
        return;
    memory_announce(memory, NULL, NULL);
    inputs_free(&period->inputs);
    free(period->first.word);
    free(period->last.word);
    free(period->said);
    free(period);
    skipping->period = NULL;
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
    period->step = WATCHING;
    watch_begin(&period->watch);
}

static uint64_t quiet(const struct output *output)
{
    return output->sink.quiet(output->sink.context);
}

static void begin_gathering(const struct stores *stores, const struct output *output,
                            const struct access_events *events, struct period *period)
{
    if (is_subscribed(events) || quiet(output) < QUIET_LEAST || !has_room(period)) {
        watch_again(period);
        return;
    }
    period->step = GATHERING;
    period->turns_left = period->turns;
    period->committed = stores->last_commit;
}

static void give_up(struct period *period)
{
    watch_learn(&period->watch, 0);
    watch_again(period);
}

/* --- probing --- */

static uint64_t hash_of(const struct snapshot *snapshot)
{
    uint64_t hash = snapshot->count;

    for (size_t i = 0; i < snapshot->count; i++)
        hash = hash_mix(hash, snapshot->word[i]);
    return hash;
}

static struct model_truth truth_so_far(const struct model *model)
{
    struct model_truth truth = model->truth;

    cycle_memos_add(&model->output, &truth);
    return truth;
}

/* The state is that in period->first. */
static void begin_recording(struct model *model, struct period *period)
{
    span_flush(&model->output);
    period->disturbed = false;
    if (quiet(&model->output) < QUIET_LEAST || !spans_collect(&model->output)) {
        give_up(period);
        return;
    }
    period->step = RECORDING;
    period->unit = 0;
    period->begun = model->time.now;
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
    struct known *known = watch_known(&period->watch);
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
    return units > 0 && period->waits == 0 && period->committed <= model->time.now;
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

static void stop_collecting(struct output *output)
{
    span_flush(output);
    spans_deliver(output, 1);
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
static void begin_unit(struct skipping *skipping, unsigned unit)
{
    const struct inputs *inputs = &skipping->period->inputs;

    skipping->period->unit = unit;
    skipping->expected.next = inputs->input;
    skipping->expected.end = inputs->input + inputs->count;
}

/* Whether nothing but the period's instructions had to do with what the record holds. */
static bool is_sound(struct memory_hierarchy *memory, const struct output *output,
                     const struct period *period)
{
    return output->collects && !period->disturbed && period->cycles > 0 &&
           memory_beyond(memory) == period->beyond &&
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

    span_flush(&model->output);
    period->cycles = model->time.now - period->begun;
    period->quiet = quiet(&model->output);
    if (!is_sound(model->memory, &model->output, period) || !has_returned(model, period)) {
        if (is_sound(model->memory, &model->output, period) && records_on(period))
            return;
        stop_collecting(&model->output);
        probe_on(period);
        return;
    }
    period->truth = truth_so_far(model);
    truth_add(&period->truth, &before, UINT64_MAX);
    period->quiet -= QUIET_LEAST + 2 * period->cycles;
    period->times = 0;
    period->step = SKIPPING;
    model->skipping.expected.inputs = &period->inputs;
    begin_unit(&model->skipping, 0);
}

static void say(const struct retirement *retirement, uint64_t now, struct period *period)
{
    struct said *said = &period->said[period->unit * period->inputs.count + period->at];
    const uint64_t retired = retirement->retiring[(retirement->tail - 1) % RETIRING].cycle;

    said->now = (uint32_t)(now - period->begun);
    said->retired = (uint32_t)(retired - period->begun);
}

/* One more instruction, which was accounted for, of a unit that must be the one that was gathered.
 */
static void follow(struct model *model, struct period *period, const struct executed *executed)
{
    if (!inputs_match(&period->inputs, &period->inputs.input[period->at], executed)) {
        if (period->step == RECORDING)
            stop_collecting(&model->output);
        give_up(period);
        return;
    }
    if (period->step == RECORDING)
        say(&model->retirement, model->time.now, period);
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
static unsigned over(const struct skipping *skipping)
{
    const struct period *period = skipping->period;

    return period->unit * period->inputs.count +
           (unsigned)(skipping->expected.next - period->inputs.input);
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
    const unsigned count = over(&model->skipping);

    watch_again(period);
    model->skipping.expected.next = NULL;
    spans_deliver(&model->output, 1 + period->times);
    truth_add(&model->truth, &period->truth, period->times);
    model->output.order_slack_known = false;
    model->skipping.skipped += period->times * period->cycles;
    memory_skips(model->memory, model->skipping.skipped);
    period->skipped += skipped;
    account_again(model, period, count);
    watch_learn(&period->watch, skipped);
}

void period_unit_ends(struct model *model)
{
    struct period *period = model->skipping.period;

    if (period->unit + 1 < period->units) {
        begin_unit(&model->skipping, period->unit + 1);
        return;
    }
    period->times++;
    begin_unit(&model->skipping, 0);
    if (period->times * period->cycles > period->quiet)
        stop_skipping(model, period);
}

void period_settle(struct model *model)
{
    struct period *period = model->skipping.period;

    if (period == NULL || period->step == WATCHING)
        return;
    if (period->step == SKIPPING) {
        stop_skipping(model, period);
        return;
    }
    if (period->step == RECORDING)
        stop_collecting(&model->output);
    watch_again(period);
}

uint64_t period_ahead(const struct skipping *skipping)
{
    const struct period *period = skipping->period;
    unsigned said;

    if (period == NULL || period->step != SKIPPING)
        return skipping->skipped;
    said = over(skipping);
    return skipping->skipped + period->times * period->cycles +
           (said > 0 ? period->said[said - 1].now : 0);
}

uint64_t period_retired(const struct retirement *retirement, const struct skipping *skipping,
                        uint64_t now)
{
    const struct period *period = skipping->period;
    unsigned said;

    if (period == NULL || period->step != SKIPPING)
        return retirement->retiring[(retirement->tail - 1) % RETIRING].cycle + skipping->skipped;
    said = over(skipping);
    if (said == 0)
        return retirement->retiring[(retirement->tail - 1) % RETIRING].cycle + skipping->skipped +
               period->times * period->cycles;
    return now + skipping->skipped + period->times * period->cycles +
           period->said[said - 1].retired;
}

uint64_t period_skipped(const struct skipping *skipping)
{
    return skipping->period != NULL ? skipping->period->skipped : 0;
}

/* --- the way of an instruction --- */

static void watch(const struct stores *stores, const struct output *output,
                  const struct access_events *events, struct period *period,
                  const struct executed *executed)
{
    const unsigned turns = watch_turns(&period->watch, executed);

    if (turns == 0)
        return;
    period->turns = turns;
    begin_gathering(stores, output, events, period);
}

void period_execute(struct model *model, const struct executed *executed)
{
    struct period *period = model->skipping.period;

    if (period->step == SKIPPING)
        stop_skipping(model, period);
    account(model, executed);
    if (period->step == WATCHING)
        watch(&model->stores, &model->output, &model->events, period, executed);
    else if (period->step == GATHERING)
        gather(model, period, executed);
    else
        follow(model, period, executed);
}
