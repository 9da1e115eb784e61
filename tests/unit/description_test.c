/* Descriptions: what the parser makes of them, what it refuses and where. */
#include "pmu/amd/kind.h"
#include "pmu/intel/kind.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "tests/unit/descriptions.h"

#define HEAD "cpu test\n"

static void parse(struct description *description, const char *text)
{
    struct complaint complaint;
    enum rc rc = tests_parse(description, text, &complaint);

    if (rc != RC_OK)
        print_error("%s:%u:%u: %s\n", complaint.file, complaint.line, complaint.column,
                    complaint.message);
    assert_int_equal(rc, RC_OK);
}

static void an_event_has_every_field_that_its_line_states(void **state)
{
    struct description description;
    const struct event *event;

    (void)state;
    parse(&description, HEAD "event A.B:c1 0xa3 umask 0x14 cmask 20 edge inv any counters 0-2,5 "
                             "architectural 6 # why\n");
    event = description_event(&description, "A.B:c1");
    assert_non_null(event);
    assert_int_equal(event->kind, EVENT_GENERAL);
    assert_true(event->encodable && event->edge && event->inv && event->any);
    assert_int_equal(event->code, 0xa3);
    assert_int_equal(event->umask, 0x14);
    assert_int_equal(event->cmask, 20);
    assert_int_equal(event->counters, 0x27);
    assert_int_equal(event->architectural, 6);
}

static void an_event_without_options_has_every_counter_and_no_modifier(void **state)
{
    struct description description;
    const struct event *event;

    (void)state;
    parse(&description,
          HEAD "event A 14 umask 2\nevent B - fixed 2\nevent C 0xc0 umask 0 fixed 0\n");
    event = description_event(&description, "A");
    assert_true(event->counters == UINT32_MAX);
    assert_false(event->edge || event->inv || event->any);
    assert_int_equal(event->architectural, -1);
    event = description_event(&description, "B");
    assert_int_equal(event->kind, EVENT_FIXED);
    assert_false(event->encodable);
    assert_int_equal(event->fixed, 2);
    event = description_event(&description, "C");
    assert_int_equal(event->kind, EVENT_FIXED);
    assert_true(event->encodable);
}

static void metrics_and_slots_are_kinds_of_events(void **state)
{
    struct description description;

    (void)state;
    parse(&description, HEAD "slots S:perf_metrics\nmetric M.RETIRING 0\nmetric M.BACKEND 3\n");
    assert_int_equal(description_event(&description, "S:perf_metrics")->kind, EVENT_SLOTS);
    assert_int_equal(description_event(&description, "M.BACKEND")->kind, EVENT_METRIC);
    assert_int_equal(description_event(&description, "M.BACKEND")->field, 3);
}

static void nodes_have_level_parent_formula_and_threshold(void **state)
{
    struct description description;
    const struct node *node;

    (void)state;
    parse(&description, HEAD "event E 1 umask 1\n"
                             "node inner level 2 parent outer = E / 4 below 0.25\n"
                             "node outer level 1 = E * 2 above 0.5 # comment\n"
                             "let part = outer + inner\n"
                             "topdown formula levels 2\n");
    node = description_node(&description, "inner");
    assert_int_equal(node->level, 2);
    assert_int_equal(node->parent, description_node(&description, "outer") - description.nodes);
    assert_int_equal(node->threshold_kind, NODE_BELOW);
    assert_true(node->threshold > 0.249 && node->threshold < 0.251);
    assert_int_equal(node->formula.length, strlen("E / 4"));
    assert_memory_equal(node->formula.text, "E / 4", 5);
    assert_int_equal(description_node(&description, "outer")->parent, -1);
    assert_int_equal(description_node(&description, "part")->level, 0);
    assert_int_equal(description_node(&description, "part")->threshold_kind, NODE_NO_THRESHOLD);
    assert_int_equal(description.method, TOPDOWN_FORMULA);
    assert_int_equal(description.levels, 2);
}

