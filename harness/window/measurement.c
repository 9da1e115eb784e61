#include "measurement.h"

#include "boot/format.h"
#include "boot/text.h"

size_t measurement_words(const struct plan *plan, unsigned repeats)
{
    size_t words = 0;

    for (unsigned i = 0; i < plan->pass_count; i++)
        words += (size_t)(plan->passes[i].reading_count + 1) * 2 * repeats;
    return words;
}

uint64_t *measurement_lay_out(struct measurement *m, uint64_t *words)
{
    const struct plan *plan = m->plan;

    for (unsigned i = m->first_pass; i < plan->pass_count; i++) {
        struct pass_result *result = &m->passes[i];

        memset(result, 0, sizeof(*result));
        result->windows = words;
        result->values = words + 2 * m->repeats;
        words = result->values + (size_t)plan->passes[i].reading_count * 2 * m->repeats;
    }
    return words;
}

void measurement_fail(struct measurement *m, enum rc rc, const char *what)
{
    m->rc = rc;
    m->what = what;
}

void measurement_fail_register(struct measurement *m, enum rc rc, const char *what, uint32_t msr)
{
    measurement_fail(m, rc, what);
    msr_name(m->facts, msr, m->where, sizeof(m->where));
}

bool measurement_try_again(struct measurement *m, enum guard guard, unsigned *retries)
{
    m->discarded[guard]++;
    if (*retries > 0) {
        (*retries)--;
        return true;
    }
    measurement_fail(m, RC_TIMEOUT, "too many windows were disturbed");
    return false;
}

bool measurement_keep(struct measurement *m, const uint32_t *registers, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        enum rc rc = saved_keep(&m->registers->saved, registers[i]);

        if (rc == RC_OK)
            continue;
        measurement_fail_register(m, rc,
                                  rc == RC_FAULT ? "reading a register to keep its value"
                                                 : "more registers than can be kept",
                                  registers[i]);
        return false;
    }
    return true;
}

static bool silence(struct measurement *m)
{
    uint32_t msr = 0;
    const enum rc rc = counters_silence(&m->registers->saved, m->facts, &msr);

    if (rc != RC_OK)
        measurement_fail_register(m, rc, "switching off what the firmware records", msr);
    return rc == RC_OK;
}

bool measurement_keep_plan(struct measurement *m)
{
    uint32_t registers[SAVED_REGISTERS];

    return measurement_keep(m, registers, plan_registers(m->plan, registers, SAVED_REGISTERS)) &&
           silence(m);
}

bool measurement_give_up(struct measurement *m, unsigned pass)
{
    struct pass_result *result = &m->passes[pass];

    result->why = m->what;
    format(result->where, sizeof(result->where), "%s", m->where);
    for (unsigned i = m->first_pass; i < m->plan->pass_count; i++)
        if (m->passes[i].why == NULL) {
            m->rc = RC_OK;
            m->what = NULL;
            m->where[0] = '\0';
            return true;
        }
    return false;
}

bool measurement_keep_passes(struct measurement *m)
{
    for (unsigned i = m->first_pass; i < m->plan->pass_count; i++) {
        const struct plan alone = {.passes = &m->plan->passes[i], .pass_count = 1};
        uint32_t registers[PLAN_WRITES];

        if (!measurement_keep(m, registers, plan_registers(&alone, registers, PLAN_WRITES)) &&
            (m->rc != RC_FAULT || !measurement_give_up(m, i)))
            return false;
    }
    return silence(m);
}

bool measurement_set_up(struct measurement *m, const struct pass *pass)
{
    uint32_t msr = 0;

    if (counters_setup(pass, &msr) != RC_OK) {
        measurement_fail_register(m, RC_FAULT, "writing a register", msr);
        return false;
    }
    m->registers->windows += pass_starts(pass->setup, pass->setup_count);
    return true;
}

void measurement_store(struct measurement *m, const struct pass *pass, const struct raw_counts *raw,
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

static void add_pass(struct pass_result *to, const struct pass_result *from, unsigned readings,
                     unsigned repeats)
{
    for (unsigned i = 0; i < readings * 2 * repeats; i++)
        to->values[i] += from->values[i];
    for (unsigned i = 0; i < readings; i++)
        to->overflowed[i] = to->overflowed[i] || from->overflowed[i];
}

void measurement_add(struct measurement *to, const struct measurement *from)
{
    for (unsigned i = 0; i < to->plan->pass_count; i++) {
        if (to->passes[i].complete)
            add_pass(&to->passes[i], &from->passes[i], to->plan->passes[i].reading_count,
                     to->repeats);
    }
}
