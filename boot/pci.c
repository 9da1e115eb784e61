#include "pci.h"

#define HEADER_TYPE  0x0c /* bits 16..22; bit 23: more than one function */
#define HEADER_MULTI (1u << 23)
#define BUSES        0x18 /* of a bridge: primary, secondary << 8, subordinate << 16 */
#define BAR_0        0x10
#define BAR_COUNT    6

#define CLASS_BRIDGE    0x0604
#define CLASS_SERIAL    0x0700
#define CLASS_OTHER     0x0780 /* "other communication controller" */
#define LAST_SERIAL     6      /* programming interfaces 0..6 are the 8250 to the 16950 */
#define VENDOR_INTEL    0x8086u
#define BAR_IO          1u
#define BAR_MEMORY_TYPE 6u
#define BAR_MEMORY_64   4u
#define MEMORY_END      (1ull << 32)

struct walk {
    bool (*found)(void *context, uint16_t where);
    void *context;
    uint8_t seen[256 / 8];
    uint8_t waiting[256]; /* buses that bridges lead to */
    unsigned count;
};

static unsigned class_of(uint16_t where)
{
    return pci_read(where, PCI_CLASS) >> 16;
}

static unsigned header_of(uint16_t where)
{
    return pci_read(where, HEADER_TYPE) >> 16 & 0x7f;
}

static void add_bus(struct walk *walk, unsigned bus)
{
    if (walk->seen[bus / 8] >> bus % 8 & 1)
        return;
    walk->seen[bus / 8] |= (uint8_t)(1u << bus % 8);
    walk->waiting[walk->count++] = (uint8_t)bus;
}

/* False: `found` wants no more. */
static bool visit(struct walk *walk, uint16_t where)
{
    if (class_of(where) == CLASS_BRIDGE && header_of(where) == 1)
        add_bus(walk, pci_read(where, BUSES) >> 8 & 0xff);
    return walk->found(walk->context, where);
}

static bool visit_device(struct walk *walk, unsigned bus, unsigned device)
{
    const uint16_t first = PCI_FUNCTION(bus, device, 0);
    unsigned functions = 1;

    if (pci_read(first, PCI_ID) == PCI_NOBODY)
        return true;
    if (pci_read(first, HEADER_TYPE) & HEADER_MULTI)
        functions = 8;
    for (unsigned function = 0; function < functions; function++) {
        const uint16_t where = PCI_FUNCTION(bus, device, function);

        if (pci_read(where, PCI_ID) != PCI_NOBODY && !visit(walk, where))
            return false;
    }
    return true;
}

void pci_walk(bool (*found)(void *context, uint16_t where), void *context)
{
    struct walk walk = {.found = found, .context = context};

    add_bus(&walk, 0);
    for (unsigned i = 0; i < walk.count; i++)
        for (unsigned device = 0; device < 32; device++)
            if (!visit_device(&walk, walk.waiting[i], device))
                return;
}

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
    const unsigned class = class_of(where);
    const unsigned interface = pci_read(where, PCI_CLASS) >> 8 & 0xff;

    if (header_of(where) != 0)
        return false;
    if (class == CLASS_SERIAL)
        return interface <= LAST_SERIAL && first_place(where, place);
    return class == CLASS_OTHER && (pci_read(where, PCI_ID) & 0xffff) == VENDOR_INTEL &&
           first_place(where, place) && !place->memory;
}
