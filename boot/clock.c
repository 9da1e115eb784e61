#include "clock.h"

#include <stddef.h>

static struct {
    uint64_t ticks_per_us;
    const char *source, *trouble;
} self = {1000, NULL, NULL}; /* until clock_set: deadlines pass at some time, even so */

uint64_t clock_ticks_per_us(void)
{
    return self.ticks_per_us;
}

const char *clock_source(void)
{
    return self.source;
}

const char *clock_trouble(void)
{
    return self.trouble;
}

void clock_set_trouble(const char *why)
{
    self.trouble = why;
}

void clock_set(uint64_t ticks_per_us, const char *source)
{
    self.ticks_per_us = ticks_per_us;
    self.source = source;
}
