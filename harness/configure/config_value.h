/* The configuration's keys, and how their values are read. Pure. */
#ifndef HARNESS_CONFIGURE_CONFIG_VALUE_H
#define HARNESS_CONFIGURE_CONFIG_VALUE_H

#include "boot/slice.h"
#include "config.h"

struct config_key {
    const char *name;
    /* Puts the value into *config. Returns null, or what is wrong with the value; then *offset is
     * the place of the mistake in it. */
    const char *(*set)(struct config *config, struct slice value, size_t *offset);
    const char *expected; /* the values that the key may have, for complaints */
    const char *standard; /* the value it has when nobody gives one; typed words in backquotes */
    const char *meaning;  /* likewise */
};

/* The key of that name, null when there is none. */
const struct config_key *config_key_find(struct slice name);
/* Key number `index`, null beyond the last. */
const struct config_key *config_key_at(size_t index);
/* The names of all keys, separated by blanks. */
const char *config_key_names(void);

#endif
