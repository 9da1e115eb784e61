#include "pebs_tally.h"

#include "boot/text.h"

/* One record, as far as it is understood. */
struct sample {
    const struct pebs_window *window;
    struct pebs_record record;
    unsigned cause; /* index of the instruction; causes->count: outside the loop */
};

static bool is_cause(const struct kernel_cause *cause, enum pebs_use use)
{
    if (use == PEBS_INSTRUCTIONS)
        return true;
    return cause->flags & (use == PEBS_TAKEN ? CAUSE_BRANCH : CAUSE_LOAD);
}

unsigned pebs_tally_causes(const struct kernel_causes *causes, enum pebs_use use)
{
    unsigned count = 0;

    for (unsigned i = 0; i < causes->count; i++)
        count += is_cause(&causes->causes[i], use);
    return count;
}

static uint64_t address_of(const void *place)
{
    return (uint64_t)(uintptr_t)place;
}

static const struct kernel_cause *next_of(const struct kernel_causes *causes, unsigned index)
{
    return &causes->causes[index + 1 < causes->count ? index + 1 : 0];
}

/* Where the instruction goes on: each place of the loop is reached from one instruction of it. */
static uint64_t successor(const struct kernel_causes *causes, unsigned index)
{
    const void *to = causes->causes[index].to;

    return address_of(to != NULL ? to : next_of(causes, index)->at);
}

/* By the address of the instruction; where the format has none, by that of the next one. */
static unsigned cause_of(const struct pebs_window *window, const struct pebs_record *record)
{
    const struct kernel_causes *causes = window->causes;
    const bool eventing = pebs_has(record, PEBS_EVENTING_IP);
    const uint64_t ip = record->field[eventing ? PEBS_EVENTING_IP : PEBS_RIP];
    unsigned i = 0;

    while (i < causes->count &&
           ip != (eventing || !window->plan->trap ? address_of(causes->causes[i].at)
                                                  : successor(causes, i)))
        i++;
    return i;
}

static uint64_t address_in(const struct pebs_record *record)
{
    return record->field[pebs_has(record, PEBS_EVENTING_IP) ? PEBS_EVENTING_IP : PEBS_RIP];
}

/* Whether the address is between the loop's first and last instruction. */
static bool in_loop(const struct kernel_causes *causes, uint64_t address)
{
    return address > address_of(causes->causes[0].at) &&
           address <= address_of(causes->causes[causes->count - 1].at);
}

static void judge_address(struct pebs_tally *tally, const struct sample *sample)
{
    const struct kernel_causes *causes = sample->window->causes;
    const uint64_t address = address_in(&sample->record);

    if (sample->cause == causes->count && !in_loop(causes, address)) {
        tally->outside++;
        return;
    }
    if (sample->cause < causes->count) {
        tally->at[sample->cause]++;
        if (is_cause(&causes->causes[sample->cause], sample->window->plan->use)) {
            tally->exact++;
            return;
        }
    }
    if (tally->wrong++ == 0)
        tally->first_wrong = address;
}

static void add_latency(struct pebs_latency *latency, uint64_t cycles)
{
    if (latency->count == 0 || cycles < latency->minimum)
        latency->minimum = cycles;
    if (cycles > latency->maximum)
        latency->maximum = cycles;
    latency->count++;
    latency->sum += cycles;
}

/* Until Haswell the field is filled for load latency only: "Data Address Profiling". */
static bool has_address(const struct pebs_plan *plan, const struct pebs_record *record)
{
    return pebs_has(record, PEBS_ADDRESS) &&
           (plan->above != 0 || (plan->use == PEBS_LOADS && pebs_has(record, PEBS_EVENTING_IP)));
}

static void judge_data(struct pebs_tally *tally, const struct sample *sample)
{
    const struct pebs_window *window = sample->window;
    const struct pebs_record *record = &sample->record;
    const struct kernel_cause *cause = &window->causes->causes[sample->cause];
    const uint64_t offset = record->field[PEBS_ADDRESS] - window->arena;

    if (sample->cause == window->causes->count || !(cause->flags & CAUSE_LOAD))
        return;
    if (has_address(window->plan, record)) {
        tally->addresses++;
        if (offset >= cause->low && offset < cause->high)
            tally->right_addresses++;
        else if (tally->addresses - tally->right_addresses == 1)
            tally->first_wrong_address = record->field[PEBS_ADDRESS];
    }
    if (window->plan->above != 0 && pebs_has(record, PEBS_ACCESS_LATENCY))
        add_latency(&tally->latency[cause->flags & CAUSE_L2 ? 1 : 0],
                    record->field[PEBS_ACCESS_LATENCY]);
}

