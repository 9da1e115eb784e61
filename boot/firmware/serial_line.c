#include "serial_line.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/pci.h"
#include "boot/serial/pci_serial.h"
#include "boot/serial/serial.h"
#include "boot/text.h"
#include "memory_map.h"

#define USUAL_BAUD 115200u
#define NO_PCI     (-1)

/* The usual places of a PC's UARTs. */
static const uint16_t com_ports[] = {0x3f8, 0x2f8, 0x3e8, 0x2e8};

/* A UART that may be the line. */
struct candidate {
    struct serial_place place;
    uint32_t firmware_baud; /* 0: the firmware does not say */
    int pci;                /* its function, or NO_PCI */
};

/* What became of a candidate: only when it is TRIAL_OK is the UART started. */
enum trial { TRIAL_OK, TRIAL_MEMORY, TRIAL_NO_MAP, TRIAL_SILENT };

static const char *const trial_texts[] = {
    [TRIAL_MEMORY] = "the firmware's memory map has memory there",
    [TRIAL_NO_MAP] = "perhaps memory is there: the firmware's map cannot be read",
    [TRIAL_SILENT] = "no UART answers there",
};

static struct {
    int pci; /* the function whose decoding was switched on, or NO_PCI */
    uint32_t command;
} self = {.pci = NO_PCI};

struct search {
    const struct serial_line_wish *wish;
    struct candidate found, first;
    bool heard, any; /* `found` has someone at its other end; `first` answers */
};

static void stop_decoding(void)
{
    if (self.pci != NO_PCI)
        pci_write((uint16_t)self.pci, PCI_COMMAND, self.command);
    self.pci = NO_PCI;
}

/* Firmware often leaves a function switched off that it does not use itself. */
static void start_decoding(const struct candidate *candidate)
{
    const uint16_t where = (uint16_t)candidate->pci;
    const uint32_t wanted = candidate->place.memory ? PCI_DECODE_MEMORY : PCI_DECODE_IO;
    uint32_t command;

    if (candidate->pci == NO_PCI)
        return;
    command = pci_read(where, PCI_COMMAND) & 0xffff;
    if (command & wanted)
        return;
    self.pci = candidate->pci;
    self.command = command;
    pci_write(where, PCI_COMMAND, command | wanted);
}

/* Registers are never where the firmware's map has memory: who says so is wrong, and a write would
 * destroy what is there. */
static enum trial look_for_memory(const struct serial_place *place)
{
    const struct memory_map *map;

    if (!place->memory)
        return TRIAL_OK;
    map = memory_map_read();
    if (map == NULL)
        return TRIAL_NO_MAP;
    return memory_map_has_ram(map, place->address, (uint64_t)place->stride * SERIAL_REGISTERS)
               ? TRIAL_MEMORY
               : TRIAL_OK;
}

/* TRIAL_OK: the candidate is a UART, which is started. Else nothing is left changed. A rate that
 * nobody names is 115200. */
static enum trial try(const struct candidate *candidate, uint32_t baud)
{
    const struct serial_rate rate = {.wanted = baud, .firmware = candidate->firmware_baud};
    const enum trial trial = look_for_memory(&candidate->place);

    if (trial != TRIAL_OK)
        return trial;
    start_decoding(candidate);
    if (serial_start(&candidate->place, &rate))
        return TRIAL_OK;
    stop_decoding();
    return TRIAL_SILENT;
}

static void describe(const struct candidate *candidate, char *text, size_t size)
{
    const struct serial_place *place = &candidate->place;
    const unsigned long long address = place->address;
    size_t used = 0;

    if (candidate->pci != NO_PCI)
        used = format(text, size, "PCI %02x:%02x.%x ", PCI_BUS(candidate->pci),
                      PCI_DEVICE(candidate->pci), PCI_NUMBER(candidate->pci));
    if (place->memory) {
        format(text + used, size - used, "memory 0x%llx, %u bits", address, 8u * place->width);
        return;
    }
    for (unsigned i = 0; i < COUNT_OF(com_ports) && candidate->pci == NO_PCI; i++)
        if (com_ports[i] == address)
            used = format(text, size, "COM%u ", i + 1);
    format(text + used, size - used, "0x%llx", address);
}

static void describe_started(const struct candidate *candidate, char *text, size_t size)
{
    size_t used;

    describe(candidate, text, size);
    used = strlen(text);
    if (serial_baud())
        format(text + used, size - used, " %u", (unsigned)serial_baud());
    else
        format(text + used, size - used, ", the firmware's rate");
}

/* --- named lines ----------------------------------------------------------------------------- */

/* The line that a table names. `baud` is the rate that the table says; 0: the UART keeps its own.
 */
