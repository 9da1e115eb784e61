/* Which description a core gets. */
#include "pmu/intel/kind.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "harness/configure/library.h"
#include "tests/unit/descriptions.h"

static struct library_entry entries[LIBRARY_ENTRIES];
static struct library library;
static struct complaint last;
static unsigned last_count;

static void keep_last(void *context, const struct complaint *complaint)
{
    (void)context;
    last = *complaint;
    last_count++;
}

static const struct complaint_sink sink = {NULL, keep_last};

/* 06_55H is Skylake-SP, 06_6AH Ice Lake-SP (SDM volume 4, "DisplayFamily_DisplayModel"). */
static const struct facts skylake_sp = {
    .kind = &intel_kind, .intel = true, .family = 6, .model = 0x55, .stepping = 4};
static const struct facts icelake_sp = {
    .kind = &intel_kind, .intel = true, .family = 6, .model = 0x6a, .stepping = 6};
static const struct facts nobody = {.kind = &intel_kind, .intel = true, .family = 6, .model = 0xfe};

static int set_up(void **state)
{
    (void)state;
    memset(entries, 0, sizeof(entries));
    library = (struct library){entries, 0, tests_allocate};
    last_count = 0;
    assert_true(library_add_builtin(&library));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tests_free();
    return 0;
}

static void a_core_gets_the_description_with_its_signature(void **state)
{
    (void)state;
    assert_string_equal(library_matching(&library, &skylake_sp, &sink)->name, "skylakex");
    assert_string_equal(library_matching(&library, &icelake_sp, &sink)->name, "icelakex");
    assert_int_equal(last_count, 0);
}

/* CPUID 1AH: an E-core is of type 20H; Arrow Lake-H has two kinds of them, which differ in their
 * native model (perfmon's mapfile.csv). */
static void each_core_of_a_hybrid_gets_its_own(void **state)
{
    static const struct {
        struct facts facts;
        const char *name;
    } cores[] = {
        {{.kind = &intel_kind,
          .intel = true,
          .family = 6,
          .model = 0x97,
          .core_type = 0x40,
          .native_model = 1},
         "alderlake"},
        {{.kind = &intel_kind,
          .intel = true,
          .family = 6,
          .model = 0x97,
          .core_type = 0x20,
          .native_model = 1},
         "alderlake_e"},
        {{.kind = &intel_kind, .intel = true, .family = 6, .model = 0x97},
         "alderlake"}, /* Core i3-12100: no leaf 1AH */
        {{.kind = &intel_kind, .intel = true, .family = 6, .model = 0x97, .hypervisor = true},
         "architectural"},
        {{.kind = &intel_kind, .intel = true, .family = 6, .model = 0xbe}, "alderlake_e"},
        {{.kind = &intel_kind, .intel = true, .family = 6, .model = 0xd7},
         "alderlake"}, /* Bartlett Lake: P cores */
        {{.kind = &intel_kind, .intel = true, .family = 6, .model = 0x56}, "broadwell"},
        {{.kind = &intel_kind,
          .intel = true,
          .family = 6,
          .model = 0xc5,
          .core_type = 0x40,
          .native_model = 3},
         "arrowlake"},
        {{.kind = &intel_kind,
          .intel = true,
          .family = 6,
          .model = 0xc5,
          .core_type = 0x20,
          .native_model = 3},
         "arrowlake_e"},
        {{.kind = &intel_kind,
          .intel = true,
          .family = 6,
          .model = 0xc5,
          .core_type = 0x20,
          .native_model = 2},
         "arrowlake_lpe"},
        {{.kind = &intel_kind, .intel = true, .family = 6, .model = 0x55, .stepping = 7},
         "cascadelakex"},
        {{.kind = &intel_kind, .intel = true, .family = 6, .model = 0x55, .stepping = 11},
         "cooperlakex"},
        {{.kind = &intel_kind, .intel = true, .family = 6, .model = 0x8e, .stepping = 9},
         "skylake"},
        {{.kind = &intel_kind, .intel = true, .family = 6, .model = 0x8e, .stepping = 12},
         "coffeelake"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cores) / sizeof(cores[0]); i++)
        assert_string_equal(library_matching(&library, &cores[i].facts, &sink)->name,
                            cores[i].name);
    assert_int_equal(last_count, 0);
}

