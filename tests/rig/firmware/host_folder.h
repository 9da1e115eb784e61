/* A host folder as a FAT-like volume: names without case, backslashes, and no way out of the
 * folder. */
#ifndef RIG_HOST_FOLDER_H
#define RIG_HOST_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* HOST_NO_FOLDER: a part before the last is missing. */
enum host_result {
    HOST_OK,
    HOST_NOT_FOUND,
    HOST_NO_FOLDER,
    HOST_DENIED,
    HOST_BAD_NAME,
    HOST_FULL,
    HOST_ERROR
};

struct host_entry {
    char name[256];
    bool directory;
    uint64_t size;
};

/* `from` is a path inside the volume ("" is its root), `name` a UEFI path relative to it, or from
 * the root when it begins with a backslash. Gives the path in host form, with the case of existing
 * names. HOST_NOT_FOUND still gives the path when only its last part is missing, so that it can be
 * created. */
enum host_result host_resolve(int root, const char *from, const uint16_t *name, char *path,
                              size_t room);
/* Opens what host_resolve found; symbolic links are never followed. -1 with *result set on failure.
 */
int host_open(int root, const char *path, bool writable, bool create, bool directory,
              enum host_result *result);
/* All bytes of a regular file from the root on, which `free` frees. HOST_NOT_FOUND: there is no
 * such file; HOST_DENIED: it is no regular file of at most `most` bytes that can be opened. */
enum host_result host_read_file(int root, const uint16_t *name, size_t most, uint8_t **bytes,
                                size_t *size);
enum host_result host_delete(int root, const char *path, bool directory);
/* The n-th entry in name order, "." and ".." left out. */
bool host_list(int directory, size_t n, struct host_entry *entry);
size_t host_utf16(const char *text, uint16_t *to, size_t room); /* characters without the zero */

#endif
