/* Runtime services, configuration tables, and ResetSystem. UEFI specification, "Services - Runtime
 * Services". */
#include "runtime.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "device/platform.h"
#include "device/rtc.h"
#include "guest.h"
#include "service.h"
#include "state.h"

#define VARIABLE_ROOM 65536u /* bytes of one variable */
#define KNOWN_ATTRIBUTES                                                                           \
    ((uint32_t)(EFI_VARIABLE_NON_VOLATILE | EFI_VARIABLE_BOOTSERVICE_ACCESS |                      \
                EFI_VARIABLE_RUNTIME_ACCESS | EFI_VARIABLE_APPEND_WRITE))

EFI_TIME runtime_time(const struct machine *machine, uint64_t ticks)
{
    struct rtc_time time = rtc_time_at(machine, ticks);

    return (EFI_TIME){.Year = time.year,
                      .Month = time.month,
                      .Day = time.day,
                      .Hour = time.hour,
                      .Minute = time.minute,
                      .Second = time.second,
                      .Nanosecond = time.nanosecond,
                      .TimeZone = EFI_UNSPECIFIED_TIMEZONE};
}

uint64_t firmware_get_time(struct call *call)
{
    EFI_TIME now = runtime_time(call->machine, core_ticks(call->core));
    /* 1 Hz, 50 ppm; setting the time does not clear its fraction of a second. */
    static const EFI_TIME_CAPABILITIES capabilities = {1, 50000000, 0};

    if (!put(call, argument(call, 0), &now, sizeof(now)))
        return EFI_INVALID_PARAMETER;
    if (argument(call, 1) && !put(call, argument(call, 1), &capabilities,
                                  offsetof(EFI_TIME_CAPABILITIES, SetsToZero) + 1))
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
        image_ends_run(call, kinds[kind], status);
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
                                      uint16_t name[128], EFI_GUID *vendor, bool *bad)
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
    return variable->data != NULL &&
           (!firmware->left || variable->attributes & EFI_VARIABLE_RUNTIME_ACCESS);
}

uint64_t firmware_get_variable(struct call *call)
{
    uint16_t name[128];
    EFI_GUID vendor;
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
    EFI_GUID vendor;
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

/* After ExitBootServices only variables that are non-volatile and have run-time access can be made,
 * changed or deleted; volatile ones are read-only. */
static uint64_t may_set(const struct firmware *firmware, const struct variable *variable,
                        uint32_t attributes)
{
    if (!firmware->left)
        return EFI_SUCCESS;
    if (variable != NULL)
        attributes = variable->attributes;
    if (variable != NULL && attributes & EFI_VARIABLE_RUNTIME_ACCESS &&
        !(attributes & EFI_VARIABLE_NON_VOLATILE))
        return EFI_WRITE_PROTECTED;
    return attributes & EFI_VARIABLE_RUNTIME_ACCESS && attributes & EFI_VARIABLE_NON_VOLATILE
               ? EFI_SUCCESS
               : EFI_INVALID_PARAMETER;
}

uint64_t firmware_set_variable(struct call *call)
{
    uint16_t name[128];
    EFI_GUID vendor;
    bool bad, append = argument(call, 2) & EFI_VARIABLE_APPEND_WRITE;
    struct variable *variable =
        variable_find(call, argument(call, 0), argument(call, 1), name, &vendor, &bad);
    uint32_t attributes = (uint32_t)argument(call, 2) & ~(uint32_t)EFI_VARIABLE_APPEND_WRITE;
    uint64_t allowed;

    if (bad || (attributes & EFI_VARIABLE_RUNTIME_ACCESS &&
                !(attributes & EFI_VARIABLE_BOOTSERVICE_ACCESS)))
        return EFI_INVALID_PARAMETER;
    if (attributes & ~KNOWN_ATTRIBUTES)
        return EFI_UNSUPPORTED;
    allowed = may_set(call->firmware, variable, attributes);
    if (allowed)
        return allowed;
    if (!append && (argument(call, 3) == 0 || !(attributes & (EFI_VARIABLE_BOOTSERVICE_ACCESS |
                                                              EFI_VARIABLE_RUNTIME_ACCESS)))) {
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

    if (!(argument(call, 0) & (EFI_VARIABLE_BOOTSERVICE_ACCESS | EFI_VARIABLE_RUNTIME_ACCESS)) ||
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

bool configuration_install(struct firmware *firmware, const EFI_GUID *guid, uint64_t table)
{
    EFI_CONFIGURATION_TABLE *list =
        (void *)firmware_at(firmware, firmware->configuration, CONFIGURATIONS * sizeof(*list));
    unsigned at = 0;

    while (at < firmware->configurations && memcmp(&list[at].VendorGuid, guid, sizeof(*guid)) != 0)
        at++;
    if (at == CONFIGURATIONS || (!table && at == firmware->configurations))
        return false;
    if (table) {
        memcpy(&list[at].VendorGuid, guid, sizeof(*guid));
        memcpy(&list[at].VendorTable, &table, sizeof(table));
        firmware->configurations += at == firmware->configurations;
    } else {
        firmware->configurations--;
        memmove(&list[at], &list[at + 1], (firmware->configurations - at) * sizeof(*list));
    }
    firmware_set(firmware, firmware->system + offsetof(EFI_SYSTEM_TABLE, NumberOfTableEntries),
                 firmware->configurations, 8);
    firmware_set(firmware, firmware->system + offsetof(EFI_SYSTEM_TABLE, ConfigurationTable),
                 firmware->configuration, 8);
    table_seal(firmware, firmware->system);
    return true;
}

uint64_t firmware_install_configuration_table(struct call *call)
{
    EFI_GUID guid;

    if (!get(call, argument(call, 0), &guid, sizeof(guid)))
        return EFI_INVALID_PARAMETER;
    if (configuration_install(call->firmware, &guid, argument(call, 1)))
        return EFI_SUCCESS;
    return argument(call, 1) ? EFI_OUT_OF_RESOURCES : EFI_NOT_FOUND;
}
