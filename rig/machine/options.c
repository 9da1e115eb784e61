#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ideal.h"
#include "firmware/acpi/acpi_lie.h"
#include "machine/engine/follow/trace.h"
#include "pmu/parameters.h"
#include "pmu/personality.h"
#include "record/recorded.h"

#define MOST_PROCESSORS 512u
#define MEMORY_DEFAULT  512u
#define SECONDS_DEFAULT 600u
#define REMOTE_DEFAULT  200u

enum kind { FLAG, TEXT, NUMBER, WINDOW, FAULT, FOUND, LIE, IDEAL, INTERRUPT };

/* clang-format off */
static const struct known {
    const char *name;
    enum kind kind;
    size_t place; /* in struct options; not of WINDOW and what follows it */
    unsigned long least, most;
    const char *value; /* what the option takes, for --help */
    const char *help;
} known[] = {
    {"cpu", TEXT, offsetof(struct options, cpu), 0, 0, "NAME", "the processor, one of those that --list prints"},
    {"cpuid", TEXT, offsetof(struct options, cpuid), 0, 0, "FILE[:MACHINE]", "recorded CPUID, on the pipeline of --cpu or of the nearest"},
    {"cores", NUMBER, offsetof(struct options, cores), 1, MOST_PROCESSORS, "N", "physical cores"},
    {"smt", FLAG, offsetof(struct options, smt), 0, 0, NULL, "two threads on each core"},
    {"sockets", NUMBER, offsetof(struct options, sockets), 1, 8, "N", "packages, each with an equal part of the cores and of the memory"},
    {"remote", NUMBER, offsetof(struct options, remote), 100, 1000, "N", "percent: another package's memory, of near memory's; 200 when not given"},
    {"x2apic", FLAG, offsetof(struct options, x2apic), 0, 0, NULL, "hand over with the local APICs in x2APIC mode (always with ids above 254)"},
    {"apic", TEXT, offsetof(struct options, apic), 0, 0, "STATE", "how the first one was left: usual, off (by software), deadline (its timer)"},
    {"mp-services", TEXT, offsetof(struct options, mp_services), 0, 0, "WAY", "the firmware has MP services, and wakes processors by: init, memory"},
    {"cet", FLAG, offsetof(struct options, cet), 0, 0, NULL, "hand over with shadow stacks and indirect branch tracking on"},
    {"low-used", FLAG, offsetof(struct options, low_used), 0, 0, NULL, "no page below 640 KiB is free: all are the firmware's"},
    {"special-memory", FLAG, offsetof(struct options, special), 0, 0, NULL, "half of memory is special-purpose (EFI_MEMORY_SP), not to be touched"},
    {"at-length", FLAG, offsetof(struct options, at_length), 0, 0, NULL, "every cycle is made anew: the same numbers but for PEBS, more slowly"},
    {"full", FLAG, offsetof(struct options, full), 0, 0, NULL, "no time is estimated: every instruction goes through the pipeline"},
    {"memory", NUMBER, offsetof(struct options, memory), 32, 3072, "MIB", "guest memory; 512 when not given"},
    {"esp", TEXT, offsetof(struct options, esp), 0, 0, "FOLDER", "the stick: a folder with EFI/BOOT/BOOTX64.EFI"},
    {"args", TEXT, offsetof(struct options, arguments), 0, 0, "\"KEY=VALUE ...\"", "load options of the image"},
    {"keys", TEXT, offsetof(struct options, keys), 0, 0, "TEXT", "keys pressed in turn, each as soon as the image asks, once it found none"},
    {"keys-before", TEXT, offsetof(struct options, keys_before), 0, 0, "TEXT", "keys that were pressed before the image was started"},
    {"text-mode-unset", FLAG, offsetof(struct options, text_mode_unset), 0, 0, NULL, "the text console has no mode until SetMode gives it one"},
    {"serial", TEXT, offsetof(struct options, serial), 0, 0, "PLACE", "the first line: com1-4, mmio8/16/32, pci, pci-memory, lpss-100/120, none"},
    {"serial-table", TEXT, offsetof(struct options, serial_table), 0, 0, "TABLE", "what names it: spcr, dbg2, none; a wrong SPCR: lost, memory, edge"},
    {"serial-state", TEXT, offsetof(struct options, serial_state), 0, 0, "STATE", "how it was left: usual, used, asleep, unassigned, high, unmapped"},
    {"pci", TEXT, offsetof(struct options, pci), 0, 0, "LAYOUT", "how its function is reached: ports, ecam, ecam-high, root, segment"},
    {"serial-unwired", FLAG, offsetof(struct options, serial_unwired), 0, 0, NULL, "nobody asserts the first line's modem inputs"},
    {"serial-paced", FLAG, offsetof(struct options, serial_paced), 0, 0, NULL, "characters leave at the line's rate; at once when not given"},
    {"serial2", TEXT, offsetof(struct options, serial_2), 0, 0, "FILE", "what is sent on COM2"},
    {"screen", TEXT, offsetof(struct options, screen), 0, 0, "FILE", "the console's text; FILE.svg: a picture; FILE.ppm: the frame buffer's"},
    {"console-row-us", NUMBER, offsetof(struct options, console_row_us), 0, 1000000, "N", "microseconds that scrolling by a row takes the console; 0 when not given"},
    {"stick-flush-us", NUMBER, offsetof(struct options, stick_flush_us), 0, 1000000, "N", "microseconds that each flush of a file takes; 0 when not given"},
    {"truth", TEXT, offsetof(struct options, truth), 0, 0, "FILE", "what happened in each counting window, a JSON line each"},
    {"profile", TEXT, offsetof(struct options, profile), 0, 0, "FILE", "each window's cycles and executions by address, and each PMI"},
    {"trace", TEXT, offsetof(struct options, trace), 0, 0, "FILE", "the instructions of counting windows"},
    {"trace-window", WINDOW, 0, 0, 0, "CORE:N-M", "windows N to M, from 1; CORE:N is window N alone; 0:1 when not given"},
    {"processors", TEXT, offsetof(struct options, processors), 0, 0, "FILE", "where each processor stands at the end, and how long it was where"},
    {"ideal", IDEAL, 0, 0, 0, "WHAT,...", "cores without causes of lost slots, any of these:"},
    {"interrupt", INTERRUPT, 0, 0, 0, "WAY", "how a PMI is taken:"},
    {"pmi-cycles", NUMBER, offsetof(struct options, pmi_cycles), 1, 100000, "N", "core cycles from an overflow to its PMI; the processor's when not given"},
    {"pmi-spread", NUMBER, offsetof(struct options, pmi_spread), 0, 1000, "N", "so many more or fewer, each PMI another number; 0 when not given"},
    {"found", FOUND, 0, 0, 0, "MSR=VALUE", "what the firmware left in a register of every processor"},
    {"lie", LIE, 0, 0, 0, "WHAT", "what the ACPI tables say wrongly, any number of times:"},
    {"fault", FAULT, 0, 0, 0, "WHAT", "a fault on demand, any number of times:"},
    {"fault-points", TEXT, offsetof(struct options, fault_points), 0, 0, "FILE", "how many K each fault has in this run, and which faults happened"},
    {"seconds", NUMBER, offsetof(struct options, seconds), 1, 1000000, "N", "host time after which the run ends; 600 when not given"},
    {"stats", FLAG, offsetof(struct options, stats), 0, 0, NULL, "speed and memory, on standard error"},
    {"list", FLAG, offsetof(struct options, list), 0, 0, NULL, "print the processors and stop"},
    {"long", FLAG, offsetof(struct options, lengthy), 0, 0, NULL, "with --list: also what each of them leaves out"},
    {"help", FLAG, offsetof(struct options, help), 0, 0, NULL, "print this and stop"},
};

