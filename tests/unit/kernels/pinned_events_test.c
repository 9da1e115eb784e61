/* Every event that a formula of the image's descriptions rests on is pinned by a kernel, or the
 * description says why no kernel does. */
#include "tests/unit/kernels/kernel_texts.h"

#include "harness/judge/verdict.h"
#include "tests/unit/descriptions.h"

#define EVENTS 1024

static struct experiment experiments[256]; /* of all kernels, in their order */

static void make_experiments(void)
{
    struct complaint complaint;

    for (unsigned i = 0; kernels_at(i) != NULL; i++) {
        struct pool pool = {.allocate = tests_allocate};

        assert_true(i < COUNT_OF(experiments));
        assert_int_equal(experiment_make(&experiments[i], kernels_at(i), &pool, &complaint), RC_OK);
    }
}

/* A bound over anything but n and what the description states has no value on some cores. */
static bool has_value(const struct description *description, const struct formula *bound)
{
    for (unsigned i = 0; i < bound->name_count; i++)
        if (strcmp(bound->names[i], "n") != 0 &&
            description_parameter(description, bound->names[i]) == NULL)
            return false;
    return true;
}

/* The event that the kernel's expectation pins; null: none. */
static const struct event *pinned_by(const struct description *description,
                                     const struct experiment *experiment, unsigned index)
{
    const struct kernel *kernel = experiment->kernel;
    const struct expectation *expectation = &experiment->expectations[index];
    const struct formula *subject = &experiment_subject(expectation, description)->formula;
    const struct event *event;
    double n, low, high;

    if (subject->step_count != 1 || subject->name_count != 1 ||
        !has_value(description, &expectation->low) || !has_value(description, &expectation->high))
        return NULL;
    n = (double)iterations_of(kernel);
    low = evaluate(kernel->expectations[index].low, n, -1);
    high = evaluate(kernel->expectations[index].high, n, -1);
    if (high - low > PIN_COUNTS && high - low > PIN_SHARE * (low + high) / 2)
        return NULL;
    event = description_event(description, subject->names[0]);
    return event != NULL && event->why == NULL ? event : NULL; /* else it is not counted */
}

/* What holds of the events of one description. */
struct review {
    struct description description;
    bool pinned[EVENTS];
    const struct event *needed[EVENTS]; /* by formulas */
    unsigned needed_count;
};

static void review(struct review *review, const char *name)
{
    const struct description *description = &review->description;

    memset(review, 0, sizeof(*review));
    tests_builtin(&review->description, name);
    assert_true(description->event_count <= EVENTS);
    for (unsigned i = 0; kernels_at(i) != NULL; i++)
        for (unsigned k = 0; k < experiments[i].kernel->expectation_count; k++) {
            const struct event *event = pinned_by(description, &experiments[i], k);

            if (event != NULL)
                review->pinned[event - description->events] = true;
        }
    for (unsigned i = 0; i < description->node_count; i++)
        if (description->nodes[i].level > 0)
            review->needed_count =
                topdown_events(description, &description->nodes[i].formula, review->needed,
                               review->needed_count, EVENTS, NULL);
}

static bool is_pinned(const struct review *review, const struct event *event)
{
    return review->pinned[event - review->description.events];
}