static void a_sign_before_a_letter_starts_no_comment(void **state)
{
    struct description description;

    (void)state;
    parse(&description,
          "# header\n\n" HEAD "parameter #SMT_on 1 # 0: off\n  \t\nparameter x 0x10#\n#\n");
    assert_true(description_parameter(&description, "#SMT_on")->value > 0.5);
    assert_true(description_parameter(&description, "x")->value > 15.5);
}

static void width_is_also_a_parameter(void **state)
{
    struct description description;

    (void)state;
    parse(&description, HEAD "width 5\n");
    assert_int_equal(description.width, 5);
    assert_true(description_parameter(&description, "width")->value > 4.5);
}

static void line_ends_and_byte_order_marks_of_other_editors_are_accepted(void **state)
{
    struct description description;

    (void)state;
    parse(&description, "\xef\xbb\xbf"
                        "cpu test\r\nwidth 4\r\nevent A 1 umask 1");
    assert_int_equal(description.width, 4);
    assert_non_null(description_event(&description, "A"));
}

static void signatures_match_family_model_stepping_and_core_type(void **state)
{
    struct description description;
    struct facts facts = {
        .kind = &intel_kind, .intel = true, .family = 6, .model = 0x55, .stepping = 4};

    (void)state;
    parse(&description, HEAD "signature 06_55 stepping 0-4 06_6a\nsignature 06_97 core 0x40\n");
    assert_true(description_matches(&description, &facts));
    facts.stepping = 5;
    assert_false(description_matches(&description, &facts));
    facts.model = 0x6a;
    assert_true(description_matches(&description, &facts));
    facts.model = 0x97;
    facts.core_type = 0x20;
    assert_false(description_matches(&description, &facts));
    facts.core_type = 0x40;
    assert_true(description_matches(&description, &facts));
    facts.kind = NULL;
    assert_false(description_matches(&description, &facts));
}

/* Linux, arch/x86/kernel/cpu/amd.c: models 10H to 1FH and 60H to AFH of family 19H are Zen 4. */
static void a_signature_may_name_a_vendor_and_a_range_of_models(void **state)
{
    struct description description;
    struct facts facts = {
        .kind = &amd_kind, .signatures = "amd", .amd = true, .family = 0x19, .model = 0x10};
    struct complaint complaint;

    (void)state;
    parse(&description, HEAD "signature amd 19_10-1f 19_61\n");
    assert_true(description_matches(&description, &facts));
    facts.model = 0x1f;
    assert_true(description_matches(&description, &facts));
    facts.model = 0x20;
    assert_false(description_matches(&description, &facts));
    facts.model = 0x61;
    assert_true(description_matches(&description, &facts));
    facts.signatures = NULL; /* Intel's */
    assert_false(description_matches(&description, &facts));
    assert_int_equal(tests_parse(&description, HEAD "signature amd\n", &complaint), RC_BAD_INPUT);
    assert_int_equal(tests_parse(&description, HEAD "signature 19_1f-10\n", &complaint),
                     RC_BAD_INPUT);
}

static void an_alias_is_the_event_or_node_itself(void **state)
{
    static const char text[] =
        HEAD "event own.name 0x76 umask 0\nnode n level 1 = own.name above 0\n"
             "alias CPU_CLK_UNHALTED.THREAD own.name\nalias tma_n n\n";
    struct description description;
    struct complaint complaint;

    (void)state;
    parse(&description, text);
    assert_ptr_equal(description_event(&description, "CPU_CLK_UNHALTED.THREAD"),
                     description_event(&description, "own.name"));
    assert_ptr_equal(description_node(&description, "tma_n"), description_node(&description, "n"));
    assert_string_equal(description_name(&description, "CPU_CLK_UNHALTED.THREAD"), "own.name");
    assert_string_equal(description_name(&description, "tma_n"), "n");
    assert_string_equal(description_name(&description, "nobody"), "nobody");
    assert_int_equal(tests_parse(&description, HEAD "alias A B\n", &complaint), RC_BAD_INPUT);
    assert_string_equal(complaint.message, "unknown name B");
    assert_int_equal(tests_parse(&description, HEAD "event A 1 umask 1\nalias A A\n", &complaint),
                     RC_BAD_INPUT);
    assert_int_equal(
        tests_parse(&description, HEAD "event A 1 umask 1\nalias B A\nalias B A\n", &complaint),
        RC_BAD_INPUT);
}

