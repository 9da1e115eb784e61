#include "setup.h"

#include "boot/firmware/memory.h"
#include "boot/log.h"
#include "boot/machine/cores.h"
#include "boot/machine/machine.h"
#include "harness/outcome/cut.h"
#include "harness/outcome/summary.h"
#include "harness/records/emulation.h"
#include "harness/records/records.h"
#include "harness/survey/restore.h"
#include "pmu/kinds/facts_read.h"

#define POOL_CHUNK (64u * 1024u - sizeof(struct pool_block))

/* The last words of a run that a trap on the boot processor ends; timed_out: the watchdog ended it.
 */
static void trapped(void *context, bool timed_out)
{
    const char *kernel = cores_work_name();
    struct run *run = context;

    if (kernel != NULL && timed_out)
        log_verdict(false, "core 0 %s runs: core 0 did not come back in %u s, and the run ends",
                    kernel, run->config.timeout);
    else if (kernel != NULL)
        log_verdict(false, "core 0 %s runs: core 0 trapped in it, and the run ends", kernel);
    else
        log_verdict(false, "the run comes to its end: core 0 trapped");
    restore_cores(&run->cores);
    restore_switches(&run->cores, &run->verdicts);
    cut_before_end(run);
    summary_trapped(run);
}

struct run *setup_run(uint64_t started)
{
    struct run *run = memory_alloc(sizeof(*run));
    struct library_entry *entries = memory_alloc(sizeof(*entries) * LIBRARY_ENTRIES);

    if (run == NULL || entries == NULL) {
        log_error("no memory for the run", NULL, NULL);
        return NULL;
    }
    run->progress.started = started;
    run->pool = (struct pool){.allocate = memory_alloc, .chunk = POOL_CHUNK};
    run->round_pool = run->pool;
    run->plan_cache.pool = &run->round_pool;
    run->library = (struct library){.entries = entries, .allocate = memory_alloc};
    config_defaults(&run->config);
    machine_set_last_words(trapped, run);
    return run;
}

void setup_machine(struct run *run)
{
    struct machine_options options;
    struct config defaults;
    struct facts facts;

    config_defaults(&defaults);
    options = config_machine(run != NULL ? &run->config : &defaults);
    if (run == NULL || !run_measures(run))
        options.cores = 1;
    machine_take(&options);
    if (run == NULL)
        return;
    /* No MSR is read: where the take-over failed, a fault would end the run in the firmware. */
    facts_identify(&facts);
    config_settle(&run->config, is_emulated(machine_facts(), &facts));
    run->time_estimated = time_is_estimated(machine_facts(), &facts);
    record_machine(machine_facts(), &facts, &run->config);
}
