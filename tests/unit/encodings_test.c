/* The event encodings of the image against two other statements of them: libpfm4, and the vendor's
 * own tables where they lie beside the project (../shared/perfmon). A name that a source lacks is
 * listed; a difference fails. */
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

/* The description, libpfm4's name of the PMU, and the vendor's key. */
static const struct cpu {
    const char *description, *pfm, *perfmon;
} cpus[] = {
    {"skylakex", "skx", "SKX"},
    {"icelakex", "icx", "ICX"},
};

/* Where libpfm4 is known to differ from the vendor's event file and from the SDM: what it says
 * there. */
static const struct {
    const char *name;
    uint64_t code;
    const char *why;
} differences[] = {
    {"icx::TOPDOWN:BACKEND_BOUND_SLOTS", 0x0200,
     "event a4 umask 02 in the vendor's file and as architectural event"},
};

static bool known_difference(const char *name, uint64_t code)
{
    for (size_t i = 0; i < sizeof(differences) / sizeof(differences[0]); i++)
        if (strcmp(differences[i].name, name) == 0 && differences[i].code == (code & SELECTION)) {
            print_message("# libpfm4 differs: %s, %s\n", name, differences[i].why);
            return true;
        }
    return false;
}

static uint64_t selection(const struct event *event)
{
    return field_of(PERFEVTSEL_EVENT_SELECT, event->code) |
           field_of(PERFEVTSEL_UMASK, event->umask) | field_of(PERFEVTSEL_CMASK, event->cmask) |
           field_of(PERFEVTSEL_EDGE, event->edge) | field_of(PERFEVTSEL_ANY, event->any) |
           field_of(PERFEVTSEL_INV, event->inv);
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

static void general_encodings_equal_libpfm4s(void **state)
{
    (void)state;
    setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
    assert_int_equal(pfm_initialize(), PFM_SUCCESS);
    for (size_t c = 0; c < sizeof(cpus) / sizeof(cpus[0]); c++) {
        struct description description;
        unsigned compared = 0;

        tests_builtin(&description, cpus[c].description);
        for (unsigned i = 0; i < description.event_count; i++) {
            const struct event *event = &description.events[i];
            char name[128];
            uint64_t code;

            pfm_name(cpus[c].pfm, event->name, name, sizeof(name));
            if (!pfm_encode(name, &code)) {
                print_message("# not in libpfm4: %s %s\n", cpus[c].description, event->name);
                continue;
            }
            compared++;
            if (event->kind == EVENT_FIXED &&
                (code & 0xff) == 0) { /* its way to say "fixed counter UMASK - 1" */
                assert_int_equal((code >> 8 & 0xff) - 1, event->fixed);
                continue;
            }
            if ((code & SELECTION) != selection(event) && known_difference(name, code))
                continue;
            if ((code & SELECTION) != selection(event))
                print_error("%s: libpfm4 0x%llx\n", name, (unsigned long long)code);
            assert_true((code & SELECTION) == selection(event));
        }
        print_message("# %s: %u of %u events compared with libpfm4\n", cpus[c].description,
                      compared, description.event_count);
        assert_true(compared > description.event_count * 3 / 4);
    }
    pfm_terminate();
}

/* One line of the vendor's CSV: the fields that matter, by column name. */
struct row {
    char name[96], event[16], umask[16], cmask[16], invert[16], edge[16], any[16], counters[64],
        counters_alone[64];
};

static unsigned split(char *line, char **fields, unsigned limit)
{
    unsigned count = 0;

    while (count < limit) {
        char *end;

        if (*line == '"') {
            fields[count++] = ++line;
            end = strchr(line, '"');
            *end++ = 0;
        } else {
            fields[count++] = line;
            end = line + strcspn(line, ",\r\n");
        }
        if (*end != ',')
            break;
        *end = 0;
        line = end + 1;
    }
    return count;
}

static void take(char *out, size_t size, char **fields, char **titles, unsigned count,
                 const char *title)
{
    *out = 0;
    for (unsigned i = 0; i < count; i++)
        if (strcmp(titles[i], title) == 0)
            snprintf(out, size, "%.*s", (int)strcspn(fields[i], "\r\n"), fields[i]);
}

static bool find_row(const char *path, const char *title, const char *name, struct row *row)
{
    static char header[65536], line[65536];
    char *titles[32], *fields[32];
    FILE *file = fopen(path, "r");
    unsigned count = 0;
    bool found = false;

    if (!file)
        return false;
    if (fgets(header, sizeof(header), file))
        count = split(header, titles, 32);
    while (!found && fgets(line, sizeof(line), file)) {
        unsigned fields_found = split(line, fields, 32);

        if (fields_found < count)
            count = fields_found;
        take(row->name, sizeof(row->name), fields, titles, count, title);
        found = strcmp(row->name, name) == 0;
    }
    if (found) {
        take(row->event, sizeof(row->event), fields, titles, count, "EventCode");
        take(row->umask, sizeof(row->umask), fields, titles, count, "UMask");
        take(row->cmask, sizeof(row->cmask), fields, titles, count, "CounterMask");
        take(row->invert, sizeof(row->invert), fields, titles, count, "Invert");
        take(row->edge, sizeof(row->edge), fields, titles, count, "EdgeDetect");
        take(row->any, sizeof(row->any), fields, titles, count, "AnyThread");
        take(row->counters, sizeof(row->counters), fields, titles, count, "Counter");
        take(row->counters_alone, sizeof(row->counters_alone), fields, titles, count,
             "CounterHTOff");
    }
    fclose(file);
    return found;
}

static bool find_event(const char *key, const char *name, struct row *row)
{
    char path[128];

    snprintf(path, sizeof(path), "../shared/perfmon/%s/events.csv", key);
    if (find_row(path, "EventName", name, row))
        return true;
    snprintf(path, sizeof(path), "../shared/perfmon/%s/refs.csv", key);
    return find_row(path, "Ref", name, row);
}

static uint32_t counters_of(const char *list)
{
    uint32_t counters = 0;

    for (; *list; list += *list == ',')
        counters |= 1u << strtoul(list, (char **)&list, 10);
    return counters;
}

static void assert_row(const struct event *event, const struct row *row)
{
    struct event vendor = {
        .code = (uint8_t)strtoul(row->event, NULL, 16),
        .umask = (uint8_t)strtoul(row->umask, NULL, 16),
        .cmask = (uint8_t)strtoul(row->cmask, NULL, 10),
        .edge = row->edge[0] == '1',
        .inv = row->invert[0] == '1',
        .any = row->any[0] == '1',
    };
    uint32_t counters = counters_of(*row->counters_alone ? row->counters_alone : row->counters);

    if (selection(event) != selection(&vendor) || (event->counters & 0xff) != counters)
        print_error("%s: the vendor has 0x%llx on counters 0x%x\n", event->name,
                    (unsigned long long)selection(&vendor), counters);
    assert_true(selection(event) == selection(&vendor));
    assert_int_equal(event->counters & 0xff, counters);
}

/* What stands on a fixed counter, and the vendor's name of the same count on a general one. */
static const struct {
    const char *fixed, *general;
    unsigned counter;
} pairs[] = {
    {"INST_RETIRED.ANY", "INST_RETIRED.ANY_P", 0},
    {"CPU_CLK_UNHALTED.THREAD", "CPU_CLK_UNHALTED.THREAD_P", 1},
    {"CPU_CLK_UNHALTED.THREAD_ANY", "CPU_CLK_UNHALTED.THREAD_P_ANY", 1},
    {"CPU_CLK_UNHALTED.REF_TSC", NULL, 2},
    {"TOPDOWN.SLOTS", "TOPDOWN.SLOTS_P", 3},
};

static void assert_fixed(const struct event *event, const struct row *row, const char *key)
{
    struct row general;
    unsigned i = 0;

    while (i < sizeof(pairs) / sizeof(pairs[0]) && strcmp(pairs[i].fixed, event->name) != 0)
        i++;
    assert_true(i < sizeof(pairs) / sizeof(pairs[0]));
    assert_int_equal(row->counters[strlen("Fixed counter ")] - '0', (int)pairs[i].counter);
    if (event->kind == EVENT_FIXED)
        assert_int_equal(event->fixed, pairs[i].counter);
    assert_int_equal(event->encodable, pairs[i].general != NULL);
    if (!pairs[i].general)
        return;
    assert_true(find_event(key, pairs[i].general, &general));
    assert_row(event, &general);
}

static void encodings_and_counters_equal_the_vendors_tables(void **state)
{
    FILE *file = fopen("../shared/perfmon/SKX/events.csv", "r");

    (void)state;
    if (!file) {
        print_message("# skipped: the vendor's tables are not at ../shared/perfmon\n");
        skip();
    }
    fclose(file);
    for (size_t c = 0; c < sizeof(cpus) / sizeof(cpus[0]); c++) {
        struct description description;

        tests_builtin(&description, cpus[c].description);
        for (unsigned i = 0; i < description.event_count; i++) {
            const struct event *event = &description.events[i];
            struct row row;

            if (event->kind == EVENT_METRIC || event->kind == EVENT_SLOTS)
                continue;
            if (!find_event(cpus[c].perfmon, event->name, &row))
                print_error("%s: not among the vendor's events\n", event->name);
            assert_true(find_event(cpus[c].perfmon, event->name, &row));
            if (strncmp(row.counters, "Fixed", 5) == 0)
                assert_fixed(event, &row, cpus[c].perfmon);
            else
                assert_row(event, &row);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(general_encodings_equal_libpfm4s),
        cmocka_unit_test(encodings_and_counters_equal_the_vendors_tables),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    tests_free();
    return failed;
}
