#include "pci_serial.h"

#include "boot/pci.h"

#define BAR_0     0x10
#define BAR_COUNT 6

#define CLASS_SERIAL    0x0700
#define CLASS_OTHER     0x0780 /* "other communication controller" */
#define LAST_SERIAL     6      /* programming interfaces 0..6 are the 8250 to the 16950 */
#define VENDOR_INTEL    0x8086u
#define BAR_IO          1u
#define BAR_MEMORY_TYPE 6u
#define BAR_MEMORY_64   4u

/* The first base address register that is in use. False: there is none within reach. */
static bool first_place(uint16_t where, struct serial_place *place)
{
    for (unsigned i = 0; i < BAR_COUNT; i++) {
        const uint32_t bar = pci_read(where, BAR_0 + 4 * i);

        if (bar == 0 || bar == PCI_NOBODY)
            continue;
        if (bar & BAR_IO) {
            if ((bar & ~3u) == 0 || (bar & ~3u) > UINT16_MAX + 1u - SERIAL_REGISTERS)
                return false;
            *place = serial_place_port((uint16_t)(bar & ~3u));
            return true;
        }
        if ((bar & BAR_MEMORY_TYPE) == BAR_MEMORY_64 && pci_read(where, BAR_0 + 4 * (i + 1)) != 0)
            return false;
        *place = serial_place_port(0);
        place->memory = true;
        place->address = bar & ~15u;
        return place->address != 0;
    }
    return false;
}

bool pci_serial(uint16_t where, struct serial_place *place)
{
    const unsigned class = pci_class(where);
    const unsigned interface = pci_read(where, PCI_CLASS) >> 8 & 0xff;

    if (pci_header(where) != 0)
        return false;
    if (class == CLASS_SERIAL)
        return interface <= LAST_SERIAL && first_place(where, place);
    return class == CLASS_OTHER && (pci_read(where, PCI_ID) & 0xffff) == VENDOR_INTEL &&
           first_place(where, place) && !place->memory;
}
