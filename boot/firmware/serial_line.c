#include "serial_line.h"

#include "boot/format.h"
#include "boot/log.h"
#include "boot/pci/pci.h"
#include "boot/serial/pci_line.h"
#include "boot/serial/serial.h"
#include "boot/text.h"
#include "memory_map.h"
#include "reach.h"

#define USUAL_BAUD 115200u
#define PAGE       4096ull
#define NOT_HEARD  "CTS, DSR and DCD are clear: perhaps it leads nowhere"
#define OF_AN_LPSS "it is an LPSS's: perhaps it leads to a chip on the board"
/* UARTs that are not the line: so many are named in the log, which no card of many ports may fill.
 */
#define PASSED_MOST 8u

/* The usual places of a PC's UARTs. */
static const uint16_t com_ports[] = {0x3f8, 0x2f8, 0x3e8, 0x2e8};

/* A UART that may be the line. */
struct candidate {
    struct pci_uart uart;
    uint32_t firmware_baud; /* 0: the firmware does not say */
    bool is_pci;
    uint32_t where; /* the PCI function */
};

static struct {
    struct candidate line;     /* the UART that was started */
    struct pci_line_state pci; /* its function, if it is one */
    bool started;
} self;

/* One that was found and is not the line, unless it turns out to be. */
struct passed {
    struct candidate candidate;
    const char *why;
};

struct search {
    const struct serial_line_request *request;
    struct candidate found, chip, first;
    bool heard;      /* `found` has someone at its other end, */
    bool chip_heard; /* and so has `chip`, the UART of an LPSS, but perhaps a chip on the board */
    bool any;        /* `first` answers */
    unsigned functions;  /* UARTs of PCI that were looked at */
    unsigned named;      /* UARTs of PCI seen while the others are named */
    const char *decided; /* why the other UARTs of PCI were not looked at */
    struct passed passed[PASSED_MOST];
    unsigned passed_count; /* of all, also of those without room */
};

static struct candidate candidate_port(uint16_t port)
{
    return (struct candidate){.uart.place = serial_place_port(port)};
}

static uint64_t bytes_of(const struct candidate *candidate)
{
    return candidate->uart.lpss_hz ? LPSS_BYTES
                                   : (uint64_t)candidate->uart.place.stride * SERIAL_REGISTERS;
}

/* Null: the candidate is a UART, which is started. Else why it is not, with nothing left changed,
 * and *silent tells whether only nothing answers. */
static const char *try_to_start(const struct candidate *candidate, const struct serial_rate *rate,
                                bool *silent)
{
    const struct serial_place *place = &candidate->uart.place;
    const enum reach reach =
        place->memory ? reach_of(memory_map_read(), place->address, bytes_of(candidate)) : REACH_OK;

    *silent = false;
    if (reach != REACH_OK)
        return reach_text(reach);
    if (candidate->is_pci)
        switch (pci_line_start(&self.pci, candidate->where, &candidate->uart)) {
        case PCI_LINE_ASLEEP:
            return "the function does not leave its sleep (D3hot)";
        case PCI_LINE_STRANGE:
            return "what answers there does not call itself a UART";
        case PCI_LINE_OK:
            break;
        }
    if (serial_start(place, rate))
        return NULL;
    if (candidate->is_pci)
        pci_line_end(&self.pci);
    *silent = true;
    return "no UART answers there";
}

/* The same; `baud` is the rate that is wanted, 0: none. */
static const char *try(const struct candidate *candidate, uint32_t baud, bool *silent)
{
    const struct serial_rate rate = {.wanted = baud, .firmware = candidate->firmware_baud};
    const char *why = try_to_start(candidate, &rate, silent);

    self.started = why == NULL;
    if (self.started)
        self.line = *candidate;
    return why;
}

static void stop(void)
{
    serial_end();
    if (self.started && self.line.is_pci)
        pci_line_end(&self.pci);
    self.started = false;
}

static size_t describe_function(uint32_t where, char *text, size_t size)
{
    size_t used = format(text, size, "PCI ");

    if (PCI_SEGMENT(where) != 0)
        used += format(text + used, size - used, "%04x:", PCI_SEGMENT(where));
    return used + format(text + used, size - used, "%02x:%02x.%x", PCI_BUS(where),
                         PCI_DEVICE(where), PCI_NUMBER(where));
}

