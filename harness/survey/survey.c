#include "survey.h"

#include "boot/firmware/memory.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/machine/cores.h"
#include "boot_waits.h"
#include "compare_again.h"
#include "every_counter.h"
#include "every_counter_count.h"
#include "harness/records/records.h"
#include "harness/records/records_cpuid.h"
#include "harness/run/complaints.h"
#include "harness/window/window.h"
#include "pmu/kind.h"
#include "pmu/kinds/facts_read.h"
#include "restore.h"
#include "settings.h"
#include "survey_events.h"
#include "survey_nodes.h"

/* Reading a core's facts is a few hundred instructions. */
#define FACTS_TIMEOUT_US 2000000

struct surveyed {
    struct measured_core *core;
    struct cpuid_answers cpuid;
};

static void facts_work(void *argument)
{
    struct surveyed *surveyed = argument;
    struct measured_core *core = surveyed->core;

    facts_read(&core->facts);
    guards_probe(&core->registers.guards, &core->facts);
    cpuid_answers_read(&surveyed->cpuid);
}

/* Once for neighbours that answer alike. */
static void log_cpuid(struct run_logged *logged, const struct surveyed *surveyed)
{
    if (!cpuid_answers_alike(&logged->cpuid, &surveyed->cpuid))
        record_cpuid(surveyed->core, &surveyed->cpuid);
    logged->cpuid = surveyed->cpuid;
}

/* Whether the same description fits both: these are all the facts that signatures name. */
static bool same_kind(const struct facts *a, const struct facts *b)
{
    return a->kind == b->kind && a->intel == b->intel && a->family == b->family &&
           a->model == b->model && a->stepping == b->stepping && a->core_type == b->core_type &&
           a->native_model == b->native_model;
}

static const struct description *choose(struct run *run, const struct facts *facts)
{
    const struct complaint_sink sink = {&run->complaints, complaints_log};

    if (run->config.cpu[0] != '\0')
        return library_named(&run->library, run->config.cpu, &sink);
    for (unsigned i = 0; i < run->cores.count; i++) { /* no need to search again */
        if (run->cores.of[i].description != NULL && same_kind(&run->cores.of[i].facts, facts))
            return run->cores.of[i].description;
    }
    return library_matching(&run->library, facts, &sink);
}

static void note_fit(const struct config *config, struct measured_core *core)
{
    const bool chosen = config->cpu[0] != '\0';
    const bool fits =
        core->description == NULL || description_matches(core->description, &core->facts);

    core->forced = !fits && chosen;
    core->undescribed = !fits && !chosen;
}

/* One line for people: what this core is, and what can be counted on it. */
static void log_core(const struct measured_core *core)
{
    const struct facts *facts = &core->facts;
    char counters[80];

    if (facts->absent != NULL) {
        log_comment("core %u: %s: nothing can be counted: %s", core->core, facts->brand,
                    facts->absent);
    } else if (kind_of(facts)->describe != NULL) {
        kind_of(facts)->describe(facts, counters, sizeof(counters));
        log_comment("core %u: %s, described by %s; %s", core->core, facts->brand,
                    core->description->name, counters);
    } else {
        log_comment(
            "core %u: %s, described by %s; PMU version %u, %u general and %u fixed counters",
            core->core, facts->brand, core->description->name, facts->version, facts->general_count,
            facts->fixed_count);
    }
}

/* The core is measured as one without PERF_METRICS. */
static void tell_capabilities(const struct measured_core *core)
{
    char where[64];

    if (!core->facts.capabilities_lost)
        return;
    format(where, sizeof(where), "core %u, IA32_PERF_CAPABILITIES", core->core);
    log_error("a register that CPUID announces cannot be read", where, NULL);
}