static void an_event_select_is_as_long_as_the_kinds(void **state)
{
    struct description description;
    struct complaint complaint;

    (void)state;
    assert_int_equal(tests_parse(&description, HEAD "event A 0x1a0 umask 1\n", &complaint),
                     RC_BAD_INPUT);
    parse(&description,
          HEAD "topdown amd levels 1\nevent A 0x1a0 umask 1\nnode n level 1 = A above 0\n");
    assert_int_equal(description_event(&description, "A")->code, 0x1a0);
    assert_int_equal(tests_parse(&description,
                                 HEAD "topdown amd levels 1\nevent A 0x1000 umask 1\n", &complaint),
                     RC_BAD_INPUT);
}

static void a_sibling_inherits_all_except_signatures_and_replaces_what_it_states(void **state)
{
    struct description base, sibling;
    const struct facts facts = {.kind = &intel_kind, .intel = true, .family = 6, .model = 0x55};

    (void)state;
    tests_builtin(&base, "skylakex");
    parse(&sibling, "cpu test\nlike skylakex\nsignature 06_66\nwidth 6\n"
                    "parameter rob 512\n"
                    "event UOPS_ISSUED.ANY 0xae umask 0x01\n"
                    "node tma_frontend_bound level 1 = 0.25 above 0.2\n");
    assert_int_equal(sibling.event_count, base.event_count);
    assert_int_equal(sibling.node_count, base.node_count);
    assert_int_equal(sibling.width, 6);
    assert_int_equal(description_event(&sibling, "UOPS_ISSUED.ANY")->code, 0xae);
    assert_int_equal(description_event(&sibling, "UOPS_ISSUED.ANY") - sibling.events,
                     description_event(&base, "UOPS_ISSUED.ANY") - base.events);
    assert_true(description_parameter(&sibling, "rob")->value > 511);
    assert_int_equal(description_node(&sibling, "tma_frontend_bound")->formula.name_count, 0);
    assert_string_equal(sibling.lbr->name, "skylake32");
    assert_int_equal(sibling.method, TOPDOWN_FORMULA);
    assert_int_equal(sibling.signature_count, 1);
    assert_false(description_matches(&sibling, &facts));
    assert_true(sibling.from_stick);
    assert_false(base.from_stick);
    assert_string_equal(sibling.name, "test");
    assert_string_equal(sibling.file, "test.def");
}

static void a_sibling_drops_what_it_does_not_have(void **state)
{
    struct description sibling;

    (void)state;
    parse(&sibling, "cpu test\nlike skylakex\nwithout rob tma_port_7 MACHINE_CLEARS.SMC\n"
                    "let fill_buffers = 10 + width\n"); /* skylakex has a parameter */
    assert_null(description_parameter(&sibling, "rob"));
    assert_null(description_node(&sibling, "tma_port_7"));
    assert_null(description_event(&sibling, "MACHINE_CLEARS.SMC"));
    assert_null(description_parameter(&sibling, "fill_buffers"));
    assert_non_null(description_node(&sibling, "fill_buffers"));
    for (unsigned i = 0; i < sibling.event_count; i++)
        assert_ptr_equal(description_event(&sibling, sibling.events[i].name), &sibling.events[i]);
    for (unsigned i = 0; i < sibling.node_count; i++)
        assert_ptr_equal(description_node(&sibling, sibling.nodes[i].name), &sibling.nodes[i]);
    for (unsigned i = 0; i < sibling.parameter_count; i++)
        assert_non_null(description_parameter(&sibling, sibling.parameters[i].name));
}

