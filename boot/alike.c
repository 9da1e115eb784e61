#include "alike.h"

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

size_t alike(const char *a, const char *b)
{
    size_t length = 0;

    while (a[length] != '\0' && lower(a[length]) == lower(b[length]))
        length++;
    return length;
}
