#include "service.h"

#include <string.h>

#include "device/guest_memory.h"
#include "processor.h"
#include "state.h"

bool stub_is(const struct firmware *firmware, uint64_t address)
{
    return address >= firmware->stubs && address < firmware->stubs + STUBS_BYTES;
}

uint64_t stub_of(const struct firmware *firmware, enum service service)
{
    return firmware->stubs + (VECTORS + (unsigned)service) * STUB_BYTES;
}

bool get(const struct call *call, uint64_t address, void *to, uint64_t size)
{
    const void *from = memory_at(call->firmware->memory, address, size);

    if (from != NULL)
        memcpy(to, from, size);
    return from != NULL;
}

bool put(const struct call *call, uint64_t address, const void *from, uint64_t size)
{
    void *to = memory_at(call->firmware->memory, address, size);

    if (to == NULL)
        return false;
    memmove(to, from, size);
    wrote(call, address, size);
    return true;
}

bool put64(const struct call *call, uint64_t address, uint64_t value)
{
    return put(call, address, &value, sizeof(value));
}

void *view(const struct call *call, uint64_t address, uint64_t size)
{
    return memory_at(call->firmware->memory, address, size);
}

void wrote(const struct call *call, uint64_t address, uint64_t size)
{
    machine_code_written(call->machine, address, size);
}

bool get_string(const struct call *call, uint64_t address, uint16_t *to, size_t room)
{
    for (size_t i = 0; i < room; i++) {
        if (!get(call, address + 2 * i, &to[i], 2))
            return false;
        if (to[i] == 0)
            return true;
    }
    return false;
}

uint64_t argument(const struct call *call, unsigned n)
{
    uint64_t value = 0;

    if (n < 4)
        return call->arguments[n];
    get(call, call->stack + 8 + 8 * (uint64_t)n, &value, sizeof(value));
    return value;
}
