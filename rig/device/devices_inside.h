/* Shared by devices.c and devices_ports.c: what surrounds an access to a device. */
#ifndef RIG_DEVICE_DEVICES_INSIDE_H
#define RIG_DEVICE_DEVICES_INSIDE_H

struct core;
struct devices;
struct uart;

/* Before `core` looks at what events leave behind: plays the events that are due. */
void devices_catch_up(struct devices *devices, const struct core *core);
/* Before `core` accesses the UART, if the line is paced: the time of the access passes, and the
 * characters leave whose time has come. */
void devices_turn_uart(struct devices *devices, struct core *core, struct uart *uart);
/* After `core` changed a device or a controller: INTR may have changed, and the slice must end at
 * the next event. */
void devices_changed(struct devices *devices, struct core *core);

#endif
