#include "pci.h"

#define HEADER_TYPE  0x0c /* bits 16..22; bit 23: more than one function */
#define HEADER_MULTI (1u << 23)
#define BUSES        0x18 /* of a bridge: primary, secondary << 8, subordinate << 16 */

#define CLASS_BRIDGE 0x0604

struct walk {
    bool (*found)(void *context, uint16_t where);
    void *context;
    uint8_t seen[256 / 8];
    uint8_t waiting[256]; /* buses that bridges lead to */
    unsigned count;
};

unsigned pci_class(uint16_t where)
{
    return pci_read(where, PCI_CLASS) >> 16;
}

unsigned pci_header(uint16_t where)
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
    if (pci_class(where) == CLASS_BRIDGE && pci_header(where) == 1)
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
