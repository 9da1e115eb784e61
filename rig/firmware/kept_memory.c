#include "kept_memory.h"

#include <string.h>

#include "device/guest_memory.h"
#include "device/platform.h"
#include "device/serial_place.h"
#include "guest.h"
#include "processor.h"
#include "state.h"

#define FIRST 0x1000u                     /* page 0 has the vectors of real mode */
#define END   (LEGACY_BEGIN - PAGE_BYTES) /* the extended BIOS data area */

#define LINE_STATUS 0x60 /* of a 16550 whose transmitter is empty, and which received nothing */
#define LINE_BYTES  32u

static uint8_t byte_of(uint64_t address)
{
    return (uint8_t)(address * 37 + (address >> 12));
}

/* The first byte of [begin, end) with another value, or end. */
static uint64_t first_changed(const struct firmware *firmware, uint64_t begin, uint64_t end)
{
    const uint8_t *bytes = memory_at(firmware->memory, begin, end - begin);
    uint64_t at = begin;

    while (at < end && bytes[at - begin] == byte_of(at))
        at++;
    return at;
}

static void fill(const struct firmware *firmware, uint64_t begin, uint64_t end)
{
    uint8_t *bytes = memory_at(firmware->memory, begin, end - begin);

    for (uint64_t at = begin; at < end; at++)
        bytes[at - begin] = byte_of(at);
}

void low_memory_use(struct firmware *firmware)
{
    for (uint64_t page = FIRST / PAGE_BYTES; page < END / PAGE_BYTES; page++)
        if (firmware->map.type[page] == EfiConventionalMemory)
            firmware->map.type[page] = EfiBootServicesData;
    fill(firmware, FIRST, END);
}

bool low_memory_is_whole(const struct firmware *firmware)
{
    const uint64_t at = first_changed(firmware, FIRST, END);

    if (at == END)
        return true;
    machine_end(firmware->machine, 1,
                "a service is called while the firmware's byte at 0x%llx is another one",
                (unsigned long long)at);
    return false;
}

static uint64_t special_begin(const struct firmware *firmware)
{
    return firmware->map.pages / 4;
}

static uint64_t special_end(const struct firmware *firmware)
{
    return firmware->map.pages / 4 * 3;
}

bool special_memory_use(struct firmware *firmware)
{
    const uint64_t begin = special_begin(firmware), end = special_end(firmware);

    for (uint64_t page = begin; page < end; page++)
        if (firmware->map.type[page] != EfiConventionalMemory)
            return false;
    memset(firmware->map.type + begin, MEMORY_SPECIAL, end - begin);
    fill(firmware, begin * PAGE_BYTES, end * PAGE_BYTES);
    return true;
}

bool special_memory_is_whole(const struct firmware *firmware)
{
    const uint64_t end = special_end(firmware) * PAGE_BYTES,
                   at = first_changed(firmware, special_begin(firmware) * PAGE_BYTES, end);

    if (at == end)
        return true;
    machine_end(firmware->machine, 1, "special-purpose memory was written: the byte at 0x%llx",
                (unsigned long long)at);
    return false;
}

bool special_memory_is_left(const struct firmware *firmware, uint64_t address, uint64_t pages)
{
    const struct memory_map *map = &firmware->map;

    for (uint64_t page = address / PAGE_BYTES, i = 0; i < pages && page < map->pages; i++, page++) {
        if (map->type[page] != MEMORY_SPECIAL)
            continue;
        machine_end(firmware->machine, 1,
                    "AllocatePages at 0x%llx takes special-purpose memory, page 0x%llx",
                    (unsigned long long)address, (unsigned long long)page * PAGE_BYTES);
        return false;
    }
    return true;
}

static bool is_free(const struct firmware *firmware, uint64_t address)
{
    return firmware->map.type[address / PAGE_BYTES] == EfiConventionalMemory;
}

bool line_memory_use(struct firmware *firmware)
{
    if (!is_free(firmware, UART_RAM_BASE))
        return false;
    memset(memory_at(firmware->memory, UART_RAM_BASE, LINE_BYTES), LINE_STATUS, LINE_BYTES);
    return true;
}

void line_memory_written(const struct firmware *firmware, uint64_t address)
{
    if (is_free(firmware, UART_RAM_BASE))
        machine_end(firmware->machine, 1,
                    "memory that a table calls a serial line was written: the byte at 0x%llx",
                    (unsigned long long)address);
}
