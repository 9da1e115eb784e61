#include "cpuid_answers.h"

#include "boot/text.h"

/* Where a leaf's list of subleaves ends (SDM 2A, "CPUID"). */
enum list {
    ONE,       /* it has one */
    BY_EAX,    /* the highest is in EAX of subleaf 0 */
    BY_TYPE,   /* caches: the first with EAX[4:0] 0 is behind the last */
    BY_DOMAIN, /* topology: the first with ECX[15:8] 0 is behind the last */
    BY_BITS,   /* EAX of subleaf 0 has a bit for each */
};

static const struct leaf {
    uint32_t leaf;
    enum list list;
    unsigned most; /* subleaves */
} leaves[] = {
    {0x0, ONE, 1},        {0x1, ONE, 1},        {0x2, ONE, 1},        {0x4, BY_TYPE, 6},
    {0x5, ONE, 1},        {0x6, ONE, 1},        {0x7, BY_EAX, 3},     {0xa, ONE, 1},
    {0xb, BY_DOMAIN, 3},  {0xd, ONE, 1},        {0x14, ONE, 1},       {0x15, ONE, 1},
    {0x16, ONE, 1},       {0x1a, ONE, 1},       {0x1c, ONE, 1},       {0x1f, BY_DOMAIN, 6},
    {0x23, BY_BITS, 6},   {0x40000000, ONE, 1}, {0x80000000, ONE, 1}, {0x80000001, ONE, 1},
    {0x80000002, ONE, 1}, {0x80000003, ONE, 1}, {0x80000004, ONE, 1}, {0x80000007, ONE, 1},
    {0x80000008, ONE, 1}, {0x8000001e, ONE, 1}, {0x80000022, ONE, 1},
};

static bool has(uint32_t leaf)
{
    const uint32_t range = leaf & 0xc0000000;
    uint32_t highest;

    if (range == 0x40000000 && !(cpuid_read(1, 0).ecx >> 31 & 1)) /* no hypervisor */
        return false;
    highest = cpuid_read(range, 0).eax;
    return leaf == range || (leaf <= highest && highest - range < 0x10000);
}

/* Whether the subleaf, whose answer is `value`, belongs to the leaf. */
static bool belongs(const struct leaf *leaf, uint32_t subleaf, const struct cpuid *value)
{
    switch (leaf->list) {
    case BY_EAX:
        return subleaf <= cpuid_read(leaf->leaf, 0).eax;
    case BY_TYPE:
        return (value->eax & 0x1f) != 0;
    case BY_DOMAIN:
        return (value->ecx >> 8 & 0xff) != 0;
    case BY_BITS:
        return subleaf == 0 || cpuid_read(leaf->leaf, 0).eax >> subleaf & 1;
    default:
        return subleaf == 0;
    }
}

static void add(struct cpuid_answers *answers, uint32_t leaf, uint32_t subleaf)
{
    if (answers->count < CPUID_ANSWERS)
        answers->answer[answers->count++] =
            (struct cpuid_answer){leaf, subleaf, cpuid_read(leaf, subleaf)};
}

/* The last leaf of a range, whatever it is: who reads the answers sees that none was cut off. */
static void add_highest(struct cpuid_answers *answers, uint32_t range)
{
    const uint32_t highest = cpuid_read(range, 0).eax;

    for (unsigned i = 0; i < answers->count; i++)
        if (answers->answer[i].leaf == highest)
            return;
    if (highest >= range && highest - range < 0x10000)
        add(answers, highest, 0);
}

void cpuid_answers_read(struct cpuid_answers *answers)
{
    memset(answers, 0, sizeof(*answers));
    for (unsigned i = 0; i < COUNT_OF(leaves); i++) {
        for (uint32_t subleaf = 0; has(leaves[i].leaf) && subleaf < leaves[i].most; subleaf++) {
            const struct cpuid value = cpuid_read(leaves[i].leaf, subleaf);

            if (belongs(&leaves[i], subleaf, &value))
                add(answers, leaves[i].leaf, subleaf);
        }
    }
    add_highest(answers, 0);
    add_highest(answers, 0x80000000);
}

/* Takes the numbers of the core itself out. */
static struct cpuid_answer without_number(struct cpuid_answer answer)
{
    if (answer.leaf == 0x1)
        answer.value.ebx &= 0x00ffffff; /* the initial APIC id */
    if (answer.leaf == 0xb || answer.leaf == 0x1f)
        answer.value.edx = 0; /* the x2APIC id */
    if (answer.leaf == 0x8000001e)
        answer.value = (struct cpuid){0}; /* AMD: APIC id, core, node */
    return answer;
}

bool cpuid_answers_alike(const struct cpuid_answers *a, const struct cpuid_answers *b)
{
    for (unsigned i = 0; i < a->count && i < b->count; i++) {
        const struct cpuid_answer left = without_number(a->answer[i]),
                                  right = without_number(b->answer[i]);

        if (memcmp(&left, &right, sizeof(left)) != 0)
            return false;
    }
    return a->count == b->count;
}
