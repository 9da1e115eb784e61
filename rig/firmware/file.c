/* EFI_SIMPLE_FILE_SYSTEM_PROTOCOL and EFI_FILE_PROTOCOL over the host folder. UEFI specification,
 * "Media Access". */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <efi.h>

#include "fault.h"
#include "guest.h"
#include "host_folder.h"
#include "runtime.h"
#include "service.h"
#include "state.h"

#define FILE_PROTOCOL_BYTES (11u * 8) /* revision and ten functions, see FILES */
#define VOLUME_BYTES        (UINT64_C(1) << 30)
#define BLOCK_BYTES         STICK_BLOCK
#define LARGEST_ON_FAT      UINT64_C(0xffffffff) /* bytes of a file on FAT32 */

static const EFI_GUID guid_file_info = EFI_FILE_INFO_ID;
static const EFI_GUID guid_file_system_info = EFI_FILE_SYSTEM_INFO_ID;
static const EFI_GUID guid_volume_label = EFI_FILE_SYSTEM_VOLUME_LABEL_ID;
static const char volume_label[] = "SLOTSCOPE";

static uint64_t status_of(enum host_result result)
{
    switch (result) {
    case HOST_OK:
        return EFI_SUCCESS;
    case HOST_NOT_FOUND:
    case HOST_NO_FOLDER:
        return EFI_NOT_FOUND;
    case HOST_DENIED:
        return EFI_ACCESS_DENIED;
    case HOST_BAD_NAME:
        return EFI_INVALID_PARAMETER;
    case HOST_FULL:
        return EFI_VOLUME_FULL;
    case HOST_ERROR:
        break;
    }
    return EFI_DEVICE_ERROR;
}

static struct open_file *file_of(struct call *call)
{
    uint64_t token = argument(call, 0);

    for (unsigned i = 0; token && i < FILES_OPEN; i++)
        if (call->firmware->file[i].token == token)
            return &call->firmware->file[i];
    return NULL;
}

static uint64_t file_token(struct firmware *firmware, const char *path, int descriptor,
                           bool directory, bool writable)
{
    for (unsigned i = 0; i < FILES_OPEN; i++) {
        struct open_file *file = &firmware->file[i];
        uint64_t token;

        if (file->token)
            continue;
        token = firmware_room(firmware, EfiBootServicesData, FILE_PROTOCOL_BYTES);
        if (!token)
            return 0;
        memcpy(firmware_at(firmware, token, FILE_PROTOCOL_BYTES),
               firmware_at(firmware, firmware->file_template, FILE_PROTOCOL_BYTES),
               FILE_PROTOCOL_BYTES);
        memset(file, 0, sizeof(*file));
        file->token = token;
        file->descriptor = descriptor;
        file->directory = directory;
        file->writable = writable;
        strcpy(file->path, path);
        return token;
    }
    return 0;
}

static void forget(struct call *call, struct open_file *file)
{
    close(file->descriptor);
    memory_map_pool_release(&call->firmware->map, file->token);
    memset(file, 0, sizeof(*file));
}

static uint64_t give(struct call *call, uint64_t place, const char *path, int descriptor,
                     bool directory, bool writable)
{
    uint64_t token = file_token(call->firmware, path, descriptor, directory, writable);

    if (!token) {
        close(descriptor);
        return EFI_OUT_OF_RESOURCES;
    }
    put64(call, place, token);
    return EFI_SUCCESS;
}

uint64_t firmware_open_volume(struct call *call)
{
    enum host_result result;
    int descriptor;

    if (view(call, argument(call, 1), 8) == NULL)
        return EFI_INVALID_PARAMETER;
    descriptor = host_open(call->firmware->root, "", false, false, true, &result);
    return descriptor < 0 ? status_of(result)
                          : give(call, argument(call, 1), "", descriptor, true, true);
}

