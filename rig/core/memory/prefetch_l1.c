/* L1's prefetchers: the next line, and strides by instruction. */
#include "prefetch_l1.h"

#include "core/cache.h"

#define STRIDE_MAX 2048 /* Optimization Reference Manual: half of a page, forward or backward */
#define ENOUGH     2u

static bool same_page(uint64_t a, uint64_t b)
{
    return a >> PAGE_SHIFT == b >> PAGE_SHIFT;
}

/* Whether to ask for the line after the line of this address. */
static bool next_line(struct prefetcher_l1 *prefetcher, uint64_t address)
{
    const uint64_t line = address >> LINE_SHIFT;
    const uint8_t offset = (uint8_t)(address & ((1u << LINE_SHIFT) - 1));

    for (unsigned i = 0; i < PREFETCH_RECENT; i++) {
        struct prefetch_recent *recent = &prefetcher->recent[i];

        if (recent->line != line + 1)
            continue;
        if (recent->asked || offset <= recent->furthest)
            return false;
        recent->furthest = offset;
        recent->asked = true;
        return same_page(address, (line + 1) << LINE_SHIFT);
    }
    prefetcher->recent[prefetcher->oldest] = (struct prefetch_recent){line + 1, offset, false};
    prefetcher->oldest = (uint8_t)((prefetcher->oldest + 1) % PREFETCH_RECENT);
    return false;
}

/* Whether the next step of the load by its stride is in another line; *next: its address. */
static bool next_step(struct prefetcher_l1 *prefetcher, uint64_t rip, uint64_t address,
                      uint64_t *next)
{
    struct prefetch_load *load = &prefetcher->load[rip % PREFETCH_LOADS];
    const int64_t step = (int64_t)(address - load->last);

    load->last = address;
    if (step == 0)
        return false;
    if (step != load->stride) {
        load->stride = step >= -STRIDE_MAX && step <= STRIDE_MAX ? (int16_t)step : 0;
        load->alike = load->stride != 0;
        return false;
    }
    if (load->alike < ENOUGH)
        load->alike++;
    *next = address + (uint64_t)step;
    return load->alike >= ENOUGH && same_page(address, *next) &&
           *next >> LINE_SHIFT != address >> LINE_SHIFT;
}

unsigned prefetch_l1_lines(struct prefetcher_l1 *prefetcher, uint64_t rip, uint64_t address,
                           uint64_t lines[PREFETCH_L1_LINES])
{
    unsigned count = 0;
    uint64_t next;

    if (prefetcher->next_line && next_line(prefetcher, address))
        lines[count++] = (address >> LINE_SHIFT) + 1;
    if (prefetcher->stride && next_step(prefetcher, rip, address, &next) &&
        (count == 0 || lines[0] != next >> LINE_SHIFT))
        lines[count++] = next >> LINE_SHIFT;
    return count;
}
