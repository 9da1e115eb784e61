#include "mp_services.h"

#include "firmware.h"

/* Platform Initialization specification, volume 2, "MP Services Protocol". gnu-efi lacks it. */
#define MP_SERVICES_GUID                                                                           \
    {                                                                                              \
        0x3fdda605, 0xa76e, 0x4f46,                                                                \
        {                                                                                          \
            0xad, 0x29, 0x12, 0xf4, 0x53, 0x1b, 0x3d, 0x08                                         \
        }                                                                                          \
    }

#define IS_BOOT_PROCESSOR 1u
#define IS_ENABLED        2u

struct mp_information {
    UINT64 apic_id;
    UINT32 flags, package, core, thread;
    UINT32 extended[6]; /* of later versions */
};

struct mp_services {
    EFI_STATUS(EFIAPI *number_of_processors)
    (struct mp_services *services, UINTN *all, UINTN *enabled);
    EFI_STATUS(EFIAPI *processor_info)
    (struct mp_services *services, UINTN number, struct mp_information *information);
    void *startup_all, *startup_this, *switch_bsp;
    EFI_STATUS(EFIAPI *enable_disable)
    (struct mp_services *services, UINTN number, BOOLEAN enable, UINT32 *health);
};

/* Null: there are none. Between firmware_enter and firmware_leave. */
static struct mp_services *find(void)
{
    EFI_GUID guid = MP_SERVICES_GUID;
    void *services = NULL;

    if (EFI_ERROR(firmware()->boot->LocateProtocol(&guid, NULL, &services)))
        return NULL;
    return services;
}

bool mp_services_there(void)
{
    bool there;

    firmware_enter();
    there = find() != NULL;
    firmware_leave();
    return there;
}

/* EDK2 sends INIT and SIPI to a processor that is enabled (UefiCpuPkg/Library/MpInitLib,
 * ResetProcessorToIdleState), however it wakes processors else. The specification lets only one
 * that is disabled be enabled. */
static EFI_STATUS give_back(struct mp_services *services, UINTN number)
{
    EFI_STATUS status = services->enable_disable(services, number, FALSE, NULL);

    if (!EFI_ERROR(status))
        status = services->enable_disable(services, number, TRUE, NULL);
    return status;
}

enum rc mp_services_give_back(bool (*taken)(uint64_t apic_id))
{
    struct mp_services *services;
    struct mp_information information;
    UINTN count = 0, enabled;
    enum rc rc = RC_ABSENT;

    firmware_enter();
    services = find();
    if (services != NULL)
        rc = EFI_ERROR(services->number_of_processors(services, &count, &enabled)) ? RC_FIRMWARE
                                                                                   : RC_OK;
    for (UINTN i = 0; rc == RC_OK && i < count; i++) {
        if (EFI_ERROR(services->processor_info(services, i, &information)))
            rc = RC_FIRMWARE;
        else if (information.flags & IS_ENABLED && !(information.flags & IS_BOOT_PROCESSOR) &&
                 taken(information.apic_id) && EFI_ERROR(give_back(services, i)))
            rc = RC_FIRMWARE;
    }
    firmware_leave();
    return rc;
}
