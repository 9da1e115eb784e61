/* ACPI tables of random lengths and bytes: nothing is read beyond a table's end (the sanitizer sees
 * it), and counts stay within their arrays. */
#include <string.h>

#include "boot/acpi.h"
#include "boot/pci/acpi_mcfg.h"
#include "boot/serial/acpi_serial.h"
#include "boot/smbios.h"
#include "tests/fuzz/fuzz.h"

#define HEADER   36u
#define REVISION 8u /* offset of the byte; 0: the sum is left wrong */

/* Devices of plausible types, lengths and addresses. */
static void make_debug_ports(uint64_t *state, char *table, size_t size)
{
    if (size < HEADER + 8)
        return;
    memcpy(table + HEADER, (char[]){44, 0, 0, 0, 3, 0, 0, 0}, 8);
    for (size_t at = HEADER + 8; at + 22 < size; at += 40) {
        memcpy(table + at + 1, (char[]){40, 0}, 2);
        memcpy(table + at + 12, (char[]){0, (char)0x80, (char)random_below(state, 4), 0}, 4);
        memcpy(table + at + 18, (char[]){(char)(20 + random_below(state, 12)), 0}, 2);
    }
}

static size_t make(uint64_t *state, char *table)
{
    static const char *const signatures[] = {"APIC", "SPCR", "FACP", "XSDT", "RSDT",
                                             "DBG2", "SRAT", "SLIT", "MCFG"};
    const char *signature = signatures[random_below(state, 9)];
    const size_t size = HEADER + random_below(state, random_below(state, 64) ? 200 : 3000);

    for (size_t i = 0; i < size; i++)
        table[i] = (char)random_next(state);
    memcpy(table, signature, 4);
    table[REVISION] = (char)random_below(state, 16);
    if (memcmp(signature, "APIC", 4) == 0) /* entries of plausible types and lengths */
        for (size_t at = HEADER + 8; at + 2 < size;) {
            const bool wide = random_below(state, 2);

            table[at] = wide ? 9 : 0;
            table[at + 1] = random_below(state, 20) ? (wide ? 16 : 8) : (char)random_next(state);
            at += (uint8_t)table[at + 1] < 2 ? 2 : (uint8_t)table[at + 1];
        }
    if (memcmp(signature, "DBG2", 4) == 0)
        make_debug_ports(state, table, size);
    if (memcmp(signature, "SRAT", 4) == 0)
        for (size_t at = HEADER + 12; at + 2 < size;) {
            static const char lengths[] = {16, 40, 24};
            const unsigned type = (unsigned)random_below(state, 3);

            table[at] = (char)type;
            table[at + 1] = random_below(state, 20) ? lengths[type] : (char)random_next(state);
            at += (uint8_t)table[at + 1] < 2 ? 2 : (uint8_t)table[at + 1];
        }
    if (memcmp(signature, "SLIT", 4) == 0 && random_below(state, 4)) {
        memset(table + HEADER, 0, 8);
        table[HEADER] = (char)random_below(state, 16);
    }
    if (memcmp(signature, "MCFG", 4) == 0) /* windows of which some are possible */
        for (size_t at = HEADER + 8; at + 16 < size && random_below(state, 8); at += 16) {
            memset(table + at, 0, 3);
            table[at + 2] = (char)(random_below(state, 16) << 4);
            table[at + 10] = 0;
        }
    return size;
}

const struct fuzz fuzz = {"ACPI tables", 50000, 20261121, HEADER + 3000, make};
unsigned fuzz_accepted;

/* acpi_check trusts the length: it is what the firmware left in memory. */
static void finish_header(uint8_t *table, size_t size)
{
    uint8_t sum = 0;

    for (unsigned i = 0; i < 4; i++)
        table[4 + i] = (uint8_t)(size >> 8 * i);
    if (table[REVISION] == 0)
        return;
    table[9] = 0;
    for (size_t i = 0; i < size; i++)
        sum = (uint8_t)(sum + table[i]);
    table[9] = (uint8_t)-sum;
}

/* All registers of a line that can be used are within reach. */
static void check_line(enum rc rc, const struct serial_place *place)
{
    const uint64_t end = place->address + place->stride * SERIAL_REGISTERS;

    if (rc != RC_OK)
        return;
    require(place->address != 0 && end <= (place->memory ? 1ull << 47 : 1ull << 16), "an address");
    require(place->width == 1 || place->width == 2 || place->width == 4, "a width");
    require(place->stride >= place->width && place->address % place->width == 0, "registers");
}

/* What a table with a good header is read for, whatever its signature. */
static void use(const uint8_t *table, size_t size)
{
    static struct acpi_processors processors;
    struct acpi_serial serial;
    struct acpi_timer timer;
    struct acpi_memory memory;
    struct pci_window window;

    memset(&processors, 0, sizeof(processors));
    (void)acpi_madt(table, size, &processors);
    (void)acpi_srat(table, size, &processors);
    require(processors.count <= 1024, "processors stay within their array");
    for (unsigned i = 0; acpi_srat_memory(table, size, i, &memory) == RC_OK; i++)
        require(memory.start < memory.end, "a range has a beginning and an end");
    (void)acpi_slit_distance(table, size, table[4] % 8u, table[REVISION]);
    check_line(acpi_spcr(table, size, &serial), &serial.place);
    check_line(acpi_dbg2(table, size, &serial), &serial.place);
    (void)acpi_fadt(table, size, &timer);
    for (unsigned i = 0; acpi_mcfg(table, size, i, &window) == RC_OK; i++)
        require(window.base > 0 && window.first <= window.last &&
                    window.base < window.base + ((window.last + 1ull) << 20),
                "a window of configuration space has a beginning and an end");
    (void)smbios_has(table, size, SMBIOS_IPMI);
    for (unsigned wide = 0; wide < 2; wide++)
        for (unsigned i = 0; i < acpi_entries(size, wide != 0); i++)
            (void)acpi_entry(table, wide != 0, i);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    uint8_t *table;
    char signature[5] = "";
    size_t stated = 0;

    if (size < HEADER)
        return 0;
    table = malloc(size);
    require(table != NULL, "memory");
    memcpy(table, input, size);
    memcpy(signature, table, 4);
    finish_header(table, size);
    if (acpi_check(table, signature, &stated) == RC_OK) {
        require(stated == size, "the size is the header's");
        fuzz_accepted++;
        use(table, stated);
    }
    free(table);
    return 0;
}
