#include "machine.h"

#include "apic.h"
#include "boot/cpu.h"
#include "boot/firmware/acpi_tables.h"
#include "boot/firmware/smbios_tables.h"
#include "boot/firmware/clock_start.h"
#include "boot/firmware/firmware.h"
#include "boot/firmware/memory.h"
#include "boot/firmware/memory_map.h"
#include "boot/firmware/mp_services.h"
#include "boot/firmware/pci_windows.h"
#include "boot/firmware/screen.h"
#include "boot/firmware/serial_line.h"
#include "boot/firmware/watchdogs.h"
#include "boot/format.h"
#include "boot/log.h"
#include "boot/text.h"
#include "cores.h"
#include "cores_start.h"
#include "descriptors.h"
#include "memory/paging.h"
#include "ring_3.h"
#include "memory/stacks.h"
#include "trap.h"

#define ARGUMENTS_MAX   1024
#define BYTE_ORDER_MARK 0xfeff
#define EXIT_ATTEMPTS   4
#define SETTLE_US       5000000 /* for other cores' work when the boot processor traps */

static struct {
    char arguments[ARGUMENTS_MAX];
    const char *arguments_dropped; /* why there are none; null: they are as they were given */
    struct machine_facts facts;
    enum machine_end end;
    bool taken;
    void (*last_words)(void *context, bool timed_out);
    void *last_words_context;
    unsigned landings; /* unexpected traps of the boot processor */
} self;

/* --- hand-over ------------------------------------------------------------------------------- */

/* The unit as ASCII, what parts words as a blank; 0: it is no text. */
static char narrow(CHAR16 unit)
{
    if (unit == '\t' || unit == '\r' || unit == '\n')
        return ' ';
    return unit >= ' ' && unit <= '~' ? (char)unit : 0;
}

/* A boot entry's load options may be any bytes: they are words only when each unit of them is
 * ASCII. A file of them may have a byte order mark (`bcfg boot -opt`). Else they are none, and
 * self.arguments_dropped says why. */
static void take_words(const CHAR16 *options, size_t count)
{
    size_t length = 0;

    for (size_t i = count > 0 && options[0] == BYTE_ORDER_MARK ? 1 : 0; i < count && options[i];
         i++) {
        const char c = narrow(options[i]);

        if (c == 0)
            self.arguments_dropped = "they are no ASCII text";
        else if (length == ARGUMENTS_MAX - 1)
            self.arguments_dropped = "they are too long";
        if (self.arguments_dropped != NULL) {
            length = 0;
            break;
        }
        self.arguments[length++] = c;
    }
    self.arguments[length] = '\0';
}

/* A shell puts the image's own name in front; it is blanked. */
static void read_arguments(const EFI_LOADED_IMAGE *loaded)
{
    const CHAR16 *options = loaded != NULL ? loaded->LoadOptions : NULL;
    char *text = self.arguments;
    size_t length = 0;

    take_words(options, options != NULL ? loaded->LoadOptionsSize / sizeof(*options) : 0);
    while (text[length] && text[length] != ' ')
        length++;
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
    map = memory_map_read();
    self.facts.memory_known = map != NULL;
    for (unsigned i = 0; map != NULL && i < memory_map_count(map); i++)
        if (memory_map_entry(map, i)->Type == EfiConventionalMemory)
            self.facts.memory_bytes += memory_map_entry(map, i)->NumberOfPages * 4096;
}

uint64_t machine_run(uint64_t (*run)(void *argument), void *argument)
{
    const uint64_t status = stacks_run(run, argument);

    memory_release();
    return status;
}

const char *machine_arguments(void)
{
    return self.arguments;
}

const struct machine_facts *machine_facts(void)
{
    return &self.facts;
}

/* --- a trap that ends the run ---------------------------------------------------------------- */

/* An unexpected trap of the boot processor continues here, and so does a trap in one of these
 * cases: then the next case is done. */
