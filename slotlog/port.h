/* Where a log comes from: a serial device, a TCP port, a file, standard input. */
#ifndef SLOTLOG_PORT_H
#define SLOTLOG_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

struct port {
    const char *name; /* a path, tcp:HOST:PORT or - */
    unsigned baud;
    int descriptor;  /* -1: not open */
    bool comes_back; /* a device or a connection: when it ends, it may be opened again */
    bool restore;    /* a terminal whose settings were changed */
    struct termios before;
};

enum port_event { PORT_BYTES, PORT_SILENT, PORT_GONE, PORT_ENDED };

/* Opens it, a terminal in raw mode, 8N1, at that rate. False: errno, or `why` when it is not NULL,
 * says why not. */
bool port_open(struct port *port, const char **why);
/* Waits at most a second for bytes. */
enum port_event port_read(struct port *port, char *bytes, size_t size, size_t *got);
/* Puts the terminal's settings back. */
void port_close(struct port *port);

#endif