static void describe(const struct candidate *candidate, char *text, size_t size)
{
    const struct serial_place *place = &candidate->uart.place;
    const unsigned long long address = place->address;
    size_t used = 0;

    if (candidate->is_pci) {
        used = describe_function(candidate->where, text, size);
        if (place->width == 0) /* without an address */
            return;
        used += format(text + used, size - used, " ");
    }
    if (place->memory) {
        format(text + used, size - used, "memory 0x%llx, %u bits", address, 8u * place->width);
        return;
    }
    for (unsigned i = 0; i < COUNT_OF(com_ports) && !candidate->is_pci; i++)
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

/* --- UARTs that are not the line -------------------------------------------------------------- */

static void pass_over(struct search *search, const struct candidate *candidate, const char *why)
{
    if (search->passed_count < PASSED_MOST)
        search->passed[search->passed_count] = (struct passed){*candidate, why};
    search->passed_count++;
}

static bool is_line(const struct candidate *candidate)
{
    const struct candidate *line = &self.line;

    return self.started && candidate->is_pci == line->is_pci && candidate->where == line->where &&
           candidate->uart.place.address == line->uart.place.address;
}

/* A function that no search has looked at; it is not started. True: go on. */
static bool name_function(void *context, uint32_t where)
{
    struct candidate candidate = {.is_pci = true, .where = where};
    struct search *search = context;

    if (pci_serial(where, &candidate.uart) == PCI_SERIAL_NONE ||
        search->named++ < search->functions)
        return true;
    if (!is_line(&candidate))
        pass_over(search, &candidate, search->decided);
    return true;
}

static void log_passed(const struct search *search)
{
    char where[64];

    for (unsigned i = 0; i < search->passed_count && i < PASSED_MOST; i++) {
        const struct passed *passed = &search->passed[i];

        if (is_line(&passed->candidate))
            continue;
        describe(&passed->candidate, where, sizeof(where));
        log_comment("serial line: not %s: %s", where, passed->why);
    }
    if (search->passed_count > PASSED_MOST)
        log_comment("serial line: nor %u more UARTs", search->passed_count - PASSED_MOST);
}

/* --- named lines ----------------------------------------------------------------------------- */

/* The line that a table names. `baud` is the rate that the table says; 0: the UART keeps its own.
 */
static bool try_named(const char *table, enum rc rc, const struct acpi_serial *named, uint32_t baud,
                      char *text, size_t size)
{
    const struct candidate candidate = {.uart.place = named->place, .firmware_baud = named->baud};
    char where[64], what[128];
    const char *why;
    bool silent;

    if (rc == RC_NO_SPACE)
        log_error("the serial line that a table names is ignored: it cannot be used", table,
                  "a 16550 behind I/O ports, or in memory at an address of 47 bits");
    if (rc != RC_OK)
        return false;
    why = try(&candidate, baud, &silent);
    if (why == NULL) {
        describe_started(&candidate, text, size);
        log_comment("serial line: %s, which the %s names", text, table);
        return true;
    }
    describe(&candidate, text, size);
    format(where, sizeof(where), "%s, %s", table, text);
    format(what, sizeof(what), "the serial line that a table names is ignored: %s", why);
    log_error(what, where, "a 16550");
    return false;
}

/* The configuration's port. */
static enum serial_line try_port(const struct serial_line_request *request,
                                 const struct acpi_tables *tables, char *text, size_t size)
{
    const struct candidate candidate = candidate_port(request->port);
    const bool same = tables->spcr == RC_OK && !tables->console.place.memory &&
                      tables->console.place.address == request->port;
    const uint32_t baud = same ? tables->console.baud : USUAL_BAUD;
    bool silent;

    if (try(&candidate, request->baud ? request->baud : baud, &silent) == NULL) {
        describe_started(&candidate, text, size);
        log_comment("serial line: %s, which the configuration names", text);
        return SERIAL_LINE_SURE;
    }
    format(text, size, "none: no UART answers at 0x%x", request->port);
    return SERIAL_LINE_NONE;
}

/* --- guessed lines --------------------------------------------------------------------------- */

/* Whether the search is over. That nothing answers at a port where there may be nothing is not
 * worth a line. */
static bool look(struct search *search, const struct candidate *candidate)
{
    bool silent;
    const char *why =
        try(candidate, search->request->baud ? search->request->baud : USUAL_BAUD, &silent);

    if (why != NULL) {
        if (!silent || candidate->is_pci)
            pass_over(search, candidate, why);
        return false;
    }
    if (serial_hears() && !candidate->uart.lpss_hz) {
        search->found = *candidate;
        search->heard = true;
        return true;
    }
    if (serial_hears() && !search->chip_heard) {
        search->chip = *candidate;
        search->chip_heard = true;
    }
    pass_over(search, candidate, serial_hears() ? OF_AN_LPSS : NOT_HEARD);
    stop();
    if (!search->any)
        search->first = *candidate;
    search->any = true;
    return false;
}

/* True: go on. */
static bool look_at_function(void *context, uint32_t where)
{
    struct candidate candidate = {.is_pci = true, .where = where};
    struct search *search = context;

    switch (pci_serial(where, &candidate.uart)) {
    case PCI_SERIAL_UART:
        search->functions++;
        return !look(search, &candidate);
    case PCI_SERIAL_NOWHERE:
        search->functions++;
        candidate.uart.place.width = 0;
        pass_over(search, &candidate, "a UART to which the firmware gave no address");
        break;
    case PCI_SERIAL_NONE:
        break;
    }
    return true;
}

static void search_all(struct search *search)
{
    for (unsigned i = 0; i < COUNT_OF(com_ports); i++) {
        const struct candidate candidate = candidate_port(com_ports[i]);

        if (look(search, &candidate))
            return;
    }
    pci_walk(look_at_function, search);
}

/* A line on which nothing may rest. */
static enum serial_line take_unproven(const struct candidate *candidate,
                                      const struct serial_line_request *request, const char *doubt,
                                      char *text, size_t size)
{
    bool silent;

    if (try(candidate, request->baud ? request->baud : USUAL_BAUD, &silent) != NULL) {
        format(text, size, "none: no UART answers");
        return SERIAL_LINE_NONE;
    }
    describe_started(candidate, text, size);
    log_comment("serial line: %s, which nobody names; %s", text, doubt);
    return SERIAL_LINE_UNPROVEN;
}

static enum serial_line guess(struct search *search, char *text, size_t size)
{
    search_all(search);
    search->decided = "another UART is the line, which was found before it";
    if (search->heard) {
        describe_started(&search->found, text, size);
        log_comment("serial line: %s, which nobody names; CTS, DSR or DCD is set", text);
        return SERIAL_LINE_SURE;
    }
    if (search->chip_heard)
        return take_unproven(&search->chip, search->request, OF_AN_LPSS, text, size);
    if (search->any)
        return take_unproven(&search->first, search->request, NOT_HEARD, text, size);
    format(text, size, "none: no UART answers");
    return SERIAL_LINE_NONE;
}

/* DBG2 has no rate; where the clock is not known either, the UART keeps the firmware's. */
static enum serial_line choose(struct search *search, const struct acpi_tables *tables, char *text,
                               size_t size)
{
    const uint32_t console = tables->console.baud,
                   debug = tables->debug.place.clock_hz ? USUAL_BAUD : 0,
                   baud = search->request->baud;

    search->decided = "the configuration names the line";
    if (search->request->port_set)
        return try_port(search->request, tables, text, size);
    search->decided = "the SPCR names the line";
    if (try_named("SPCR", tables->spcr, &tables->console, baud ? baud : console, text, size))
        return SERIAL_LINE_SURE;
    search->decided = "the DBG2 names the line";
    if (try_named("DBG2", tables->dbg2, &tables->debug, baud ? baud : debug, text, size))
        return SERIAL_LINE_SURE;
    return guess(search, text, size);
}

enum serial_line serial_line_start(const struct serial_line_request *request,
                                   const struct acpi_tables *tables, char *text, size_t size)
{
    struct search search = {.request = request};
    const enum serial_line line = choose(&search, tables, text, size);

    pci_walk(name_function, &search);
    log_passed(&search);
    return line;
}

bool serial_line_range(unsigned index, uint64_t *start, uint64_t *end)
{
    const struct candidate *line = &self.line;
    uint64_t address = 0, bytes = PAGE;

    if (index > 1)
        return false;
    if (self.started && index == 0 && line->uart.place.memory) {
        address = line->uart.place.address;
        bytes = bytes_of(line);
    } else if (self.started && index == 1 && line->is_pci) {
        address = pci_address(line->where);
    }
    *start = address & ~(PAGE - 1);
    *end = address ? (address + bytes + PAGE - 1) & ~(PAGE - 1) : 0;
    return true;
}

void serial_line_end(void)
{
    stop();
}
