#include "pebs_record.h"

#include "boot/text.h"
#include "registers.h"

/* Where a field is in a layout or group. */
struct place {
    uint16_t offset;
    uint8_t field;
};

/* clang-format off */
/* All fixed layouts begin with these. */
static const struct place registers[] = {
    {0x00, PEBS_FLAGS}, {0x08, PEBS_RIP},  {0x10, PEBS_RAX}, {0x18, PEBS_RBX}, {0x20, PEBS_RCX},
    {0x28, PEBS_RDX},   {0x30, PEBS_RSI},  {0x38, PEBS_RDI}, {0x40, PEBS_RBP}, {0x48, PEBS_RSP},
    {0x50, PEBS_R8},    {0x58, PEBS_R9},   {0x60, PEBS_R10}, {0x68, PEBS_R11}, {0x70, PEBS_R12},
    {0x78, PEBS_R13},   {0x80, PEBS_R14},  {0x88, PEBS_R15},
};
static const struct place format_1[] = {
    {0x90, PEBS_STATUS}, {0x98, PEBS_ADDRESS}, {0xa0, PEBS_SOURCE}, {0xa8, PEBS_ACCESS_LATENCY},
};
static const struct place format_2[] = {
    {0x90, PEBS_STATUS}, {0x98, PEBS_ADDRESS}, {0xa0, PEBS_SOURCE}, {0xa8, PEBS_ACCESS_LATENCY},
    {0xb0, PEBS_EVENTING_IP}, {0xb8, PEBS_TRANSACTION},
};
static const struct place format_3[] = {
    {0x90, PEBS_APPLICABLE}, {0x98, PEBS_ADDRESS}, {0xa0, PEBS_SOURCE},
    {0xa8, PEBS_ACCESS_LATENCY},
    {0xb0, PEBS_EVENTING_IP}, {0xb8, PEBS_TRANSACTION}, {0xc0, PEBS_TSC},
};
static const struct {
    size_t size;
    const struct place *more; /* after the registers */
    unsigned count;
} fixed[PEBS_FIXED_FORMATS] = {
    {144, NULL, 0},
    {176, format_1, COUNT_OF(format_1)},
    {192, format_2, COUNT_OF(format_2)},
    {200, format_3, COUNT_OF(format_3)},
};

/* Groups of the adaptive layout; offsets are from the group's begin. The registers are in another
 * order than in the fixed layouts. */
static const struct place group_basic[] = {
    {0x08, PEBS_EVENTING_IP}, {0x10, PEBS_APPLICABLE}, {0x18, PEBS_TSC},
};
static const struct place group_memory[] = {
    {0x00, PEBS_ADDRESS}, {0x08, PEBS_SOURCE}, {0x10, PEBS_ACCESS_LATENCY},
    {0x18, PEBS_TRANSACTION},
};
static const struct place group_registers[] = {
    {0x00, PEBS_FLAGS}, {0x08, PEBS_RIP},  {0x10, PEBS_RAX}, {0x18, PEBS_RCX}, {0x20, PEBS_RDX},
    {0x28, PEBS_RBX},   {0x30, PEBS_RSP},  {0x38, PEBS_RBP}, {0x40, PEBS_RSI}, {0x48, PEBS_RDI},
    {0x50, PEBS_R8},    {0x58, PEBS_R9},   {0x60, PEBS_R10}, {0x68, PEBS_R11}, {0x70, PEBS_R12},
    {0x78, PEBS_R13},   {0x80, PEBS_R14},  {0x88, PEBS_R15},
};
/* clang-format on */

#define BASIC_SIZE     32u
#define MEMORY_SIZE    32u
#define REGISTERS_SIZE 144u

static uint64_t word_at(const uint8_t *bytes)
{
    uint64_t word;

    memcpy(&word, bytes, sizeof(word));
    return word;
}

static void take(struct pebs_record *record, enum pebs_field field, uint64_t value)
{
    record->field[field] = value;
    record->has |= 1ull << field;
}

static void take_all(struct pebs_record *record, const uint8_t *bytes, const struct place *places,
                     size_t count)
{
    for (size_t i = 0; i < count; i++)
        take(record, places[i].field, word_at(bytes + places[i].offset));
}

static enum rc decode_fixed(unsigned format, const uint8_t *bytes, size_t size,
                            struct pebs_record *record)
{
    if (size < fixed[format].size)
        return RC_BAD_INPUT;
    record->size = fixed[format].size;
    take_all(record, bytes, registers, COUNT_OF(registers));
    take_all(record, bytes, fixed[format].more, fixed[format].count);
    return RC_OK;
}

static unsigned bits(uint64_t value)
{
    unsigned count = 0;

    for (; value != 0; value &= value - 1)
        count++;
    return count;
}

/* What the group of counters holds, by its own masks; by those of MSR_PEBS_DATA_CFG it is the same.
 * The metrics are one word. */
static unsigned counters_in(uint32_t general, uint32_t fixed_counters, uint32_t metrics)
{
    return bits(general) + bits(fixed_counters) + (metrics != 0);
}

static bool has_counters(uint64_t groups)
{
    return field_get(groups, PEBS_DATA_CFG_CNTR) || field_get(groups, PEBS_DATA_CFG_METRICS);
}

