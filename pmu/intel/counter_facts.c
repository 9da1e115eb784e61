#include "counter_facts.h"

#include "boot/format.h"
#include "boot/msr.h"
#include "boot/text.h"
#include "pmu/kind.h"
#include "pmu/registers.h"

#define MASK(count) ((count) < 32 ? (1u << (count)) - 1 : ~0u)

/* Bit n for counter n. */
struct sets {
    uint32_t general, fixed;
};

static bool bit(uint32_t value, unsigned number)
{
    return value >> number & 1;
}

static uint32_t bits_in(uint32_t set)
{
    uint32_t count = 0;

    for (; set != 0; set &= set - 1)
        count++;
    return count;
}

static uint32_t length_of(uint32_t set)
{
    uint32_t length = 0;

    for (; set != 0; set >>= 1)
        length++;
    return length;
}

/* ---- can it be true? ---- */

/* IA32_PERF_GLOBAL_CTRL has 32 bits for general counters, and IA32_FIXED_CTR_CTRL 16 fields of 4
 * bits ("Architectural Performance Monitoring"). Leaf 0AH states up to 32 events in EBX. Counters
 * of 40 and 48 bits are known; those below 32 bits could not hold what IA32_PMCx accepts in version
 * 1, and registers have 64. Versions up to 6 are known. */
#define GENERAL_MOST 32u
#define FIXED_MOST   16u
#define EVENTS_MOST  32u
#define WIDTH_LEAST  32u
#define WIDTH_MOST   64u
#define VERSION_MOST 15u

struct statement {
    uint32_t leaf;
    const char *what;
    uint32_t says, least, most;
};

/* The first statement that is out of its bounds becomes the contradiction. */
static void contradict(struct facts *facts, const struct statement *statements, size_t count)
{
    for (size_t i = 0; i < count && facts->contradiction[0] == '\0'; i++) {
        const struct statement *s = &statements[i];

        if (s->says < s->least || s->says > s->most)
            format(facts->contradiction, sizeof(facts->contradiction),
                   "CPUID %02XH says %u as the %s, expected %u to %u", s->leaf, s->says, s->what,
                   s->least, s->most);
    }
}

/* EDX is defined from version 2 on, ECX from version 5. Early parts state no fixed counters and no
 * width of them. */
static void check_fixed(struct facts *facts, struct cpuid leaf, uint32_t version)
{
    const uint32_t set = version >= 5 ? leaf.ecx : 0, count = leaf.edx & 0x1f;
    const struct statement statements[] = {
        {0xa, "number of fixed counters", count, 0, FIXED_MOST},
        {0xa, "number of fixed counters", length_of(set), 0, FIXED_MOST},
        {0xa, "width of fixed counters", leaf.edx >> 5 & 0xff, WIDTH_LEAST, WIDTH_MOST},
    };

    if (version >= 2)
        contradict(facts, statements, count != 0 || set != 0 ? 3 : 2);
}

static void check_common(struct facts *facts)
{
    const struct cpuid leaf = cpuid_read(0xa, 0);
    const uint32_t count = leaf.eax >> 8 & 0xff;
    const struct statement statements[] = {
        {0xa, "version", leaf.eax & 0xff, 0, VERSION_MOST},
        {0xa, "number of general counters", count, 0, GENERAL_MOST},
        {0xa, "length of the list of events", leaf.eax >> 24, 0, EVENTS_MOST},
        {0xa, "width of general counters", leaf.eax >> 16 & 0xff, WIDTH_LEAST, WIDTH_MOST},
    };

    if ((leaf.eax & 0xff) == 0) /* there is no such leaf */
        return;
    contradict(facts, statements, count != 0 ? 4 : 3);
    check_fixed(facts, leaf, leaf.eax & 0xff);
}

/* ---- what it says ---- */

/* Leaf 0AH, "Architectural Performance Monitoring". Early parts with version 2 or 3 have three
 * fixed counters and state fewer; Linux assumes at least three up to version 4, but not under a
 * hypervisor (arch/x86/events/intel/core.c, intel_pmu_init). */
static struct sets read_common(struct facts *facts)
{
    struct cpuid leaf = cpuid_read(0xa, 0);
    struct sets sets = {.general = MASK(leaf.eax >> 8 & 0xff)};

