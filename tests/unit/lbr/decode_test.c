/* Last-branch stacks: the plan, the order of the entries, and records worked out by hand from the
 * formats of SDM 3B, "LBR Stack" and "Architectural Last Branch Records". */
#include "pmu/intel/kind.h"
#include "pmu/kinds/kinds.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "pmu/counters.h"
#include "pmu/sampling/lbr_decode.h"
#include "pmu/sampling/lbr_take.h"
#include "tests/unit/seams.h"

#define FORMAT_EIP_FLAGS  3
#define FORMAT_EIP_FLAGS2 4
#define FORMAT_INFO       5
#define FORMAT_TIME       6
#define FORMAT_INFO2      7
#define FORMAT_NONE       0x3f

static const struct lbr_options everything = {0};

static struct description having(const char *kind)
{
    struct description description;

    memset(&description, 0, sizeof(description));
    description.lbr = kinds_lbr((struct slice){kind, strlen(kind)});
    assert_non_null(description.lbr);
    return description;
}

static struct facts saying(uint32_t format)
{
    return (struct facts){.kind = &intel_kind,
                          .version = 4,
                          .pdcm = true,
                          .lbr_format = format,
                          .transactions = true};
}

static struct facts saying_architectural(void)
{
    struct facts facts = saying(FORMAT_NONE);

    facts.lbr = (struct lbr_facts){32, 32, true, true, true, true, true, true};
    return facts;
}

static struct lbr_plan plan_of(const char *kind, uint32_t format, const struct lbr_options *options)
{
    const struct description description = having(kind);
    const struct facts facts =
        description.lbr->architectural ? saying_architectural() : saying(format);
    struct lbr_plan plan;

    assert_null(lbr_plan_make(&plan, &facts, &description, options));
    return plan;
}

/* The only entry of a stack in which that record alone is not empty. */
static struct lbr_entry entry_of(const struct lbr_plan *plan, uint64_t from, uint64_t to,
                                 uint64_t info)
{
    uint64_t words[LBR_WORDS] = {0};
    struct lbr_stack stack;
    unsigned first = plan->kind->tos != 0;

    /* two records, so that the newer one has a branch before it */
    for (unsigned i = 0; i < 2; i++) {
        words[first + i] = from;
        words[first + plan->depth + i] = to;
        if (plan->kind->info != 0)
            words[first + 2 * plan->depth + i] = info;
    }
    words[0] = first != 0 ? 1 : words[0];
    lbr_decode(plan, words, &stack);
    assert_int_equal(stack.count, 2);
    return stack.entries[0];
}

static void seam_stack(const struct lbr_plan *plan, uint64_t top)
{
    seams_reset();
    for (unsigned i = 0; i < plan->read_count; i++)
        seam_msr(plan->reads[i], 0);
    seam_msr(0x1c9, top);
}

static void seam_branch(uint32_t place, uint64_t from, uint64_t to, uint64_t info)
{
    seam_msr(0x680 + place, from);
    seam_msr(0x6c0 + place, to);
    seam_msr(0xdc0 + place, info);
}

static void take_and_decode(const struct lbr_plan *plan, struct lbr_stack *stack)
{
    uint64_t words[LBR_WORDS];
    uint32_t failed;

    assert_int_equal(lbr_take(plan, words, &failed), RC_OK);
    lbr_decode(plan, words, stack);
}

static void entries_come_newest_first_from_the_top_and_around_the_end(void **state)
{
    const struct lbr_plan plan = plan_of("skylake32", FORMAT_INFO, &everything);
    struct lbr_stack stack;

    (void)state;
    seam_stack(&plan, 1);
    seam_branch(31, 0x1000, 0x2000, 9);
    seam_branch(0, 0x2010, 0x3000, 1ULL << 63 | 20);
    seam_branch(1, 0x3010, 0x4000, 3);
    take_and_decode(&plan, &stack);
    assert_int_equal(stack.count, 3);
    assert_true(stack.entries[0].from == 0x3010 && stack.entries[0].to == 0x4000);
    assert_false(stack.entries[0].mispredicted);
    assert_true(stack.entries[0].mispredict_valid);
    assert_int_equal(stack.entries[0].cycles, 3);
    assert_true(stack.entries[1].mispredicted);
    assert_int_equal(stack.entries[1].cycles, 20);
    assert_true(stack.entries[2].from == 0x1000);
    assert_int_equal(stack.entries[2].type, LBR_TYPE_UNKNOWN);
}