static const char *const lie_help[][2] = {
    {"madt:twice", "each processor again, as Local APIC and Local x2APIC"},
    {"madt:nobody", "behind the first processor one that nobody is"},
    {"srat:nobody", "the nodes of APIC ids that nobody has"},
    {"srat:no-memory", "the last package is a node without memory"},
    {"slit:short", "no distances of the last node"},
    {"slit:long", "distances of a node that there is not"},
    {"slit:cut", "a node more than the table has bytes for"},
    {"mcfg:memory", "PCI configuration space is where memory is"},
    {"mcfg:cut", "the last window of configuration space is not whole"},
};

static const char *const interrupt_help[][2] = {
    [INTERRUPT_OLDEST] = {"oldest", "behind the oldest instruction not retired; the default"},
    [INTERRUPT_EMPTY] = {"empty", "the same, but at once where the re-order buffer is empty"},
    [INTERRUPT_FLUSH] = {"flush", "at once: the oldest instruction not retired starts anew"},
};

static const char *const ideal_help[][2] = {
    {"memory", "accesses to data are L1 hits that nothing holds up"},
    {"branches", "every branch is predicted"},
    {"frontend", "uops are there when the queue has room"},
    {"clears", "no machine clears"},
    {"core", "latencies of one cycle, ports without end"},
};

/* clang-format on */

