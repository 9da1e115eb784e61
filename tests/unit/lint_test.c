/* What must hold over all descriptions of the image beyond what the parser checks: nothing is
 * stated without use, nothing twice, and nothing that no core has. */
#include "pmu/amd/kind.h"
#include "pmu/intel/kind.h"
#include "tests/unit/cmocka_all.h"

#include <ctype.h>

#include "boot/text.h"
#include "kernels/kernel.h"
#include "pmu/pebs_kind.h"
#include "pmu/plan.h"
#include "tests/unit/descriptions.h"

#define CPUS 64

static struct description all[CPUS];
static unsigned count;

static int load_all(void **state)
{
    (void)state;
    for (count = 0; builtin_name(count) != NULL; count++) {
        assert_true(count < CPUS);
        tests_builtin(&all[count], builtin_name(count));
    }
    return 0;
}

static int unload_all(void **state)
{
    (void)state;
    tests_free();
    return 0;
}

static const struct pmu_kind *kind_of_signature(const struct signature *signature)
{
    return signature->vendor != NULL ? &amd_kind : &intel_kind;
}

static void no_two_descriptions_claim_the_same_core(void **state)
{
    (void)state;
    for (unsigned i = 0; i < count; i++)
        for (unsigned s = 0; s < all[i].signature_count; s++)
            for (uint32_t stepping = 0; stepping < 16; stepping++)
                for (uint32_t native = 0; native < 5; native++) {
                    const struct signature *signature = &all[i].signatures[s];
                    const struct facts facts = {.kind = kind_of_signature(signature),
                                                .signatures = signature->vendor,
                                                .intel = signature->vendor == NULL,
                                                .amd = signature->vendor != NULL,
                                                .family = signature->family,
                                                .model = signature->model,
                                                .stepping = stepping,
                                                .core_type = signature->core_type,
                                                .native_model = native};

                    for (unsigned j = i + 1; j < count; j++)
                        if (description_matches(&all[i], &facts) &&
                            description_matches(&all[j], &facts))
                            fail_msg("%s and %s claim 06_%02x stepping %u core 0x%x native %u",
                                     all[i].name, all[j].name, facts.model, stepping,
                                     facts.core_type, native);
                }
}

static void a_text_claims_what_its_description_matches(void **state)
{
    (void)state;
    for (unsigned i = 0; i < count; i++)
        for (unsigned j = 0; j < count; j++)
            for (unsigned s = 0; s < all[j].signature_count; s++) {
                const struct signature *signature = &all[j].signatures[s];
                const struct facts facts = {.kind = kind_of_signature(signature),
                                            .signatures = signature->vendor,
                                            .intel = signature->vendor == NULL,
                                            .amd = signature->vendor != NULL,
                                            .family = signature->family,
                                            .model = signature->model,
                                            .stepping = signature->stepping_low,
                                            .core_type = signature->core_type,
                                            .native_model = signature->native_model};
                size_t size;
                const char *text = builtin_text(all[i].name, &size);

                assert_int_equal(description_claims(text, size, &facts),
                                 description_matches(&all[i], &facts));
            }
}

/* Whether a formula mentions the name, or a modification of that event. */
static bool mentioned(const struct description *description, const char *name)
{
    size_t length = strlen(name);

    for (unsigned i = 0; i < description->node_count; i++) {
        const struct formula *formula = &description->nodes[i].formula;

        for (unsigned n = 0; n < formula->name_count; n++)
            if (strncmp(formula->names[n], name, length) == 0 &&
                (formula->names[n][length] == 0 || formula->names[n][length] == ':'))
                return true;
    }
    return false;
}

static bool in_text(const char *text, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = text; ((at = strstr(at, name)) != NULL); at++)
        if ((at == text || (!isalnum((unsigned char)at[-1]) && strchr("_.:#", at[-1]) == NULL)) &&
            !isalnum((unsigned char)at[length]) &&
            (!at[length] || strchr("_.:#", at[length]) == NULL))
            return true;
    return false;
}

static bool of_a_kernel(const char *name)
{
    for (unsigned k = 0; kernels_at(k) != NULL; k++) {
        const struct kernel *kernel = kernels_at(k);

        for (unsigned e = 0; e < kernel->expectation_count; e++)
            if (in_text(kernel->expectations[e].subject, name) ||
                in_text(kernel->expectations[e].low, name) ||
                in_text(kernel->expectations[e].high, name))
                return true;
    }
    return false;
}

/* A precise event that is stated in order to be refused: PEBS is not to use it. */
static bool refused_to_pebs(const struct description *description, const struct event *event)
{
    const struct pebs_kind *kind = description->pebs;

    for (unsigned i = 0; kind != NULL && event->why != NULL && i < COUNT_OF(kind->events); i++)
        if (kind->events[i].name != NULL && kind->events[i].code == event->code &&
            kind->events[i].umask == event->umask)
            return true;
    return false;
}

