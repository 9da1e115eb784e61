/* A host folder as a volume like FAT: case does not matter in names, backslashes separate them, and
 * no path leads out of the folder. */
#ifndef RIG_FIRMWARE_HOST_FOLDER_H
#define RIG_FIRMWARE_HOST_FOLDER_H

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
/* Opens a path of host_resolve; never follows symbolic links. Gives -1 and sets *result on failure.
 */
int host_open(int root, const char *path, bool writable, bool create, bool directory,
              enum host_result *result);
/* Reads all bytes of a regular file; `name` is from the root on, and the caller frees the bytes.
 * HOST_NOT_FOUND: there is no such file. HOST_DENIED: it is not a regular file of at most `most`
 * bytes. */
enum host_result host_read_file(int root, const uint16_t *name, size_t most, uint8_t **bytes,
                                size_t *size);
/* Both are paths of host_resolve. HOST_DENIED: something has the second name. */
enum host_result host_rename(int root, const char *from, const char *to);
enum host_result host_delete(int root, const char *path, bool directory);
/* The n-th entry in name order, "." and ".." left out. */
bool host_list(int directory, size_t n, struct host_entry *entry);
size_t host_utf16(const char *text, uint16_t *to,
                  size_t room); /* gives the number of characters without the zero */

#endif