static void cycles_without_a_branch_before_or_saturated_are_no_measurement(void **state)
{
    const struct lbr_plan plan = plan_of("skylake32", FORMAT_INFO2, &everything);
    struct lbr_stack stack;

    (void)state;
    seam_stack(&plan, 2);
    seam_branch(0, 1, 2, 5);
    seam_branch(1, 3, 4, 0xffff);
    seam_branch(2, 5, 6, 7);
    take_and_decode(&plan, &stack);
    assert_true(stack.entries[0].cycles_valid);
    assert_false(stack.entries[1].cycles_valid);
    assert_false(stack.entries[2].cycles_valid);
}

static void a_full_stack_has_32_entries_all_with_a_branch_before(void **state)
{
    const struct lbr_plan plan = plan_of("skylake32", FORMAT_INFO, &everything);
    struct lbr_stack stack;

    (void)state;
    seam_stack(&plan, 31);
    for (uint32_t i = 0; i < 32; i++)
        seam_branch(i, 0x100 + i, 0x200 + i, 1);
    take_and_decode(&plan, &stack);
    assert_int_equal(stack.count, 32);
    assert_true(stack.entries[31].from == 0x100 && stack.entries[31].cycles_valid);
}

static void an_empty_stack_has_no_entries(void **state)
{
    const struct lbr_plan plan = plan_of("skylake32", FORMAT_INFO, &everything);
    struct lbr_stack stack;

    (void)state;
    seam_stack(&plan, 0);
    take_and_decode(&plan, &stack);
    assert_int_equal(stack.count, 0);
}

/* Core 2 has four records, so an index of 6 is record 2. */
static void an_index_past_the_depth_counts_modulo_the_depth(void **state)
{
    const struct lbr_plan plan = plan_of("core2", 2, &everything);
    const uint64_t words[] = {6, 0x10, 0x20, 0x30, 0x40, 0x11, 0x21, 0x31, 0x41};
    struct lbr_stack stack;

    (void)state;
    assert_int_equal(plan.read_count, 9);
    lbr_decode(&plan, words, &stack);
    assert_int_equal(stack.count, 4);
    assert_true(stack.entries[0].from == 0x30 && stack.entries[0].to == 0x31);
    assert_true(stack.entries[3].from == 0x40 && stack.entries[3].to == 0x41);
    assert_false(stack.entries[0].mispredict_valid);
    assert_false(stack.entries[0].cycles_valid);
}

/* Nehalem: bit 63 is the flag, the address' sign is bit 62. */
static void nehalem_keeps_the_flag_in_bit_63_of_from(void **state)
{
    const struct lbr_plan plan = plan_of("nehalem16", FORMAT_EIP_FLAGS, &everything);
    struct lbr_entry entry = entry_of(&plan, 0x8000000000401000, 0x402000, 0);

    (void)state;
    assert_true(entry.from == 0x401000 && entry.to == 0x402000);
    assert_true(entry.mispredict_valid && entry.mispredicted);
    entry = entry_of(&plan, 0x7fffffff81000010, 0xffffffff81000020, 0);
    assert_true(entry.from == 0xffffffff81000010 && entry.to == 0xffffffff81000020);
    assert_false(entry.mispredicted);
    assert_false(entry.in_transaction || entry.aborted || entry.cycles_valid);
}

/* Haswell: bits 63, 62 and 61 are flags, the address' sign is bit 60. */
static void haswell_extends_the_sign_from_bit_60(void **state)
{
    struct lbr_plan plan = plan_of("haswell16", FORMAT_EIP_FLAGS2, &everything);
    struct lbr_entry entry = entry_of(&plan, 0x1fffffff81000010, 0x1000, 0);

    (void)state;
    assert_true(entry.from == 0xffffffff81000010);
    assert_false(entry.mispredicted || entry.in_transaction || entry.aborted);
    entry = entry_of(&plan, 0xc0007f0012345678, 0x1000, 0);
    assert_true(entry.from == 0x7f0012345678);
    assert_true(entry.mispredicted && entry.in_transaction);
    assert_false(entry.aborted);
    entry = entry_of(&plan, 0x20007f0012345678, 0x1000, 0);
    assert_true(entry.aborted && !entry.mispredicted && !entry.in_transaction);
    plan.transactions = false; /* bits 62 and 61 then repeat the sign */
    entry = entry_of(&plan, 0x7fffffff81000010, 0x1000, 0);
    assert_true(entry.from == 0xffffffff81000010);
    assert_false(entry.mispredicted || entry.in_transaction || entry.aborted);
}