static void a_formula_modifies_events(void **state)
{
    struct description description;
    const struct event *event;

    (void)state;
    parse(&description,
          HEAD "event A.B 0x79 umask 0x30 counters 0-3\n"
               "event O.R 0x2a umask 0x01 umask2 0x02 eq msr 0x1a6 0x3f803c0002\n"
               "outside TSC the time stamp counter\n"
               "let a = A.B:c2:e1:i1 + A.B:u0xfc:eq1 + A.B:USER + A.B:SUP\n"
               "let b = O.R:ocr_msr_val=0x103b800002 + A.B:retire_latency + A.B:percore + TSC\n");
    event = description_event(&description, "A.B:c2:e1:i1");
    assert_true(event->code == 0x79 && event->umask == 0x30 && event->cmask == 2);
    assert_true(event->edge && event->inv && !event->eq && event->counters == 0xf);
    event = description_event(&description, "A.B:u0xfc:eq1");
    assert_true(event->umask == 0xfc && event->eq && !event->edge && event->cmask == 0);
    assert_int_equal(description_event(&description, "A.B:USER")->rings, RINGS_USER);
    assert_int_equal(description_event(&description, "A.B:SUP")->rings, RINGS_KERNEL);
    event = description_event(&description, "O.R");
    assert_true(event->msr == 0x1a6 && event->msr_value == 0x3f803c0002 && event->umask2 == 2);
    event = description_event(&description, "O.R:ocr_msr_val=0x103b800002");
    assert_true(event->msr == 0x1a6 && event->msr_value == 0x103b800002 && event->eq);
    assert_int_equal(description_event(&description, "A.B:retire_latency")->kind, EVENT_OUTSIDE);
    assert_int_equal(description_event(&description, "A.B:percore")->kind, EVENT_OUTSIDE);
    assert_string_equal(description_event(&description, "TSC")->why, "the time stamp counter");
    assert_int_equal(description.event_count, 10);
}

static void an_erratum_names_its_events(void **state)
{
    struct description description;

    (void)state;
    parse(&description,
          HEAD "erratum SKL091 A,B.C counts too much\nevent A 1 umask 1\nevent B.C 2 umask 1\n");
    assert_int_equal(description.erratum_count, 1);
    assert_string_equal(description.errata[0].name, "SKL091");
    assert_string_equal(description.errata[0].text, "counts too much");
    assert_int_equal(description.errata[0].event_count, 2);
    assert_ptr_equal(description.errata[0].events[1], description_event(&description, "B.C"));
}

/* Also for an event with modifiers, and not for one whose name only begins alike. */
static void the_errata_of_an_event_are_found(void **state)
{
    struct description description;
    struct event modified = {.name = "B.C:c1"};
    char errata[DESCRIPTION_ERRATA];

    (void)state;
    parse(&description,
          HEAD "erratum SKL091 A,B.C counts too much\nerratum SKL044 B.C counts more\n"
               "event A 1 umask 1\nevent B.C 2 umask 1\nevent B.CD 3 umask 1\n");
    assert_int_equal(description_errata(&description, description_event(&description, "A"), errata),
                     1);
    assert_string_equal(errata, "SKL091");
    assert_int_equal(description_errata(&description, &modified, errata), 2);
    assert_string_equal(errata, "SKL091 SKL044");
    assert_int_equal(
        description_errata(&description, description_event(&description, "B.CD"), errata), 0);
    assert_string_equal(errata, "");
}

/* Texts that are refused. */
struct refusal {
    const char *text;
    uint32_t line, column;
    const char *message;
};

