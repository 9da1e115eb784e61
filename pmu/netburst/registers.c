#include "registers.h"

#include "boot/format.h"
#include "boot/text.h"

/* The counters that the ESCRs of one half of a group feed. */
enum {
    BPU_0 = 1 << 0 | 1 << 1,
    BPU_1 = 1 << 2 | 1 << 3,
    MS_0 = 1 << 4 | 1 << 5,
    MS_1 = 1 << 6 | 1 << 7,
    FLAME_0 = 1 << 8 | 1 << 9,
    FLAME_1 = 1 << 10 | 1 << 11,
    IQ_0 = 1 << 12 | 1 << 13 | 1 << 16,
    IQ_1 = 1 << 14 | 1 << 15 | 1 << 17,
};
#define ALL   NETBURST_ALL_MODELS
#define EARLY NETBURST_MODELS_0_TO_2
#define NONE  NETBURST_NONE

/* clang-format off */
/* "Performance Counter MSRs and Associated CCCR and ESCR MSRs" */
const struct netburst_escr netburst_escrs[NETBURST_ESCRS] = {
    /* name          address sel half counters models */
    {"MSR_BSU_ESCR0",   0x3a0, 7, 0, BPU_0,   ALL},
    {"MSR_BSU_ESCR1",   0x3a1, 7, 1, BPU_1,   ALL},
    {"MSR_FSB_ESCR0",   0x3a2, 6, 0, BPU_0,   ALL},
    {"MSR_FSB_ESCR1",   0x3a3, 6, 1, BPU_1,   ALL},
    {"MSR_FIRM_ESCR0",  0x3a4, 1, 0, FLAME_0, ALL},
    {"MSR_FIRM_ESCR1",  0x3a5, 1, 1, FLAME_1, ALL},
    {"MSR_FLAME_ESCR0", 0x3a6, 0, 0, FLAME_0, ALL},
    {"MSR_FLAME_ESCR1", 0x3a7, 0, 1, FLAME_1, ALL},
    {"MSR_DAC_ESCR0",   0x3a8, 5, 0, FLAME_0, ALL},
    {"MSR_DAC_ESCR1",   0x3a9, 5, 1, FLAME_1, ALL},
    {"MSR_MOB_ESCR0",   0x3aa, 2, 0, BPU_0,   ALL},
    {"MSR_MOB_ESCR1",   0x3ab, 2, 1, BPU_1,   ALL},
    {"MSR_PMH_ESCR0",   0x3ac, 4, 0, BPU_0,   ALL},
    {"MSR_PMH_ESCR1",   0x3ad, 4, 1, BPU_1,   ALL},
    {"MSR_SAAT_ESCR0",  0x3ae, 2, 0, FLAME_0, ALL},
    {"MSR_SAAT_ESCR1",  0x3af, 2, 1, FLAME_1, ALL},
    {"MSR_U2L_ESCR0",   0x3b0, 3, 0, FLAME_0, ALL},
    {"MSR_U2L_ESCR1",   0x3b1, 3, 1, FLAME_1, ALL},
    {"MSR_BPU_ESCR0",   0x3b2, 0, 0, BPU_0,   ALL},
    {"MSR_BPU_ESCR1",   0x3b3, 0, 1, BPU_1,   ALL},
    {"MSR_IS_ESCR0",    0x3b4, 1, 0, BPU_0,   ALL},
    {"MSR_IS_ESCR1",    0x3b5, 1, 1, BPU_1,   ALL},
    {"MSR_ITLB_ESCR0",  0x3b6, 3, 0, BPU_0,   ALL},
    {"MSR_ITLB_ESCR1",  0x3b7, 3, 1, BPU_1,   ALL},
    {"MSR_CRU_ESCR0",   0x3b8, 4, 0, IQ_0,    ALL},
    {"MSR_CRU_ESCR1",   0x3b9, 4, 1, IQ_1,    ALL},
    {"MSR_IQ_ESCR0",    0x3ba, 0, 0, IQ_0,    EARLY},
    {"MSR_IQ_ESCR1",    0x3bb, 0, 1, IQ_1,    EARLY},
    {"MSR_RAT_ESCR0",   0x3bc, 2, 0, IQ_0,    ALL},
    {"MSR_RAT_ESCR1",   0x3bd, 2, 1, IQ_1,    ALL},
    {"MSR_SSU_ESCR0",   0x3be, 3, 0, IQ_0,    ALL},
    {"MSR_MS_ESCR0",    0x3c0, 0, 0, MS_0,    ALL},
    {"MSR_MS_ESCR1",    0x3c1, 0, 1, MS_1,    ALL},
    {"MSR_TBPU_ESCR0",  0x3c2, 2, 0, MS_0,    ALL},
    {"MSR_TBPU_ESCR1",  0x3c3, 2, 1, MS_1,    ALL},
    {"MSR_TC_ESCR0",    0x3c4, 1, 0, MS_0,    ALL},
    {"MSR_TC_ESCR1",    0x3c5, 1, 1, MS_1,    ALL},
    {"MSR_IX_ESCR0",    0x3c8, 5, 0, BPU_0,   ALL},
    {"MSR_IX_ESCR1",    0x3c9, 5, 1, BPU_1,   ALL},
    {"MSR_ALF_ESCR0",   0x3ca, 1, 0, IQ_0,    ALL},
    {"MSR_ALF_ESCR1",   0x3cb, 1, 1, IQ_1,    ALL},
    {"MSR_CRU_ESCR2",   0x3cc, 5, 0, IQ_0,    ALL},
    {"MSR_CRU_ESCR3",   0x3cd, 5, 1, IQ_1,    ALL},
    {"MSR_CRU_ESCR4",   0x3e0, 6, 0, IQ_0,    ALL},
    {"MSR_CRU_ESCR5",   0x3e1, 6, 1, IQ_1,    ALL},
};

