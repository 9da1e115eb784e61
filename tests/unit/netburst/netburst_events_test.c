/* The events of NetBurst: what the parser makes of their lines, and each row of both descriptions
 * against the published tables where those are at hand. */
#include "tests/unit/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/netburst/event.h"
#include "pmu/netburst/registers.h"
#include "pmu/plan.h"
#include "tests/unit/descriptions.h"
#include "tests/unit/vendor.h"

#define FACTS "../facts" /* beside the vendor's tables */
#define HEAD  "cpu test\n"
#define TWO   HEAD "event E escr 0x8 RAT_ESCR0,RAT_ESCR1\nmasks 0 A 3 B\n"

static const struct netburst_event *event_of(const struct description *description,
                                             const char *name)
{
    const struct event *event = description_event(description, name);

    assert_non_null(event);
    assert_int_equal(event->kind, EVENT_MASKED);
    assert_string_equal(event->name, ((const struct netburst_event *)event->own)->name);
    return event->own;
}

static void an_event_has_what_its_lines_state(void **state)
{
    struct description description;
    struct complaint complaint;
    const struct netburst_event *event;

    (void)state;
    assert_int_equal(tests_parse(&description,
                                 HEAD "event 64bit escr 0x3f MSR_CRU_ESCR2,CRU_ESCR3 second_from 2 "
                                      "7 thread_independent tags_only\nmasks 0 A 15 B\nmasks 3 C\n",
                                 &complaint),
                     RC_OK);
    event = event_of(&description, "64bit");
    assert_int_equal(event->select, 0x3f);
    assert_int_equal(event->escr_count, 2);
    assert_int_equal(netburst_escrs[event->escrs[0]].address, 0x3cc);
    assert_int_equal(netburst_escrs[event->escrs[1]].address, 0x3cd);
    assert_int_equal(event->second_model, 2);
    assert_int_equal(event->second_stepping, 7);
    assert_true(event->thread_independent && event->tags_only);
    assert_int_equal(event->mask_count, 3);
    assert_string_equal(event->masks[2].name, "C");
    assert_int_equal(event->masks[1].bit, 15);
    assert_null(event->tagged);
}

static void tagged_uops_have_what_their_line_states(void **state)
{
    struct description description;
    struct complaint complaint;
    const struct netburst_tagged *tagged;

    (void)state;
    assert_int_equal(tests_parse(&description,
                                 TWO "event R escr 9 CRU_ESCR2,CRU_ESCR3\nmasks 0 N 1 M\n"
                                     "tagged x N:M pebs_enable 0x1000400 matrix 2 by E:A:B tag 4 "
                                     "on RAT_ESCR1\ntagged y,also_y N by E:B\n",
                                 &complaint),
                     RC_OK);
    tagged = event_of(&description, "R")->tagged;
    assert_string_equal(tagged->name, "x");
    assert_int_equal(tagged->mask, 3);
    assert_int_equal(tagged->pebs_enable, 0x1000400);
    assert_int_equal(tagged->matrix, 2);
    assert_ptr_equal(tagged->upstream, event_of(&description, "E"));
    assert_int_equal(tagged->upstream_mask, 9);
    assert_int_equal(tagged->upstream_tag, 4);
    assert_int_equal(tagged->upstream_escr_count, 1);
    assert_int_equal(netburst_escrs[tagged->upstream_escrs[0]].address, 0x3bd);
    assert_string_equal(tagged->next->name, "y");
    assert_string_equal(tagged->next->also, "also_y");
    assert_int_equal(tagged->next->upstream_escr_count, 2);
    assert_null(tagged->next->next);
}

