/* Which UART of this machine is the serial line.
 *
 * A line is named when the configuration, the SPCR or the DBG2 says where it is, in this order.
 * Else it is guessed: COM1 to COM4, then PCI functions. Of the guessed UARTs that answer the first
 * with CTS, DSR or DCD set is taken, one of an LPSS only when no other has; when none has, the
 * first. A UART says nothing of a cable of three wires, so a guessed line without these signals may
 * lead nowhere; and an LPSS's, to a chip on the board. The log goes there, but nothing may rest on
 * it. */
#ifndef BOOT_FIRMWARE_SERIAL_LINE_H
#define BOOT_FIRMWARE_SERIAL_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acpi_tables.h"

struct serial_line_request {
    bool port_set; /* the configuration named a port */
    uint16_t port;
    uint32_t baud; /* 0: the configuration named none */
};

enum serial_line { SERIAL_LINE_NONE, SERIAL_LINE_UNPROVEN, SERIAL_LINE_SURE };

/* Starts the line, with boot services alive, and describes it in text[size], or says why there is
 * none. Logs which line it is, what the tables name, and the other UARTs with the reason
 * why each of them is not the line, as far as there are a few. SERIAL_LINE_SURE: the line is named,
 * or someone is at its other end. */
enum serial_line serial_line_start(const struct serial_line_request *request,
                                   const struct acpi_tables *tables, char *text, size_t size);
/* The pages of range number `index` in memory that the line needs: its registers, and what puts its
 * PCI function back; *end is 0 when there is none. False: there are no more ranges. */
bool serial_line_range(unsigned index, uint64_t *start, uint64_t *end);
/* Puts back what was changed for the line, when its last character is out; nothing may be sent from
 * here on. */
void serial_line_end(void);

#endif
