#define _GNU_SOURCE
#include "guest_memory.h"

#include <stddef.h>
#include <sys/mman.h>

static void *zeroed(uint64_t bytes)
{
    void *area = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return area == MAP_FAILED ? NULL : area;
}

bool memory_new(struct guest_memory *memory, uint64_t bytes)
{
    *memory = (struct guest_memory){
        .ram = zeroed(bytes), .framebuffer = zeroed(FRAMEBUFFER_BYTES), .size = bytes};
    return memory->ram != NULL && memory->framebuffer != NULL;
}

void memory_free(struct guest_memory *memory)
{
    if (memory->ram != NULL)
        munmap(memory->ram, memory->size);
    if (memory->framebuffer != NULL)
        munmap(memory->framebuffer, FRAMEBUFFER_BYTES);
}

void *memory_at(const struct guest_memory *memory, uint64_t address, uint64_t size)
{
    if (address >= memory->size || size > memory->size - address)
        return NULL;
    if (address < LEGACY_END && address + size > LEGACY_BEGIN)
        return NULL;
    return memory->ram + address;
}
