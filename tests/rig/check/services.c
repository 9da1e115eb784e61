/* Variables, the key of the memory map and graphics, before and after boot services. UEFI
 * specification, "Services - Runtime Services", "EFI_BOOT_SERVICES.ExitBootServices()", "Graphics
 * Output Protocol". */
#include "check.h"

#include <efilib.h>

#define NV     1u
#define BOOT   2u
#define RUN    4u
#define APPEND 0x40u

static EFI_GUID vendor = {0x5107, 0x5c09, 0xd, {8, 7, 6, 5, 4, 3, 2, 1}};
static EFI_SYSTEM_TABLE *table;

static EFI_STATUS set(CHAR16 *name, UINT32 attributes, UINTN size, void *data)
{
    return uefi_call_wrapper(RT->SetVariable, 5, name, &vendor, attributes, size, data);
}

static EFI_STATUS get(CHAR16 *name, UINTN *size, void *data, UINT32 *attributes)
{
    return uefi_call_wrapper(RT->GetVariable, 5, name, &vendor, attributes, size, data);
}

static int holds(CHAR16 *name, const char *text, UINT32 attributes)
{
    char data[16];
    UINTN size = sizeof(data);
    UINT32 found = 0;

    return get(name, &size, data, &found) == EFI_SUCCESS && found == attributes &&
           size == strlena((const CHAR8 *)text) && !CompareMem(data, text, size);
}

/* The number of variables of our vendor that GetNextVariableName lists. */
static unsigned listed(void)
{
    CHAR16 name[64] = {0};
    EFI_GUID guid = {0};
    unsigned count = 0;

    for (unsigned i = 0; i < 1000; i++) {
        UINTN size = sizeof(name);

        if (uefi_call_wrapper(RT->GetNextVariableName, 3, &size, name, &guid) != EFI_SUCCESS)
            break;
        count += !CompareGuid(&guid, &vendor);
    }
    return count;
}

static void variables(void)
{
    char data[4];
    UINTN size = 2;
    UINT64 room = 0, left = 0, most = 0;

    check(set(L"Kept", NV | BOOT | RUN, 4, "kept") == EFI_SUCCESS &&
              set(L"Boot", NV | BOOT, 4, "boot") == EFI_SUCCESS &&
              set(L"Volatile", BOOT | RUN, 4, "vola") == EFI_SUCCESS && listed() == 3,
          "three variables are made and listed");
    check(holds(L"Kept", "kept", NV | BOOT | RUN) && holds(L"Boot", "boot", NV | BOOT),
          "and have their contents and attributes");
    check(get(L"Kept", &size, data, NULL) == EFI_BUFFER_TOO_SMALL && size == 4,
          "a buffer that is too small learns the size");
    check(set(L"Kept", NV | BOOT | RUN | APPEND, 2, "++") == EFI_SUCCESS &&
              holds(L"Kept", "kept++", NV | BOOT | RUN),
          "what is appended is behind the rest");
    check(set(L"Kept", BOOT | RUN, 4, "lost") == EFI_INVALID_PARAMETER &&
              holds(L"Kept", "kept++", NV | BOOT | RUN),
          "other attributes do not change a variable");
    check(set(L"None", RUN, 4, "none") == EFI_INVALID_PARAMETER,
          "run-time access is not without boot-time access");
    check(set(L"Gone", NV | BOOT, 4, "gone") == EFI_SUCCESS &&
              set(L"Gone", NV | BOOT, 0, NULL) == EFI_SUCCESS &&
              get(L"Gone", &size, data, NULL) == EFI_NOT_FOUND &&
              set(L"Gone", NV | BOOT, 0, NULL) == EFI_NOT_FOUND,
          "a size of 0 deletes one, once");
    check(uefi_call_wrapper(RT->QueryVariableInfo, 4, NV | BOOT | RUN, &room, &left, &most) ==
                  EFI_SUCCESS &&
              left < room && most <= room,
          "the room for variables is known, and some is taken");
}

#define PIXEL(x, y) pixels[(UINTN)(y)*gop->Mode->Info->PixelsPerScanLine + (x)]

