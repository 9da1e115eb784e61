/* Runtime services, configuration tables, and the ends of a run. UEFI specification, "Services -
 * Runtime Services". */
#include <stdlib.h>
#include <string.h>

#include "inside.h"

#define START_YEAR                2026u
#define DAY_SECONDS               86400u
#define UNSPECIFIED_TIMEZONE      2047
#define NANOSECONDS               1000000000u
#define VARIABLE_ROOM             65536u
#define NON_VOLATILE              1u
#define BOOT_ACCESS               2u
#define RUNTIME_ACCESS            4u
#define APPEND_WRITE              0x40u
#define KNOWN_ATTRIBUTES          0x47u
#define TABLE_CONFIGURATION_COUNT 104u
#define TABLE_CONFIGURATION       112u
#define CONFIGURATION_BYTES       24u

/* The clock starts on 1 January of START_YEAR and counts simulated time; NULL means the start
 * itself. */
void time_at(const struct firmware *firmware, uint8_t efi_time[16])
{
    static const uint8_t days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    uint64_t ticks = firmware != NULL ? core_ticks(&firmware->machine->core[0]) : 0;
    uint64_t seconds = firmware != NULL ? machine_count_of(firmware->machine, ticks, 1) : 0;
    uint64_t rest = firmware != NULL ? ticks - machine_ticks_of(firmware->machine, seconds, 1) : 0;
    uint32_t nanosecond =
        firmware != NULL ? (uint32_t)machine_count_of(firmware->machine, rest, NANOSECONDS) : 0;
    uint16_t year = START_YEAR;
    int16_t zone = UNSPECIFIED_TIMEZONE;
    uint64_t day = seconds / DAY_SECONDS;
    uint8_t month = 0;

    for (; day >= days[month]; month++)
        day -= days[month];
    memset(efi_time, 0, 16);
    memcpy(efi_time, &year, 2);
    efi_time[2] = (uint8_t)(month + 1);
    efi_time[3] = (uint8_t)(day + 1);
    efi_time[4] = (uint8_t)(seconds / 3600 % 24);
    efi_time[5] = (uint8_t)(seconds / 60 % 60);
    efi_time[6] = (uint8_t)(seconds % 60);
    memcpy(efi_time + 8, &nanosecond, 4);
    memcpy(efi_time + 12, &zone, 2);
}

void time_of_day(struct core *core, uint8_t efi_time[16])
{
    time_at(core->machine->firmware, efi_time);
}

uint64_t firmware_get_time(struct call *call)
{
    uint8_t efi_time[16];
    static const uint32_t capabilities[3] = {1, 50000000,
                                             0}; /* 1 Hz, 50 ppm, does not set to zero */

    time_at(call->firmware, efi_time);
    if (!put(call, argument(call, 0), efi_time, sizeof(efi_time)))
        return EFI_INVALID_PARAMETER;
    if (argument(call, 1) && !put(call, argument(call, 1), capabilities, 9))
        return EFI_INVALID_PARAMETER;
    return EFI_SUCCESS;
}

uint64_t firmware_reset_system(struct call *call)
{
    static const char *const kinds[] = {"cold reset", "warm reset", "shutdown",
                                        "platform-specific reset"};
    uint64_t kind = argument(call, 0) & UINT32_MAX, status = argument(call, 1);

    call->leaves = true;
    if (kind >= sizeof(kinds) / sizeof(*kinds))
        machine_end(call->machine, 1, "ResetSystem of an unknown type %llu",
                    (unsigned long long)kind);
    else
        machine_end(call->machine, 0, "ResetSystem: %s, status 0x%llx", kinds[kind],
                    (unsigned long long)status);
    return 0;
}

/* ---- variables ---- */

static size_t length16(const uint16_t *text)
{
    size_t n = 0;

    while (text[n])
        n++;
    return n;
}

static struct variable *variable_find(struct call *call, uint64_t name_place, uint64_t guid_place,
                                      uint16_t name[128], struct guid *vendor, bool *bad)
{
    *bad = !get_string(call, name_place, name, 128) || name[0] == 0 ||
           !get(call, guid_place, vendor, sizeof(*vendor));
    for (unsigned i = 0; !*bad && i < VARIABLES; i++) {
        struct variable *variable = &call->firmware->variable[i];

        if (variable->data != NULL && memcmp(&variable->vendor, vendor, sizeof(*vendor)) == 0 &&
            memcmp(variable->name, name, 2 * (length16(name) + 1)) == 0)
            return variable;
    }
    return NULL;
}

