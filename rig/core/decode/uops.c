/* The uops of an instruction: loads into temporaries, arithmetic, stores. Branches, string
 * instructions and instructions that the renamer does alone are composed in their own ways. */
#include "uops.h"

#include <string.h>

enum { RAX = 0, RCX = 1, RDX = 2, RSP = 4, RSI = 6, RDI = 7 };
/* The other two temporaries, REG_TEMP0 and 1, hold loaded values. */
enum { TEMP_CHAIN = REG_TEMP2, TEMP_RESULT = REG_TEMP3 };

#define LOCKED_SLOTS 8u   /* an atomic read-modify-write, whatever its arithmetic */
#define FAR_SLOTS    100u /* interrupts, far transfers, system calls: right order of magnitude */

/* A new uop; no instruction below asks for more than 11. */
static struct uop *emit(struct decoded *out, enum uop_class_id id, bool fused)
{
    struct uop *uop =
        &out->uops[out->uop_count < DECODED_UOPS ? out->uop_count++ : DECODED_UOPS - 1];

    uop->class_id = (uint8_t)id;
    memset(uop->sources, REG_NONE, sizeof(uop->sources));
    memset(uop->destinations, REG_NONE, sizeof(uop->destinations));
    uop->fused = fused;
    uop->unlaminates = uop->copies = uop->moves = false;
    return uop;
}

/* Sources beyond four are left out: their instructions (CMPXCHG16B) wait for much else. */
static void source(struct uop *uop, unsigned id)
{
    for (unsigned i = 0; i < UOP_SOURCES; i++)
        if (uop->sources[i] == REG_NONE) {
            uop->sources[i] = (uint8_t)id;
            return;
        }
}

static void sources(struct uop *uop, const struct register_list *list)
{
    for (unsigned i = 0; i < list->count; i++)
        source(uop, list->ids[i]);
}

/* False: the uop has two destinations already. */
static bool destination(struct uop *uop, unsigned id)
{
    for (unsigned i = 0; i < 2; i++)
        if (uop->destinations[i] == REG_NONE) {
            uop->destinations[i] = (uint8_t)id;
            return true;
        }
    return false;
}

static void simple(struct decoded *out, enum uop_class_id id, bool fused, unsigned from,
                   unsigned also, unsigned to)
{
    struct uop *uop = emit(out, id, fused);

    source(uop, from);
    source(uop, also);
    destination(uop, to);
}

/* `count` more slots, which depend on nothing. */
static void pad(struct decoded *out, unsigned count, enum uop_class_id id)
{
    if (count == 0)
        return;
    emit(out, id, false);
    out->extra = (uint16_t)(count - 1);
}

static unsigned slots_so_far(const struct decoded *out)
{
    unsigned slots = out->extra;

    for (unsigned i = 0; i < out->uop_count; i++)
        slots += !out->uops[i].fused;
    return slots;
}

/* A constant beside a RIP-relative address leaves no room in one slot (Optimization Reference
 * Manual, "Micro-fusion"). */
static bool micro_fuses(const struct operands *operands)
{
    return !(operands->rip_relative && operands->immediate);
}

static void emit_loads(struct decoded *out, const struct operands *operands)
{
    for (unsigned i = 0; i < operands->loads; i++) {
        struct uop *uop = emit(out, CLASS_LOAD, false);

        sources(uop, &operands->load_address[i]);
        destination(uop, REG_TEMP0 + i);
    }
}

static enum uop_class_id address_class(const struct subject *subject)
{
    return subject->operands->store_indexed &&
                   subject->parameters->classes[CLASS_STORE_INDEXED].ports != 0
               ? CLASS_STORE_INDEXED
               : CLASS_STORE_ADDRESS;
}

/* The data uops wait for the registers of `value`. */
static void emit_stores(struct decoded *out, const struct subject *subject,
                        const struct register_list *value)
{
    const struct operands *operands = subject->operands;

    for (unsigned i = 0; i < operands->stores; i++) {
        struct uop *uop = emit(out, address_class(subject), false);

        sources(uop, &operands->store_address[i]);
        uop = emit(out, CLASS_STORE_DATA, micro_fuses(operands));
        uop->unlaminates = operands->store_indexed && uop->fused &&
                           subject->parameters->unlaminates == UNLAMINATES_INDEXED;
        sources(uop, value);
    }
}

