/* PEBS records: whatever the bytes are, the decoder stays within them; what it accepts has the size
 * that its groups need, and no field that its layout lacks. */
#include <string.h>

#include "pmu/pebs_record.h"
#include "tests/fuzz/fuzz.h"

#define ROOM 4096

/* The first byte chooses the layout; then an adaptive record whose size is often right. */
static size_t make(uint64_t *state, char *input)
{
    const struct pebs_layout layout = {.format = 4, .adaptive = true};
    uint64_t groups = random_next(state) & 0xf;
    size_t size;

    groups |= (uint64_t)random_below(state, 40) << 24;
    size = pebs_record_size(&layout, groups);
    for (size_t i = 0; i < size + 1; i++)
        input[i] = (char)random_below(state, 256);
    groups |= (uint64_t)size << 48;
    memcpy(input + 1, &groups, sizeof(groups));
    if (random_below(state, 4) == 0)
        input[1 + random_below(state, 8)] = (char)random_below(state, 256);
    return 1 + (random_below(state, 8) == 0 ? random_below(state, (unsigned)size) : size);
}

const struct fuzz fuzz = {"PEBS records", 100000, 20261122, ROOM, make};
unsigned fuzz_accepted;

static void touch(const struct pebs_record *record)
{
    volatile uint64_t sum = 0;

    for (unsigned i = 0; i < record->branch_count; i++)
        sum += pebs_branch_at(record, i).info;
    if (record->xmm != NULL)
        sum += pebs_xmm_low(record, 15);
    for (unsigned i = 0; i < record->counter_count; i++)
        sum += record->counters[PEBS_COUNTERS_BYTES + 8 * i + 7];
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct pebs_layout layout;
    struct pebs_record record;

    if (size == 0)
        return 0;
    layout = (struct pebs_layout){.format = input[0] & 7,
                                  .adaptive = input[0] & 8,
                                  .latency_halves = input[0] & 16,
                                  .retire_latency = input[0] & 32};
    if (pebs_decode(&layout, input + 1, size - 1, &record) != RC_OK)
        return 0;
    fuzz_accepted++;
    require(record.size > 0 && record.size <= size - 1, "a record is within its bytes");
    require(layout.adaptive || record.size == pebs_record_size(&layout, 0), "a fixed size");
    require(layout.latency_halves || !pebs_has(&record, PEBS_CACHE_LATENCY), "no halves, no half");
    touch(&record);
    return 0;
}
