/* ACPI tables with random lengths and bytes: nothing is read beyond a table's end (the sanitizer
 * sees it), counts stay within their arrays. Deterministic. Usage: acpi_fuzz [runs [seed]] */
#include <string.h>

#include "boot/acpi.h"
#include "tests/fuzz/random.h"

#define HEADER 36u

static void sum_up(uint8_t *table, size_t size)
{
    uint8_t sum = 0;

    table[9] = 0;
    for (size_t i = 0; i < size; i++)
        sum = (uint8_t)(sum + table[i]);
    table[9] = (uint8_t)-sum;
}

/* A table of `size` bytes with a right header most of the time; a MADT's entries have plausible
 * types and lengths. */
static uint8_t *make_table(uint64_t *state, const char *signature, size_t size)
{
    uint8_t *table = malloc(size);

    require(table != NULL, "memory");
    for (size_t i = 0; i < size; i++)
        table[i] = (uint8_t)random_next(state);
    memcpy(table, signature, 4);
    for (unsigned i = 0; i < 4; i++)
        table[4 + i] = (uint8_t)(size >> 8 * i);
    if (memcmp(signature, "APIC", 4) == 0)
        for (size_t at = HEADER + 8; at + 2 < size;) {
            const bool wide = random_below(state, 2);

            table[at] = wide ? 9 : 0;
            table[at + 1] = random_below(state, 20) ? (wide ? 16 : 8) : (uint8_t)random_next(state);
            at += table[at + 1] < 2 ? 2 : table[at + 1];
        }
    if (random_below(state, 16))
        sum_up(table, size);
    return table;
}

/* What a table is used for once its header was believed. */
static void use(const uint8_t *table, size_t size)
{
    static struct acpi_processors processors;
    struct acpi_serial serial;
    struct acpi_timer timer;

    memset(&processors, 0, sizeof(processors));
    (void)acpi_madt(table, size, &processors);
    require(processors.count <= 256, "processors stay within their array");
    (void)acpi_spcr(table, size, &serial);
    (void)acpi_fadt(table, size, &timer);
    for (unsigned wide = 0; wide < 2; wide++)
        for (unsigned i = 0; i < acpi_entries(size, wide != 0); i++)
            (void)acpi_entry(table, wide != 0, i);
}

int main(int argc, char **argv)
{
    static const char *const signatures[] = {"APIC", "SPCR", "FACP", "XSDT", "RSDT"};
    unsigned runs = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 50000, believed = 0;
    uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 0) : 20261121;

    for (unsigned run = 0; run < runs; run++) {
        const char *signature = signatures[random_below(&state, 5)];
        const size_t size = HEADER + random_below(&state, run % 64 ? 200 : 3000);
        uint8_t *table = make_table(&state, signature, size);
        size_t stated = 0;

        if (acpi_check(table, signature, &stated) == RC_OK) {
            require(stated == size, "the size is the header's");
            believed++;
            use(table, stated);
        }
        free(table);
    }
    printf("%s 1 - %u random tables, %u of them believed\n1..1\n",
           believed > 0 && believed < runs ? "ok" : "not ok", runs, believed);
    return believed > 0 && believed < runs ? 0 : 1;
}
