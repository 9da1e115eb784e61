/* Parses the ACPI tables that boot/ needs. Pure: a table is bytes in memory, and each length in it
 * is checked before it is used. Sources: ACPI specification, "Root System Description Pointer",
 * "Multiple APIC Description Table", "System Resource Affinity Table", "System Locality
 * Information Table", "Fixed ACPI Description Table". The tables that name serial lines:
 * acpi_serial.h. */
#ifndef BOOT_ACPI_H
#define BOOT_ACPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rc.h"

#define ACPI_TABLE_MAX (1u << 20) /* bytes; a table with a larger length is damaged */

/* *address is that of the XSDT (*wide is true) or, where there is none, of the RSDT (*wide is
 * false). RC_BAD_INPUT: wrong signature or checksum, or no address. */
enum rc acpi_root(const void *rsdp, uint64_t *address, bool *wide);
/* Checks header and checksum of the table at `table`. RC_OK: it has that signature of four letters,
 * and *size is its length in bytes; RC_ABSENT: it has another signature; RC_BAD_INPUT: its length
 * or checksum is wrong. */
enum rc acpi_check(const void *table, const char *signature, size_t *size);
/* The number of entries in a checked XSDT (wide) or RSDT of `size` bytes, and the address in entry
 * `index`. */
unsigned acpi_entries(size_t size, bool wide);
uint64_t acpi_entry(const void *table, bool wide, unsigned index);

/* Twice as many as the largest rigs have. */
#define ACPI_PROCESSORS 1024

#define ACPI_NODE_UNKNOWN UINT32_MAX
struct acpi_processors {
    uint32_t apic_id[ACPI_PROCESSORS];
    uint32_t node[ACPI_PROCESSORS]; /* proximity domain, or ACPI_NODE_UNKNOWN: acpi_srat */
    unsigned count;
    unsigned left_out;  /* enabled processors beyond ACPI_PROCESSORS */
    unsigned repeated;  /* entries of the MADT that name an enabled processor again */
    unsigned strangers; /* enabled processors that only the SRAT names */
};
/* The enabled processors of a checked MADT (entry types 0 and 9), in the table's order, each once.
 * A processor that is merely online capable is not present yet and not listed. RC_BAD_INPUT: an
 * entry is shorter than its type demands or ends beyond the table; earlier entries are kept. */
enum rc acpi_madt(const void *table, size_t size, struct acpi_processors *processors);

/* The proximity domains ("System Resource Affinity Table": entry types 0 and 2) of the processors
 * that acpi_madt found. A processor that the table names twice keeps its first domain.
 * RC_BAD_INPUT: as above; domains of earlier entries are kept. */
enum rc acpi_srat(const void *table, size_t size, struct acpi_processors *processors);

/* Memory of a proximity domain: the addresses [start, end). */
struct acpi_memory {
    uint64_t start, end;
    uint32_t node;
};
/* Range number `index` of the enabled, volatile memory that the SRAT names (entry type 1), in the
 * table's order; ranges that are empty or beyond the last address are passed over. RC_ABSENT: there
 * are no more; RC_BAD_INPUT: as acpi_srat, before that range. */
enum rc acpi_srat_memory(const void *table, size_t size, unsigned index,
                         struct acpi_memory *memory);

/* The number of proximity domains, from 0 on, between which a checked SLIT has distances.
 * RC_BAD_INPUT: there are none, or the table is too short for that many. */
enum rc acpi_slit(const void *table, size_t size, unsigned *domains);
/* The relative distance from one proximity domain to another in a checked SLIT, 10 within a domain;
 * 0: the table does not say. */
unsigned acpi_slit_distance(const void *table, size_t size, uint32_t from, uint32_t to);

struct acpi_timer {
    uint16_t port;
    bool wide; /* 32 bits, else 24 */
};
/* The power management timer of a checked FADT. RC_ABSENT: there is no such timer, or it is not
 * behind an I/O port; RC_BAD_INPUT: the table is too short. */
enum rc acpi_fadt(const void *table, size_t size, struct acpi_timer *timer);

#endif
