/* The parser of ACPI tables: what it reads from good tables, and that damaged tables do no harm.
 * The offsets are the specification's. */
#include "tests/unit/cmocka_all.h"

#include <stdlib.h>
#include <string.h>

#include "boot/acpi.h"

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

/* Sets the byte at `where` so that bytes [0, size) sum to zero. */
static void seal(uint8_t *bytes, size_t size, size_t where)
{
    uint8_t sum = 0;

    bytes[where] = 0;
    for (size_t i = 0; i < size; i++)
        sum = (uint8_t)(sum + bytes[i]);
    bytes[where] = (uint8_t)-sum;
}

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
    memcpy(at + 56, (uint8_t[]){1, 40, 4}, 3);
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
        cmocka_unit_test(an_id_that_means_all_processors_is_no_processor),
        cmocka_unit_test(madt_counts_processors_beyond_1024),
        cmocka_unit_test(damaged_madts_do_no_harm),
        cmocka_unit_test(fadt_gives_the_timer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
