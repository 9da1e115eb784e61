/* Registers as the firmware left them (--found MSR=VALUE): set on every processor before the run,
 * and compared with what the run left in them. */
#ifndef RIG_FOUND_H
#define RIG_FOUND_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct machine;

#define FOUND_REGISTERS 16

struct found {
    struct {
        uint32_t msr;
        uint64_t value;
    } entry[FOUND_REGISTERS];
    unsigned count;
};

/* Adds the request of one --found, two numbers in C's notation; false when it is none, or there are
 * too many. */
bool found_parse(struct found *found, const char *text);
/* Writes the values on every processor that takes them. NULL; or why not: no processor takes one.
 */
const char *found_apply(const struct found *found, struct machine *machine);
/* A line for each register of a processor that does not hold the value any more. */
void found_report(const struct found *found, const struct machine *machine, FILE *out);

#endif
