#include "cpuid_record.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define BASIC_END  0x20000000u /* other ranges begin there: Xeon Phi, hypervisors, extended */
#define EXTENDED   0x80000000u
#define BRAND_LAST 0x80000004u
#define COUNTERS   0xau

/* Leaf 0, EBX, EDX, ECX: SDM 2A and APM 3, "CPUID"; the others as processors were seen to say. */
static const struct {
    char text[13];
    bool intel;
} vendors[] = {
    {"GenuineIntel", true},  {"GenuineIotel", true},  {"AuthenticAMD", false},
    {"HygonGenuine", false}, {"CentaurHauls", false}, {"  Shanghai  ", false},
    {"Virtual CPU ", false}, {"CyrixInstead", false}, {"TransmetaCPU", false},
    {"GenuineTMx86", false}, {"Geode by NSC", false}, {"NexGenDriven", false},
    {"RiseRiseRise", false}, {"SiS SiS SiS ", false}, {"UMC UMC UMC ", false},
    {"VIA VIA VIA ", false}, {"Vortex86 SoC", false}, {"Genuine  RDC", false},
};
#define VENDORS (sizeof(vendors) / sizeof(*vendors))

static bool has_subleaves(uint32_t leaf)
{
    static const uint32_t leaves[] = {
        0x4,  0x7,  0xb,  0xd,  0xf,  0x10, 0x12, 0x14,       0x17,       0x18,       0x1b,
        0x1d, 0x1e, 0x1f, 0x20, 0x21, 0x23, 0x24, 0x8000001d, 0x80000020, 0x80000026,
    };

    for (size_t i = 0; i < sizeof(leaves) / sizeof(*leaves); i++)
        if (leaves[i] == leaf)
            return true;
    return false;
}

const struct cpuid_row *cpuid_record_row(const struct cpuid_record *record, uint32_t leaf,
                                         uint32_t subleaf)
{
    const bool any = !has_subleaves(leaf); /* the processor does not look at ECX then */

    for (unsigned i = 0; i < record->count; i++)
        if (record->rows[i].leaf == leaf && (any || record->rows[i].subleaf == subleaf))
            return &record->rows[i];
    return NULL;
}

static void vendor_of(const struct cpuid_record *record, char text[13])
{
    const struct cpuid_row *row = cpuid_record_row(record, 0, 0);

    memset(text, 0, 13);
    if (row == NULL)
        return;
    memcpy(text, &row->value.ebx, 4);
    memcpy(text + 4, &row->value.edx, 4);
    memcpy(text + 8, &row->value.ecx, 4);
}

/* Its place in the table; VENDORS: not there. */
static size_t known_vendor(const struct cpuid_record *record)
{
    char text[13];
    size_t i = 0;

    vendor_of(record, text);
    while (i < VENDORS && memcmp(vendors[i].text, text, 12) != 0)
        i++;
    return i;
}

/* The highest leaf of the range that begins with `first`; `first` itself where the record does not
 * say. */
static uint32_t highest(const struct cpuid_record *record, uint32_t first)
{
    const struct cpuid_row *row = cpuid_record_row(record, first, 0);

    return row != NULL && row->value.eax >= first && row->value.eax - first < 0x10000
               ? row->value.eax
               : first;
}

struct cpuid cpuid_record_answer(const struct cpuid_record *record, uint32_t leaf, uint32_t subleaf)
{
    const size_t vendor = known_vendor(record);
    const struct cpuid_row *row;

    if (leaf > highest(record, leaf & 0xf0000000)) {
        if (vendor == VENDORS || !vendors[vendor].intel)
            return (struct cpuid){0};
        leaf = highest(record, 0);
    }
    row = cpuid_record_row(record, leaf, subleaf);
    return row != NULL ? row->value : (struct cpuid){0};
}

bool cpuid_record_lacks(const struct cpuid_record *record, uint32_t leaf)
{
    return highest(record, 0) >= leaf && cpuid_record_row(record, leaf, 0) == NULL;
}

