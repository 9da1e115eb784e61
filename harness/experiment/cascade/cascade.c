#include "cascade.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "cascade_windows.h"
#include "harness/judge/measured_core_run.h"
#include "pmu/kind.h"

#define KERNEL "cal.instructions"
#define EVENT  CASCADE_EVENT

static const char *name_of(enum cascading how)
{
    return how == CASCADING ? "CASCADE" : "EXTENDED_CASCADE";
}

static const char *plan(struct cascade_windows *windows, const struct measured_core *core,
                        enum cascading how)
{
    const struct event *event = description_event(core->description, EVENT);
    const struct pmu_kind *kind = kind_of(&core->facts);
    const char *why;

    if (event == NULL)
        return "this CPU's description does not name " EVENT;
    why =
        kind->cascade(&windows->early, &core->facts, core->description, event, how, CASCADE_EARLY);
    return why != NULL ? why
                       : kind->cascade(&windows->late, &core->facts, core->description, event, how,
                                       CASCADE_LATE);
}

/* The second counter begins with the cycle behind the overflow: of the instructions that retire in
 * the overflow's own cycle it misses all but the one that overflows, at most. */
static void conclude(const struct cascade_job *job, const char *claim, int64_t count,
                     int64_t expected)
{
    const int64_t most = (int64_t)job->core->description->width - 1;
    char text[280];

    format(text, sizeof(text), "core %u %s %lld in [%lld, %lld]", job->core->core, claim,
           (long long)count, (long long)(expected - most), (long long)(expected + most));
    job->verdict(job->context, count >= expected - most && count <= expected + most, text);
}

static void judge(const struct cascade_job *job, const struct cascade_windows *windows,
                  enum cascading how)
{
    const double expected = job->expected;
    char claim[160];

    format(claim, sizeof(claim),
           "%s: started by counter %u %u instructions later, counter %u counts fewer by",
           name_of(how), windows->early.first, CASCADE_LATE - CASCADE_EARLY, windows->early.second);
    conclude(job, claim, (int64_t)(windows->counted_early - windows->counted_late),
             CASCADE_LATE - CASCADE_EARLY);
    format(claim, sizeof(claim), "%s: in n iterations more, counter %u counts more by",
           name_of(how), windows->early.second);
    conclude(job, claim, (int64_t)(windows->counted_twice - windows->counted_early),
             (int64_t)(expected < 0 ? expected - 0.5 : expected + 0.5));
}

/* RDPMC's fast form must give the low 32 bits of what the other form gives. How quick both are is
 * said, and not judged. */
static void judge_reads(const struct cascade_job *job, const struct cascade_windows *windows)
{
    const struct cascade_read *full = &windows->full, *fast = &windows->fast;
    const uint32_t index = windows->early.second | RDPMC_FAST;
    char text[200];

    if (full->faults || fast->faults)
        format(text, sizeof(text), "core %u RDPMC 0x%x faults", job->core->core,
               full->faults ? windows->early.second : index);
    else
        format(text, sizeof(text),
               "core %u RDPMC 0x%x gives 0x%llx of 0x%llx, in %llu ticks of the TSC; all 40 bits "
               "take %llu",
               job->core->core, index, (unsigned long long)fast->value,
               (unsigned long long)full->value, (unsigned long long)fast->ticks,
               (unsigned long long)full->ticks);
    job->verdict(job->context,
                 !full->faults && !fast->faults && full->value == CASCADE_READ &&
                     fast->value == (CASCADE_READ & UINT32_MAX),
                 text);
}

/* True: the counters were cascaded and judged, and with `reads` so was RDPMC. */
static bool check(const struct cascade_job *job, enum cascading how, bool reads)
{
    struct measured_core *core = job->core;
    struct measurement *m = job->measurement;
    struct cascade_windows windows = {.measurement = m};
    const char *why = job->counted ? plan(&windows, core, how) : EVENT " was not counted";
    bool back;

    if (why == NULL && core->untrusted)
        why = core->distrust;
    if (why != NULL) {
        log_skip(why, "core %u %s", core->core, name_of(how));
        return false;
    }
    memset(m->discarded, 0, sizeof(m->discarded));
    back = measured_core_run(core, cascade_windows_work, &windows, job->timeout_us, "its counters",
                             "were cascaded");
    measured_core_discarded(core, m->discarded);
    if (!back) {
        job->verdict(job->context, false, core->why);
    } else if (!windows.done) {
        measured_core_trouble(core, m->kernel->name, m->what, m->where);
        measured_core_give_up(core, m->kernel->name);
        log_skip(m->what, "core %u %s", core->core, name_of(how));
    } else {
        judge(job, &windows, how);
        if (reads)
            judge_reads(job, &windows);
    }
    return back && windows.done;
}

bool cascade_wanted(const struct measured_core *core, const struct kernel *kernel)
{
    return kind_of(&core->facts)->cascade != NULL && core->facts.absent == NULL &&
           strcmp(kernel->name, KERNEL) == 0;
}

void cascade_check(const struct cascade_job *job)
{
    const bool read = check(job, CASCADING, true);

    if (!job->core->lost)
        check(job, EXTENDED_CASCADING, !read);
}
