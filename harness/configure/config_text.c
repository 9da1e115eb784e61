#include "config_text.h"

#include <stdint.h>

size_t config_text(char *text, size_t size)
{
    const uint8_t *bytes = (const uint8_t *)text;
    const size_t count = size / 2;
    size_t low;

    if (size < 2)
        return size;
    if (bytes[0] == 0xff && bytes[1] == 0xfe)
        low = 0;
    else if (bytes[0] == 0xfe && bytes[1] == 0xff)
        low = 1;
    else
        return size;
    for (size_t i = 1; i < count; i++) {
        const uint8_t value = bytes[2 * i + low], high = bytes[2 * i + 1 - low];

        text[i - 1] = high == 0 && value < 0x80 ? (char)value : '?';
    }
    text[count - 1] = '\0';
    return count - 1;
}
