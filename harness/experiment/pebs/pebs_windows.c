#include "pebs_windows.h"

#include "boot/format.h"
#include "boot/msr.h"
#include "harness/window/measured_window.h"
#include "harness/window/precise_window.h"

#define RETRIES  100u /* disturbed windows, for each use and threshold */
#define HALVINGS 16u  /* windows whose buffer was full */
#define EXCESS   8u

/* What is sampled now. */
struct turn {
    struct measurement *m;
    struct pebs_sampling *sampling;
    struct precise_memory memory;
    const struct pebs_plan *plan;
    enum pebs_threshold threshold;
    struct pebs_tally *tally;
    unsigned room;               /* records in the buffer */
    struct pmi_program *program; /* PEBS_AT_INTERRUPT */
};

/* Room of a window that an interrupt ends. */
#define ROOM_INTERRUPTED 64u
/* Records that may still come between the request for an interrupt and its handler. */
#define MARGIN 8u
/* Events of the handler until it has stopped the counters, and of the instructions before the loop,
 * at most. */
#define AROUND 96u

static unsigned threshold_of(const struct turn *turn)
{
    return turn->threshold == PEBS_AT_ONE    ? 1
           : turn->threshold == PEBS_AT_FULL ? turn->room
                                             : turn->room - MARGIN;
}

/* The handler stops the counters, clears OvfDSBuffer and closes the program, as there is no room
 * for a sample. */
static void begin_program(const struct turn *turn)
{
    static const uint32_t reads[] = {IA32_PERF_GLOBAL_STATUS};
    struct pmi_program *program = turn->program;
    const uint64_t full = field_of(PERF_GLOBAL_STATUS_OVF_DS_BUFFER, 1);

    program->status_msr = IA32_PERF_GLOBAL_STATUS;
    program->status_bits = full;
    program->counter_msr = IA32_DS_AREA;
    program->enable_msr = turn->plan->pass.enable.msr;
    program->enable_value = turn->plan->pass.disable;
    program->reads = reads;
    program->read_count = 1;
    program->left = 4;
    program->closed = program->interrupts = program->foreign = program->full = 0;
    program->stop.count = program->clear.count = 1;
    program->stop.list[0].msr = IA32_PERF_GLOBAL_CTRL;
    program->stop.list[0].value = 0;
    program->clear.list[0].msr = IA32_PERF_GLOBAL_OVF_CTRL;
    program->clear.list[0].value = full;
}

/* The value of a counter, by its bit of IA32_PERF_GLOBAL_STATUS. */
static bool read_counter(struct measurement *m, unsigned counter, uint64_t mask, uint64_t *value)
{
    const uint32_t index = counter >= 32 ? RDPMC_FIXED + counter - 32 : counter;

    if (!rdpmc_read(index, value)) {
        measurement_fail(m, RC_FAULT, "reading a counter");
        format(m->where, sizeof(m->where), "RDPMC 0x%x", index);
        return false;
    }
    *value &= mask;
    return true;
}

static uint64_t mask_of(const struct facts *facts, int counter)
{
    return (1ull << (counter >= 32 ? facts->fixed_width : facts->general_width)) - 1;
}

/* What the counters say after the window; the events since the counter was set last are modulo its
 * width. */
static bool read_window(const struct turn *turn, struct pebs_window *window, uint64_t *status)
{
    const struct pebs_plan *plan = turn->plan;
    struct measurement *m = turn->m;
    uint64_t value = 0;

    *status = 0;
    if (!read_counter(m, plan->counter, plan->mask, &value))
        return false;
    window->remainder = (value - plan->reset) & plan->mask;
    if (plan->witness >= 0 && !read_counter(m, (unsigned)plan->witness,
                                            mask_of(m->facts, plan->witness), &window->events))
        return false;
    if (!plan->has_status)
        return true;
    if (msr_read(IA32_PERF_GLOBAL_STATUS, status))
        return true;
    measurement_fail_register(m, RC_FAULT, "reading a register", IA32_PERF_GLOBAL_STATUS);
    return false;
}

/* Runs one window. False: a register failed. */
static bool run_window(const struct turn *turn, uint64_t n, enum guard *guard,
                       struct pebs_window *window, uint64_t *status)
{
    struct measurement *m = turn->m;

    *window = (struct pebs_window){.plan = turn->plan,
                                   .causes = turn->sampling->causes,
                                   .n = n,
                                   .arena = (uint64_t)(uintptr_t)m->arena,
                                   .buffer = turn->sampling->buffer};
    if (turn->program != NULL) {
        begin_program(turn);
        window->stopped = true;
        window->around = AROUND;
    }
    return precise_window_run(m, turn->plan, &turn->memory, turn->room, threshold_of(turn), n,
                              guard) &&
           read_window(turn, window, status);
}

