#include "cpuid_record.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define BASIC_END  0x20000000u /* other ranges begin there: Xeon Phi, hypervisors, extended */
#define EXTENDED   0x80000000u
#define BRAND_LAST 0x80000004u
#define COUNTERS   0xau

#define EXTENDED_COUNTERS  0x23u
#define EXTENDED_SUBLEAVES 6u /* of it: SDM 2A, "CPUID" */

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

/* The record lacks an answer that leaf `by` says is there. Always false. */
static bool fail_cut(const struct cpuid_record *record, struct cpuid_error *error, uint32_t leaf,
                     uint32_t subleaf, uint32_t by)
{
    char name[24] = "";

    if (subleaf != 0)
        snprintf(name, sizeof(name), " subleaf %u", subleaf);
    error->line = record->rows[record->count - 1].line;
    snprintf(error->text, sizeof(error->text),
             "%s, core %u: the record is cut: leaf %08x%s is missing (leaf %08x says it is there)",
             record->machine, record->core, leaf, name, by);
    return false;
}

static bool has(const struct cpuid_record *record, uint32_t leaf, uint32_t subleaf)
{
    return cpuid_record_row(record, leaf, subleaf) != NULL;
}

/* The leaves that slotscope reads, without 4, 0BH, 1FH and 8000001DH: a dump may leave these out
 * where they are 0. The bits that announce a leaf are not asked for here: a leaf that is not
 * announced is 0, and dumps have it. */
static bool check_leaves(const struct cpuid_record *record, struct cpuid_error *error)
{
    static const uint32_t read[] = {
        1,          6,          7,          COUNTERS,   0x1a,       0x1c,       EXTENDED_COUNTERS,
        0x80000001, 0x80000002, 0x80000003, BRAND_LAST, 0x80000008, 0x8000001e, 0x80000022,
    };

    for (size_t i = 0; i < sizeof(read) / sizeof(*read); i++) {
        const uint32_t range = read[i] & EXTENDED;

        if (highest(record, range) >= read[i] && !has(record, read[i], 0))
            return fail_cut(record, error, read[i], 0, range);
    }
    return true;
}

/* Subleaf 1 of leaf 7 announces leaf 23H, so it is only missed where that leaf can be. Of leaf 23H
 * those up to 5 are defined; bit n of EAX of subleaf 0 says that subleaf n is there. */
static bool check_subleaves(const struct cpuid_record *record, struct cpuid_error *error)
{
    const uint32_t subleaves = cpuid_record_answer(record, EXTENDED_COUNTERS, 0).eax;

    if (highest(record, 0) < EXTENDED_COUNTERS)
        return true;
    if (cpuid_record_answer(record, 7, 0).eax >= 1 && !has(record, 7, 1))
        return fail_cut(record, error, 7, 1, 7);
    for (uint32_t i = 1; i < EXTENDED_SUBLEAVES; i++)
        if (subleaves >> i & 1 && !has(record, EXTENDED_COUNTERS, i))
            return fail_cut(record, error, EXTENDED_COUNTERS, i, EXTENDED_COUNTERS);
    return true;
}

/* Leaves that leaf 7 of an Intel processor announces, whatever leaf 0 calls the highest: on a
 * hybrid part, for the architectural last-branch stack, for counters of this kind of core. */
static bool check_announced(const struct cpuid_record *record, struct cpuid_error *error)
{
    const struct cpuid seven = cpuid_record_answer(record, 7, 0);

    if (highest(record, 0) < 7 || !vendors[known_vendor(record)].intel)
        return true;
    if (seven.edx >> 15 & 1 && !has(record, 0x1a, 0))
        return fail_cut(record, error, 0x1a, 0, 7);
    if (seven.edx >> 19 & 1 && !has(record, 0x1c, 0))
        return fail_cut(record, error, 0x1c, 0, 7);
    if (seven.eax >= 1 && cpuid_record_answer(record, 7, 1).eax >> 8 & 1 &&
        !has(record, EXTENDED_COUNTERS, 0))
        return fail_cut(record, error, EXTENDED_COUNTERS, 0, 7);
    return true;
}

/* What is missing though the record says that it is there. Since leaf 0AH came, every processor has
 * 80000000H. */
static bool check_cut(const struct cpuid_record *record, struct cpuid_error *error)
{
    const uint32_t basic = highest(record, 0);

    if (record->complete && !has(record, basic, 0))
        return fail_cut(record, error, basic, 0, 0);
    if (!check_leaves(record, error) || !check_announced(record, error) ||
        !check_subleaves(record, error))
        return false;
    return basic < COUNTERS || has(record, EXTENDED, 0) || fail_cut(record, error, EXTENDED, 0, 0);
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