static void a_line_that_cannot_be_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *text, *message;
        uint32_t line, column;
    } cases[] = {
        {HEAD "event E escr 0x40 CRU_ESCR0\n", "number too large", 2, 14},
        {HEAD "event E escr 0 CRU_ESCR0\n", "0 selects no event", 2, 14},
        {HEAD "event E escr 1 CRU_ESCR7\n", "unknown ESCR 'CRU_ESCR7'", 2, 16},
        {HEAD "event E escr 1\n", "ESCR missing", 2, 15},
        {HEAD "event E escr 1 CRU_ESCR0,CRU_ESCR2\n", "these ESCRs are no pair", 2, 26},
        {HEAD "event E escr 1 CRU_ESCR0,CRU_ESCR1,CRU_ESCR3\n", "these ESCRs are no pair", 2, 36},
        {HEAD "event E escr 1 CRU_ESCR0,CRU_ESCR3\n", "these ESCRs are no pair", 2, 26},
        {HEAD "event E escr 1 CRU_ESCR0,BSU_ESCR1\n", "these ESCRs are no pair", 2, 26},
        {HEAD "event E escr 1 BSU_ESCR1,BSU_ESCR1\n", "these ESCRs are no pair", 2, 26},
        {HEAD "event E escr 1 CRU_ESCR0 second_from 2 7\n", "there is no second ESCR", 2, 37},
        {HEAD "event E escr 1 CRU_ESCR0 umask 1\n", "unknown option 'umask' of an event", 2, 26},
        {HEAD "event E.F escr 1 CRU_ESCR0\n", "malformed name", 2, 8},
        {HEAD "masks 0 A\n", "no event of an ESCR is above", 2, 1},
        {HEAD "event E 1 umask 1\nmasks 0 A\n", "no event of an ESCR is above", 3, 1},
        {TWO "event P 1 umask 1\nmasks 1 C\n", "no event of an ESCR is above", 5, 1},
        {TWO "masks 16 C\n", "number too large", 4, 7},
        {TWO "masks 3 C\n", "bit or name of a mask stated twice", 4, 9},
        {TWO "masks 4 A\n", "bit or name of a mask stated twice", 4, 9},
        {TWO "tagged x C by E:A\n", "E has no mask 'C'", 4, 10},
        {TWO "tagged x A\n", "nothing tags the uops", 4, 11},
        {TWO "tagged x A pebs_enable 1\n", "a replay tag needs both registers", 4, 25},
        {TWO "tagged x A by F:A\n", "'F' is no event that could tag", 4, 15},
        {TWO "tagged x A by E\n", "mask missing", 4, 16},
        {TWO "tagged x A tag 1\n", "unknown option 'tag' of tagged uops", 4, 12},
        {TWO "tagged x A by E:A tag 0\n", "0 tags nothing", 4, 23},
        {TWO "tagged x A by E:A\ntagged x B by E:A\n", "x is stated twice", 5, 8},
        {TWO "event E escr 1 CRU_ESCR0\n", "E is stated twice", 4, 7},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct description description;
        struct complaint complaint;

        assert_int_equal(tests_parse(&description, cases[i].text, &complaint), RC_BAD_INPUT);
        assert_string_equal(complaint.message, cases[i].message);
        if (complaint.line != cases[i].line || complaint.column != cases[i].column)
            fail_msg("%s: at %u:%u", complaint.message, complaint.line, complaint.column);
    }
}

static void a_formula_names_an_event_with_its_masks(void **state)
{
    struct description description;
    struct complaint complaint;
    const struct event *event;

    (void)state;
    assert_int_equal(tests_parse(&description, TWO "let x = E:A:B:u:thr2 / E:A\n", &complaint),
                     RC_OK);
    event = description_event(&description, "E:A:B:u:thr2");
    assert_non_null(event);
    assert_int_equal(event->kind, EVENT_NAMED);
    assert_null(event->selects[0]); /* its name has the masks */
    assert_ptr_equal(event->own, event_of(&description, "E"));
    assert_int_equal(tests_parse(&description, TWO "let x = E:C\n", &complaint), RC_BAD_INPUT);
    assert_string_equal(complaint.message, "E:C: E has no mask 'C'");
    assert_string_equal(complaint.expected, "A, B");
    assert_int_equal(complaint.line, 4);
}