static void every_event_of_a_formula_is_pinned_or_has_a_reason_and_never_both(void **state)
{
    static struct review cpu;
    unsigned wrong = 0, pinned = 0, reasons = 0;

    (void)state;
    for (unsigned c = 0; builtin_name(c) != NULL; c++) {
        review(&cpu, builtin_name(c));
        for (unsigned i = 0; i < cpu.needed_count; i++) {
            const char *why = description_unpinned(&cpu.description, cpu.needed[i]);
            const bool is = is_pinned(&cpu, cpu.needed[i]);

            pinned += is;
            reasons += why != NULL;
            if (is == (why == NULL))
                continue;
            print_error("%s: %s is %s\n", cpu.description.file, cpu.needed[i]->name,
                        is ? "pinned, and has a reason" : "not pinned, and has no reason");
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(pinned > 0 && reasons > 0);
}

/* Whether the statement of that number is why the name's events have their reason. */
static bool is_used(const struct review *cpu, const char *name, unsigned statement)
{
    const struct description *description = &cpu->description;

    for (unsigned i = 0; i < cpu->needed_count; i++)
        if (event_is_of(cpu->needed[i], name) &&
            description_unpinned(description, cpu->needed[i]) ==
                description->unpinned[statement].why)
            return true;
    return false;
}

/* Whether both have the statement of that number: what is inherited comes first and keeps its
 * number. */
static bool share(const struct description *a, const struct description *b, unsigned statement)
{
    for (unsigned i = 0; i <= statement; i++)
        if (i >= a->unpinned_count || i >= b->unpinned_count ||
            strcmp(a->unpinned[i].names, b->unpinned[i].names) != 0 ||
            strcmp(a->unpinned[i].why, b->unpinned[i].why) != 0)
            return false;
    return true;
}

/* It may be of use to some of its heirs only. */
static bool is_used_somewhere(const struct review *cpus, unsigned count,
                              const struct description *description, unsigned statement,
                              const char *name)
{
    for (unsigned c = 0; c < count; c++)
        if (share(&cpus[c].description, description, statement) &&
            is_used(&cpus[c], name, statement))
            return true;
    return false;
}

static void no_reason_is_stated_in_vain(void **state)
{
    static struct review cpus[64];
    unsigned count = 0, vain = 0;

    (void)state;
    for (; builtin_name(count) != NULL; count++) {
        assert_true(count < COUNT_OF(cpus));
        review(&cpus[count], builtin_name(count));
    }
    for (unsigned c = 0; c < count; c++)
        for (unsigned i = 0; i < cpus[c].description.unpinned_count; i++) {
            const struct unpinned *unpinned = &cpus[c].description.unpinned[i];
            char names[1024], *rest = NULL;

            assert_in_range(snprintf(names, sizeof(names), "%s", unpinned->names), 1,
                            sizeof(names) - 1);
            for (char *name = strtok_r(names, ",", &rest); name; name = strtok_r(NULL, ",", &rest))
                if (!is_used_somewhere(cpus, count, &cpus[c].description, i, name)) {
                    print_error("%s: no event needs %s\n", cpus[c].description.file, name);
                    vain++;
                }
        }
    assert_int_equal(vain, 0);
}

#define CPU "cpu test\nwidth 4\ntopdown none\n"
#define ABC "event A.X 0x01 umask 0\nevent A.Y 0x01 umask 1\nevent B 0x02 umask 0\n"

static const char *why_of(const struct description *description, const char *name)
{
    return description_unpinned(description, description_event(description, name));
}

static void a_reason_is_of_an_event_or_of_all_that_share_a_name(void **state)
{
    struct description test;
    struct complaint complaint;

    (void)state;
    assert_int_equal(tests_parse(&test,
                                 CPU ABC "event AB 0x03 umask 0\nlet l = B:c2 + A.X:u3\n"
                                         "unpinned A,B one reason # a comment\n"
                                         "unpinned A.Y another\n",
                                 &complaint),
                     RC_OK);
    assert_string_equal(why_of(&test, "A.X"), "one reason");
    assert_string_equal(why_of(&test, "A.X:u3"), "one reason");
    assert_string_equal(why_of(&test, "A.Y"), "another");
    assert_string_equal(why_of(&test, "B:c2"), "one reason");
    assert_null(why_of(&test, "AB"));
}

static void cycles_shares_and_what_is_not_counted_need_no_reason_of_their_own(void **state)
{
    struct description test;
    struct complaint complaint;

    (void)state;
    assert_int_equal(tests_parse(&test,
                                 CPU ABC "event C 0x04 umask 0 cmask 1\n"
                                         "event D 0x04 umask 0 cmask 1 edge\n"
                                         "outside E nobody counts it\nslots S\nmetric M 0\n"
                                         "refuse B it is wrong\n",
                                 &complaint),
                     RC_OK);
    assert_string_equal(why_of(&test, "B"), "it is wrong");
    assert_string_equal(why_of(&test, "C"), "it counts cycles of a state that timing decides");
    assert_null(why_of(&test, "D")); /* how often: some kernels know */
    assert_string_equal(why_of(&test, "E"), "nobody counts it");
    assert_non_null(why_of(&test, "S"));
    assert_non_null(why_of(&test, "M"));
    assert_null(why_of(&test, "A.X"));
}

#define TEN(c) c c c c c c c c c c

static void a_reason_without_events_or_words_is_refused(void **state)
{
    static const struct {
        const char *line;
        unsigned column; /* 0: it is accepted */
    } rows[] = {
        {"unpinned\n", 9},
        {"unpinned A.X\n", 13},
        {"unpinned A.Z why\n", 10},
        {"unpinned B,A.Z why\n", 12},
        {"unpinned B, why\n", 12},
        {"unpinned B,,A why\n", 12},
        {"unpinned B " TEN("reasonable") "\n", 0}, /* 100 bytes */
        {"unpinned B " TEN("reasonable") "s\n", 112},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        struct description test;
        struct complaint complaint = {.line = 0};
        char text[512];

        snprintf(text, sizeof(text), "%s%s", CPU ABC, rows[i].line);
        assert_int_equal(tests_parse(&test, text, &complaint),
                         rows[i].column == 0 ? RC_OK : RC_BAD_INPUT);
        assert_int_equal(complaint.column, rows[i].column);
        assert_int_equal(complaint.line, rows[i].column == 0 ? 0 : 7);
    }
}

static int set_up(void **state)
{
    (void)state;
    make_experiments();
    return 0;
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
        cmocka_unit_test(every_event_of_a_formula_is_pinned_or_has_a_reason_and_never_both),
        cmocka_unit_test(no_reason_is_stated_in_vain),
        cmocka_unit_test(a_reason_is_of_an_event_or_of_all_that_share_a_name),
        cmocka_unit_test(cycles_shares_and_what_is_not_counted_need_no_reason_of_their_own),
        cmocka_unit_test(a_reason_without_events_or_words_is_refused),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