/* Goldmont: TO[63:48] are cycles, the address' sign is bit 47. 0x123 = 291. */
static void goldmont_counts_cycles_in_bits_63_to_48_of_to(void **state)
{
    const struct lbr_plan plan = plan_of("goldmont32", FORMAT_TIME, &everything);
    struct lbr_entry entry = entry_of(&plan, 0x8000000000401000, 0x01237f0000001000, 0);

    (void)state;
    assert_true(entry.from == 0x401000 && entry.to == 0x7f0000001000);
    assert_true(entry.mispredicted && entry.cycles_valid);
    assert_int_equal(entry.cycles, 291);
    entry = entry_of(&plan, 0x401000, 0xffffffff81000010, 0);
    assert_true(entry.to == 0xffffffff81000010);
    assert_false(entry.cycles_valid); /* saturated */
}

static void skylake_keeps_all_flags_in_info_and_ice_lake_none_of_transactions(void **state)
{
    struct lbr_plan plan = plan_of("skylake32", FORMAT_INFO, &everything);
    struct lbr_entry entry = entry_of(&plan, 0xffffffff81000010, 0x1000, 0xe000000000000011);

    (void)state;
    assert_true(entry.from == 0xffffffff81000010);
    assert_true(entry.mispredicted && entry.in_transaction && entry.aborted);
    assert_int_equal(entry.cycles, 17);
    plan = plan_of("skylake32", FORMAT_INFO2, &everything);
    entry = entry_of(&plan, 0x1000, 0x2000, 0xe000000000000011);
    assert_true(entry.mispredicted);
    assert_false(entry.in_transaction || entry.aborted);
}

static void knights_landing_has_the_flag_that_its_format_does_not_name(void **state)
{
    const struct lbr_plan plan = plan_of("knightslanding8", 1, &everything);
    struct lbr_entry entry = entry_of(&plan, 0x8000000000401000, 0x402000, 0);

    (void)state;
    assert_true(entry.from == 0x401000 && entry.mispredicted);
}

/* INFO[59:56] is the type, INFO[60] says that INFO[15:0] is valid. */
static void the_architectural_stack_tells_types_and_valid_cycles(void **state)
{
    struct lbr_plan plan = plan_of("architectural", FORMAT_NONE, &everything);
    static const struct {
        uint64_t info;
        unsigned type;
    } rows[] = {
        {0x1000000000000007, LBR_CONDITIONAL}, {0x1100000000000007, LBR_JUMP_INDIRECT},
        {0x1200000000000007, LBR_JUMP},        {0x1300000000000007, LBR_CALL_INDIRECT},
        {0x1400000000000007, LBR_CALL},        {0x1500000000000007, LBR_RETURN},
        {0x1800000000000007, LBR_OTHER},       {0x1f00000000000007, LBR_OTHER},
    };
    struct lbr_entry entry;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        entry = entry_of(&plan, 0x1000, 0x2000, rows[i].info);
        assert_int_equal(entry.type, rows[i].type);
        assert_true(entry.cycles_valid && entry.cycles == 7 && !entry.mispredicted);
    }
    entry = entry_of(&plan, 0x1000, 0x2000, 0x8400000000000007);
    assert_true(entry.mispredicted && entry.mispredict_valid && !entry.cycles_valid);
    plan.mispredicts = plan.cycles = plan.types = false; /* CPUID 1CH:ECX[2:0] is 0 */
    entry = entry_of(&plan, 0x1000, 0x2000, 0x9400000000000007);
    assert_false(entry.mispredict_valid || entry.mispredicted || entry.cycles_valid);
    assert_int_equal(entry.type, LBR_TYPE_UNKNOWN);
}