#define KNOWN (sizeof(known) / sizeof(*known))

static bool refuse(int *status)
{
    *status = STATUS_USAGE;
    return false;
}

/* What an option's WHAT may be, a line each. */
static void print_words(const char *const (*words)[2], size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf("%26s  %-15s%s\n", "", words[i][0], words[i][1]);
}

static void print_faults(void)
{
    size_t count;
    const struct fault_row *rows = fault_rows(&count);

    for (size_t i = 0; i < count; i++)
        printf("%26s  %-18s %s\n", "", rows[i].form, rows[i].help);
}

static void print_help(void)
{
    printf("usage: rig --cpu NAME --cores N --esp FOLDER [OPTION]...\n"
           "       rig --list [--long]\n\n"
           "Boots EFI/BOOT/BOOTX64.EFI of a folder on a virtual machine with a "
           "performance-monitoring\n"
           "unit. COM1 is standard output.\n\n");
    for (size_t i = 0; i < KNOWN; i++) {
        int used = printf("  --%s %s", known[i].name, known[i].value != NULL ? known[i].value : "");

        printf("%*s%s\n", used < 26 ? 26 - used : 1, "", known[i].help);
        if (known[i].kind == LIE)
            print_words(lie_help, sizeof(lie_help) / sizeof(*lie_help));
        if (known[i].kind == INTERRUPT)
            print_words(interrupt_help, sizeof(interrupt_help) / sizeof(*interrupt_help));
        if (known[i].kind == IDEAL)
            print_words(ideal_help, sizeof(ideal_help) / sizeof(*ideal_help));
        if (known[i].kind == FAULT)
            print_faults();
    }
    printf("\nThe status is 0 when the run ended in order, 1 when it did not, 2 when it could not "
           "begin,\n"
           "4 when the image said by an EFI_STATUS that its run failed,\n"
           "or what the image wrote to the debug exit port, as QEMU's isa-debug-exit gives it.\n");
}

static bool read_number(const struct known *option, const char *text, unsigned long *value)
{
    char *end = NULL;

    errno = 0;
    if (*text >= '0' && *text <= '9')
        *value = strtoul(text, &end, 10);
    if (end != NULL && !*end && !errno && *value >= option->least && *value <= option->most)
        return true;
    fprintf(stderr,
            "rig: impossible value for --%s: expected a number from %lu to %lu, not \"%s\"\n",
            option->name, option->least, option->most, text);
    return false;
}

static bool read_ideals(struct options *options, const char *text)
{
    const char *bad;
    size_t length;

    if (ideal_parse(text, &options->ideals, &bad, &length))
        return true;
    fprintf(stderr, "rig: impossible value for --ideal: unknown name \"%.*s\"; known are",
            (int)length, bad);
    for (unsigned i = 0; ideal_name(i) != NULL; i++)
        fprintf(stderr, "%s %s", i ? "," : "", ideal_name(i));
    fputc('\n', stderr);
    return false;
}

static bool read_interrupt(struct options *options, const char *text)
{
    const size_t count = sizeof(interrupt_help) / sizeof(*interrupt_help);

    for (size_t i = 0; i < count; i++) {
        if (strcmp(text, interrupt_help[i][0]) == 0) {
            options->interrupt = (enum interrupt_way)i;
            return true;
        }
    }
    fprintf(stderr, "rig: impossible value for --interrupt: unknown way \"%s\"; known are", text);
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, "%s %s", i ? "," : "", interrupt_help[i][0]);
    fputc('\n', stderr);
    return false;
}

static bool read_fault(struct options *options, const char *text)
{
    unsigned classes;

    if (fault_parse(&options->faults, text))
        return true;
    if (options->faults.points.count == FAULT_REQUESTS)
        fprintf(stderr, "rig: --fault %s: at most %u faults at places of the run are taken\n", text,
                FAULT_REQUESTS);
    else if (fault_class_is_known(text, &classes))
        fprintf(stderr,
                "rig: impossible value for --fault: expected one of those that rig --help lists, "
                "not \"%s\"\n",
                text);
    else
        fprintf(stderr,
                "rig: impossible value for --fault: unknown class in \"%s\"; rig --help lists the "
                "%u classes\n",
                text, classes);
    return false;
}

