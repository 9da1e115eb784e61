/* The parser of ACPI tables: what it reads from good tables, and that damaged tables do no harm.
 * The offsets are the specification's. */
#include "tests/unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "boot/acpi.h"
#include "boot/nodes.h"
#include "tests/unit/boot/table_maker.h"

static void head(uint8_t *table, const char *signature, size_t size)
{
    memcpy(table, signature, 4);
    put(table + 4, size, 4);
    seal(table, size, 9);
}

static void root_prefers_the_xsdt(void **state)
{
    uint8_t rsdp[36] = "RSD PTR ";
    uint64_t address;
    bool wide;

    (void)state;
    put(rsdp + 16, 0x1000, 4);
    seal(rsdp, 20, 8);
    assert_int_equal(acpi_root(rsdp, &address, &wide), RC_OK);
    assert_int_equal(address, 0x1000);
    assert_false(wide);

    rsdp[15] = 2;
    put(rsdp + 20, 36, 4);
    put(rsdp + 24, 0x123456789000, 8);
    seal(rsdp, 20, 8);
    seal(rsdp, 36, 32);
    assert_int_equal(acpi_root(rsdp, &address, &wide), RC_OK);
    assert_int_equal(address, 0x123456789000);
    assert_true(wide);

    rsdp[32]++; /* the second checksum is wrong: the part under the first still counts */
    assert_int_equal(acpi_root(rsdp, &address, &wide), RC_OK);
    assert_int_equal(address, 0x1000);
    rsdp[8]++;
    assert_int_equal(acpi_root(rsdp, &address, &wide), RC_BAD_INPUT);
}

static void a_table_needs_signature_length_and_checksum(void **state)
{
    uint8_t table[40] = {0};
    size_t size;

    (void)state;
    head(table, "APIC", 40);
    assert_int_equal(acpi_check(table, "APIC", &size), RC_OK);
    assert_int_equal(size, 40);
    assert_int_equal(acpi_check(table, "FACP", &size), RC_ABSENT);
    table[39]++;
    assert_int_equal(acpi_check(table, "APIC", &size), RC_BAD_INPUT);
    head(table, "APIC", 35);
    assert_int_equal(acpi_check(table, "APIC", &size), RC_BAD_INPUT);
    put(table + 4, UINT32_MAX, 4);
    assert_int_equal(acpi_check(table, "APIC", &size), RC_BAD_INPUT);
}

static void entries_are_4_or_8_bytes(void **state)
{
    uint8_t table[36 + 16] = {0};

    (void)state;
    put(table + 36, 0x1111, 8);
    put(table + 44, 0x222200000000, 8);
    assert_int_equal(acpi_entries(sizeof(table), true), 2);
    assert_int_equal(acpi_entries(sizeof(table), false), 4);
    assert_int_equal(acpi_entry(table, true, 1), 0x222200000000);
    assert_int_equal(acpi_entry(table, false, 3), 0x2222);
}

/* Processor 5 enabled, 7 only online capable, x2APIC 300 enabled, 5 again, and an entry of another
 * type (an address override). */
static size_t madt_of(uint8_t *table)
{
    uint8_t *at = table + 44;

    put(table + 36, 0xfee00000, 4);
    memcpy(at, (uint8_t[]){0, 8, 0, 5, 1, 0, 0, 0}, 8);
    memcpy(at + 8, (uint8_t[]){0, 8, 1, 7, 2, 0, 0, 0}, 8);
    memcpy(at + 16, (uint8_t[]){9, 16, 0, 0, 0x2c, 1, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0}, 16);
    memcpy(at + 32, (uint8_t[]){9, 16, 0, 0, 5, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0}, 16);
    memcpy(at + 48, (uint8_t[]){5, 12, 0, 0, 0, 0, 0xd0, 0xfe, 0, 0, 0, 0}, 12);
    return 44 + 60;
}

static void madt_lists_enabled_processors_once(void **state)
{
    uint8_t table[128] = {0};
    struct acpi_processors found;

    (void)state;
    assert_int_equal(acpi_madt(table, madt_of(table), &found), RC_OK);
    assert_int_equal(found.count, 2);
    assert_int_equal(found.apic_id[0], 5);
    assert_int_equal(found.apic_id[1], 300);
    assert_int_equal(found.left_out, 0);
    assert_int_equal(found.repeated, 1);
}

