#include "measure.h"

#include "boot/format.h"
#include "boot/text.h"
#include "sibling_counters.h"
#include "window.h"

/* How often windows of one pass may be run again, for each repeat asked for. */
#define RETRIES_PER_REPEAT 4u

size_t measure_words(const struct plan *plan, unsigned repeats)
{
    size_t words = 0;

    for (unsigned i = 0; i < plan->pass_count; i++)
        words += (size_t)(plan->passes[i].reading_count + 1) * 2 * repeats;
    return words;
}

uint64_t *measure_lay_out(struct measurement *measurement, uint64_t *words)
{
    const struct plan *plan = measurement->plan;

    for (unsigned i = measurement->first_pass; i < plan->pass_count; i++) {
        struct pass_result *result = &measurement->passes[i];

        memset(result, 0, sizeof(*result));
        result->windows = words;
        result->values = words + 2 * measurement->repeats;
        words = result->values + (size_t)plan->passes[i].reading_count * 2 * measurement->repeats;
    }
    return words;
}

static void fail(struct measurement *m, enum rc rc, const char *what)
{
    m->rc = rc;
    m->what = what;
}

static void fail_register(struct measurement *m, const char *what, uint32_t msr)
{
    fail(m, RC_FAULT, what);
    msr_name(msr, m->where, sizeof(m->where));
}

static bool keep_registers(struct measurement *m, const uint32_t *registers, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        enum rc rc = saved_keep(&m->registers->saved, registers[i]);

        if (rc == RC_OK)
            continue;
        fail_register(m,
                      rc == RC_FAULT ? "reading a register to keep its value"
                                     : "more registers than can be kept",
                      registers[i]);
        m->rc = rc;
        return false;
    }
    return true;
}

static bool silence(struct measurement *m)
{
    uint32_t msr = 0;
    enum rc rc = counters_silence(&m->registers->saved, &msr);

    if (rc == RC_OK)
        return true;
    fail_register(m, "switching off what the firmware records", msr);
    m->rc = rc;
    return false;
}

static bool set_up(struct measurement *m, const struct pass *pass)
{
    uint32_t msr = 0;

    if (counters_setup(pass, &msr) == RC_OK)
        return true;
    fail_register(m, "writing a register", msr);
    return false;
}

static void reset_kernel(const struct measurement *m, uint64_t n)
{
    if (m->kernel->reset != NULL)
        kernel_call(m->kernel->reset, n, m->arena, m->arena_bytes, m->dose);
}

static struct window window_of(const struct measurement *m, const struct pass *pass, uint64_t n)
{
    return (struct window){
        .code = m->kernel->code,
        .n = n,
        .arena = m->arena,
        .arena_bytes = m->arena_bytes,
        .msr = pass->enable.msr,
        .enable = pass->enable.value,
        .disable = pass->disable,
        .dose = m->dose,
    };
}

/* One window; *raw is what it counted, the answer what the guards say of it. False when a register
 * failed. */
static bool run_window(struct measurement *m, const struct pass *pass, uint64_t n,
                       struct raw_counts *raw, enum guard *guard)
{
    struct window window = window_of(m, pass, n);
    struct guard_sample before, after;
    uint32_t index = 0;

    reset_kernel(m, n);
    if (!set_up(m, pass))
        return false;
    guards_before(&m->registers->guards, &before);
    if (m->sibling_counters != NULL && !sibling_counters_begin(m, pass))
        return false;
    window_run(&window);
    m->registers->windows++;
    if (m->sibling_counters != NULL && !sibling_counters_end(m))
        return false;
    guards_after(&m->registers->guards, &after);
    *guard = guards_judge(&m->registers->guards, &before, &after);
    if (counters_read(pass, m->facts, raw, &index) == RC_OK)
        return true;
    fail(m, RC_FAULT, "reading a counter");
    format(m->where, sizeof(m->where), "RDPMC 0x%x", index);
    return false;
}

bool measure_window(struct measurement *m, const struct pass *pass, uint64_t n,
                    struct raw_counts *raw, unsigned *retries)
{
    for (;;) {
        enum guard guard;

        if (!run_window(m, pass, n, raw, &guard))
            return false;
        if (guard == GUARD_CLEAN) {
            m->kept++;
            return true;
        }
        m->discarded[guard]++;
        if (*retries == 0) {
            fail(m, RC_TIMEOUT, "too many windows were disturbed");
            format(m->where, sizeof(m->where), "guard %s", guard_name(guard));
            return false;
        }
        (*retries)--;
    }
}