/* clang-format off */
static const struct refusal refusals[] = {
    {"", 1, 1, "the description is empty"},
    {"# nothing\n", 1, 1, "the description is empty"},
    {"width 4\n", 1, 1, "a description begins with its name"},
    {"cpu other\n", 1, 5, "not the name of this file"},
    {HEAD HEAD, 2, 1, "cpu is stated twice"},
    {HEAD "speed 4\n", 2, 1, "unknown statement 'speed'"},
    {HEAD "#SMT_on\n", 2, 1, "unknown statement '#SMT_on'"},
    {HEAD "width 4 5\n", 2, 9, "unexpected '5'"},
    {HEAD "width\n", 2, 6, "number missing"},
    {HEAD "width four\n", 2, 7, "malformed number"},
    {HEAD "width 0\n", 2, 7, "a width of 0"},
    {HEAD "width 4\nwidth 4\n", 3, 1, "width is stated twice"},
    {HEAD "event E 0x100 umask 0\n", 2, 9, "malformed event code"},
    {HEAD "event E 0x1\n", 2, 12, "E has a code and no umask"},
    {HEAD "event E 0x1 umask 256\n", 2, 19, "number too large"},
    {HEAD "event E 0x1 umask 1 umask 2\n", 2, 21, "umask is stated twice"},
    {HEAD "event E 0x1 umask 1 mask 2\n", 2, 21, "unknown option 'mask' of an event"},
    {HEAD "event E 0x1 umask 1 counters 3-0\n", 2, 30, "range of counters runs backwards"},
    {HEAD "event E 0x1 umask 1 counters 0-32\n", 2, 32, "malformed list of counters"},
    {HEAD "event E 0x1 umask 1 counters 0,\n", 2, 31, "malformed list of counters"},
    {HEAD "event E 0x1 umask 1 counters\n", 2, 29, "list of counters missing"},
    {HEAD "event E -\n", 2, 9, "E has neither code nor fixed counter"},
    {HEAD "event E - fixed 0 cmask 1\n", 2, 9,
     "E has no code, so only `fixed` and `architectural` can follow"},
    {HEAD "event 4K 1 umask 1\n", 2, 7, "malformed name"},
    {HEAD "event if 1 umask 1\n", 2, 7, "malformed name"},
    {HEAD "event E 1 umask 1\nevent E 2 umask 1\n", 3, 7, "E is stated twice"},
    {HEAD "event E 1 umask 1\nparameter E 2\n", 3, 11, "E is an event already"},
    {HEAD "parameter x -1\n", 2, 13, "malformed number"},
    {HEAD "metric M 8\n", 2, 10, "number too large"},
    {HEAD "metric M 1\n", 1, 1, "PERF_METRICS needs a name for its slots"},
    {HEAD "let a b\n", 2, 7, "'=' missing"},
    {HEAD "let a = (1 + 2\n", 2, 15, "missing parenthesis"},
    {HEAD "let a = 1 / 0\n", 2, 13, "division by zero"},
    {HEAD "let a = 1 +\n", 2, 12, "formula ends too early"},
    {HEAD "let a = 1 + EVENT.NAME\n", 2, 13, "unknown name EVENT.NAME"},
    {HEAD "let a = AB + A\nevent AB 1 umask 1\n", 2, 14, "unknown name A"},
    {HEAD "node n level 2 = 1\n", 2, 16, "n is of level 2 and has no parent"},
    {HEAD "node n level 1 parent m = 1\n", 2, 16, "a node of level 1 has no parent"},
    {HEAD "node n level 2 parent m = 1\n", 2, 23, "the parent of n is no node"},
    {HEAD "node m level 1 = 1\nnode k level 2 parent m = 1\nnode n level 2 parent k = 1\n", 4, 23,
     "n is of level 2 and its parent k of level 2"},
    {HEAD "node n level 1 = 1 above\n", 2, 25, "malformed threshold"},
    {HEAD "node n level 1 = 1 above 0.1 0.2\n", 2, 30, "malformed threshold"},
    {HEAD "node n level 1 = 1 above 0.1 & parent\n", 2, 30, "a node of level 1 has no parent"},
    {HEAD "node n level 1 = 1 above 0.1 or m\n", 2, 33, "no threshold to compare with after `or`"},
    {HEAD "node n level 1 = 1 above 0.1 or n & own\n", 2, 35, "malformed threshold"},
    {HEAD "without A\n", 2, 9, "unknown name A"},
    {HEAD "width 4\nwithout width\n", 3, 9, "width is stated in this file"},
    {HEAD "without\n", 2, 8, "name missing"},
    {HEAD "table\n", 2, 6, "name of a table missing"},
    {HEAD "table A B C D E\n", 2, 15, "too many tables, or a name too long"},
    {HEAD "outside TSC\n", 2, 12, "text missing"},
    {HEAD "signature 06_97 core 0x20 native 0x1000000\n", 2, 34, "number too large"},
    {HEAD "event A 1 umask 1 umask2 256\n", 2, 26, "number too large"},
    {HEAD "event A 1 umask 1 msr 0 1\n", 2, 23, "0 is no register"},
    {HEAD "event A 1 umask 1 msr 0x1a6\n", 2, 28, "number missing"},
    {HEAD "event A 1 umask 1 msr 0x1a6,0x1a7 1\n", 2, 9,
     "A has two registers and one selection"},
    {HEAD "event A 1,2 umask 1 msr 0x1a6 1\n", 2, 9, "A has two selections and not two registers"},
    {HEAD "event A 1 umask 1,2\n", 2, 9, "A has two selections and not two registers"},
    {HEAD "event A 1,2 umask 1 msr 0x1a6,0x10000 1\n", 2, 25, "number too large"},
    {HEAD "event A 1,2, umask 1 msr 0x1a6,0x1a7 1\n", 2, 9, "malformed event code"},
    {HEAD "event A 1 umask 1\nlet a = A:x1\n", 3, 9, "A:x1: unknown modifier"},
    {HEAD "event A 1 umask 1\nlet a = A:c256\n", 3, 9, "A:c256: unknown modifier"},
    {HEAD "event A 1 umask 1\nlet a = A:ocr_msr_val=1\n", 3, 9,
     "A:ocr_msr_val=1: no register says what it counts"},
    {HEAD "event F - fixed 1\nlet a = F:c1\n", 3, 9,
     "F:c1: only a general counter counts a modified event"},
    {HEAD "let a = B:c1\n", 2, 9, "unknown name B:c1"},
    {HEAD "let a = a\n", 2, 9, "cycle between nodes: a -> a"},
    {HEAD "let a = 1 + b\nlet b = c\nlet c = 2 * a\n", 4, 9,
     "cycle between nodes: a -> b -> c -> a"},
    {HEAD "let x = a\nlet a = b\nlet b = a\n", 4, 9, "cycle between nodes: a -> b -> a"},
    {HEAD "topdown formula levels 1\n", 1, 1, "topdown states 1 levels, the nodes have 0"},
    {HEAD "topdown magic\n", 2, 9, "unknown Topdown method"},
    {HEAD "lbr 16\n", 2, 5, "unknown kind of last-branch record"},
    {HEAD "signature 0655\n", 2, 11, "malformed signature"},
    {HEAD "signature\n", 2, 10, "signature missing"},
    {HEAD "signature 06_55 stepping 4-0\n", 2, 26, "steppings out of range"},
    {HEAD "erratum X A\n", 2, 12, "text missing"},
    {HEAD "erratum X A,B text\nevent A 1 umask 1\n", 2, 13, "erratum X names an unknown event"},
    {HEAD "width 4\nlike skylakex\n", 3, 1, "`like` comes too late"},
    {HEAD "like nobody\n", 2, 6, "there is no description nobody"},
    {HEAD "like test\n", 2, 6, "cycle of `like`: test inherits from test"},
    {HEAD "width \x01\n", 2, 7, "unexpected byte 0x01"},
    {HEAD "let a = 1 \xc3\x97 2\n", 2, 11, "unexpected byte 0xc3"},
};
/* clang-format on */