/* Two entries of type 0, one of them not enabled, one of type 2, and one of memory, which is passed
 * over. Processor 300 is in domain 01000002H, 5 in 0302H; 7 is not in the MADT. */
static void srat_says_the_node_of_each_processor(void **state)
{
    uint8_t madt[128] = {0}, table[36 + 12 + 16 + 16 + 24 + 40] = {0}, *at = table + 48;
    struct acpi_processors found;

    (void)state;
    memcpy(at, (uint8_t[]){0, 16, 2, 5, 1, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0}, 16);
    memcpy(at + 16, (uint8_t[]){0, 16, 9, 7, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 16);
    memcpy(at + 32, (uint8_t[]){2, 24, 0, 0, 2, 0, 0, 1, 0x2c, 1, 0, 0, 1}, 13);
    memcpy(at + 56, (uint8_t[]){1, 40, 0}, 3);
    assert_int_equal(acpi_madt(madt, madt_of(madt), &found), RC_OK);
    assert_int_equal(found.node[0], ACPI_NODE_UNKNOWN);
    assert_int_equal(acpi_srat(table, sizeof(table), &found), RC_OK);
    assert_int_equal(found.node[0], 0x0302);
    assert_int_equal(found.node[1], 0x01000002);
    assert_int_equal(found.strangers, 1);
    table[48 + 4] = 0; /* not enabled: nothing is said of it */
    assert_int_equal(acpi_madt(madt, madt_of(madt), &found), RC_OK);
    assert_int_equal(acpi_srat(table, sizeof(table), &found), RC_OK);
    assert_int_equal(found.node[0], ACPI_NODE_UNKNOWN);
    table[48 + 16 + 1] = 0; /* an entry without a length */
    assert_int_equal(acpi_srat(table, sizeof(table), &found), RC_BAD_INPUT);
    table[48 + 16 + 1] = 15; /* and one that is shorter than its type */
    assert_int_equal(acpi_srat(table, sizeof(table), &found), RC_BAD_INPUT);
    for (size_t cut = 36; cut < 48; cut++)
        assert_int_equal(acpi_srat(table, cut, &found), RC_BAD_INPUT);
}

#define RANGES 6

/* Nodes 7, 1, 7 and 3 in this order; between them a range that is not enabled, a persistent one,
 * and one beyond the last address. */
static size_t srat_of(uint8_t *table)
{
    static const struct {
        uint32_t node, flags;
        uint64_t start, length;
    } ranges[RANGES + 1] = {
        {7, 1, 0, 0x80000000},           {1, 0, 0x80000000, 0x1000},
        {1, 1, 0x100000000, 0x80000000}, {4, 5, 0x200000000, 0x1000},
        {5, 1, 0x1000, UINT64_MAX},      {7, 3, 0x300000000, 0x1000}, /* may be pulled out */
        {3, 1, 0x400000000, 0x1000},
    };

    for (unsigned i = 0; i <= RANGES; i++) {
        uint8_t *at = table + 48 + 40 * (size_t)i;

        at[0] = 1;
        at[1] = 40;
        put(at + 2, ranges[i].node, 4);
        put(at + 8, ranges[i].start, 8);
        put(at + 16, ranges[i].length, 8);
        put(at + 28, ranges[i].flags, 4);
    }
    return 48 + 40 * (RANGES + 1);
}

static void srat_says_which_memory_a_node_has(void **state)
{
    uint8_t table[48 + 40 * (RANGES + 1)] = {0};
    const size_t size = srat_of(table);
    struct acpi_memory memory;

    (void)state;
    assert_int_equal(acpi_srat_memory(table, size, 0, &memory), RC_OK);
    assert_true(memory.node == 7 && memory.start == 0 && memory.end == 0x80000000);
    assert_int_equal(acpi_srat_memory(table, size, 1, &memory), RC_OK);
    assert_true(memory.node == 1 && memory.start == 0x100000000 && memory.end == 0x180000000);
    assert_int_equal(acpi_srat_memory(table, size, 3, &memory), RC_OK);
    assert_int_equal(memory.node, 3);
    assert_int_equal(acpi_srat_memory(table, size, 4, &memory), RC_ABSENT);
    table[48 + 40 + 1] = 39; /* shorter than its type */
    assert_int_equal(acpi_srat_memory(table, size, 0, &memory), RC_OK);
    assert_int_equal(acpi_srat_memory(table, size, 1, &memory), RC_BAD_INPUT);
}

static void slit_says_how_far_a_node_is(void **state)
{
    uint8_t table[36 + 8 + 9] = {0};

    (void)state;
    put(table + 36, 3, 8);
    memcpy(table + 44, (uint8_t[]){10, 20, 30, 21, 10, 40, 31, 41, 10}, 9);
    assert_int_equal(acpi_slit_distance(table, sizeof(table), 0, 2), 30);
    assert_int_equal(acpi_slit_distance(table, sizeof(table), 2, 0), 31);
    assert_int_equal(acpi_slit_distance(table, sizeof(table), 3, 0), 0);
    assert_int_equal(acpi_slit_distance(table, sizeof(table) - 1, 0, 2), 0);
    put(table + 36, 1ull << 32, 8); /* whose square is 0 */
    assert_int_equal(acpi_slit_distance(table, sizeof(table), 0, 0), 0);
    assert_int_equal(acpi_slit_distance(table, 43, 0, 0), 0);
}

/* A row and a column for each domain, a byte each, behind 8 bytes that say how many. */
static void slit_has_a_distance_for_each_pair_or_is_damaged(void **state)
{
    uint8_t table[36 + 8 + 9] = {0};
    unsigned domains = 0;

    (void)state;
    put(table + 36, 3, 8);
    assert_int_equal(acpi_slit(table, sizeof(table), &domains), RC_OK);
    assert_int_equal(domains, 3);
    assert_int_equal(acpi_slit(table, sizeof(table) - 1, &domains), RC_BAD_INPUT);
    put(table + 36, 1, 8); /* bytes beyond do no harm */
    assert_int_equal(acpi_slit(table, sizeof(table), &domains), RC_OK);
    assert_int_equal(domains, 1);
    put(table + 36, 0, 8);
    assert_int_equal(acpi_slit(table, sizeof(table), &domains), RC_BAD_INPUT);
    put(table + 36, 1ull << 32, 8); /* whose square is 0 */
    assert_int_equal(acpi_slit(table, sizeof(table), &domains), RC_BAD_INPUT);
    assert_int_equal(acpi_slit(table, 43, &domains), RC_BAD_INPUT);
}

static void a_node_s_memory_and_the_farthest_node(void **state)
{
    uint8_t srat[48 + 40 * (RANGES + 1)] = {0}, slit[36 + 8 + 64] = {0};
    const size_t size = srat_of(srat);
    struct acpi_memory memory;

    (void)state;
    nodes_start(srat, size, NULL, 0);
    assert_int_equal(nodes_of(0x7fffffff), 7);
    assert_int_equal(nodes_of(0x80000000), NODE_UNKNOWN);
    assert_int_equal(nodes_of(0x300000fff), 7);
    assert_true(nodes_memory(7, 1, &memory));
    assert_int_equal(memory.start, 0x300000000);
    assert_false(nodes_memory(7, 2, &memory) || nodes_memory(5, 0, &memory));
    assert_int_equal(nodes_highest(), 7);
    assert_int_equal(nodes_farthest(7), 1); /* the first other one */
    assert_int_equal(nodes_farthest(9), 7); /* a node without memory */
    put(slit + 36, 8, 8);
    slit[44 + 7 * 8 + 1] = 20;
    slit[44 + 7 * 8 + 3] = 21;
    nodes_start(srat, size, slit, sizeof(slit));
    assert_int_equal(nodes_farthest(7), 3);
    slit[44 + 7 * 8 + 3] = 255; /* cannot be reached */
    assert_int_equal(nodes_farthest(7), 1);
    nodes_start(srat, 48 + 40, NULL, 0); /* one range alone */
    assert_int_equal(nodes_farthest(7), NODE_UNKNOWN);
    nodes_start(NULL, 0, NULL, 0);
    assert_int_equal(nodes_of(0), NODE_UNKNOWN);
    assert_int_equal(nodes_highest(), NODE_UNKNOWN);
}

/* In entries of type 0 an id of 255 means all processors; in entries of type 9 it is a processor,
 * and ffffffffH means all. */
static void an_id_that_means_all_processors_is_no_processor(void **state)
{
    uint8_t table[44 + 8 + 2 * 16] = {0}, *at = table + 44;
    struct acpi_processors found;

    (void)state;
    memcpy(at, (uint8_t[]){0, 8, 0, 255, 1, 0, 0, 0}, 8);
    memcpy(at + 8, (uint8_t[]){9, 16, 0, 0, 255, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0}, 16);
    memcpy(at + 24, (uint8_t[]){9, 16, 0, 0, 255, 255, 255, 255, 1, 0, 0, 0, 3, 0, 0, 0}, 16);
    assert_int_equal(acpi_madt(table, sizeof(table), &found), RC_OK);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.apic_id[0], 255);
}

