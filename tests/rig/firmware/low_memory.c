#include "low_memory.h"

#include "device/guest_memory.h"
#include "device/platform.h"
#include "guest.h"
#include "processor.h"
#include "state.h"

#define FIRST 0x1000u                     /* page 0 has the vectors of real mode */
#define END   (LEGACY_BEGIN - PAGE_BYTES) /* the extended BIOS data area */

static uint8_t byte_of(uint64_t address)
{
    return (uint8_t)(address * 37 + (address >> 12));
}

void low_memory_use(struct firmware *firmware)
{
    uint8_t *low = memory_at(firmware->memory, 0, END);

    for (uint64_t page = FIRST / PAGE_BYTES; page < END / PAGE_BYTES; page++)
        if (firmware->map.type[page] == EfiConventionalMemory)
            firmware->map.type[page] = EfiBootServicesData;
    for (uint64_t at = FIRST; at < END; at++)
        low[at] = byte_of(at);
}

bool low_memory_is_whole(const struct firmware *firmware)
{
    const uint8_t *low = memory_at(firmware->memory, 0, END);

    for (uint64_t at = FIRST; at < END; at++) {
        if (low[at] == byte_of(at))
            continue;
        machine_end(firmware->machine, 1,
                    "a service is called while the firmware's byte at 0x%llx is another one",
                    (unsigned long long)at);
        return false;
    }
    return true;
}
