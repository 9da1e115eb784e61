/* What the ACPI tables say wrongly (--lie). The machine is the same with and without. */
#ifndef RIG_FIRMWARE_ACPI_ACPI_LIE_H
#define RIG_FIRMWARE_ACPI_ACPI_LIE_H

#include <stdbool.h>
#include <stdint.h>

enum acpi_lie {
    LIE_MADT_TWICE = 1,     /* each processor is listed again, as Local APIC and Local x2APIC */
    LIE_MADT_NOBODY = 2,    /* behind the boot processor, an enabled one whose APIC id nobody has */
    LIE_SRAT_NOBODY = 4,    /* affinity entries, of both types, for APIC ids that nobody has */
    LIE_SRAT_NO_MEMORY = 8, /* the last package's processors are in a domain without memory */
    LIE_SLIT_SHORT = 16,    /* the last node's distances are missing */
    LIE_SLIT_LONG = 32,     /* distances of a node more than there are */
    LIE_SLIT_CUT = 64,      /* the table says that it has a node more than its bytes hold */
    LIE_MCFG_MEMORY = 128,  /* configuration space is where memory is */
    LIE_MCFG_CUT = 256,     /* the last window's entry is not whole */
};

/* The lies that need a table of nodes. */
#define LIES_OF_NODES                                                                              \
    (LIE_SRAT_NOBODY | LIE_SRAT_NO_MEMORY | LIE_SLIT_SHORT | LIE_SLIT_LONG | LIE_SLIT_CUT)

/* Adds the lie of one --lie to the set; false when there is no such lie. */
bool acpi_lie_parse(unsigned *lies, const char *text);

#endif