static void last_landing(void)
{
    switch (self.landings++) {
    case 0:
        (void)log_into(LOG_BOTH); /* the trap may have come while lines were one form's alone */
        cores_settle(SETTLE_US);  /* a working core's interrupt must not reach the firmware */
        trap_report(trap_state_of(0), 0);
        if (self.last_words != NULL)
            self.last_words(self.last_words_context, trap_state_of(0)->called_off);
        /* fall through */
    case 1:
        log_finish();
        /* fall through */
    case 2:
        (void)machine_end(false);
        firmware_exit(); /* `end = return`: this stack has nowhere to return to */
        /* fall through */
    default:
        halt_forever();
    }
}

void machine_set_last_words(void (*last_words)(void *context, bool timed_out), void *context)
{
    self.last_words = last_words;
    self.last_words_context = context;
}

/* --- taking the machine ---------------------------------------------------------------------- */

/* Below 4 GiB every address is mapped. */
static enum rc map_serial_line(void)
{
    uint64_t start, end;
    enum rc rc = RC_OK;

    for (unsigned i = 0; rc == RC_OK && serial_line_range(i, &start, &end); i++)
        if (end > 1ull << 32)
            rc = paging_map_device(start, end);
    return rc;
}

/* Allocates what must be allocated with boot services alive. */
static enum rc build(const struct machine_options *options)
{
    const struct memory_map *map = memory_map_read();
    enum rc rc;

    if (map == NULL)
        return RC_FIRMWARE;
    rc = descriptors_build(cores_count(), options->ring_3);
    if (rc == RC_OK)
        rc = paging_build(map, options->page_shift);
    if (rc == RC_OK)
        rc = map_serial_line();
    if (rc == RC_OK)
        rc = cores_prepare(last_landing);
    if (rc == RC_OK && options->ring_3)
        rc = ring_3_prepare(cores_count());
    return rc;
}

/* Several attempts: a timer event of the firmware may change the map between the two calls, and
 * then the key is stale. */
static enum rc exit_boot_services(void)
{
    for (int attempt = 0; attempt < EXIT_ATTEMPTS; attempt++) {
        const struct memory_map *map = memory_map_read();

        if (map == NULL)
            return RC_FIRMWARE;
        if (firmware_exit_boot_services(map->key) == RC_OK)
            return RC_OK;
    }
    return RC_FIRMWARE;
}

/* The firmware's text console goes with boot services; what it shows last stays on the screen. */
static void draw_farewell(void)
{
    static const char text[] = "boot services end: results are on the serial line only";
    struct screen_page page = {0};

    memcpy(page.text[0], "slotscope", strlen("slotscope"));
    memcpy(page.text[2], text, strlen(text));
    screen_draw(&page);
}

static void leave_boot_services(void)
{
    if (!console_serial_is_sure()) {
        log_error(console_has_serial()
                      ? "the serial line may lead nowhere, and the log with it: boot services stay"
                      : "without a serial line the log would go nowhere: boot services stay",
                  self.facts.serial,
                  "for exclusive = yes a serial line that the configuration, SPCR or DBG2 names, "
                  "or with CTS, DSR or DCD set");
        return;
    }
    log_comment("boot services end here: what follows is on the serial line only");
    log_flush();
    console_close_stick();
    draw_farewell();
    if (exit_boot_services() != RC_OK)
        log_error("boot services do not end; the run goes on with them, without the log file",
                  "ExitBootServices", "success");
    self.facts.boot_services = firmware()->boot != NULL;
}

/* The log's sinks, and what they need: tables that name the line, and a clock for deadlines. */
static void start_console(const struct machine_options *options, struct acpi_tables *tables)
{
    console_stick_up(options->console.log_name, options->console.stick_form);
    if (firmware()->loaded == NULL)
        log_error("the firmware does not say what it loaded: no load options and no stick",
                  "EFI_LOADED_IMAGE_PROTOCOL", "a protocol on the image's handle");
    if (self.arguments_dropped != NULL)
        log_comment("load options, %llu bytes, are ignored: %s",
                    (unsigned long long)firmware()->loaded->LoadOptionsSize,
                    self.arguments_dropped);
    log_phase("SMBIOS and ACPI tables");
    smbios_tables_read(&self.facts.smbios);
    acpi_tables_read(tables);
    pci_windows_start(tables);
    log_phase("the clock's rate");
    clock_start(tables->fadt == RC_OK ? &tables->timer : NULL);
    log_phase("serial line and screen");
    console_up(&options->console, tables, self.facts.serial, sizeof(self.facts.serial));
    watchdogs_log(tables);
}