/* Whether the load and the operation that share a slot up to the queue are allocated one slot each
 * (Optimization Reference Manual, "Micro-fusion"; P. Cordes, "Micro fusion and addressing modes",
 * stackoverflow.com, question 26046634, measured). */
static bool load_unlaminates(const struct subject *subject)
{
    const ZydisDecodedOperand *first = &subject->list[0];
    const bool updates = subject->instruction->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY &&
                         subject->instruction->operand_count_visible == 2 &&
                         first->type == ZYDIS_OPERAND_TYPE_REGISTER &&
                         first->actions & ZYDIS_OPERAND_ACTION_MASK_READ &&
                         first->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;

    if (!subject->operands->load_indexed)
        return false;
    return subject->parameters->unlaminates == UNLAMINATES_INDEXED ||
           (subject->parameters->unlaminates == UNLAMINATES_UNLESS_UPDATED && !updates);
}

/* --- arithmetic --- */

static void results(struct decoded *out, struct uop *last, const struct register_list *list)
{
    struct uop more = *last;

    for (unsigned i = 0; i < list->count; i++) {
        if (destination(last, list->ids[i]))
            continue;
        last = emit(out, CLASS_ALU, false);
        memcpy(last->sources, more.sources, sizeof(last->sources));
        destination(last, list->ids[i]);
    }
}

/* Whether the chain's first uop needs the register; otherwise its last one does. */
static bool needed_first(const struct operands *operands, unsigned flags, uint8_t id)
{
    if (flags & RECIPE_FLAGS_LAST)
        return id != REG_FLAGS;
    if (flags & RECIPE_OLD_LAST)
        return !register_in(&operands->destinations, id);
    if (flags & RECIPE_FLAGS_FIRST)
        return id == REG_FLAGS;
    return !(flags & RECIPE_OUTSIDE_FIRST) || id < REG_VECTOR || id >= REG_MASK;
}

static void sources_needed(struct uop *uop, const struct operands *operands, unsigned flags,
                           bool first)
{
    for (unsigned i = 0; i < operands->loads; i++)
        if (needed_first(operands, flags, (uint8_t)(REG_TEMP0 + i)) == first)
            source(uop, REG_TEMP0 + i);
    for (unsigned i = 0; i < operands->sources.count; i++)
        if (needed_first(operands, flags, operands->sources.ids[i]) == first)
            source(uop, operands->sources.ids[i]);
}

/* The result is the first destination of `last`. */
static void merge_flags(struct decoded *out, const struct uop *last)
{
    const unsigned result = last->destinations[0];

    simple(out, CLASS_SHIFT, false, REG_FLAGS, result, REG_FLAGS);
}

static void emit_arithmetic(struct decoded *out, const struct subject *subject, bool independent)
{
    const struct operands *operands = subject->operands;
    const struct recipe *recipe = &subject->recipe;
    const bool halves = recipe->chain && recipe->then_id == CLASS_MUL_HIGH;
    const bool merges = recipe->flags & RECIPE_MERGES_FLAGS;
    struct register_list list = {0};
    struct uop *uop = emit(out, recipe->class_id, operands->loads && micro_fuses(operands));

    uop->unlaminates = uop->fused && load_unlaminates(subject);
    if (!independent)
        sources_needed(uop, operands, recipe->chain > 0 ? recipe->flags : 0u, true);
    for (unsigned i = 0; i < recipe->chain; i++) {
        destination(uop, TEMP_CHAIN);
        if (halves)
            destination(uop, RAX);
        uop = emit(out, recipe->then_id, false);
        source(uop, TEMP_CHAIN);
    }
    if (recipe->chain > 0 && recipe->flags & (RECIPE_FLAGS_FIRST | RECIPE_OUTSIDE_FIRST |
                                              RECIPE_OLD_LAST | RECIPE_FLAGS_LAST))
        sources_needed(uop, operands, recipe->flags, false);
    if (operands->stores)
        register_add(&list, TEMP_RESULT);
    for (unsigned i = 0; i < operands->destinations.count; i++)
        if ((!halves || operands->destinations.ids[i] != RAX) &&
            (!merges || operands->destinations.ids[i] != REG_FLAGS))
            register_add(&list, operands->destinations.ids[i]);
    results(out, uop, &list);
    if (merges)
        merge_flags(out, uop);
    for (unsigned i = 1; i < recipe->parts;
         i++) { /* side by side; the last one writes the results */
        struct uop *part = emit(out, uop->class_id, recipe->flags & RECIPE_PARTS_FUSED);

        memcpy(part->sources, uop->sources, sizeof(part->sources));
        memcpy(part->destinations, uop->destinations, sizeof(part->destinations));
        memset(uop->destinations, REG_NONE, sizeof(uop->destinations));
        uop = part;
    }
}