void measure_store(struct measurement *m, const struct pass *pass, const struct raw_counts *raw,
                   bool twice, unsigned repeat)
{
    struct pass_result *result = &m->passes[pass - m->plan->passes];

    pass_windows(result, twice, m->repeats)[repeat] = m->registers->windows;
    for (unsigned i = 0; i < pass->reading_count; i++) {
        pass_values(result, i, twice, m->repeats)[repeat] = raw->value[i];
        if (raw->overflowed[i])
            result->overflowed[i] = true;
    }
}

static bool run_pass(struct measurement *m, const struct pass *pass, struct pass_result *result)
{
    unsigned retries = m->repeats * RETRIES_PER_REPEAT;
    struct raw_counts raw;

    for (unsigned repeat = 0; repeat < m->repeats; repeat++) {
        for (unsigned twice = 0; twice < 2; twice++) {
            if (!measure_window(m, pass, twice != 0 ? 2 * m->n : m->n, &raw, &retries))
                return false;
            measure_store(m, pass, &raw, twice != 0, repeat);
            if (m->sibling_counters != NULL)
                sibling_counters_keep(m->sibling_counters, twice != 0, repeat);
        }
    }
    if (m->sibling_counters != NULL)
        sibling_counters_complete(m->sibling_counters, m->repeats);
    result->complete = true;
    return true;
}

/* Counters stand still meanwhile, so this is no window that counts. */
static bool record_branches(struct measurement *m)
{
    uint32_t registers[SAVED_REGISTERS], msr = 0;
    unsigned count = lbr_registers(registers, SAVED_REGISTERS);
    struct window window;
    struct pass pass;

    memset(&pass, 0, sizeof(pass));
    lbr_pass(&pass);
    if (!keep_registers(m, registers, count))
        return false;
    reset_kernel(m, m->n);
    if (!set_up(m, &pass))
        return false;
    window = window_of(m, &pass, m->n);
    window_run(&window);
    if (lbr_read(&m->lbr, &msr) != RC_OK) {
        fail_register(m, "reading a branch record", msr);
        return false;
    }
    m->branches_taken = true;
    return true;
}

static void run_uncounted(struct measurement *m)
{
    reset_kernel(m, m->n);
    kernel_call(m->kernel->code, m->n, m->arena, m->arena_bytes, m->dose);
}

/* The windows of the first pass that is not done, n and 2n in turn, thrown away: caches, predictors
 * and the bracket's own branches are then as in the windows that follow. */
static bool warm_up(struct measurement *m)
{
    struct raw_counts raw;
    enum guard guard;

    for (unsigned i = 0; i < m->warmup; i++)
        for (unsigned twice = 0; twice < 2; twice++)
            if (!run_window(m, &m->plan->passes[m->first_pass], twice != 0 ? 2 * m->n : m->n, &raw,
                            &guard))
                return false;
    return true;
}

/* Lets the other core begin and waits until it has. */
static bool meet(struct measurement *m)
{
    rendezvous_signal(&m->rendezvous->prepared);
    if (rendezvous_wait(&m->rendezvous->begun, RENDEZVOUS_US))
        return true;
    fail(m, RC_TIMEOUT, "the core that should keep company did not begin");
    return false;
}

bool measure_keep(struct measurement *m)
{
    uint32_t registers[SAVED_REGISTERS];

    return keep_registers(m, registers, plan_registers(m->plan, registers, SAVED_REGISTERS)) &&
           silence(m);
}

void measure_work(void *measurement)
{
    struct measurement *m = measurement;

    if (m == NULL)
        return;
    if (m->kernel->prepare != NULL)
        kernel_call(m->kernel->prepare, m->n, m->arena, m->arena_bytes, m->dose);
    if (m->rendezvous != NULL && !meet(m))
        return;
    if (m->plan == NULL || m->plan->pass_count == 0) {
        run_uncounted(m);
        return;
    }
    if (!measure_keep(m) || !warm_up(m))
        return;
    guards_begin(&m->registers->guards);
    for (unsigned i = m->first_pass; i < m->plan->pass_count; i++) {
        /* A pass that the guards gave up on does not speak against the next. */
        if (!run_pass(m, &m->plan->passes[i], &m->passes[i]) && m->rc == RC_FAULT)
            return;
    }
    if (m->branches && !m->branches_taken)
        (void)record_branches(m);
    if (m->rotation != NULL && m->rc == RC_OK)
        (void)rotation_run(m, m->rotation);
}
