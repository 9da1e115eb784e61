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

void found_report(const struct found *found, const struct machine *machine, FILE *out)
{
    for (unsigned i = 0; i < found->count; i++)
        for (unsigned core = 0; core < machine->cores; core++) {
            uint64_t value;

            if (pmu_rdmsr(machine->core[core].pmu, found->entry[i].msr, &value) == ACCESS_OK &&
                value != found->entry[i].value)
                fprintf(out,
                        "rig: processor %u: MSR 0x%" PRIx32 " held 0x%" PRIx64
                        " and is left with 0x%" PRIx64 "\n",
                        core, found->entry[i].msr, found->entry[i].value, value);
        }
}