uint64_t firmware_file_open(struct call *call)
{
    struct open_file *from = file_of(call);
    uint64_t mode = argument(call, 3);
    bool create = mode & EFI_FILE_MODE_CREATE,
         directory = create && argument(call, 4) & EFI_FILE_DIRECTORY;
    bool writable = mode & EFI_FILE_MODE_WRITE;
    uint16_t name[NAME_LIMIT];
    char path[NAME_LIMIT * 3];
    struct stat about;
    enum host_result result;
    int descriptor;

    if (from == NULL || view(call, argument(call, 1), 8) == NULL ||
        !get_string(call, argument(call, 2), name, NAME_LIMIT) ||
        (mode != EFI_FILE_MODE_READ && mode != (EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE) &&
         mode != (EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE)))
        return EFI_INVALID_PARAMETER;
    result = host_resolve(call->firmware->root, from->path, name, path, sizeof(path));
    if (result != HOST_OK && !(result == HOST_NOT_FOUND && create))
        return status_of(result);
    if (result == HOST_OK) {
        /* An existing file stays a file, an existing folder a folder. */
        create = false;
        directory =
            fstatat(call->firmware->root, *path ? path : ".", &about, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISDIR(about.st_mode);
    }
    descriptor = host_open(call->firmware->root, path, writable, create, directory, &result);
    if (descriptor < 0)
        return status_of(result);
    if (fstat(descriptor, &about) || !(S_ISREG(about.st_mode) || S_ISDIR(about.st_mode))) {
        close(descriptor);
        return EFI_ACCESS_DENIED;
    }
    return give(call, argument(call, 1), path, descriptor, S_ISDIR(about.st_mode), writable);
}

uint64_t firmware_file_close(struct call *call)
{
    struct open_file *file = file_of(call);

    if (file == NULL)
        return EFI_INVALID_PARAMETER;
    forget(call, file);
    return EFI_SUCCESS;
}

uint64_t firmware_file_delete(struct call *call)
{
    struct open_file *file = file_of(call);
    enum host_result result;
    struct stat about;

    if (file == NULL || fstat(file->descriptor, &about))
        return EFI_INVALID_PARAMETER;
    result = file->writable && *file->path
                 ? host_delete(call->firmware->root, file->path, file->directory)
                 : HOST_DENIED;
    forget(call, file);
    if (result != HOST_OK) {
        return EFI_WARN_DELETE_FAILURE;
    }
    if (S_ISREG(about.st_mode))
        fault_resizes(call->firmware, (uint64_t)about.st_size, 0);
    return EFI_SUCCESS;
}

/* EFI_FILE_INFO for a name; *size is the buffer's room before and the bytes needed after. The times
 * are the clock's start: those of the host would differ from run to run. */
static uint64_t put_info(struct call *call, const char *name, bool directory, uint64_t bytes,
                         uint64_t place, uint64_t *size)
{
    EFI_TIME start = runtime_time(call->machine, 0);
    EFI_FILE_INFO info = {.FileSize = bytes,
                          .PhysicalSize = (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES,
                          .CreateTime = start,
                          .LastAccessTime = start,
                          .ModificationTime = start,
                          .Attribute = directory ? EFI_FILE_DIRECTORY : EFI_FILE_ARCHIVE};
    uint16_t wide[256];
    uint64_t name_bytes = 2 * (host_utf16(name, wide, 256) + 1), room = *size;

    info.Size = *size = SIZE_OF_EFI_FILE_INFO + name_bytes;
    if (room < info.Size)
        return EFI_BUFFER_TOO_SMALL;
    return view(call, place, info.Size) != NULL && put(call, place, &info, SIZE_OF_EFI_FILE_INFO) &&
                   put(call, place + SIZE_OF_EFI_FILE_INFO, wide, name_bytes)
               ? EFI_SUCCESS
               : EFI_INVALID_PARAMETER;
}

static uint64_t read_entry(struct call *call, struct open_file *file, uint64_t size)
{
    struct host_entry entry;
    uint64_t status;

    if (!host_list(file->descriptor, file->position, &entry)) {
        put64(call, argument(call, 1), 0);
        return EFI_SUCCESS;
    }
    status = put_info(call, entry.name, entry.directory, entry.size, argument(call, 2), &size);
    put64(call, argument(call, 1), size);
    if (status == EFI_SUCCESS)
        file->position++;
    return status;
}

uint64_t firmware_file_read(struct call *call)
{
    struct open_file *file = file_of(call);
    uint64_t size;
    void *place;
    struct stat about;
    ssize_t done;

    if (file == NULL || !get(call, argument(call, 1), &size, sizeof(size)))
        return EFI_INVALID_PARAMETER;
    if (file->directory)
        return read_entry(call, file, size);
    if (fstat(file->descriptor, &about) || file->position > (uint64_t)about.st_size)
        return EFI_DEVICE_ERROR;
    if (size > (uint64_t)about.st_size - file->position)
        size = (uint64_t)about.st_size - file->position;
    place = view(call, argument(call, 2), size);
    if (size && place == NULL)
        return EFI_INVALID_PARAMETER;
    done = size ? pread(file->descriptor, place, size, (off_t)file->position) : 0;
    if (done < 0)
        return EFI_DEVICE_ERROR;
    wrote(call, argument(call, 2), (uint64_t)done);
    file->position += (uint64_t)done;
    put64(call, argument(call, 1), (uint64_t)done);
    return EFI_SUCCESS;
}

/* Whether there is room for so many bytes at the file's position. */
static bool grows(struct firmware *firmware, const struct open_file *file, uint64_t bytes)
{
    const uint64_t end = file->position + bytes;
    struct stat about;

    if (fstat(file->descriptor, &about))
        return false;
    return end <= (uint64_t)about.st_size || fault_resizes(firmware, (uint64_t)about.st_size, end);
}

uint64_t firmware_file_write(struct call *call)
{
    struct open_file *file = file_of(call);
    uint64_t size;
    const void *place;
    ssize_t done;
    uint64_t fault, taken;

    if (file == NULL || !get(call, argument(call, 1), &size, sizeof(size)))
        return EFI_INVALID_PARAMETER;
    if (file->directory)
        return EFI_UNSUPPORTED;
    if (!file->writable)
        return EFI_ACCESS_DENIED;
    place = view(call, argument(call, 2), size);
    if (size && place == NULL)
        return EFI_INVALID_PARAMETER;
    if (size > LARGEST_ON_FAT || file->position > LARGEST_ON_FAT - size)
        return EFI_VOLUME_FULL;
    fault = fault_of_write(call->firmware, call->core, size, &taken);
    if (!fault && !grows(call->firmware, file, taken))
        fault = EFI_VOLUME_FULL;
    if (fault) {
        put64(call, argument(call, 1), 0);
        return fault;
    }
    done = taken ? pwrite(file->descriptor, place, taken, (off_t)file->position) : 0;
    if (done < 0 || (uint64_t)done < taken) {
        put64(call, argument(call, 1), done < 0 ? 0 : (uint64_t)done);
        return done < 0 && errno != ENOSPC ? EFI_DEVICE_ERROR : EFI_VOLUME_FULL;
    }
    file->position += size;
    return EFI_SUCCESS;
}

uint64_t firmware_file_get_position(struct call *call)
{
    struct open_file *file = file_of(call);

    if (file == NULL || view(call, argument(call, 1), 8) == NULL)
        return EFI_INVALID_PARAMETER;
    if (file->directory)
        return EFI_UNSUPPORTED;
    put64(call, argument(call, 1), file->position);
    return EFI_SUCCESS;
}

uint64_t firmware_file_set_position(struct call *call)
{
    struct open_file *file = file_of(call);
    uint64_t position = argument(call, 1);
    struct stat about;

    if (file == NULL)
        return EFI_INVALID_PARAMETER;
    if (file->directory && position)
        return EFI_UNSUPPORTED;
    if (position == UINT64_MAX && fstat(file->descriptor, &about) == 0)
        position = (uint64_t)about.st_size;
    file->position = position;
    return EFI_SUCCESS;
}

/* The free space is always half of the volume: that of the host differs from run to run. With
 * STICK_LIMITED it is what is left, in whole blocks. */
static uint64_t put_system_info(struct call *call, uint64_t place, uint64_t *size, bool label_only)
{
    EFI_FILE_SYSTEM_INFO info = {
        .VolumeSize = VOLUME_BYTES, .FreeSpace = VOLUME_BYTES / 2, .BlockSize = BLOCK_BYTES};
    uint64_t fixed = label_only ? 0 : SIZE_OF_EFI_FILE_SYSTEM_INFO, room = *size;
    uint16_t wide[sizeof(volume_label)];
    uint64_t label_bytes = 2 * (host_utf16(volume_label, wide, sizeof(volume_label)) + 1);

    if (call->firmware->stick == STICK_LIMITED)
        info.FreeSpace = fault_room(call->firmware) / BLOCK_BYTES * BLOCK_BYTES;
    info.Size = *size = fixed + label_bytes;
    if (room < info.Size)
        return EFI_BUFFER_TOO_SMALL;
    return view(call, place, info.Size) != NULL && put(call, place, &info, fixed) &&
                   put(call, place + fixed, wide, label_bytes)
               ? EFI_SUCCESS
               : EFI_INVALID_PARAMETER;
}

uint64_t firmware_file_get_info(struct call *call)
{
    struct open_file *file = file_of(call);
    EFI_GUID guid;
    uint64_t size, status;
    struct stat about;
    const char *name;

    if (file == NULL || !get(call, argument(call, 1), &guid, sizeof(guid)) ||
        !get(call, argument(call, 2), &size, sizeof(size)))
        return EFI_INVALID_PARAMETER;
    if (memcmp(&guid, &guid_file_info, sizeof(guid)) == 0) {
        if (fstat(file->descriptor, &about))
            return EFI_DEVICE_ERROR;
        name = strrchr(file->path, '/');
        status = put_info(call, name != NULL ? name + 1 : file->path, file->directory,
                          file->directory ? 0 : (uint64_t)about.st_size, argument(call, 3), &size);
    } else if (memcmp(&guid, &guid_file_system_info, sizeof(guid)) == 0) {
        status = put_system_info(call, argument(call, 3), &size, false);
    } else if (memcmp(&guid, &guid_volume_label, sizeof(guid)) == 0) {
        status = put_system_info(call, argument(call, 3), &size, true);
    } else {
        return EFI_UNSUPPORTED;
    }
    put64(call, argument(call, 2), size);
    return status;
}

/* A name in the file's folder, or a path from the root on. A name that something has already is
 * refused. */
static uint64_t rename_file(struct call *call, struct open_file *file, uint64_t place)
{
    const char *slash = strrchr(file->path, '/');
    const size_t folder = slash != NULL ? (size_t)(slash - file->path) : 0;
    char from[NAME_LIMIT * 3], path[NAME_LIMIT * 3];
    uint16_t name[NAME_LIMIT];
    enum host_result result;

    if (!get_string(call, place, name, NAME_LIMIT) || !*name)
        return EFI_INVALID_PARAMETER;
    memcpy(from, file->path, folder);
    from[folder] = 0;
    result = host_resolve(call->firmware->root, from, name, path, sizeof(path));
    if (result == HOST_OK && strcmp(path, file->path) == 0)
        return EFI_SUCCESS;
    if (result == HOST_OK)
        return EFI_ACCESS_DENIED;
    if (call->firmware->stick == STICK_RENAME)
        return EFI_DEVICE_ERROR;
    if (result == HOST_NOT_FOUND)
        result = host_rename(call->firmware->root, file->path, path);
    if (result != HOST_OK)
        return status_of(result);
    strcpy(file->path, path);
    return EFI_SUCCESS;
}

/* Size and name can be changed. */
uint64_t firmware_file_set_info(struct call *call)
{
    struct open_file *file = file_of(call);
    uint64_t info = argument(call, 3), size, status;
    struct stat about;
    EFI_GUID guid;

    if (file == NULL || !get(call, argument(call, 1), &guid, sizeof(guid)))
        return EFI_INVALID_PARAMETER;
    if (memcmp(&guid, &guid_file_info, sizeof(guid)))
        return EFI_UNSUPPORTED;
    if (argument(call, 2) < SIZE_OF_EFI_FILE_INFO + 2)
        return EFI_BAD_BUFFER_SIZE;
    if (!get(call, info + EFI_FIELD_OFFSET(EFI_FILE_INFO, FileSize), &size, sizeof(size)))
        return EFI_INVALID_PARAMETER;
    if (file->directory || !file->writable)
        return EFI_ACCESS_DENIED;
    if (size > LARGEST_ON_FAT)
        return EFI_VOLUME_FULL;
    status = rename_file(call, file, info + SIZE_OF_EFI_FILE_INFO);
    if (status)
        return status;
    if (fstat(file->descriptor, &about))
        return EFI_DEVICE_ERROR;
    if (!fault_resizes(call->firmware, (uint64_t)about.st_size, size))
        return EFI_VOLUME_FULL;
    return ftruncate(file->descriptor, (off_t)size) ? EFI_DEVICE_ERROR : EFI_SUCCESS;
}

uint64_t firmware_file_flush(struct call *call)
{
    struct open_file *file = file_of(call);

    if (file == NULL)
        return EFI_INVALID_PARAMETER;
    if (!file->writable)
        return EFI_ACCESS_DENIED;
    service_takes(call, call->firmware->stick_flush_us);
    return EFI_SUCCESS;
}
