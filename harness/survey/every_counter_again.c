#include "boot/format.h"
#include "boot/log.h"
#include "every_counter.h"
#include "every_counter_count.h"

/* One window of n and one of 2n: whether all counters agree in them. *where: which counter did
 * not, for people. */
static enum every_counter_outcome glance(struct run_comparison *comparison,
                                         struct measured_core *core, enum every_counter what,
                                         const char **why, char *where, size_t size)
{
    const struct every_counter_windows *windows = comparison->windows;
    struct disagreement found;

    switch (every_counter_count(comparison, core, what, 1, why)) {
    case COUNTED:
        break;
    case NO_SUCH:
        return what == EVERY_COUNTER_INSTRUCTIONS ? EVERY_COUNTER_UNKNOWN : EVERY_COUNTER_AGREE;
    case NOT_COUNTED:
    case CORE_LOST:
        return EVERY_COUNTER_UNKNOWN;
    }
    for (unsigned i = 0; i < windows->pass.reading_count; i++) {
        const struct reading *reading = &windows->pass.readings[i];

        if (every_counter_agrees(windows, what, i, &found))
            continue;
        format(where, size, "core %u, %s counter %u, window %llu: %lld %s", core->core,
               reading->kind == READING_GENERAL ? "general" : "fixed", reading->counter,
               (unsigned long long)core->registers.windows, (long long)found.value,
               every_counter_name(what));
        return EVERY_COUNTER_OFF;
    }
    return EVERY_COUNTER_AGREE;
}

/* A core without such a window has never compared them. */
static enum every_counter_outcome glance_at_reference(struct run_comparison *comparison,
                                                      struct measured_core *core, const char **why,
                                                      char *where, size_t size)
{
    const struct every_counter_windows *windows = comparison->windows;
    uint64_t expected;

    *why = "its reference cycles could not be compared";
    if (!(core->facts.fixed_mask >> REFERENCE_COUNTER & 1) ||
        core->registers.guards.absent[GUARD_FREQUENCY] != NULL)
        return EVERY_COUNTER_AGREE;
    if (every_counter_count_reference(comparison, core) != COUNTED)
        return EVERY_COUNTER_UNKNOWN;
    if (every_counter_reference_agrees(windows, &expected))
        return EVERY_COUNTER_AGREE;
    format(where, size, "core %u, fixed counter %u, window %llu: %lld reference cycles", core->core,
           REFERENCE_COUNTER, (unsigned long long)core->registers.windows,
           (long long)windows->counted[0][1]);
    return EVERY_COUNTER_OFF;
}

static enum every_counter_outcome glance_at_all(struct run_comparison *comparison,
                                                struct measured_core *core, const char **why,
                                                char *where, size_t size)
{
    for (unsigned what = 0; what < EVERY_COUNTERS; what++) {
        const enum every_counter_outcome outcome =
            glance(comparison, core, (enum every_counter)what, why, where, size);

        if (outcome != EVERY_COUNTER_AGREE)
            return outcome;
    }
    return glance_at_reference(comparison, core, why, where, size);
}

enum every_counter_outcome every_counter_again(struct run_comparison *comparison,
                                               struct run_verdicts *verdicts,
                                               struct measured_core *core, const char **why)
{
    char where[120];
    const enum every_counter_outcome outcome =
        glance_at_all(comparison, core, why, where, sizeof(where));
    enum every_counter_outcome again;

    every_counter_lost(verdicts, core);
    if (outcome != EVERY_COUNTER_OFF)
        return outcome;
    again = every_counter_compare(comparison, verdicts, core, false);
    if (again == EVERY_COUNTER_OFF || core->lost)
        return again;
    log_error(again == EVERY_COUNTER_AGREE
                  ? "a counter did not agree with the others, and does again"
                  : "a counter did not agree with the others, and could not be compared again",
              where, "what most counters count");
    return EVERY_COUNTER_PASSING;
}