static void find_cores(const struct acpi_tables *tables, unsigned most)
{
    enum rc rc;

    log_phase("local APIC");
    rc = apic_start();
    if (rc != RC_OK)
        log_error("no local APIC: only the boot processor is used", "IA32_APIC_BASE",
                  "an enabled local APIC");
    cores_list(rc == RC_OK ? &tables->processors : NULL, most);
    self.facts.cores_found = tables->processors.count + tables->processors.left_out;
    if (tables->processors.left_out)
        log_error("more processors than this program can hold; the rest is not used", "MADT",
                  "at most 1024");
    format(self.facts.apic_mode, sizeof(self.facts.apic_mode),
           rc != RC_OK    ? "none"
           : apic_is_x2() ? "x2apic"
                          : "xapic");
}

/* Whether the firmware goes on with the memory in which the other processors halt. Where it does
 * not, they stay halted: one that waits for a start-up message instead answers no SMI, and a reset
 * or power-off may be one. */
static bool gives_memory_back(void)
{
    return self.end == END_RETURN && firmware()->boot != NULL;
}

/* What becomes of the other processors when the image returns. Nothing can be logged then. */
static void tell_return(void)
{
    if (!gives_memory_back() || self.facts.cores_started < 2)
        return;
    log_comment(
        mp_services_there()
            ? "end = return: the firmware gets its processors back through its MP services"
            : "end = return: the firmware has no MP services: the other processors wait for "
              "a start-up message then");
}

void machine_take(const struct machine_options *options)
{
    struct acpi_tables tables;
    struct context own;
    enum rc rc;

    self.end = options->end;
    start_console(options, &tables);
    find_cores(&tables, options->cores);

    log_phase("page tables, descriptor tables and stacks");
    rc = build(options);
    if (rc != RC_OK) {
        log_error("the processor cannot be taken over; nothing can be measured", rc_name(rc),
                  "memory for tables and stacks");
        cores_list(NULL, 1);
        return;
    }
    if (options->exclusive)
        leave_boot_services();
    log_phase("own page tables and descriptor tables are loaded");
    own = descriptors_context(0);
    firmware_own(&own);
    self.taken = true;
    cores_boot_ready();
    log_phase("the other processors start");
    cores_start_others();
    self.facts.cores_started = cores_online();
    tell_return();
}

/* --- the end --------------------------------------------------------------------------------- */

/* When the server does not take it, the screen says so below what the run came to. */
static bool send_to_server(void)
{
    const bool sent = console_send_to_server();

    if (!sent)
        screen_draw_again(" The log: the server does not take it: the machine stays on");
    return sent;
}

/* Firmware that waits for a processor that it did not get back waits without an end. */
static void give_processors_back(void)
{
    cores_stop_others();
    if (cores_count() < 2 || mp_services_give_back(cores_was_started) != RC_FIRMWARE)
        return;
    screen_draw_again(" The firmware does not take its processors back: the machine is reset");
    self.end = END_REBOOT;
}

uint64_t machine_end(bool complete)
{
    const struct firmware *fw = firmware();
    EFI_STATUS status;
    bool sent, kept;

    log_flush();
    sent = console_serial_has_all();
    kept = sent || console_stick_has_all();
    console_close_stick();
    console_end();
    if (self.taken && gives_memory_back())
        give_processors_back();
    firmware_release();
    self.taken = false;
    if (!kept && console_has_server())
        kept = send_to_server();
    status = complete && (kept || console_has_serial()) ? EFI_SUCCESS : EFI_ABORTED;

    if (!kept && (self.end == END_POWEROFF || self.end == END_REBOOT))
        self.end = END_HALT; /* the screen is all there is */

    switch (self.end) {
    case END_POWEROFF:
        firmware_enter();
        fw->runtime->ResetSystem(EfiResetShutdown, status, 0, NULL);
        break;
    case END_REBOOT:
        firmware_enter();
        fw->runtime->ResetSystem(EfiResetCold, status, 0, NULL);
        break;
    case END_HALT:
        break;
    case END_RETURN:
        if (fw->boot != NULL) {
            return status;
        }
        break; /* nobody is left to return to */
    }
    halt_forever();
}