static void record_0_of_the_architectural_stack_is_the_newest(void **state)
{
    const struct lbr_plan plan = plan_of("architectural", FORMAT_NONE, &everything);
    uint64_t words[LBR_WORDS] = {0x10, 0x20};
    struct lbr_stack stack;

    (void)state;
    words[32] = 0x11;
    words[33] = 0x21;
    lbr_decode(&plan, words, &stack);
    assert_int_equal(stack.count, 2);
    assert_true(stack.entries[0].from == 0x10 && stack.entries[0].to == 0x11);
    assert_true(stack.entries[1].from == 0x20 && stack.entries[1].to == 0x21);
}

/* Pentium M and Yonah: FROM in bits 31:0 and TO in bits 63:32 of one register. */
static void two_addresses_in_one_register_are_taken_apart(void **state)
{
    static const struct lbr_kind pair = {.depth = 8, .from = 0x40, .tos = 0x1c9};
    const struct lbr_plan plan = {
        .kind = &pair, .layout = lbr_layout_of(LBR_FORMAT_32), .depth = 8};
    const uint64_t words[9] = {0, 0x80402000f0401000};
    struct lbr_stack stack;

    (void)state;
    lbr_decode(&plan, words, &stack);
    assert_int_equal(stack.count, 1);
    assert_true(stack.entries[0].from == 0xf0401000 && stack.entries[0].to == 0x80402000);
}

static void a_register_that_faults_is_named(void **state)
{
    const struct lbr_plan plan = plan_of("skylake32", FORMAT_INFO, &everything);
    uint64_t words[LBR_WORDS];
    uint32_t failed = 0;

    (void)state;
    seam_stack(&plan, 0);
    seam_msr_absent(0xdc0);
    assert_int_equal(lbr_take(&plan, words, &failed), RC_FAULT);
    assert_int_equal(failed, 0xdc0);
    seam_msr_absent(0x1c9);
    assert_int_equal(lbr_take(&plan, words, &failed), RC_FAULT);
    assert_int_equal(failed, 0x1c9);
}

static void the_skylake_plan_stops_selects_clears_96_registers_and_enables_by_debugctl(void **state)
{
    const struct lbr_plan plan = plan_of("skylake32", FORMAT_INFO, &everything);
    struct pass pass;

    (void)state;
    lbr_pass(&pass, &plan);
    assert_int_equal(pass.setup_count, 98); /* DEBUGCTL, SELECT and three rows of 32 */
    assert_int_equal(pass.setup[0].msr, 0x1d9);
    assert_int_equal(pass.setup[1].msr, 0x1c8);
    for (unsigned i = 0; i < pass.setup_count; i++)
        assert_true(pass.setup[i].value == 0);
    assert_int_equal(pass.enable.msr, 0x1d9);
    assert_true(pass.enable.value == 1);
    assert_true(pass.disable == 0);
    assert_int_equal(pass.reading_count, 0);
    assert_int_equal(plan.keep_count, 99); /* and the index of the newest record */
    assert_int_equal(plan.read_count, 97);
    assert_true(99 + 32 <= SAVED_REGISTERS);
}

/* A set bit of MSR_LBR_SELECT suppresses: JCC 2, calls 3 and 4, RET 5, jumps 6 and 7, far 8. */
static void filters_are_complements_in_lbr_select(void **state)
{
    static const struct {
        const char *kind;
        struct lbr_options options;
        uint64_t select;
    } rows[] = {
        {"skylake32", {.types = 1u << LBR_CONDITIONAL}, 0x1f8},
        {"skylake32", {.types = 1u << LBR_RETURN, .kernel_only = true}, 0x1de},
        {"skylake32", {.user_only = true}, 0x001},
        {"skylake32", {.call_stack = true}, 0x3c4}, /* calls and returns, EN_CALLSTACK */
        {"sandybridge16", {.types = 1u << LBR_CALL}, 0x1f4},
        {"nehalem16", {.types = 1u << LBR_CALL}, 0x134}, /* calls need jumps there */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct lbr_plan plan =
            plan_of(rows[i].kind, rows[i].kind[1] == 'k' ? FORMAT_INFO : FORMAT_EIP_FLAGS,
                    &rows[i].options);

        assert_int_equal(plan.setup[1].msr, 0x1c8);
        assert_true(plan.setup[1].value == rows[i].select);
    }
}

/* A set bit of IA32_LBR_CTL includes: JCC 16, jumps 17 and 18, calls 19 and 20, RET 21, other 22.
 */
