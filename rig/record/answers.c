#include "answers.h"

#define HYPERVISOR_LEAF 0x40000000u
#define EXTENDED_LEAF   0x80000000u

/* Features that the rig has whatever the personality says, since they are only statements. */
#define PDCM       (1u << 15) /* 1:ECX */
#define HYPERVISOR (1u << 31) /* 1:ECX */
#define OSXSAVE    (1u << 27) /* 1:ECX: repeats CR4 */
#define HTT        (1u << 28) /* 1:EDX: of this place */
#define HYBRID     (1u << 15) /* 7:EDX */
#define LEAF_23    (1u << 8)  /* 7.1:EAX */
#define INVARIANT  (1u << 8)  /* 80000007H:EDX */

static const struct cpuid_fact *row_of(const struct cpuid_record *record, uint32_t leaf,
                                       uint32_t subleaf)
{
    for (size_t i = 0; i < record->count; i++)
        if (record->row[i].leaf == leaf && record->row[i].subleaf == subleaf)
            return &record->row[i];
    return NULL;
}

static bool is_intel(const struct cpuid_record *record)
{
    return row_of(record, 0, 0)->ebx == 0x756e6547; /* "Genu" */
}

uint32_t answers_leaf(const struct cpuid_record *record, uint32_t leaf)
{
    const struct cpuid_fact *extended = row_of(record, EXTENDED_LEAF, 0);
    const uint32_t last = row_of(record, 0, 0)->eax;

    if (leaf <= last || (extended != NULL && leaf >= EXTENDED_LEAF && leaf <= extended->eax) ||
        (leaf == HYPERVISOR_LEAF && row_of(record, leaf, 0) != NULL))
        return leaf;
    return is_intel(record) ? last : UINT32_MAX;
}

/* Recorded features that the rig can execute. */
static struct cpuid_result both(struct cpuid_result recorded, struct cpuid_result played)
{
    return (struct cpuid_result){recorded.eax & played.eax, recorded.ebx & played.ebx,
                                 recorded.ecx & played.ecx, recorded.edx & played.edx};
}

static struct cpuid_result version(struct cpuid_result recorded, struct cpuid_result played)
{
    return (struct cpuid_result){recorded.eax, played.ebx,
                                 (recorded.ecx & (played.ecx | PDCM | HYPERVISOR) & ~OSXSAVE) |
                                     (played.ecx & OSXSAVE),
                                 (recorded.edx & played.edx) | (played.edx & HTT)};
}

/* Leaf 7: the kinds of cores and leaf 23H are as recorded. */
static struct cpuid_result features(uint32_t subleaf, struct cpuid_result recorded,
                                    struct cpuid_result played)
{
    struct cpuid_result result = both(recorded, played);

    if (subleaf == 0) {
        result.eax = recorded.eax;
        result.edx |= recorded.edx & HYBRID;
    } else if (subleaf == 1) {
        result.eax |= recorded.eax & LEAF_23;
    }
    return result;
}

static struct cpuid_result answer(uint32_t leaf, uint32_t subleaf, struct cpuid_result recorded,
                                  struct cpuid_result played)
{
    switch (leaf) {
    case 0x1:
        return version(recorded, played);
    case 0x7:
        return features(subleaf, recorded, played);
    case 0x6:
    case 0x80000001:
        return both(recorded, played);
    case 0x4:  /* the model's caches */
    case 0xd:  /* the state that the rig saves */
    case 0x14: /* its processor trace */
    case 0x15: /* its clocks */
    case 0x16:
    case 0x80000008: /* its address widths */
    case 0x8000001d:
        return played;
    case 0xb: /* the place of this processor, where the machine states places */
    case 0x1f:
        return recorded.ebx != 0 || subleaf > 1 ? played : recorded;
    case 0x80000007:
        recorded.edx |= played.edx & INVARIANT;
        return recorded;
    case 0x19:
        return (struct cpuid_result){0};
    default:
        return recorded;
    }
}

struct cpuid_result answers_cpuid(const struct cpuid_record *record, uint32_t leaf,
                                  uint32_t subleaf, struct cpuid_result played)
{
    const struct cpuid_fact *row = row_of(record, leaf, subleaf);
    struct cpuid_result recorded = {0};

    if (row == NULL && leaf != 0x4 && leaf != 0x7 && leaf != 0xb && leaf != 0xd && leaf != 0x14 &&
        leaf != 0x1f && leaf != 0x23 && leaf != 0x8000001d && leaf != 0x80000026)
        row = row_of(record, leaf, 0); /* it has no subleaves */
    if (row != NULL)
        recorded = (struct cpuid_result){row->eax, row->ebx, row->ecx, row->edx};
    return answer(leaf, subleaf, recorded, played);
}
