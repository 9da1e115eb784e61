/* Images that a program loads and starts. */
#ifndef RIG_FIRMWARE_IMAGE_H
#define RIG_FIRMWARE_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

struct firmware;

/* Whether `token` is the handle of an image that is loaded. */
bool image_is(struct firmware *firmware, uint64_t token);

#endif
