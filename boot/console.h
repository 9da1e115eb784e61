/* Where the log goes: serial line, screen, stick. */
#ifndef BOOT_CONSOLE_H
#define BOOT_CONSOLE_H

#include "acpi.h"
#include "machine.h"

/* Memory for what is logged before the sinks are up. */
void console_start(void);
/* Brings the sinks up as the options and the SPCR (null: none) say and replays what was kept.
 * `facts` gets the serial line's description. */
void console_up(const struct machine_options *options, const struct acpi_serial *spcr,
                struct machine_facts *facts);
/* Whether a UART takes the log: all that is left of it without boot services. */
bool console_has_serial(void);
/* Writes what the stick has not got yet, and tells of a sink that failed since the last time. */
void console_flush(void);
/* The stick's file is closed; screen and serial go on as long as they can. */
void console_close_stick(void);

#endif
