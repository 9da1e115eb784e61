#include "lbr_decode.h"

#include "pmu/registers.h"

/* The counts in INFO and TO stop there. */
#define CYCLES_SATURATED 0xffff

/* "Architectural Last Branch Records": INFO[59:56]. Values that are not here are other branches. */
/* clang-format off */
static const uint8_t types[] = {
    LBR_CONDITIONAL, LBR_JUMP_INDIRECT, LBR_JUMP, LBR_CALL_INDIRECT, LBR_CALL, LBR_RETURN,
};
/* clang-format on */

/* The address in the low `bits` bits, whose highest is its sign; 32-bit addresses have none. */
static uint64_t address(uint64_t value, unsigned bits)
{
    uint64_t sign = 1ull << (bits - 1);

    value &= sign | (sign - 1);
    return bits == 32 ? value : (value ^ sign) - sign;
}

static void set_cycles(struct lbr_entry *entry, uint64_t cycles)
{
    entry->cycles_valid = cycles != CYCLES_SATURATED;
    entry->cycles = entry->cycles_valid ? (uint16_t)cycles : 0;
}

/* Where the core has no transactions, FROM[62:61] are copies of the sign. */
static void decode_from_and_to(const struct lbr_plan *plan, struct lbr_entry *entry, uint64_t from,
                               uint64_t to)
{
    const struct lbr_layout *layout = plan->layout;

    entry->from = address(from, layout->from_bits);
    entry->to = address(to, layout->to_bits);
    entry->mispredict_valid = layout->from_mispredicted;
    entry->mispredicted = layout->from_mispredicted && field_get(from, LASTBRANCH_FROM_MISPRED);
    if (layout->from_transaction && plan->transactions) {
        entry->in_transaction = field_get(from, LASTBRANCH_FROM_IN_TX);
        entry->aborted = field_get(from, LASTBRANCH_FROM_ABORT);
    }
    if (layout->to_cycles)
        set_cycles(entry, field_get(to, LASTBRANCH_TO_CYC));
}

static void decode_info(const struct lbr_plan *plan, struct lbr_entry *entry, uint64_t info)
{
    const struct lbr_layout *layout = plan->layout;
    uint64_t type = field_get(info, LBR_INFO_BR_TYPE);

    entry->mispredict_valid = plan->mispredicts;
    entry->mispredicted = plan->mispredicts && field_get(info, LBR_INFO_MISPRED);
    if (layout->info_transaction && plan->transactions) {
        entry->in_transaction = field_get(info, LBR_INFO_IN_TX);
        entry->aborted = field_get(info, LBR_INFO_ABORT);
    }
    if (plan->cycles && (!layout->info_type || field_get(info, LBR_INFO_CYC_CNT_VALID)))
        set_cycles(entry, field_get(info, LBR_INFO_CYC_CNT));
    if (plan->types)
        entry->type = type < sizeof(types) ? types[type] : LBR_OTHER;
}

/* One register holds both addresses: FROM in its lower half, TO in its upper half. */
static void split(uint64_t *from, uint64_t *to)
{
    *to = *from >> 32;
    *from &= UINT32_MAX;
}

void lbr_decode(const struct lbr_plan *plan, const uint64_t *words, struct lbr_stack *stack)
{
    const struct lbr_kind *kind = plan->kind;
    const unsigned top = kind->tos != 0 ? (unsigned)(words[0] % plan->depth) : 0;
    const uint64_t *rows = words + (kind->tos != 0);

    stack->count = 0;
    for (unsigned i = 0; i < plan->depth; i++) {
        unsigned place = kind->tos != 0 ? (top + plan->depth - i) % plan->depth : i;
        struct lbr_entry *entry = &stack->entries[stack->count];
        uint64_t from = rows[place], to = kind->to != 0 ? rows[plan->depth + place] : 0;

        if (from == 0 && to == 0)
            break;
        if (kind->to == 0)
            split(&from, &to);
        *entry = (struct lbr_entry){.type = LBR_TYPE_UNKNOWN};
        decode_from_and_to(plan, entry, from, to);
        if (plan->layout->info)
            decode_info(plan, entry, rows[2 * plan->depth + place]);
        stack->count++;
    }
    if (stack->count > 0 && stack->count < plan->depth) {
        struct lbr_entry *oldest = &stack->entries[stack->count - 1];

        oldest->cycles_valid = false; /* counted from a branch before recording began */
        oldest->cycles = 0;
    }
}

const char *lbr_type_name(unsigned type)
{
    static const char *const names[LBR_TYPES] = {
        "unknown", "conditional",   "jump",   "jump_indirect",
        "call",    "call_indirect", "return", "other",
    };

    return names[type < LBR_TYPES ? type : LBR_TYPE_UNKNOWN];
}