static void malformed_text_is_refused_with_file_line_column_and_expectation(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        struct description description;
        struct complaint complaint;

        assert_int_equal(tests_parse(&description, refusals[i].text, &complaint), RC_BAD_INPUT);
        if (strcmp(complaint.message, refusals[i].message) != 0 ||
            complaint.line != refusals[i].line || complaint.column != refusals[i].column)
            print_error("for: %s", refusals[i].text);
        assert_string_equal(complaint.message, refusals[i].message);
        assert_int_equal(complaint.line, refusals[i].line);
        assert_int_equal(complaint.column, refusals[i].column);
        assert_string_equal(complaint.file, "test.def");
        assert_int_not_equal(complaint.expected[0], 0);
    }
}

static void a_complaint_about_an_inherited_file_names_that_file(void **state)
{
    struct description description;
    struct complaint complaint;

    (void)state;
    assert_int_equal(
        tests_parse(
            &description,
            "cpu test\nlike skylakex\nnode tma_frontend_bound level 1 = tma_backend_bound\n",
            &complaint),
        RC_BAD_INPUT);
    assert_string_equal(complaint.file, "skylake.def");
    assert_string_equal(complaint.message,
                        "cycle between nodes: tma_frontend_bound -> tma_backend_bound -> "
                        "tma_frontend_bound");
}

