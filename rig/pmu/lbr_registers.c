/* The registers of the last-branch stack, legacy or architectural.
 *
 * Sources: SDM 4, tables of the families for MSR_LASTBRANCH_x, MSR_LBR_SELECT, MSR_LBR_INFO_x; SDM
 * 3B, "Architectural Last Branch Records", for IA32_LBR_*. */
#include "lbr.h"

enum {
    MSR_LBR_SELECT = 0x1c8,
    MSR_LASTBRANCH_TOS = 0x1c9,
    MSR_LBR_INFO_0 = 0xdc0,
    MSR_LER_FROM_LIP = 0x1dd, /* IA32_LER_FROM_IP and so on with the architectural stack */
    MSR_LER_TO_LIP = 0x1de,
    IA32_LER_INFO = 0x1e0,
    IA32_LBR_0_INFO = 0x1200,
    IA32_LBR_CTL = 0x14ce,
    IA32_LBR_DEPTH = 0x14cf,
    IA32_LBR_0_FROM_IP = 0x1500,
    IA32_LBR_0_TO_IP = 0x1600,
};

#define DEPTH_STEP 8u /* CPUID 1CH:EAX[n]: a depth of (n + 1) * DEPTH_STEP exists */

enum lbr_part { PART_NONE, PART_FROM, PART_TO, PART_INFO };

static bool in_block(uint32_t msr, uint32_t first, unsigned count)
{
    return msr >= first && msr - first < count;
}

static bool has_info(const struct lbr_parameters *parameters)
{
    return parameters->format == LBR_FORMAT_INFO || parameters->format == LBR_FORMAT_INFO2;
}

/* Which part of which entry an address names. Entry 0 of the architectural stack is the newest
 * record; entries beyond the depth in use do not exist. */
static enum lbr_part find(const struct pmu *pmu, uint32_t msr, unsigned *place)
{
    const struct lbr_parameters *parameters = &pmu->parameters->lbr;
    const struct lbr *lbr = &pmu->lbr;
    uint32_t from = parameters->architectural ? IA32_LBR_0_FROM_IP : parameters->from;
    uint32_t to = parameters->architectural ? IA32_LBR_0_TO_IP : parameters->to;
    uint32_t info = parameters->architectural ? IA32_LBR_0_INFO : MSR_LBR_INFO_0;
    enum lbr_part part;

    if (in_block(msr, from, lbr->depth)) {
        part = PART_FROM;
        *place = msr - from;
    } else if (in_block(msr, to, lbr->depth)) {
        part = PART_TO;
        *place = msr - to;
    } else if (in_block(msr, info, lbr->depth) &&
               (parameters->architectural || has_info(parameters))) {
        part = PART_INFO;
        *place = msr - info;
    } else {
        return PART_NONE;
    }
    if (parameters->architectural)
        *place = lbr_place(lbr, *place);
    return part;
}

/* The same for the last branch before an exception or interrupt (LER). */
static enum lbr_part find_event(const struct pmu *pmu, uint32_t msr)
{
    if (msr == MSR_LER_FROM_LIP)
        return PART_FROM;
    if (msr == MSR_LER_TO_LIP)
        return PART_TO;
    return msr == IA32_LER_INFO && pmu->parameters->lbr.architectural ? PART_INFO : PART_NONE;
}

static enum access_result control_read(const struct pmu *pmu, uint32_t msr, uint64_t *value)
{
    const struct lbr_parameters *parameters = &pmu->parameters->lbr;

    if (parameters->architectural && msr == IA32_LBR_CTL)
        *value = pmu->lbr.control;
    else if (parameters->architectural && msr == IA32_LBR_DEPTH)
        *value = pmu->lbr.depth;
    else if (!parameters->architectural && msr == MSR_LASTBRANCH_TOS)
        *value = pmu->lbr.tos;
    else if (!parameters->architectural && msr == MSR_LBR_SELECT && parameters->select_writable)
        *value = pmu->lbr.select;
    else
        return ACCESS_NOT_MINE;
    return ACCESS_OK;
}

enum access_result lbr_read(const struct pmu *pmu, uint32_t msr, uint64_t *value)
{
    unsigned place;

    if (!pmu->parameters->lbr.depth)
        return ACCESS_NOT_MINE;
    switch (find_event(pmu, msr)) {
    case PART_FROM:
        *value = pmu->lbr.event.from;
        return ACCESS_OK;
    case PART_TO:
        *value = pmu->lbr.event.to;
        return ACCESS_OK;
    case PART_INFO:
        *value = pmu->lbr.event.info;
        return ACCESS_OK;
    case PART_NONE:
        break;
    }
    switch (find(pmu, msr, &place)) {
    case PART_FROM:
        *value = pmu->lbr.from[place];
        return ACCESS_OK;
    case PART_TO:
        *value = pmu->lbr.to[place];
        return ACCESS_OK;
    case PART_INFO:
        *value = pmu->lbr.info[place];
        return ACCESS_OK;
    case PART_NONE:
        break;
    }
    return control_read(pmu, msr, value);
}

