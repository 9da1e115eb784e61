#include "emulation.h"

#include "boot/text.h"

#define RIG_HYPERVISOR "slotscopeRIG"
#define RIG_ESTIMATES  1               /* the revision of its firmware; with --full another */
#define RIG_FIRMWARE   "slotscope rig" /* also where it plays a machine without a hypervisor */

bool is_virtual_rig(const struct machine_facts *machine, const struct facts *boot_core)
{
    return strcmp(boot_core->hypervisor_name, RIG_HYPERVISOR) == 0 ||
           strcmp(machine->firmware_vendor, RIG_FIRMWARE) == 0;
}

bool time_is_estimated(const struct machine_facts *machine, const struct facts *boot_core)
{
    return is_virtual_rig(machine, boot_core) && machine->firmware_revision == RIG_ESTIMATES;
}

bool is_emulated(const struct machine_facts *machine, const struct facts *boot_core)
{
    return boot_core->hypervisor || is_virtual_rig(machine, boot_core);
}
