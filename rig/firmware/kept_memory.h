/* Memory that the image must leave alone, and whether it does: below 640 KiB, where the firmware
 * may use all of it, and special-purpose memory (UEFI specification, "GetMemoryMap()",
 * EFI_MEMORY_SP), which is free and earmarked for something else than the image; and free memory
 * that a table calls the registers of a serial line. */
#ifndef RIG_FIRMWARE_KEPT_MEMORY_H
#define RIG_FIRMWARE_KEPT_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

struct firmware;

/* From here on no page below 640 KiB is free, and each byte has a value that it must keep. */
void low_memory_use(struct firmware *firmware);
/* Whether all have it; false ends the run. */
bool low_memory_is_whole(const struct firmware *firmware);

/* The second and third quarter of memory become special-purpose: more than any other free part, of
 * all memory and of each of two nodes. Each byte has a value that it must keep. False: some of
 * these pages are in use. */
bool special_memory_use(struct firmware *firmware);
/* Whether all have it; false ends the run. */
bool special_memory_is_whole(const struct firmware *firmware);
/* Whether none of the pages is special-purpose memory; false ends the run. */
bool special_memory_is_left(const struct firmware *firmware, uint64_t address, uint64_t pages);

/* From here on the memory that a table calls registers of a serial line reads as those of one that
 * is idle. False: some of it is in use. */
bool line_memory_use(struct firmware *firmware);
/* Something wrote there. Ends the run unless the firmware has given the page away since. */
void line_memory_written(const struct firmware *firmware, uint64_t address);

#endif
