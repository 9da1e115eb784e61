/* What the sweep sweeps over, against what the rig can do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rig/fault/rows.h"
#include "tests/sweep/plan.h"

#define FAULTS 600 /* so many that each class is drawn in some run */

/* A run that has some of everything. */
static void fill_extents(struct extent extents[], bool used[])
{
    static const char *const points[] = {"msr",  "rdmsr", "wrmsr",         "rdpmc", "window",
                                         "turn", "uefi",  "uefi:allocate", "stick", "uart",
                                         "cr3",  "bank",  "core-window"};

    for (size_t i = 0; i < base_count; i++) {
        extents[i] = (struct extent){.windows = 90, .processors = 2, .counters = 4, .fixed = 3};
        for (size_t j = 0; j < sizeof(points) / sizeof(points[0]); j++) {
            snprintf(extents[i].points[j].name, sizeof(extents[i].points[j].name), "%s", points[j]);
            extents[i].points[j].count = 50;
            extents[i].point_count++;
        }
        used[i] = true;
    }
}

static bool is_capital(const char *word)
{
    return *word >= 'A' && *word <= 'Z';
}

/* Whether one word of a fault is what a word of a form stands for: "K-" for "12-". */
static bool stands_for(const char *form, size_t form_length, const char *word, size_t length)
{
    const bool from = form[form_length - 1] == '-';

    if (!is_capital(form))
        return form_length == length && memcmp(form, word, length) == 0;
    if (form_length == 1 && *form == 'K')
        return strspn(word, "0123456789") == length;
    return length > 0 && from == (word[length - 1] == '-') &&
           (strncmp(form, "HOW", form_length) != 0 || word[0] > '9');
}

static bool has_form(const char *fault, size_t length, const char *form)
{
    const char *const end = fault + length;

    for (;;) {
        const size_t of_form = strcspn(form, ":");
        const size_t of_word = strcspn(fault, ": ");

        if (!stands_for(form, of_form, fault, of_word))
            return false;
        form += of_form;
        fault += of_word;
        if (*form == 0 || fault == end)
            return *form == 0 && fault == end;
        form++;
        fault++;
    }
}

static bool is_swept(const struct plan *plan, const char *form)
{
    for (size_t i = 0; i < plan->count; i++)
        for (const char *at = plan->of[i].fault; *at != 0; at += strspn(at, " ")) {
            const size_t length = strcspn(at, " ");

            if (has_form(at, length, form))
                return true;
            at += length;
        }
    return false;
}

static void every_fault_of_the_rig_is_swept(void **state)
{
    static struct extent extents[32];
    static bool used[32];
    struct plan plan = {0};
    size_t rows;
    const struct fault_row *row = fault_rows(&rows);

    assert_true(base_count <= sizeof(used) / sizeof(used[0]));
    fill_extents(extents, used);
    plan_draw(&plan, extents, used, NULL, FAULTS, 1);
    for (size_t i = 0; i < rows; i++)
        if (!is_swept(&plan, row[i].form))
            fail_msg("--fault %s is in no row of the sweep's table", row[i].form);
    free(plan.of);
    (void)state;
}

/* A window drawn for "one window" is one for "windows K-M", too. */
static void what_is_drawn_is_known_as_a_fault_of_its_kind(void **state)
{
    static struct extent extents[32];
    static bool used[32];
    struct plan plan = {0};

    fill_extents(extents, used);
    plan_draw(&plan, extents, used, NULL, FAULTS, 2);
    assert_true(plan.count == FAULTS);
    for (size_t i = 0; i < plan.count; i++) {
        const struct trial *trial = &plan.of[i];
        const struct fault_class *class =
            plan_class(trial->fault, trial->base, &extents[trial->base - bases]);

        assert_non_null(class);
        assert_memory_equal(class->name, trial->class->name, strcspn(class->name, ","));
    }
    free(plan.of);
    (void)state;
}

/* "stick" of "stick:short:12". */
static void one_fault_of_each_kind_is_drawn(void **state)
{
    static struct extent extents[32];
    static bool used[32];
    struct plan plan = {0};
    size_t rows;
    const struct fault_row *row = fault_rows(&rows);

    fill_extents(extents, used);
    plan_kinds(&plan, extents, used, 3);
    for (size_t i = 0; i < rows; i++) {
        const size_t length = strcspn(row[i].form, ":");
        size_t count = 0;

        for (size_t j = 0; j < plan.count; j++)
            count += strcspn(plan.of[j].fault, ": ") == length &&
                     memcmp(plan.of[j].fault, row[i].form, length) == 0;
        if (count != 1 && strncmp(row[i].form, "lies", length) != 0)
            fail_msg("%zu faults like --fault %s are drawn", count, row[i].form);
    }
    free(plan.of);
    (void)state;
}

static void a_place_beyond_the_run_is_named_with_the_last_one(void **state)
{
    static struct extent extents[32];
    static bool used[32];
    FILE *const real = stderr;
    char *said;
    size_t length;
    const struct fault_class *of_last, *of_next;

    fill_extents(extents, used);
    stderr = open_memstream(&said, &length);
    of_last = plan_class("nmi:window:50", &bases[0], &extents[0]);
    of_next = plan_class("nmi:window:51", &bases[0], &extents[0]);
    fclose(stderr);
    stderr = real;
    assert_non_null(of_last);
    assert_null(of_next);
    assert_string_equal(
        said, "sweep: nmi:window:51: window 51 is beyond the run: skylakex-l1 has 1 to 50\n");
    free(said);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_of_the_rig_is_swept),
        cmocka_unit_test(what_is_drawn_is_known_as_a_fault_of_its_kind),
        cmocka_unit_test(one_fault_of_each_kind_is_drawn),
        cmocka_unit_test(a_place_beyond_the_run_is_named_with_the_last_one),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
