#include "acpi_tables.h"

#include "boot/log.h"
#include "boot/nodes.h"
#include "boot/text.h"
#include "firmware.h"

/* Tables that are read when all are found: they need the MADT's processors. */
struct found {
    const void *srat, *slit;
};

static void read_table(const void *table, struct acpi_tables *tables, struct found *found)
{
    size_t size;

    if (memcmp(table, "APIC", 4) == 0) {
        tables->madt = acpi_check(table, "APIC", &size);
        if (tables->madt == RC_OK)
            tables->madt = acpi_madt(table, size, &tables->processors);
    } else if (memcmp(table, "SPCR", 4) == 0) {
        tables->spcr = acpi_check(table, "SPCR", &size);
        if (tables->spcr == RC_OK)
            tables->spcr = acpi_spcr(table, size, &tables->console);
    } else if (memcmp(table, "DBG2", 4) == 0) {
        tables->dbg2 = acpi_check(table, "DBG2", &size);
        if (tables->dbg2 == RC_OK)
            tables->dbg2 = acpi_dbg2(table, size, &tables->debug);
    } else if (memcmp(table, "FACP", 4) == 0) {
        tables->fadt = acpi_check(table, "FACP", &size);
        if (tables->fadt == RC_OK)
            tables->fadt = acpi_fadt(table, size, &tables->timer);
    } else if (memcmp(table, "MCFG", 4) == 0) {
        tables->mcfg = acpi_check(table, "MCFG", &tables->mcfg_size);
        tables->mcfg_table = table;
    } else if (memcmp(table, "SRAT", 4) == 0) {
        found->srat = table;
    } else if (memcmp(table, "SLIT", 4) == 0) {
        found->slit = table;
    } else if (memcmp(table, "SPMI", 4) == 0) {
        tables->spmi = true;
    } else if (memcmp(table, "WDAT", 4) == 0) {
        tables->watchdog = "WDAT";
    } else if (memcmp(table, "WDRT", 4) == 0) {
        tables->watchdog = "WDRT";
    }
}

/* The SLIT is indexed by the SRAT's numbers of nodes. */
static void compare_nodes(const struct acpi_processors *processors, unsigned in_slit)
{
    uint32_t highest = nodes_highest();

    for (unsigned i = 0; i < processors->count; i++)
        if (processors->node[i] != NODE_UNKNOWN &&
            (highest == NODE_UNKNOWN || processors->node[i] > highest))
            highest = processors->node[i];
    if (highest == NODE_UNKNOWN)
        return;
    if (highest >= in_slit)
        log_comment("SLIT: its highest node is %u: distances of the SRAT's node %u are unknown",
                    in_slit - 1, (unsigned)highest);
    else if (highest + 1 < in_slit)
        log_comment("SLIT: its highest node is %u, the SRAT's %u: distances of those between are "
                    "ignored",
                    in_slit - 1, (unsigned)highest);
}

static void read_nodes(const struct found *found, struct acpi_tables *tables)
{
    size_t size, slit_size = 0;
    unsigned in_slit = 0;

    if (found->slit != NULL) {
        tables->slit = acpi_check(found->slit, "SLIT", &slit_size);
        if (tables->slit == RC_OK)
            tables->slit = acpi_slit(found->slit, slit_size, &in_slit);
        if (tables->slit != RC_OK)
            log_error("the table of distances is damaged", "SLIT",
                      "signature, checksum, a distance for each pair of nodes");
    }
    if (found->srat == NULL || tables->madt != RC_OK)
        return;
    tables->srat = acpi_check(found->srat, "SRAT", &size);
    if (tables->srat == RC_OK)
        tables->srat = acpi_srat(found->srat, size, &tables->processors);
    if (tables->srat == RC_OK)
        nodes_start(found->srat, size, tables->slit == RC_OK ? found->slit : NULL, slit_size);
    else
        log_error("the table of nodes is damaged", "SRAT", "signature, checksum, whole entries");
    if (tables->srat == RC_OK && tables->slit == RC_OK)
        compare_nodes(&tables->processors, in_slit);
    if (tables->processors.strangers > 0)
        log_comment("SRAT: %u processors that the MADT does not enable are ignored",
                    tables->processors.strangers);
}

void acpi_tables_read(struct acpi_tables *tables)
{
    const void *rsdp = firmware_rsdp(), *root;
    struct found found = {0};
    uint64_t address;
    size_t size;
    bool wide;

    memset(tables, 0, sizeof(*tables));
    tables->madt = tables->spcr = tables->dbg2 = tables->fadt = RC_ABSENT;
    tables->mcfg = tables->srat = tables->slit = RC_ABSENT;
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
            read_table((const void *)(uintptr_t)address, tables, &found);
    }
    read_nodes(&found, tables);
    if (tables->madt != RC_OK)
        log_error("the list of processors is missing or damaged", "MADT",
                  "signature, checksum, whole entries");
    if (tables->processors.repeated > 0)
        log_comment("MADT: %u entries that name a processor again are ignored",
                    tables->processors.repeated);
    if (tables->spcr == RC_BAD_INPUT)
        log_error("the serial console table is damaged", "SPCR", "signature, length and checksum");
    if (tables->dbg2 == RC_BAD_INPUT)
        log_error("the table of debug ports is damaged", "DBG2",
                  "signature, checksum, whole entries");
    if (tables->fadt == RC_BAD_INPUT)
        log_error("the fixed description table is damaged", "FADT",
                  "signature, length and checksum");
}
