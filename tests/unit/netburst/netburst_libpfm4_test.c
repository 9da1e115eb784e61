/* The values of ESCR and CCCR against libpfm4's, for all its events and masks of NetBurst, each
 * with several modifiers. What differs is listed with its reason, and nothing else may differ. */
#include "tests/unit/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perfmon/pfmlib.h>

#include "tests/unit/netburst/netburst_names.h"

/* Our name of an event or mask of libpfm4 that it calls otherwise, as EVENT:MASK. */
static const struct {
    const char *theirs, *ours, *why;
} renamed[] = {
    {"uops_type:TAGLOADS", "uop_type:TAGLOADS", "the manual's name is uop_type"},
    {"uops_type:TAGSTORES", "uop_type:TAGSTORES", "the manual's name is uop_type"},
    {"mispred_branch_retired:BOGUS", "mispred_branch_retired:NBOGUS",
     "the manual calls this bit NBOGUS"},
};

/* Where the values differ: what libpfm4 gives beyond or instead of ours, and why ours stands. */
static const char
    bus_select[] = "CCCR select: 3 in the manual's event table, whence libpfm4 has it; the event's "
                   "ESCRs are those of the FSB, which the manual's table of ESCRs gives select 6",
    one_bit[] = "libpfm4 encodes BIT4, BIT5 and BIT6 all as bit 4; the manual's field is bits 6:1",
    no_mask[] = "libpfm4 leaves the event mask empty when only a tag is named; the manual's table "
                "of execution tagging wants ALL beside the tag",
    virtual_mask[] = "libpfm4 takes the metric as a mask that sets no bit; the manual's table of "
                     "replay tagging wants NBOGUS beside it";

static const char *escr_reason(const char *event, const char *mask, uint32_t bits)
{
    if (strcmp(event, "b2b_cycles") == 0 && ((strcmp(mask, "BIT5") == 0 && bits == 3 << 13) ||
                                             (strcmp(mask, "BIT6") == 0 && bits == 5 << 13)))
        return one_bit;
    if (strncmp(mask, "TAG", 3) == 0 && strlen(mask) == 4 && bits == 1 << 24)
        return no_mask;
    if (strcmp(event, "replay_event") == 0 && bits == 1 << 9)
        return virtual_mask;
    return NULL;
}

static const char *cccr_reason(const char *event, uint32_t bits)
{
    static const char *const bus[] = {"b2b_cycles", "bnr", "snoop", "response"};

    for (size_t i = 0; i < sizeof(bus) / sizeof(bus[0]); i++)
        if (strcmp(event, bus[i]) == 0 && bits == (3 ^ 6) << 13)
            return bus_select;
    return NULL;
}

/* libpfm4's short names of replay metrics. */
static const char *const metrics[][2] = {
    {"L1_LD_MISS", "1stL_cache_load_miss_retired"}, {"L2_LD_MISS", "2ndL_cache_load_miss_retired"},
    {"DTLB_LD_MISS", "DTLB_load_miss_retired"},     {"DTLB_ST_MISS", "DTLB_store_miss_retired"},
    {"DTLB_ALL_MISS", "DTLB_all_miss_retired"},     {"BR_MSP", "tagged_mispred_branch"},
    {"MOB_LD_REPLAY", "MOB_load_replay_retired"},   {"SP_LD_RET", "split_load_retired"},
    {"SP_ST_RET", "split_store_retired"},
};

/* Our name for EVENT:MASK of libpfm4; *why: why it is another. */
static void our_name(const char *event, const char *mask, char *out, size_t size, const char **why)
{
    *why = NULL;
    snprintf(out, size, "%s:%s", event, mask);
    for (size_t i = 0; i < sizeof(renamed) / sizeof(renamed[0]); i++)
        if (strcmp(out, renamed[i].theirs) == 0) {
            *why = renamed[i].why;
            snprintf(out, size, "%s", renamed[i].ours);
            return;
        }
    if (strncmp(mask, "TYPE_BIT", 8) == 0) { /* bits of the manual's nameless field */
        *why = "bits of one field, which the manual calls the bus request type";
        snprintf(out, size, "%s:REQ_TYPE%s", event, mask + 8);
    }
    for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
        if (strcmp(event, "replay_event") == 0 && strcmp(mask, metrics[i][0]) == 0) {
            *why = "the manual's name of the metric is longer";
            snprintf(out, size, "%s:%s", event, metrics[i][1]);
        }
}

static bool pfm_values(const char *name, unsigned rings, uint64_t values[2])
{
    pfm_pmu_encode_arg_t argument = {.size = sizeof(argument)};
    bool found = pfm_get_os_event_encoding(name, (int)rings, PFM_OS_NONE, &argument) == PFM_SUCCESS;

    if (found && argument.count >= 2)
        memcpy(values, argument.codes, 2 * sizeof(*values));
    free(argument.codes);
    return found && argument.count >= 2;
}

struct tally {
    unsigned equal, explained, unexplained;
};