static void a_file_over_a_mebibyte_is_refused_and_one_of_a_mebibyte_is_not(void **state)
{
    static char text[DESCRIPTION_FILE_LIMIT + 1];
    struct description description;
    struct complaint complaint;

    (void)state;
    memset(text, ' ', sizeof(text));
    memcpy(text, HEAD, strlen(HEAD));
    assert_int_equal(tests_parse_bytes(&description, text, DESCRIPTION_FILE_LIMIT, &complaint),
                     RC_OK);
    assert_int_equal(tests_parse_bytes(&description, text, DESCRIPTION_FILE_LIMIT + 1, &complaint),
                     RC_BAD_INPUT);
    assert_string_equal(complaint.message, "file over 1 MiB");
}

static void chains_and_sums_of_nodes_beyond_the_limits_are_refused(void **state)
{
    char text[4096];
    int length = snprintf(text, sizeof(text), HEAD "let n0 = 1\n");
    struct description description;
    struct complaint complaint;

    (void)state;
    for (int i = 1; i < 40; i++)
        length +=
            snprintf(text + length, sizeof(text) - (size_t)length, "let n%d = n%d\n", i, i - 1);
    assert_int_equal(tests_parse(&description, text, &complaint), RC_BAD_INPUT);
    assert_string_equal(complaint.message, "formula needs too many others");
    length = snprintf(text, sizeof(text), HEAD "let n0 = 1\n");
    for (int i = 1; i < 25; i++)
        length += snprintf(text + length, sizeof(text) - (size_t)length, "let n%d = n%d + n%d\n", i,
                           i - 1, i - 1);
    assert_int_equal(tests_parse(&description, text, &complaint), RC_BAD_INPUT);
    assert_string_equal(complaint.message, "formula needs too many others");
}

static void too_many_statements_are_refused(void **state)
{
    static char text[DESCRIPTION_FILE_LIMIT];
    int length = snprintf(text, sizeof(text), HEAD);
    struct description description;
    struct complaint complaint;

    (void)state;
    for (int i = 0; i < 5000; i++)
        length += snprintf(text + length, sizeof(text) - (size_t)length, "let n%d = 1\n", i);
    assert_int_equal(tests_parse(&description, text, &complaint), RC_BAD_INPUT);
    assert_string_equal(complaint.message, "too many statements");
    assert_int_equal(complaint.line, DESCRIPTION_STATEMENTS + 2);
}

static void *no_memory(size_t size)
{
    (void)size;
    return NULL;
}

static const char *one_line(void *context, const char *name, size_t *size, bool *from_stick)
{
    (void)context;
    (void)name;
    *size = strlen(HEAD);
    *from_stick = false;
    return HEAD;
}

