#include "services.h"

#include "boot/cpu.h"
#include "boot/text.h"
#include "module_files.h"
#include "pc.h"
#include "smbios_entry.h"

#define TEXT_MAX 1024
#define ESC_CODE 0x01

static struct {
    const struct boot_information *information;
    struct pages *pages;
    EFI_SYSTEM_TABLE system;
    EFI_BOOT_SERVICES boot;
    EFI_RUNTIME_SERVICES runtime;
    EFI_LOADED_IMAGE loaded;
    EFI_FILE_IO_INTERFACE *volume;
    EFI_CONFIGURATION_TABLE tables[2];
    SIMPLE_TEXT_OUTPUT_INTERFACE screen;
    SIMPLE_TEXT_OUTPUT_MODE mode;
    SIMPLE_INPUT_INTERFACE keyboard;
    CHAR16 options[TEXT_MAX], vendor[TEXT_MAX];
    char image, device; /* their addresses are the handles */
    bool left;          /* ExitBootServices was called */
} self;

/* What a service does that the image does not call. */
static EFI_STATUS EFIAPI unsupported(void)
{
    return EFI_UNSUPPORTED;
}

static void widen(CHAR16 out[TEXT_MAX], const char *first, const char *second)
{
    size_t length = 0;

    for (; *first && length < TEXT_MAX - 1; first++)
        out[length++] = (CHAR16)(uint8_t)*first;
    for (; *second && length < TEXT_MAX - 1; second++)
        out[length++] = (CHAR16)(uint8_t)*second;
    out[length] = 0;
}

/* --- memory ---------------------------------------------------------------------------------- */