static void a_mask_of_an_event_without_masks_is_refused_with_an_expectation(void **state)
{
    static const char *const names[] = {"E:C", "E:u", "E:"};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct description description;
        struct complaint complaint;
        char text[128];

        snprintf(text, sizeof(text), HEAD "event E escr 8 RAT_ESCR0\nlet x = %s\n", names[i]);
        assert_int_equal(tests_parse(&description, text, &complaint), RC_BAD_INPUT);
        assert_string_equal(complaint.expected, "an event whose description states masks");
        assert_int_equal(complaint.line, 3);
    }
}

static void a_core_without_escrs_counts_no_event_of_an_escr(void **state)
{
    const struct facts facts = {
        .intel = true, .version = 5, .general_count = 8, .fixed_mask = 0xf, .general_width = 48};
    struct description description;
    const struct event *event;
    struct plan plan;

    (void)state;
    tests_builtin(&description, "netburst");
    event = description_event(&description, "instr_retired");
    assert_int_equal(plan_make(&plan, &facts, &description, &event, NULL, 1, &tests_pool), RC_OK);
    assert_int_equal(plan.pass_count, 0);
    assert_int_equal(plan.missing_count, 1);
    assert_string_equal(plan.missing[0].reason, "an ESCR selects it, and this core has none");
}

/* The next semicolon outside parentheses; null at the end. */
static const char *next_item(const char *at)
{
    unsigned depth = 0;

    for (at++; *at && (*at != ';' || depth > 0); at++)
        depth += (unsigned)(*at == '(') - (unsigned)(*at == ')');
    return *at ? at : NULL;
}

/* Whether the table's list `0 HIT;1 MISS` (bits of a field: `4:0 NAME`) is what the event has. A
 * name in the list is that of the mask, or its beginning where a field or nameless bits follow. */
static void check_masks(const struct netburst_event *event, const char *list)
{
    uint32_t stated = 0, listed = 0;

    for (unsigned i = 0; i < event->mask_count; i++)
        stated |= 1u << event->masks[i].bit;
    for (const char *at = list; at != NULL; at = next_item(at)) {
        unsigned high, low;
        char name[NETBURST_NAME] = "";

        at += *at == ';';
        if (sscanf(at, "%u:%u %39[A-Za-z0-9_]", &high, &low, name) < 2) {
            assert_int_equal(sscanf(at, "%u %39[A-Za-z0-9_]", &high, name), 2);
            low = high;
        }
        listed |= (2u << high) - (1u << low);
        for (unsigned i = 0; i < event->mask_count; i++) {
            const struct netburst_mask *mask = &event->masks[i];
            char want[64];

            if (mask->bit < low || mask->bit > high)
                continue;
            if (strcmp(name, "unnamed") == 0)
                snprintf(want, sizeof(want), "BIT%u", mask->bit);
            else if (high > low)
                snprintf(want, sizeof(want), "%s%u", name, mask->bit - low);
            else
                snprintf(want, sizeof(want), "%s", name);
            assert_string_equal(mask->name, want);
        }
    }
    assert_int_equal(stated, listed);
}

/* Whether the list `CRU_ESCR0:12,13,16|CRU_ESCR1:14,15,17` is what the tables make of the event. */
static void check_counters(const struct netburst_event *event, const char *list)
{
    unsigned count = 0;

    for (const char *at = list; at != NULL; at = strchr(at, '|')) {
        const struct netburst_escr *escr = &netburst_escrs[event->escrs[count++]];
        uint32_t counters = 0;

        at += *at == '|';
        assert_true(count <= event->escr_count);
        assert_memory_equal(at, escr->name + 4, strlen(escr->name + 4));
        for (at = strchr(at, ':'); *at == ':' || *at == ',';) {
            char *end;

            counters |= 1u << strtoul(at + 1, &end, 10);
            at = end;
        }
        assert_int_equal(counters, escr->counters);
    }
    assert_int_equal(count, event->escr_count);
}