static void without_memory_nothing_is_described(void **state)
{
    const struct description_library library = {NULL, one_line};
    struct description description;
    struct complaint complaint;

    (void)state;
    assert_int_equal(description_parse(&description, "test", &library, no_memory, &complaint),
                     RC_NO_SPACE);
}

static void every_description_of_the_image_parses_under_its_name(void **state)
{
    unsigned count = 0;

    (void)state;
    for (; builtin_name(count) != NULL; count++) {
        struct description description;

        tests_builtin(&description, builtin_name(count));
        assert_string_equal(description.name, builtin_name(count));
    }
    assert_true(count >= 3);
    assert_null(builtin_text("nobody", &(size_t){0}));
}

static void trees_of_the_image_have_four_roots_and_two_children_each(void **state)
{
    (void)state;
    for (unsigned i = 0; builtin_name(i) != NULL; i++) {
        struct description description;
        unsigned roots = 0, children[256] = {0};

        tests_builtin(&description, builtin_name(i));
        if (description.method == TOPDOWN_NONE)
            continue;
        assert_true(description.node_count <= 256);
        if (description.kind == &amd_kind) { /* the other thread's slots are a root */
            for (unsigned n = 0; n < description.node_count; n++)
                roots += description.nodes[n].level == 1;
            assert_int_equal(roots, 5);
            continue;
        }
        for (unsigned n = 0; n < description.node_count; n++) {
            const struct node *node = &description.nodes[n];

            roots += node->level == 1;
            if (node->level == 2)
                children[node->parent]++;
            if (node->level > 0)
                assert_int_equal(node->threshold_kind, NODE_ABOVE);
        }
        assert_int_equal(roots, 4);
        for (unsigned n = 0; n < description.node_count; n++)
            if (description.levels > 3) /* E cores have 3, and do not split tma_retiring */
                assert_int_equal(children[n], description.nodes[n].level == 1 ? 2 : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_has_every_field_that_its_line_states),
        cmocka_unit_test(an_event_without_options_has_every_counter_and_no_modifier),
        cmocka_unit_test(metrics_and_slots_are_kinds_of_events),
        cmocka_unit_test(nodes_have_level_parent_formula_and_threshold),
        cmocka_unit_test(a_sign_before_a_letter_starts_no_comment),
        cmocka_unit_test(width_is_also_a_parameter),
        cmocka_unit_test(line_ends_and_byte_order_marks_of_other_editors_are_accepted),
        cmocka_unit_test(signatures_match_family_model_stepping_and_core_type),
        cmocka_unit_test(a_signature_may_name_a_vendor_and_a_range_of_models),
        cmocka_unit_test(an_alias_is_the_event_or_node_itself),
        cmocka_unit_test(an_event_select_is_as_long_as_the_kinds),
        cmocka_unit_test(a_sibling_inherits_all_except_signatures_and_replaces_what_it_states),
        cmocka_unit_test(a_sibling_drops_what_it_does_not_have),
        cmocka_unit_test(a_formula_modifies_events),
        cmocka_unit_test(an_erratum_names_its_events),
        cmocka_unit_test(the_errata_of_an_event_are_found),
        cmocka_unit_test(malformed_text_is_refused_with_file_line_column_and_expectation),
        cmocka_unit_test(a_complaint_about_an_inherited_file_names_that_file),
        cmocka_unit_test(a_file_over_a_mebibyte_is_refused_and_one_of_a_mebibyte_is_not),
        cmocka_unit_test(chains_and_sums_of_nodes_beyond_the_limits_are_refused),
        cmocka_unit_test(too_many_statements_are_refused),
        cmocka_unit_test(without_memory_nothing_is_described),
        cmocka_unit_test(every_description_of_the_image_parses_under_its_name),
        cmocka_unit_test(trees_of_the_image_have_four_roots_and_two_children_each),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);

    tests_free();
    return failed;
}
