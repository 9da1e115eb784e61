#include "module_files.h"

#include "boot/text.h"

#define FILES_OPEN 16
#define PATH       128
#define FOLDER     "slotscope"

/* A file, or a folder: then `prefix` is the path of what is in it, such as "cpu/". */
static struct open_file {
    struct _EFI_FILE_HANDLE interface; /* first */
    bool open, folder;
    const struct boot_module *module;
    char prefix[PATH];
    uint64_t position; /* of a folder: the next module */
} files[FILES_OPEN];

static const struct boot_information *information;

static struct open_file *file_of(EFI_FILE_HANDLE handle)
{
    return (struct open_file *)handle;
}

static size_t size_of(const struct open_file *file)
{
    return file->folder ? 0 : (size_t)(file->module->end - file->module->begin);
}

static EFI_STATUS EFIAPI file_open(EFI_FILE_HANDLE parent, EFI_FILE_HANDLE *made, CHAR16 *name,
                                   UINT64 mode, UINT64 attributes);

static EFI_STATUS EFIAPI file_close(EFI_FILE_HANDLE handle)
{
    file_of(handle)->open = false;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI file_delete(EFI_FILE_HANDLE handle)
{
    file_of(handle)->open = false;
    return EFI_WARN_DELETE_FAILURE;
}

/* The EFI_FILE_INFO of a file or folder of that name. */
static EFI_STATUS inform(const char *name, uint64_t bytes, bool folder, UINTN *size, void *buffer)
{
    EFI_FILE_INFO *info = buffer;
    const size_t length = strlen(name), needed = SIZE_OF_EFI_FILE_INFO + 2 * (length + 1);

    if (*size < needed) {
        *size = needed;
        return EFI_BUFFER_TOO_SMALL;
    }
    memset(buffer, 0, needed);
    info->Size = needed;
    info->FileSize = info->PhysicalSize = bytes;
    info->Attribute = EFI_FILE_READ_ONLY | (folder ? EFI_FILE_DIRECTORY : 0);
    for (size_t i = 0; i < length; i++)
        info->FileName[i] = (CHAR16)(uint8_t)name[i];
    *size = needed;
    return EFI_SUCCESS;
}

/* The name of the module in the folder; null: it is not there. */
static const char *name_in(const struct open_file *folder, const struct boot_module *module)
{
    const size_t length = strlen(folder->prefix);

    if (strncmp(module->name, folder->prefix, length) != 0 ||
        strchr(module->name + length, '/') != NULL || module->name[length] == '\0')
        return NULL;
    return module->name + length;
}

static EFI_STATUS read_folder(struct open_file *folder, UINTN *size, void *buffer)
{
    while (folder->position < information->module_count) {
        const struct boot_module *module = &information->modules[folder->position];
        const char *name = name_in(folder, module);
        EFI_STATUS status;

        if (name != NULL) {
            status = inform(name, module->end - module->begin, false, size, buffer);
            folder->position += !EFI_ERROR(status);
            return status;
        }
        folder->position++;
    }
    *size = 0;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI file_read(EFI_FILE_HANDLE handle, UINTN *size, void *buffer)
{
    struct open_file *file = file_of(handle);
    const size_t left = (size_t)(size_of(file) - file->position);

    if (file->folder)
        return read_folder(file, size, buffer);
    *size = *size < left ? *size : left;
    memcpy(buffer, (const char *)(uintptr_t)file->module->begin + file->position, *size);
    file->position += *size;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI file_write(EFI_FILE_HANDLE handle, UINTN *size, void *buffer)
{
    (void)handle, (void)buffer;
    *size = 0;
    return EFI_WRITE_PROTECTED;
}

static EFI_STATUS EFIAPI file_get_position(EFI_FILE_HANDLE handle, UINT64 *position)
{
    *position = file_of(handle)->position;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI file_set_position(EFI_FILE_HANDLE handle, UINT64 position)
{
    struct open_file *file = file_of(handle);

    file->position = file->folder || position < size_of(file) ? position : size_of(file);
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI file_get_info(EFI_FILE_HANDLE handle, EFI_GUID *kind, UINTN *size,
                                       void *buffer)
{
    static const EFI_GUID file_info = EFI_FILE_INFO_ID;
    const struct open_file *file = file_of(handle);

    if (memcmp(kind, &file_info, sizeof(file_info)) != 0)
        return EFI_UNSUPPORTED;
    return inform(file->folder ? "" : file->module->name, size_of(file), file->folder, size,
                  buffer);
}

static EFI_STATUS EFIAPI file_set_info(EFI_FILE_HANDLE handle, EFI_GUID *kind, UINTN size,
                                       void *buffer)
{
    (void)handle, (void)kind, (void)size, (void)buffer;
    return EFI_WRITE_PROTECTED;
}

static EFI_STATUS EFIAPI file_flush(EFI_FILE_HANDLE handle)
{
    (void)handle;
    return EFI_WRITE_PROTECTED;
}

static struct open_file *new_file(void)
{
    for (unsigned i = 0; i < FILES_OPEN; i++) {
        if (files[i].open)
            continue;
        memset(&files[i], 0, sizeof(files[i]));
        files[i].open = true;
        files[i].interface = (struct _EFI_FILE_HANDLE){
            .Revision = EFI_FILE_HANDLE_REVISION,
            .Open = file_open,
            .Close = file_close,
            .Delete = file_delete,
            .Read = file_read,
            .Write = file_write,
            .GetPosition = file_get_position,
            .SetPosition = file_set_position,
            .GetInfo = file_get_info,
            .SetInfo = file_set_info,
            .Flush = file_flush,
        };
        return &files[i];
    }
    return NULL;
}

/* "\slotscope\cpu\x.def" becomes "cpu/x.def", and the folder itself "". False: it is elsewhere. */
static bool module_name(char out[PATH], const CHAR16 *path)
{
    char text[PATH];
    size_t length = 0, skip = strlen(FOLDER);

    path += *path == '\\';
    for (; path[length] && length < PATH - 1; length++)
        text[length] = path[length] == '\\' ? '/' : path[length] < 0x7f ? (char)path[length] : '?';
    text[length] = '\0';
    if (path[length] || strncmp(text, FOLDER, skip) != 0 || (text[skip] && text[skip] != '/'))
        return false;
    skip += text[skip] == '/';
    memcpy(out, text + skip, length + 1 - skip);
    return true;
}

/* Whether a module is in the folder of this prefix, or in one below it. */
static bool has_modules(const char *prefix)
{
    for (unsigned i = 0; i < information->module_count; i++)
        if (strncmp(information->modules[i].name, prefix, strlen(prefix)) == 0)
            return true;
    return false;
}

/* Finds what is there of that name. */
static bool find(struct open_file *file, const char *name)
{
    const size_t length = strlen(name);

    for (unsigned i = 0; i < information->module_count; i++) {
        if (strcmp(information->modules[i].name, name) == 0 && length > 0) {
            file->module = &information->modules[i];
            return true;
        }
    }
    file->folder = true;
    memcpy(file->prefix, name, length + 1);
    if (length > 0 && length < PATH - 1)
        memcpy(file->prefix + length, "/", 2);
    return length == 0 || has_modules(file->prefix);
}

static EFI_STATUS EFIAPI file_open(EFI_FILE_HANDLE parent, EFI_FILE_HANDLE *made, CHAR16 *name,
                                   UINT64 mode, UINT64 attributes)
{
    struct open_file *file;
    char path[PATH];

    (void)parent, (void)attributes;
    if (mode & (EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE))
        return EFI_WRITE_PROTECTED;
    if (!module_name(path, name))
        return EFI_NOT_FOUND;
    file = new_file();
    if (file == NULL)
        return EFI_OUT_OF_RESOURCES;
    if (!find(file, path)) {
        file->open = false;
        return EFI_NOT_FOUND;
    }
    *made = &file->interface;
    return EFI_SUCCESS;
}

static EFI_STATUS EFIAPI open_volume(EFI_FILE_IO_INTERFACE *volume, EFI_FILE_HANDLE *root)
{
    struct open_file *file = new_file();

    (void)volume;
    if (file == NULL)
        return EFI_OUT_OF_RESOURCES;
    file->folder = true;
    *root = &file->interface;
    return EFI_SUCCESS;
}

EFI_FILE_IO_INTERFACE *module_files_start(const struct boot_information *from)
{
    static EFI_FILE_IO_INTERFACE volume = {.Revision = EFI_FILE_IO_INTERFACE_REVISION,
                                           .OpenVolume = open_volume};

    information = from;
    return &volume;
}
