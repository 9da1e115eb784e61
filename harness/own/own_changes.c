#include "own_changes.h"

#include "boot/format.h"
#include "boot/log.h"
#include "pmu/counters.h"

/* "IA32_MISC_ENABLE: 0x1 before, 0x0 after, put back" */
static void words(const struct cell_change *change, const struct facts *facts, char *text,
                  size_t size)
{
    char name[40];

    format(text, size, "%s: 0x%llx before, 0x%llx after, %s",
           change->name != NULL ? change->name : msr_name(facts, change->msr, name, sizeof(name)),
           (unsigned long long)change->was, (unsigned long long)change->is,
           change->back ? "put back" : "which cannot be put back");
}

bool own_changes_log(const struct own_kernel *own, const struct cell_report *report,
                     const struct facts *facts, unsigned core, char *text, size_t size)
{
    const unsigned count = report->change_count;
    char what[192], where[96], one[168];

    for (unsigned i = 0; i < count && i < CELL_CHANGES; i++) {
        words(&report->changes[i], facts, one, sizeof(one));
        format(what, sizeof(what), "an own kernel changed %s", one);
        format(where, sizeof(where), "core %u, kernel %s, register 0x%x", core, own->kernel.name,
               (unsigned)report->changes[i].msr);
        log_error(what, where, "a kernel that changes only what is its own");
        if (i > 0)
            continue;
        if (count == 1)
            format(text, size, "%s", one);
        else
            format(text, size, "%s; %u more", one, count - 1);
    }
    return count > 0;
}
