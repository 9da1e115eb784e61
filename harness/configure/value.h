/* The values of the configuration's keys, read from text. Each function returns null, or what is
 * wrong with the value; then it has changed nothing but *offset, the place of the mistake. Pure. */
#ifndef HARNESS_CONFIGURE_VALUE_H
#define HARNESS_CONFIGURE_VALUE_H

#include "boot/slice.h"
#include "config.h"

/* A number from low to high, which is below 2^32. */
const char *value_number(struct slice value, uint64_t low, uint64_t high, uint64_t *number);
const char *value_unsigned(struct slice value, uint64_t low, uint64_t high, unsigned *to);
const char *value_yes_no(struct slice value, bool *flag);
/* Reads "5" or "0-3"; false when it is neither, or a core is CORES_MAX or above. */
bool value_cores(struct slice item, uint64_t *low, uint64_t *high);
/* Names of nodes separated by commas, or "none". */
const char *value_nodes(struct slice value, char names[CONFIG_NODES][DESCRIPTION_NAME],
                        unsigned *count, size_t *offset);
/* Events separated by commas, or "none". The column of an event's place is its offset in the value.
 * Which texts are events depends on the core, so only their characters are looked at. */
const char *value_events(struct slice value, struct config_event events[CONFIG_EVENTS],
                         unsigned *count, size_t *offset);
/* The name of a kernel; "none" leaves `name` empty. */
const char *value_kernel(struct slice value, char name[CONFIG_PATTERN]);
/* A number and its unit, "100ms", at most an hour; "none" is 0. */
const char *value_interval(struct slice value, uint64_t *microseconds, size_t *offset);

#endif
