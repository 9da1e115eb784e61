#include "acpi_mcfg.h"

#include "boot/table_bytes.h"

#define FIXED_BYTES  44u /* header, and 8 reserved */
#define WINDOW_BYTES 16u
#define MIB          (1ull << 20) /* a bus */

enum rc acpi_mcfg(const void *table, size_t size, unsigned index, struct pci_window *window)
{
    const size_t begin = FIXED_BYTES + (size_t)index * WINDOW_BYTES;
    const uint8_t *bytes = (const uint8_t *)table + begin;

    if (size < FIXED_BYTES)
        return RC_BAD_INPUT;
    if (begin >= size)
        return RC_ABSENT;
    if (size - begin < WINDOW_BYTES)
        return RC_BAD_INPUT;
    window->base = table_number(bytes, 8);
    window->segment = (uint16_t)table_number(bytes + 8, 2);
    window->first = bytes[10];
    window->last = bytes[11];
    if (window->base == 0 || window->base % MIB || window->first > window->last ||
        window->base > UINT64_MAX - 256 * MIB)
        return RC_BAD_INPUT;
    return RC_OK;
}
