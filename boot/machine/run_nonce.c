#include "run_nonce.h"

#include "boot/clock.h"
#include "boot/cpu.h"
#include "boot/msr.h"
#include "boot/nonce.h"
#include "boot/text.h"
#include "boot/firmware/firmware.h"

#define RDRAND_TRIES 10 /* SDM 1, "RDRAND Instruction": failing more often in a row is a defect */

static bool read_random(uint64_t *value)
{
    if (!(cpuid_read(1, 0).ecx & CPUID_1_ECX_RDRAND))
        return false;
    for (int i = 0; i < RDRAND_TRIES; i++)
        if (rdrand(value))
            return true;
    return false;
}

static bool read_time(EFI_TIME *time)
{
    EFI_STATUS status;

    firmware_enter();
    status = firmware()->runtime->GetTime(time, NULL);
    firmware_leave();
    return !EFI_ERROR(status);
}

uint64_t run_nonce(const char *arguments)
{
    uint64_t nonce = nonce_mix(0, arguments, strlen(arguments)), value;
    EFI_TIME time;

    if (read_random(&value))
        nonce = nonce_mix(nonce, &value, sizeof(value));
    memset(&time, 0, sizeof(time));
    if (read_time(&time))
        nonce = nonce_mix(nonce, &time, sizeof(time));
    value = clock_now(); /* the calls took a time of their own */
    return nonce_mix(nonce, &value, sizeof(value));
}
