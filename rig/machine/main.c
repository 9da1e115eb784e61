/* The virtual rig: boots \EFI\BOOT\BOOTX64.EFI from a host folder on processors with a performance
 * monitoring unit. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "firmware/firmware.h"
#include "firmware/text_screen.h"
#include "ideal_personality.h"
#include "machine.h"
#include "machine/engine/activity.h"
#include "machine/engine/fault.h"
#include "machine/engine/follow/profile.h"
#include "machine/engine/state.h"
#include "machine/engine/follow/trace.h"
#include "options.h"
#include "report.h"
#include "truth.h"

#define STATUS_DIED 1

struct files {
    FILE *truth, *screen, *trace, *serial_2, *profile, *processors, *fault_points;
};

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), tail = strlen(ending);

    return length > tail && strcmp(name + length - tail, ending) == 0;
}

static bool is_picture(const char *name)
{
    return ends_in(name, ".ppm") || ends_in(name, ".svg");
}

/* The screen as the run left it. */
static void report_screen(const struct machine *machine, const char *name, FILE *out)
{
    if (ends_in(name, ".ppm"))
        report_picture(machine, out);
    else if (ends_in(name, ".svg"))
        text_screen_picture(firmware_screen(machine->firmware), out);
    else
        text_screen_write(firmware_screen(machine->firmware), out);
}

static bool build(struct machine *machine, struct options *options,
                  const struct personality *personality, const struct files *files)
{
    bool text = files->screen != NULL && !is_picture(options->screen);
    const struct hardware hardware = {
        .personality = personality,
        .cores = (unsigned)options->cores,
        .threads = options->smt ? 2 : 1,
        .sockets = (unsigned)options->sockets,
        .far_percent = (unsigned)options->remote,
        .x2apic = options->x2apic,
        .tsc_deadline = options->apic_left == APIC_LEFT_DEADLINE,
        .cet = options->cet,
        .full = options->full,
        .at_length = options->at_length,
        .interrupt = options->interrupt,
        .delay = {(uint32_t)options->pmi_cycles, (uint32_t)options->pmi_spread},
        .memory_mib = (unsigned)options->memory,
        .seconds = (unsigned)options->seconds,
        .devices = {stdout, files->serial_2, options->faults.serial, options->line,
                    &options->faults.points},
        .faults = &options->faults};
    const struct firmware_options firmware = {.esp = options->esp,
                                              .arguments = options->arguments,
                                              .keys = options->keys,
                                              .keys_before = options->keys_before,
                                              .text_mode_unset = options->text_mode_unset,
                                              .scrolled = text ? files->screen : NULL,
                                              .console_row_us = options->console_row_us,
                                              .stick_flush_us = options->stick_flush_us,
                                              .sockets = (unsigned)options->sockets,
                                              .far_percent = (unsigned)options->remote,
                                              .lies = options->lies,
                                              .cet = options->cet,
                                              .apic = options->apic_left,
                                              .mp = options->mp,
                                              .full = options->full,
                                              .low_used = options->low_used,
                                              .special = options->special,
                                              .points = &options->faults.points,
                                              .stick = options->faults.stick,
                                              .stick_room = options->faults.stick_room << 10,
                                              .stick_largest = options->faults.stick_largest << 10,
                                              .line = options->line};
    char why[512] = "";
    const char *found = NULL;

    if (machine_new(machine, &hardware, why, sizeof(why)))
        found = found_apply(&options->found, machine);
    if (found == NULL && why[0] == '\0' && !found_note(&options->found, machine))
        found = "not enough memory on the host";
    if (found != NULL)
        snprintf(why, sizeof(why), "%s", found);
    else if (why[0] == '\0')
        machine->firmware = firmware_new(machine, &firmware, why, sizeof(why));
    if (machine->firmware == NULL) {
        fprintf(stderr, "rig: %s\n", why);
        return false;
    }
    firmware_entries(machine->firmware, &machine->entries, &machine->entries_end);
    return true;
}

static int run(struct options *options, const struct personality *personality,
               const struct files *files)
{
    static struct machine machine;
    struct timespec begun;
    int status = STATUS_USAGE;

    clock_gettime(CLOCK_MONOTONIC, &begun);
    if (build(&machine, options, personality, files)) {
        if (files->truth != NULL)
            machine.truth = truth_new(files->truth);
        if (files->trace != NULL)
            machine.trace = trace_new(files->trace, options->trace_core, options->trace_window,
                                      options->trace_last);
        if (files->profile != NULL)
            machine.profile = profile_new(files->profile, machine.cores);
        machine_run(&machine);
        devices_end(&machine.devices);
        status = machine.status;
        if (status)
            fprintf(stderr, "rig: %s\n", machine.message);
        if (options->stats)
            report_speed(&machine, &begun);
        report_unknown_events(&machine);
        firmware_lacking(machine.firmware, stderr);
        found_report(&options->found, &machine, stderr);
        devices_report(&machine.devices, stderr);
        if (files->fault_points != NULL)
            report_points(&machine, files->fault_points);
        if (report_beyond(&machine, stderr) && status != STATUS_DIED)
            status = STATUS_USAGE;
        if (files->processors != NULL)
            activity_write(&machine, files->processors);
        if (files->screen != NULL)
            report_screen(&machine, options->screen, files->screen);
        truth_free(machine.truth);
        trace_free(machine.trace);
        profile_free(machine.profile);
    }
    found_free(&options->found);
    firmware_free(machine.firmware);
    machine_free(&machine);
    return status;
}

static FILE *create(const char *name, bool *failed)
{
    FILE *file = name != NULL ? fopen(name, "w") : NULL;

    if (name != NULL && file == NULL) {
        fprintf(stderr, "rig: %s cannot be written: %s\n", name, strerror(errno));
        *failed = true;
    }
    return file;
}

static bool closed(FILE *file, const char *name)
{
    bool bad = file != NULL && ((ferror(file) != 0) | (fclose(file) != 0));

    if (bad)
        fprintf(stderr, "rig: %s was not written completely\n", name);
    return !bad;
}

int main(int count, char **words)
{
    struct options options;
    const struct personality *personality;
    struct ideal_personality ideal;
    struct files files;
    bool failed = false;
    int status;

    if (!options_read(&options, count, words, &status))
        return status;
    personality = fault_personality(&options.faults, options.personality);
    files =
        (struct files){create(options.truth, &failed),       create(options.screen, &failed),
                       create(options.trace, &failed),       create(options.serial_2, &failed),
                       create(options.profile, &failed),     create(options.processors, &failed),
                       create(options.fault_points, &failed)};
    if (failed || personality == NULL)
        return STATUS_USAGE;
    status = run(&options, ideal_personality(&ideal, personality, options.ideals), &files);
    fault_personality_free(personality, options.personality);
    failed = !closed(files.truth, options.truth) | !closed(files.screen, options.screen) |
             !closed(files.processors, options.processors) |
             !closed(files.profile, options.profile) | !closed(files.trace, options.trace) |
             !closed(files.serial_2, options.serial_2) |
             !closed(files.fault_points, options.fault_points) | !closed(stdout, "the serial line");
    return failed && !status ? STATUS_DIED : status;
}