static void check_event(const struct sheet *sheet, unsigned row, const struct netburst_event *event)
{
    const char *select = vendor_at(sheet, row, "cccr_select");
    const char *tagging = vendor_at(sheet, row, "tagging");
    bool bus = strcmp(select, "3") == 0 && netburst_escrs[event->escrs[0]].select == 6;

    assert_int_equal(event->select, strtoul(vendor_at(sheet, row, "event_select"), NULL, 16));
    check_masks(event, vendor_at(sheet, row, "event_mask_bits (bit n = ESCR bit 9+n)"));
    check_counters(event, vendor_at(sheet, row, "counters_per_escr"));
    /* four events print the select of another unit's ESCR: see CCCR_SELECT in netburst.def */
    if (!bus)
        assert_int_equal(netburst_escrs[event->escrs[0]].select, strtoul(select, NULL, 10));
    else
        assert_int_equal(strncmp(vendor_at(sheet, row, "note"), "as b2b_cycles", 13) &&
                             strcmp(event->name, "b2b_cycles"),
                         0);
    assert_int_equal(event->thread_independent,
                     strcmp(vendor_at(sheet, row, "thread_specific"), "TI") == 0);
    assert_int_equal(event->tags_only, strcmp(tagging, "is a tag source") == 0);
    assert_int_equal(event->tagged != NULL,
                     strcmp(vendor_at(sheet, row, "pebs_capable"), "yes") == 0);
}

/* Events with an ESCR of their own, not names for their masks. */
static unsigned stated(const struct description *description)
{
    unsigned count = 0;

    for (unsigned i = 0; i < description->event_count; i++)
        count += description->events[i].kind == EVENT_MASKED;
    return count;
}

static void every_event_is_as_published(void **state)
{
    struct description netburst, prescott;
    unsigned older = 0;
    struct sheet sheet;

    (void)state;
    if (!vendor_open(&sheet, FACTS, "netburst_events.csv")) {
        print_message("# skipped: the published tables are not at " VENDOR_PLACE "/" FACTS "\n");
        skip();
    }
    tests_builtin(&netburst, "netburst");
    tests_builtin(&prescott, "prescott");
    assert_int_equal(stated(&prescott), 47);
    assert_int_equal(sheet.row_count, 1 + 47);
    for (unsigned row = 1; row < sheet.row_count; row++) {
        const char *name = vendor_at(&sheet, row, "event");
        bool late = strcmp(vendor_at(&sheet, row, "models"), "3,4,6") == 0;

        check_event(&sheet, row, event_of(&prescott, name));
        assert_int_equal(description_event(&netburst, name) == NULL, late);
        older += !late;
    }
    assert_int_equal(stated(&netburst), older);
    vendor_close(&sheet);
}

static const struct netburst_tagged *tagged_of(const struct description *description,
                                               const char *event, const char *name)
{
    const struct netburst_tagged *tagged = event_of(description, event)->tagged;

    while (tagged != NULL && strcmp(tagged->name, name) != 0)
        tagged = tagged->next;
    if (tagged == NULL)
        fail_msg("%s:%s is missing", event, name);
    return tagged;
}

/* The upstream event and its masks, as `load_port_replay SPLIT_LD on ...` or `A with B and C`. */
static void check_upstream(const struct netburst_tagged *tagged, const char *text)
{
    const char *on = strstr(text, " on MSR_");

    if (strncmp(text, "none", 4) == 0) {
        assert_null(tagged->upstream);
        return;
    }
    assert_memory_equal(text, tagged->upstream->name, strlen(tagged->upstream->name));
    for (unsigned i = 0; i < tagged->upstream->mask_count; i++)
        assert_int_equal(tagged->upstream_mask >> tagged->upstream->masks[i].bit & 1,
                         strstr(text, tagged->upstream->masks[i].name) != NULL);
    assert_int_equal(tagged->upstream_escr_count, on != NULL ? 1 : 2);
    if (on != NULL)
        assert_string_equal(on + 4, netburst_escrs[tagged->upstream_escrs[0]].name);
}

