/* Starts \EFI\slotscope.efi with five levels of paging on, as firmware may hand over that maps more
 * than 47 bits of addresses. The new root has one entry, the table that was the root. What
 * was done goes to port 0xE9, QEMU's -debugcon. It includes none of the image's headers: to the
 * image it is a foreign loader. */
#include <efi.h>
#include <efiprot.h>

#define CR4_LA57         (1ull << 12)
#define CPUID_LA57       (1u << 16) /* 07H.0:ECX; Intel SDM volume 2A, "CPUID" */
#define PRESENT_WRITABLE 3u
#define GIB4             0x100000000ull
#define PAGE             4096u

EFI_STATUS EFIAPI efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system);
void EFIAPI five_levels(UINT64 root);

static UINT64 read_cr3(void)
{
    UINT64 value;

    __asm__ volatile("mov %%cr3, %0" : "=r"(value));
    return value;
}

static UINT64 read_cr4(void)
{
    UINT64 value;

    __asm__ volatile("mov %%cr4, %0" : "=r"(value));
    return value;
}

static BOOLEAN has_five_levels(void)
{
    UINT32 eax = 7, ebx, ecx = 0, edx;

    __asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
    return (ecx & CPUID_LA57) != 0;
}

static void say(const char *text)
{
    for (; *text != '\0'; text++)
        __asm__ volatile("outb %0, %1" : : "a"(*text), "Nd"((UINT16)0xe9));
}

static EFI_STATUS switch_over(EFI_BOOT_SERVICES *services)
{
    EFI_PHYSICAL_ADDRESS root = GIB4 - 1;
    UINT64 *table;
    EFI_STATUS status;

    if (!has_five_levels() || (UINT64)&root >= GIB4 || (UINT64)&five_levels >= GIB4)
        return EFI_UNSUPPORTED;
    status = services->AllocatePages(AllocateMaxAddress, EfiReservedMemoryType, 1, &root);
    if (EFI_ERROR(status))
        return status;
    table = (UINT64 *)root;
    services->SetMem(table, PAGE, 0);
    table[0] = (read_cr3() & ~(UINT64)(PAGE - 1)) | PRESENT_WRITABLE;
    five_levels(root);
    return read_cr4() & CR4_LA57 ? EFI_SUCCESS : EFI_DEVICE_ERROR;
}

static EFI_STATUS open_image(EFI_BOOT_SERVICES *services, EFI_HANDLE device, EFI_FILE_HANDLE *file)
{
    EFI_GUID volume_guid = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
    EFI_SIMPLE_FILE_SYSTEM_PROTOCOL *volume;
    EFI_FILE_HANDLE root;
    EFI_STATUS status = services->HandleProtocol(device, &volume_guid, (void **)&volume);

    if (!EFI_ERROR(status))
        status = volume->OpenVolume(volume, &root);
    if (!EFI_ERROR(status))
        status = root->Open(root, file, (CHAR16 *)u"\\EFI\\slotscope.efi", EFI_FILE_MODE_READ, 0);
    return status;
}

/* Its bytes; *size may be more than the file has. */
static EFI_STATUS read_image(EFI_BOOT_SERVICES *services, EFI_HANDLE device, void **bytes,
                             UINTN *size)
{
    EFI_FILE_HANDLE file;
    EFI_STATUS status = open_image(services, device, &file);

    *size = 4u << 20;
    if (!EFI_ERROR(status))
        status = services->AllocatePool(EfiLoaderData, *size, bytes);
    if (!EFI_ERROR(status))
        status = file->Read(file, size, *bytes);
    return status;
}

static EFI_STATUS start(EFI_BOOT_SERVICES *services, EFI_HANDLE image)
{
    EFI_GUID loaded_guid = EFI_LOADED_IMAGE_PROTOCOL_GUID;
    EFI_LOADED_IMAGE_PROTOCOL *own, *started;
    EFI_HANDLE handle = NULL;
    void *bytes;
    UINTN size;
    EFI_STATUS status = services->HandleProtocol(image, &loaded_guid, (void **)&own);

    if (!EFI_ERROR(status))
        status = read_image(services, own->DeviceHandle, &bytes, &size);
    if (!EFI_ERROR(status))
        status = services->LoadImage(FALSE, image, NULL, bytes, size, &handle);
    if (!EFI_ERROR(status))
        status = services->HandleProtocol(handle, &loaded_guid, (void **)&started);
    if (EFI_ERROR(status))
        return status;
    started->DeviceHandle = own->DeviceHandle; /* where the image looks for its files */
    say(read_cr4() & CR4_LA57 ? "started with five levels\n" : "started with four levels\n");
    return services->StartImage(handle, NULL, NULL);
}

EFI_STATUS EFIAPI efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system)
{
    EFI_STATUS status = switch_over(system->BootServices);

    if (EFI_ERROR(status)) {
        say("no five levels\n");
        return status;
    }
    status = start(system->BootServices, image);
    if (EFI_ERROR(status))
        say("the image could not be started, or failed\n");
    return status;
}
