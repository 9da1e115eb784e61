#include "found.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "machine/engine/state.h"
#include "pmu/pmu.h"

/* A number in C's notation, up to `end`. */
static bool number(const char *text, char end, uint64_t most, uint64_t *value, const char **rest)
{
    char *stop;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *value = strtoull(text, &stop, 0);
    *rest = stop + 1;
    return *stop == end && errno == 0 && *value <= most;
}

bool found_parse(struct found *found, const char *text)
{
    uint64_t msr, value;

    if (found->count == FOUND_REGISTERS || !number(text, '=', UINT32_MAX, &msr, &text) ||
        !number(text, '\0', UINT64_MAX, &value, &text))
        return false;
    found->entry[found->count].msr = (uint32_t)msr;
    found->entry[found->count++].value = value;
    return true;
}

const char *found_apply(const struct found *found, struct machine *machine)
{
    for (unsigned i = 0; i < found->count; i++) {
        unsigned taken = 0;

        for (unsigned core = 0; core < machine->cores; core++)
            taken += pmu_wrmsr(machine->core[core].pmu, found->entry[i].msr,
                               found->entry[i].value) == ACCESS_OK;
        if (taken == 0)
            return "--found: no processor has such a register that takes the value";
    }
    return NULL;
}

/* The registers that software sets and whose values stay: what a run changed in them and did not
 * put back changes the machine. All kinds of processors; a number that a processor lacks is
 * skipped. */
static const struct {
    uint32_t first, last;
} settings[] = {
    {0x10f, 0x10f},   /* MSR_TSX_FORCE_ABORT */
    {0x186, 0x18f},   /* IA32_PERFEVTSELx */
    {0x199, 0x19b},   /* IA32_PERF_CTL, IA32_CLOCK_MODULATION, IA32_THERM_INTERRUPT */
    {0x1a0, 0x1a0},   /* IA32_MISC_ENABLE */
    {0x1a4, 0x1a7},   /* MSR_MISC_FEATURE_CONTROL, MSR_OFFCORE_RSP_x */
    {0x1b0, 0x1b0},   /* IA32_ENERGY_PERF_BIAS */
    {0x1c8, 0x1c8},   /* MSR_LBR_SELECT */
    {0x1d9, 0x1d9},   /* IA32_DEBUGCTL */
    {0x1fc, 0x1fc},   /* MSR_POWER_CTL */
    {0x360, 0x371},   /* NetBurst: CCCRs */
    {0x38d, 0x38d},   /* IA32_FIXED_CTR_CTRL */
    {0x38f, 0x38f},   /* IA32_PERF_GLOBAL_CTRL */
    {0x39c, 0x39c},   /* what loads of L3 need on Sandy Bridge-EP */
    {0x3a0, 0x3e1},   /* NetBurst: ESCRs */
    {0x3f1, 0x3f2},   /* IA32_PEBS_ENABLE, MSR_PEBS_DATA_CFG */
    {0x3f6, 0x3f7},   /* MSR_PEBS_LD_LAT, MSR_PEBS_FRONTEND */
    {0x570, 0x570},   /* IA32_RTIT_CTL */
    {0x600, 0x600},   /* IA32_DS_AREA */
    {0x14ce, 0x14cf}, /* IA32_LBR_CTL, IA32_LBR_DEPTH */
};

/* The n-th of these registers, then those of --found; false: there are no more. */
static bool nth_register(const struct found *found, unsigned n, uint32_t *msr)
{
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
        const unsigned count = settings[i].last - settings[i].first + 1;

        *msr = settings[i].first + n;
        if (n < count)
            return true;
        n -= count;
    }
    if (n < found->count)
        *msr = found->entry[n].msr;
    return n < found->count;
}

static bool is_setting(uint32_t msr)
{
    for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
        if (msr >= settings[i].first && msr <= settings[i].last)
            return true;
    return false;
}

static unsigned registers_count(const struct found *found)
{
    uint32_t msr;
    unsigned n = 0;

    while (nth_register(found, n, &msr))
        n++;
    return n;
}

bool found_note(struct found *found, const struct machine *machine)
{
    const unsigned count = registers_count(found);
    uint32_t msr;

    found->held = calloc((size_t)count * machine->cores, sizeof(*found->held));
    if (found->held == NULL)
        return false;
    for (unsigned core = 0; core < machine->cores; core++)
        for (unsigned n = 0; nth_register(found, n, &msr); n++)
            (void)pmu_rdmsr(machine->core[core].pmu, msr, &found->held[core * count + n]);
    return true;
}

static void report(const struct core *core, uint32_t msr, uint64_t held, FILE *out)
{
    uint64_t value;

    if (pmu_rdmsr(core->pmu, msr, &value) == ACCESS_OK && value != held)
        fprintf(out,
                "rig: processor %u: MSR 0x%" PRIx32 " held 0x%" PRIx64
                " and is left with 0x%" PRIx64 "\n",
                core->index, msr, held, value);
}

void found_report(const struct found *found, const struct machine *machine, FILE *out)
{
    const unsigned count = registers_count(found);
    uint32_t msr;

    for (unsigned core = 0; core < machine->cores; core++)
        for (unsigned n = 0; nth_register(found, n, &msr); n++)
            if (n < count - found->count || !is_setting(msr))
                report(&machine->core[core], msr, found->held[core * count + n], out);
}

void found_free(struct found *found)
{
    free(found->held);
    found->held = NULL;
}
