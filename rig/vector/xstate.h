/* The area of XSAVE and XRSTOR as bytes. SDM 1, "Managing State Using the XSAVE Feature Set". */
#ifndef RIG_VECTOR_XSTATE_H
#define RIG_VECTOR_XSTATE_H

#include <stdbool.h>
#include <stdint.h>

#include "vector.h"

/* Parts of the state: bits of XCR0, of EDX:EAX, of XSTATE_BV. */
#define XSTATE_X87       UINT64_C(0x01)
#define XSTATE_SSE       UINT64_C(0x02)
#define XSTATE_AVX       UINT64_C(0x04)
#define XSTATE_OPMASK    UINT64_C(0x20)
#define XSTATE_HI16_ZMM  UINT64_C(0x80)
#define XSTATE_LEGACY    UINT64_C(0x07)      /* the parts for which the legacy region is accessed */
#define XSTATE_COMPACTED (UINT64_C(1) << 63) /* a bit of XCOMP_BV */

#define XSTATE_PARTS        8u
#define XSTATE_HEADER       512u
#define XSTATE_BEYOND       576u  /* the offset of the parts from AVX on */
#define XSTATE_FIRST_BEYOND 2u    /* the number of AVX; the parts before are in the legacy region */
#define XSTATE_BYTES        2688u /* the largest area of the parts above */
#define XSTATE_LINE         64u
#define XSTATE_LINES        (XSTATE_BYTES / XSTATE_LINE)

/* Without FIP, FDP and FOP: the emulator does not record the last x87 instruction. */
struct xstate {
    uint16_t fcw, fsw;
    uint8_t ftw; /* a bit for each register that is not empty, by physical number, not by ST */
    uint8_t st[8][10]; /* ST0 first */
    uint32_t mxcsr;
    struct vector_file *file;
};

/* The offset of each part in the area. */
struct xstate_layout {
    uint16_t offset[XSTATE_PARTS];
};

unsigned xstate_size(unsigned part);
/* The layout of XSAVEC: `parts` without gaps. */
struct xstate_layout xstate_compacted(uint64_t parts);
/* The parts that differ from their state after a reset. MXCSR does not count. */
uint64_t xstate_in_use(const struct xstate *state);
/* A bit for each line of 64 bytes that holds a byte of `parts` or of the header. */
uint64_t xstate_lines(const struct xstate_layout *layout, uint64_t parts);

/* `requested` below is RFBM of the manual. */
enum xsave_form { XSAVE_PLAIN, XSAVE_OPTIMISED, XSAVE_COMPACTED };
/* The parts whose data are written. */
uint64_t xstate_written(const struct xstate *state, enum xsave_form form, uint64_t requested);
void xstate_save(const struct xstate *state, enum xsave_form form, uint64_t requested,
                 const struct xstate_layout *layout, uint8_t *area);

/* Whether XRSTOR accepts this header; `compacts`: the processor has the compacted format. */
bool xstate_header_is_good(const uint8_t *area, uint64_t xcr0, bool compacts);
uint64_t xstate_format(const uint8_t *area); /* XCOMP_BV */
uint64_t xstate_held(const uint8_t *area);   /* XSTATE_BV */
/* Whether XRSTOR loads MXCSR from the area. */
bool xstate_loads_mxcsr(const uint8_t *area, uint64_t requested);
uint32_t xstate_mxcsr(const uint8_t *area);
/* Loads from an area whose header and MXCSR are good. */
void xstate_load(struct xstate *state, uint64_t requested, const struct xstate_layout *layout,
                 const uint8_t *area);

#endif
