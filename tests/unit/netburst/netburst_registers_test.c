/* The tables of NetBurst's registers: whole, without doubles, consistent, and equal to the
 * published tables where those are at hand. */
#include "tests/unit/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/netburst/registers.h"
#include "tests/unit/vendor.h"

#define FACTS "../facts" /* beside the vendor's tables */

static void there_are_45_escrs_each_with_an_address_and_a_name_of_its_own(void **state)
{
    (void)state;
    assert_int_equal(NETBURST_ESCRS, 45);
    for (unsigned i = 0; i < NETBURST_ESCRS; i++) {
        assert_in_range(netburst_escrs[i].address, 0x3a0, 0x3e1);
        for (unsigned j = 0; j < i; j++) {
            assert_int_not_equal(netburst_escrs[i].address, netburst_escrs[j].address);
            assert_string_not_equal(netburst_escrs[i].name, netburst_escrs[j].name);
        }
    }
}

static void
there_are_18_counters_numbered_like_their_addresses_and_those_of_their_cccrs(void **state)
{
    (void)state;
    assert_int_equal(NETBURST_COUNTERS, 18);
    for (unsigned i = 0; i < NETBURST_COUNTERS; i++) {
        assert_int_equal(netburst_counters[i].address, 0x300 + i);
        assert_int_equal(netburst_counters[i].cccr, 0x360 + i);
        for (unsigned j = 0; j < i; j++) {
            assert_string_not_equal(netburst_counters[i].name, netburst_counters[j].name);
            assert_string_not_equal(netburst_counters[i].cccr_name, netburst_counters[j].cccr_name);
        }
    }
}

static void no_two_escrs_of_a_counter_have_the_same_select(void **state)
{
    (void)state;
    for (unsigned i = 0; i < NETBURST_ESCRS; i++)
        for (unsigned j = 0; j < i; j++)
            if (netburst_escrs[i].counters & netburst_escrs[j].counters)
                assert_int_not_equal(netburst_escrs[i].select, netburst_escrs[j].select);
}

static void a_counter_and_an_escr_that_feeds_it_are_of_the_same_half(void **state)
{
    (void)state;
    for (unsigned i = 0; i < NETBURST_ESCRS; i++) {
        assert_true(netburst_escrs[i].counters != 0 && netburst_escrs[i].counters < 1u << 18);
        for (unsigned c = 0; c < NETBURST_COUNTERS; c++)
            if (netburst_escrs[i].counters >> c & 1)
                assert_int_equal(netburst_counters[c].half, netburst_escrs[i].half);
    }
}

static void the_escr_of_each_counter_and_select_is_the_one_that_feeds_it(void **state)
{
    unsigned found = 0;

    (void)state;
    for (unsigned c = 0; c < NETBURST_COUNTERS; c++)
        for (unsigned select = 0; select < NETBURST_SELECTS; select++) {
            unsigned escr = netburst_escr_of(c, select, 0);

            if (escr == NETBURST_NONE)
                continue;
            assert_int_equal(netburst_escrs[escr].select, select);
            assert_true(netburst_escrs[escr].counters >> c & 1);
            found++;
        }
    /* pairs: 2 counters for each of 16 ESCRs of BPU, 6 of MS and 10 of FLAME, 3 for each of 13 */
    assert_int_equal(found, 2 * (16 + 6 + 10) + 3 * 13);
}

static void models_after_2_lack_the_escrs_of_the_instruction_queue(void **state)
{
    (void)state;
    for (unsigned i = 0; i < NETBURST_ESCRS; i++) {
        bool queue = netburst_escrs[i].address == 0x3ba || netburst_escrs[i].address == 0x3bb;

        assert_true(netburst_has_escr(i, 0) && netburst_has_escr(i, 2));
        assert_int_equal(netburst_has_escr(i, 3), !queue);
        assert_int_equal(netburst_has_escr(i, 6), !queue);
    }
    assert_int_not_equal(netburst_escr_of(12, 0, 2), NETBURST_NONE);
    assert_int_equal(netburst_escr_of(12, 0, 3), NETBURST_NONE);
}