static void compose_arithmetic(struct decoded *out, const struct subject *subject, bool independent)
{
    static const struct register_list result = {1, {TEMP_RESULT}};
    const struct operands *operands = subject->operands;
    const bool locked = subject->instruction->attributes & ZYDIS_ATTRIB_HAS_LOCK ||
                        (subject->recipe.mnemonic == ZYDIS_MNEMONIC_XCHG && operands->stores);
    unsigned before, slots, missing;

    emit_loads(out, operands);
    before = slots_so_far(out);
    emit_arithmetic(out, subject, independent);
    /* its first uop may share the slot of the load */
    slots = slots_so_far(out) - before + (operands->loads && micro_fuses(operands));
    emit_stores(out, subject, &result);
    missing = subject->recipe.slots > slots ? subject->recipe.slots - slots : 0;
    slots = slots_so_far(out) + missing;
    if (locked && slots < LOCKED_SLOTS) {
        missing += LOCKED_SLOTS - slots;
        slots = LOCKED_SLOTS;
    }
    pad(out, missing,
        subject->recipe.class_id == CLASS_NONE ? CLASS_NONE
        : slots > 4                            ? CLASS_MICROCODE
                                               : CLASS_ALU);
}

/* --- copies --- */

static void compose_move(struct decoded *out, const struct subject *subject)
{
    static const struct register_list loaded = {1, {REG_TEMP0}};
    const struct operands *operands = subject->operands;
    const struct register_list *to = &operands->destinations;

    if (operands->loads && !operands->stores) {
        struct uop *uop = emit(out, CLASS_LOAD, false);

        sources(uop, &operands->load_address[0]);
        for (unsigned i = 0; i < to->count; i++)
            destination(uop, to->ids[i]);
        return;
    }
    emit_loads(out, operands);
    emit_stores(out, subject, operands->loads ? &loaded : &operands->sources);
}

/* --- done by the renamer alone (Optimization Reference Manual, "Dependency Breaking Idioms", "Move
 * Elimination") --- */

/* The two sources of an instruction in VEX or EVEX encoding are its last operands, a mask its
 * second. */