static void only_the_description_that_is_needed_is_parsed(void **state)
{
    unsigned read = 0;

    (void)state;
    assert_non_null(library_matching(&library, &skylake_sp, &sink));
    for (unsigned i = 0; i < library.count; i++)
        read += library.entries[i].state != ENTRY_UNREAD;
    assert_int_equal(read, 1);
}

static void a_core_without_a_description_gets_the_architectural_one(void **state)
{
    (void)state;
    assert_string_equal(library_matching(&library, &nobody, &sink)->name, "architectural");
}

static void a_file_on_the_stick_replaces_the_description_of_its_name(void **state)
{
    static const char custom[] = "cpu skylakex\nsignature 06_55\nwidth 9\n";
    const struct description *description;

    (void)state;
    assert_true(library_add(&library, "skylakex", custom, strlen(custom), true));
    assert_true(library_check_stick(&library, &sink));
    description = library_matching(&library, &skylake_sp, &sink);
    assert_true(description->from_stick);
    assert_int_equal(description->width, 9);
}

static void a_new_file_on_the_stick_is_preferred_to_the_image(void **state)
{
    static const char custom[] = "cpu custom\nlike skylakex\nsignature 06_55\nwidth 9\n";

    (void)state;
    assert_true(library_add(&library, "custom", custom, strlen(custom), true));
    assert_string_equal(library_matching(&library, &skylake_sp, &sink)->name, "custom");
    assert_string_equal(library_named(&library, "skylakex", &sink)->name, "skylakex");
    assert_null(library_named(&library, "unknown", &sink));
}

static void what_stands_over_a_file_on_the_stick_is_from_the_stick(void **state)
{
    (void)state;
    for (unsigned i = 0; i < library.count; i++) {
        const struct library_entry built_in = library.entries[i];

        if (strcmp(built_in.name, "skylake") == 0)
            assert_true(library_add(&library, "skylake", built_in.text, built_in.size, true));
    }
    assert_true(library_named(&library, "skylakex", &sink)->from_stick); /* "like skylake" */
    assert_false(library_named(&library, "ivybridge", &sink)->from_stick);
}

static void a_malformed_description_is_complained_about_once(void **state)
{
    static const char custom[] = "cpu custom\nwidth 4\nnode tma_x level 1 = (A.B\n";

    (void)state;
    assert_true(library_add(&library, "custom", custom, strlen(custom), true));
    assert_false(library_check_stick(&library, &sink));
    assert_false(library_check_stick(&library, &sink));
    assert_int_equal(last_count, 1);
    assert_int_equal(last.line, 3);
    assert_string_equal(library_matching(&library, &skylake_sp, &sink)->name, "skylakex");
}

static void a_full_library_says_so(void **state)
{
    char name[16];
    unsigned added = library.count;

    (void)state;
    for (; added < LIBRARY_ENTRIES; added++) {
        snprintf(name, sizeof(name), "x%u", added);
        assert_true(library_add(&library, name, "", 0, true));
    }
    assert_false(library_add(&library, "one.more", "", 0, true));
    assert_true(library_add(&library, "x99", "", 0, true)); /* a replacement needs no room */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_core_gets_the_description_with_its_signature, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(each_core_of_a_hybrid_gets_its_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_the_description_that_is_needed_is_parsed, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_core_without_a_description_gets_the_architectural_one,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_on_the_stick_replaces_the_description_of_its_name,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_new_file_on_the_stick_is_preferred_to_the_image, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_stands_over_a_file_on_the_stick_is_from_the_stick,
                                        set_up, NULL),
        cmocka_unit_test_setup_teardown(a_malformed_description_is_complained_about_once, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(a_full_library_says_so, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
