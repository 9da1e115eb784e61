/* Memory below 640 KiB that the firmware uses, all of it. */
#ifndef RIG_LOW_MEMORY_H
#define RIG_LOW_MEMORY_H

#include <stdbool.h>

struct firmware;

/* From here on no page there is free, and each byte has a value that it must keep. */
void low_memory_use(struct firmware *firmware);
/* Whether all have it; false ends the run. */
bool low_memory_is_whole(const struct firmware *firmware);

#endif
