/* Handles and the protocols on them. */
#ifndef RIG_FIRMWARE_PROTOCOL_H
#define RIG_FIRMWARE_PROTOCOL_H

#include <efi.h>
#include <stdbool.h>
#include <stdint.h>

struct firmware;
struct handle;

extern const EFI_GUID guid_loaded_image, guid_loaded_image_device_path, guid_device_path;

/* A handle without protocols; NULL when there is no room. */
struct handle *handle_new(struct firmware *firmware);
/* NULL when there is no such handle. */
struct handle *handle_of(struct firmware *firmware, uint64_t token);
/* False when `handle` is NULL or full, or has the protocol already. */
bool protocol_exists(const struct firmware *firmware, const EFI_GUID *guid);
bool handle_add(struct handle *handle, const EFI_GUID *guid, uint64_t interface);
/* The interface of a protocol, 0 when `handle` is NULL or lacks it. */
uint64_t handle_interface(const struct handle *handle, const EFI_GUID *guid);

#endif