/* Whether WRMSR accepts the value. In formats with flags, bit 63 is not part of the sign extension;
 * bits 62:61 of LBR_FORMAT_EIP_FLAGS2 are, on a part without transactions. */
static bool from_is_valid(const struct lbr_parameters *parameters, uint64_t value)
{
    uint64_t high = value >> 47 & 0xffff; /* bits 62:47 */

    if (parameters->architectural)
        return is_canonical(value);
    switch (parameters->format) {
    case LBR_FORMAT_32:
        return value <= UINT32_MAX;
    case LBR_FORMAT_EIP_FLAGS:
    case LBR_FORMAT_EIP_FLAGS2:
    case LBR_FORMAT_TIME:
        return high == 0 || high == 0xffff;
    default:
        return is_canonical(value);
    }
}

static bool to_is_valid(const struct lbr_parameters *parameters, uint64_t value)
{
    if (!parameters->architectural && parameters->format == LBR_FORMAT_32)
        return value <= UINT32_MAX;
    if (!parameters->architectural && parameters->format == LBR_FORMAT_TIME)
        return true; /* the cycles take the place of the sign extension */
    return is_canonical(value);
}

/* A write clears all records, even if the depth stays the same. */
static enum access_result write_depth(struct pmu *pmu, uint64_t value)
{
    uint32_t depths = pmu->parameters->lbr.leaf.eax & 0xff;

    if (value == 0 || value % DEPTH_STEP || value / DEPTH_STEP > 8 ||
        !(depths >> (value / DEPTH_STEP - 1) & 1))
        return ACCESS_FAULT;
    lbr_clear(&pmu->lbr);
    pmu->lbr.depth = (unsigned)value;
    return ACCESS_OK;
}

static enum access_result write_control(struct pmu *pmu, uint64_t value)
{
    bool recorded = pmu->lbr.control & CTL_LBREN;

    if (value & ~(uint64_t)pmu->parameters->lbr.control_writable)
        return ACCESS_FAULT;
    pmu->lbr.control = (uint32_t)value;
    if (!recorded && value & CTL_LBREN)
        lbr_enabled(pmu);
    return ACCESS_OK;
}

static enum access_result control_write(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    const struct lbr_parameters *parameters = &pmu->parameters->lbr;

    if (parameters->architectural && msr == IA32_LBR_CTL)
        return write_control(pmu, value);
    if (parameters->architectural && msr == IA32_LBR_DEPTH)
        return write_depth(pmu, value);
    if (!parameters->architectural && msr == MSR_LASTBRANCH_TOS) {
        if (value >= parameters->depth)
            return ACCESS_FAULT;
        pmu->lbr.tos = (unsigned)value;
        return ACCESS_OK;
    }
    if (!parameters->architectural && msr == MSR_LBR_SELECT && parameters->select_writable) {
        if (value & ~parameters->select_writable)
            return ACCESS_FAULT;
        pmu->lbr.select = value;
        if (parameters->select_shared && pmu->sibling != NULL)
            pmu->sibling->lbr.select = value;
        return ACCESS_OK;
    }
    return ACCESS_NOT_MINE;
}

static enum access_result write_part(const struct lbr_parameters *parameters, enum lbr_part part,
                                     uint64_t *target, uint64_t value)
{
    if ((part == PART_FROM && !from_is_valid(parameters, value)) ||
        (part == PART_TO && !to_is_valid(parameters, value)) ||
        (part == PART_INFO && value & ~parameters->info_writable))
        return ACCESS_FAULT;
    *target = value;
    return ACCESS_OK;
}

enum access_result lbr_write(struct pmu *pmu, uint32_t msr, uint64_t value)
{
    const struct lbr_parameters *parameters = &pmu->parameters->lbr;
    struct lbr *lbr = &pmu->lbr;
    enum lbr_part part = find_event(pmu, msr);
    unsigned place;

    if (!parameters->depth)
        return ACCESS_NOT_MINE;
    if (part != PART_NONE && !parameters->architectural)
        return ACCESS_FAULT; /* read-only */
    if (part != PART_NONE)
        return write_part(parameters, part,
                          part == PART_FROM ? &lbr->event.from
                          : part == PART_TO ? &lbr->event.to
                                            : &lbr->event.info,
                          value);
    part = find(pmu, msr, &place);
    if (part == PART_NONE)
        return control_write(pmu, msr, value);
    return write_part(parameters, part,
                      part == PART_FROM ? &lbr->from[place]
                      : part == PART_TO ? &lbr->to[place]
                                        : &lbr->info[place],
                      value);
}
