/* The ESCRs, and the counters that they are wired to.
 *
 * Sources: SDM 3B, "Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)",
 * its table of counters with their CCCRs and ESCRs, and the tables of non-retirement and
 * at-retirement events. */
#include "netburst_state.h"

/* clang-format off */
const struct netburst_escr netburst_escrs[NETBURST_ESCRS] = {
    { 0x3a0, UNIT_BSU, 0 },   { 0x3a1, UNIT_BSU, 1 },   { 0x3a2, UNIT_FSB, 0 },
    { 0x3a3, UNIT_FSB, 1 },   { 0x3a4, UNIT_FIRM, 0 },  { 0x3a5, UNIT_FIRM, 1 },
    { 0x3a6, UNIT_FLAME, 0 }, { 0x3a7, UNIT_FLAME, 1 }, { 0x3a8, UNIT_DAC, 0 },
    { 0x3a9, UNIT_DAC, 1 },   { 0x3aa, UNIT_MOB, 0 },   { 0x3ab, UNIT_MOB, 1 },
    { 0x3ac, UNIT_PMH, 0 },   { 0x3ad, UNIT_PMH, 1 },   { 0x3ae, UNIT_SAAT, 0 },
    { 0x3af, UNIT_SAAT, 1 },  { 0x3b0, UNIT_U2L, 0 },   { 0x3b1, UNIT_U2L, 1 },
    { 0x3b2, UNIT_BPU, 0 },   { 0x3b3, UNIT_BPU, 1 },   { 0x3b4, UNIT_IS, 0 },
    { 0x3b5, UNIT_IS, 1 },    { 0x3b6, UNIT_ITLB, 0 },  { 0x3b7, UNIT_ITLB, 1 },
    { 0x3b8, UNIT_CRU01, 0 }, { 0x3b9, UNIT_CRU01, 1 }, { 0x3ba, UNIT_IQ, 0 },
    { 0x3bb, UNIT_IQ, 1 },    { 0x3bc, UNIT_RAT, 0 },   { 0x3bd, UNIT_RAT, 1 },
    { 0x3be, UNIT_SSU, 0 },   { 0x3c0, UNIT_MS, 0 },    { 0x3c1, UNIT_MS, 1 },
    { 0x3c2, UNIT_TBPU, 0 },  { 0x3c3, UNIT_TBPU, 1 },  { 0x3c4, UNIT_TC, 0 },
    { 0x3c5, UNIT_TC, 1 },    { 0x3c8, UNIT_IX, 0 },    { 0x3c9, UNIT_IX, 1 },
    { 0x3ca, UNIT_ALF, 0 },   { 0x3cb, UNIT_ALF, 1 },   { 0x3cc, UNIT_CRU23, 0 },
    { 0x3cd, UNIT_CRU23, 1 }, { 0x3e0, UNIT_CRU45, 0 }, { 0x3e1, UNIT_CRU45, 1 },
};
/* clang-format on */

/* Counters form groups. A unit feeds one group, whose CCCRs select the unit by its number. */
enum counter_group { GROUP_BPU, GROUP_MS, GROUP_FLAME, GROUP_IQ };
static const struct {
    enum counter_group group;
    uint8_t select;
    const char *name;
} units[UNIT_COUNT] = {
    [UNIT_BPU] = {GROUP_BPU, 0, "BPU"},     [UNIT_IS] = {GROUP_BPU, 1, "IS"},
    [UNIT_MOB] = {GROUP_BPU, 2, "MOB"},     [UNIT_ITLB] = {GROUP_BPU, 3, "ITLB"},
    [UNIT_PMH] = {GROUP_BPU, 4, "PMH"},     [UNIT_IX] = {GROUP_BPU, 5, "IX"},
    [UNIT_FSB] = {GROUP_BPU, 6, "FSB"},     [UNIT_BSU] = {GROUP_BPU, 7, "BSU"},
    [UNIT_MS] = {GROUP_MS, 0, "MS"},        [UNIT_TC] = {GROUP_MS, 1, "TC"},
    [UNIT_TBPU] = {GROUP_MS, 2, "TBPU"},    [UNIT_FLAME] = {GROUP_FLAME, 0, "FLAME"},
    [UNIT_FIRM] = {GROUP_FLAME, 1, "FIRM"}, [UNIT_SAAT] = {GROUP_FLAME, 2, "SAAT"},
    [UNIT_U2L] = {GROUP_FLAME, 3, "U2L"},   [UNIT_DAC] = {GROUP_FLAME, 5, "DAC"},
    [UNIT_IQ] = {GROUP_IQ, 0, "IQ"},        [UNIT_ALF] = {GROUP_IQ, 1, "ALF"},
    [UNIT_RAT] = {GROUP_IQ, 2, "RAT"},      [UNIT_SSU] = {GROUP_IQ, 3, "SSU"},
    [UNIT_CRU01] = {GROUP_IQ, 4, "CRU"},    [UNIT_CRU23] = {GROUP_IQ, 5, "CRU"},
    [UNIT_CRU45] = {GROUP_IQ, 6, "CRU"},
};

static const struct {
    enum counter_group group;
    uint8_t half;
} counters[NETBURST_COUNTERS] = {
    {GROUP_BPU, 0},   {GROUP_BPU, 0},   {GROUP_BPU, 1}, {GROUP_BPU, 1},   {GROUP_MS, 0},
    {GROUP_MS, 0},    {GROUP_MS, 1},    {GROUP_MS, 1},  {GROUP_FLAME, 0}, {GROUP_FLAME, 0},
    {GROUP_FLAME, 1}, {GROUP_FLAME, 1}, {GROUP_IQ, 0},  {GROUP_IQ, 0},    {GROUP_IQ, 1},
    {GROUP_IQ, 1},    {GROUP_IQ, 0},    {GROUP_IQ, 1},
};

int netburst_wired(unsigned counter, unsigned select)
{
    for (int i = 0; i < NETBURST_ESCRS; i++)
        if (netburst_escrs[i].half == counters[counter].half &&
            units[netburst_escrs[i].unit].group == counters[counter].group &&
            units[netburst_escrs[i].unit].select == select)
            return i;
    return -1;
}

const char *netburst_unit_name(enum escr_unit unit)
{
    return units[unit].name;
}
