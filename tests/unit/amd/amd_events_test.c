/* Events and metrics of the descriptions of AMD's parts against the tables of AMD's lists, where
 * they are beside the project (../shared/amd): every event, its PERF_CTL, every metric of Topdown.
 */
#include "tests/unit/cmocka_all.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/amd/pass.h"
#include "tests/unit/descriptions.h"
#include "tests/unit/vendor.h"

#define ENABLED 0x430000u /* EN, OS and USR of PERF_CTL, which the tables leave out */

static const char *const generations[] = {"zen4"};

static bool open_table(struct sheet *sheet, const char *generation, const char *file)
{
    char key[40];

    snprintf(key, sizeof(key), "../amd/%s", generation);
    return vendor_open(sheet, key, file);
}

/* A colon is a modifier's in a formula. */
static const char *stated_name(const char *name, char *out, size_t size)
{
    snprintf(out, size, "%s", name);
    for (char *c = out; *c != 0; c++)
        if (*c == ':')
            *c = '.';
    return out;
}

static unsigned check_events(const struct sheet *sheet, const struct description *description)
{
    unsigned wrong = 0;

    for (unsigned row = 1; row < sheet->row_count; row++) {
        char name[DESCRIPTION_NAME];
        const struct event *event = description_event(
            description, stated_name(vendor_at(sheet, row, "name"), name, sizeof(name)));
        const uint64_t control = strtoull(vendor_at(sheet, row, "perf_ctl"), NULL, 0) | ENABLED;

        if (event != NULL && amd_event_select(event) == control)
            continue;
        print_error("%s: %s is not 0x%llx\n", description->file, name, (unsigned long long)control);
        wrong++;
    }
    return wrong;
}

static unsigned plain_events(const struct description *description)
{
    unsigned count = 0;

    for (unsigned i = 0; i < description->event_count; i++)
        count += strchr(description->events[i].name, ':') == NULL;
    return count;
}

static void every_event_of_the_list_is_stated_and_no_other(void **state)
{
    (void)state;
    for (unsigned i = 0; i < COUNT_OF(generations); i++) {
        struct description description;
        struct sheet sheet;

        if (!open_table(&sheet, generations[i], "events.csv"))
            skip();
        tests_builtin(&description, generations[i]);
        assert_int_equal(check_events(&sheet, &description), 0);
        assert_int_equal(plain_events(&description), sheet.row_count - 1);
        vendor_close(&sheet);
    }
}

/* The text without blanks. */
static void squeeze(const char *text, char *out, size_t size)
{
    size_t length = 0;

    for (; *text != 0 && length + 1 < size; text++)
        if (!isspace((unsigned char)*text))
            out[length++] = *text;
    out[length] = 0;
}

static unsigned check_metric(const struct sheet *sheet, unsigned row,
                             const struct description *description)
{
    const struct node *node = description_node(description, vendor_at(sheet, row, "name"));
    const unsigned level = (unsigned)strtoul(vendor_at(sheet, row, "level"), NULL, 10);
    const char *parent = vendor_at(sheet, row, "parent");
    char wanted[400], stated[400], text[400];

    squeeze(vendor_at(sheet, row, "formula"), wanted, sizeof(wanted));
    if (node == NULL) {
        print_error("%s: no %s\n", description->file, vendor_at(sheet, row, "name"));
        return 1;
    }
    snprintf(text, sizeof(text), "%.*s", (int)node->formula.length, node->formula.text);
    squeeze(text, stated, sizeof(stated));
    if (node->level == level &&
        (parent[0] == 0 ? node->parent < 0
                        : strcmp(description->nodes[node->parent].name, parent) == 0) &&
        strcmp(stated, wanted) == 0)
        return 0;
    print_error("%s: %s is %s, in the list %s\n", description->file, node->name, stated, wanted);
    return 1;
}

static void every_metric_of_the_pipeline_is_a_node(void **state)
{
    struct sheet sheet;
    unsigned wrong = 0, found = 0;

    (void)state;
    if (!vendor_open(&sheet, "../amd", "metrics.csv"))
        skip();
    for (unsigned i = 0; i < COUNT_OF(generations); i++) {
        struct description description;

        tests_builtin(&description, generations[i]);
        for (unsigned row = 1; row < sheet.row_count; row++) {
            if (strcmp(vendor_at(&sheet, row, "generation"), generations[i]) != 0 ||
                strcmp(vendor_at(&sheet, row, "kind"), "pipeline") != 0 ||
                strcmp(vendor_at(&sheet, row, "unit"), "slots") == 0)
                continue;
            wrong += check_metric(&sheet, row, &description);
            found++;
        }
    }
    vendor_close(&sheet);
    assert_int_equal(wrong, 0);
    assert_true(found >= 13);
}

static int tear_down(void **state)
{
    (void)state;
    tests_free();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_event_of_the_list_is_stated_and_no_other),
        cmocka_unit_test(every_metric_of_the_pipeline_is_a_node),
    };

    return cmocka_run_group_tests(tests, NULL, tear_down);
}