static bool is_visible(const struct firmware *firmware, const struct variable *variable)
{
    return variable->data != NULL && (!firmware->left || variable->attributes & RUNTIME_ACCESS);
}

uint64_t firmware_get_variable(struct call *call)
{
    uint16_t name[128];
    struct guid vendor;
    bool bad;
    struct variable *variable =
        variable_find(call, argument(call, 0), argument(call, 1), name, &vendor, &bad);
    uint64_t room;

    if (bad || !get(call, argument(call, 3), &room, sizeof(room)))
        return EFI_INVALID_PARAMETER;
    if (variable == NULL || !is_visible(call->firmware, variable))
        return EFI_NOT_FOUND;
    if (argument(call, 2))
        put(call, argument(call, 2), &variable->attributes, sizeof(variable->attributes));
    put64(call, argument(call, 3), variable->size);
    if (room < variable->size)
        return EFI_BUFFER_TOO_SMALL;
    return put(call, argument(call, 4), variable->data, variable->size) ? EFI_SUCCESS
                                                                        : EFI_INVALID_PARAMETER;
}

uint64_t firmware_get_next_variable(struct call *call)
{
    struct firmware *firmware = call->firmware;
    uint16_t name[128];
    struct guid vendor;
    bool bad;
    const struct variable *variable;
    unsigned next = 0;
    uint64_t room, need;

    if (!get(call, argument(call, 0), &room, sizeof(room)) ||
        !get_string(call, argument(call, 1), name, 128))
        return EFI_INVALID_PARAMETER;
    if (name[0]) {
        variable = variable_find(call, argument(call, 1), argument(call, 2), name, &vendor, &bad);
        if (variable == NULL)
            return bad ? EFI_INVALID_PARAMETER : EFI_NOT_FOUND;
        next = (unsigned)(variable - firmware->variable) + 1;
    }
    while (next < VARIABLES && !is_visible(firmware, &firmware->variable[next]))
        next++;
    if (next == VARIABLES)
        return EFI_NOT_FOUND;
    variable = &firmware->variable[next];
    need = 2 * (length16(variable->name) + 1);
    put64(call, argument(call, 0), need);
    if (room < need)
        return EFI_BUFFER_TOO_SMALL;
    return put(call, argument(call, 1), variable->name, need) &&
                   put(call, argument(call, 2), &variable->vendor, sizeof(variable->vendor))
               ? EFI_SUCCESS
               : EFI_INVALID_PARAMETER;
}

static void variable_clear(struct variable *variable)
{
    free(variable->data);
    memset(variable, 0, sizeof(*variable));
}

static uint64_t variable_store(struct call *call, struct variable *variable, bool append)
{
    uint64_t size = argument(call, 3), kept = append ? variable->size : 0;
    const void *data = view(call, argument(call, 4), size);
    uint8_t *grown;

    if (data == NULL)
        return EFI_INVALID_PARAMETER;
    grown = size > VARIABLE_ROOM - kept ? NULL : realloc(variable->data, kept + size);
    if (grown == NULL)
        return EFI_OUT_OF_RESOURCES;
    memcpy(grown + kept, data, size);
    variable->data = grown;
    variable->size = kept + size;
    return EFI_SUCCESS;
}

/* After ExitBootServices only what is kept and has run-time access can be made, changed or deleted;
 * what is not kept is read-only. */
static uint64_t may_set(const struct firmware *firmware, const struct variable *variable,
                        uint32_t attributes)
{
    if (!firmware->left)
        return EFI_SUCCESS;
    if (variable != NULL)
        attributes = variable->attributes;
    if (variable != NULL && attributes & RUNTIME_ACCESS && !(attributes & NON_VOLATILE))
        return EFI_WRITE_PROTECTED;
    return attributes & RUNTIME_ACCESS && attributes & NON_VOLATILE ? EFI_SUCCESS
                                                                    : EFI_INVALID_PARAMETER;
}