static bool read_option(struct options *options, const struct known *option, const char *text)
{
    void *place = (char *)options + option->place;

    switch (option->kind) {
    case FLAG:
        *(bool *)place = true;
        break;
    case TEXT:
        *(const char **)place = text;
        break;
    case NUMBER:
        return read_number(option, text, place);
    case WINDOW:
        if (trace_parse(text, &options->trace_core, &options->trace_window, &options->trace_last))
            break;
        fprintf(stderr,
                "rig: impossible value for --%s: expected CORE:N or CORE:N-M with N from 1, not "
                "\"%s\"\n",
                option->name, text);
        return false;
    case FAULT:
        return read_fault(options, text);
    case LIE:
        if (acpi_lie_parse(&options->lies, text))
            break;
        fprintf(stderr,
                "rig: impossible value for --%s: expected one of those that rig --help lists, not "
                "\"%s\"\n",
                option->name, text);
        return false;
    case IDEAL:
        return read_ideals(options, text);
    case INTERRUPT:
        return read_interrupt(options, text);
    case FOUND:
        if (found_parse(&options->found, text))
            break;
        fprintf(stderr,
                "rig: impossible value for --%s: expected MSR=VALUE, at most %u of them, not "
                "\"%s\"\n",
                option->name, FOUND_REGISTERS, text);
        return false;
    }
    return true;
}

/* Reads all words; `window` tells whether --trace-window is among them. getopt_long gives the
 * number of the option, '?' for an unknown option or ':' for a missing value. */
static bool read_words(struct options *options, int count, char **words, bool *window)
{
    struct option table[KNOWN + 1] = {{0}};
    int found;

    for (size_t i = 0; i < KNOWN; i++)
        table[i] =
            (struct option){known[i].name, known[i].kind == FLAG ? no_argument : required_argument,
                            NULL, (int)i + 256};
    opterr = 0;
    while ((found = getopt_long(count, words, "+:", table, NULL)) != -1) {
        if (found == ':') {
            fprintf(stderr, "rig: a value is missing after %s: expected %s\n", words[optind - 1],
                    known[optopt - 256].value);
            return false;
        }
        if (found == '?') {
            fprintf(stderr, "rig: unknown option %s; rig --help lists them\n", words[optind - 1]);
            return false;
        }
        if (!read_option(options, &known[found - 256], optarg))
            return false;
        *window |= known[found - 256].kind == WINDOW;
    }
    if (optind < count)
        fprintf(stderr, "rig: unknown option %s; rig --help lists them\n", words[optind]);
    return optind == count;
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

/* A package's APIC ids are those of a power of two of processors, and without gaps here. */
static bool can_split(const struct options *options)
{
    const unsigned long each = options->cores / options->sockets * (options->smt ? 2 : 1);

    return options->sockets == 1 ||
           (options->personality->pmu->core_ids == 0 && options->cores % options->sockets == 0 &&
            (each & (each - 1)) == 0);
}

/* The number of the word in the list, -1: it is not there. */
static int word_number(const char *word, const char *const *list, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(word, list[i]) == 0)
            return i;
    return -1;
}

#define WORDS(list) (int)(sizeof(list) / sizeof(*(list)))

/* The number of the word that the option has, `usual` where it was not given; -1: it is not there.
 */
static int option_number(const char *word, const char *const *list, int count, int usual)
{
    return word != NULL ? word_number(word, list, count) : usual;
}

/* Whether a line can be in that state, or be reached so. */
static bool can_be(const struct serial_line *line)
{
    const bool is_pci = serial_is_pci(line->place);

    if (line->pci != PCI_PORTS && !is_pci)
        return false;
    switch (line->state) {
    case STATE_USED:
    case STATE_ASLEEP:
        return serial_is_lpss(line->place);
    case STATE_UNASSIGNED:
        return is_pci;
    case STATE_HIGH:
    case STATE_UNMAPPED:
        return serial_is_memory(line->place);
    case STATE_USUAL:
        break;
    }
    return true;
}

/* An SPCR names a line, unless that is a PCI function or none is there. */
static const char *read_line(struct options *options)
{
    static const char *const places[] = {"com1",       "com2",     "com3",     "com4",
                                         "mmio8",      "mmio16",   "mmio32",   "pci",
                                         "pci-memory", "lpss-100", "lpss-120", "none"};
    static const char *const tables[] = {"spcr", "dbg2", "lost", "memory", "edge", "none"};
    static const char *const states[] = {"usual",      "used", "asleep",
                                         "unassigned", "high", "unmapped"};
    static const char *const layouts[] = {"ports", "ecam", "ecam-high", "root", "segment"};
    const int place = option_number(options->serial, places, WORDS(places), SERIAL_COM1);
    const bool named = place != SERIAL_NONE && !serial_is_pci((enum serial_place)place);
    const int table = option_number(options->serial_table, tables, WORDS(tables),
                                    named ? TABLE_SPCR : TABLE_NONE);
    const int state = option_number(options->serial_state, states, WORDS(states), STATE_USUAL);
    const int layout = option_number(options->pci, layouts, WORDS(layouts), PCI_PORTS);

    if (place < 0 || table < 0 || state < 0 || layout < 0)
        return "impossible value for --serial, --serial-table, --serial-state or --pci: rig --help "
               "lists what they take";
    if (!named && (table == TABLE_SPCR || table == TABLE_DBG2))
        return "impossible value for --serial-table: expected no table that is right, with that "
               "--serial";
    if (place == SERIAL_COM2 && options->serial_2 != NULL)
        return "impossible value for --serial: expected another line than that of --serial2";
    options->line = (struct serial_line){(enum serial_place)place, (enum serial_table)table,
                                         (enum serial_state)state, (enum pci_layout)layout,
                                         options->serial_unwired,  options->serial_paced};
    return can_be(&options->line)
               ? NULL
               : "impossible value for --serial-state or --pci: expected one that fits --serial";
}

