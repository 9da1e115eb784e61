/* Nodes: which memory is near which core, as the firmware's tables SRAT and SLIT say.
 * Pure. */
#ifndef BOOT_NODES_H
#define BOOT_NODES_H

#include <stdbool.h>

#include "acpi.h"

#define NODE_UNKNOWN ACPI_NODE_UNKNOWN

/* Takes the tables, which the firmware keeps in memory that nobody else uses. Null: there is no
 * such table, or it is damaged. */
void nodes_start(const void *srat, size_t srat_size, const void *slit, size_t slit_size);
/* The node whose memory the address is; NODE_UNKNOWN. */
uint32_t nodes_of(uint64_t address);
/* Range number `index` of the node's memory. False: there are no more. */
bool nodes_memory(uint32_t node, unsigned index, struct acpi_memory *memory);
/* The highest node that has memory; NODE_UNKNOWN: none has. */
uint32_t nodes_highest(void);
/* The node with memory that is farthest from `node` by the SLIT, where it says nothing any other
 * node with memory; of several the first in the SRAT. NODE_UNKNOWN: no other node has memory that
 * can be reached. */
uint32_t nodes_farthest(uint32_t node);

#endif
