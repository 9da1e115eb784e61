#include "power.h"

#include "boot/text.h"

/* Offsets in the FADT. */
#define FADT_SMI_CMD     48u
#define FADT_ACPI_ENABLE 52u
#define FADT_PM1A_CNT    64u
#define FADT_PM1B_CNT    68u
#define FADT_LEAST       72u
#define TABLE_HEADER     36u

/* AML. */
#define NAME_OP     0x08
#define PACKAGE_OP  0x12
#define ZERO_OP     0x00
#define ONE_OP      0x01
#define BYTE_PREFIX 0x0a

static uint16_t port_at(const uint8_t *table, size_t offset)
{
    return (uint16_t)(table[offset] | table[offset + 1] << 8);
}

/* A small number at *at, which moves behind it. False: it is no constant of up to a byte. */
static bool read_number(const uint8_t *aml, size_t size, size_t *at, uint16_t *value)
{
    if (*at >= size)
        return false;
    if (aml[*at] == ZERO_OP || aml[*at] == ONE_OP) {
        *value = aml[(*at)++];
        return true;
    }
    if (aml[*at] != BYTE_PREFIX || size - *at < 2)
        return false;
    *value = aml[*at + 1];
    *at += 2;
    return true;
}

/* Behind the name \_S5: Package (length, count, number for PM1a, number for PM1b, ...). */
static bool read_package(const uint8_t *aml, size_t size, size_t at, uint16_t sleep[2])
{
    if (at >= size || aml[at] != PACKAGE_OP || size - at < 2)
        return false;
    at += 1 + 1 + (aml[at + 1] >> 6); /* the first byte of the length says how many follow it */
    at++;                             /* the count */
    return read_number(aml, size, &at, &sleep[0]) && read_number(aml, size, &at, &sleep[1]);
}

static bool find_s5(const uint8_t *aml, size_t size, uint16_t sleep[2])
{
    for (size_t i = TABLE_HEADER; size >= 6 && i < size - 6; i++) {
        size_t at = i + 1;

        if (aml[i] != NAME_OP)
            continue;
        at += aml[at] == '\\';
        if (size - at > 4 && memcmp(aml + at, "_S5_", 4) == 0 &&
            read_package(aml, size, at + 4, sleep))
            return true;
    }
    return false;
}

bool power_read(struct power *power, const uint8_t *fadt, size_t fadt_size, const uint8_t *dsdt,
                size_t dsdt_size)
{
    *power = (struct power){.control = {0}};
    if (fadt_size < FADT_LEAST || !find_s5(dsdt, dsdt_size, power->sleep))
        return false;
    power->control[0] = port_at(fadt, FADT_PM1A_CNT);
    power->control[1] = port_at(fadt, FADT_PM1B_CNT);
    power->command = port_at(fadt, FADT_SMI_CMD);
    power->enable = fadt[FADT_ACPI_ENABLE];
    return power->control[0] != 0;
}
