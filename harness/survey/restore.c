#include "restore.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/machine/cores.h"
#include "boot/machine/pmi.h"
#include "harness/outcome/outcome_verdicts.h"

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

/* A package that nothing names is taken for that of every core: its cores may share. */
static bool share(const struct measured_core *a, const struct measured_core *b,
                  enum sharing sharing)
{
    if (sharing == SHARED_BY_CORE)
        return measured_core_is_sibling(a, b);
    return a != b && (a->facts.package == b->facts.package || a->facts.package == FACTS_UNKNOWN ||
                      b->facts.package == FACTS_UNKNOWN);
}

static bool has_fallen(const struct measured_core *core)
{
    return core->lost || __atomic_load_n(&core->fallen, __ATOMIC_SEQ_CST);
}

/* Whether another core, which can still be given work, set the same register. */
static bool another_puts_back(const struct run_cores *cores, const struct measured_core *core,
                              enum sharing sharing)
{
    for (unsigned i = 0; i < cores->count; i++)
        if (switches_are_set(&cores->of[i].switches) && !has_fallen(&cores->of[i]) &&
            share(&cores->of[i], core, sharing))
            return true;
    return false;
}

/* Cores that fall at the same time see each other fall: one of them puts the register back. */
static void fall(const struct run_cores *cores, struct measured_core *core)
{
    restore_work(core);
    __atomic_store_n(&core->fallen, true, __ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < core->switches.count; i++)
        if (!another_puts_back(cores, core, core->switches.list[i].sharing))
            switch_put_back(&core->switches.list[i]);
}

void restore_after_trap(void *context, unsigned core)
{
    struct run *run = context;

    for (unsigned i = 0; run->lanes.of != NULL && i <= run->lanes.count; i++)
        lane_core_ended(&run->lanes.of[i], core);
    if (core == 0)
        return; /* restore_cores follows, once the other cores have settled */
    for (unsigned i = 0; i < run->cores.count; i++)
        if (run->cores.of[i].core == core)
            fall(&run->cores, &run->cores.of[i]);
}

void restore_log_difference(const char *what, const struct measured_core *core, const char *name,
                            uint64_t was, uint64_t is, bool readable)
{
    char where[64], expected[64];

    format(where, sizeof(where), "core %u, %s", core->core, name);
    if (readable)
        format(expected, sizeof(expected), "0x%llx, found 0x%llx", (unsigned long long)was,
               (unsigned long long)is);
    else
        format(expected, sizeof(expected), "0x%llx, but reading it faults",
               (unsigned long long)was);
    log_error(what, where, expected);
}

static void report_difference(const struct measured_core *core, uint32_t msr, uint64_t was,
                              uint64_t is, bool readable)
{
    char name[40];

    restore_log_difference("a register does not hold its old value", core,
                           msr_name(&core->facts, msr, name, sizeof(name)), was, is, readable);
}

static void report_differences(const struct measured_core *core)
{
    for (unsigned i = 0; i < core->difference_count && i < MEASURED_CORE_DIFFERENCES; i++)
        report_difference(core, core->differences[i].msr, core->differences[i].was,
                          core->differences[i].is, core->differences[i].readable);
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

static void lose(struct measured_core *core, enum rc rc)
{
    char where[24];

    format(where, sizeof(where), "core %u", core->core);
    log_error("putting registers back", where, rc_name(rc));
    measured_core_lose_while(core, rc, "its registers", "were put back");
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
    if (rc == RC_OK)
        report_differences(core);
    else
        lose(core, rc);
}

void restore_cores(struct run_cores *cores)
{
    for (unsigned i = 0; i < cores->count; i++)
        if (!cores->of[i].restored)
            restore_core(&cores->of[i]);
}

/* Runs `work` with its switches on each core that set some. */
static void on_each(struct run_cores *cores, void (*work)(void *switches))
{
    for (unsigned i = 0; i < cores->count; i++) {
        struct measured_core *core = &cores->of[i];
        enum rc rc = RC_OK;

        if (!core->lost && switches_are_set(&core->switches))
            rc = cores_run(core->core, work, &core->switches, RESTORE_TIMEOUT_US);
        if (rc != RC_OK)
            lose(core, rc);
    }
}

static void read_work(void *switches)
{
    switches_read(switches);
}

static void put_back_work(void *argument)
{
    struct switches *switches = argument;

    for (unsigned i = 0; i < switches->count; i++)
        switch_put_back(&switches->list[i]);
}

/* Not held: something switched on again what the run's results are said to be without. */
static void judge_held(struct run_verdicts *verdicts, const struct measured_core *core,
                       const struct switch_off *one)
{
    char name[40];

    if (core->lost || !one->set || switch_holds(one))
        return;
    outcome_verdicts_log_text(
        verdicts, false, "core %u %s = off to the end: %s is 0x%llx", core->core, one->name,
        msr_name(&core->facts, one->msr, name, sizeof(name)), (unsigned long long)one->is);
}

/* What became of a switch: 1 when it was put back and differs. */
static unsigned report_switch(const struct run_cores *cores, const struct measured_core *core,
                              struct switch_off *one)
{
    const bool differs = one->put_back && (!one->readable || one->is != one->found);

    if (differs)
        report_difference(core, one->msr, one->found, one->is, one->readable);
    if (one->set && !one->put_back && !another_puts_back(cores, core, one->sharing))
        log_comment("core %u: %s could not be put back", core->core, one->name);
    return differs;
}

static void report_switches(struct run_cores *cores)
{
    unsigned put_back = 0, differ = 0;

    for (unsigned i = 0; i < cores->count; i++) {
        struct switches *switches = &cores->of[i].switches;

        for (unsigned k = 0; k < switches->count; k++) {
            differ += report_switch(cores, &cores->of[i], &switches->list[k]);
            put_back += switches->list[k].put_back;
        }
    }
    log_comment("turbo and prefetchers: %u registers put back, %u of them differ", put_back,
                differ);
}

static bool any_set(const struct run_cores *cores)
{
    for (unsigned i = 0; i < cores->count; i++)
        if (switches_are_set(&cores->of[i].switches))
            return true;
    return false;
}

void restore_switches(struct run_cores *cores, struct run_verdicts *verdicts)
{
    if (!any_set(cores))
        return;
    on_each(cores, read_work);
    for (unsigned i = 0; i < cores->count; i++)
        for (unsigned k = 0; k < cores->of[i].switches.count; k++)
            judge_held(verdicts, &cores->of[i], &cores->of[i].switches.list[k]);
    on_each(cores, put_back_work);
    on_each(cores, read_work); /* a core that shares the register may have written it since */
    report_switches(cores);
    for (unsigned i = 0; i < cores->count; i++)
        cores->of[i].switches.count = 0;
}