static void counters_16_and_17_start_no_other_by_cascade(void **state)
{
    (void)state;
    for (unsigned i = 0; i < NETBURST_COUNTERS; i++) {
        unsigned from = netburst_counters[i].cascade_from;

        assert_in_range(from, 0, 15);
        assert_int_equal(netburst_counters[from].group, netburst_counters[i].group);
        if (i < 16) { /* pairs start each other */
            assert_int_equal(netburst_counters[from].cascade_from, i);
            assert_int_not_equal(netburst_counters[from].half, netburst_counters[i].half);
        }
    }
}

static void reserved_bits_are_those_of_the_manuals_layout(void **state)
{
    (void)state;
    assert_true(ESCR_RESERVED == 0xffffffff80000000);
    assert_true(netburst_cccr_reserved(0, 2) == 0xffffffff30000fff);
    assert_true(netburst_cccr_reserved(12, 1) == 0xffffffff30000fff);
    assert_true(netburst_cccr_reserved(12, 2) == 0xffffffff300007ff);
    assert_true(netburst_cccr_reserved(13, 3) == 0xffffffff30000fff);
}

static void an_escr_is_found_by_its_name_with_and_without_msr(void **state)
{
    const struct slice names[] = {{"MSR_CRU_ESCR0", 13}, {"CRU_ESCR0", 9}, {"CRU_ESCR9", 9}};

    (void)state;
    assert_int_equal(netburst_escrs[netburst_escr_named(names[0])].address, 0x3b8);
    assert_int_equal(netburst_escr_named(names[0]), netburst_escr_named(names[1]));
    assert_int_equal(netburst_escr_named(names[2]), NETBURST_NONE);
}

static unsigned long number(const char *text)
{
    return strtoul(text, NULL, 0);
}

/* A list such as 12;13;16 as bits. */
static uint32_t bits_of(const char *text)
{
    uint32_t bits = 0;

    for (char *end; *text; text = *end ? end + 1 : end)
        bits |= 1u << strtoul(text, &end, 10);
    return bits;
}

static void every_escr_is_as_published(void **state)
{
    struct sheet sheet;

    (void)state;
    if (!vendor_open(&sheet, FACTS, "netburst_escr.csv")) {
        print_message("# skipped: the published tables are not at " VENDOR_PLACE "/" FACTS "\n");
        skip();
    }
    assert_int_equal(sheet.row_count, 1 + NETBURST_ESCRS);
    for (unsigned row = 1; row < sheet.row_count; row++) {
        const struct netburst_escr *escr = &netburst_escrs[row - 1];
        char half[16];

        snprintf(half, sizeof(half), "ESCR%u-half", escr->half);
        assert_string_equal(escr->name, vendor_at(&sheet, row, "name"));
        assert_int_equal(escr->address, number(vendor_at(&sheet, row, "msr_address")));
        assert_int_equal(escr->select, number(vendor_at(&sheet, row, "cccr_escr_select")));
        assert_string_equal(half, vendor_at(&sheet, row, "half"));
        assert_int_equal(escr->counters, bits_of(vendor_at(&sheet, row, "counters_rdpmc_index")));
        assert_int_equal(escr->models == NETBURST_MODELS_0_TO_2,
                         strstr(vendor_at(&sheet, row, "models"), "0-2 only") != NULL);
    }
    vendor_close(&sheet);
}

