/* The registers in which `turbo = off` and `prefetch = off` set bits for the whole run. Threads of
 * a core, or all logical processors of a package, have one copy of them. So every core reads what
 * was found before any core sets a bit, and none is put back while a core that shares it is
 * measured: harness/survey/settings.c and harness/survey/restore.c see to that. These functions run
 * on the core.
 */
#ifndef HARNESS_WINDOW_SWITCHES_H
#define HARNESS_WINDOW_SWITCHES_H

#include <stdbool.h>
#include <stdint.h>

enum sharing { SHARED_BY_CORE, SHARED_BY_PACKAGE };

struct switch_off {
    const char *name; /* of the configuration's key */
    const char *why;  /* it cannot be set; null: it can */
    uint32_t msr;
    uint64_t bits; /* to be set */
    enum sharing sharing;
    uint64_t found;
    uint64_t is;   /* as read last, where `readable` */
    bool readable; /* the last read did not fault */
    bool set;      /* it was written, and is to be put back */
    bool put_back;
};

#define SWITCHES_MOST 2
struct switches {
    struct switch_off list[SWITCHES_MOST];
    unsigned count;
};

/* Whether one of them is to be put back. */
bool switches_are_set(const struct switches *switches);
/* Reads what was found; `why` where that faults. */
void switches_find(struct switches *switches);
/* Sets the bits and reads the registers; `why` where that faults. */
void switches_set(struct switches *switches);
/* Reads what the registers that were set hold. */
void switches_read(struct switches *switches);
/* Writes the value that was found, if the register was set, and reads it again. */
void switch_put_back(struct switch_off *one);
/* Whether the register holds the bits, as it was read last. */
bool switch_holds(const struct switch_off *one);

#endif
