#include "firmware.h"

#include "boot/clock.h"
#include "boot/cpu.h"
#include "boot/text.h"
#include "boot/context/crossing.h"

static struct {
    struct firmware firmware;
} self;

void firmware_start(void *image, void *system_table)
{
    EFI_GUID loaded_image = LOADED_IMAGE_PROTOCOL;
    EFI_SYSTEM_TABLE *table = system_table;
    void *loaded = NULL;

    self.firmware = (struct firmware){
        .image = image,
        .table = table,
        .boot = table->BootServices,
        .runtime = table->RuntimeServices,
    };
    firmware_enter();
    if (!EFI_ERROR(table->BootServices->HandleProtocol(image, &loaded_image, &loaded)))
        self.firmware.loaded = loaded;
    table->BootServices->SetWatchdogTimer(0, 0, 0, NULL);
    firmware_leave();
}

const struct firmware *firmware(void)
{
    return &self.firmware;
}

void firmware_own(const struct context *own)
{
    crossing_own(own, self.firmware.boot != NULL);
}

void firmware_release(void)
{
    crossing_release();
}

/* The configuration table of the first GUID, or else of the second. */
static const void *table_of(const EFI_GUID *first, const EFI_GUID *second)
{
    const EFI_SYSTEM_TABLE *table = self.firmware.table;
    const void *found = NULL;

    for (UINTN i = 0; i < table->NumberOfTableEntries; i++) {
        const EFI_CONFIGURATION_TABLE *entry = &table->ConfigurationTable[i];

        if (!memcmp(&entry->VendorGuid, first, sizeof(*first)))
            return entry->VendorTable;
        if (!memcmp(&entry->VendorGuid, second, sizeof(*second)))
            found = entry->VendorTable;
    }
    return found;
}

const void *firmware_rsdp(void)
{
    static const EFI_GUID acpi_2 = ACPI_20_TABLE_GUID, acpi_1 = ACPI_TABLE_GUID;

    return table_of(&acpi_2, &acpi_1);
}

const void *firmware_smbios(void)
{
    static const EFI_GUID smbios_3 = SMBIOS3_TABLE_GUID, smbios = SMBIOS_TABLE_GUID;

    return table_of(&smbios_3, &smbios);
}

enum rc firmware_exit_boot_services(UINTN key)
{
    EFI_STATUS status;

    firmware_enter();
    status = self.firmware.boot->ExitBootServices(self.firmware.image, key);
    firmware_leave();
    if (EFI_ERROR(status))
        return RC_FIRMWARE;
    interrupts_off();
    self.firmware.boot = NULL;
    return RC_OK;
}

void firmware_exit(void)
{
    if (self.firmware.boot == NULL)
        return;
    firmware_enter();
    self.firmware.boot->Exit(self.firmware.image, EFI_ABORTED, 0, NULL);
    firmware_leave();
}

void firmware_wait(uint64_t microseconds)
{
    struct deadline deadline;

    if (self.firmware.boot != NULL) {
        firmware_enter();
        self.firmware.boot->Stall(microseconds);
        firmware_leave();
        return;
    }
    deadline = clock_deadline(microseconds);
    while (!clock_passed(&deadline))
        pause();
}
