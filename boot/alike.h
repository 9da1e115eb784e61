/* Which of several names a misspelt one is nearest to. Pure. */
#ifndef BOOT_ALIKE_H
#define BOOT_ALIKE_H

#include <stddef.h>

/* How many bytes both texts begin with, whatever their case. */
size_t alike(const char *a, const char *b);

#endif