static bool try_named(const char *table, enum rc rc, const struct acpi_serial *named, uint32_t baud,
                      char *text, size_t size)
{
    const struct candidate candidate = {
        .place = named->place, .firmware_baud = named->baud, .pci = NO_PCI};
    char where[64], what[128];
    enum trial trial;

    if (rc == RC_NO_SPACE)
        log_error("the serial line that a table names is ignored: it cannot be used", table,
                  "a 16550 behind I/O ports, or in memory below 4 GiB");
    if (rc != RC_OK)
        return false;
    trial = try(&candidate, baud);
    if (trial == TRIAL_OK) {
        describe_started(&candidate, text, size);
        log_comment("serial line: %s, which the %s names", text, table);
        return true;
    }
    describe(&candidate, text, size);
    format(where, sizeof(where), "%s, %s", table, text);
    format(what, sizeof(what), "the serial line that a table names is ignored: %s",
           trial_texts[trial]);
    log_error(what, where, "a 16550");
    return false;
}

/* The configuration's port. */
static enum serial_line try_port(const struct serial_line_wish *wish,
                                 const struct acpi_tables *tables, char *text, size_t size)
{
    const struct candidate candidate = {.place = serial_place_port(wish->port), .pci = NO_PCI};
    const bool same = tables->spcr == RC_OK && !tables->console.place.memory &&
                      tables->console.place.address == wish->port;
    const uint32_t baud = same ? tables->console.baud : USUAL_BAUD;

    if (try(&candidate, wish->baud ? wish->baud : baud) == TRIAL_OK) {
        describe_started(&candidate, text, size);
        return SERIAL_LINE_SURE;
    }
    format(text, size, "none: no UART answers at 0x%x", wish->port);
    return SERIAL_LINE_NONE;
}

/* --- guessed lines --------------------------------------------------------------------------- */

/* Whether the search is over. That nothing answers at a place where there may be nothing is not
 * worth a line. */
static bool look(struct search *search, const struct candidate *candidate)
{
    const enum trial trial = try(candidate, search->wish->baud ? search->wish->baud : USUAL_BAUD);
    char where[64];

    if (trial == TRIAL_MEMORY || trial == TRIAL_NO_MAP) {
        describe(candidate, where, sizeof(where));
        log_comment("serial line: not %s: %s", where, trial_texts[trial]);
    }
    if (trial != TRIAL_OK)
        return false;
    if (serial_hears()) {
        search->found = *candidate;
        search->heard = true;
        return true;
    }
    serial_end();
    stop_decoding();
    if (!search->any)
        search->first = *candidate;
    search->any = true;
    return false;
}

/* True: go on. */
static bool look_at_function(void *context, uint16_t where)
{
    struct candidate candidate = {.pci = where};

    return !pci_serial(where, &candidate.place) || !look(context, &candidate);
}

static void search_all(struct search *search)
{
    for (unsigned i = 0; i < COUNT_OF(com_ports); i++) {
        const struct candidate candidate = {.place = serial_place_port(com_ports[i]),
                                            .pci = NO_PCI};

        if (look(search, &candidate))
            return;
    }
    pci_walk(look_at_function, search);
}

static enum serial_line guess(const struct serial_line_wish *wish, char *text, size_t size)
{
    struct search search = {.wish = wish};

    search_all(&search);
    if (search.heard) {
        describe_started(&search.found, text, size);
        return SERIAL_LINE_SURE;
    }
    if (search.any && try(&search.first, wish->baud ? wish->baud : USUAL_BAUD) == TRIAL_OK) {
        describe_started(&search.first, text, size);
        log_comment("serial line: %s, which nobody names; CTS, DSR and DCD are clear: perhaps it "
                    "leads nowhere",
                    text);
        return SERIAL_LINE_UNPROVEN;
    }
    format(text, size, "none: no UART answers");
    return SERIAL_LINE_NONE;
}

/* DBG2 has no rate; where the clock is not known either, the UART keeps the firmware's. */
enum serial_line serial_line_start(const struct serial_line_wish *wish,
                                   const struct acpi_tables *tables, char *text, size_t size)
{
    const uint32_t console = tables->console.baud,
                   debug = tables->debug.place.clock_hz ? USUAL_BAUD : 0;

    if (wish->port_set)
        return try_port(wish, tables, text, size);
    if (try_named("SPCR", tables->spcr, &tables->console, wish->baud ? wish->baud : console, text,
                  size) ||
        try_named("DBG2", tables->dbg2, &tables->debug, wish->baud ? wish->baud : debug, text,
                  size))
        return SERIAL_LINE_SURE;
    return guess(wish, text, size);
}

void serial_line_end(void)
{
    serial_end();
    stop_decoding();
}