static unsigned branches_in(uint64_t groups)
{
    return field_get(groups, PEBS_DATA_CFG_LBRS)
               ? (unsigned)field_get(groups, PEBS_DATA_CFG_LBR_ENTRIES) + 1
               : 0;
}

/* Of the groups before the counters, whose size only their own masks tell. */
static size_t known_size(uint64_t groups)
{
    return BASIC_SIZE + (field_get(groups, PEBS_DATA_CFG_MEMINFO) ? MEMORY_SIZE : 0) +
           (field_get(groups, PEBS_DATA_CFG_GPRS) ? REGISTERS_SIZE : 0) +
           (field_get(groups, PEBS_DATA_CFG_XMMS) ? PEBS_XMM_BYTES : 0) +
           (size_t)branches_in(groups) * PEBS_BRANCH_BYTES;
}

static void split_latency(struct pebs_record *record)
{
    const uint64_t both = record->field[PEBS_ACCESS_LATENCY];

    take(record, PEBS_ACCESS_LATENCY, field_get(both, PEBS_LATENCY_INSTRUCTION));
    take(record, PEBS_CACHE_LATENCY, field_get(both, PEBS_LATENCY_CACHE));
}

/* The groups between the basic group and the counters. Returns where the counters begin. */
static const uint8_t *take_groups(const struct pebs_layout *layout, const uint8_t *at,
                                  uint64_t groups, struct pebs_record *record)
{
    at += BASIC_SIZE;
    if (field_get(groups, PEBS_DATA_CFG_MEMINFO)) {
        take_all(record, at, group_memory, COUNT_OF(group_memory));
        if (layout->latency_halves)
            split_latency(record);
        at += MEMORY_SIZE;
    }
    if (field_get(groups, PEBS_DATA_CFG_GPRS)) {
        take_all(record, at, group_registers, COUNT_OF(group_registers));
        at += REGISTERS_SIZE;
    }
    if (field_get(groups, PEBS_DATA_CFG_XMMS)) {
        record->xmm = at;
        at += PEBS_XMM_BYTES;
    }
    record->branch_count = branches_in(groups);
    if (record->branch_count > 0)
        record->branches = at;
    return at + (size_t)record->branch_count * PEBS_BRANCH_BYTES;
}

/* False: the masks ask for more words than the record has. */
static bool take_counters(const uint8_t *at, const uint8_t *end, struct pebs_record *record)
{
    uint32_t masks[3];

    if ((size_t)(end - at) < PEBS_COUNTERS_BYTES)
        return false;
    memcpy(masks, at, sizeof(masks));
    record->counters = at;
    record->counter_count = counters_in(masks[0], masks[1], masks[2]);
    return (size_t)(end - at) == PEBS_COUNTERS_BYTES + 8 * (size_t)record->counter_count;
}

static enum rc decode_adaptive(const struct pebs_layout *layout, const uint8_t *bytes, size_t size,
                               struct pebs_record *record)
{
    const uint8_t *at, *end;
    uint64_t first;

    if (size < BASIC_SIZE)
        return RC_BAD_INPUT;
    first = word_at(bytes);
    record->size = field_get(first, PEBS_BASIC_RECORD_SIZE);
    if (record->size > size || record->size < known_size(first))
        return RC_BAD_INPUT;
    end = bytes + record->size;
    take_all(record, bytes, group_basic, COUNT_OF(group_basic));
    if (layout->retire_latency)
        take(record, PEBS_RETIRE_LATENCY, field_get(first, PEBS_BASIC_RETIRE_LATENCY));
    at = take_groups(layout, bytes, first, record);
    if (has_counters(first))
        return take_counters(at, end, record) ? RC_OK : RC_BAD_INPUT;
    return at == end ? RC_OK : RC_BAD_INPUT;
}

enum rc pebs_decode(const struct pebs_layout *layout, const uint8_t *bytes, size_t size,
                    struct pebs_record *record)
{
    *record = (struct pebs_record){.size = 0};
    if (layout->adaptive)
        return decode_adaptive(layout, bytes, size, record);
    if (layout->format >= PEBS_FIXED_FORMATS)
        return RC_ABSENT;
    return decode_fixed(layout->format, bytes, size, record);
}

size_t pebs_record_size(const struct pebs_layout *layout, uint64_t groups)
{
    if (!layout->adaptive)
        return layout->format < PEBS_FIXED_FORMATS ? fixed[layout->format].size : 0;
    if (!has_counters(groups))
        return known_size(groups);
    return known_size(groups) + PEBS_COUNTERS_BYTES +
           8 * (size_t)counters_in((uint32_t)field_get(groups, PEBS_DATA_CFG_CNTR_MASK),
                                   (uint32_t)field_get(groups, PEBS_DATA_CFG_FIXED_MASK),
                                   (uint32_t)field_get(groups, PEBS_DATA_CFG_METRICS));
}

struct pebs_branch pebs_branch_at(const struct pebs_record *record, unsigned index)
{
    const uint8_t *at = record->branches + (size_t)index * PEBS_BRANCH_BYTES;

    return (struct pebs_branch){word_at(at), word_at(at + 8), word_at(at + 16)};
}

uint64_t pebs_xmm_low(const struct pebs_record *record, unsigned index)
{
    return word_at(record->xmm + 16 * (size_t)index);
}
