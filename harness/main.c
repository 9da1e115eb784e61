/* The run, in its order. */
#include "boot/clock.h"
#include "boot/log.h"
#include "boot/machine/machine.h"
#include "boot/machine/run_nonce.h"
#include "harness/outcome/cut.h"
#include "harness/outcome/summary.h"
#include "harness/run/line_time.h"
#include "harness/series/loop.h"
#include "harness/setup/setup.h"
#include "harness/setup/setup_config.h"
#include "harness/setup/setup_descriptions.h"
#include "harness/setup/setup_kernels.h"
#include "harness/setup/setup_memory.h"
#include "harness/setup/setup_own.h"
#include "harness/survey/restore.h"
#include "harness/survey/settings.h"
#include "harness/survey/survey.h"

/* The entry point: boot/start.asm calls it with the firmware's two arguments, by the System V
 * convention. Returns an EFI_STATUS: EFI_ABORTED after a run that was not complete. */
uint64_t efi_main(void *image, void *system_table);

static uint64_t run_all(void *argument)
{
    const uint64_t *started = argument;
    struct run *run;
    bool complete;

    log_start(run_nonce(machine_arguments()));
    run = setup_run(*started);
    if (run != NULL) {
        setup_own(&run->own, &run->pool, &run->complaints);
        setup_config(&run->config, run->own, &run->complaints);
        setup_descriptions(&run->library, &run->config, &run->complaints);
        setup_machine(run);
        setup_kernels(run);
        survey_cores(run);
        if (setup_memory(run)) {
            line_time_log(&run->config, &run->experiments, run->cores.count);
            loop_run(run);
        }
        settings_check(&run->cores, run->own, &run->verdicts);
        restore_switches(&run->cores, &run->verdicts);
        summary_judge(run);
        summary_print(run);
        cut_before_end(run);
        complete = summary_end(run);
    } else {
        setup_machine(NULL);
        log_verdict(false, "a core is measured: no memory for the run");
        cut_before_end(NULL);
        complete = summary_end(NULL);
    }
    log_finish();
    return machine_end(complete);
}

uint64_t efi_main(void *image, void *system_table)
{
    uint64_t started = clock_now();

    machine_start(image, system_table);
    return machine_run(run_all, &started);
}