static bool fail(struct cpuid_error *error, uint32_t line, const char *text)
{
    error->line = line;
    snprintf(error->text, sizeof(error->text), "%s", text);
    return false;
}

static bool fail_leaf(struct cpuid_error *error, uint32_t line, const char *format, uint32_t leaf,
                      uint32_t last)
{
    error->line = line;
    snprintf(error->text, sizeof(error->text), format, leaf, last);
    return false;
}

static bool same(const struct cpuid *a, const struct cpuid *b)
{
    return a->eax == b->eax && a->ebx == b->ebx && a->ecx == b->ecx && a->edx == b->edx;
}

/* A leaf that is recorded twice with different answers, or that leaf 0 or 80000000H denies. */
static bool check_rows(const struct cpuid_record *record, struct cpuid_error *error)
{
    const uint32_t basic = highest(record, 0), extended = highest(record, EXTENDED);

    for (unsigned i = 0; i < record->count; i++) {
        const struct cpuid_row *row = &record->rows[i];
        const struct cpuid_row *first = cpuid_record_row(record, row->leaf, row->subleaf);

        if (!same(&first->value, &row->value))
            return fail_leaf(error, row->line,
                             "the record contradicts itself: leaf %08x has another answer in line "
                             "%u",
                             row->leaf, first->line);
        if (row->leaf > basic && row->leaf < BASIC_END)
            return fail_leaf(error, row->line,
                             "the record contradicts itself: it has leaf %08x, and leaf 0 says "
                             "that %08x is the highest",
                             row->leaf, basic);
        if (row->leaf > extended && row->leaf >= EXTENDED && row->leaf - EXTENDED < 0x10000)
            return fail_leaf(error, row->line,
                             "the record contradicts itself: it has leaf %08x, and leaf 80000000 "
                             "says that %08x is the highest",
                             row->leaf, extended);
    }
    return true;
}

/* Leaves without which a record is cut. Since leaf 0AH came, every processor has 80000000H. */
static bool check_cut(const struct cpuid_record *record, struct cpuid_error *error)
{
    static const char cut[] =
        "the record is cut: leaf %08x is missing (leaf %08x says it is there)";
    const uint32_t last_line = record->rows[record->count - 1].line;
    const uint32_t basic = highest(record, 0);

    if (basic >= 1 && cpuid_record_row(record, 1, 0) == NULL)
        return fail_leaf(error, last_line, cut, 1, 0);
    if (cpuid_record_lacks(record, COUNTERS))
        return fail_leaf(error, last_line, cut, COUNTERS, 0);
    if (record->complete && cpuid_record_row(record, basic, 0) == NULL)
        return fail_leaf(error, last_line, cut, basic, 0);
    if (basic >= COUNTERS && cpuid_record_row(record, EXTENDED, 0) == NULL)
        return fail_leaf(error, last_line, cut, EXTENDED, 0);
    if (highest(record, EXTENDED) >= BRAND_LAST && cpuid_record_row(record, BRAND_LAST, 0) == NULL)
        return fail_leaf(error, last_line, cut, BRAND_LAST, EXTENDED);
    return true;
}

bool cpuid_record_check(const struct cpuid_record *record, struct cpuid_error *error)
{
    const struct cpuid_row *first = cpuid_record_row(record, 0, 0);
    char vendor[13];

    if (record->count == 0)
        return fail(error, record->line, "the record is cut: it has no answer");
    if (first == NULL)
        return fail(error, record->line, "the record is cut: leaf 0 is missing");
    if (known_vendor(record) == VENDORS) {
        vendor_of(record, vendor);
        for (char *c = vendor; c < vendor + 12; c++)
            *c = *c >= ' ' && *c <= '~' ? *c : '?';
        error->line = first->line;
        snprintf(error->text, sizeof(error->text), "\"%s\" is no vendor that is known", vendor);
        return false;
    }
    return check_rows(record, error) && check_cut(record, error);
}
