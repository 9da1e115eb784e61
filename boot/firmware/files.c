#include "files.h"

#include "boot/format.h"
#include "boot/text.h"
#include "files_inside.h"
#include "firmware.h"
#include "memory.h"

#define FOLDER   "\\slotscope"
#define PATH_MAX 128
/* How often a call is made that fails, as one of a stick that is busy may once. */
#define TRIES 3

static struct {
    bool none; /* there is no file system */
} self;

/* Null: the device that the image was started from has no file system, or does not say so. */
static EFI_FILE_IO_INTERFACE *find_volume(const struct firmware *fw)
{
    EFI_GUID file_system = SIMPLE_FILE_SYSTEM_PROTOCOL;
    EFI_STATUS status = EFI_UNSUPPORTED;
    void *found;

    if (fw->boot == NULL || fw->loaded == NULL || fw->loaded->DeviceHandle == NULL)
        return NULL;
    for (unsigned i = 0; i < TRIES && EFI_ERROR(status); i++)
        status = fw->boot->HandleProtocol(fw->loaded->DeviceHandle, &file_system, &found);
    return EFI_ERROR(status) ? NULL : found;
}

enum rc files_open_root(EFI_FILE_HANDLE *root)
{
    EFI_FILE_IO_INTERFACE *volume = find_volume(firmware());

    self.none = volume == NULL;
    if (self.none)
        return RC_ABSENT;
    for (unsigned i = 0; i < TRIES; i++)
        if (!EFI_ERROR(volume->OpenVolume(volume, root)))
            return RC_OK;
    return RC_FIRMWARE;
}

/* Writes \slotscope\NAME, with a backslash for each slash in NAME. Null: the folder itself. False:
 * the path is too long. */
static bool path_of(CHAR16 path[PATH_MAX], const char *name)
{
    char text[PATH_MAX];
    size_t length = name != NULL ? format(text, sizeof(text), FOLDER "\\%s", name)
                                 : format(text, sizeof(text), FOLDER);

    if (length >= sizeof(text))
        return false;
    for (size_t i = 0; i <= length; i++)
        path[i] = (CHAR16)(text[i] == '/' ? '\\' : (unsigned char)text[i]);
    return true;
}

enum rc files_open_path(const char *name, uint64_t mode, uint64_t attributes, EFI_FILE_HANDLE *file)
{
    EFI_FILE_HANDLE root;
    CHAR16 path[PATH_MAX];
    EFI_STATUS status;
    enum rc rc;

    if (!path_of(path, name))
        return RC_ABSENT;
    rc = files_open_root(&root);
    if (rc != RC_OK)
        return rc;
    status = root->Open(root, file, path, mode, attributes);
    root->Close(root);
    if (status == EFI_NOT_FOUND)
        return RC_ABSENT;
    if (status == EFI_WRITE_PROTECTED)
        return RC_READ_ONLY;
    return EFI_ERROR(status) ? RC_FIRMWARE : RC_OK;
}

enum rc files_inform(EFI_FILE_HANDLE file, uint64_t *size, bool *folder)
{
    static EFI_GUID file_info = EFI_FILE_INFO_ID;
    union {
        EFI_FILE_INFO info;
        char bytes[INFO_MAX];
    } buffer;
    UINTN bytes = sizeof(buffer);

    if (EFI_ERROR(file->GetInfo(file, &file_info, &bytes, &buffer)))
        return RC_FIRMWARE;
    *size = buffer.info.FileSize;
    *folder = (buffer.info.Attribute & EFI_FILE_DIRECTORY) != 0;
    return RC_OK;
}

static enum rc read_open_file(EFI_FILE_HANDLE file, size_t limit, const char **data, size_t *size)
{
    uint64_t bytes;
    bool folder;
    char *buffer;
    size_t got = 0;

    if (files_inform(file, &bytes, &folder) != RC_OK || folder)
        return RC_FIRMWARE;
    if (bytes > limit)
        return RC_NO_SPACE;
    buffer = memory_alloc(bytes + 1);
    if (buffer == NULL)
        return RC_FIRMWARE; /* RC_NO_SPACE means that the file is over the limit */
    while (got < bytes) {
        UINTN piece = bytes - got;

        if (EFI_ERROR(file->Read(file, &piece, buffer + got)) || !piece || piece > bytes - got)
            return RC_FIRMWARE;
        got += piece;
    }
    *data = buffer;
    *size = got;
    return RC_OK;
}

enum rc files_read(const char *name, size_t limit, const char **data, size_t *size)
{
    EFI_FILE_HANDLE file;
    enum rc rc;

    if (firmware()->boot == NULL)
        return RC_ABSENT;
    firmware_enter();
    rc = files_open_path(name, EFI_FILE_MODE_READ, 0, &file);
    if (rc == RC_OK) {
        rc = read_open_file(file, limit, data, size);
        file->Close(file);
    }
    firmware_leave();
    return rc;
}

bool files_none(void)
{
    return self.none;
}

/* Reads the next entry of an open folder. The name is empty when the entry is a folder or its name
 * is not printable ASCII. RC_ABSENT: no more entries. */
static enum rc next_file(EFI_FILE_HANDLE folder, char name[PATH_MAX])
{
    union {
        EFI_FILE_INFO info;
        char bytes[INFO_MAX];
    } buffer;
    UINTN bytes = sizeof(buffer);
    size_t i = 0;

    name[0] = '\0';
    if (EFI_ERROR(folder->Read(folder, &bytes, &buffer)))
        return RC_FIRMWARE;
    if (!bytes)
        return RC_ABSENT;
    if (buffer.info.Attribute & EFI_FILE_DIRECTORY)
        return RC_OK;
    for (const CHAR16 *c = buffer.info.FileName; *c; c++) {
        if (*c < ' ' || *c > '~' || i == PATH_MAX - 1) {
            name[0] = '\0';
            return RC_OK;
        }
        name[i++] = (char)*c;
    }
    name[i] = '\0';
    return RC_OK;
}

enum rc files_list(const char *name, void (*found)(void *context, const char *file), void *context)
{
    EFI_FILE_HANDLE folder;
    char file[PATH_MAX];
    enum rc rc;

    if (firmware()->boot == NULL)
        return RC_ABSENT;
    firmware_enter();
    rc = files_open_path(name, EFI_FILE_MODE_READ, 0, &folder);
    firmware_leave();
    if (rc != RC_OK)
        return rc;

    /* No FAT folder holds 65536 entries; firmware that never ends its list must not keep this loop
     * going. */
    for (unsigned entries = 0; rc == RC_OK && entries < 65536; entries++) {
        firmware_enter();
        rc = next_file(folder, file);
        firmware_leave();
        if (rc == RC_OK && file[0])
            found(context, file);
    }
    firmware_enter();
    folder->Close(folder);
    firmware_leave();
    return rc == RC_ABSENT ? RC_OK : rc;
}