uint64_t firmware_set_variable(struct call *call)
{
    uint16_t name[128];
    struct guid vendor;
    bool bad, append = argument(call, 2) & APPEND_WRITE;
    struct variable *variable =
        variable_find(call, argument(call, 0), argument(call, 1), name, &vendor, &bad);
    uint32_t attributes = (uint32_t)argument(call, 2) & ~APPEND_WRITE;
    uint64_t allowed;

    if (bad || (attributes & RUNTIME_ACCESS && !(attributes & BOOT_ACCESS)))
        return EFI_INVALID_PARAMETER;
    if (attributes & ~KNOWN_ATTRIBUTES)
        return EFI_UNSUPPORTED;
    allowed = may_set(call->firmware, variable, attributes);
    if (allowed)
        return allowed;
    if (!append && (argument(call, 3) == 0 || !(attributes & (BOOT_ACCESS | RUNTIME_ACCESS)))) {
        if (variable == NULL)
            return EFI_NOT_FOUND;
        variable_clear(variable);
        return EFI_SUCCESS;
    }
    if (variable != NULL && variable->attributes != attributes)
        return EFI_INVALID_PARAMETER;
    if (append && argument(call, 3) == 0)
        return variable != NULL ? EFI_SUCCESS : EFI_NOT_FOUND;
    for (unsigned i = 0; variable == NULL && i < VARIABLES; i++) {
        if (call->firmware->variable[i].data != NULL)
            continue;
        variable = &call->firmware->variable[i];
        variable->vendor = vendor;
        variable->attributes = attributes;
        memcpy(variable->name, name, sizeof(name));
    }
    return variable != NULL ? variable_store(call, variable, append) : EFI_OUT_OF_RESOURCES;
}

uint64_t firmware_query_variable_info(struct call *call)
{
    uint64_t used = 0;

    if (!(argument(call, 0) & (BOOT_ACCESS | RUNTIME_ACCESS)) ||
        argument(call, 0) & ~(uint64_t)KNOWN_ATTRIBUTES)
        return EFI_UNSUPPORTED;
    for (unsigned i = 0; i < VARIABLES; i++)
        used += call->firmware->variable[i].size;
    return put64(call, argument(call, 1), (uint64_t)VARIABLES * VARIABLE_ROOM) &&
                   put64(call, argument(call, 2), (uint64_t)VARIABLES * VARIABLE_ROOM - used) &&
                   put64(call, argument(call, 3), VARIABLE_ROOM)
               ? EFI_SUCCESS
               : EFI_INVALID_PARAMETER;
}

/* ---- configuration tables ---- */

bool configuration_install(struct firmware *firmware, const struct guid *guid, uint64_t table)
{
    struct guest_memory *memory = &firmware->machine->memory;
    uint8_t *list =
        memory_at(memory, firmware->configuration, CONFIGURATIONS * CONFIGURATION_BYTES);
    uint64_t count;
    unsigned at = 0;

    if (list == NULL)
        return false;
    while (at < firmware->configurations &&
           memcmp(list + at * CONFIGURATION_BYTES, guid, sizeof(*guid)))
        at++;
    if (at == CONFIGURATIONS || (!table && at == firmware->configurations))
        return false;
    if (table) {
        memcpy(list + at * CONFIGURATION_BYTES, guid, sizeof(*guid));
        memcpy(list + at * CONFIGURATION_BYTES + 16, &table, 8);
        firmware->configurations += at == firmware->configurations;
    } else {
        firmware->configurations--;
        memmove(list + at * CONFIGURATION_BYTES, list + (at + 1) * CONFIGURATION_BYTES,
                (firmware->configurations - at) * CONFIGURATION_BYTES);
    }
    count = firmware->configurations;
    memcpy(memory_at(memory, firmware->system + TABLE_CONFIGURATION_COUNT, 8), &count, 8);
    memcpy(memory_at(memory, firmware->system + TABLE_CONFIGURATION, 8), &firmware->configuration,
           8);
    table_seal(firmware, firmware->system);
    return true;
}

uint64_t firmware_install_configuration_table(struct call *call)
{
    struct guid guid;

    if (!get(call, argument(call, 0), &guid, sizeof(guid)))
        return EFI_INVALID_PARAMETER;
    if (configuration_install(call->firmware, &guid, argument(call, 1)))
        return EFI_SUCCESS;
    return argument(call, 1) ? EFI_OUT_OF_RESOURCES : EFI_NOT_FOUND;
}