/* Says what differs, when it is compared without modifiers. Returns whether all is explained. */
static bool explain(const char *name, const char *modifiers, const char *escr, uint32_t escr_bits,
                    const char *cccr, uint32_t cccr_bits)
{
    const bool explained = (escr_bits == 0 || escr != NULL) && (cccr_bits == 0 || cccr != NULL);

    if (escr_bits != 0 && (!modifiers[0] || escr == NULL))
        print_message("# %s: ESCR differs in 0x%08x: %s\n", name, escr_bits,
                      escr != NULL ? escr : "NOT EXPLAINED");
    if (cccr_bits != 0 && (!modifiers[0] || cccr == NULL))
        print_message("# %s: CCCR differs in 0x%08x: %s\n", name, cccr_bits,
                      cccr != NULL ? cccr : "NOT EXPLAINED");
    return explained;
}

/* `theirs` is libpfm4's whole name of that event, mask and modifiers. */
static void compare(const struct description *description, const char *theirs, const char *event,
                    const char *mask, const char *modifiers, struct tally *tally)
{
    char name[160];
    struct netburst_request request;
    struct complaint complaint;
    uint64_t values[2];
    uint32_t escr, cccr;
    const char *why;

    our_name(event, mask, name, sizeof(name) - 20, &why);
    if (why != NULL && !modifiers[0])
        print_message("# libpfm4's %s:%s is %s: %s\n", event, mask, name, why);
    strcat(name, modifiers);
    if (!pfm_values(theirs, PFM_PLM0 | PFM_PLM3, values))
        fail_msg("libpfm4 does not know %s", theirs);
    if (!netburst_read(&request, description, names_slice(name), &complaint))
        fail_msg("%s: %s", name, complaint.message);
    escr = netburst_escr_value(&request, NETBURST_BOTH) ^ (uint32_t)values[0];
    cccr = netburst_cccr_value(&request) ^ (uint32_t)values[1];
    if (escr == 0 && cccr == 0)
        tally->equal++;
    else if (explain(name, modifiers, escr_reason(event, mask, escr), escr,
                     cccr_reason(event, cccr), cccr))
        tally->explained++;
    else
        tally->unexplained++;
}

/* What the manual names beside a tag or a metric, and libpfm4's user has to. */
static const char *beside(const char *event, const char *mask)
{
    if (strncmp(mask, "TAG", 3) == 0 && strlen(mask) == 4)
        return "ALL:";
    for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
        if (strcmp(event, "replay_event") == 0 && strcmp(mask, metrics[i][0]) == 0)
            return "NBOGUS:";
    return "";
}

static void compare_event(const struct description *description, const char *pmu, int index,
                          struct tally *tally)
{
    static const char *const modifiers[] = {"", ":u", ":k", ":e", ":cmpl", ":thr=3", ":e:thr=15:u"};
    pfm_event_info_t info = {.size = sizeof(info)};

    assert_int_equal(pfm_get_event_info(index, PFM_OS_NONE, &info), PFM_SUCCESS);
    for (int a = 0; a < info.nattrs; a++) {
        pfm_event_attr_info_t mask = {.size = sizeof(mask)};
        char name[160];

        assert_int_equal(pfm_get_event_attr_info(index, a, PFM_OS_NONE, &mask), PFM_SUCCESS);
        if (mask.type != PFM_ATTR_UMASK)
            continue;
        for (size_t m = 0; m < sizeof(modifiers) / sizeof(modifiers[0]); m++) {
            const char *other = beside(info.name, mask.name);

            snprintf(name, sizeof(name), "%s::%s:%s%s", pmu, info.name, mask.name, modifiers[m]);
            compare(description, name, info.name, mask.name, modifiers[m], tally);
            if (!other[0])
                continue;
            snprintf(name, sizeof(name), "%s::%s:%s%s%s", pmu, info.name, other, mask.name,
                     modifiers[m]);
            compare(description, name, info.name, mask.name, modifiers[m], tally);
        }
    }
}

static void every_event_and_mask_of_libpfm4_has_its_values(void **state)
{
    static const struct {
        pfm_pmu_t pmu;
        const char *name;
        const struct description *description;
        int events, equal; /* equal: masks whose values are the same */
    } pmus[] = {{PFM_PMU_INTEL_NETBURST, "netburst", &netburst, 45, 190},
                {PFM_PMU_INTEL_NETBURST_P, "netburst_p", &prescott, 46, 192}};

    (void)state;
    setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
    assert_int_equal(pfm_initialize(), PFM_SUCCESS);
    for (size_t i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++) {
        pfm_pmu_info_t info = {.size = sizeof(info)};
        struct tally tally = {0, 0, 0};
        int events = 0;

        assert_int_equal(pfm_get_pmu_info(pmus[i].pmu, &info), PFM_SUCCESS);
        for (int e = info.first_event; e != -1; e = pfm_get_event_next(e), events++)
            compare_event(pmus[i].description, pmus[i].name, e, &tally);
        print_message("# %s: %u values equal libpfm4's, %u differ for a reason, %u without\n",
                      pmus[i].name, tally.equal, tally.explained, tally.unexplained);
        assert_int_equal(events, pmus[i].events);
        assert_int_equal(tally.unexplained, 0);
        /* 7 spellings: 28 tags alone, 9 metrics alone, 16 masks of 4 bus events */
        assert_int_equal(tally.explained, 7 * (28 + 9 + 16));
        assert_int_equal(tally.equal, 7 * (unsigned)pmus[i].equal);
    }
    pfm_terminate();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_event_and_mask_of_libpfm4_has_its_values),
    };
    int failed = cmocka_run_group_tests(tests, names_open, NULL);

    tests_free();
    return failed;
}