/* What a profile needs to know of mispredicted branches, and what it samples. */
static bool of_a_profile(const char *name)
{
    return strcmp(name, RECOVERY_CYCLES) == 0 || strcmp(name, CLEAR_RESTEER_CYCLES) == 0 ||
           strcmp(name, TAKEN_EXECUTED) == 0 || strcmp(name, TAKEN_MISPREDICTS_EXECUTED) == 0;
}

/* Of AMD's parts a description has all core events of the vendor's list, for those who ask for
 * them. */
static bool lists_all(const struct description *description)
{
    return description->kind == &amd_kind;
}

static void every_event_is_of_a_formula_or_kernel_or_architectural(void **state)
{
    unsigned unused = 0;

    (void)state;
    for (unsigned c = 0; c < count; c++)
        for (unsigned i = 0; i < all[c].event_count; i++) {
            const struct event *event = &all[c].events[i];

            if (event->kind == EVENT_FIXED || event->kind == EVENT_SLOTS ||
                event->kind == EVENT_MASKED || event->architectural >= 0 || lists_all(&all[c]) ||
                mentioned(&all[c], event->name) || of_a_kernel(event->name) ||
                of_a_profile(event->name) || refused_to_pebs(&all[c], event))
                continue;
            print_error("%s: nothing uses %s\n", all[c].file, event->name);
            unused++;
        }
    assert_int_equal(unused, 0);
}

static void every_row_and_parameter_of_the_formulas_is_used(void **state)
{
    unsigned unused = 0;

    (void)state;
    for (unsigned c = 0; c < count; c++) {
        const struct description *cpu = &all[c];

        for (unsigned i = 0; i < cpu->node_count; i++)
            if (cpu->nodes[i].level == 0 && cpu->method != TOPDOWN_NONE &&
                !mentioned(cpu, cpu->nodes[i].name) && !of_a_kernel(cpu->nodes[i].name)) {
                print_error("%s: nothing uses %s\n", cpu->file, cpu->nodes[i].name);
                unused++;
            }
        for (unsigned i = 0; i < cpu->parameter_count; i++)
            if (cpu->parameters[i].name[0] == '#' && !mentioned(cpu, cpu->parameters[i].name)) {
                print_error("%s: nothing uses %s\n", cpu->file, cpu->parameters[i].name);
                unused++;
            }
    }
    assert_int_equal(unused, 0);
}

/* A core with every counter that the registers reach: general 0 to 9, fixed 0 to 6. */
static void every_event_has_a_counter_that_can_exist(void **state)
{
    const struct facts most = {.kind = &intel_kind,
                               .intel = true,
                               .version = 5,
                               .general_count = 10,
                               .fixed_mask = 0x7f,
                               .architectural_events = 0xff,
                               .any_thread = true,
                               .perf_metrics = true};

    (void)state;
    for (unsigned c = 0; c < count; c++) {
        const struct event *events[PLAN_EVENTS];
        struct plan plan;

        if (lists_all(&all[c])) /* every counter counts each of them (tests/unit/amd) */
            continue;
        assert_true(all[c].event_count <= PLAN_EVENTS);
        for (unsigned i = 0; i < all[c].event_count; i++) {
            const struct event *event = &all[c].events[i];

            events[i] = event;
            if (event->counters != UINT32_MAX && event->counters >> 10)
                fail_msg("%s: %s on counters 0x%x", all[c].file, event->name, event->counters);
        }
        assert_int_equal(
            plan_make(&plan, &most, &all[c], events, NULL, all[c].event_count, &tests_pool), RC_OK);
        for (unsigned i = 0; i < plan.missing_count; i++)
            if (plan.missing[i].event->kind != EVENT_OUTSIDE &&
                plan.missing[i].event->why == NULL && plan.missing[i].event->kind != EVENT_MASKED &&
                plan.missing[i].event->kind != EVENT_NAMED)
                fail_msg("%s: %s: %s", all[c].file, plan.missing[i].event->name,
                         plan.missing[i].reason);
    }
}

static void the_reason_why_an_event_has_no_count_is_never_cut_off(void **state)
{
    unsigned said = 0;

    (void)state;
    for (unsigned i = 0; i < CPUS; i++) {
        for (unsigned j = 0; j < all[i].event_count; j++) {
            const struct event *event = &all[i].events[j];

            if (event->why == NULL)
                continue;
            said++;
            assert_in_range(snprintf(NULL, 0, "%s not measured: %s", event->name, event->why), 1,
                            FORMULA_REASON - 1);
        }
    }
    assert_in_range(said, 1, 100000);
}

static void every_node_has_a_threshold_and_every_description_a_signature(void **state)
{
    (void)state;
    for (unsigned c = 0; c < count; c++) {
        assert_true(strcmp(all[c].name, "architectural") == 0 || all[c].signature_count > 0 ||
                    strcmp(all[c].name, "sapphirerapids_hbm") == 0);
        assert_true(all[c].method == TOPDOWN_NONE || all[c].width >= 4 ||
                    (all[c].method == TOPDOWN_OWN && all[c].width == 3));
        for (unsigned i = 0; i < all[c].node_count; i++)
            if (all[c].kind != &amd_kind && all[c].nodes[i].level > 0 &&
                all[c].nodes[i].threshold_kind == NODE_NO_THRESHOLD)
                fail_msg("%s: %s has no threshold", all[c].file, all[c].nodes[i].name);
    }
}

