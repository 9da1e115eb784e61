#include "cpuid_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_MAX_BYTES 512
#define CORE_TYPE_CORE 0x40u

/* The core whose rows are read, and where they are put once it is complete. */
struct reader {
    const char *file, *wanted; /* wanted: a machine of a table, or NULL */
    struct recorded_machine *machine;
    struct recorded_kind core;
    char *why;
    size_t why_size;
    unsigned line, lines[RECORD_ROWS]; /* of each row of `core` */
    bool started, failed;
};

const struct cpuid_fact *recorded_row(const struct recorded_kind *kind, uint32_t leaf,
                                      uint32_t subleaf)
{
    for (size_t i = 0; i < kind->count; i++)
        if (kind->row[i].leaf == leaf && kind->row[i].subleaf == subleaf)
            return &kind->row[i];
    return NULL;
}

static bool fail(struct reader *reader, unsigned line, const char *what)
{
    if (!reader->failed)
        snprintf(reader->why, reader->why_size, "%s:%u: %s", reader->file, line, what);
    reader->failed = true;
    return false;
}

static bool is_known_vendor(const struct cpuid_fact *leaf, char vendor[13])
{
    static const char *const known[] = {
        "GenuineIntel", "GenuineIotel", "AuthenticAMD", "HygonGenuine", "CentaurHauls",
        "  Shanghai  ", "Virtual CPU ", "CyrixInstead", "GenuineTMx86", "TransmetaCPU",
        "Geode by NSC", "RiseRiseRise", "SiS SiS SiS ", "Vortex86 SoC", "Genuine  RDC",
        "NexGenDriven", "UMC UMC UMC ", "VIA VIA VIA "};

    memcpy(vendor, &leaf->ebx, 4);
    memcpy(vendor + 4, &leaf->edx, 4);
    memcpy(vendor + 8, &leaf->ecx, 4);
    vendor[12] = '\0';
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strcmp(vendor, known[i]) == 0)
            return true;
    return false;
}

static bool fail_cut(struct reader *reader, unsigned leaf, unsigned subleaf)
{
    char what[64];

    if (subleaf == 0)
        snprintf(what, sizeof(what), "the record is cut: leaf %02XH is missing", leaf);
    else
        snprintf(what, sizeof(what), "the record is cut: leaf %02XH has no subleaf %u", leaf,
                 subleaf);
    return fail(reader, reader->line, what);
}

/* The leaves that the machine is made from: a dump that has them not was cut, since only caches and
 * topology may be left out where they are 0. */
static bool has_leaves(struct reader *reader, unsigned highest)
{
    static const unsigned leaves[] = {7, 0xa, 0x1a, 0x1c, 0x23};
    const struct cpuid_fact *own = recorded_row(&reader->core, 0x23, 0);

    for (size_t i = 0; i < sizeof(leaves) / sizeof(leaves[0]); i++)
        if (leaves[i] <= highest && recorded_row(&reader->core, leaves[i], 0) == NULL)
            return fail_cut(reader, leaves[i], 0);
    if (own != NULL && recorded_row(&reader->core, 7, 1) == NULL)
        return fail_cut(reader, 7, 1);
    for (unsigned subleaf = 1; own != NULL && subleaf <= 5; subleaf++)
        if (own->eax >> subleaf & 1 && recorded_row(&reader->core, 0x23, subleaf) == NULL)
            return fail_cut(reader, 0x23, subleaf);
    return true;
}

/* What every record must have. */
static bool check(struct reader *reader)
{
    const struct cpuid_fact *first = recorded_row(&reader->core, 0, 0);
    char vendor[13];

    if (first == NULL)
        return fail(reader, reader->line, "the record is cut: leaf 0 is missing");
    if (!is_known_vendor(first, vendor))
        return fail(reader, reader->lines[first - reader->core.row], "no known vendor in leaf 0");
    if (recorded_row(&reader->core, 1, 0) == NULL)
        return fail(reader, reader->line, "the record is cut: leaf 1 is missing");
    return strncmp(vendor, "Genuine", 7) != 0 || has_leaves(reader, first->eax);
}

