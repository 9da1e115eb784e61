#include "log_file.h"

#include "boot/format.h"
#include "boot/text.h"
#include "files_inside.h"
#include "firmware.h"

#define TO_WRITE (EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE)

/* A file that is there for its size alone: where it was there is room for the log's end. */
#define END_ROOM       "end.room"
#define END_ROOM_BYTES 8192u
#define PARTS          9u
#define LARGEST_ON_FAT UINT64_C(0xffffffff) /* bytes of a file on FAT32 */

static struct {
    EFI_FILE_HANDLE file; /* null: it is not open, at the moment or for good */
    char first[LOG_FILE_NAME], name[LOG_FILE_OLDER]; /* of the first part, and of this one */
    char older[LOG_FILE_OLDER];                      /* the log of the run before; "": none */
    unsigned part;                                   /* from 1 */
    uint64_t safe; /* bytes of this part that are known to be on the stick */
    uint64_t gone; /* bytes that were, and are not there any more */
    struct {
        unsigned part; /* 0: there is none */
        uint64_t safe;
    } mark;
} self;

/* "slotscope.log" becomes "slotscope.1.log", "log" becomes "log.1"; the point is `mark`. */
static void name_numbered(const char *name, const char *mark, unsigned number,
                          char numbered[LOG_FILE_OLDER])
{
    size_t dot = strlen(name);

    for (size_t i = 1; name[i]; i++)
        if (name[i] == '.')
            dot = i;
    memcpy(numbered, name, dot);
    format(numbered + dot, LOG_FILE_OLDER - dot, "%s%u%s", mark, number, name + dot);
}

static void name_earlier(const char *name, unsigned number, char older[LOG_FILE_OLDER])
{
    name_numbered(name, ".", number, older);
}

/* Of part `part` of the log. */
static void name_part(unsigned part)
{
    memcpy(self.name, self.first, sizeof(self.first));
    if (part > 1)
        name_numbered(self.first, "-", part, self.name);
    self.part = part;
}

/* UEFI specification, "EFI_FILE_PROTOCOL.SetInfo()": another size, for which a FAT takes room. */
static bool resize(EFI_FILE_HANDLE file, uint64_t size)
{
    static EFI_GUID file_info = EFI_FILE_INFO_ID;
    union {
        EFI_FILE_INFO info;
        char bytes[INFO_MAX];
    } buffer;
    UINTN bytes = sizeof(buffer);

    if (EFI_ERROR(file->GetInfo(file, &file_info, &bytes, &buffer)))
        return false;
    buffer.info.FileSize = size;
    return !EFI_ERROR(file->SetInfo(file, &file_info, bytes, &buffer));
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

    if (files_open_path(name, TO_WRITE, 0, &file) != RC_OK)
        return;
    if (files_inform(file, &bytes, &folder) != RC_OK || folder)
        file->Close(file);
    else
        file->Delete(file);
}

/* Gives the name `older` to the log, in place of the file that has this name. The log first gets
 * one of two spare names, whichever is free: where files cannot be renamed, nothing older is
 * deleted. When only the last renaming fails, the log keeps the spare name, and `older` becomes
 * that. Closes the log. */
static enum rc keep_log(EFI_FILE_HANDLE file, const char *name, char older[LOG_FILE_OLDER])
{
    char spare[2][LOG_FILE_OLDER];
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
static enum rc clear_log(const char *name, char older[LOG_FILE_OLDER], enum rc *kept)
{
    EFI_FILE_HANDLE file;
    uint64_t bytes;
    bool folder;
    enum rc rc = files_open_path(name, TO_WRITE | EFI_FILE_MODE_CREATE, 0, &file);

