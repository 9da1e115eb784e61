#include "sampler_program.h"

#include "boot/clock.h"
#include "boot/msr.h"
#include "harness/window/window.h"

/* How long an interrupt may come late, after a window. */
#define LATE_US 2

static void add_writes(struct pmi_writes *writes, const struct msr_value *values, unsigned count)
{
    writes->count = count;
    for (unsigned i = 0; i < count; i++) {
        writes->list[i].msr = values[i].msr;
        writes->list[i].value = values[i].value;
    }
}

static uint64_t record_words(const struct sampler *s)
{
    return PMI_RECORD_WORDS + s->plan.read_count;
}

static void make_presets(struct sampler *s, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++)
        s->presets[i] = sampling_preset(s->plan.counter_mask, sampling_periods_next(&s->periods));
}

void program_make(struct sampler *s)
{
    const struct sampling_plan *plan = &s->plan;
    struct pmi_program *program = &s->program;

    *program = (struct pmi_program){
        .status_msr = plan->status_msr,
        .status_flip = plan->status_flip,
        .status_bits = plan->status_bits,
        .counter_msr = plan->counter_msr,
        .enable_msr = plan->enable.msr,
        .enable_value = plan->enable.value,
        .reads = plan->reads,
        .read_count = plan->read_count,
        .closed = 1,
    };
    add_writes(&program->stop, plan->stop, plan->stop_count);
    add_writes(&program->clear, plan->clear, plan->clear_count);
    add_writes(&program->resume, plan->resume, plan->resume_count);
    program_renew(s);
}

static bool try_writes(const struct pmi_writes *writes, uint32_t *msr)
{
    for (uint64_t i = 0; i < writes->count; i++) {
        *msr = (uint32_t)writes->list[i].msr;
        if (!msr_write(*msr, writes->list[i].value))
            return false;
    }
    return true;
}

static bool try_reads(const struct sampler *s, uint32_t *msr)
{
    uint64_t value;

    for (unsigned i = 0; i < s->plan.read_count; i++) {
        *msr = s->plan.reads[i];
        if (!msr_read(*msr, &value))
            return false;
    }
    *msr = s->plan.status_msr;
    return msr_read(*msr, &value);
}

static bool try_write(uint32_t which, uint64_t value, uint32_t *msr)
{
    *msr = which;
    return msr_write(which, value);
}

bool program_try(struct sampler *s, uint32_t *msr)
{
    const struct sampling_plan *plan = &s->plan;

    for (unsigned i = 0; s->lbr != NULL && i < s->lbr->setup_count; i++)
        if (!try_write(s->lbr->setup[i].msr, s->lbr->setup[i].value, msr))
            return false;
    for (unsigned i = 0; i < plan->setup_count; i++)
        if (!try_write(plan->setup[i].msr, plan->setup[i].value, msr))
            return false;
    /* Those of the setup, if any, and the writes of `stop` and of `enable` count; of `stop`, unless
     * it stops what counts all cycles, too. */
    s->measurement->registers->windows += pass_starts(plan->setup, plan->setup_count) + 1;
    s->measurement->registers->windows += s->lbr == NULL || !s->lbr->freezes_counters;
    return try_writes(&s->program.stop, msr) && try_reads(s, msr) &&
           try_write(plan->enable.msr, plan->disable, msr) && try_writes(&s->program.clear, msr) &&
           try_write(plan->counter_msr, sampling_preset(plan->counter_mask, PROGRAM_FAR), msr) &&
           try_writes(&s->program.resume, msr) &&
           try_write(plan->enable.msr, plan->enable.value, msr) &&
           try_write(plan->enable.msr, plan->disable, msr) &&
           (s->lbr == NULL || try_write(plan->finish.msr, plan->finish.value, msr));
}

bool program_overflowed(const struct sampler *s, bool *overflowed)
{
    uint64_t status;

    if (!msr_read(s->plan.status_msr, &status))
        return false;
    *overflowed = ((status ^ s->plan.status_flip) & s->plan.status_bits) != 0;
    return true;
}

uint64_t program_interrupts(const struct sampler *s)
{
    return SAMPLER_INTERRUPTS * (s->expected + SAMPLER_EDGES);
}

void program_begin_window(struct sampler *s)
{
    struct pmi_program *program = &s->program;

    pmi_rearm(program);
    program->closed = 1;
    program->record = s->records;
    program->record_end = s->records + s->room * record_words(s);
    program->left = (int64_t)program_interrupts(s);
    program->interrupts = program->foreign = program->full = program->cut_off = 0;
}

void program_renew(struct sampler *s)
{
    make_presets(s, s->room + 1);
    s->program.preset = s->presets;
}

void program_renew_far(struct sampler *s)
{
    const struct sampling_periods periods = s->periods;

    s->periods = sampling_periods_from(PROGRAM_FAR, 0, 0);
    program_renew(s);
    s->periods = periods;
}

bool program_close(struct sampler *s)
{
    struct deadline deadline = clock_deadline(LATE_US);

    __atomic_store_n(&s->program.closed, 1, __ATOMIC_SEQ_CST);
    if (!msr_write(s->plan.enable.msr, s->plan.disable) ||
        (s->lbr != NULL && !msr_write(s->plan.finish.msr, s->plan.finish.value)))
        return false;
    do
        __builtin_ia32_pause();
    while (!clock_passed(&deadline));
    return true;
}

bool program_disturbed(struct sampler *s, struct guard_bracket *bracket)
{
    struct core_guards *guards = &s->measurement->registers->guards;

    guards_forget_frequency(guards);
    return guards_close(guards, bracket, 0) != GUARD_CLEAN;
}

uint64_t program_records(const struct sampler *s)
{
    return (uint64_t)(s->program.record - s->records) / record_words(s);
}

void program_end_window(struct sampler *s)
{
    make_presets(s, (uint64_t)(s->program.preset - s->presets));
    s->program.preset = s->presets;
}

/* Whether the address is one of the window's own instructions, from that on that starts counting.
 */
static bool is_in_window(const struct sampler *s, uint64_t at)
{
    const char *begin = window_begin, *end = window_stopped;

    if (s->measurement->registers->ring_3 != NULL) {
        begin = window_ring_3_begin;
        end = window_ring_3_stopped;
    }
    return at - (uintptr_t)begin < (uint64_t)(end - begin);
}

/* Whether the newest record is of an interrupt that came when the window was over: it was due at
 * the end, and the interrupted code is neither the window's nor its bracket. */
static bool came_late(const struct sampler *s, const void *code, uint64_t bytes)
{
    const uint64_t count = program_records(s);
    uint64_t at;

    if (count == 0)
        return false;
    at = s->records[(count - 1) * record_words(s)];
    return at - (uintptr_t)code >= bytes && !is_in_window(s, at);
}

/* With a counter of all cycles something counts from a window's begin to its end, and again in a
 * handler that comes late. Without one, each handler stops everything and starts it again. */
void program_count_windows(struct sampler *s, const void *code, uint64_t bytes)
{
    s->measurement->registers->windows++;
    if (s->plan.total_mask == 0)
        s->measurement->registers->windows += s->program.interrupts;
    else if (code != NULL)
        s->measurement->registers->windows += came_late(s, code, bytes);
}
