/* The event encodings of the image against libpfm4's. A name that libpfm4 does not know is listed;
 * a difference fails, unless it is listed below with its reason. vendor_events_test.c compares with
 * the vendor's own tables. */
#include "tests/unit/cmocka_all.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perfmon/pfmlib.h>

#include "pmu/registers.h"
#include "tests/unit/descriptions.h"

#define SELECTION                                                                                  \
    (0xff00ffffULL | 1u << 18 | 1u << 21 | 1u << 23) /* event, umask, cmask, EDGE, ANY, INV */

/* libpfm4's PMU for each description. The test names the descriptions for which there is none. */
static const struct cpu {
    const char *description, *pfm;
} cpus[] = {
    {"sandybridge", "snb"},   {"jaketown", "snb_ep"},
    {"ivybridge", "ivb"},     {"ivytown", "ivb_ep"},
    {"haswell", "hsw"},       {"haswellx", "hsw_ep"},
    {"broadwell", "bdw"},     {"broadwellx", "bdw_ep"},
    {"skylake", "skl"},       {"coffeelake", "skl"},
    {"skylakex", "skx"},      {"cascadelakex", "clx"},
    {"cooperlakex", "clx"},   {"icelake", "icl"},
    {"icelakex", "icx"},      {"rocketlake", "icl"},
    {"tigerlake", "icl"},     {"sapphirerapids", "spr"},
    {"emeraldrapids", "spr"}, {"sapphirerapids_hbm", "spr"},
    {"core2", "core"},        {"nehalem", "nhm"},
    {"westmere", "wsm"},
};

static const char *pfm_of(const char *description)
{
    for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++)
        if (strcmp(cpus[i].description, description) == 0)
            return cpus[i].pfm;
    return NULL;
}

static const char
    a_pseudo_event[] = "event a4 in the vendor's file; libpfm4 gives it a pseudo-event's code",
    frontend_value[] = "libpfm4 has the value of MSR 3F7H where the vendor's file has the umask",
    prec_dist[] =
        "umask 00 in the vendor's file and as architectural event; 01 is the PEBS variant",
    pebs_variant[] =
        "umask 00 in the vendor's file and as architectural event; 04 is the PEBS variant",
    llc[] = "4f and 41 in the vendor's file and as architectural events",
    rfo_hit[] = "umask c2 in the vendor's file", local_dram[] = "umask 03 in the vendor's file";

/* Encodings in which libpfm4 is known to differ from the vendor's event file and from the SDM. */
static const struct {
    const char *name;
    uint64_t code;
    const char *why;
} differences[] = {
    {"icl::TOPDOWN:BACKEND_BOUND_SLOTS", 0x200, a_pseudo_event},
    {"icx::TOPDOWN:BACKEND_BOUND_SLOTS", 0x200, a_pseudo_event},
    {"spr::TOPDOWN:BACKEND_BOUND_SLOTS", 0x200, a_pseudo_event},
    {"spr::TOPDOWN:BR_MISPREDICT_SLOTS", 0x800, a_pseudo_event},
    {"spr::TOPDOWN:MEMORY_BOUND_SLOTS", 0x1000, a_pseudo_event},
    {"spr::INT_MISC:UNKNOWN_BRANCH_CYCLES", 0x7ad, frontend_value},
    {"spr::UOPS_RETIRED:MS", 0x8c2, frontend_value},
    {"spr::UOPS_RETIRED:MS:c=1", 0x10008c2, frontend_value},
    {"spr::UOPS_RETIRED:MS:c=1:e=1", 0x10408c2, frontend_value},
    {"spr::INST_RETIRED:ANY", 0x1c0, prec_dist},
    {"wsm::INST_RETIRED:ANY_P", 0x1c0, prec_dist},
    {"wsm::INST_RETIRED:ANY", 0x1c0, prec_dist},
    {"snb::LAST_LEVEL_CACHE_REFERENCES", 0x22e, llc},
    {"snb::LAST_LEVEL_CACHE_MISSES", 0x12e, llc},
    {"snb_ep::LAST_LEVEL_CACHE_REFERENCES", 0x22e, llc},
    {"snb_ep::LAST_LEVEL_CACHE_MISSES", 0x12e, llc},
    {"snb::BR_INST_RETIRED:ALL_BRANCHES", 0x4c4, pebs_variant},
    {"snb::BR_MISP_RETIRED:ALL_BRANCHES", 0x4c5, pebs_variant},
    {"snb_ep::BR_INST_RETIRED:ALL_BRANCHES", 0x4c4, pebs_variant},
    {"snb_ep::BR_MISP_RETIRED:ALL_BRANCHES", 0x4c5, pebs_variant},
    {"hsw::L2_RQSTS:RFO_HIT", 0x4224, rfo_hit},
    {"hsw_ep::L2_RQSTS:RFO_HIT", 0x4224, rfo_hit},
    {"bdw::L2_RQSTS:RFO_HIT", 0x4224, rfo_hit},
    {"bdw_ep::L2_RQSTS:RFO_HIT", 0x4224, rfo_hit},
    {"ivb_ep::MEM_LOAD_UOPS_LLC_MISS_RETIRED:LOCAL_DRAM", 0x1d3, local_dram},
};

static bool known_difference(const char *name, uint64_t code)
{
    for (size_t i = 0; i < sizeof(differences) / sizeof(differences[0]); i++)
        if (strcmp(differences[i].name, name) == 0 && differences[i].code == (code & SELECTION)) {
            print_message("\n# libpfm4 differs: %s, %s", name, differences[i].why);
            return true;
        }
    return false;
}

