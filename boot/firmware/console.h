/* The log's sinks: serial line and a file on the stick. */
#ifndef BOOT_FIRMWARE_CONSOLE_H
#define BOOT_FIRMWARE_CONSOLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "acpi_tables.h"
#include "boot/log.h"

struct console_options {
    bool serial;          /* false: `serial = none` */
    bool serial_port_set; /* the configuration named a port */
    uint16_t serial_port;
    uint32_t baud;        /* 0: the SPCR's, else 115200; an SPCR of 0 keeps the firmware's */
    bool screen;          /* screen.h shows pages */
    const char *log_name; /* file in \slotscope\ on the stick, null: none */
    enum log_form serial_form, stick_form; /* what each of them gets */
};

/* Takes the log's lines from here on, and keeps them until console_up. */
void console_start(void);
/* Opens the log file in \slotscope\ on the stick (null: none), so that log_flush writes the kept
 * lines of that form there. The log of the run before is kept under another name. */
void console_stick_up(const char *name, enum log_form form);
/* Starts the other sinks as the options and the tables say, and sends the kept lines to them. The
 * serial line's description is written to serial[size]. */
void console_up(const struct console_options *options, const struct acpi_tables *tables,
                char *serial, size_t size);
/* Whether a UART takes the log: without boot services nothing else can. One that has taken nothing
 * for SERIAL_PATIENCE_US does not, until it does again. */
bool console_has_serial(void);
/* At the end: waits until the last of the log is out, as long as the line goes on within
 * SERIAL_PATIENCE_US. Whether all of it went to a line that is known to lead somewhere. */
bool console_serial_has_all(void);
/* Whether that line is known to lead somewhere (serial_line.h), so that the log is kept there. */
bool console_serial_is_sure(void);
/* Whether the stick takes the log. */
bool console_has_stick(void);
/* Whether all of the log so far is on the stick. */
bool console_stick_has_all(void);
/* Bytes of the log that went to the stick, or are kept for the server, so far. */
uint64_t console_stick_bytes(void);
/* Sets *bytes to what the stick has room for. False: there is no stick, or it does not say. */
bool console_stick_room(uint64_t *bytes);
/* Whether that place has no room for `bytes` more of it, as far as it says. */
bool console_stick_lacks(uint64_t bytes);
/* Whether the log is kept for the server that the image was booted from: it is when there is
 * neither a stick nor a serial line that is sure. */
bool console_has_server(void);
/* Sends it there, once at the end, with boot services alive. False: the server did not take it. */
bool console_send_to_server(void);
/* From here on the log's lines go to the stick alone, which has the log so far: they are the end of
 * the log there. console_close_stick must follow; then the log goes on at the serial line as if
 * these lines had never been. */
void console_stick_alone(void);
/* Whether the stick took no more, for want of room: its log is to get its end. */
bool console_stick_is_cut(void);
/* Then: the log on the stick is cut to where it was at the last flush that wrote all of it, and the
 * log's lines from here on are its end there, which has room. console_close_stick must follow, as
 * above. False: the stick does not take that either. */
bool console_stick_rewind(void);
/* Before the log's end: waits until the serial line has the log so far, as long as it goes on
 * within SERIAL_PATIENCE_US, and writes the stick. */
void console_before_end(void);
/* The log's end follows: it gets the room that is kept for it on the stick. */
void console_give_end_room(void);
/* Writes the lines that are not on the stick yet and closes the log file; the serial line goes on.
 */
void console_close_stick(void);
/* Waits until the last of the log is out on the serial line, and ends the line. */
void console_end(void);

#endif