static const char *read_processors(struct options *options)
{
    static const char *const states[] = {"usual", "off", "deadline"};
    static const char *const ways[] = {[MP_SERVICES_NONE] = "none", "init", "memory"};
    const int state = option_number(options->apic, states, WORDS(states), APIC_LEFT_USUAL);
    const int way = option_number(options->mp_services, ways, WORDS(ways), MP_SERVICES_NONE);

    if (state < 0 || way < 0)
        return "impossible value for --apic or --mp-services: rig --help lists what they take";
    options->apic_left = (enum apic_left)state;
    options->mp = (enum mp_services)way;
    return NULL;
}

/* What does not fit between the options, NULL when all fits. */
static const char *problem_of(struct options *options, bool window)
{
    const char *line = read_line(options), *processors = read_processors(options);
    const char *problem = line != NULL ? line : processors;

    if ((options->cpu == NULL && options->cpuid == NULL) || options->esp == NULL || !options->cores)
        return "--cpu or --cpuid, --cores and --esp are needed; rig --help lists all options";
    if (options->smt && options->cores > MOST_PROCESSORS / 2)
        return "impossible value for --cores: expected at most 256 with --smt";
    if (!can_split(options))
        return "impossible value for --sockets: expected a part of --cores whose threads are a "
               "power of two, of a processor that is made for several";
    if (options->cet && !options->personality->cet)
        return "impossible value for --cet: expected a processor that has control-flow enforcement";
    if (options->remote && options->sockets == 1)
        return "impossible value for --remote: expected --sockets as well";
    if (options->lies & LIES_OF_NODES && options->sockets == 1)
        return "impossible value for --lie: expected --sockets as well";
    if (options->pmi_spread >= options->pmi_cycles && options->pmi_spread > 0)
        return "impossible value for --pmi-spread: expected less than --pmi-cycles";
    if (window && options->trace == NULL)
        return "impossible value for --trace-window: expected --trace as well";
    if (problem != NULL)
        return problem;
    return fault_check(&options->faults, options->personality,
                       personality_processors(options->personality, (unsigned)options->cores,
                                              options->smt ? 2 : 1));
}

static bool take_record(struct options *options)
{
    char why[1200];

    options->personality =
        recorded_personality(options->cpuid, options->personality, why, sizeof(why));
    if (options->personality == NULL)
        fprintf(stderr, "rig: --cpuid %s\n", why);
    return options->personality != NULL;
}

bool options_read(struct options *options, int count, char **words, int *status)
{
    const char *problem;
    bool window = false;

    *options = (struct options){.sockets = 1,
                                .memory = MEMORY_DEFAULT,
                                .seconds = SECONDS_DEFAULT,
                                .trace_window = 1,
                                .trace_last = 1};
    *status = 0;
    if (!read_words(options, count, words, &window))
        return refuse(status);
    if (options->help) {
        print_help();
        return false;
    }
    if (options->list) {
        personality_list(options->lengthy ? list_long : list_short);
        return false;
    }
    options->personality = options->cpu != NULL ? personality_find(options->cpu) : NULL;
    if (options->cpu != NULL && options->personality == NULL) {
        fprintf(stderr,
                "rig: unknown personality \"%s\" for --cpu; rig --list prints all of them\n",
                options->cpu);
        return refuse(status);
    }
    if (options->cpuid != NULL && !take_record(options))
        return refuse(status);
    problem = problem_of(options, window);
    if (problem != NULL) {
        fprintf(stderr, "rig: %s\n", problem);
        return refuse(status);
    }
    if (!options->remote)
        options->remote = REMOTE_DEFAULT;
    return true;
}
