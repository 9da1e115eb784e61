#include "progress.h"

#include "boot/clock.h"
#include "boot/firmware/console.h"
#include "boot/format.h"
#include "boot/machine/machine.h"
#include "boot/text.h"
#include "harness/records/page.h"

#define DRAW_US 250000u /* at most four pages a second */
#define KEYS_US 10000u
/* The time left is said after so many steps: the first kernels, of the self-check, are short. */
#define STEPS_FOR_ESTIMATE 8u

static uint64_t microseconds_since(uint64_t began)
{
    return (clock_now() - began) / clock_ticks_per_us();
}

static unsigned doses(const struct experiment *experiment)
{
    return experiment->kernel->doses > 0 ? (unsigned)experiment->kernel->doses : 1;
}

void progress_begin(struct progress *progress, const struct run_experiments *experiments,
                    unsigned turns)
{
    progress->kernels = experiments->count;
    progress->began = clock_now();
    progress->done = progress->total = 0;
    for (unsigned i = 0; i < experiments->count; i++)
        progress->total += turns * doses(&experiments->of[i]);
}

/* Where the log goes, for the last line of the page. */
static void say_keeps(char *out, size_t size)
{
    const char *serial = machine_facts()->serial;

    if (console_has_serial() && console_has_stick())
        format(out, size, "serial line %s, and the stick", serial);
    else if (console_serial_is_sure())
        format(out, size, "serial line %s", serial);
    else if (console_has_server())
        format(out, size, "kept for the server, which gets it at the end");
    else if (console_has_serial())
        format(out, size, "serial line %s, if it is wired: the machine stays on", serial);
    else if (console_has_stick())
        format(out, size, "the stick");
    else
        format(out, size, "kept nowhere (no serial line, no stick): the machine stays on");
}

static void say_core(const struct run_cores *cores, const struct rounds *rounds,
                     const struct lane *lanes, unsigned count, char *out, size_t size)
{
    const struct measured_core *core = lanes->core;
    const char *name = core->description != NULL ? core->description->name : "no description";

    if (count > 1)
        format(out, size, "%u cores at once, %s", count, name);
    else
        format(out, size, "core %u (%u of %u), %s", core->core, (unsigned)(core - cores->of) + 1,
               cores->count, name);
    if (rounds_wanted(rounds))
        format(out + strlen(out), size - strlen(out), ", round %llu",
               (unsigned long long)rounds->number);
}

static void draw(struct progress *progress, const struct run_cores *cores, struct page_facts *facts)
{
    const uint64_t began = clock_now();
    char keeps[80];

    say_keeps(keeps, sizeof(keeps));
    facts->keeps = keeps;
    facts->brand = cores->count > 0 ? cores->of->facts.brand : NULL;
    facts->elapsed_us = microseconds_since(progress->started);
    facts->totals = log_totals();
    facts->discarded = measured_cores_discarded(cores->of, cores->count);
    facts->last_kernel = progress->kernel;
    facts->last = progress->row;
    for (unsigned i = 0; i < LOG_TROUBLES; i++)
        facts->troubles[i] = log_trouble(i);
    page_fill(&progress->page, facts);
    screen_draw(&progress->page);
    rate_limit_done(&progress->draws, began, clock_now());
}

bool progress_next(struct progress *progress, unsigned number)
{
    const uint64_t now = clock_now();

    progress->number = number + 1;
    if (progress->stopped ||
        !rate_limit_allows(&progress->keys, now, KEYS_US * clock_ticks_per_us()))
        return !progress->stopped;
    progress->stopped = screen_escape_pressed();
    rate_limit_done(&progress->keys, now, clock_now());
    return !progress->stopped;
}

void progress_launch(struct progress *progress, const struct run_cores *cores,
                     const struct rounds *rounds, const struct lane *lanes, unsigned count)
{
    const struct plan *plan = lanes->measurement.plan;
    char core[96];
    struct page_facts facts = {
        .core = core,
        .kernel = lanes->measurement.kernel != NULL ? lanes->measurement.kernel->name : NULL,
        .number = progress->number,
        .kernels = progress->kernels,
        .passes = plan != NULL ? plan->pass_count : 0,
        .repeats = lanes->measurement.repeats,
        .left_known = progress->done >= STEPS_FOR_ESTIMATE && progress->done <= progress->total &&
                      rounds->wanted > 0,
    };

    if (!screen_there() ||
        !rate_limit_allows(&progress->draws, clock_now(), DRAW_US * clock_ticks_per_us()))
        return;
    say_core(cores, rounds, lanes, count, core, sizeof(core));
    if (facts.left_known)
        facts.left_us = microseconds_since(progress->began) / progress->done *
                        (progress->total * (rounds->wanted - rounds->number + 1) - progress->done);
    draw(progress, cores, &facts);
}

void progress_reported(struct progress *progress, const char *kernel, const struct table_row *row)
{
    progress->kernel = kernel;
    progress->row = row;
}

void progress_done(struct progress *progress)
{
    progress->done++;
}

void progress_end(struct progress *progress, const struct run_cores *cores, const char *reason)
{
    struct page_facts facts = {.ended = reason};

    if (screen_there())
        draw(progress, cores, &facts);
}