/* The list of a counter, such as CRU_ESCR0:4;IQ_ESCR0:0. */
static void check_feeding(const char *list, unsigned counter)
{
    unsigned fed = 0, listed = 0;

    for (unsigned i = 0; i < NETBURST_ESCRS; i++)
        fed += netburst_escrs[i].counters >> counter & 1;
    for (const char *at = list; at != NULL; at = strchr(at, ';')) {
        char *end;
        unsigned select, escr;
        const char *colon;

        at += *at == ';';
        colon = strchr(at, ':');
        select = (unsigned)strtoul(colon + 1, &end, 10);
        escr = netburst_escr_named((struct slice){at, (size_t)(colon - at)});
        assert_int_equal(netburst_escr_of(counter, select, 0), escr);
        listed++;
    }
    assert_int_equal(listed, fed);
}

static void check_cascade(const struct sheet *sheet, unsigned row)
{
    const struct netburst_counter *counter = &netburst_counters[row - 1];
    const char *extended = vendor_at(sheet, row, "extended_cascade_models_2_3_4_6");
    unsigned from = 99;

    assert_int_equal(sscanf(vendor_at(sheet, row, "cascade_started_by"), "from %u", &from), 1);
    assert_int_equal(counter->cascade_from, from);
    if (sscanf(extended, "bit 11: started by counter %u", &from) == 1)
        assert_int_equal(counter->extended_from, from);
    else
        assert_int_equal(counter->extended_from, NETBURST_NONE);
}

static void every_counter_is_as_published(void **state)
{
    static const char *const groups[] = {"BPU", "MS", "FLAME", "IQ"};
    struct sheet sheet;

    (void)state;
    if (!vendor_open(&sheet, FACTS, "netburst_counters.csv")) {
        print_message("# skipped: the published tables are not at " VENDOR_PLACE "/" FACTS "\n");
        skip();
    }
    assert_int_equal(sheet.row_count, 1 + NETBURST_COUNTERS);
    for (unsigned row = 1; row < sheet.row_count; row++) {
        const struct netburst_counter *counter = &netburst_counters[row - 1];
        const char *pebs = vendor_at(&sheet, row, "pebs_capable");

        assert_string_equal(counter->name, vendor_at(&sheet, row, "counter"));
        assert_int_equal(row - 1, number(vendor_at(&sheet, row, "rdpmc_index")));
        assert_int_equal(counter->address, number(vendor_at(&sheet, row, "msr_address")));
        assert_string_equal(counter->cccr_name, vendor_at(&sheet, row, "cccr_name"));
        assert_int_equal(counter->cccr, number(vendor_at(&sheet, row, "cccr_msr")));
        assert_string_equal(groups[counter->group], vendor_at(&sheet, row, "group"));
        assert_int_equal(NETBURST_COUNTER_BITS, number(vendor_at(&sheet, row, "width_bits")));
        assert_int_equal(counter->pebs_thread, strcmp(pebs, "no") == 0   ? NETBURST_NONE
                                               : strstr(pebs, "HT only") ? 1
                                                                         : 0);
        check_feeding(vendor_at(&sheet, row, "allowed_escr_and_select"), row - 1);
        check_cascade(&sheet, row);
    }
    vendor_close(&sheet);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_45_escrs_each_with_an_address_and_a_name_of_its_own),
        cmocka_unit_test(
            there_are_18_counters_numbered_like_their_addresses_and_those_of_their_cccrs),
        cmocka_unit_test(no_two_escrs_of_a_counter_have_the_same_select),
        cmocka_unit_test(a_counter_and_an_escr_that_feeds_it_are_of_the_same_half),
        cmocka_unit_test(the_escr_of_each_counter_and_select_is_the_one_that_feeds_it),
        cmocka_unit_test(models_after_2_lack_the_escrs_of_the_instruction_queue),
        cmocka_unit_test(counters_16_and_17_start_no_other_by_cascade),
        cmocka_unit_test(reserved_bits_are_those_of_the_manuals_layout),
        cmocka_unit_test(an_escr_is_found_by_its_name_with_and_without_msr),
        cmocka_unit_test(every_escr_is_as_published),
        cmocka_unit_test(every_counter_is_as_published),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