static bool both_same_source(const struct subject *subject)
{
    const unsigned visible = subject->instruction->operand_count_visible;
    const ZydisDecodedOperand *last = &subject->list[visible - 1];
    const ZydisRegister mask = subject->instruction->avx.mask.reg;

    return visible >= 3 && last[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           last[-1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           last[0].reg.value == last[-1].reg.value &&
           (mask == ZYDIS_REGISTER_NONE || mask == ZYDIS_REGISTER_K0);
}

static bool both_same_register(const struct subject *subject)
{
    const ZydisDecodedOperand *list = subject->list;

    if (subject->instruction->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
        return both_same_source(subject);
    return subject->instruction->operand_count_visible == 2 &&
           list[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           list[1].type == ZYDIS_OPERAND_TYPE_REGISTER && list[0].reg.value == list[1].reg.value &&
           list[0].size >= 32;
}

static bool is_zero_idiom(const struct subject *subject)
{
    switch (subject->recipe.mnemonic) {
    case ZYDIS_MNEMONIC_XOR:
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_PXOR:
    case ZYDIS_MNEMONIC_XORPS:
    case ZYDIS_MNEMONIC_XORPD:
    case ZYDIS_MNEMONIC_PSUBB:
    case ZYDIS_MNEMONIC_PSUBW:
    case ZYDIS_MNEMONIC_PSUBD:
    case ZYDIS_MNEMONIC_PSUBQ:
    case ZYDIS_MNEMONIC_PCMPGTB:
    case ZYDIS_MNEMONIC_PCMPGTW:
    case ZYDIS_MNEMONIC_PCMPGTD:
        return both_same_register(subject);
    default:
        return false;
    }
}

/* Makes all ones: depends on nothing, but is executed. */
static bool is_ones_idiom(const struct subject *subject)
{
    switch (subject->recipe.mnemonic) {
    case ZYDIS_MNEMONIC_PCMPEQB:
    case ZYDIS_MNEMONIC_PCMPEQW:
    case ZYDIS_MNEMONIC_PCMPEQD:
        return both_same_register(subject);
    default:
        return false;
    }
}

static bool is_eliminated(const struct subject *subject)
{
    const struct operands *operands = subject->operands;
    const ZydisDecodedOperand *list = subject->list;

    if (operands->memory || operands->merges || operands->sources.count != 1 ||
        operands->destinations.count != 1 ||
        operands->sources.ids[0] == operands->destinations.ids[0])
        return false;
    switch (subject->recipe.mnemonic) {
    case ZYDIS_MNEMONIC_MOV:
        return subject->parameters->move_elimination && operands->sources.ids[0] < 16 &&
               operands->destinations.ids[0] < 16;
    case ZYDIS_MNEMONIC_MOVZX:
        return subject->parameters->move_elimination && list[1].size == 8 &&
               !is_high_byte(list[1].reg.value);
    case ZYDIS_MNEMONIC_MOVAPS:
    case ZYDIS_MNEMONIC_MOVAPD:
    case ZYDIS_MNEMONIC_MOVUPS:
    case ZYDIS_MNEMONIC_MOVUPD:
    case ZYDIS_MNEMONIC_MOVDQA:
    case ZYDIS_MNEMONIC_MOVDQU:
        return subject->parameters->vector_move_elimination;
    default:
        return false;
    }
}

static void compose_none(struct decoded *out, const struct subject *subject, bool depends)
{
    struct uop *uop = emit(out, CLASS_NONE, false);

    if (depends)
        sources(uop, &subject->operands->sources);
    uop->moves = depends;
    uop->copies =
        depends && subject->recipe.mnemonic == ZYDIS_MNEMONIC_MOV && subject->list[0].size == 64;
    results(out, uop, &subject->operands->destinations);
}

/* --- branches --- */

static void compose_conditional(struct decoded *out, const struct subject *subject)
{
    unsigned spare = 0;

    switch (subject->instruction->mnemonic) {
    case ZYDIS_MNEMONIC_LOOP:
        spare = 5;
        break;
    case ZYDIS_MNEMONIC_LOOPE:
    case ZYDIS_MNEMONIC_LOOPNE:
        spare = 9;
        break;
    case ZYDIS_MNEMONIC_JCXZ:
    case ZYDIS_MNEMONIC_JECXZ:
    case ZYDIS_MNEMONIC_JRCXZ:
        simple(out, CLASS_ALU, false, RCX, REG_NONE, TEMP_CHAIN);
        simple(out, CLASS_BRANCH, false, TEMP_CHAIN, REG_NONE, REG_NONE);
        return;
    default:
        sources(emit(out, CLASS_BRANCH, false), &subject->operands->sources);
        return;
    }
    simple(out, CLASS_ALU, false, RCX, REG_NONE, RCX);
    for (unsigned i = 0; i < spare; i++)
        emit(out, CLASS_ALU, false);
    sources(emit(out, CLASS_BRANCH, false), &subject->operands->sources);
}

/* A call pushes a constant: its store data wait for nothing. */
static void compose_branch(struct decoded *out, const struct subject *subject)
{
    static const struct register_list constant = {0};
    const struct operands *operands = subject->operands;
    const bool call = out->kind == BRANCH_CALL || out->kind == BRANCH_CALL_INDIRECT;
    struct uop *uop;

    if (out->conditional) {
        compose_conditional(out, subject);
        return;
    }
    emit_loads(out, operands);
    if (call)
        emit_stores(out, subject, &constant);
    uop = emit(out, CLASS_BRANCH_TAKEN, operands->loads && !call);
    if (operands->loads)
        source(uop, REG_TEMP0);
    else
        sources(uop, &operands->sources);
    if (out->kind == BRANCH_RETURN && operands->immediate)
        simple(out, CLASS_ALU, false, RSP, REG_NONE, RSP);
    if (out->kind == BRANCH_FAR)
        pad(out, FAR_SLOTS - slots_so_far(out), CLASS_MICROCODE);
}

/* --- string instructions: a single one, or one iteration of a repeated one --- */

static void advance(struct decoded *out, unsigned pointer, unsigned also, bool counted)
{
    struct uop *uop = emit(out, CLASS_ALU, false);

    source(uop, pointer);
    destination(uop, pointer);
    if (also != REG_NONE) {
        source(uop, also);
        destination(uop, also);
        if (counted)
            simple(out, CLASS_ALU, false, RCX, REG_NONE, RCX);
    } else if (counted) {
        source(uop, RCX);
        destination(uop, RCX);
    }
}

/* A turn of REPE or REPNE SCAS, behind its comparison: six uops and two cycles at least (A. Fog,
 * "Instruction tables"). What takes the second cycle is a guess. */
static void repeat_scan(struct decoded *out)
{
    advance(out, RDI, REG_NONE, false);
    simple(out, CLASS_ALU, false, RCX, REG_NONE, TEMP_CHAIN);
    simple(out, CLASS_ALU, false, TEMP_CHAIN, REG_NONE, RCX);
    pad(out, 6 - slots_so_far(out), CLASS_ALU);
}

static void compose_string(struct decoded *out, const struct subject *subject)
{
    static const struct register_list loaded = {1, {REG_TEMP0}}, accumulator = {1, {RAX}};
    const struct operands *operands = subject->operands;
    const bool compares = register_in(&operands->destinations, REG_FLAGS);
    const bool two = operands->loads + operands->stores == 2;
    const unsigned pointer = operands->loads && (two || !compares) ? RSI : RDI;
    unsigned want;

    emit_loads(out, operands);
    emit_stores(out, subject, operands->loads ? &loaded : &accumulator);
    if (compares)
        simple(out, CLASS_ALU, true, REG_TEMP0, two ? REG_TEMP1 : (unsigned)RAX, REG_FLAGS);
    else if (!operands->stores)
        simple(out, CLASS_ALU, true, REG_TEMP0, operands->merges ? (unsigned)RAX : REG_NONE, RAX);
    if (out->rep && compares && !two) {
        repeat_scan(out);
        return;
    }
    advance(out, pointer, two ? (unsigned)RDI : REG_NONE, out->rep);
    want = two ? 5 : compares || operands->stores ? 3 : 2;
    if (!out->rep)
        pad(out, want - slots_so_far(out), CLASS_ALU);
}

void uops_compose(struct decoded *out, const struct subject *subject)
{
    const struct operands *operands = subject->operands;
    const bool copies = subject->recipe.flags & RECIPE_MOVE;

    if (out->nop)
        emit(out, CLASS_NONE, false);
    else if (out->branch)
        compose_branch(out, subject);
    else if (out->prefetch)
        sources(emit(out, CLASS_LOAD, false), &operands->load_address[0]);
    else if (subject->instruction->meta.category == ZYDIS_CATEGORY_STRINGOP)
        compose_string(out, subject);
    else if (is_zero_idiom(subject))
        compose_none(out, subject, false);
    else if (is_eliminated(subject))
        compose_none(out, subject, true);
    else if (copies && (operands->loads || operands->stores) && !operands->merges)
        compose_move(out, subject);
    else
        compose_arithmetic(out, subject, is_ones_idiom(subject));
    out->slots = (uint16_t)slots_so_far(out);
}