static void filters_are_the_enabling_value_of_the_architectural_stack(void **state)
{
    static const struct {
        struct lbr_options options;
        uint64_t control;
    } rows[] = {
        {{0}, 0x7f0007},
        {{.types = 1u << LBR_CONDITIONAL}, 0x010007},
        {{.types = 1u << LBR_JUMP_INDIRECT, .user_only = true}, 0x040005},
        {{.call_stack = true, .kernel_only = true}, 0x38000b},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        const struct lbr_plan plan = plan_of("architectural", FORMAT_NONE, &rows[i].options);

        assert_int_equal(plan.enable.msr, 0x14ce);
        assert_true(plan.enable.value == rows[i].control);
        assert_int_equal(plan.setup_count, 3);
        assert_int_equal(plan.setup[0].msr, 0x14ce);
        assert_true(plan.setup[0].value == 0);
        assert_int_equal(plan.setup[2].msr, 0x14cf);
        assert_true(plan.setup[2].value == 32);
        assert_int_equal(plan.keep[plan.keep_count - 1], 0x14cf);
    }
}

/* Bits that CPUID 1CH:EBX does not announce are reserved. */
static void a_stack_without_filters_gets_no_filter_bits(void **state)
{
    const struct description description = having("architectural");
    struct facts facts = saying_architectural();
    struct lbr_plan plan;

    (void)state;
    facts.lbr.level_filter = facts.lbr.branch_filter = facts.lbr.call_stack = false;
    assert_null(lbr_plan_make(&plan, &facts, &description, &everything));
    assert_true(plan.enable.value == 1);
    assert_non_null(
        lbr_plan_make(&plan, &facts, &description, &(struct lbr_options){.types = 1u << LBR_CALL}));
    assert_non_null(
        lbr_plan_make(&plan, &facts, &description, &(struct lbr_options){.user_only = true}));
    assert_non_null(
        lbr_plan_make(&plan, &facts, &description, &(struct lbr_options){.call_stack = true}));
}

/* DEBUGCTL[11], and [12] for the counters; the status bit that ends a freeze is 58 since version 4.
 */
static void a_freeze_is_bit_11_of_debugctl(void **state)
{
    const struct lbr_options freeze = {.freeze_on_pmi = true};
    const struct lbr_options both = {.freeze_on_pmi = true, .freeze_counters = true};
    struct lbr_plan plan = plan_of("nehalem16", FORMAT_EIP_FLAGS, &freeze);

    (void)state;
    assert_true(plan.enable.value == 0x801);
    plan = plan_of("skylake32", FORMAT_INFO, &freeze);
    assert_true(plan.enable.value == 0x801);
    plan = plan_of("architectural", FORMAT_NONE, &freeze);
    assert_int_equal(plan.setup[1].msr, 0x1d9);
    assert_true(plan.setup[1].value == 0x800);
    assert_false(plan.freezes_counters);
    plan = plan_of("core2", 2, &both);
    assert_true(plan.enable.value == 0x1801);
    assert_true(plan.freezes_counters);
}

static void what_a_stack_cannot_do_is_refused_with_its_reason(void **state)
{
    const struct lbr_options call_stack = {.call_stack = true}, types = {.types = 2};
    const struct lbr_options both = {.call_stack = true, .freeze_on_pmi = true};
    struct description core2 = having("core2"), ivybridge = having("sandybridge16");
    struct description skylake = having("skylake32");
    struct facts facts = saying(FORMAT_EIP_FLAGS);
    struct lbr_plan plan;

    (void)state;
    assert_string_equal(lbr_plan_make(&plan, &facts, &core2, &types),
                        "this CPU's LBR has no filter by kind of branch");
    assert_string_equal(lbr_plan_make(&plan, &facts, &ivybridge, &call_stack),
                        "this CPU's LBR has no call-stack mode");
    facts.lbr_format = FORMAT_INFO;
    assert_string_equal(lbr_plan_make(&plan, &facts, &skylake, &both),
                        "freezing on a PMI breaks the call stack");
    assert_int_equal(plan.setup_count, 0);
    facts.version = 3; /* the streamlined freeze came with version 4 */
    assert_string_equal(
        lbr_plan_make(&plan, &facts, &skylake, &(struct lbr_options){.freeze_on_pmi = true}),
        "this CPU's LBR does not freeze on a PMI");
}

