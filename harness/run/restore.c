#include "restore.h"

#include "boot/machine/cores.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/machine/pmi.h"

/* Restoring a core's registers is a few hundred accesses. */
#define RESTORE_TIMEOUT_US 2000000

static void difference_found(void *core_state, uint32_t msr, uint64_t was, uint64_t is,
                             bool readable)
{
    struct measured_core *core = core_state;

    if (core->difference_count < MEASURED_CORE_DIFFERENCES) {
        core->differences[core->difference_count].msr = msr;
        core->differences[core->difference_count].was = was;
        core->differences[core->difference_count].is = is;
        core->differences[core->difference_count].readable = readable;
    }
    core->difference_count++;
}

static void restore_work(void *core_state)
{
    struct measured_core *core = core_state;

    (void)pmi_close(); /* of a sampling that a trap ended */
    cell_close();      /* likewise */
    saved_restore(&core->registers.saved, difference_found, core);
    core->restored = true;
}

void restore_after_trap(void *context, unsigned core)
{
    struct run *run = context;

    for (unsigned i = 0; i < run->core_count; i++)
        if (run->cores[i].core == core)
            restore_work(&run->cores[i]);
}

static void report_differences(const struct measured_core *core)
{
    for (unsigned i = 0; i < core->difference_count && i < MEASURED_CORE_DIFFERENCES; i++) {
        char name[40], where[64], expected[64];

        msr_name(&core->facts, core->differences[i].msr, name, sizeof(name));
        format(where, sizeof(where), "core %u, %s", core->core, name);
        if (core->differences[i].readable)
            format(expected, sizeof(expected), "0x%llx, found 0x%llx",
                   (unsigned long long)core->differences[i].was,
                   (unsigned long long)core->differences[i].is);
        else
            format(expected, sizeof(expected), "0x%llx, but reading it faults",
                   (unsigned long long)core->differences[i].was);
        log_error("a register does not hold its old value", where, expected);
    }
    log_comment("core %u: %u registers put back, %u of them differ", core->core,
                core->registers.saved.count, core->difference_count);
}

/* Counters and branch records that were already on: the firmware may be using them. */
static void report_found(const struct measured_core *core)
{
    const struct saved_registers *saved = &core->registers.saved;

    for (unsigned i = 0; i < saved->count; i++) {
        char name[40];

        if (counters_at_work(&core->facts, &saved->registers[i]))
            log_comment(
                "core %u: %s was enabled by the firmware (0x%llx); disabled while measuring",
                core->core, msr_name(&core->facts, saved->registers[i].msr, name, sizeof(name)),
                (unsigned long long)saved->registers[i].value);
    }
}

void restore_core(struct measured_core *core)
{
    enum rc rc;

    if (core->registers.saved.count == 0)
        return;
    report_found(core);
    if (core->lost) {
        if (core->restored)
            report_differences(core);
        else
            log_comment("core %u: %u registers could not be put back", core->core,
                        core->registers.saved.count);
        return;
    }
    rc = cores_run(core->core, restore_work, core, RESTORE_TIMEOUT_US);
    if (rc == RC_OK) {
        report_differences(core);
    } else {
        char where[24];

        format(where, sizeof(where), "core %u", core->core);
        log_error("putting registers back", where, rc_name(rc));
        measured_core_lose_while(core, rc, "its registers", "were put back");
    }
}

void restore_cores(struct run *run)
{
    for (unsigned i = 0; i < run->core_count; i++)
        if (!run->cores[i].restored)
            restore_core(&run->cores[i]);
}
