#include "machine.h"

#include "acpi.h"
#include "apic.h"
#include "clock_start.h"
#include "console.h"
#include "context.h"
#include "cores.h"
#include "cores_start.h"
#include "cpu.h"
#include "firmware.h"
#include "format.h"
#include "log.h"
#include "memory.h"
#include "paging.h"
#include "serial.h"
#include "text.h"
#include "trap.h"

#define ARGUMENTS_MAX 1024

static struct {
    char arguments[ARGUMENTS_MAX];
    struct machine_facts facts;
    enum machine_end end;
    bool taken;
} self;

/* --- hand-over ------------------------------------------------------------------------------- */

/* A boot entry's load options may be any bytes: they are words only when every unit of them is
 * printable ASCII. A shell puts the image's own name in front, which is not for us. */
static void read_arguments(const EFI_LOADED_IMAGE *loaded)
{
    const CHAR16 *options = loaded != NULL ? loaded->LoadOptions : NULL;
    size_t count = options != NULL ? loaded->LoadOptionsSize / sizeof(*options) : 0, length = 0;
    char *text = self.arguments;

    for (size_t i = 0; i < count && options[i]; i++) {
        if (options[i] < ' ' || options[i] > '~' || length == ARGUMENTS_MAX - 1) {
            length = 0;
            break;
        }
        text[length++] = (char)options[i];
    }
    text[length] = '\0';

    for (length = 0; text[length] && text[length] != ' '; length++)
        ;
    if (length >= 4 && text[length - 4] == '.' && (text[length - 3] | 0x20) == 'e' &&
        (text[length - 2] | 0x20) == 'f' && (text[length - 1] | 0x20) == 'i')
        memset(text, ' ', length);
}

static void read_vendor(const CHAR16 *vendor)
{
    size_t i = 0;

    for (; vendor != NULL && vendor[i] && i < sizeof(self.facts.firmware_vendor) - 1; i++)
        self.facts.firmware_vendor[i] =
            vendor[i] >= ' ' && vendor[i] <= '~' ? (char)vendor[i] : '?';
    self.facts.firmware_vendor[i] = '\0';
}

void machine_start(void *image, void *system_table)
{
    const EFI_SYSTEM_TABLE *table = system_table;
    const struct memory_map *map;

    firmware_start(image, system_table);
    console_start();
    read_arguments(firmware()->loaded);
    read_vendor(table->FirmwareVendor);
    self.facts.firmware_revision = table->FirmwareRevision;
    self.facts.uefi_revision = table->Hdr.Revision;
    self.facts.boot_services = true;
    self.facts.cores_found = 1;
    map = memory_map_read();
    for (unsigned i = 0; map != NULL && i < memory_map_count(map); i++)
        if (memory_map_entry(map, i)->Type == EfiConventionalMemory)
            self.facts.memory_bytes += memory_map_entry(map, i)->NumberOfPages * 4096;
}

const char *machine_arguments(void)
{
    return self.arguments;
}

const struct machine_facts *machine_facts(void)
{
    return &self.facts;
}

bool machine_exclusive(void)
{
    return self.taken && firmware()->boot == NULL;
}

/* --- taking the machine ---------------------------------------------------------------------- */

struct tables {
    struct acpi_processors processors;
    struct acpi_serial serial;
    struct acpi_timer timer;
    enum rc madt, spcr, fadt; /* RC_ABSENT: no such table */
};

static void read_table(const void *table, struct tables *tables)
{
    size_t size;

    if (memcmp(table, "APIC", 4) == 0) {
        tables->madt = acpi_check(table, "APIC", &size);
        if (tables->madt == RC_OK)
            tables->madt = acpi_madt(table, size, &tables->processors);
    } else if (memcmp(table, "SPCR", 4) == 0) {
        tables->spcr = acpi_check(table, "SPCR", &size);
        if (tables->spcr == RC_OK)
            tables->spcr = acpi_spcr(table, size, &tables->serial);
    } else if (memcmp(table, "FACP", 4) == 0) {
        tables->fadt = acpi_check(table, "FACP", &size);
        if (tables->fadt == RC_OK)
            tables->fadt = acpi_fadt(table, size, &tables->timer);
    }
}

