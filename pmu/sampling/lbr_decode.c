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
static inline uint64_t address(uint64_t value, unsigned bits)
{
    uint64_t sign = 1ull << (bits - 1);

    value &= sign | (sign - 1);
    return bits == 32 ? value : (value ^ sign) - sign;
}

static inline void set_cycles(struct lbr_entry *entry, uint64_t cycles)
{
    entry->cycles_valid = cycles != CYCLES_SATURATED;
    entry->cycles = entry->cycles_valid ? (uint16_t)cycles : 0;
}

/* What the entries of one stack have. A copy of its own, which no store into an entry can change:
 * so the compiler need not look again for each entry. */
struct shape {
    struct lbr_layout layout;
    bool transactions, mispredicts, cycles, types;
};

/* Where the core has no transactions, FROM[62:61] are copies of the sign. */
static inline void decode_from_and_to(const struct shape *shape, struct lbr_entry *entry,
                                      uint64_t from, uint64_t to)
{
    const struct lbr_layout *layout = &shape->layout;

    entry->from = address(from, layout->from_bits);
    entry->to = address(to, layout->to_bits);
    entry->mispredict_valid = layout->from_mispredicted;
    entry->mispredicted = layout->from_mispredicted && field_get(from, LASTBRANCH_FROM_MISPRED);
    if (layout->from_transaction && shape->transactions) {
        entry->in_transaction = field_get(from, LASTBRANCH_FROM_IN_TX);
        entry->aborted = field_get(from, LASTBRANCH_FROM_ABORT);
    }
    if (layout->to_cycles)
        set_cycles(entry, field_get(to, LASTBRANCH_TO_CYC));
}

static inline void decode_info(const struct shape *shape, struct lbr_entry *entry, uint64_t info)
{
    const struct lbr_layout *layout = &shape->layout;
    uint64_t type = field_get(info, LBR_INFO_BR_TYPE);

    entry->mispredict_valid = shape->mispredicts;
    entry->mispredicted = shape->mispredicts && field_get(info, LBR_INFO_MISPRED);
    if (layout->info_transaction && shape->transactions) {
        entry->in_transaction = field_get(info, LBR_INFO_IN_TX);
        entry->aborted = field_get(info, LBR_INFO_ABORT);
    }
    if (shape->cycles && (!layout->info_type || field_get(info, LBR_INFO_CYC_CNT_VALID)))
        set_cycles(entry, field_get(info, LBR_INFO_CYC_CNT));
    if (shape->types)
        entry->type = type < sizeof(types) ? types[type] : LBR_OTHER;
}

/* One register holds both addresses: FROM in its lower half, TO in its upper half. */
static void split(uint64_t *from, uint64_t *to)
{
    *to = *from >> 32;
    *from &= UINT32_MAX;
}

void lbr_decode_newest(const struct lbr_plan *plan, const uint64_t *words, unsigned limit,
                       struct lbr_stack *stack)
{
    const struct lbr_kind *kind = plan->kind;
    const struct shape shape = {*plan->layout, plan->transactions, plan->mispredicts, plan->cycles,
                                plan->types};
    const unsigned depth = plan->depth, wanted = limit < depth ? limit : depth;
    const uint64_t *rows = words + (kind->tos != 0);
    const bool split_from = kind->to == 0, backward = kind->tos != 0;
    unsigned place = backward ? (unsigned)(words[0] % depth) : 0, count = 0;

    for (; count < wanted; count++) {
        struct lbr_entry entry = {.type = LBR_TYPE_UNKNOWN};
        uint64_t from = rows[place], to = split_from ? 0 : rows[depth + place];

        if (from == 0 && to == 0)
            break;
        if (split_from)
            split(&from, &to);
        decode_from_and_to(&shape, &entry, from, to);
        if (shape.layout.info)
            decode_info(&shape, &entry, rows[2 * depth + place]);
        stack->entries[count] = entry;
        if (backward)
            place = (place == 0 ? depth : place) - 1;
        else
            place++;
    }
    stack->count = count;
    if (count > 0 && count < wanted) {
        struct lbr_entry *oldest = &stack->entries[count - 1];

        oldest->cycles_valid = false; /* counted from a branch before recording began */
        oldest->cycles = 0;
    }
}

void lbr_decode(const struct lbr_plan *plan, const uint64_t *words, struct lbr_stack *stack)
{
    lbr_decode_newest(plan, words, LBR_DEPTH, stack);
}

const char *lbr_type_name(unsigned type)
{
    static const char *const names[LBR_TYPES] = {
        "unknown", "conditional",   "jump",   "jump_indirect",
        "call",    "call_indirect", "return", "other",
    };

    return names[type < LBR_TYPES ? type : LBR_TYPE_UNKNOWN];
}