    facts->version = leaf.eax & 0xff;
    if (facts->version == 0)
        return (struct sets){0};
    facts->general_width = leaf.eax >> 16 & 0xff;
    facts->architectural_events = ~leaf.ebx & MASK(leaf.eax >> 24);
    facts->any_thread = facts->version >= 3 && !bit(leaf.edx, 15);
    if (facts->version < 2)
        return sets;
    sets.fixed = MASK(leaf.edx & 0x1f);
    if (facts->version >= 5)
        sets.fixed |= leaf.ecx;
    else if (facts->intel && !facts->hypervisor)
        sets.fixed |= 7;
    facts->fixed_width = leaf.edx >> 5 & 0xff;
    return sets;
}

/* Leaf 23H, "Architectural Performance Monitoring Extended", states what this kind of core has.
 * Leaf 7, subleaf 1, EAX[8] announces it. False: it is not there. */
static bool read_own(struct facts *facts, uint32_t highest, struct sets *sets)
{
    uint32_t subleaves;

    if (highest < 0x23 || cpuid_read(7, 0).eax < 1 || !bit(cpuid_read(7, 1).eax, 8))
        return false;
    subleaves = cpuid_read(0x23, 0).eax;
    if (bit(subleaves, 3))
        facts->architectural_events = cpuid_read(0x23, 3).eax;
    if (bit(subleaves, 1)) {
        struct cpuid leaf = cpuid_read(0x23, 1);

        *sets = (struct sets){leaf.eax, leaf.ebx};
        contradict(facts,
                   &(struct statement){0x23, "number of fixed counters", length_of(leaf.ebx), 0,
                                       FIXED_MOST},
                   1);
    }
    return bit(subleaves, 1);
}

/* Counters that leaf 0AH does not count, because leaf 23H or nothing states them, have its widths,
 * too. */
static void check_widths(struct facts *facts, const struct sets *sets)
{
    const struct statement general = {0xa, "width of general counters", facts->general_width,
                                      WIDTH_LEAST, WIDTH_MOST};
    struct statement fixed = {0xa, "width of fixed counters", 0, WIDTH_LEAST, WIDTH_MOST};

    if (facts->fixed_width == 0 && sets->fixed != 0)
        facts->fixed_width = facts->general_width;
    fixed.says = facts->fixed_width;
    if (sets->general != 0)
        contradict(facts, &general, 1);
    if (sets->fixed != 0)
        contradict(facts, &fixed, 1);
}

/* Whether the counter keeps what is written into it. A hypervisor may answer for a register that it
 * does not have: then it reads as 0 and writes are lost (KVM's ignore_msrs). */
static bool is_counter(uint32_t msr)
{
    uint64_t before, value;
    bool kept;

    if (!msr_read(msr, &before) || !msr_write(msr, 1))
        return false;
    kept = msr_read(msr, &value) && value == 1;
    return msr_write(msr, before) && kept;
}

/* Alder and Raptor Lake are hybrids without leaf 23H: leaf 0AH states 6 general and 3 fixed
 * counters and 7 events on every core, which is what both kinds have. Their P cores have 8 and 4,
 * and the event of slots: Linux knows it by the model, too (arch/x86/events/intel/core.c,
 * INTEL_ALDERLAKE). Where leaf 0AH states all of that, since the E cores are off, nothing is added.
 * A hypervisor may keep the others to itself. */
static bool is_p_core_of_eight(const struct facts *facts)
{
    static const uint8_t models[] = {0x97, 0x9a, 0xb7, 0xba, 0xbf};

    for (unsigned i = 0; i < COUNT_OF(models); i++)
        if (facts->family == 6 && facts->model == models[i])
            return facts->intel && facts->core_type == CORE_TYPE_CORE &&
                   is_counter(IA32_PMC0 + 7) && is_counter(IA32_FIXED_CTR0 + 3);
    return false;
}

static void forget(struct facts *facts)
{
    facts->version = facts->general_width = facts->fixed_width = 0;
    facts->architectural_events = 0;
    facts->any_thread = false;
}

static void read_architectural(struct facts *facts, uint32_t highest)
{
    struct sets sets = read_common(facts);

    if (facts->version == 0)
        return;
    check_common(facts);
    if (!read_own(facts, highest, &sets) && is_p_core_of_eight(facts)) {
        sets = (struct sets){sets.general | 0xff, sets.fixed | 0xf};
        facts->architectural_events |= 1u << 7;
    }
    check_widths(facts, &sets);
    if (facts->contradiction[0] != '\0') {
        forget(facts);
        return;
    }
    facts->general_count = length_of(sets.general);
    facts->general_reserved = MASK(facts->general_count) & ~sets.general;
    facts->fixed_mask = sets.fixed;
    facts->fixed_count = bits_in(sets.fixed);
}

void intel_counters_read(struct facts *facts, uint32_t highest)
{
    if (highest >= 0xa)
        read_architectural(facts, highest);
}
