/* SDM 1, "Operation of XSAVE", "of XRSTOR", "of XSAVEOPT", "of XSAVEC"; "Legacy Region of an XSAVE
 * Area", "XSAVE Header"; initial values from "Processor Tracking of XSAVE-Managed State". */
#include "xstate.h"

#include <string.h>

#include "mxcsr.h"

/* Offsets in the legacy region. */
#define FCW           0u
#define FSW           2u
#define FTW           4u
#define FOP           6u
#define LAST_X87      8u /* FIP and FDP, 16 bytes together */
#define MXCSR         24u
#define MXCSR_MASK    28u
#define ST            32u
#define XMM           160u
#define REGISTER_SLOT 16u /* bytes of a register there */
/* Offsets in the header. */
#define XSTATE_BV 512u
#define XCOMP_BV  520u
#define RESERVED  528u /* to the end */
#define ZEROS_END 536u /* up to here the standard form must be zero */

#define FCW_INITIAL 0x37fu

/* The parts beyond the legacy region: of `count` registers from `first` on, `bytes` bytes from byte
 * `from` on. For the mask registers `count` is 0. */
static const struct component {
    uint8_t first, count, from, bytes;
} beyond[XSTATE_PARTS] = {
    [2] = {0, 16, 16, 16},
    [5] = {0, 0, 0, 64},
    [6] = {0, 16, 32, 32},
    [7] = {16, 16, 0, 64},
};

unsigned xstate_size(unsigned part)
{
    const struct component *p = &beyond[part];

    return p->count ? (unsigned)p->count * p->bytes : p->bytes;
}

struct xstate_layout xstate_compacted(uint64_t parts)
{
    struct xstate_layout layout = {{0}};
    unsigned at = XSTATE_BEYOND;

    for (unsigned part = XSTATE_FIRST_BEYOND; part < XSTATE_PARTS; part++)
        if (parts >> part & 1) {
            layout.offset[part] = (uint16_t)at;
            at += xstate_size(part);
        }
    return layout;
}

static bool is_zero(const void *bytes, size_t count)
{
    const uint8_t *byte = bytes;

    while (count--)
        if (*byte++)
            return false;
    return true;
}

static uint64_t quad(const uint8_t *area, unsigned at)
{
    uint64_t value;

    memcpy(&value, area + at, sizeof(value));
    return value;
}

/* --- what is in use --- */

static bool x87_is_initial(const struct xstate *state)
{
    return state->fcw == FCW_INITIAL && state->fsw == 0 && state->ftw == 0 &&
           is_zero(state->st, sizeof(state->st));
}

static bool part_is_initial(const struct vector_file *file, const struct component *part)
{
    if (!part->count)
        return is_zero(file->mask, sizeof(file->mask));
    for (unsigned i = part->first; i < (unsigned)part->first + part->count; i++)
        if (!is_zero(file->vector[i] + part->from, part->bytes))
            return false;
    return true;
}

static bool xmm_is_initial(const struct vector_file *file)
{
    for (unsigned i = 0; i < 16; i++)
        if (!is_zero(file->vector[i], REGISTER_SLOT))
            return false;
    return true;
}

uint64_t xstate_in_use(const struct xstate *state)
{
    uint64_t used = x87_is_initial(state) ? 0 : XSTATE_X87;

    if (!xmm_is_initial(state->file))
        used |= XSTATE_SSE;
    for (unsigned part = XSTATE_FIRST_BEYOND; part < XSTATE_PARTS; part++)
        if (xstate_size(part) && !part_is_initial(state->file, &beyond[part]))
            used |= UINT64_C(1) << part;
    return used;
}

uint64_t xstate_lines(const struct xstate_layout *layout, uint64_t parts)
{
    uint64_t lines = UINT64_C(1) << XSTATE_HEADER / XSTATE_LINE;

    if (parts & XSTATE_LEGACY)
        lines |= (UINT64_C(1) << XSTATE_HEADER / XSTATE_LINE) - 1;
    for (unsigned part = XSTATE_FIRST_BEYOND; part < XSTATE_PARTS; part++)
        if (parts >> part & 1)
            lines |= ((UINT64_C(1) << xstate_size(part) / XSTATE_LINE) - 1)
                     << layout->offset[part] / XSTATE_LINE;
    return lines;
}

/* --- saving --- */

uint64_t xstate_written(const struct xstate *state, enum xsave_form form, uint64_t requested)
{
    uint64_t used = xstate_in_use(state);

    if (form == XSAVE_PLAIN)
        return requested;
    if (form == XSAVE_COMPACTED && state->mxcsr != MXCSR_INITIAL)
        used |= XSTATE_SSE;
    return requested & used;
}

static void save_x87(const struct xstate *state, uint8_t *area)
{
    memcpy(area + FCW, &state->fcw, sizeof(state->fcw));
    memcpy(area + FSW, &state->fsw, sizeof(state->fsw));
    area[FTW] = state->ftw;
    area[FTW + 1] = 0;
    memset(area + FOP, 0, LAST_X87 + 16 - FOP);
    for (unsigned i = 0; i < 8; i++) {
        memset(area + ST + i * REGISTER_SLOT, 0, REGISTER_SLOT);
        memcpy(area + ST + i * REGISTER_SLOT, state->st[i], sizeof(state->st[i]));
    }
}

static void save_mxcsr(const struct xstate *state, uint8_t *area)
{
    static const uint32_t bits = MXCSR_BITS;

    memcpy(area + MXCSR, &state->mxcsr, sizeof(state->mxcsr));
    memcpy(area + MXCSR_MASK, &bits, sizeof(bits));
}

