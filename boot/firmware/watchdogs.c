#include "watchdogs.h"

#include <stddef.h>

#include "boot/cpu.h"
#include "boot/log.h"
#include "boot/pci/pci.h"
#include "boot/pci/pci_tco.h"
#include "boot/smbios.h"
#include "firmware.h"

/* Whether the function leads to the timer. */
static bool look_for_tco(uint32_t where)
{
    const uint32_t id = pci_read(where, PCI_ID);
    uint16_t port, control;

    if (!pci_tco(where, &port))
        return false;
    control = port_in16((uint16_t)(port + TCO1_CNT));
    log_comment("watchdog: the TCO timer of %04x:%04x, ports from 0x%x on, is %s", id & 0xffff,
                id >> 16, port,
                control & TCO_TMR_HLT
                    ? "halted"
                    : "not halted: it may reset the machine, and the log would only be cut short");
    return true;
}

static const char *who_names_bmc(const struct acpi_tables *tables)
{
    const void *entry = firmware_smbios();
    uint64_t address;
    size_t size;

    if (tables->spmi)
        return "ACPI's SPMI";
    if (entry != NULL && smbios_table(entry, &address, &size) == RC_OK &&
        smbios_has((const void *)(uintptr_t)address, size, SMBIOS_IPMI))
        return "SMBIOS";
    return NULL;
}

void watchdogs_log(const struct acpi_tables *tables)
{
    const char *names = who_names_bmc(tables);

    for (unsigned function = 0; function < 8; function++)
        if (look_for_tco(PCI_FUNCTION(0, PCI_TCO_DEVICE, function)))
            break;
    if (tables->watchdog != NULL)
        log_comment("watchdog: ACPI's %s describes one; whether it runs is not known",
                    tables->watchdog);
    if (names != NULL)
        log_comment(
            "watchdog: %s names a management controller (BMC); whether its watchdog runs is "
            "not known",
            names);
}
