/* Images that load images: this program loads itself again, by device path or from memory, as its
 * child. The load options say what the child does. */
#include "check.h"

#include <efilib.h>

#define RETURNED   0x5107
#define EXITED     0x5c09
#define FILE_BYTES (8 << 20)

static UINT8 *file;
static UINTN file_bytes;

/* The device path of the child: that of the volume, a file path node, the end. */
static EFI_DEVICE_PATH *child_path(EFI_HANDLE device)
{
    return FileDevicePath(device, L"\\EFI\\BOOT\\BOOTX64.EFI");
}

static EFI_STATUS load(EFI_HANDLE parent, EFI_DEVICE_PATH *path, void *bytes, UINTN size,
                       EFI_HANDLE *child)
{
    return uefi_call_wrapper(BS->LoadImage, 6, FALSE, parent, path, bytes, size, child);
}

static EFI_LOADED_IMAGE *loaded_of(EFI_HANDLE image)
{
    EFI_LOADED_IMAGE *loaded = NULL;

    uefi_call_wrapper(BS->HandleProtocol, 3, image, &LoadedImageProtocol, (void **)&loaded);
    return loaded;
}

static EFI_STATUS start(EFI_HANDLE child, CHAR16 *options, UINTN *size, CHAR16 **data)
{
    EFI_LOADED_IMAGE *loaded = loaded_of(child);

    loaded->LoadOptions = options;
    loaded->LoadOptionsSize = 4;
    return uefi_call_wrapper(BS->StartImage, 3, child, size, data);
}

/* Calls Exit from nested functions, with every preserved register overwritten. */
static __attribute__((noinline)) void leave_deep(EFI_HANDLE image, unsigned depth)
{
    CHAR16 *data = NULL;

    if (depth)
        leave_deep(image, depth - 1);
    uefi_call_wrapper(BS->AllocatePool, 3, EfiBootServicesData, 8, (void **)&data);
    CopyMem(data, L"bye", 8);
    __asm__ volatile(
        "xor %%ebx, %%ebx; xor %%r12d, %%r12d; xor %%r13d, %%r13d; xor %%r14d, %%r14d; "
        "xorps %%xmm6, %%xmm6" ::
            : "rbx", "r12", "r13", "r14", "xmm6");
    uefi_call_wrapper(BS->Exit, 4, image, EXITED, 8, data);
    check(0, "Exit does not return");
}

int image_child(EFI_HANDLE image, CHAR16 what, EFI_STATUS *status)
{
    EFI_HANDLE child;

    *status = RETURNED;
    switch (what) {
    case 'R':
        return 1;
    case 'X':
        leave_deep(image, 3);
        return 1;
    case 'N':
        *status = load(image, child_path(loaded_of(image)->DeviceHandle), NULL, 0, &child);
        if (!*status)
            *status = start(child, L"R", NULL, NULL) + 1;
        return 1;
    default:
        return 0;
    }
}

static void read_self(EFI_HANDLE device)
{
    EFI_FILE_HANDLE root = LibOpenRoot(device), self;

    file = AllocatePool(FILE_BYTES);
    file_bytes = FILE_BYTES;
    uefi_call_wrapper(root->Open, 5, root, &self, L"\\EFI\\BOOT\\BOOTX64.EFI", EFI_FILE_MODE_READ,
                      0);
    uefi_call_wrapper(self->Read, 3, self, &file_bytes, file);
    uefi_call_wrapper(self->Close, 1, self);
}

static UINTN free_pages(void)
{
    static UINT8 map[32768] __attribute__((aligned(8)));
    UINTN size = sizeof(map), key, entry = 48, pages = 0;
    UINT32 version;

    uefi_call_wrapper(BS->GetMemoryMap, 5, &size, (EFI_MEMORY_DESCRIPTOR *)map, &key, &entry,
                      &version);
    for (UINTN at = 0; at < size; at += entry)
        if (((EFI_MEMORY_DESCRIPTOR *)(map + at))->Type == EfiConventionalMemory)
            pages += ((EFI_MEMORY_DESCRIPTOR *)(map + at))->NumberOfPages;
    return pages;
}

static void refused(EFI_HANDLE image, EFI_HANDLE device)
{
    EFI_HANDLE child = NULL;
    UINT32 pe = *(UINT32 *)(file + 0x3c);

    check(load(image, NULL, NULL, 0, &child) == EFI_INVALID_PARAMETER &&
              load(NULL, NULL, file, file_bytes, &child) == EFI_INVALID_PARAMETER &&
              load(image, FileDevicePath(device, L"\\none.efi"), NULL, 0, &child) == EFI_NOT_FOUND,
          "no source, no parent, no file: nothing is loaded");
    check(load(image, NULL, file, 1000, &child) == EFI_LOAD_ERROR, "nor half an image");
    *(UINT16 *)(file + pe + 4) = 0xaa64;
    check(load(image, NULL, file, file_bytes, &child) == EFI_UNSUPPORTED,
          "nor one for another machine");
    *(UINT16 *)(file + pe + 4) = 0x8664;
}