/* Only the records that exist at the depth found can be read and put back. */
static void records_beyond_the_depth_found_are_not_kept(void **state)
{
    const struct description description = having("architectural");
    struct facts facts = saying_architectural();
    struct lbr_plan plan;

    (void)state;
    facts.lbr.depth_found = 8;
    assert_null(lbr_plan_make(&plan, &facts, &description, &everything));
    assert_int_equal(plan.keep_count, 2 + 3 * 8 + 1);
    assert_int_equal(plan.depth, 32);
}

static void the_names_in_messages_are_all_kinds(void **state)
{
    char room[KINDS_NAMES];
    const char *names = kinds_lbr_names(room);
    unsigned count = 0;

    (void)state;
    for (const char *name = names; strcmp(name, "none") != 0;) {
        size_t length = strcspn(name, ",");

        assert_non_null(kinds_lbr((struct slice){name, length}));
        count++;
        name += length;
        name += strspn(name, ", ");
    }
    assert_int_equal(count, 12);
    assert_null(kinds_lbr((struct slice){"none", 4}));
    assert_null(kinds_lbr((struct slice){"skylake", 7}));
}

static void a_stack_needs_a_description_that_names_it_and_a_known_format(void **state)
{
    struct description description = having("skylake32");
    struct facts facts = saying(FORMAT_INFO);

    (void)state;
    assert_null(lbr_absent(&facts, &description));
    assert_int_equal(lbr_depth(&facts, &description), 32);
    facts.lbr_format = FORMAT_INFO2;
    assert_null(lbr_absent(&facts, &description));
    facts.lbr_format = FORMAT_NONE;
    assert_non_null(lbr_absent(&facts, &description));
    facts.pdcm = false;
    facts.lbr_format = FORMAT_INFO;
    assert_non_null(lbr_absent(&facts, &description));
    assert_int_equal(lbr_depth(&facts, &description), 0);
    facts.pdcm = true;
    description.lbr = NULL;
    assert_non_null(lbr_absent(&facts, &description));
    description = having("architectural");
    assert_string_equal(lbr_absent(&facts, &description), "CPUID announces no architectural LBR");
    facts.lbr.depth = 32;
    assert_null(lbr_absent(&facts, &description));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_come_newest_first_from_the_top_and_around_the_end),
        cmocka_unit_test(cycles_without_a_branch_before_or_saturated_are_no_measurement),
        cmocka_unit_test(a_full_stack_has_32_entries_all_with_a_branch_before),
        cmocka_unit_test(an_empty_stack_has_no_entries),
        cmocka_unit_test(an_index_past_the_depth_counts_modulo_the_depth),
        cmocka_unit_test(nehalem_keeps_the_flag_in_bit_63_of_from),
        cmocka_unit_test(haswell_extends_the_sign_from_bit_60),
        cmocka_unit_test(goldmont_counts_cycles_in_bits_63_to_48_of_to),
        cmocka_unit_test(skylake_keeps_all_flags_in_info_and_ice_lake_none_of_transactions),
        cmocka_unit_test(knights_landing_has_the_flag_that_its_format_does_not_name),
        cmocka_unit_test(the_architectural_stack_tells_types_and_valid_cycles),
        cmocka_unit_test(record_0_of_the_architectural_stack_is_the_newest),
        cmocka_unit_test(two_addresses_in_one_register_are_taken_apart),
        cmocka_unit_test(a_register_that_faults_is_named),
        cmocka_unit_test(
            the_skylake_plan_stops_selects_clears_96_registers_and_enables_by_debugctl),
        cmocka_unit_test(filters_are_complements_in_lbr_select),
        cmocka_unit_test(filters_are_the_enabling_value_of_the_architectural_stack),
        cmocka_unit_test(a_stack_without_filters_gets_no_filter_bits),
        cmocka_unit_test(a_freeze_is_bit_11_of_debugctl),
        cmocka_unit_test(what_a_stack_cannot_do_is_refused_with_its_reason),
        cmocka_unit_test(records_beyond_the_depth_found_are_not_kept),
        cmocka_unit_test(the_names_in_messages_are_all_kinds),
        cmocka_unit_test(a_stack_needs_a_description_that_names_it_and_a_known_format),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