static uint32_t type_of(const struct recorded_kind *kind)
{
    const struct cpuid_fact *leaf = recorded_row(kind, 0x1a, 0);

    return leaf != NULL ? leaf->eax >> 24 : 0;
}

/* The core's rows are complete: it is kept if it is of a new kind. */
static void end_core(struct reader *reader)
{
    struct recorded_machine *machine = reader->machine;

    if (!reader->started || reader->failed || !check(reader))
        return;
    reader->started = false;
    for (unsigned i = 0; i < machine->kinds; i++)
        if (type_of(&machine->kind[i]) == type_of(&reader->core))
            return;
    if (machine->kinds == RECORD_KINDS)
        return;
    machine->kind[machine->kinds++] = reader->core;
    if (machine->kinds == 2 && type_of(&machine->kind[1]) == CORE_TYPE_CORE) {
        machine->kind[1] = machine->kind[0];
        machine->kind[0] = reader->core;
    }
}

static void begin_core(struct reader *reader, unsigned core)
{
    end_core(reader);
    reader->core = (struct recorded_kind){.core = core};
    reader->started = true;
}

static bool same(const struct cpuid_fact *a, const struct cpuid_fact *b)
{
    return a->eax == b->eax && a->ebx == b->ebx && a->ecx == b->ecx && a->edx == b->edx;
}

static bool add_row(struct reader *reader, const struct cpuid_fact *row)
{
    const struct cpuid_fact *old = recorded_row(&reader->core, row->leaf, row->subleaf);
    char what[80];

    if (!reader->started)
        begin_core(reader, 0);
    if (old != NULL && same(old, row))
        return true;
    if (old != NULL) {
        snprintf(what, sizeof(what), "the record contradicts itself: leaf %08x is in line %u, too",
                 row->leaf, reader->lines[old - reader->core.row]);
        return fail(reader, reader->line, what);
    }
    if (reader->core.count == RECORD_ROWS)
        return fail(reader, reader->line, "more than 512 leaves of a core");
    reader->lines[reader->core.count] = reader->line;
    reader->core.row[reader->core.count++] = *row;
    return true;
}

/* "906a3-...,Name,source,0,0000000a,00000000,07300605,..." */
static bool read_table_row(struct reader *reader, const char *text)
{
    char machine[96];
    unsigned core;
    struct cpuid_fact row;
    int end = 0;

    if (sscanf(text, "%95[^,],%*[^,],%*[^,],%u,%8x,%8x,%8x,%8x,%8x,%8x%n", machine, &core,
               &row.leaf, &row.subleaf, &row.eax, &row.ebx, &row.ecx, &row.edx, &end) != 8 ||
        text[end] != '\0')
        return fail(
            reader, reader->line,
            "malformed row, expected machine,name,source,core,leaf,subleaf,eax,ebx,ecx,edx");
    if (reader->wanted != NULL && strcmp(machine, reader->wanted) != 0)
        return true;
    if (reader->machine->name[0] == '\0')
        snprintf(reader->machine->name, sizeof(reader->machine->name), "%s", machine);
    if (strcmp(machine, reader->machine->name) != 0)
        return fail(reader, reader->line, "a second machine: choose one by FILE:MACHINE");
    if (!reader->started || core != reader->core.core)
        begin_core(reader, core);
    return add_row(reader, &row);
}

/* "   0x0000000a 0x00: eax=0x07300605 ebx=0x00000000 ecx=0x00000007 edx=0x00008603" */
static bool read_raw_row(struct reader *reader, const char *text)
{
    struct cpuid_fact row;
    int end = 0;

    if (sscanf(text, " 0x%8x 0x%2x: eax=0x%8x ebx=0x%8x ecx=0x%8x edx=0x%8x%n", &row.leaf,
               &row.subleaf, &row.eax, &row.ebx, &row.ecx, &row.edx, &end) != 6 ||
        text[end] != '\0')
        return fail(reader, reader->line,
                    "malformed line, expected \"0xLEAF 0xSUBLEAF: eax=0x... edx=0x...\"");
    return add_row(reader, &row);
}