static void madt_counts_processors_beyond_1024(void **state)
{
    static uint8_t table[44 + 1068 * 16];
    struct acpi_processors found;

    (void)state;
    for (unsigned i = 0; i < 1068; i++) {
        uint8_t *entry = table + 44 + 16 * i;

        entry[0] = 9;
        entry[1] = 16;
        put(entry + 4, i, 4);
        entry[8] = 1;
    }
    assert_int_equal(acpi_madt(table, sizeof(table), &found), RC_OK);
    assert_int_equal(found.count, 1024);
    assert_int_equal(found.left_out, 44);
}

/* Each byte damaged and each length cut: every call returns, and none reads outside the table (the
 * sanitizer would stop the test). */
static void damaged_madts_do_no_harm(void **state)
{
    uint8_t good[128] = {0};
    size_t size = madt_of(good);
    struct acpi_processors found;

    (void)state;
    for (size_t cut = 36; cut <= size; cut++) {
        uint8_t *table = malloc(cut);

        memcpy(table, good, cut);
        acpi_madt(table, cut, &found);
        for (size_t at = 44; at < cut; at++)
            for (unsigned value = 0; value < 256; value++) {
                table[at] = (uint8_t)value;
                acpi_madt(table, cut, &found);
                table[at] = good[at];
            }
        free(table);
    }
    good[45] = 0; /* an entry of length 0 must not stop the parser from going on */
    assert_int_equal(acpi_madt(good, size, &found), RC_BAD_INPUT);
}

