#include "acpi.h"

#include "table_bytes.h"
#include "text.h"

#define HEADER_SIZE 36

#define MADT_PROCESSOR 0 /* Processor Local APIC */
#define MADT_X2APIC    9 /* Processor Local x2APIC */
#define MADT_ENABLED   1u
#define SRAT_PROCESSOR 0 /* Processor Local APIC Affinity */
#define SRAT_MEMORY    1 /* Memory Affinity */
#define SRAT_X2APIC    2 /* Processor Local x2APIC Affinity */
#define SRAT_ENABLED   1u
#define SRAT_PERSISTS  4u    /* non-volatile memory */
#define MADT_NOBODY    0xffu /* the id of no processor, in entries of type 0 */
#define MADT_NOBODY_X2 0xffffffffu

#define SPACE_IO        1 /* address space of a Generic Address Structure */
#define FADT_TIMER_WIDE (1u << 8)

enum rc acpi_root(const void *rsdp, uint64_t *address, bool *wide)
{
    const uint8_t *bytes = rsdp;
    uint64_t length;

    if (memcmp(bytes, "RSD PTR ", 8) || !table_sums_to_zero(bytes, 20))
        return RC_BAD_INPUT;

    if (bytes[15] >= 2) {
        length = table_number(bytes + 20, 4);
        if (length >= 36 && length <= 4096 && table_sums_to_zero(bytes, length) &&
            table_number(bytes + 24, 8)) {
            *address = table_number(bytes + 24, 8);
            *wide = true;
            return RC_OK;
        }
    }
    *address = table_number(bytes + 16, 4);
    *wide = false;
    return *address ? RC_OK : RC_BAD_INPUT;
}

enum rc acpi_check(const void *table, const char *signature, size_t *size)
{
    const uint8_t *bytes = table;
    uint64_t length;

    if (memcmp(bytes, signature, 4))
        return RC_ABSENT;
    length = table_number(bytes + 4, 4);
    if (length < HEADER_SIZE || length > ACPI_TABLE_MAX || !table_sums_to_zero(bytes, length))
        return RC_BAD_INPUT;
    *size = length;
    return RC_OK;
}

unsigned acpi_entries(size_t size, bool wide)
{
    return (unsigned)((size - HEADER_SIZE) / (wide ? 8 : 4));
}

uint64_t acpi_entry(const void *table, bool wide, unsigned index)
{
    const uint8_t *bytes = (const uint8_t *)table + HEADER_SIZE;

    return wide ? table_number(bytes + 8ul * index, 8) : table_number(bytes + 4ul * index, 4);
}

/* An id of all ones is no processor's. Firmware puts it into places without a processor and may
 * flag them as enabled; but a message to that id goes to all processors, this one included (SDM 3A,
 * "Determining IPI Destination"). */
static void add_processor(struct acpi_processors *processors, uint32_t apic_id, uint32_t nobody)
{
    if (apic_id == nobody)
        return;
    for (unsigned i = 0; i < processors->count; i++)
        if (processors->apic_id[i] == apic_id) {
            processors->repeated++;
            return;
        }
    if (processors->count == COUNT_OF(processors->apic_id)) {
        processors->left_out++;
        return;
    }
    processors->node[processors->count] = ACPI_NODE_UNKNOWN;
    processors->apic_id[processors->count++] = apic_id;
}

enum rc acpi_madt(const void *table, size_t size, struct acpi_processors *processors)
{
    const uint8_t *at = (const uint8_t *)table + HEADER_SIZE;
    const uint8_t *end = (const uint8_t *)table + size;

    memset(processors, 0, sizeof(*processors));
    if (end - at < 8)
        return RC_BAD_INPUT;
    for (at += 8; at < end; at += at[1]) {
        uint8_t type = at[0], length;

        if (end - at < 2)
            return RC_BAD_INPUT;
        length = at[1];
        if (length < 2 || length > end - at || (type == MADT_PROCESSOR && length < 8) ||
            (type == MADT_X2APIC && length < 16))
            return RC_BAD_INPUT;

        if (type == MADT_PROCESSOR && table_number(at + 4, 4) & MADT_ENABLED)
            add_processor(processors, at[3], MADT_NOBODY);
        if (type == MADT_X2APIC && table_number(at + 8, 4) & MADT_ENABLED)
            add_processor(processors, (uint32_t)table_number(at + 4, 4), MADT_NOBODY_X2);
    }
    return RC_OK;
}