/* "CPUID 00000004: 1C004121-01C0003F-0000003F-00000000 [SL 01]"; text may follow in brackets. */
static bool read_instlatx64_row(struct reader *reader, const char *text)
{
    struct cpuid_fact row = {0};
    const char *bracket;
    int end = 0;

    if (sscanf(text, "CPUID %8x: %8x-%8x-%8x-%8x%n", &row.leaf, &row.eax, &row.ebx, &row.ecx,
               &row.edx, &end) != 5)
        return fail(reader, reader->line,
                    "malformed line, expected \"CPUID LEAF: EAX-EBX-ECX-EDX\"");
    bracket = strstr(text + end, "[SL ");
    if (bracket != NULL && sscanf(bracket, "[SL %2x]", &row.subleaf) != 1)
        return fail(reader, reader->line, "malformed subleaf, expected [SL NN]");
    return add_row(reader, &row);
}

static void read_line(struct reader *reader, const char *text)
{
    const char *number = strstr(text, "Logical CPU #");
    unsigned core;

    if (sscanf(text, "CPU %u:", &core) == 1)
        begin_core(reader, core);
    else if (strncmp(text, "CPU:", 4) == 0)
        begin_core(reader, 0);
    else if (number != NULL && sscanf(number, "Logical CPU #%u", &core) == 1)
        begin_core(reader, core);
    else if (strncmp(text, "CPUID ", 6) == 0 && strchr(text, ':') != NULL)
        read_instlatx64_row(reader, text);
    else if (strncmp(text + strspn(text, " "), "0x", 2) == 0)
        read_raw_row(reader, text);
}

static void read_lines(struct reader *reader, FILE *file)
{
    char text[LINE_MAX_BYTES];
    bool table = false;

    while (!reader->failed && fgets(text, sizeof(text), file) != NULL) {
        reader->line++;
        text[strcspn(text, "\r\n")] = '\0';
        if (reader->line == 1 && strncmp(text, "machine,name,source,core,leaf", 29) == 0)
            table = true;
        else if (table)
            read_table_row(reader, text);
        else
            read_line(reader, text);
    }
    end_core(reader);
}

/* Opens the file of `argument`, which may end in ":MACHINE". */
static FILE *open_file(struct reader *reader, const char *argument, char *name, size_t name_size)
{
    FILE *file = fopen(argument, "r");
    const char *colon = strrchr(argument, ':');

    snprintf(name, name_size, "%s", argument);
    if (file == NULL && colon != NULL) {
        snprintf(name, name_size, "%.*s", (int)(colon - argument), argument);
        reader->wanted = colon + 1;
        file = fopen(name, "r");
    }
    return file;
}

bool cpuid_file_read(struct recorded_machine *machine, const char *argument, char *why,
                     size_t why_size)
{
    static struct reader reader;
    char name[1024];
    const char *slash;
    FILE *file;

    *machine = (struct recorded_machine){0};
    reader = (struct reader){.file = name, .machine = machine, .why = why, .why_size = why_size};
    file = open_file(&reader, argument, name, sizeof(name));
    if (file == NULL) {
        snprintf(why, why_size, "%s: %s", name, strerror(errno));
        return false;
    }
    read_lines(&reader, file);
    if (ferror(file) && !reader.failed)
        fail(&reader, reader.line, strerror(errno));
    fclose(file);
    if (machine->kinds == 0 && !reader.failed)
        fail(&reader, reader.line,
             reader.wanted != NULL ? "no such machine" : "no CPUID answers in the file");
    slash = strrchr(name, '/');
    if (machine->name[0] == '\0')
        snprintf(machine->name, sizeof(machine->name), "%.95s", slash != NULL ? slash + 1 : name);
    return !reader.failed;
}
