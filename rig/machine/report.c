#include "report.h"

#include <inttypes.h>
#include <stdint.h>
#include <sys/resource.h>

#include "device/platform.h"
#include "firmware/firmware.h"
#include "machine/engine/state.h"
#include "pmu/pmu.h"

#define COUNTERS_LEAF 10 /* of CPUID */
#define IA32_MCG_CAP  0x179u

void report_picture(const struct machine *machine, FILE *out)
{
    const uint8_t *pixel = machine->memory.framebuffer;

    fprintf(out, "P6\n%u %u\n255\n", FRAMEBUFFER_WIDTH, FRAMEBUFFER_HEIGHT);
    for (size_t i = 0; i < FRAMEBUFFER_BYTES; i += 4) {
        fputc(pixel[i + 2], out);
        fputc(pixel[i + 1], out);
        fputc(pixel[i], out);
    }
}

void report_speed(const struct machine *machine, const struct timespec *begun)
{
    uint64_t instructions = 0, skipped = 0, cycles = 0;
    struct timespec now;
    struct rusage used;
    double seconds;

    clock_gettime(CLOCK_MONOTONIC, &now);
    seconds = (double)(now.tv_sec - begun->tv_sec) + 1e-9 * (double)(now.tv_nsec - begun->tv_nsec);
    for (unsigned i = 0; i < machine->cores; i++) {
        instructions += machine->core[i].accounted;
        skipped += model_skipped(machine->core[i].model);
        cycles = core_now(&machine->core[i]) > cycles ? core_now(&machine->core[i]) : cycles;
    }
    fprintf(stderr,
            "rig: %.1f million instructions, %.1f million cycles, %.2f s, %.2f million "
            "instructions a second\n",
            1e-6 * (double)instructions, 1e-6 * (double)cycles, seconds,
            1e-6 * (double)instructions / seconds);
    fprintf(stderr, "rig: %.1f million of them in periods that were skipped\n",
            1e-6 * (double)skipped);
    if (getrusage(RUSAGE_SELF, &used) == 0)
        fprintf(stderr, "rig: at most %.0f MiB of memory\n", (double)used.ru_maxrss / 1024);
}

void report_unknown_events(const struct machine *machine)
{
    for (unsigned i = 0; i < machine->cores; i++) {
        unsigned others = 0;

        for (unsigned k = i + 1; k < machine->cores; k++)
            others += pmu_gather_unknown(machine->core[i].pmu, machine->core[k].pmu);
        pmu_report_unknown(machine->core[i].pmu, others, stderr);
    }
}

/* A counter tells only at the end whether it ran while something was wrong with it. */
static void settle_counters(const struct machine *machine)
{
    struct points *points = &machine->faults->points;

    for (unsigned i = 0; i < points->count * machine->cores; i++) {
        struct fault_request *request = &points->request[i / machine->cores];
        const struct core *core = &machine->core[i % machine->cores];
        const bool fixed = request->row->act == ACT_FIXED;
        uint64_t window;
        bool changed;

        if ((fixed || request->row->act == ACT_COUNTER) &&
            pmu_counter_ill(core->pmu, fixed, request->number, &window, &changed))
            fault_happened(request, changed, core->index, window, "%s counter %u",
                           fixed ? "fixed" : "general", request->number);
    }
}

void report_points(const struct machine *machine, FILE *out)
{
    const struct cpuid_result counters = pmu_cpuid(machine->core[0].pmu, COUNTERS_LEAF, 0, 0);
    uint64_t banks = 0;

    pmu_rdmsr(machine->core[0].pmu, IA32_MCG_CAP, &banks);
    settle_counters(machine);
    points_write(&machine->faults->points, out);
    firmware_points(machine->firmware, out);
    points_write_class(out, "", "counter", counters.eax >> 8 & 0xff);
    points_write_class(out, "", "fixed", counters.edx & 0x1f);
    points_write_class(out, "", "bank", banks & 0xff);
    for (unsigned i = 0; i < machine->cores; i++)
        fprintf(out, "{\"class\":\"core-window\",\"core\":%u,\"count\":%" PRIu64 "}\n", i,
                machine->core[i].window);
}

bool report_beyond(const struct machine *machine, FILE *out)
{
    uint64_t windows[FAULT_PROCESSORS] = {0};
    bool any;

    for (unsigned i = 0; i < machine->cores; i++)
        windows[i] = machine->core[i].window;
    any = points_report_beyond(&machine->faults->points, firmware_calls(machine->firmware), windows,
                               out);
    return fault_report_beyond(machine->faults, windows, machine->cores, out) || any;
}
