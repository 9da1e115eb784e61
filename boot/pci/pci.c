#include "pci.h"

#define HEADER_TYPE  0x0c /* bits 16..22; bit 23: more than one function */
#define HEADER_MULTI (1u << 23)
#define BUSES        0x18 /* of a bridge: primary, secondary << 8, subordinate << 16 */
#define CAPABILITIES 0x34
#define HAS_LIST     (1u << 20) /* of the status register, in its place behind the command */
#define LIST_LEAST   0x40u      /* capabilities are behind the header, */
#define LIST_MOST    48u        /* and no more fit there */

#define CLASS_BRIDGE 0x0604

static struct {
    const struct pci_window *windows;
    unsigned count;
} self;

/* Of one segment. */
struct walk {
    bool (*found)(void *context, uint32_t where);
    void *context;
    uint32_t segment; /* in its place in `where` */
    uint8_t seen[256 / 8];
    uint8_t waiting[256]; /* buses to look at */
    unsigned count, done;
};

void pci_set_windows(const struct pci_window *windows, unsigned count)
{
    self.windows = windows;
    self.count = count;
}

uint64_t pci_address(uint32_t where)
{
    for (unsigned i = 0; i < self.count; i++) {
        const struct pci_window *window = &self.windows[i];

        if (window->segment == PCI_SEGMENT(where) && PCI_BUS(where) >= window->first &&
            PCI_BUS(where) <= window->last)
            return window->base + ((uint64_t)(where & 0xffff) << 12);
    }
    return 0;
}

unsigned pci_class(uint32_t where)
{
    return pci_read(where, PCI_CLASS) >> 16;
}

unsigned pci_header(uint32_t where)
{
    return pci_read(where, HEADER_TYPE) >> 16 & 0x7f;
}

unsigned pci_capability(uint32_t where, unsigned kind)
{
    unsigned at;

    if (!(pci_read(where, PCI_COMMAND) & HAS_LIST))
        return 0;
    at = pci_read(where, CAPABILITIES) & 0xfc;
    for (unsigned i = 0; i < LIST_MOST && at >= LIST_LEAST; i++) {
        const uint32_t entry = pci_read(where, at);

        if ((entry & 0xff) == kind)
            return at;
        at = entry >> 8 & 0xfc;
    }
    return 0;
}

static void add_bus(struct walk *walk, unsigned bus)
{
    if (walk->seen[bus / 8] >> bus % 8 & 1)
        return;
    walk->seen[bus / 8] |= (uint8_t)(1u << bus % 8);
    walk->waiting[walk->count++] = (uint8_t)bus;
}

/* False: `found` wants no more. */
static bool visit(struct walk *walk, uint32_t where)
{
    if (pci_class(where) == CLASS_BRIDGE && pci_header(where) == 1)
        add_bus(walk, pci_read(where, BUSES) >> 8 & 0xff);
    return walk->found(walk->context, where);
}

static bool visit_device(struct walk *walk, unsigned bus, unsigned device)
{
    const uint32_t first = walk->segment | PCI_FUNCTION(bus, device, 0);
    unsigned functions = 1;

    if (pci_read(first, PCI_ID) == PCI_NOBODY)
        return true;
    if (pci_read(first, HEADER_TYPE) & HEADER_MULTI)
        functions = 8;
    for (unsigned function = 0; function < functions; function++) {
        const uint32_t where = first + function;

        if (pci_read(where, PCI_ID) != PCI_NOBODY && !visit(walk, where))
            return false;
    }
    return true;
}

/* The bus, if it was not looked at, and what bridges there lead to. */
static bool visit_buses(struct walk *walk, unsigned bus)
{
    add_bus(walk, bus);
    for (; walk->done < walk->count; walk->done++)
        for (unsigned device = 0; device < 32; device++)
            if (!visit_device(walk, walk->waiting[walk->done], device))
                return false;
    return true;
}

/* The first window of its segment: the walk takes all windows of a segment at once. */
static bool is_first(unsigned index)
{
    for (unsigned i = 0; i < index; i++)
        if (self.windows[i].segment == self.windows[index].segment)
            return false;
    return true;
}

static bool visit_windows(struct walk *walk)
{
    for (unsigned i = 0; i < self.count; i++)
        for (unsigned bus = self.windows[i].first;
             bus <= self.windows[i].last &&
             PCI_IN_SEGMENT(self.windows[i].segment) == walk->segment;
             bus++)
            if (!visit_buses(walk, bus))
                return false;
    return true;
}

void pci_walk(bool (*found)(void *context, uint32_t where), void *context)
{
    struct walk walk = {.found = found, .context = context};

    if (!visit_buses(&walk, 0) || !visit_windows(&walk))
        return;
    for (unsigned i = 0; i < self.count; i++) {
        if (self.windows[i].segment == 0 || !is_first(i))
            continue;
        walk = (struct walk){
            .found = found, .context = context, .segment = PCI_IN_SEGMENT(self.windows[i].segment)};
        if (!visit_windows(&walk))
            return;
    }
}
