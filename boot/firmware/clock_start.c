#include "clock_start.h"

#include "boot/clock.h"
#include "boot/cpu.h"
#include "boot/msr.h"
#include "firmware.h"

#define PM_TIMER_HZ 3579545u /* ACPI specification, "Power Management Timer" */
#define WAIT_US     20000
#define TRIES       8

/* SDM 2A, CPUID leaf 15H: TSC = crystal (ECX) x EBX / EAX. 0: not enumerated. */
static uint64_t hz_by_cpuid(void)
{
    struct cpuid leaf;

    if (cpuid_read(0, 0).eax < 0x15)
        return 0;
    leaf = cpuid_read(0x15, 0);
    return leaf.eax && leaf.ebx && leaf.ecx ? (uint64_t)leaf.ecx * leaf.ebx / leaf.eax : 0;
}

struct moment {
    uint64_t tsc;
    uint32_t timer;
};

/* Reads TSC and timer at the same moment: the fastest of a few readings, so that an SMI between the
 * two reads does not count. */
static struct moment moment_of(const struct acpi_timer *timer)
{
    struct moment best = {0, 0};
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < TRIES; i++) {
        uint64_t before = clock_now();
        uint32_t value = port_in32(timer->port);
        uint64_t after = clock_now();

        if (after - before < least) {
            least = after - before;
            best = (struct moment){before + least / 2, value};
        }
    }
    return best;
}

/* Stall only lets time pass; the timer says how much. 0: the timer does not run. */
static uint64_t hz_by_timer(const struct acpi_timer *timer)
{
    struct moment from = moment_of(timer), to;
    uint32_t ticks;

    firmware_wait(WAIT_US);
    to = moment_of(timer);
    ticks = to.timer - from.timer;
    if (!timer->wide)
        ticks &= 0xffffff;
    /* The timer says less than a quarter of the wait, or over 1 s. */
    if (ticks < PM_TIMER_HZ / 1000000 * WAIT_US / 4 || ticks > PM_TIMER_HZ)
        return 0;
    return (to.tsc - from.tsc) * PM_TIMER_HZ / ticks;
}

static uint64_t hz_by_stall(void)
{
    uint64_t from = clock_now();

    firmware_wait(WAIT_US);
    return (clock_now() - from) * (1000000 / WAIT_US);
}

void clock_start(const struct acpi_timer *timer)
{
    uint64_t hz = hz_by_cpuid();
    const char *source = "CPUID 15H";

    if (!hz && timer != NULL) {
        hz = hz_by_timer(timer);
        source = "ACPI PM timer";
    }
    if (!hz) {
        hz = hz_by_stall();
        source = "firmware Stall";
    }
    clock_set(hz < 1000000 ? 1 : (hz + 500000) / 1000000, source);
}
