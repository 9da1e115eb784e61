/* The virtual rig: boots \EFI\BOOT\BOOTX64.EFI from a host folder on processors with a performance
 * monitoring unit. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "firmware/firmware.h"
#include "machine.h"
#include "pmu/personality.h"
#include "pmu/parameters.h"
#include "trace.h"
#include "truth.h"

#define MOST_PROCESSORS 256u
#define MEMORY_DEFAULT  512u
#define MEMORY_LEAST    32u
#define MEMORY_MOST     3072u
#define SECONDS_DEFAULT 600u
#define ENDED           0
#define DIED            1
#define USAGE           2

struct options {
    const char *cpu, *esp, *arguments, *truth, *screen, *trace, *trace_window, *serial_2, *keys;
    const char *fault; /* the last one; all of them are in `faults` */
    struct faults faults;
    unsigned trace_core;
    uint64_t trace_number;
    unsigned long cores, seconds, memory;
    bool smt, list, lengthy, stats;
};

static int usage(const char *what, const char *value)
{
    fprintf(stderr,
            "rig: %s%s%s; usage: rig --cpu NAME --cores N [--smt] --esp DIR [--args \"key=value "
            "...\"] [--truth FILE] "
            "[--screen FILE] [--trace FILE [--trace-window CORE:N]] [--fault WHAT]... [--serial2 "
            "FILE] [--keys TEXT] [--stats] [--seconds N] [--memory MiB] | --list [--long]\n",
            what, value != NULL ? " " : "", value != NULL ? value : "");
    return USAGE;
}

static bool number(const char *text, unsigned long least, unsigned long most, unsigned long *value)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    errno = 0;
    *value = strtoul(text, &end, 10);
    return !errno && !*end && *value >= least && *value <= most;
}

static int parse(int count, char **words, struct options *options)
{
    struct {
        const char *name;
        const char **text;
        unsigned long *value, least, most;
        bool *flag;
    } known[] = {
        {"--cpu", &options->cpu, NULL, 0, 0, NULL},
        {"--esp", &options->esp, NULL, 0, 0, NULL},
        {"--args", &options->arguments, NULL, 0, 0, NULL},
        {"--truth", &options->truth, NULL, 0, 0, NULL},
        {"--screen", &options->screen, NULL, 0, 0, NULL},
        {"--trace", &options->trace, NULL, 0, 0, NULL},
        {"--trace-window", &options->trace_window, NULL, 0, 0, NULL},
        {"--serial2", &options->serial_2, NULL, 0, 0, NULL},
        {"--keys", &options->keys, NULL, 0, 0, NULL},
        {"--fault", &options->fault, NULL, 0, 0, NULL},
        {"--cores", NULL, &options->cores, 1, MOST_PROCESSORS, NULL},
        {"--seconds", NULL, &options->seconds, 1, 1000000, NULL},
        {"--memory", NULL, &options->memory, MEMORY_LEAST, MEMORY_MOST, NULL},
        {"--smt", NULL, NULL, 0, 0, &options->smt},
        {"--stats", NULL, NULL, 0, 0, &options->stats},
        {"--list", NULL, NULL, 0, 0, &options->list},
        {"--long", NULL, NULL, 0, 0, &options->lengthy},
    };

    for (int i = 1; i < count; i++) {
        size_t k = 0;

        while (k < sizeof(known) / sizeof(*known) && strcmp(words[i], known[k].name))
            k++;
        if (k == sizeof(known) / sizeof(*known))
            return usage("unknown option", words[i]);
        if (known[k].flag != NULL) {
            *known[k].flag = true;
            continue;
        }
        if (++i == count)
            return usage("a value is missing after", known[k].name);
        if (known[k].text != NULL)
            *known[k].text = words[i];
        else if (!number(words[i], known[k].least, known[k].most, known[k].value))
            return usage("impossible value for", known[k].name);
        if (known[k].text == &options->fault && !fault_parse(&options->faults, options->fault))
            return usage("impossible fault", options->fault);
    }
    if (options->trace_window != NULL &&
        (options->trace == NULL ||
         !trace_parse(options->trace_window, &options->trace_core, &options->trace_number)))
        return usage("impossible value for", "--trace-window");
    return ENDED;
}

static void list_short(const struct personality *personality)
{
    printf("%-16s %s\n", personality->name, personality->title);
}

static void list_long(const struct personality *personality)
{
    printf("%-16s %s\n    omitted: %s\n", personality->name, personality->title,
           personality->omitted);
    for (size_t i = 0; i < personality->pmu->uncounted_count; i++)
        printf("%s%s", i ? " " : "    events of the tree that count nothing: ",
               personality->pmu->uncounted[i].name);
    if (personality->pmu->uncounted_count)
        putchar('\n');
    if (personality->small != NULL)
        list_long(personality->small);
}

/* One line for all cores that are alike. */
static void report_unknown(const struct machine *machine)
{
    for (unsigned i = 0; i < machine->cores; i++) {
        unsigned others = 0;

        for (unsigned k = i + 1; k < machine->cores; k++)
            others += pmu_gather_unknown(machine->core[i].pmu, machine->core[k].pmu);
        pmu_report_unknown(machine->core[i].pmu, others, stderr);
    }
}