static uint64_t selection(const struct event *event)
{
    return field_of(PERFEVTSEL_EVENT_SELECT, event->code) |
           field_of(PERFEVTSEL_UMASK, event->umask) | field_of(PERFEVTSEL_CMASK, event->cmask) |
           field_of(PERFEVTSEL_EDGE, event->edge) | field_of(PERFEVTSEL_ANY, event->any) |
           field_of(PERFEVTSEL_INV, event->inv) | field_of(PERFEVTSEL_EQ, event->eq) |
           field_of(PERFEVTSEL_UMASK2, event->umask2);
}

/* EVENT.MASK.MORE:c1 is EVENT:MASK_MORE:c=1 there. */
static void pfm_name(const char *pmu, const char *name, char *out, size_t size)
{
    bool mask = false;
    size_t length = (size_t)snprintf(out, size, "%s::", pmu);

    for (; *name && length + 3 < size; name++) {
        bool modifier = *name == ':' && isdigit((unsigned char)name[2]);

        out[length++] = *name == '.' ? (mask ? '_' : ':') : *name;
        mask |= *name == '.';
        if (modifier) {
            out[length++] = *++name;
            out[length++] = '=';
        }
    }
    out[length] = 0;
}

static bool pfm_encode(const char *name, uint64_t *code)
{
    pfm_pmu_encode_arg_t argument = {.size = sizeof(argument)};
    bool found =
        pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &argument) == PFM_SUCCESS;

    if (found)
        *code = argument.codes[0];
    free(argument.codes);
    return found;
}

/* The vendor's name, and libpfm4's name of the same event on some of its PMUs. */
static const char *const aliases[][2] = {
    {"INST_RETIRED.ANY", "INST_RETIRED:ANY_P"},
    {"CPU_CLK_UNHALTED.THREAD", "CPU_CLK_UNHALTED:THREAD_P"},
    {"CPU_CLK_UNHALTED.THREAD", "CPU_CLK_UNHALTED:CORE_P"},
    {"CPU_CLK_UNHALTED.THREAD_ANY", "CPU_CLK_UNHALTED:THREAD_P_ANY"},
    {"CPU_CLK_UNHALTED.REF_XCLK", "CPU_CLK_UNHALTED:REF_P"},
    {"CPU_CLK_UNHALTED.REF_XCLK", "CPU_CLK_UNHALTED:BUS"},
    {"LONGEST_LAT_CACHE.REFERENCE", "LAST_LEVEL_CACHE_REFERENCES"},
    {"LONGEST_LAT_CACHE.MISS", "LAST_LEVEL_CACHE_MISSES"},
    {"BR_INST_RETIRED.ALL_BRANCHES", "BRANCH_INSTRUCTIONS_RETIRED"},
    {"BR_MISP_RETIRED.ALL_BRANCHES", "MISPREDICTED_BRANCH_RETIRED"},
    {"RS_UOPS_DISPATCHED.CYCLES_NONE", "RS_UOPS_DISPATCHED_NONE"},
    {"UOPS_ISSUED.STALL_CYCLES", "UOPS_ISSUED:STALLED_CYCLES"},
};

/* libpfm4's encoding, and the name under which it was found. */
static bool pfm_find(const char *pmu, const char *event, char *name, size_t size, uint64_t *code)
{
    pfm_name(pmu, event, name, size);
    if (pfm_encode(name, code))
        return true;
    for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
        if (strcmp(aliases[i][0], event) != 0)
            continue;
        snprintf(name, size, "%s::%s", pmu, aliases[i][1]);
        if (pfm_encode(name, code))
            return true;
    }
    return false;
}

static bool compare_with_pfm(const struct event *event, const char *pmu, bool *different)
{
    char name[128];
    uint64_t code;

    if (event->kind == EVENT_OUTSIDE || !pfm_find(pmu, event->name, name, sizeof(name), &code))
        return false;
    if (event->kind == EVENT_FIXED && (code & 0xff) == 0) { /* libpfm4's code of a fixed counter */
        assert_int_equal((code >> 8 & 0xff) - 1, event->fixed);
        return true;
    }
    if ((code & SELECTION) != (selection(event) & SELECTION) && !known_difference(name, code)) {
        print_error("%s: libpfm4 0x%llx, here 0x%llx\n", name, (unsigned long long)code,
                    (unsigned long long)selection(event));
        *different = true;
    }
    return true;
}

static void general_encodings_equal_libpfm4s(void **state)
{
    bool different = false;

    (void)state;
    setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
    assert_int_equal(pfm_initialize(), PFM_SUCCESS);
    for (unsigned c = 0; builtin_name(c) != NULL; c++) {
        const char *pmu = pfm_of(builtin_name(c));
        struct description description;
        unsigned compared = 0, lacking = 0;

        tests_builtin(&description, builtin_name(c));
        if (description.events[0].kind == EVENT_MASKED) {
            print_message("# %s: see netburst/netburst_libpfm4_test.c\n", builtin_name(c));
            tests_free();
            continue;
        }
        if (pmu == NULL) {
            tests_free();
            print_message("# libpfm4 has no PMU for %s\n", builtin_name(c));
            continue;
        }
        for (unsigned i = 0; i < description.event_count; i++) {
            if (compare_with_pfm(&description.events[i], pmu, &different)) {
                compared++;
                continue;
            }
            print_message("%s%s",
                          lacking++ % 4 ? " " : "\n# not in libpfm4:", description.events[i].name);
        }
        print_message("\n# %s: %u of %u events compared with libpfm4's %s\n", description.name,
                      compared, description.event_count, pmu);
        assert_true(compared > description.event_count / 2);
        tests_free();
    }
    pfm_terminate();
    assert_false(different);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(general_encodings_equal_libpfm4s),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    tests_free();
    return failed;
}
