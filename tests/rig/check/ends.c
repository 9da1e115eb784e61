/* Ways to end a run, in order and not. */
#include "check.h"

#include <efilib.h>

static void end_by_instruction(CHAR16 how)
{
    struct table_register none = {0, 0};
    UINT64 cr4;

    switch (how) {
    case 'v':
        __asm__ volatile(".byte 0xc4, 0xe3, 0x7d, 0x08, 0xc1, 0x00");
        break; /* vroundps ymm0, ymm1, 0 */
    case 'z':
        __asm__ volatile(".byte 0x62, 0xf1, 0x74, 0x48, 0xc2, 0xca, 0x00");
        break; /* vcmpps k1, zmm1, zmm2, 0 */
    case 'o':
        __asm__ volatile(".byte 0x8f, 0xe8, 0x78, 0xa2, 0xc1, 0x10");
        break; /* vpcmov, of XOP */
    case 'm':
        __asm__ volatile(".byte 0x0f, 0xaa");
        break; /* rsm */
    case 'i':
        __asm__ volatile(".byte 0x0f, 0x01, 0xc1");
        break; /* vmcall, which is not announced */
    case 'b':  /* a breakpoint on ports without debugging extensions */
        __asm__ volatile("mov %%cr4, %0" : "=r"(cr4));
        __asm__ volatile("mov %0, %%cr4" ::"r"(cr4 & ~8ull));
        __asm__ volatile("mov %0, %%dr7" ::"a"(0x20401ull));
        break;
    case 't':
        __asm__ volatile("lidt %0; ud2" ::"m"(none));
        break;
    case 'd': /* under the firmware's table its timer would end the HLT */
        __asm__ volatile("lidt %0; sti; hlt" ::"m"(none));
        break;
    case 'h':
        __asm__ volatile("cli; hlt");
        break;
    case 'p':
        __asm__ volatile("outw %0, %1" ::"a"((UINT16)0x3400), "Nd"((UINT16)0x604));
        break;
    case 'n': /* no instruction can be fetched any more, nor one of a handler */
        __asm__ volatile("mov %0, %%cr3" ::"r"(0ull));
        break;
    case 's':
        for (;;)
            __asm__ volatile("pause");
        break;
    default:
        break;
    }
}

static void end_by_firmware(CHAR16 how)
{
    static EFI_GUID processors = {
        0x3fdda605, 0xa76e, 0x4f46, {0xad, 0x29, 0x12, 0xf4, 0x53, 0x1b, 0x3d, 0x08}};
    struct table_register none = {0, 0};
    EFI_PHYSICAL_ADDRESS page = 0x9ffff;
    void *interface;

    switch (how) {
    case 'c': /* a call of the firmware under another interrupt table */
        __asm__ volatile("lidt %0" ::"m"(none));
        uefi_call_wrapper(BS->Stall, 1, 1);
        break;
    case 'a': /* for what the firmware lacks, twice and once */
        uefi_call_wrapper(BS->LocateProtocol, 3, &processors, NULL, &interface);
        uefi_call_wrapper(BS->HandleProtocol, 3, ST->ConsoleOutHandle, &processors, &interface);
        uefi_call_wrapper(RT->SetTime, 1, NULL);
        break;
    case 'k': /* processor 1 stays in real mode, where no time passes */
        uefi_call_wrapper(BS->AllocatePages, 4, AllocateMaxAddress, EfiLoaderCode, 1, &page);
        *(UINT16 *)page = 0xfeeb; /* jmp $ */
        send(1, 0x4500);
        send(1, 0x4600 | (UINT32)(page >> 12));
        send(1, 0x4600 | (UINT32)(page >> 12));
        for (;;)
            __asm__ volatile("pause");
        break;
    case 'C':
        uefi_call_wrapper(RT->ResetSystem, 4, EfiResetCold, EFI_SUCCESS, 0, NULL);
        break;
    case 'W':
        uefi_call_wrapper(RT->ResetSystem, 4, EfiResetWarm, EFI_SUCCESS, 0, NULL);
        break;
    case 'S':
        uefi_call_wrapper(RT->ResetSystem, 4, EfiResetShutdown, EFI_SUCCESS, 0, NULL);
        break;
    case 'F': /* shut down because of a failure */
        uefi_call_wrapper(RT->ResetSystem, 4, EfiResetShutdown, EFI_ABORTED, 0, NULL);
        break;
    case 'P':
        uefi_call_wrapper(RT->ResetSystem, 4, 3, EFI_SUCCESS, 0,
                          NULL); /* EfiResetPlatformSpecific */
        break;
    case 'U':
        uefi_call_wrapper(RT->ResetSystem, 4, 4, EFI_SUCCESS, 0, NULL); /* no such type */
        break;
    case 'e': /* the debug exit port */
        out8(0xf4, 3);
        break;
    default:
        break;
    }
}

void end_by(CHAR16 how)
{
    end_by_instruction(how);
    end_by_firmware(how);
}