    if (rc != RC_OK)
        return rc;
    if (files_inform(file, &bytes, &folder) != RC_OK || folder) {
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

/* Creates it, and the folder that it is in. */
static enum rc create_log(const char *name, char older[LOG_FILE_OLDER], enum rc *kept)
{
    const uint64_t create = TO_WRITE | EFI_FILE_MODE_CREATE;
    enum rc rc = files_open_path(NULL, create, EFI_FILE_DIRECTORY, &self.file);

    if (rc == RC_OK) {
        self.file->Close(self.file);
        rc = clear_log(name, older, kept);
    }
    if (rc == RC_OK)
        rc = files_open_path(name, create, 0, &self.file);
    if (rc != RC_OK)
        self.file = NULL;
    return rc;
}

static void keep_end_room(void)
{
    EFI_FILE_HANDLE file;

    if (files_open_path(END_ROOM, TO_WRITE | EFI_FILE_MODE_CREATE, 0, &file) != RC_OK)
        return;
    if (resize(file, END_ROOM_BYTES))
        file->Close(file);
    else
        file->Delete(file);
}

/* Those of the run before that are there get an earlier name, too. */
static void keep_parts(void)
{
    char older[LOG_FILE_OLDER];
    EFI_FILE_HANDLE file;
    unsigned part = 2;

    for (name_part(part); part <= PARTS && files_open_path(self.name, TO_WRITE, 0, &file) == RC_OK;
         name_part(++part)) {
        name_earlier(self.name, 1, older);
        keep_log(file, self.name, older);
    }
    name_part(1);
}

enum rc log_file_open(const char *name, char older[LOG_FILE_OLDER], enum rc *kept)
{
    enum rc rc = RC_FIRMWARE;

    *kept = RC_ABSENT;
    if (firmware()->boot == NULL)
        return RC_ABSENT;
    if (strlen(name) >= LOG_FILE_NAME)
        return RC_FIRMWARE;
    memcpy(self.first, name, strlen(name) + 1);
    name_part(1);
    self.safe = self.gone = 0;
    name_earlier(name, 1, older);
    firmware_enter();
    for (unsigned i = 0; i < LOG_FILE_TRIES && rc == RC_FIRMWARE; i++) {
        enum rc this_time = RC_ABSENT;

        rc = create_log(name, older, &this_time);
        if (this_time != RC_ABSENT) /* a later attempt finds that log under its new name */
            *kept = this_time;
    }
    if (rc == RC_OK) {
        keep_parts();
        keep_end_room();
    }
    firmware_leave();
    if (*kept == RC_OK)
        memcpy(self.older, older, sizeof(self.older));
    return rc;
}

static void close_log(void)
{
    if (self.file != NULL)
        self.file->Close(self.file);
    self.file = NULL;
}

/* Where what is safe ends. What stands behind that is of a write that failed: it is written over. A
 * file that is shorter goes on at its end: nothing may stand behind a hole. */
static enum rc reopen_log(void)
{
    uint64_t size;
    bool folder;

    if (files_open_path(self.name, TO_WRITE, 0, &self.file) != RC_OK) {
        self.file = NULL;
        return RC_FIRMWARE;
    }
    if (files_inform(self.file, &size, &folder) != RC_OK)
        return RC_FIRMWARE;
    if (size < self.safe) {
        self.gone += self.safe - size;
        self.safe = size;
    }
    return EFI_ERROR(self.file->SetPosition(self.file, self.safe)) ? RC_FIRMWARE : RC_OK;
}

/* A stick may say that it took all, and have taken less. */
static enum rc write_log(const char *text, size_t length)
{
    UINTN written = length;
    EFI_STATUS status;
    uint64_t size;
    bool folder;

    if (length > LARGEST_ON_FAT - self.safe)
        return RC_NO_SPACE;
    status = self.file->Write(self.file, &written, (void *)(uintptr_t)text);
    if (status == EFI_VOLUME_FULL)
        return RC_NO_SPACE;
    if (EFI_ERROR(status) || written != length || EFI_ERROR(self.file->Flush(self.file)) ||
        files_inform(self.file, &size, &folder) != RC_OK || size != self.safe + length)
        return RC_FIRMWARE;
    self.safe += length;
    return RC_OK;
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

    if (files_open_root(&root) != RC_OK)
        return RC_ABSENT;
    status = root->GetInfo(root, &file_system_info, &size, &buffer);
    root->Close(root);
    *bytes = buffer.info.FreeSpace;
    return EFI_ERROR(status) ? RC_ABSENT : RC_OK;
}

/* Where the stick has room, and the file may not grow: what follows goes into another file. */
static bool next_part(size_t length)
{
    uint64_t room;

    if (self.part == PARTS || self.safe == 0 || ask_room(&room) != RC_OK || room < length)
        return false;
    close_log();
    name_part(self.part + 1);
    self.safe = 0;
    if (files_open_path(self.name, TO_WRITE | EFI_FILE_MODE_CREATE, 0, &self.file) == RC_OK)
        return true;
    self.file = NULL;
    return false;
}

enum rc log_file_append(const char *text, size_t length)
{
    enum rc rc = RC_OK;

    if (self.name[0] == '\0' || firmware()->boot == NULL)
        return RC_ABSENT;
    firmware_enter();
    if (self.file == NULL)
        rc = reopen_log();
    if (rc == RC_OK)
        rc = write_log(text, length);
    if (rc == RC_NO_SPACE && next_part(length))
        rc = write_log(text, length);
    if (rc != RC_OK)
        close_log();
    firmware_leave();
    return rc;
}

unsigned log_file_part(const char **name)
{
    *name = self.name;
    return self.part;
}

bool log_file_drop_older(void)
{
    if (self.older[0] == '\0' || firmware()->boot == NULL)
        return false;
    firmware_enter();
    delete_file(self.older);
    firmware_leave();
    self.older[0] = '\0';
    return true;
}

void log_file_mark(void)
{
    self.mark.part = self.part;
    self.mark.safe = self.safe;
}

bool log_file_rewind(void)
{
    bool done;

    if (self.mark.part == 0 || firmware()->boot == NULL)
        return false;
    firmware_enter();
    close_log();
    for (; self.part > self.mark.part; name_part(self.part - 1))
        delete_file(self.name);
    self.safe = self.mark.safe;
    delete_file(END_ROOM);
    done = reopen_log() == RC_OK && resize(self.file, self.safe);
    firmware_leave();
    return done;
}

void log_file_give_end_room(void)
{
    if (self.name[0] == '\0' || firmware()->boot == NULL)
        return;
    firmware_enter();
    delete_file(END_ROOM);
    firmware_leave();
}

uint64_t log_file_gone(void)
{
    return self.gone;
}

enum rc log_file_room(uint64_t *bytes)
{
    enum rc rc;

    if (self.name[0] == '\0' || firmware()->boot == NULL)
        return RC_ABSENT;
    firmware_enter();
    rc = ask_room(bytes);
    firmware_leave();
    return rc;
}

void log_file_close(void)
{
    log_file_give_end_room();
    self.name[0] = '\0';
    if (self.file == NULL || firmware()->boot == NULL)
        return;
    firmware_enter();
    close_log();
    firmware_leave();
}
