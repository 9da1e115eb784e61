#include "boot_waits.h"

#include "boot/machine/cores.h"

/* Threads of one core have the same APIC id, but for the bits that number the thread. */
static bool is_beside_boot_processor(const struct measured_core *core)
{
    const uint32_t apart = cores_place(core->core)->apic_id ^ cores_place(0)->apic_id;
    uint32_t ids = 1;

    while (ids < core->facts.threads_per_core)
        ids *= 2;
    return core->core != 0 && apart < ids;
}

void boot_waits_look(struct measured_core *core)
{
    if (cores_wait_in_loop() && is_beside_boot_processor(core))
        measured_core_distrust(core, "the boot processor, its sibling thread, cannot halt");
}
