#include "lpss.h"

#include "boot/text.h"
#include "serial_place.h"

#define VENDOR_INTEL 0x8086u

#define CLOCKS       0x200 /* bit 0: on; M from bit 1 and N from bit 16 on: input * M / N */
#define RESETS       0x204
#define CAPABILITIES 0x2fc

#define CLOCKS_ON    1u
#define CLOCKS_RATIO 0x7ffffffeu
#define CLOCKS_TAKE  (1u << 31) /* takes M and N over */
#define RATIO(m, n)  ((uint32_t)(n) << 16 | (uint32_t)(m) << 1)
#define RESETS_OFF   3u /* the UART is not in reset */
#define TYPE(caps)   ((caps) >> 4 & 15)
#define TYPE_UART    1u
#define NOBODY       UINT32_MAX

#define MHZ_100 100000000u
#define MHZ_120 120000000u

/* SERIAL_PC_CLOCK, exactly: 100 MHz * 288 / 15625, and 120 MHz * 48 / 3125. */
#define RATIO_100 RATIO(288, 15625)
#define RATIO_120 RATIO(48, 3125)

/* Linux lists these as UARTs of the LPSS; the comments are its names of the chips. */
static const uint16_t of_100_mhz[] = {
    0x0abc, 0x0abe, 0x0ac0, 0x0aee, 0x1abc, 0x1abe, 0x1ac0, 0x1aee, /* BXT */
    0x1bad, 0x1bae,                                                 /* EBG */
    0x31bc, 0x31be, 0x31c0, 0x31ee,                                 /* GLK */
    0x43a7, 0x43a8, 0x43a9, 0x43da,                                 /* TGL-H */
    0x4b28, 0x4b29, 0x4b4d,                                         /* EHL */
    0x4d25, 0x4d26, 0x4d52,                                         /* WCL */
    0x51a8, 0x51a9, 0x51c7,                                         /* ADL-P */
    0x54a8, 0x54a9, 0x54c7,                                         /* ADL-M, ADL-N */
    0x5abc, 0x5abe, 0x5ac0, 0x5aee,                                 /* APL */
    0x6e28, 0x6e29, 0x6e5c,                                         /* NVL-S */
    0x7725, 0x7726, 0x7752,                                         /* ARL-H */
    0x7a28, 0x7a29, 0x7a5c, 0x7a7e,                                 /* RPL-S */
    0x7aa8, 0x7aa9, 0x7adc, 0x7afe,                                 /* ADL-S */
    0x7e25, 0x7e26, 0x7e52,                                         /* MTL-P */
    0x7f28, 0x7f29, 0x7f5c, 0x7f5d,                                 /* MTP-S */
    0x98a8, 0x98a9, 0x98c7,                                         /* LKF */
    0xa0a8, 0xa0a9, 0xa0c7, 0xa0da, 0xa0db, 0xa0dc, 0xa0dd,         /* TGL-LP */
    0xa825, 0xa826, 0xa852,                                         /* LNL-M */
    0xd325, 0xd326, 0xd352,                                         /* NVL-H */
    0xe325, 0xe326, 0xe352, 0xe425, 0xe426, 0xe452,                 /* PTL-H, PTL-P */
};
static const uint16_t of_120_mhz[] = {
    0x02a8, 0x02a9, 0x02c7, /* CML-LP */
    0x06a8, 0x06a9, 0x06c7, /* CML-H */
    0x34a8, 0x34a9, 0x34c7, /* ICL-LP */
    0x38a8,                 /* ICL-N */
    0x4da8, 0x4da9, 0x4dc7, /* JSL */
    0x9d27, 0x9d28, 0x9d66, /* SPT-LP */
    0x9da8, 0x9da9, 0x9dc7, /* CNL-LP */
    0xa127, 0xa128, 0xa166, /* SPT-H */
    0xa2a7, 0xa2a8, 0xa2e6, /* KBL-H */
    0xa328, 0xa329, 0xa347, /* CNL-H */
    0xa3a7, 0xa3a8, 0xa3e6, /* CML-V */
};

static bool has(const uint16_t *list, size_t count, uint32_t device)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == device)
            return true;
    return false;
}

uint32_t lpss_clock(uint32_t id)
{
    if ((id & 0xffff) != VENDOR_INTEL)
        return 0;
    if (has(of_100_mhz, COUNT_OF(of_100_mhz), id >> 16))
        return MHZ_100;
    return has(of_120_mhz, COUNT_OF(of_120_mhz), id >> 16) ? MHZ_120 : 0;
}

static volatile uint32_t *at(const struct lpss *lpss, unsigned offset)
{
    return (volatile uint32_t *)(uintptr_t)(lpss->address + offset);
}

/* M and N are taken over while the clock is off; then the clock is set as `clocks` says. */
static void set_clocks(const struct lpss *lpss, uint32_t clocks)
{
    *at(lpss, CLOCKS) = (clocks & CLOCKS_RATIO) | CLOCKS_TAKE;
    *at(lpss, CLOCKS) = clocks;
}

bool lpss_start(struct lpss *lpss, uint64_t address, uint32_t input_hz)
{
    uint32_t capabilities;

    lpss->address = address;
    capabilities = *at(lpss, CAPABILITIES);
    if (capabilities == NOBODY || TYPE(capabilities) != TYPE_UART)
        return false;
    lpss->clocks = *at(lpss, CLOCKS);
    lpss->resets = *at(lpss, RESETS);
    if ((lpss->resets & RESETS_OFF) != RESETS_OFF)
        *at(lpss, RESETS) = lpss->resets | RESETS_OFF;
    set_clocks(lpss, (input_hz == MHZ_100 ? RATIO_100 : RATIO_120) | CLOCKS_ON);
    return true;
}

void lpss_end(const struct lpss *lpss)
{
    set_clocks(lpss, lpss->clocks);
    if ((lpss->resets & RESETS_OFF) != RESETS_OFF)
        *at(lpss, RESETS) = lpss->resets;
}