static void save_part(const struct vector_file *file, const struct component *part, uint8_t *to)
{
    if (!part->count)
        memcpy(to, file->mask, sizeof(file->mask));
    for (unsigned i = 0; i < part->count; i++)
        memcpy(to + i * part->bytes, file->vector[part->first + i] + part->from, part->bytes);
}

static void save_header(const struct xstate *state, enum xsave_form form, uint64_t requested,
                        uint8_t *area)
{
    uint64_t held = xstate_in_use(state) & requested, format = requested | XSTATE_COMPACTED;

    if (form == XSAVE_COMPACTED) {
        held = xstate_written(state, form, requested);
        memcpy(area + XCOMP_BV, &format, sizeof(format));
    } else {
        held |= quad(area, XSTATE_BV) & ~requested;
    }
    memcpy(area + XSTATE_BV, &held, sizeof(held));
}

void xstate_save(const struct xstate *state, enum xsave_form form, uint64_t requested,
                 const struct xstate_layout *layout, uint8_t *area)
{
    const uint64_t parts = xstate_written(state, form, requested);

    save_header(state, form, requested, area);
    if (parts & XSTATE_X87)
        save_x87(state, area);
    /* Except in the compacted format MXCSR is saved with AVX, too, and even when it is initial. */
    if (form == XSAVE_COMPACTED ? parts & XSTATE_SSE : requested & (XSTATE_SSE | XSTATE_AVX))
        save_mxcsr(state, area);
    if (parts & XSTATE_SSE)
        for (unsigned i = 0; i < 16; i++)
            memcpy(area + XMM + i * REGISTER_SLOT, state->file->vector[i], REGISTER_SLOT);
    for (unsigned part = XSTATE_FIRST_BEYOND; part < XSTATE_PARTS; part++)
        if (parts >> part & 1)
            save_part(state->file, &beyond[part], area + layout->offset[part]);
}

/* --- restoring --- */

uint64_t xstate_format(const uint8_t *area)
{
    return quad(area, XCOMP_BV);
}

uint64_t xstate_held(const uint8_t *area)
{
    return quad(area, XSTATE_BV);
}

bool xstate_header_is_good(const uint8_t *area, uint64_t xcr0, bool compacts)
{
    const uint64_t held = xstate_held(area), format = xstate_format(area);

    if (!(format & XSTATE_COMPACTED))
        return !(held & ~xcr0) && is_zero(area + XCOMP_BV, ZEROS_END - XCOMP_BV);
    return compacts && !(format & ~XSTATE_COMPACTED & ~xcr0) && !(held & ~format) &&
           !(held & XSTATE_COMPACTED) && is_zero(area + RESERVED, XSTATE_BEYOND - RESERVED);
}

/* In the standard form XSTATE_BV does not matter. */
bool xstate_loads_mxcsr(const uint8_t *area, uint64_t requested)
{
    if (xstate_format(area) & XSTATE_COMPACTED)
        return requested & xstate_held(area) & XSTATE_SSE;
    return requested & (XSTATE_SSE | XSTATE_AVX);
}

uint32_t xstate_mxcsr(const uint8_t *area)
{
    uint32_t value;

    memcpy(&value, area + MXCSR, sizeof(value));
    return value;
}

static void load_x87(struct xstate *state, const uint8_t *area, bool held)
{
    memset(state->st, 0, sizeof(state->st));
    state->fcw = FCW_INITIAL;
    state->fsw = 0;
    state->ftw = 0;
    if (!held)
        return;
    memcpy(&state->fcw, area + FCW, sizeof(state->fcw));
    memcpy(&state->fsw, area + FSW, sizeof(state->fsw));
    state->ftw = area[FTW];
    for (unsigned i = 0; i < 8; i++)
        memcpy(state->st[i], area + ST + i * REGISTER_SLOT, sizeof(state->st[i]));
}

static void load_sse(struct xstate *state, const uint8_t *area, bool held)
{
    for (unsigned i = 0; i < 16; i++)
        if (held)
            memcpy(state->file->vector[i], area + XMM + i * REGISTER_SLOT, REGISTER_SLOT);
        else
            memset(state->file->vector[i], 0, REGISTER_SLOT);
}

static void load_part(struct vector_file *file, const struct component *part, const uint8_t *from,
                      bool held)
{
    if (!part->count)
        memset(file->mask, 0, sizeof(file->mask));
    for (unsigned i = 0; i < part->count; i++)
        memset(file->vector[part->first + i] + part->from, 0, part->bytes);
    if (!held)
        return;
    if (!part->count)
        memcpy(file->mask, from, sizeof(file->mask));
    for (unsigned i = 0; i < part->count; i++)
        memcpy(file->vector[part->first + i] + part->from, from + i * part->bytes, part->bytes);
}

void xstate_load(struct xstate *state, uint64_t requested, const struct xstate_layout *layout,
                 const uint8_t *area)
{
    const uint64_t held = xstate_held(area);

    if (requested & XSTATE_X87)
        load_x87(state, area, held & XSTATE_X87);
    if (xstate_loads_mxcsr(area, requested))
        state->mxcsr = xstate_mxcsr(area);
    else if (requested & XSTATE_SSE)
        state->mxcsr = MXCSR_INITIAL;
    if (requested & XSTATE_SSE)
        load_sse(state, area, held & XSTATE_SSE);
    for (unsigned part = XSTATE_FIRST_BEYOND; part < XSTATE_PARTS; part++)
        if (requested >> part & 1 && xstate_size(part))
            load_part(state->file, &beyond[part], area + layout->offset[part], held >> part & 1);
}
