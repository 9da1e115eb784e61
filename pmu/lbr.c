#include "lbr.h"

#include "boot/msr.h"
#include "boot/text.h"

/* Values of PERF_CAPABILITIES_LBR_FMT in which FROM and TO hold addresses only and INFO holds the
 * rest, with and without the bits about transactions. */
enum { FORMAT_INFO = 5, FORMAT_INFO_WITHOUT_TSX = 7 };
#define CYCLES_SATURATED 0xffff

const char *lbr_absent(const struct facts *facts, const struct description *description)
{
    if (description->lbr != LBR_SKYLAKE32)
        return "this CPU's description names no last-branch record";
    if (!facts->pdcm)
        return "there is no IA32_PERF_CAPABILITIES, which names the LBR format";
    if (facts->lbr_format != FORMAT_INFO && facts->lbr_format != FORMAT_INFO_WITHOUT_TSX)
        return "IA32_PERF_CAPABILITIES names another LBR format";
    return NULL;
}

void lbr_pass(struct pass *pass)
{
    uint32_t registers[3 * LBR_DEPTH + 3];
    unsigned count = lbr_registers(registers, COUNT_OF(registers));

    *pass = (struct pass){0};
    for (unsigned i = 0; i < count; i++)
        pass->setup[pass->setup_count++] = (struct msr_value){registers[i], 0};
    pass->enable = (struct msr_value){IA32_DEBUGCTL, field_of(DEBUGCTL_LBR, 1)};
    pass->disable = 0;
}

unsigned lbr_registers(uint32_t *registers, unsigned limit)
{
    static const uint32_t single[] = {IA32_DEBUGCTL, MSR_LBR_SELECT, MSR_LASTBRANCH_TOS};
    static const uint32_t rows[] = {MSR_LASTBRANCH_0_FROM_IP, MSR_LASTBRANCH_0_TO_IP,
                                    MSR_LBR_INFO_0};
    unsigned count = 0;

    for (unsigned i = 0; i < COUNT_OF(single) && count < limit; i++)
        registers[count++] = single[i];
    for (unsigned row = 0; row < COUNT_OF(rows); row++)
        for (unsigned i = 0; i < LBR_DEPTH && count < limit; i++)
            registers[count++] = rows[row] + i;
    return count;
}

static bool read_or_name(uint32_t msr, uint64_t *value, uint32_t *failed_msr)
{
    if (msr_read(msr, value))
        return true;
    *failed_msr = msr;
    return false;
}

enum rc lbr_read(struct lbr_stack *stack, uint32_t *failed_msr)
{
    uint64_t top;

    *stack = (struct lbr_stack){.count = 0};
    if (!read_or_name(MSR_LASTBRANCH_TOS, &top, failed_msr))
        return RC_FAULT;
    for (uint32_t i = 0; i < LBR_DEPTH; i++) {
        uint32_t place = ((uint32_t)top - i) % LBR_DEPTH;
        struct lbr_entry *entry = &stack->entries[stack->count];
        uint64_t info;

        if (!read_or_name(MSR_LASTBRANCH_0_FROM_IP + place, &entry->from, failed_msr) ||
            !read_or_name(MSR_LASTBRANCH_0_TO_IP + place, &entry->to, failed_msr) ||
            !read_or_name(MSR_LBR_INFO_0 + place, &info, failed_msr))
            return RC_FAULT;
        if (entry->from == 0 && entry->to == 0)
            break;
        entry->mispredicted = field_get(info, LBR_INFO_MISPRED);
        entry->cycles = (uint16_t)field_get(info, LBR_INFO_CYC);
        entry->cycles_valid = entry->cycles != CYCLES_SATURATED;
        stack->count++;
    }
    if (stack->count > 0 && stack->count < LBR_DEPTH)
        /* the oldest entry counts from a branch before recording began */
        stack->entries[stack->count - 1].cycles_valid = false;
    return RC_OK;
}