static void survey_core(struct run *run, struct measured_core *core)
{
    struct surveyed surveyed = {.core = core};
    enum rc rc = cores_run(core->core, facts_work, &surveyed, FACTS_TIMEOUT_US);
    const char *why;
    char where[24];

    if (rc == RC_OK) {
        boot_waits_look(core);
        log_cpuid(&run->logged, &surveyed);
        core->facts.user_only = run->config.ring_3;
        core->registers.ring_3 = run->config.ring_3 ? ring_3_of(core->core) : NULL;
        core->description = choose(run, &core->facts);
        note_fit(&run->config, core);
        if (core->description != NULL && core->facts.absent == NULL)
            core->facts.absent = description_foreign(core->description, &core->facts);
        if (core->description != NULL) {
            core->facts.quirks = core->description->quirks;
            survey_nodes_choose(&run->config, core);
        }
        settings_find(&run->config, core, &run->logged);
        (void)every_counter_compare(&run->comparison, &run->verdicts, core, true);
        compare_again_begin(core);
        record_core(core);
        tell_capabilities(core);
        if (core->facts.absent == NULL)
            record_guards(core);
        if (core->description == NULL)
            measured_core_lose(core, "no CPU description could be read");
        else
            log_core(core);
        return;
    }
    format(where, sizeof(where), "core %u", core->core);
    why = cores_place(core->core)->why;
    measured_core_lose(core, why != NULL ? why : rc_name(rc));
    if (rc != RC_ABSENT) /* a core that did not start has its `error` record */
        log_error("reading the facts of a core", where, "an answer within 2 s");
}

/* Wanted cores that the machine does not have are a skip, one for all of them. */
static void skip_missing(const struct config *config)
{
    unsigned missing = 0, first = 0;

    for (unsigned core = cores_count(); !config->all_cores && core < CORES_MAX; core++) {
        if (!config_wants_core(config, core))
            continue;
        if (missing++ == 0)
            first = core;
    }
    if (missing > 0)
        log_skip("the machine has no such core", "core %u and all wanted cores above it", first);
}

/* With parallel = yes all wanted cores count at once. */
static bool sibling_counts(const struct run_cores *cores, const struct measured_core *core)
{
    for (unsigned i = 0; i < cores->count; i++)
        if (!cores->of[i].lost && measured_core_is_sibling(&cores->of[i], core))
            return true;
    return false;
}

/* The two threads of a core may have one set of counters. */
static void join_threads(struct run_cores *cores)
{
    for (unsigned i = 0; i < cores->count; i++)
        for (unsigned k = 0; k < cores->count; k++) {
            struct saved_registers *saved = &cores->of[i].registers.saved;

            if (!kind_of(&cores->of[i].facts)->threads_share ||
                !measured_core_is_sibling(&cores->of[i], &cores->of[k]))
                continue;
            saved->beside = &cores->of[k].registers.saved;
            saved->is_shared = kind_of(&cores->of[i].facts)->is_shared;
        }
}

void survey_cores(struct run *run)
{
    const unsigned found = cores_count();

    if (!run_measures(run))
        return;
    run->cores.of = memory_alloc(sizeof(*run->cores.of) * (found + 1));
    if (run->cores.of == NULL) {
        run->losses.nothing = "no memory for the cores' state";
        log_error(run->losses.nothing, NULL, NULL);
        return;
    }
    every_counter_begin(&run->comparison, &run->experiments);
    cores_set_aftermath(restore_after_trap, run);
    if (run->config.ring_3)
        ring_3_leaves_to((uintptr_t)window_ring_3_left);
    log_phase("what each core is, and whether its counters agree");
    for (unsigned core = 0; core < found; core++) {
        if (!config_wants_core(&run->config, core))
            continue;
        run->cores.of[run->cores.count].core = core;
        survey_core(run, &run->cores.of[run->cores.count++]);
        log_flush_soon();
    }
    settings_change(&run->cores, &run->verdicts);
    join_threads(&run->cores);
    if (run->config.parallel)
        for (unsigned i = 0; i < run->cores.count; i++)
            run->cores.of[i].facts.both_count = sibling_counts(&run->cores, &run->cores.of[i]);
    survey_nodes_check(&run->cores, &run->config, &run->complaints);
    survey_events_choose(run);
    skip_missing(&run->config);
}
