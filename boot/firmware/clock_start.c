#include "clock_start.h"

#include "boot/clock.h"
#include "boot/cpu.h"
#include "boot/log.h"
#include "boot/msr.h"
#include "firmware.h"

#define PM_TIMER_HZ  3579545u /* ACPI specification, "Power Management Timer" */
#define TSC_LEAST_HZ 1000000u
#define WAIT_US      20000
#define TRIES        8
/* Of clock_check. */
#define STIR_US         10
#define SMALL_US        5000
#define BETWEEN_MOST_US 200000000

struct moment {
    uint64_t tsc;
    uint32_t timer;
};

static struct {
    struct acpi_timer timer; /* port 0: there is none that runs */
    struct moment last;
} self;

/* SDM 2A, CPUID leaf 15H: TSC = crystal (ECX) x EBX / EAX. 0: not enumerated. */
static uint64_t hz_by_cpuid(void)
{
    struct cpuid leaf;

    if (cpuid_read(0, 0).eax < 0x15)
        return 0;
    leaf = cpuid_read(0x15, 0);
    return leaf.eax && leaf.ebx && leaf.ecx ? (uint64_t)leaf.ecx * leaf.ebx / leaf.eax : 0;
}

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

/* How far the TSC went more, or less, than the timer did, in microseconds. The timer wraps: it
 * tells the time but for a multiple of its period. */
static int64_t difference(int64_t tsc_us, uint32_t ticks, bool wide)
{
    const int64_t period = (int64_t)(((wide ? 1ull << 32 : 1ull << 24) * 1000000) / PM_TIMER_HZ);
    const int64_t timer_us =
        (int64_t)((uint64_t)(wide ? ticks : ticks & 0xffffff) * 1000000 / PM_TIMER_HZ);
    int64_t off = (tsc_us - timer_us) % period;

    if (off > period / 2)
        off -= period;
    return off < -period / 2 ? off + period : off;
}

void clock_check(void)
{
    struct moment now;
    int64_t tsc_us, off;

    if (self.timer.port == 0)
        return;
    now = moment_of(&self.timer);
    tsc_us = (int64_t)(now.tsc - self.last.tsc) / (int64_t)clock_ticks_per_us();
    off = difference(tsc_us, now.timer - self.last.timer, self.timer.wide);
    self.last = now;
    if (tsc_us >= 0 && tsc_us < BETWEEN_MOST_US &&
        (off < 0 ? -off : off) <= SMALL_US + tsc_us / 100)
        return;
    if (clock_trouble() == NULL)
        log_error("the boot processor's time stamp counter was written, or nobody looked for 200 s",
                  "core 0, IA32_TIME_STAMP_COUNTER", "a time that the ACPI PM timer agrees with");
    clock_set_trouble("the boot processor's time stamp counter was written, or not watched");
}

/* The timer runs: clock_check can use it. */
static void watch(const struct acpi_timer *timer)
{
    const struct moment from = moment_of(timer);

    firmware_wait(STIR_US);
    self.last = moment_of(timer);
    if (self.last.timer != from.timer)
        self.timer = *timer;
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
    if (hz < TSC_LEAST_HZ) {
        log_error("the time stamp counter stands, or is slower than 1 MHz",
                  "core 0, IA32_TIME_STAMP_COUNTER", "a rate that times can follow from");
        clock_set(1, NULL);
        clock_set_trouble("no rate of the time stamp counter was found");
        return;
    }
    clock_set((hz + TSC_LEAST_HZ / 2) / TSC_LEAST_HZ, source);
    if (timer != NULL)
        watch(timer);
}
