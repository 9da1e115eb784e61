/* The values that configuration keys may have. Pure; used by config.c only. */
#ifndef HARNESS_CONFIG_VALUE_H
#define HARNESS_CONFIG_VALUE_H

#include "config.h"
#include "boot/slice.h"

struct config_key {
    const char *name;
    /* Takes the value over into *config; null when it did, else what is wrong, with *offset of the
     * place inside the value. */
    const char *(*set)(struct config *config, struct slice value, size_t *offset);
    const char *expected;
};

/* The key of that name, null when there is none. */
const struct config_key *config_key_find(struct slice name);
/* Names of all keys, for "expected one of". */
const char *config_key_names(void);

#endif
