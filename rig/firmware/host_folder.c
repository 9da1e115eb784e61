/* Names are resolved part by part from an open folder, so a path can never lead out of it. */
#define _GNU_SOURCE
#include "host_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES 1536 /* of a path that UEFI can name, in UTF-8 */

static enum host_result result_of(int error)
{
    switch (error) {
    case ENOENT:
    case ENOTDIR:
        return HOST_NOT_FOUND;
    case EACCES:
    case EPERM:
    case EROFS:
    case ELOOP:
    case ENOTEMPTY:
    case EISDIR:
        return HOST_DENIED;
    case ENOSPC:
    case EDQUOT:
        return HOST_FULL;
    default:
        return HOST_ERROR;
    }
}

static int open_folder(int root, const char *path)
{
    return openat(root, *path ? path : ".", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* The name of a folder's entry that differs from `wanted` in case at most: the exact name if there
 * is one, else the first in name order. */
static bool match(int root, const char *folder, const char *wanted, char found[256])
{
    int descriptor = open_folder(root, folder);
    DIR *list = descriptor < 0 ? NULL : fdopendir(descriptor);
    const struct dirent *entry;
    bool any = false;

    if (list == NULL) {
        if (descriptor >= 0)
            close(descriptor);
        return false;
    }
    while (((entry = readdir(list)) != NULL)) {
        if (strcasecmp(entry->d_name, wanted) || strlen(entry->d_name) > 255)
            continue;
        if (strcmp(entry->d_name, wanted) == 0 || !any ||
            (strcmp(found, wanted) && strcmp(entry->d_name, found) < 0))
            strcpy(found, entry->d_name);
        any = true;
    }
    closedir(list);
    return any;
}

/* One path part as UTF-8; false when FAT does not allow the name. */
static bool part_of(const uint16_t *from, size_t length, char *to, size_t room)
{
    size_t used = 0;

    for (size_t i = 0; i < length; i++) {
        unsigned c = from[i];

        if (c < 0x20 || (c < 0x80 && strchr("\"*/:<>?|", (int)c) != NULL) ||
            (c >= 0xd800 && c < 0xe000) || used + 4 > room)
            return false;
        if (c < 0x80) {
            to[used++] = (char)c;
        } else if (c < 0x800) {
            to[used++] = (char)(0xc0 | c >> 6);
            to[used++] = (char)(0x80 | (c & 0x3f));
        } else {
            to[used++] = (char)(0xe0 | c >> 12);
            to[used++] = (char)(0x80 | (c >> 6 & 0x3f));
            to[used++] = (char)(0x80 | (c & 0x3f));
        }
    }
    to[used] = 0;
    return used > 0;
}

static void parent(char *path)
{
    char *slash = strrchr(path, '/');

    *(slash != NULL ? slash : path) = 0;
}

static enum host_result append(char *path, size_t room, const char *part)
{
    size_t used = strlen(path);

    if (used + strlen(part) + 2 > room)
        return HOST_BAD_NAME;
    if (used)
        path[used++] = '/';
    strcpy(path + used, part);
    return HOST_OK;
}

enum host_result host_resolve(int root, const char *from, const uint16_t *name, char *path,
                              size_t room)
{
    char part[256], found[256];
    bool missing = false;

    if (strlen(from) >= room)
        return HOST_BAD_NAME;
    strcpy(path, *name == '\\' ? "" : from);
    while (*name) {
        size_t length = 0;

        while (name[length] && name[length] != '\\')
            length++;
        if (length) {
            if (!part_of(name, length, part, sizeof(part) - 4))
                return HOST_BAD_NAME;
            if (strcmp(part, "..") == 0) {
                parent(path);
            } else if (strcmp(part, ".") != 0) {
                missing = !match(root, path, part, found);
                if (append(path, room, missing ? part : found))
                    return HOST_BAD_NAME;
            }
        }
        name += length + (name[length] == '\\');
        if (missing && *name)
            return HOST_NO_FOLDER;
    }
    return missing ? HOST_NOT_FOUND : HOST_OK;
}

/* Opens every folder on the way, without following links; `last` gets the last part. */
static int walk(int root, const char *path, char last[256])
{
    int here = openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

    while (here >= 0) {
        const char *slash = strchr(path, '/');
        size_t length = slash != NULL ? (size_t)(slash - path) : strlen(path);
        int next;

        memcpy(last, path, length);
        last[length] = 0;
        if (slash == NULL)
            break;
        next = openat(here, last, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        close(here);
        here = next;
        path = slash + 1;
    }
    if (!*last)
        strcpy(last, ".");
    return here;
}

int host_open(int root, const char *path, bool writable, bool create, bool directory,
              enum host_result *result)
{
    char last[256] = "";
    int folder = walk(root, path, last), descriptor = -1,
        flags = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;

    *result = HOST_OK;
    if (folder >= 0 && directory) {
        if (create && mkdirat(folder, last, 0777) && errno != EEXIST)
            *result = result_of(errno);
        else
            descriptor = openat(folder, last, flags | O_RDONLY | O_DIRECTORY);
    } else if (folder >= 0) {
        descriptor = openat(folder, last,
                            flags | (writable ? O_RDWR : O_RDONLY) | (create ? O_CREAT : 0), 0666);
    }
    if (descriptor < 0 && *result == HOST_OK)
        *result = result_of(errno);
    if (folder >= 0)
        close(folder);
    return descriptor;
}

enum host_result host_read_file(int root, const uint16_t *name, size_t most, uint8_t **bytes,
                                size_t *size)
{
    char path[PATH_BYTES];
    struct stat about;
    enum host_result result = host_resolve(root, "", name, path, sizeof(path));
    int descriptor = result == HOST_OK ? host_open(root, path, false, false, false, &result) : -1;
    ssize_t done;

    if (result == HOST_NO_FOLDER)
        return HOST_NOT_FOUND;
    if (descriptor < 0)
        return result;
    if (fstat(descriptor, &about) || !S_ISREG(about.st_mode) || (uint64_t)about.st_size > most) {
        close(descriptor);
        return HOST_DENIED;
    }
    *size = (size_t)about.st_size;
    *bytes = malloc(*size + 1);
    done = *bytes != NULL ? pread(descriptor, *bytes, *size, 0) : -1;
    close(descriptor);
    return done == (ssize_t)*size ? HOST_OK : HOST_ERROR;
}

enum host_result host_delete(int root, const char *path, bool directory)
{
    char last[256] = "";
    int folder = walk(root, path, last);
    enum host_result result = HOST_OK;

    if (folder < 0)
        return result_of(errno);
    if (unlinkat(folder, last, directory ? AT_REMOVEDIR : 0))
        result = result_of(errno);
    close(folder);
    return result;
}

enum host_result host_rename(int root, const char *from, const char *to)
{
    char last[256] = "", new_last[256] = "";
    int folder = walk(root, from, last), new_folder = walk(root, to, new_last);
    enum host_result result = HOST_OK;

    if (folder < 0 || new_folder < 0)
        result = result_of(errno);
    else if (renameat2(folder, last, new_folder, new_last, RENAME_NOREPLACE))
        result = errno == EEXIST ? HOST_DENIED : result_of(errno);
    if (folder >= 0)
        close(folder);
    if (new_folder >= 0)
        close(new_folder);
    return result;
}

static int by_name(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}

bool host_list(int directory, size_t n, struct host_entry *entry)
{
    int again = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = again < 0 ? NULL : fdopendir(again);
    const struct dirent *one;
    char **names = NULL;
    size_t count = 0;
    struct stat about;
    bool found = false;

    if (list == NULL) {
        if (again >= 0)
            close(again);
        return false;
    }
    while (((one = readdir(list)) != NULL)) {
        char **grown;

        if (strcmp(one->d_name, ".") == 0 || strcmp(one->d_name, "..") == 0 ||
            strlen(one->d_name) >= sizeof(entry->name))
            continue;
        if (fstatat(directory, one->d_name, &about, AT_SYMLINK_NOFOLLOW) ||
            !(S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)))
            continue;
        grown = realloc(names, (count + 1) * sizeof(*names));
        if (grown == NULL)
            break;
        names = grown;
        names[count] = strdup(one->d_name);
        if (names[count++] == NULL)
            break;
    }
    closedir(list);
    if (n < count && names[count - 1] != NULL) {
        qsort(names, count, sizeof(*names), by_name);
        strcpy(entry->name, names[n]);
        found = fstatat(directory, names[n], &about, AT_SYMLINK_NOFOLLOW) == 0;
        entry->directory = found && S_ISDIR(about.st_mode);
        entry->size = found && !entry->directory ? (uint64_t)about.st_size : 0;
    }
    for (size_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
    return found;
}

size_t host_utf16(const char *text, uint16_t *to, size_t room)
{
    size_t used = 0;
    const uint8_t *at = (const uint8_t *)text;

    while (*at && used + 1 < room) {
        if (*at < 0x80) {
            to[used++] = *at++;
        } else if ((at[0] & 0xe0) == 0xc0 && (at[1] & 0xc0) == 0x80) {
            to[used++] = (uint16_t)((at[0] & 0x1f) << 6 | (at[1] & 0x3f));
            at += 2;
        } else if ((at[0] & 0xf0) == 0xe0 && (at[1] & 0xc0) == 0x80 && (at[2] & 0xc0) == 0x80) {
            to[used++] = (uint16_t)((at[0] & 0x0f) << 12 | (at[1] & 0x3f) << 6 | (at[2] & 0x3f));
            at += 3;
        } else {
            to[used++] = '?';
            at++;
        }
    }
    to[used] = 0;
    return used;
}