static void set_node(struct acpi_processors *processors, uint32_t apic_id, uint32_t node)
{
    for (unsigned i = 0; i < processors->count; i++) {
        if (processors->apic_id[i] != apic_id)
            continue;
        if (processors->node[i] == ACPI_NODE_UNKNOWN)
            processors->node[i] = node;
        return;
    }
    processors->strangers++;
}

/* Whether there is a whole entry at `at`. */
static bool is_srat_entry(const uint8_t *at, const uint8_t *end)
{
    return end - at >= 2 && at[1] >= 2 && at[1] <= end - at &&
           (at[0] != SRAT_PROCESSOR || at[1] >= 16) && (at[0] != SRAT_MEMORY || at[1] >= 40) &&
           (at[0] != SRAT_X2APIC || at[1] >= 24);
}

enum rc acpi_srat(const void *table, size_t size, struct acpi_processors *processors)
{
    const uint8_t *at = (const uint8_t *)table + HEADER_SIZE;
    const uint8_t *end = (const uint8_t *)table + size;

    if (end - at < 12)
        return RC_BAD_INPUT;
    for (at += 12; at < end; at += at[1]) {
        if (!is_srat_entry(at, end))
            return RC_BAD_INPUT;
        if (at[0] == SRAT_PROCESSOR && table_number(at + 4, 4) & SRAT_ENABLED)
            set_node(processors, at[3], (uint32_t)(at[2] | table_number(at + 9, 3) << 8));
        if (at[0] == SRAT_X2APIC && table_number(at + 12, 4) & SRAT_ENABLED)
            set_node(processors, (uint32_t)table_number(at + 8, 4),
                     (uint32_t)table_number(at + 4, 4));
    }
    return RC_OK;
}

enum rc acpi_srat_memory(const void *table, size_t size, unsigned index, struct acpi_memory *memory)
{
    const uint8_t *at = (const uint8_t *)table + HEADER_SIZE;
    const uint8_t *end = (const uint8_t *)table + size;

    if (end - at < 12)
        return RC_BAD_INPUT;
    for (at += 12; at < end; at += at[1]) {
        uint64_t start, length;

        if (!is_srat_entry(at, end))
            return RC_BAD_INPUT;
        if (at[0] != SRAT_MEMORY ||
            (table_number(at + 28, 4) & (SRAT_ENABLED | SRAT_PERSISTS)) != SRAT_ENABLED)
            continue;
        start = table_number(at + 8, 8);
        length = table_number(at + 16, 8);
        if (!length || length > UINT64_MAX - start || index--)
            continue;
        *memory = (struct acpi_memory){start, start + length, (uint32_t)table_number(at + 2, 4)};
        return RC_OK;
    }
    return RC_ABSENT;
}

enum rc acpi_slit(const void *table, size_t size, unsigned *domains)
{
    uint64_t count;

    if (size < HEADER_SIZE + 8)
        return RC_BAD_INPUT;
    count = table_number((const uint8_t *)table + HEADER_SIZE, 8);
    if (count == 0 || count > UINT16_MAX || count * count > size - HEADER_SIZE - 8)
        return RC_BAD_INPUT;
    *domains = (unsigned)count;
    return RC_OK;
}

unsigned acpi_slit_distance(const void *table, size_t size, uint32_t from, uint32_t to)
{
    const uint8_t *distances = (const uint8_t *)table + HEADER_SIZE + 8;
    unsigned domains;

    if (acpi_slit(table, size, &domains) != RC_OK || from >= domains || to >= domains)
        return 0;
    return distances[(size_t)from * domains + to];
}

enum rc acpi_fadt(const void *table, size_t size, struct acpi_timer *timer)
{
    const uint8_t *bytes = table;
    uint64_t port = 0;

    if (size < 116)
        return RC_BAD_INPUT;
    if (bytes[91] == 4)                              /* PM_TMR_LEN is 4 when there is a timer */
        port = table_number(bytes + 76, 4);          /* PM_TMR_BLK */
    if (size >= 220 && table_number(bytes + 212, 8)) /* X_PM_TMR_BLK takes precedence */
        port = bytes[208] == SPACE_IO ? table_number(bytes + 212, 8) : 0;
    if (!port || port > UINT16_MAX - 3)
        return RC_ABSENT;

    timer->port = (uint16_t)port;
    timer->wide = (table_number(bytes + 112, 4) & FADT_TIMER_WIDE) != 0;
    return RC_OK;
}