static void fadt_gives_the_timer(void **state)
{
    uint8_t table[244] = {0};
    struct acpi_timer timer;

    (void)state;
    assert_int_equal(acpi_fadt(table, sizeof(table), &timer), RC_ABSENT);
    put(table + 76, 0x408, 4);
    table[91] = 4;
    assert_int_equal(acpi_fadt(table, 116, &timer), RC_OK);
    assert_int_equal(timer.port, 0x408);
    assert_false(timer.wide);

    put(table + 112, 1u << 8, 4);
    table[208] = 1;
    put(table + 212, 0x608, 8);
    assert_int_equal(acpi_fadt(table, sizeof(table), &timer), RC_OK);
    assert_int_equal(timer.port, 0x608);
    assert_true(timer.wide);
    table[208] = 0; /* in memory, not behind an I/O port */
    assert_int_equal(acpi_fadt(table, sizeof(table), &timer), RC_ABSENT);
    assert_int_equal(acpi_fadt(table, 115, &timer), RC_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(root_prefers_the_xsdt),
        cmocka_unit_test(a_table_needs_signature_length_and_checksum),
        cmocka_unit_test(entries_are_4_or_8_bytes),
        cmocka_unit_test(madt_lists_enabled_processors_once),
        cmocka_unit_test(srat_says_the_node_of_each_processor),
        cmocka_unit_test(srat_says_which_memory_a_node_has),
        cmocka_unit_test(slit_says_how_far_a_node_is),
        cmocka_unit_test(slit_has_a_distance_for_each_pair_or_is_damaged),
        cmocka_unit_test(a_node_s_memory_and_the_farthest_node),
        cmocka_unit_test(an_id_that_means_all_processors_is_no_processor),
        cmocka_unit_test(madt_counts_processors_beyond_1024),
        cmocka_unit_test(damaged_madts_do_no_harm),
        cmocka_unit_test(fadt_gives_the_timer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