static void read_tables(struct tables *tables)
{
    const void *rsdp = firmware_rsdp(), *root;
    uint64_t address;
    size_t size;
    bool wide;

    memset(tables, 0, sizeof(*tables));
    tables->madt = tables->spcr = tables->fadt = RC_ABSENT;
    if (rsdp == NULL) {
        log_error("the firmware has no ACPI tables: one core, no timer", "RSDP",
                  "an ACPI configuration table");
        return;
    }
    if (acpi_root(rsdp, &address, &wide) != RC_OK) {
        log_error("ACPI root pointer is damaged", "RSDP", "signature and checksum");
        return;
    }
    root = (const void *)(uintptr_t)address;
    if (acpi_check(root, wide ? "XSDT" : "RSDT", &size) != RC_OK) {
        log_error("ACPI root table is damaged", wide ? "XSDT" : "RSDT",
                  "signature, length and checksum");
        return;
    }
    for (unsigned i = 0; i < acpi_entries(size, wide); i++) {
        address = acpi_entry(root, wide, i);
        if (address)
            read_table((const void *)(uintptr_t)address, tables);
    }
    if (tables->madt != RC_OK)
        log_error("the list of processors is missing or damaged", "MADT",
                  "signature, checksum, whole entries");
    if (tables->spcr == RC_BAD_INPUT)
        log_error("the serial console table is damaged", "SPCR", "signature, length and checksum");
    if (tables->fadt == RC_BAD_INPUT)
        log_error("the fixed description table is damaged", "FADT",
                  "signature, length and checksum");
}

/* What has to be allocated while boot services live. */
static enum rc build(const struct machine_options *options)
{
    const struct memory_map *map = memory_map_read();
    enum rc rc;

    if (map == NULL)
        return RC_FIRMWARE;
    rc = context_build(cores_count());
    if (rc == RC_OK)
        rc = paging_build(map, options->page_shift);
    if (rc != RC_OK)
        return rc;
    memory_map_arenas();
    return cores_prepare();
}

static void leave_boot_services(void)
{
    if (!console_has_serial()) {
        log_error("without a serial line the log would go nowhere: boot services stay",
                  self.facts.serial, "a serial line for exclusive = yes");
        return;
    }
    log_comment("boot services end here: what follows is on the serial line only");
    console_flush();
    console_close_stick();
    if (firmware_exit_boot_services() != RC_OK)
        log_error("boot services do not end; the run goes on beside them, without the log file",
                  "ExitBootServices", "success");
    self.facts.boot_services = firmware()->boot != NULL;
}

void machine_take(const struct machine_options *options)
{
    struct tables tables;
    enum rc rc;

    self.end = options->end;
    if (firmware()->loaded == NULL)
        log_error("the firmware does not say what it loaded: no load options and no stick",
                  "EFI_LOADED_IMAGE_PROTOCOL", "a protocol on the image's handle");
    read_tables(&tables);
    clock_start(tables.fadt == RC_OK ? &tables.timer : NULL);
    console_up(options, tables.spcr == RC_OK ? &tables.serial : NULL, &self.facts);

    rc = apic_start();
    if (rc != RC_OK)
        log_error("no local APIC: only the boot processor is used", "IA32_APIC_BASE",
                  "an enabled local APIC");
    self.facts.cores_found = cores_list(rc == RC_OK ? &tables.processors : NULL, options->cores);
    if (tables.processors.left_out)
        log_error("more processors than this program can hold; the rest is not used", "MADT",
                  "at most 256");
    format(self.facts.apic_mode, sizeof(self.facts.apic_mode),
           rc != RC_OK    ? "none"
           : apic_is_x2() ? "x2apic"
                          : "xapic");

    rc = build(options);
    if (rc != RC_OK) {
        log_error("the processor cannot be taken over; nothing can be measured", rc_name(rc),
                  "memory for tables and stacks");
        cores_list(NULL, 1);
        return;
    }
    if (options->exclusive)
        leave_boot_services();
    firmware_own();
    self.taken = true;
    cores_boot_ready();
    cores_start_others();
    self.facts.cores_started = cores_online();
}

/* --- the end --------------------------------------------------------------------------------- */

void machine_end(void)
{
    const struct firmware *fw = firmware();

    console_flush();
    console_close_stick();
    serial_drain();
    if (self.taken)
        cores_stop_others();
    firmware_release();
    self.taken = false;

    switch (self.end) {
    case END_POWEROFF:
        fw->runtime->ResetSystem(EfiResetShutdown, EFI_SUCCESS, 0, NULL);
        break;
    case END_REBOOT:
        fw->runtime->ResetSystem(EfiResetCold, EFI_SUCCESS, 0, NULL);
        break;
    case END_HALT:
        break;
    case END_RETURN:
        if (fw->boot != NULL) {
            if (!trap_has_landed()) /* the stack this stands on would go too */
                memory_release();
            return;
        }
        break; /* nobody is left to return to */
    }
    halt_forever();
}