/* The same section; "Cascading Counters", "EXTENDED CASCADING"; precise events: "Processor Event-Based
 * Sampling (PEBS)" */
const struct netburst_counter netburst_counters[NETBURST_COUNTERS] = {
    /* name, CCCR, addresses, group, half; started by: cascade, extended cascade; PEBS */
    [0]  = {"MSR_BPU_COUNTER0",   "MSR_BPU_CCCR0",   0x300, 0x360, NETBURST_BPU,   0,  2, NONE, NONE},
    [1]  = {"MSR_BPU_COUNTER1",   "MSR_BPU_CCCR1",   0x301, 0x361, NETBURST_BPU,   0,  3, NONE, NONE},
    [2]  = {"MSR_BPU_COUNTER2",   "MSR_BPU_CCCR2",   0x302, 0x362, NETBURST_BPU,   1,  0, NONE, NONE},
    [3]  = {"MSR_BPU_COUNTER3",   "MSR_BPU_CCCR3",   0x303, 0x363, NETBURST_BPU,   1,  1, NONE, NONE},
    [4]  = {"MSR_MS_COUNTER0",    "MSR_MS_CCCR0",    0x304, 0x364, NETBURST_MS,    0,  6, NONE, NONE},
    [5]  = {"MSR_MS_COUNTER1",    "MSR_MS_CCCR1",    0x305, 0x365, NETBURST_MS,    0,  7, NONE, NONE},
    [6]  = {"MSR_MS_COUNTER2",    "MSR_MS_CCCR2",    0x306, 0x366, NETBURST_MS,    1,  4, NONE, NONE},
    [7]  = {"MSR_MS_COUNTER3",    "MSR_MS_CCCR3",    0x307, 0x367, NETBURST_MS,    1,  5, NONE, NONE},
    [8]  = {"MSR_FLAME_COUNTER0", "MSR_FLAME_CCCR0", 0x308, 0x368, NETBURST_FLAME, 0, 10, NONE, NONE},
    [9]  = {"MSR_FLAME_COUNTER1", "MSR_FLAME_CCCR1", 0x309, 0x369, NETBURST_FLAME, 0, 11, NONE, NONE},
    [10] = {"MSR_FLAME_COUNTER2", "MSR_FLAME_CCCR2", 0x30a, 0x36a, NETBURST_FLAME, 1,  8, NONE, NONE},
    [11] = {"MSR_FLAME_COUNTER3", "MSR_FLAME_CCCR3", 0x30b, 0x36b, NETBURST_FLAME, 1,  9, NONE, NONE},
    [12] = {"MSR_IQ_COUNTER0",    "MSR_IQ_CCCR0",    0x30c, 0x36c, NETBURST_IQ,    0, 14, 16,   NONE},
    [13] = {"MSR_IQ_COUNTER1",    "MSR_IQ_CCCR1",    0x30d, 0x36d, NETBURST_IQ,    0, 15, NONE, NONE},
    [14] = {"MSR_IQ_COUNTER2",    "MSR_IQ_CCCR2",    0x30e, 0x36e, NETBURST_IQ,    1, 12, NONE, NONE},
    [15] = {"MSR_IQ_COUNTER3",    "MSR_IQ_CCCR3",    0x30f, 0x36f, NETBURST_IQ,    1, 13, 17,   NONE},
    [16] = {"MSR_IQ_COUNTER4",    "MSR_IQ_CCCR4",    0x310, 0x370, NETBURST_IQ,    0, 14, 17,   0},
    [17] = {"MSR_IQ_COUNTER5",    "MSR_IQ_CCCR5",    0x311, 0x371, NETBURST_IQ,    1, 15, 16,   1},
};
/* clang-format on */

