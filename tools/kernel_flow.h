/* Makes the map of a kernel's code. All of it comes from decoding the code along its branches; the
 * statements of the file say what code cannot (where an indirect branch goes, how often a block
 * runs, what a block is called) and must agree with the code in everything else. */
#ifndef TOOLS_KERNEL_FLOW_H
#define TOOLS_KERNEL_FLOW_H

#include <stdbool.h>

#include "kernels/kernel_map.h"
#include "tools/kernel_object.h"

#define FLOW_ERROR_BYTES 256

/* Fills *map, whose texts are those of the object and whose arrays kernel_flow_free takes back.
 * False: the code or a statement is refused; error begins with the label of the place and says what
 * was expected there, and there is nothing to free. */
bool kernel_flow_make(struct kernel_map *map, const struct kernel_object *object,
                      char error[FLOW_ERROR_BYTES]);
void kernel_flow_free(struct kernel_map *map);

#endif
