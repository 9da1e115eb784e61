/* Registers as the run found them and as it left them. Some are set on every processor before the
 * run, as the firmware may have left them (--found MSR=VALUE). */
#ifndef RIG_MACHINE_FOUND_H
#define RIG_MACHINE_FOUND_H

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
    uint64_t *held; /* of each processor, each register that is compared; NULL: not noted */
};

/* Adds the request of one --found, two numbers in C's notation; false when it is none, or there are
 * too many. */
bool found_parse(struct found *found, const char *text);
/* Writes the values on every processor that takes them. NULL; or why not: no processor takes one.
 */
const char *found_apply(const struct found *found, struct machine *machine);
/* Notes what the registers that a run may set hold before it. False: the host's memory ran out. */
bool found_note(struct found *found, const struct machine *machine);
/* After found_note: a line for each register of a processor that does not hold its value any more.
 */
void found_report(const struct found *found, const struct machine *machine, FILE *out);
void found_free(struct found *found);

#endif
