#include "nodes.h"

#define UNREACHABLE 255u /* as a distance: ACPI, "System Locality Information Table" */

static struct {
    const void *srat, *slit;
    size_t srat_size, slit_size;
} self;

void nodes_start(const void *srat, size_t srat_size, const void *slit, size_t slit_size)
{
    self.srat = srat;
    self.srat_size = srat_size;
    self.slit = slit;
    self.slit_size = slit_size;
}

static bool range(unsigned index, struct acpi_memory *memory)
{
    return self.srat != NULL && acpi_srat_memory(self.srat, self.srat_size, index, memory) == RC_OK;
}

uint32_t nodes_of(uint64_t address)
{
    struct acpi_memory memory;

    for (unsigned i = 0; range(i, &memory); i++)
        if (address >= memory.start && address < memory.end)
            return memory.node;
    return NODE_UNKNOWN;
}

bool nodes_memory(uint32_t node, unsigned index, struct acpi_memory *memory)
{
    for (unsigned i = 0; range(i, memory); i++)
        if (memory->node == node && index-- == 0)
            return true;
    return false;
}

uint32_t nodes_highest(void)
{
    uint32_t highest = NODE_UNKNOWN;
    struct acpi_memory memory;

    for (unsigned i = 0; range(i, &memory); i++)
        if (highest == NODE_UNKNOWN || memory.node > highest)
            highest = memory.node;
    return highest;
}

static unsigned distance(uint32_t from, uint32_t to)
{
    return self.slit != NULL ? acpi_slit_distance(self.slit, self.slit_size, from, to) : 0;
}

uint32_t nodes_farthest(uint32_t node)
{
    uint32_t farthest = NODE_UNKNOWN;
    struct acpi_memory memory;

    for (unsigned i = 0; range(i, &memory); i++) {
        if (memory.node == node || distance(node, memory.node) == UNREACHABLE)
            continue;
        if (farthest == NODE_UNKNOWN || distance(node, memory.node) > distance(node, farthest))
            farthest = memory.node;
    }
    return farthest;
}
