/* The run, in its order. */
#include "boot/clock.h"
#include "boot/log.h"
#include "boot/machine/machine.h"
#include "harness/run/series.h"
#include "harness/run/summary.h"
#include "harness/run/survey.h"
#include "harness/setup/setup.h"
#include "harness/setup/setup_config.h"
#include "harness/setup/setup_descriptions.h"
#include "harness/setup/setup_kernels.h"
#include "harness/setup/setup_memory.h"

/* The entry point: boot/start.asm calls it with the firmware's two arguments, by the System V
 * convention. Returns EFI_SUCCESS. */
uint64_t efi_main(void *image, void *system_table);

uint64_t efi_main(void *image, void *system_table)
{
    const uint64_t started = clock_now();
    struct run *run;

    machine_start(image, system_table);
    log_start();
    run = setup_run(started);
    if (run != NULL) {
        setup_config(run);
        setup_descriptions(run);
        setup_machine(run);
        setup_kernels(run);
        survey_cores(run);
        if (setup_memory(run))
            series_run(run);
        summary_print(run);
        summary_end(run, run->refused ? "configuration" : "complete");
    } else {
        setup_machine(NULL);
        summary_end(NULL, "no memory");
    }
    log_finish();
    machine_end();
    return 0;
}