/* What firmware gives by the GUIDs of the specification. */
static void identified(EFI_HANDLE image, EFI_HANDLE device)
{
    static EFI_GUID device_path = EFI_LOADED_IMAGE_DEVICE_PATH_PROTOCOL_GUID;
    static EFI_GUID volume_label = EFI_FILE_SYSTEM_VOLUME_LABEL_ID;
    EFI_FILE_HANDLE root = LibOpenRoot(device);
    EFI_DEVICE_PATH *path = NULL;
    CHAR16 label[32];
    UINTN size = sizeof(label);

    check(uefi_call_wrapper(BS->HandleProtocol, 3, image, &device_path, (void **)&path) ==
                  EFI_SUCCESS &&
              path != NULL && path->Type == MEDIA_DEVICE_PATH,
          "this image's handle has its device path");
    check(uefi_call_wrapper(root->GetInfo, 4, root, &volume_label, &size, label) == EFI_SUCCESS &&
              size == 20 && !StrCmp(label, L"SLOTSCOPE"),
          "the volume has a label");
    uefi_call_wrapper(root->Close, 1, root);
}

static EFI_STATUS opened(EFI_FILE_HANDLE root, CHAR16 *name, UINT64 mode, EFI_FILE_HANDLE *found)
{
    return uefi_call_wrapper(root->Open, 5, root, found, name, mode, 0);
}

/* Gives the file another name by SetInfo, and closes it. */
static EFI_STATUS renamed(EFI_FILE_HANDLE root, CHAR16 *from, CHAR16 *to)
{
    static EFI_GUID guid = EFI_FILE_INFO_ID;
    UINT64 room[64];
    EFI_FILE_INFO *info = (EFI_FILE_INFO *)room;
    UINTN size = sizeof(room);
    EFI_FILE_HANDLE handle = NULL;
    EFI_STATUS status = opened(root, from, 3, &handle);

    if (EFI_ERROR(status))
        return status;
    uefi_call_wrapper(handle->GetInfo, 4, handle, &guid, &size, info);
    StrCpy(info->FileName, to);
    info->Size = size = SIZE_OF_EFI_FILE_INFO + StrSize(to);
    status = uefi_call_wrapper(handle->SetInfo, 4, handle, &guid, size, info);
    uefi_call_wrapper(handle->Close, 1, handle);
    return status;
}

/* UEFI specification, "EFI_FILE_PROTOCOL.SetInfo()": no file takes another one's name. */
static void names(EFI_HANDLE device)
{
    const UINT64 create = 3 | EFI_FILE_MODE_CREATE;
    EFI_FILE_HANDLE root = LibOpenRoot(device), handle = NULL;

    opened(root, L"A.Txt", create, &handle);
    uefi_call_wrapper(handle->Close, 1, handle);
    opened(root, L"B.Txt", create, &handle);
    uefi_call_wrapper(handle->Close, 1, handle);
    check(renamed(root, L"A.Txt", L"b.txt") == EFI_ACCESS_DENIED &&
              opened(root, L"A.Txt", 1, &handle) == EFI_SUCCESS,
          "no file takes another one's name");
    uefi_call_wrapper(handle->Close, 1, handle);
    check(renamed(root, L"A.Txt", L"C.Txt") == EFI_SUCCESS &&
              opened(root, L"A.Txt", 1, &handle) == EFI_NOT_FOUND &&
              opened(root, L"\\C.Txt", 3, &handle) == EFI_SUCCESS,
          "but a name that is free");
    uefi_call_wrapper(handle->Delete, 1, handle);
    uefi_call_wrapper(root->Close, 1, root);
}

void images(EFI_HANDLE image)
{
    EFI_HANDLE device = loaded_of(image)->DeviceHandle, child = NULL;
    EFI_DEVICE_PATH *path = child_path(device);
    CHAR16 *data = NULL;
    UINTN size = 0, free;
    EFI_STATUS status;

    read_self(device);
    identified(image, device);
    names(device);
    refused(image, device);
    status = load(image, path, NULL, 0, &child);
    check(!status && loaded_of(child)->ParentHandle == image &&
              loaded_of(child)->DeviceHandle == device &&
              (UINT64)loaded_of(child)->ImageBase != (UINT64)loaded_of(image)->ImageBase,
          "an image is loaded by device path, beside this one");
    check(start(child, L"R", NULL, NULL) == RETURNED, "it runs, and its status comes back");
    check(loaded_of(child) == NULL &&
              uefi_call_wrapper(BS->StartImage, 3, child, NULL, NULL) == EFI_INVALID_PARAMETER,
          "and it is gone then");
    load(image, NULL, file, file_bytes, &child);
    check(loaded_of(child)->DeviceHandle == NULL && loaded_of(child)->FilePath == NULL,
          "one from memory comes from no device");
    status = start(child, L"X", &size, &data);
    check(status == EXITED && size == 8 && data != NULL && !StrCmp(data, L"bye"),
          "Exit from within leaves it with status and data");
    load(image, path, NULL, 0, &child);
    check(start(child, L"N", NULL, NULL) == RETURNED + 1, "a child has a child");
    free = free_pages();
    load(image, path, NULL, 0, &child);
    check(free_pages() < free && uefi_call_wrapper(BS->UnloadImage, 1, child) == EFI_SUCCESS &&
              free_pages() == free,
          "what is unloaded without having run leaves no memory behind");
    check(uefi_call_wrapper(BS->UnloadImage, 1, child) == EFI_INVALID_PARAMETER &&
              uefi_call_wrapper(BS->UnloadImage, 1, image) != EFI_SUCCESS,
          "neither it nor this image can be unloaded now");
    FreePool(path);
    FreePool(file);
    FreePool(data);
}
