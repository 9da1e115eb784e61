#include "files.h"

#include "boot/format.h"
#include "boot/text.h"
#include "firmware.h"
#include "memory.h"

#define FOLDER   "\\slotscope"
#define PATH_MAX 128
#define INFO_MAX 1024

static struct {
    EFI_FILE_HANDLE log;
    bool none; /* there is no file system */
} self;

/* Opens the root of the device's file system; the caller closes it. Like the helpers below that
 * take a handle, it is called between firmware_enter and firmware_leave. */
static enum rc open_root(EFI_FILE_HANDLE *root)
{
    EFI_GUID file_system = SIMPLE_FILE_SYSTEM_PROTOCOL;
    const struct firmware *fw = firmware();
    void *found;
    EFI_FILE_IO_INTERFACE *volume;

    if (fw->boot == NULL || fw->loaded == NULL || fw->loaded->DeviceHandle == NULL ||
        EFI_ERROR(fw->boot->HandleProtocol(fw->loaded->DeviceHandle, &file_system, &found))) {
        self.none = true;
        return RC_ABSENT;
    }
    volume = found;
    return EFI_ERROR(volume->OpenVolume(volume, root)) ? RC_FIRMWARE : RC_OK;
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

static enum rc open_path(const char *name, uint64_t mode, uint64_t attributes,
                         EFI_FILE_HANDLE *file)
{
    EFI_FILE_HANDLE root;
    CHAR16 path[PATH_MAX];
    EFI_STATUS status;
    enum rc rc;

    if (!path_of(path, name))
        return RC_ABSENT;
    rc = open_root(&root);
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

/* Gives the file's size in bytes, and whether it is a folder. */
static enum rc inform(EFI_FILE_HANDLE file, uint64_t *size, bool *folder)
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

    if (inform(file, &bytes, &folder) != RC_OK || folder)
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
    rc = open_path(name, EFI_FILE_MODE_READ, 0, &file);
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
    rc = open_path(name, EFI_FILE_MODE_READ, 0, &folder);
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

/* "slotscope.log" becomes "slotscope.1.log", "log" becomes "log.1". */
static void name_earlier(const char *name, unsigned number, char older[FILES_LOG_NAME + 4])
{
    size_t dot = strlen(name);

    for (size_t i = 1; name[i]; i++)
        if (name[i] == '.')
            dot = i;
    memcpy(older, name, dot);
    format(older + dot, FILES_LOG_NAME + 4 - dot, ".%u%s", number, name + dot);
}

/* UEFI specification, "EFI_FILE_PROTOCOL.SetInfo()": another name renames the file, and is refused
 * when there is such a file. */
static enum rc rename_log(EFI_FILE_HANDLE file, const char *older)
{
    static EFI_GUID file_info = EFI_FILE_INFO_ID;
    union {
        EFI_FILE_INFO info;
        char bytes[INFO_MAX];
    } buffer;
    UINTN bytes = sizeof(buffer);
    size_t length = strlen(older) + 1;

    if (EFI_ERROR(file->GetInfo(file, &file_info, &bytes, &buffer)))
        return RC_FIRMWARE;
    for (size_t i = 0; i < length; i++)
        buffer.info.FileName[i] = (CHAR16)(unsigned char)older[i];
    bytes = SIZE_OF_EFI_FILE_INFO + length * sizeof(CHAR16);
    buffer.info.Size = bytes;
    return EFI_ERROR(file->SetInfo(file, &file_info, bytes, &buffer)) ? RC_FIRMWARE : RC_OK;
}

/* Never a folder. */
static void delete_file(const char *name)
{
    EFI_FILE_HANDLE file;
    uint64_t bytes;
    bool folder;

    if (open_path(name, EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE, 0, &file) != RC_OK)
        return;
    if (inform(file, &bytes, &folder) != RC_OK || folder)
        file->Close(file);
    else
        file->Delete(file);
}

/* Gives the name `older` to the log, in place of the file that has this name. The log first gets
 * one of two spare names, whichever is free: where files cannot be renamed, nothing older is
 * deleted. When only the last renaming fails, the log keeps the spare name, and `older` becomes
 * that. Closes the log. */
static enum rc keep_log(EFI_FILE_HANDLE file, const char *name, char older[FILES_LOG_NAME + 4])
{
    char spare[2][FILES_LOG_NAME + 4];
    unsigned mine = 0;

    name_earlier(name, 2, spare[0]);
    name_earlier(name, 3, spare[1]);
    while (mine < 2 && rename_log(file, spare[mine]) != RC_OK)
        mine++;
    if (mine == 2) {
        file->Delete(file);
        return RC_FIRMWARE;
    }
    delete_file(spare[1 - mine]);
    delete_file(older);
    if (rename_log(file, older) != RC_OK)
        memcpy(older, spare[mine], sizeof(spare[mine]));
    file->Close(file);
    return RC_OK;
}

/* Makes the name free: an older log gets another name, an empty one is deleted. The file is created
 * first when there is none, so that the calls are the same in every run on a new stick. A folder of
 * that name stays. */
static enum rc clear_log(const char *name, char older[FILES_LOG_NAME + 4], enum rc *kept)
{
    EFI_FILE_HANDLE file;
    uint64_t bytes;
    bool folder;
    enum rc rc =
        open_path(name, EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE, 0, &file);

    if (rc != RC_OK)
        return rc;
    if (inform(file, &bytes, &folder) != RC_OK || folder) {
        file->Close(file);
        return RC_FIRMWARE;
    }
    *kept = RC_ABSENT;
    if (bytes > 0)
        *kept = keep_log(file, name, older);
    else
        file->Delete(file); /* closes the handle, too */
    return RC_OK;
}

enum rc files_open_log(const char *name, char older[FILES_LOG_NAME + 4], enum rc *kept)
{
    const uint64_t create = EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE;
    EFI_FILE_HANDLE file;
    enum rc rc;

    *kept = RC_ABSENT;
    if (firmware()->boot == NULL)
        return RC_ABSENT;
    if (strlen(name) >= FILES_LOG_NAME)
        return RC_FIRMWARE;
    name_earlier(name, 1, older);
    firmware_enter();
    rc = open_path(NULL, create, EFI_FILE_DIRECTORY, &file);
    if (rc == RC_OK) {
        file->Close(file);
        rc = clear_log(name, older, kept);
    }
    if (rc == RC_OK)
        rc = open_path(name, create, 0, &file);
    firmware_leave();
    if (rc == RC_OK)
        self.log = file;
    return rc;
}

enum rc files_append_log(const char *text, size_t length)
{
    UINTN written = length;
    bool failed;

    if (self.log == NULL || firmware()->boot == NULL)
        return RC_ABSENT;
    firmware_enter();
    failed = length && (EFI_ERROR(self.log->Write(self.log, &written, (void *)(uintptr_t)text)) ||
                        written != length);
    failed |= EFI_ERROR(self.log->Flush(self.log));
    if (failed)
        self.log->Close(self.log);
    firmware_leave();
    if (failed)
        self.log = NULL;
    return failed ? RC_FIRMWARE : RC_OK;
}

/* UEFI specification, "EFI_FILE_SYSTEM_INFO": any open handle of the volume will do, and the root
 * is the one that every firmware takes. */
static enum rc ask_room(uint64_t *bytes)
{
    static EFI_GUID file_system_info = EFI_FILE_SYSTEM_INFO_ID;
    union {
        EFI_FILE_SYSTEM_INFO info;
        char bytes[INFO_MAX];
    } buffer;
    UINTN size = sizeof(buffer);
    EFI_FILE_HANDLE root;
    EFI_STATUS status;

    if (open_root(&root) != RC_OK)
        return RC_ABSENT;
    status = root->GetInfo(root, &file_system_info, &size, &buffer);
    root->Close(root);
    *bytes = buffer.info.FreeSpace;
    return EFI_ERROR(status) ? RC_ABSENT : RC_OK;
}

enum rc files_log_room(uint64_t *bytes)
{
    enum rc rc;

    if (self.log == NULL || firmware()->boot == NULL)
        return RC_ABSENT;
    firmware_enter();
    rc = ask_room(bytes);
    firmware_leave();
    return rc;
}

void files_close_log(void)
{
    if (self.log == NULL || firmware()->boot == NULL)
        return;
    firmware_enter();
    self.log->Close(self.log);
    firmware_leave();
    self.log = NULL;
}