static EFI_STATUS EFIAPI allocate_pages(EFI_ALLOCATE_TYPE how, EFI_MEMORY_TYPE type, UINTN count,
                                        EFI_PHYSICAL_ADDRESS *address)
{
    const uint64_t last = how == AllocateMaxAddress ? *address : PAGES_REACH - 1;
    uint64_t found;

    if (how == AllocateAddress || (type != EfiLoaderData && type != EfiLoaderCode))
        return EFI_INVALID_PARAMETER;
    found = pages_take(self.pages, count, last, type);
    if (!found)
        return EFI_OUT_OF_RESOURCES;
    *address = found;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI free_pages(EFI_PHYSICAL_ADDRESS address, UINTN count)
{
    return pages_give(self.pages, address, count) ? EFI_SUCCESS : EFI_NOT_FOUND;
}

/* In front of what AllocatePool gave: how many pages it took. */
struct pool_header {
    uint64_t pages, unused;
};

static EFI_STATUS EFIAPI allocate_pool(EFI_MEMORY_TYPE type, UINTN size, void **buffer)
{
    EFI_PHYSICAL_ADDRESS address;
    struct pool_header *header;
    uint64_t count;
    EFI_STATUS status;

    if (size > PAGES_REACH)
        return EFI_OUT_OF_RESOURCES;
    count = (size + sizeof(*header) + PAGES_BYTES - 1) / PAGES_BYTES;
    status = allocate_pages(AllocateAnyPages, type, count, &address);
    if (EFI_ERROR(status))
        return status;
    header = (struct pool_header *)(uintptr_t)address;
    header->pages = count;
    *buffer = header + 1;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI free_pool(void *buffer)
{
    const struct pool_header *header = (const struct pool_header *)buffer - 1;

    return free_pages((uintptr_t)header, header->pages);
}

static EFI_STATUS EFIAPI get_memory_map(UINTN *size, EFI_MEMORY_DESCRIPTOR *map, UINTN *key,
                                        UINTN *entry, UINT32 *version)
{
    const UINTN needed = self.pages->count * sizeof(*map);
    const bool fits = *size >= needed && map != NULL;

    *size = needed;
    *entry = sizeof(*map);
    *version = EFI_MEMORY_DESCRIPTOR_VERSION;
    *key = self.pages->changes;
    if (!fits)
        return EFI_BUFFER_TOO_SMALL;
    for (unsigned i = 0; i < self.pages->count; i++) {
        const struct pages_range *range = &self.pages->ranges[i];

        map[i] = (EFI_MEMORY_DESCRIPTOR){
            .Type = range->type,
            .PhysicalStart = range->begin,
            .NumberOfPages = (range->end - range->begin) / PAGES_BYTES,
        };
    }
    return EFI_SUCCESS;
}

static void EFIAPI set_memory(void *buffer, UINTN size, UINT8 value)
{
    memset(buffer, value, size);
}

/* --- protocols and time ---------------------------------------------------------------------- */

static EFI_STATUS EFIAPI handle_protocol(EFI_HANDLE handle, EFI_GUID *protocol, void **interface)
{
    static const EFI_GUID loaded = LOADED_IMAGE_PROTOCOL, volume = SIMPLE_FILE_SYSTEM_PROTOCOL;

    if (handle == &self.image && memcmp(protocol, &loaded, sizeof(loaded)) == 0)
        *interface = &self.loaded;
    else if (handle == &self.device && memcmp(protocol, &volume, sizeof(volume)) == 0)
        *interface = self.volume;
    else
        return EFI_UNSUPPORTED;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI locate_handles(EFI_LOCATE_SEARCH_TYPE how, EFI_GUID *protocol, void *key,
                                        UINTN *count, EFI_HANDLE **handles)
{
    (void)how, (void)protocol, (void)key;
    *count = 0;
    *handles = NULL;
    return EFI_NOT_FOUND;
}

static EFI_STATUS EFIAPI stall(UINTN microseconds)
{
    pc_wait(microseconds);
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI set_watchdog(UINTN seconds, UINT64 code, UINTN size, CHAR16 *data)
{
    (void)seconds, (void)code, (void)size, (void)data;
    return EFI_SUCCESS; /* there is none */
}

static EFI_STATUS EFIAPI exit_boot_services(EFI_HANDLE image, UINTN key)
{
    (void)image;
    if (key != self.pages->changes)
        return EFI_INVALID_PARAMETER;
    self.left = true;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI reset_system(EFI_RESET_TYPE type, EFI_STATUS status, UINTN size,
                                      CHAR16 *data)
{
    (void)status, (void)size, (void)data;
    if (type == EfiResetShutdown)
        pc_power_off(self.information->rsdp);
    else
        pc_reset();
    halt_forever();
}

static EFI_STATUS EFIAPI exit_image(EFI_HANDLE image, EFI_STATUS status, UINTN size, CHAR16 *data)
{
    (void)image, (void)status, (void)size, (void)data;
    halt_forever();
}

/* --- screen and keyboard --------------------------------------------------------------------- */

static void next_row(void)
{
    self.mode.CursorColumn = 0;
    if (self.mode.CursorRow < (INT32)PC_ROWS - 1)
        self.mode.CursorRow++; /* pages do not scroll */
}

static EFI_STATUS EFIAPI output_string(SIMPLE_TEXT_OUTPUT_INTERFACE *screen, CHAR16 *text)
{
    (void)screen;
    for (; *text; text++) {
        if (*text == '\r') {
            self.mode.CursorColumn = 0;
        } else if (*text == '\n') {
            next_row();
        } else {
            pc_put((unsigned)self.mode.CursorRow, (unsigned)self.mode.CursorColumn,
                   *text < 0x7f ? (char)*text : '?', (uint8_t)self.mode.Attribute);
            if (++self.mode.CursorColumn == (INT32)PC_COLUMNS)
                next_row();
        }
    }
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI set_attribute(SIMPLE_TEXT_OUTPUT_INTERFACE *screen, UINTN attribute)
{
    (void)screen;
    self.mode.Attribute = (INT32)(attribute & 0x7f);
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI clear_screen(SIMPLE_TEXT_OUTPUT_INTERFACE *screen)
{
    (void)screen;
    for (unsigned i = 0; i < PC_ROWS * PC_COLUMNS; i++)
        pc_put(i / PC_COLUMNS, i % PC_COLUMNS, ' ', (uint8_t)self.mode.Attribute);
    self.mode.CursorColumn = self.mode.CursorRow = 0;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI set_cursor(SIMPLE_TEXT_OUTPUT_INTERFACE *screen, UINTN column, UINTN row)
{
    (void)screen;
    if (column >= PC_COLUMNS || row >= PC_ROWS)
        return EFI_UNSUPPORTED;
    self.mode.CursorColumn = (INT32)column;
    self.mode.CursorRow = (INT32)row;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI enable_cursor(SIMPLE_TEXT_OUTPUT_INTERFACE *screen, BOOLEAN visible)
{
    (void)screen, (void)visible; /* it is hidden */
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI read_key(SIMPLE_INPUT_INTERFACE *keyboard, EFI_INPUT_KEY *key)
{
    uint8_t code;

    (void)keyboard;
    if (!pc_key(&code))
        return EFI_NOT_READY;
    *key = code == ESC_CODE ? (EFI_INPUT_KEY){.ScanCode = SCAN_ESC}
                            : (EFI_INPUT_KEY){.UnicodeChar = ' '};
    return EFI_SUCCESS;
}

/* --- the tables ------------------------------------------------------------------------------ */

/* Every entry of a table of services answers, behind its header. */
static void fill(void *table, size_t bytes)
{
    void (**entries)(void) = (void (**)(void))((char *)table + sizeof(EFI_TABLE_HEADER));

    for (size_t i = 0; i < (bytes - sizeof(EFI_TABLE_HEADER)) / sizeof(*entries); i++)
        entries[i] = (void (*)(void))unsupported;
}

static void start_boot_services(void)
{
    fill(&self.boot, sizeof(self.boot));
    self.boot.AllocatePages = allocate_pages;
    self.boot.FreePages = free_pages;
    self.boot.AllocatePool = allocate_pool;
    self.boot.FreePool = free_pool;
    self.boot.GetMemoryMap = get_memory_map;
    self.boot.SetMem = set_memory;
    self.boot.HandleProtocol = handle_protocol;
    self.boot.LocateHandleBuffer = locate_handles;
    self.boot.Stall = stall;
    self.boot.SetWatchdogTimer = set_watchdog;
    self.boot.ExitBootServices = exit_boot_services;
    self.boot.Exit = exit_image;
    fill(&self.runtime, sizeof(self.runtime));
    self.runtime.ResetSystem = reset_system;
}

static void start_console(void)
{
    self.mode = (SIMPLE_TEXT_OUTPUT_MODE){.MaxMode = 1, .Attribute = EFI_LIGHTGRAY};
    self.screen.OutputString = output_string;
    self.screen.SetAttribute = set_attribute;
    self.screen.ClearScreen = clear_screen;
    self.screen.SetCursorPosition = set_cursor;
    self.screen.EnableCursor = enable_cursor;
    self.screen.Mode = &self.mode;
    self.keyboard.ReadKeyStroke = read_key;
    self.system.ConOut = self.information->text_screen ? &self.screen : NULL;
    self.system.ConIn = &self.keyboard;
}

static void add_table(const EFI_GUID *guid, const void *table)
{
    self.tables[self.system.NumberOfTableEntries++] =
        (EFI_CONFIGURATION_TABLE){*guid, (void *)(uintptr_t)table};
}

static void start_tables(const void *smbios)
{
    static const EFI_GUID acpi_1 = ACPI_TABLE_GUID, acpi_2 = ACPI_20_TABLE_GUID;
    static const EFI_GUID smbios_2 = SMBIOS_TABLE_GUID, smbios_3 = SMBIOS3_TABLE_GUID;

    self.system.ConfigurationTable = self.tables;
    self.system.NumberOfTableEntries = 0;
    if (self.information->rsdp != NULL)
        add_table(self.information->rsdp_2 ? &acpi_2 : &acpi_1, self.information->rsdp);
    if (smbios != NULL)
        add_table(smbios_entry_is_wide(smbios) ? &smbios_3 : &smbios_2, smbios);
}

EFI_HANDLE services_image(void)
{
    return &self.image;
}

EFI_SYSTEM_TABLE *services_start(const struct boot_information *information, const void *smbios,
                                 struct pages *pages, void *base, uint64_t bytes)
{
    self.information = information;
    self.pages = pages;
    self.volume = module_files_start(information);
    widen(self.options, information->command_line, "");
    widen(self.vendor, "BIOS, ", information->loader);
    start_boot_services();
    start_console();
    start_tables(smbios);
    self.loaded = (EFI_LOADED_IMAGE){
        .SystemTable = &self.system,
        .DeviceHandle = &self.device,
        .LoadOptions = self.options,
        .ImageBase = base,
        .ImageSize = bytes,
        .ImageCodeType = EfiLoaderCode,
        .ImageDataType = EfiLoaderData,
    };
    for (; self.options[self.loaded.LoadOptionsSize / 2]; self.loaded.LoadOptionsSize += 2)
        ;
    self.system.FirmwareVendor = self.vendor;
    self.system.BootServices = &self.boot;
    self.system.RuntimeServices = &self.runtime;
    return &self.system;
}