static void graphics(void)
{
    static EFI_GUID guid = EFI_GRAPHICS_OUTPUT_PROTOCOL_GUID;
    EFI_GRAPHICS_OUTPUT_BLT_PIXEL red = {0, 0, 255, 0}, line[8];
    EFI_GRAPHICS_OUTPUT_MODE_INFORMATION *info = NULL;
    EFI_GRAPHICS_OUTPUT_PROTOCOL *gop = NULL;
    volatile UINT32 *pixels;
    UINTN size = 0, width, height;

    if (uefi_call_wrapper(BS->LocateProtocol, 3, &guid, NULL, (void **)&gop) != EFI_SUCCESS) {
        check(0, "there is a screen");
        return;
    }
    pixels = (volatile UINT32 *)gop->Mode->FrameBufferBase;
    width = gop->Mode->Info->HorizontalResolution;
    height = gop->Mode->Info->VerticalResolution;
    check(uefi_call_wrapper(gop->QueryMode, 4, gop, gop->Mode->Mode, &size, &info) == EFI_SUCCESS &&
              size == gop->Mode->SizeOfInfo && info != gop->Mode->Info &&
              !CompareMem(info, gop->Mode->Info, size),
          "the present mode is described, in memory of the caller's");
    check(uefi_call_wrapper(gop->QueryMode, 4, gop, gop->Mode->MaxMode, &size, &info) ==
                  EFI_INVALID_PARAMETER &&
              uefi_call_wrapper(gop->SetMode, 2, gop, gop->Mode->MaxMode) == EFI_UNSUPPORTED,
          "a mode beyond the last is none");
    check(info->PixelsPerScanLine >= width &&
              gop->Mode->FrameBufferSize >= info->PixelsPerScanLine * height * 4,
          "the frame buffer holds the whole screen");
    PIXEL(5, 5) = 0x123456;
    check(uefi_call_wrapper(gop->SetMode, 2, gop, gop->Mode->Mode) == EFI_SUCCESS &&
              PIXEL(5, 5) == 0,
          "setting a mode clears the screen");
    uefi_call_wrapper(gop->Blt, 10, gop, &red, EfiBltVideoFill, 0, 0, 10, 20, 4, 2, 0);
    check((PIXEL(10, 20) & 0xffffff) == 0xff0000 && (PIXEL(13, 21) & 0xffffff) == 0xff0000 &&
              PIXEL(14, 20) == 0 && PIXEL(10, 22) == 0 && PIXEL(9, 20) == 0,
          "a rectangle is filled, and nothing beside it");
    uefi_call_wrapper(gop->Blt, 10, gop, NULL, EfiBltVideoToVideo, 10, 20, 12, 20, 4, 2, 0);
    check((PIXEL(15, 21) & 0xffffff) == 0xff0000 && (PIXEL(10, 20) & 0xffffff) == 0xff0000,
          "and copied over a part of itself");
    uefi_call_wrapper(gop->Blt, 10, gop, line, EfiBltVideoToBltBuffer, 9, 20, 0, 0, 8, 1,
                      sizeof(line));
    check(line[0].Red == 0 && line[1].Red == 255 && line[1].Blue == 0 && line[6].Red == 255 &&
              line[7].Red == 0,
          "and read back");
    check(uefi_call_wrapper(gop->Blt, 10, gop, &red, EfiBltVideoFill, 0, 0, width - 1, 0, 2, 1,
                            0) == EFI_INVALID_PARAMETER &&
              uefi_call_wrapper(gop->Blt, 10, gop, &red, EfiBltVideoFill, 0, 0, 0, 0, 0, 1, 0) ==
                  EFI_INVALID_PARAMETER,
          "not beyond the screen's edge, and not without extent");
}

void services_before(EFI_SYSTEM_TABLE *system)
{
    table = system;
    variables();
    graphics();
}

/* The key of a memory map is good until the map changes. */
void services_stale_key(EFI_HANDLE image, UINTN old)
{
    EFI_PHYSICAL_ADDRESS page = 0;

    uefi_call_wrapper(BS->AllocatePages, 4, AllocateAnyPages, EfiLoaderData, 1, &page);
    check(uefi_call_wrapper(BS->ExitBootServices, 2, image, old) == EFI_INVALID_PARAMETER,
          "boot services do not end with the key of a map that has changed");
}

static int sealed(EFI_TABLE_HEADER *header)
{
    UINT32 said = header->CRC32, crc;

    header->CRC32 = 0;
    crc = CalculateCrc((UINT8 *)header, header->HeaderSize);
    header->CRC32 = said;
    return crc == said;
}

void services_after(void)
{
    check(table->BootServices == NULL && table->ConIn == NULL && table->ConOut == NULL &&
              table->StdErr == NULL && table->ConsoleInHandle == NULL &&
              table->ConsoleOutHandle == NULL && table->StandardErrorHandle == NULL &&
              table->RuntimeServices == RT,
          "what ends with boot services is gone from the system table");
    check(sealed(&table->Hdr), "which has a right checksum");
    check(holds(L"Kept", "kept++", NV | BOOT | RUN) && holds(L"Volatile", "vola", BOOT | RUN),
          "variables with run-time access can be read");
    check(!holds(L"Boot", "boot", NV | BOOT) && listed() == 2, "others are not there any more");
    check(set(L"Kept", NV | BOOT | RUN, 4, "anew") == EFI_SUCCESS &&
              holds(L"Kept", "anew", NV | BOOT | RUN),
          "one that is kept can be written");
    check(set(L"Volatile", BOOT | RUN, 4, "anew") == EFI_WRITE_PROTECTED &&
              holds(L"Volatile", "vola", BOOT | RUN),
          "one that is not is read-only");
    check(set(L"New", BOOT | RUN, 4, "anew") == EFI_INVALID_PARAMETER &&
              set(L"New", NV | BOOT, 4, "anew") == EFI_INVALID_PARAMETER &&
              set(L"New", NV | BOOT | RUN, 4, "anew") == EFI_SUCCESS && listed() == 3,
          "only one that is kept and has run-time access can be made");
    check(set(L"New", NV | BOOT | RUN, 0, NULL) == EFI_SUCCESS && listed() == 2, "and deleted");
}