/* Copies the next line of a text without its comment, blanks run together. False at the end. */
static bool next_line(const char **at, char *line, size_t size)
{
    size_t length = 0;

    if (!**at)
        return false;
    for (; **at && **at != '\n'; ++*at) {
        char c = **at;

        if (c == '#' && !isalpha((unsigned char)(*at)[1]))
            break;
        if (c == ' ' && (length == 0 || line[length - 1] == ' '))
            continue;
        assert_true(length + 1 < size);
        line[length++] = c;
    }
    while (**at && **at != '\n')
        ++*at;
    *at += **at == '\n';
    while (length > 0 && line[length - 1] == ' ')
        length--;
    line[length] = 0;
    return true;
}

/* Finds the line of the text that begins with the first two words of `statement`: it states the
 * same thing. False when there is none. */
static bool stated(const char *text, const char *statement, char *line, size_t size)
{
    const char *name = strchr(statement, ' '), *end = name != NULL ? strchr(name + 1, ' ') : NULL;

    if (end == NULL)
        return false;
    while (next_line(&text, line, size))
        if (strncmp(line, statement, (size_t)(end - statement) + 1) == 0)
            return true;
    return false;
}

/* Whether the text takes away what the statement is about: its second word. */
static bool takes_away(const char *text, const char *statement)
{
    char line[8192], name[256];

    if (sscanf(statement, "%*s %255s", name) != 1)
        return false;
    while (next_line(&text, line, sizeof(line))) {
        char *rest = NULL;

        if (strncmp(line, "without ", 8) != 0)
            continue;
        for (char *word = strtok_r(line, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
            if (strcmp(word, name) == 0)
                return true;
    }
    return false;
}

static void a_sibling_states_only_what_differs(void **state)
{
    static char statement[8192], inherited[8192];
    unsigned repeated = 0;

    (void)state;
    for (unsigned c = 0; c < count; c++) {
        size_t size;
        const char *at = builtin_text(all[c].name, &size);
        char like[DESCRIPTION_NAME] = "";

        while (next_line(&at, statement, sizeof(statement))) {
            char next[DESCRIPTION_NAME];

            if (sscanf(statement, "like %71s", like) == 1 || !like[0])
                continue;
            if (strncmp(statement, "event ", 6) != 0 && strncmp(statement, "let ", 4) != 0 &&
                strncmp(statement, "node ", 5) != 0 && strncmp(statement, "parameter ", 10) != 0)
                continue;
            for (strcpy(next, like); next[0];) { /* the nearest ancestor that states it */
                const char *text = builtin_text(next, &size), *from;
                char line[8192];

                if (stated(text, statement, inherited, sizeof(inherited))) {
                    if (strcmp(statement, inherited) == 0) {
                        print_error("%s: %s states the same: %s\n", all[c].file, next, statement);
                        repeated++;
                    }
                    break;
                }
                if (takes_away(text, statement)) /* so it is stated anew */
                    break;
                from = text;
                next[0] = 0;
                while (next_line(&from, line, sizeof(line)) && !sscanf(line, "like %71s", next))
                    continue;
            }
        }
    }
    assert_int_equal(repeated, 0);
}

/* A new CPU that is like a described one is little work. */
static void a_sibling_takes_one_file_of_at_most_20_lines(void **state)
{
    static const char *const siblings[] = {"emeraldrapids", "rocketlake", "arrowlake_e",
                                           "sierraforest"};

    (void)state;
    for (size_t i = 0; i < sizeof(siblings) / sizeof(siblings[0]); i++) {
        size_t size;
        const char *text = builtin_text(siblings[i], &size);
        unsigned lines = 0;

        assert_non_null(text);
        for (; *text; text++)
            lines += *text == '\n';
        assert_true(lines <= 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_two_descriptions_claim_the_same_core),
        cmocka_unit_test(a_text_claims_what_its_description_matches),
        cmocka_unit_test(every_event_is_of_a_formula_or_kernel_or_architectural),
        cmocka_unit_test(every_row_and_parameter_of_the_formulas_is_used),
        cmocka_unit_test(every_event_has_a_counter_that_can_exist),
        cmocka_unit_test(the_reason_why_an_event_has_no_count_is_never_cut_off),
        cmocka_unit_test(every_node_has_a_threshold_and_every_description_a_signature),
        cmocka_unit_test(a_sibling_states_only_what_differs),
        cmocka_unit_test(a_sibling_takes_one_file_of_at_most_20_lines),
    };

    return cmocka_run_group_tests(tests, load_all, unload_all);
}
