/* The uop cache: lines of uops by windows of code, with LRU replacement. */
#include "dsb.h"

#include <stdlib.h>

static bool is_power(unsigned value)
{
    return value && (value & (value - 1)) == 0;
}

bool dsb_start(const struct model_parameters *p, struct front *front)
{
    const size_t lines = (size_t)p->dsb_sets * p->dsb_ways;

    front->dsb = calloc(lines, sizeof(*front->dsb));
    if (front->dsb == NULL)
        return false;
    dsb_divide(p, front, 1);
    return true;
}

void dsb_free(struct front *front)
{
    free(front->dsb);
}

void dsb_divide(const struct model_parameters *p, struct front *front, unsigned threads)
{
    const size_t lines = (size_t)p->dsb_sets * p->dsb_ways;

    for (size_t i = 0; i < lines; i++)
        front->dsb[i].window = NOWHERE;
    front->dsb_sets = p->dsb_sets > threads ? p->dsb_sets / threads : 1;
    front->set_mask = is_power(front->dsb_sets) ? front->dsb_sets - 1u : 0;
    front->dsb_last = NULL;
}

/* The place of `rip` in its window, as a bit. */
static uint64_t start_of(const struct front *front, uint64_t rip)
{
    return 1ull << (rip & ((1u << front->window_shift) - 1));
}

static struct dsb_line *dsb_set(const struct model_parameters *p, struct front *front,
                                uint64_t window)
{
    const uint32_t mask = front->set_mask;

    return &front->dsb[(mask ? window & mask : window % front->dsb_sets) * p->dsb_ways];
}

static struct dsb_line *dsb_find(const struct model_parameters *p, struct front *front,
                                 uint64_t rip)
{
    const uint64_t window = window_of(front, rip), start = start_of(front, rip);
    struct dsb_line *line = front->dsb_last;

    if (line != NULL && line->window == window && (line->starts & start))
        return line;
    line = dsb_set(p, front, window);
    for (unsigned way = 0; way < p->dsb_ways; way++, line++)
        if (line->window == window && (line->starts & start)) {
            line->used = ++front->dsb_clock;
            return line;
        }
    return NULL;
}

/* The uop cache is virtually included in the instruction TLB ("Decoded ICache", Intel's
 * optimization manual): when the TLB lost a page, the uop cache lost its code. */
struct dsb_line *dsb_lookup(const struct model_parameters *p, struct memory_hierarchy *memory,
                            struct front *front, uint64_t rip)
{
    const uint64_t page = rip >> 12;

    if (page != front->page) {
        front->page = page;
        if (!memory_code_translated(memory, rip)) {
            front->line = NOWHERE;
            return NULL;
        }
    }
    return dsb_find(p, front, rip);
}

static bool dsb_drop(const struct model_parameters *p, struct front *front, uint64_t window)
{
    struct dsb_line *line = dsb_set(p, front, window);
    bool any = false;

    for (unsigned way = 0; way < p->dsb_ways; way++, line++)
        if (line->window == window) {
            line->window = NOWHERE;
            any = true;
        }
    front->dsb_last = NULL;
    return any;
}

/* Places that the instruction takes in a line: an instruction of the microcode sequencer fills a
 * line, a 64-bit immediate takes two places ("Decoded ICache", Intel's optimization manual). */
static unsigned dsb_places(const struct model_parameters *p, const struct decoded *decoded)
{
    return decoded->microcoded ? p->dsb_line_uops : decoded->slots + decoded->imm64;
}

/* "Mitigations for Jump Conditional Code Erratum" (Intel, 341810-001): since a microcode update
 * the uop cache of processors derived from Skylake keeps no jump that crosses a boundary of 32
 * bytes or ends on one: conditional or not, direct or not, a call, a return, and the pair of an
 * instruction and the conditional jump that it fuses with. The whole window in which such a jump
 * begins is left to the decoders: so measured by A. Abel and J. Reineke, "uiCA: Accurate
 * Throughput Prediction of Basic Blocks on Recent Intel Microarchitectures". */
static bool is_kept_out(const struct model_parameters *p, uint64_t begin, uint64_t end)
{
    return p->jcc_erratum && begin / 32 != end / 32;
}

/* A window that needs more lines than it may have is left to the decoders, all of it. */
void dsb_insert(const struct model_parameters *p, struct front *front, uint64_t rip,
                const struct decoded *decoded)
{
    const uint64_t window = window_of(front, rip), start = start_of(front, rip);
    const unsigned uops = dsb_places(p, decoded);
    struct dsb_line *set = dsb_set(p, front, window), *oldest = set, *open = NULL;
    unsigned lines = 0;

    if (decoded->branch && is_kept_out(p, rip, rip + decoded->length)) {
        dsb_drop(p, front, window);
        return;
    }
    for (unsigned way = 0; way < p->dsb_ways; way++) {
        struct dsb_line *line = &set[way];

        if (line->window == window) {
            lines++;
            if (line->starts & start)
                return;
            if (line->uops + uops <= p->dsb_line_uops)
                open = line;
        }
        if (line->window == NOWHERE || (oldest->window != NOWHERE && line->used < oldest->used))
            oldest = line;
    }
    if (open == NULL) {
        if (lines >= p->dsb_lines_window || uops > p->dsb_line_uops) {
            dsb_drop(p, front, window);
            return;
        }
        open = oldest;
        open->window = window;
        open->starts = 0;
        open->uops = 0;
        if (front->dsb_last == open)
            front->dsb_last = NULL;
    }
    open->starts |= start;
    open->uops = (uint8_t)(open->uops + uops);
    open->used = ++front->dsb_clock;
}

void dsb_fused(const struct model_parameters *p, struct front *front, uint64_t rip, uint64_t end)
{
    if (is_kept_out(p, rip, end))
        dsb_drop(p, front, window_of(front, rip));
}

bool dsb_drop_line(const struct model_parameters *p, struct front *front, uint64_t address)
{
    const uint64_t first = window_of(front, address & ~63ull);
    const uint64_t last = window_of(front, address | 63);
    bool any = false;

    for (uint64_t window = first; window <= last; window++)
        any |= dsb_drop(p, front, window);
    return any;
}

/* What leaves the instruction cache leaves the uop cache too. A trace cache is itself the first
 * level: nothing behind it has to hold what it holds. */
void dsb_lose_line(const struct model_parameters *p, struct front *front, uint64_t address)
{
    if (front->line == address / 64)
        front->line = NOWHERE;
    if (!p->trace_cache)
        dsb_drop_line(p, front, address);
}