bool netburst_has_escr(unsigned escr, unsigned model)
{
    return netburst_escrs[escr].models == ALL || model <= 2;
}

unsigned netburst_escr_of(unsigned counter, unsigned select, unsigned model)
{
    for (unsigned i = 0; i < NETBURST_ESCRS; i++)
        if (netburst_escrs[i].select == select && netburst_escrs[i].counters >> counter & 1 &&
            netburst_has_escr(i, model))
            return i;
    return NONE;
}

unsigned netburst_escr_named(struct slice name)
{
    for (unsigned i = 0; i < NETBURST_ESCRS; i++)
        if (slice_is(name, netburst_escrs[i].name) || slice_is(name, netburst_escrs[i].name + 4))
            return i;
    return NONE;
}

unsigned netburst_group_of(unsigned escr)
{
    unsigned counter = 0;

    while (!(netburst_escrs[escr].counters >> counter & 1))
        counter++;
    return netburst_counters[counter].group;
}

bool netburst_are_pair(unsigned a, unsigned b)
{
    return netburst_group_of(a) == netburst_group_of(b) &&
           netburst_escrs[a].select == netburst_escrs[b].select &&
           netburst_escrs[a].half != netburst_escrs[b].half;
}

bool netburst_is_cccr(uint32_t msr)
{
    return msr >= netburst_counters[0].cccr && msr <= netburst_counters[NETBURST_COUNTERS - 1].cccr;
}

static const char *name_of(uint32_t msr)
{
    for (unsigned i = 0; i < NETBURST_ESCRS; i++)
        if (netburst_escrs[i].address == msr)
            return netburst_escrs[i].name;
    for (unsigned i = 0; i < NETBURST_COUNTERS; i++) {
        if (netburst_counters[i].address == msr)
            return netburst_counters[i].name;
        if (netburst_counters[i].cccr == msr)
            return netburst_counters[i].cccr_name;
    }
    return msr == MSR_PEBS_MATRIX_VERT ? "MSR_PEBS_MATRIX_VERT" : NULL;
}

bool netburst_has_register(uint32_t msr)
{
    return name_of(msr) != NULL;
}

bool netburst_register_name(uint32_t msr, char *out, unsigned size)
{
    const char *name = name_of(msr);

    if (name != NULL)
        format(out, size, "%s", name);
    return name != NULL;
}

uint64_t netburst_cccr_reserved(unsigned counter, unsigned model)
{
    const uint64_t reserved = ~(0ull CCCR_FIELDS(FIELD_UNION));

    if (netburst_counters[counter].extended_from != NONE && model >= 2)
        return reserved;
    return reserved | field_mask(CCCR_EXTENDED_CASCADE);
}

void netburst_counters_text(uint32_t counters, char out[NETBURST_COUNTERS_TEXT])
{
    size_t length = 0;

    format(out, NETBURST_COUNTERS_TEXT, "none");
    for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
        if (counters >> i & 1)
            length += format(out + length, NETBURST_COUNTERS_TEXT - length, "%s%u",
                             length > 0 ? ", " : "", i);
}
