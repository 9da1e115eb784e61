/* PCI configuration space of a test's own: functions that the test adds, and registers that it
 * fills. A test that includes this is linked with these functions in place of the image's. */
#ifndef TESTS_UNIT_BOOT_CONFIGURATION_SPACE_H
#define TESTS_UNIT_BOOT_CONFIGURATION_SPACE_H

#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "boot/pci/pci.h"

#define FUNCTIONS 16

static struct {
    uint32_t where;
    uint32_t registers[64];
} functions[FUNCTIONS];
static unsigned count, reads;

/* Called before a register is written, unless null; false: the write is lost. */
static bool (*on_write)(uint32_t *registers, unsigned offset, uint32_t value);

static uint32_t *registers_of(uint32_t where)
{
    for (unsigned i = 0; i < count; i++)
        if (functions[i].where == where)
            return functions[i].registers;
    return NULL;
}

uint32_t pci_read(uint32_t where, unsigned offset)
{
    const uint32_t *registers = registers_of(where);

    reads++;
    assert_true(offset < 256 && offset % 4 == 0);
    return registers != NULL ? registers[offset / 4] : PCI_NOBODY;
}

void pci_write(uint32_t where, unsigned offset, uint32_t value)
{
    uint32_t *registers = registers_of(where);

    assert_non_null(registers);
    assert_non_null(on_write);
    if (on_write(registers, offset, value))
        registers[offset / 4] = value;
}

static uint32_t *add_at(uint32_t where, uint32_t id, uint32_t class_code)
{
    uint32_t *registers = functions[count].registers;

    memset(registers, 0, sizeof(functions[count].registers));
    functions[count++].where = where;
    registers[0] = id;
    registers[2] = class_code << 8; /* class, subclass, interface */
    return registers;
}

#endif