static bool is_picture(const char *name)
{
    size_t length = strlen(name);

    return length > 4 && strcmp(name + length - 4, ".ppm") == 0;
}

/* The frame buffer as a portable pixmap. */
static void write_picture(const struct machine *machine, FILE *out)
{
    const uint8_t *pixel = machine->memory.framebuffer;

    fprintf(out, "P6\n%u %u\n255\n", FRAMEBUFFER_WIDTH, FRAMEBUFFER_HEIGHT);
    for (size_t i = 0; i < FRAMEBUFFER_BYTES; i += 4) {
        fputc(pixel[i + 2], out);
        fputc(pixel[i + 1], out);
        fputc(pixel[i], out);
    }
}

/* Host seconds and simulated instructions: on standard error, because they differ from run to run.
 */
static void write_stats(const struct machine *machine, const struct timespec *begun)
{
    uint64_t instructions = 0, cycles = 0;
    struct timespec now;
    struct rusage used;
    double seconds;

    clock_gettime(CLOCK_MONOTONIC, &now);
    seconds = (double)(now.tv_sec - begun->tv_sec) + 1e-9 * (double)(now.tv_nsec - begun->tv_nsec);
    for (unsigned i = 0; i < machine->cores; i++) {
        instructions += machine->core[i].accounted;
        cycles = core_now(&machine->core[i]) > cycles ? core_now(&machine->core[i]) : cycles;
    }
    fprintf(stderr,
            "rig: %.1f million instructions, %.1f million cycles, %.2f s, %.2f million "
            "instructions a second\n",
            1e-6 * (double)instructions, 1e-6 * (double)cycles, seconds,
            1e-6 * (double)instructions / seconds);
    if (getrusage(RUSAGE_SELF, &used) == 0)
        fprintf(stderr, "rig: at most %.0f MiB of memory\n", (double)used.ru_maxrss / 1024);
}

struct files {
    FILE *truth, *screen, *trace, *serial_2;
};

static int run(const struct options *options, const struct personality *personality,
               const struct files *files)
{
    FILE *screen = files->screen;
    static struct machine machine;
    char why[512] = "";
    bool text = screen != NULL && !is_picture(options->screen);
    struct machine_options about = {.personality = personality,
                                    .cores = (unsigned)options->cores,
                                    .threads = options->smt ? 2 : 1,
                                    .memory_mib = (unsigned)options->memory,
                                    .seconds = (unsigned)options->seconds,
                                    .serial = stdout,
                                    .serial_2 = files->serial_2,
                                    .faults = &options->faults};
    struct firmware_options firmware = {options->esp, options->arguments, options->keys,
                                        text ? screen : NULL};
    int status = USAGE;
    struct timespec begun;

    clock_gettime(CLOCK_MONOTONIC, &begun);
    if (!machine_new(&machine, &about, why, sizeof(why)) ||
        !firmware_new(&machine, &firmware, why, sizeof(why))) {
        fprintf(stderr, "rig: %s\n", why);
    } else {
        machine.truth = files->truth != NULL ? truth_new(files->truth) : NULL;
        machine.trace = files->trace != NULL
                            ? trace_new(files->trace, options->trace_core, options->trace_number)
                            : NULL;
        machine_run(&machine);
        status = machine.exit_by_port ? machine.status : machine.status ? DIED : ENDED;
        if (status)
            fprintf(stderr, "rig: %s\n", machine.message);
        if (options->stats)
            write_stats(&machine, &begun);
        report_unknown(&machine);
        if (screen != NULL && !text)
            write_picture(&machine, screen);
        truth_free(machine.truth);
        trace_free(machine.trace);
    }
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
    struct options options = {
        .seconds = SECONDS_DEFAULT, .memory = MEMORY_DEFAULT, .trace_number = 1};
    const struct personality *personality, *played;
    struct files files;
    const char *problem;
    bool failed = false;
    int status = parse(count, words, &options);

    if (status)
        return status;
    if (options.list) {
        personality_list(options.lengthy ? list_long : list_short);
        return ENDED;
    }
    if (options.cpu == NULL || options.esp == NULL || !options.cores)
        return usage("--cpu, --cores and --esp are needed", NULL);
    personality = personality_find(options.cpu);
    if (personality == NULL)
        return usage("unknown personality", options.cpu);
    if (options.smt && options.cores > MOST_PROCESSORS / 2)
        return usage("impossible value for", "--cores");
    problem =
        fault_check(&options.faults, personality, (unsigned)options.cores * (options.smt ? 2 : 1));
    if (problem != NULL)
        return usage(problem, NULL);
    played = fault_personality(&options.faults, personality);
    files = (struct files){create(options.truth, &failed), create(options.screen, &failed),
                           create(options.trace, &failed), create(options.serial_2, &failed)};
    if (failed || played == NULL)
        return USAGE;
    status = run(&options, played, &files);
    fault_personality_free(played, personality);
    failed = !closed(files.truth, options.truth) | !closed(files.screen, options.screen) |
             !closed(files.trace, options.trace) | !closed(files.serial_2, options.serial_2) |
             !closed(stdout, "the serial line");
    return failed && !status ? DIED : status;
}
