#include "pci_tco.h"

#include "pci.h"

#define VENDOR_INTEL 0x8086u
#define CLASS_LPC    0x0601u
#define CLASS_SMBUS  0x0c05u

#define PMBASE      0x40 /* of the LPC bridge: bit 0 is 1, bits 7..15 the address */
#define ACPI_CNTL   0x44
#define ACPI_EN     (1u << 7)
#define TCO_OF_ACPI 0x60u
#define TCOBASE     0x50 /* of the SMBus controller: bit 0 is 1, bits 5..15 the address */
#define TCOCTL      0x54
#define TCO_BASE_EN (1u << 8)

static bool of_lpc(uint32_t where, uint16_t *port)
{
    const uint32_t base = pci_read(where, PMBASE);

    *port = (uint16_t)((base & 0xff80) + TCO_OF_ACPI);
    return base & 1 && base & 0xff80 && pci_read(where, ACPI_CNTL) & ACPI_EN;
}

static bool of_smbus(uint32_t where, uint16_t *port)
{
    const uint32_t base = pci_read(where, TCOBASE);

    *port = (uint16_t)(base & 0xffe0);
    return base & 1 && *port && pci_read(where, TCOCTL) & TCO_BASE_EN;
}

bool pci_tco(uint32_t where, uint16_t *port)
{
    if ((where | 7) != PCI_FUNCTION(0, PCI_TCO_DEVICE, 7) ||
        (pci_read(where, PCI_ID) & 0xffff) != VENDOR_INTEL)
        return false;
    switch (pci_read(where, PCI_CLASS) >> 16) {
    case CLASS_LPC:
        return of_lpc(where, port);
    case CLASS_SMBUS:
        return of_smbus(where, port);
    default:
        return false;
    }
}
