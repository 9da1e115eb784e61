#include "pci_windows.h"

#include "boot/pci/acpi_mcfg.h"
#include "boot/format.h"
#include "boot/log.h"
#include "reach.h"

#define MOST_WINDOWS 256 /* several times what the largest rigs have: one or two a root */
#define BUS_SHIFT    20  /* 1 MiB of configuration space a bus */

static struct {
    struct pci_window windows[MOST_WINDOWS];
    unsigned count;
} self;

static void ignore(const struct pci_window *window, const char *why)
{
    char what[128], where[64];

    format(what, sizeof(what), "a window of PCI configuration space is ignored: %s", why);
    format(where, sizeof(where), "MCFG, 0x%llx, segment %u, buses %02x to %02x",
           (unsigned long long)window->base, window->segment, window->first, window->last);
    log_error(what, where, "addresses that are no memory and are mapped");
}

static void take(const struct pci_window *window)
{
    const uint64_t begin = window->base + ((uint64_t)window->first << BUS_SHIFT),
                   bytes = (uint64_t)(window->last - window->first + 1) << BUS_SHIFT;
    const enum reach reach = reach_of(memory_map_last(), begin, bytes);

    if (reach != REACH_OK)
        ignore(window, reach_text(reach));
    else if (self.count == MOST_WINDOWS)
        ignore(window, "more windows than this program can hold");
    else
        self.windows[self.count++] = *window;
}

void pci_windows_start(const struct acpi_tables *tables)
{
    struct pci_window window;
    enum rc rc = tables->mcfg;

    self.count = 0;
    for (unsigned i = 0; rc == RC_OK; i++) {
        rc = acpi_mcfg(tables->mcfg_table, tables->mcfg_size, i, &window);
        if (rc == RC_OK)
            take(&window);
    }
    if (rc == RC_BAD_INPUT)
        log_error("the table of PCI configuration space is damaged", "MCFG",
                  "signature, checksum, whole windows");
    pci_set_windows(self.windows, self.count);
}