/* The groups that only some records have. */
static void judge_groups(struct pebs_tally *tally, const struct sample *sample)
{
    const struct pebs_window *window = sample->window;
    const struct pebs_record *record = &sample->record;

    if (pebs_has(record, PEBS_APPLICABLE) &&
        record->field[PEBS_APPLICABLE] != 1ull << window->plan->counter)
        tally->wrong_counters++;
    if (sample->cause == window->causes->count)
        return;
    if (record->branch_count > 0) {
        const struct pebs_branch newest = pebs_branch_at(record, 0);

        tally->branches++;
        tally->right_branches += newest.from == record->field[PEBS_EVENTING_IP] &&
                                 newest.to == successor(window->causes, sample->cause);
    }
    if (record->xmm != NULL) {
        tally->vectors++;
        tally->right_vectors += pebs_xmm_low(record, 7) == window->causes->xmm7;
    }
}

/* The number of the record's event in the loop, from 1; 0: rdi is impossible. */
static uint64_t event_number(const struct sample *sample)
{
    const struct kernel_causes *causes = sample->window->causes;
    const struct kernel_cause *cause = &causes->causes[sample->cause];
    const uint64_t left = sample->record.field[PEBS_RDI] + (cause->flags & CAUSE_COUNTED ? 1 : 0);
    const enum pebs_use use = sample->window->plan->use;
    uint64_t before = 0;

    if (left == 0 || left > sample->window->n)
        return 0;
    for (unsigned i = 0; i < sample->cause; i++)
        before += is_cause(&causes->causes[i], use);
    return (sample->window->n - left) * pebs_tally_causes(causes, use) + before + 1;
}

/* `around`: how many more events than counted here may have come before. */
static void judge_gap(struct pebs_tally *tally, const struct pebs_plan *plan, uint64_t from,
                      uint64_t to, uint64_t around)
{
    const uint64_t gap = to - from;

    if (to <= from || gap + around < plan->period) {
        tally->unordered++;
        return;
    }
    if (gap >= 2 * plan->period) {
        tally->lost += gap / plan->period - 1;
    } else if (around == 0) {
        tally->gaps++;
        tally->period_gaps += gap == plan->period;
        tally->overshoot += gap - plan->period;
    }
}

/* The events after the last record are those that the counter has counted since it was set; what
 * the instructions around the loop cause is in the difference. */
static void judge_end(struct pebs_tally *tally, const struct pebs_window *window, uint64_t last,
                      uint64_t around)
{
    const uint64_t known = last + window->remainder;

    if (known > window->events || window->events - known > around)
        tally->open_ends++;
}

static bool take_sample(struct pebs_tally *tally, const struct pebs_window *window, unsigned index,
                        struct sample *sample)
{
    const size_t bytes = window->plan->record_bytes;

    sample->window = window;
    tally->records++;
    if (pebs_decode(&window->plan->layout, window->buffer + index * bytes, bytes,
                    &sample->record) != RC_OK ||
        sample->record.size != bytes) {
        tally->undecoded++;
        return false;
    }
    sample->cause = cause_of(window, &sample->record);
    return true;
}

/* Events of the instructions around the loop, at most, where no witness counts them. */
#define AROUND 8u

static uint64_t events_of(const struct pebs_window *window, uint64_t loop)
{
    return window->plan->witness >= 0 ? window->events : loop;
}

static uint64_t around_of(const struct pebs_window *window, uint64_t loop)
{
    if (window->stopped)
        return window->around;
    if (window->plan->witness < 0)
        return AROUND;
    return window->events >= loop ? window->events - loop : 0;
}

void pebs_tally_window(struct pebs_tally *tally, const struct pebs_window *window)
{
    const uint64_t loop = window->n * pebs_tally_causes(window->causes, window->plan->use);
    const bool witnessed = window->plan->witness >= 0;
    const bool numbered =
        pebs_is_numbered(window->plan) && (!witnessed || window->stopped || window->events >= loop);
    const uint64_t around = around_of(window, loop);
    uint64_t last = 0;
    bool ended = false; /* the last record is of an instruction after the loop */
    struct sample sample;

    tally->windows++;
    tally->open_ends +=
        pebs_is_numbered(window->plan) && !numbered; /* fewer events than the loop */
    tally->events += events_of(window, loop);
    for (unsigned i = 0; i < window->records; i++) {
        uint64_t number;

        if (!take_sample(tally, window, i, &sample))
            continue;
        judge_address(tally, &sample);
        judge_data(tally, &sample);
        judge_groups(tally, &sample);
        ended = sample.cause == window->causes->count;
        if (!numbered || ended)
            continue;
        number = event_number(&sample);
        if (number == 0) {
            tally->unordered++;
            continue; /* the next gap is from the record before */
        }
        judge_gap(tally, window->plan, last, number, last == 0 ? around : 0);
        last = number;
    }
    if (numbered && witnessed && !ended)
        judge_end(tally, window, last, around);
}