static void check_replay(const struct description *description, const struct sheet *sheet,
                         unsigned row)
{
    const struct netburst_tagged *tagged =
        tagged_of(description, "replay_event", vendor_at(sheet, row, "field"));
    unsigned enable, matrix;

    assert_int_equal(sscanf(vendor_at(sheet, row, "bits"), "0x3f1 |= %x (PEBS: %*x); 0x3f2 = %x",
                            &enable, &matrix),
                     2);
    assert_int_equal(tagged->pebs_enable, enable);
    assert_int_equal(tagged->matrix, matrix);
    assert_int_equal(tagged->mask, 1);
    check_upstream(tagged, strstr(vendor_at(sheet, row, "meaning"), "upstream: ") + 10);
}

static void check_execution(const struct description *description, const struct sheet *sheet,
                            unsigned row)
{
    const struct netburst_tagged *tagged =
        tagged_of(description, "execution_event", vendor_at(sheet, row, "field"));
    const char *meaning = vendor_at(sheet, row, "meaning");

    assert_int_equal(tagged->upstream_tag, 1);
    assert_int_equal(tagged->mask, 1);
    assert_int_equal(tagged->pebs_enable, 0);
    assert_memory_equal(meaning + 9, tagged->upstream->name, strlen(tagged->upstream->name));
    assert_int_equal(tagged->upstream_mask,
                     strstr(vendor_at(sheet, row, "bits"), "ALLP0|ALLP2") ? 0x18 : 0x8000);
}

static void check_front_end(const struct description *description, const struct sheet *sheet,
                            unsigned row)
{
    const struct netburst_tagged *tagged =
        tagged_of(description, "front_end_event", vendor_at(sheet, row, "field"));

    assert_int_equal(tagged->mask, 1);
    assert_int_equal(tagged->pebs_enable, 0);
    assert_int_equal(tagged->upstream_tag, 0);
    check_upstream(tagged, strstr(vendor_at(sheet, row, "bits"), ": ") + 2);
}

static unsigned tagged_count(const struct description *description)
{
    unsigned count = 0;

    for (unsigned i = 0; i < description->event_count; i++)
        for (const struct netburst_tagged *t =
                 ((const struct netburst_event *)description->events[i].own)->tagged;
             t; t = t->next)
            count++;
    return count;
}

static void every_count_of_tagged_uops_is_as_published(void **state)
{
    struct description description;
    unsigned rows = 0;
    struct sheet sheet;

    (void)state;
    if (!vendor_open(&sheet, FACTS, "netburst_fields.csv")) {
        print_message("# skipped: the published tables are not at " VENDOR_PLACE "/" FACTS "\n");
        skip();
    }
    tests_builtin(&description, "prescott");
    for (unsigned row = 1; row < sheet.row_count; row++) {
        const char *kind = vendor_at(&sheet, row, "register");

        if (strcmp(kind, "REPLAY METRIC") == 0)
            check_replay(&description, &sheet, row);
        else if (strcmp(kind, "EXECUTION METRIC") == 0)
            check_execution(&description, &sheet, row);
        else if (strcmp(kind, "FRONT-END METRIC") == 0)
            check_front_end(&description, &sheet, row);
        else
            continue;
        rows++;
    }
    assert_int_equal(rows, 9 + 8 + 2);
    assert_int_equal(tagged_count(&description), rows);
    vendor_close(&sheet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_has_what_its_lines_state),
        cmocka_unit_test(tagged_uops_have_what_their_line_states),
        cmocka_unit_test(a_line_that_cannot_be_is_refused_with_its_place),
        cmocka_unit_test(a_core_without_escrs_counts_no_event_of_an_escr),
        cmocka_unit_test(a_formula_names_an_event_with_its_masks),
        cmocka_unit_test(a_mask_of_an_event_without_masks_is_refused_with_an_expectation),
        cmocka_unit_test(every_event_is_as_published),
        cmocka_unit_test(every_count_of_tagged_uops_is_as_published),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    tests_free();
    return failed;
}
