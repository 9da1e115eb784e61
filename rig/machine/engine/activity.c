#include "activity.h"

#include <inttypes.h>
#include <string.h>

#include "clock.h"
#include "device/platform.h"
#include "trap.h"

static const char *const names[STAND_COUNT] = {"runs",  "halted",        "halted_off",
                                               "mwait", "wait_for_sipi", "stuck"};

/* A halted core does not change whether it takes interrupts. */
static enum stand stand_of(const struct core *core)
{
    switch (core->activity) {
    case ACTIVITY_HALTED:
        return trap_takes_interrupts(core) ? STAND_HALTED : STAND_HALTED_OFF;
    case ACTIVITY_MWAIT:
        return STAND_MWAIT;
    case ACTIVITY_WAIT_SIPI:
        return STAND_WAIT_SIPI;
    case ACTIVITY_STUCK:
        return STAND_STUCK;
    case ACTIVITY_RUNNING:
        break;
    }
    return STAND_RUNS;
}

void activity_set(struct core *core, enum activity activity, uint64_t cycle)
{
    struct stands *stands = &core->stands;
    const uint64_t now = machine_ticks(core->machine, cycle);

    if (core->activity == ACTIVITY_WAIT_SIPI && activity == ACTIVITY_RUNNING &&
        stands->starts++ == 0)
        memset(stands->ticks, 0, sizeof(stands->ticks));
    else
        stands->ticks[stand_of(core)] += now - stands->since;
    stands->since = now;
    core->activity = activity;
}

static void write_core(const struct core *core, uint64_t end, FILE *out)
{
    const enum stand stand = stand_of(core);

    fprintf(out, "{\"processor\":%u,\"spurious\":\"0x%" PRIx32 "\",\"timer\":\"0x%" PRIx32 "\"",
            core->index, core->apic.spurious, core->apic.lvt[LVT_TIMER]);
    fprintf(out, ",\"stands\":\"%s\",\"inits\":%u,\"starts\":%u", names[stand], core->inits,
            core->stands.starts);
    for (enum stand i = 0; i < STAND_COUNT; i++) {
        uint64_t ticks = core->stands.ticks[i];

        if (i == stand && end > core->stands.since)
            ticks += end - core->stands.since;
        fprintf(out, ",\"%s\":%" PRIu64, names[i], ticks / core->machine->tsc_mhz);
    }
    fputs("}\n", out);
}

void activity_write(const struct machine *machine, FILE *out)
{
    uint64_t end = 0;

    for (unsigned i = 0; i < machine->cores; i++)
        if (core_ticks(&machine->core[i]) > end)
            end = core_ticks(&machine->core[i]);
    for (unsigned i = 0; i < machine->cores; i++)
        write_core(&machine->core[i], end, out);
}