/* OvfDSBuffer says that the threshold was reached; or one interrupt has said so. */
static bool is_status_right(const struct turn *turn, unsigned records, uint64_t status)
{
    const bool reached = records >= threshold_of(turn);

    if (turn->program != NULL)
        return reached && turn->program->interrupts == 1 && turn->program->full == 1;
    return !turn->plan->has_status ||
           field_get(status, PERF_GLOBAL_STATUS_OVF_DS_BUFFER) == reached;
}

enum take { TAKEN, FULL, FAILED };

static enum take take_records(const struct turn *turn, struct pebs_window *window, uint64_t status)
{
    bool full;

    if (!precise_window_records(turn->m, turn->plan, &turn->memory, &window->records, &full))
        return FAILED;
    turn->tally->wrong_status += !is_status_right(turn, window->records, status);
    if (full) {
        turn->tally->full++;
        return FULL;
    }
    pebs_tally_window(turn->tally, window);
    return TAKEN;
}

/* Of loads that are followed few are needed; and few until an interrupt. */
static uint64_t events_wanted(const struct turn *turn)
{
    if (turn->program != NULL)
        return turn->sampling->events / 2;
    return turn->plan->above != 0 ? turn->sampling->events / 4 : turn->sampling->events;
}

/* No more iterations than the buffer has room for, and no more than are wanted still. */
static uint64_t iterations_of(const struct turn *turn, unsigned causes, uint64_t sampled)
{
    const uint64_t room = turn->room * turn->plan->period * 3 / 4;
    const uint64_t wanted = events_wanted(turn) - sampled;

    if (turn->program != NULL)
        return 2 * turn->room * turn->plan->period / causes;
    return (room < wanted ? room : wanted) / causes + 1;
}

/* Windows until the events are sampled, or should have been EXCESS times: what counts them may be
 * wrong. */
static bool run_turn(const struct turn *turn)
{
    const unsigned causes = pebs_tally_causes(turn->sampling->causes, turn->plan->use);
    uint64_t sampled = 0, caused = 0;
    unsigned retries = RETRIES, halvings = 0;

    while (sampled < events_wanted(turn) && caused / EXCESS < events_wanted(turn)) {
        const uint64_t n = (iterations_of(turn, causes, sampled) >> halvings) + 1;
        struct pebs_window window;
        enum guard guard;
        uint64_t status;
        enum take take;

        if (!run_window(turn, n, &guard, &window, &status))
            return false;
        if (guard != GUARD_CLEAN) {
            if (!measurement_try_again(turn->m, guard, &retries))
                return false;
            continue;
        }
        take = take_records(turn, &window, status);
        if (take == FAILED)
            return false;
        caused += n * causes;
        if (take == TAKEN)
            sampled += turn->program != NULL ? window.events : n * causes;
        else if (++halvings == HALVINGS)
            break;
    }
    return true;
}

/* The same with the handler in place; without interrupts nothing is sampled. */
static bool run_interrupted_turn(struct turn *turn)
{
    struct pmi_program program = {.closed = 1};
    const unsigned room = turn->room;
    bool ran;

    if (turn->plan->witness < 0 || turn->room < 2 * MARGIN)
        return true;
    turn->sampling->no_interrupt = pmi_open(&program, PMI_NMI);
    if (turn->sampling->no_interrupt != NULL)
        return true;
    turn->program = &program;
    turn->room = room < ROOM_INTERRUPTED ? room : ROOM_INTERRUPTED;
    ran = run_turn(turn);
    turn->room = room;
    turn->program = NULL;
    if (pmi_close())
        return ran;
    measurement_fail(turn->m, RC_FAULT, "the LVT Performance Counter Register is not as it was");
    return false;
}

bool pebs_windows_run(struct measurement *m, struct pebs_sampling *sampling)
{
    for (unsigned use = 0; use < PEBS_USES; use++) {
        struct turn turn = {.m = m,
                            .sampling = sampling,
                            .memory = {sampling->area, sampling->buffer, PEBS_BUFFER_BYTES},
                            .plan = &sampling->uses[use].plan};

        if (sampling->uses[use].absent != NULL)
            continue;
        if (!precise_window_keep(m, turn.plan))
            return false;
        turn.room = precise_window_room(&turn.memory, turn.plan);
        for (unsigned threshold = 0; threshold < PEBS_THRESHOLDS; threshold++) {
            turn.threshold = (enum pebs_threshold)threshold;
            turn.tally = &sampling->uses[use].tallies[threshold];
            if (threshold == PEBS_AT_INTERRUPT ? !run_interrupted_turn(&turn) : !run_turn(&turn))
                return false;
        }
    }
    sampling->done = true;
    return true;
}
