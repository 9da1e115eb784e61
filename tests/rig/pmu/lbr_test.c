/* The last-branch stacks: every legacy format and depth, call-stack mode, and the architectural
 * stack. Expected layouts are the manual's. */
#include "counters_test.h"

#define HIGH  UINT64_C(0xffff800000001000) /* a canonical address in the upper half */
#define BIT63 (UINT64_C(1) << 63)

static void begin(struct rig *rig, const struct variant *variant)
{
    rig_make(rig, &variant->personality, 1);
}

static void retire(struct rig *rig, enum branch_kind kind, uint64_t from, uint64_t to,
                   bool mispredicted)
{
    struct retired_branch branch = {from, to, rig->now, kind, true, mispredicted};

    pmu_branch(rig->pmu, &branch);
}

static bool exists(struct rig *rig, uint32_t msr)
{
    uint64_t value;

    return pmu_rdmsr(rig->pmu, msr, &value) == ACCESS_OK;
}

/* Format by format: one mispredicted branch 300 cycles after recording began, then a predicted one
 * 5 cycles later. */
static const struct {
    enum lbr_format format;
    uint64_t from, to, next_from, next_to;
    bool info;
} formats[] = {
    {LBR_FORMAT_32, 0x1000, 0x2000, 0x3000, 0x4000, false},
    {LBR_FORMAT_LIP, HIGH, 0x2000, 0x3000, 0x4000, false},
    {LBR_FORMAT_EIP, HIGH, 0x2000, 0x3000, 0x4000, false},
    {LBR_FORMAT_EIP_FLAGS, HIGH, 0x2000, 0x3000, 0x4000, false},
    {LBR_FORMAT_EIP_FLAGS2, HIGH, 0x2000, 0x3000, 0x4000, false},
    {LBR_FORMAT_INFO, HIGH, 0x2000, 0x3000, 0x4000, true},
    {LBR_FORMAT_TIME, HIGH, UINT64_C(300) << 48 | 0x2000, 0x3000, UINT64_C(5) << 48 | 0x4000,
     false},
    {LBR_FORMAT_INFO2, HIGH, 0x2000, 0x3000, 0x4000, true},
};

static void each_format_has_its_flags_and_cycles_where_the_manual_says(void **state)
{
    unsigned i;

    (void)state;
    for (i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        struct variant other;
        struct lbr_parameters *lbr = &variant_of(&other, "skylakex")->lbr;
        struct rig rig;

        lbr->format = formats[i].format;
        lbr->depth = 16;
        begin(&rig, &other);
        wrmsr(&rig, DEBUGCTL, 1);
        rig.now += 300;
        retire(&rig, BRANCH_JUMP, HIGH, 0x2000, true);
        rig.now += 5;
        retire(&rig, BRANCH_JUMP, 0x3000, 0x4000, false);
        /* formats 3, 4 and 6: bit 63 is the flag; the address is in the upper half */
        assert_int_equal(rdmsr(&rig, 0x681), formats[i].from);
        assert_int_equal(rdmsr(&rig, 0x6c1), formats[i].to);
        assert_int_equal(rdmsr(&rig, 0x682), formats[i].next_from);
        assert_int_equal(rdmsr(&rig, 0x6c2), formats[i].next_to);
        assert_int_equal(exists(&rig, LBR_INFO), formats[i].info);
        if (formats[i].info) {
            assert_int_equal(rdmsr(&rig, LBR_INFO + 1), BIT63 | 300);
            assert_int_equal(rdmsr(&rig, LBR_INFO + 2), 5);
        }
        rig_end(&rig);
    }
}

/* In an address of the lower half the flag is visible; an address of the upper half loses its
 * top bit if the flag is clear. */
static void the_flag_replaces_the_top_bit_of_from(void **state)
{
    struct variant other;
    struct rig rig;

    (void)state;
    variant_of(&other, "skylakex")->lbr.format = LBR_FORMAT_EIP_FLAGS;
    begin(&rig, &other);
    wrmsr(&rig, DEBUGCTL, 1);
    retire(&rig, BRANCH_CONDITIONAL, 0x1000, 2, true);
    retire(&rig, BRANCH_CONDITIONAL, HIGH, 2, false);
    assert_int_equal(rdmsr(&rig, 0x681), BIT63 | 0x1000);
    assert_int_equal(rdmsr(&rig, 0x682), HIGH & ~BIT63);
    wrmsr(&rig, 0x680, BIT63 | 0x1000); /* a value that was read can be written back */
    wrmsr(&rig, 0x680, HIGH & ~BIT63);
    assert_faults(&rig, 0x680, UINT64_C(0x4000000000001000));
    rig_end(&rig);
}

static void depths_and_addresses_match_the_family(void **state)
{
    static const struct {
        unsigned depth;
        uint32_t from, to;
    } stacks[] = {
        {4, 0x40, 0x60},
        {8, 0x40, 0x60},
        {16, 0x680, 0x6c0},
        {32, 0x680, 0x6c0},
    };
    unsigned i, k;

    (void)state;
    for (i = 0; i < sizeof(stacks) / sizeof(stacks[0]); i++) {
        struct variant other;
        struct lbr_parameters *lbr = &variant_of(&other, "skylakex")->lbr;
        struct rig rig;

        *lbr = (struct lbr_parameters){.depth = stacks[i].depth,
                                       .format = LBR_FORMAT_LIP,
                                       .from = stacks[i].from,
                                       .to = stacks[i].to};
        begin(&rig, &other);
        wrmsr(&rig, DEBUGCTL, 1);
        for (k = 1; k <= stacks[i].depth + 3; k++)
            retire(&rig, BRANCH_JUMP, k, k + 100, false);
        assert_int_equal(rdmsr(&rig, LBR_TOS), 3);
        assert_int_equal(rdmsr(&rig, stacks[i].from + 3), stacks[i].depth + 3);
        assert_int_equal(rdmsr(&rig, stacks[i].to + 4 % stacks[i].depth), 104); /* the oldest */
        assert_false(exists(&rig, stacks[i].from + stacks[i].depth));
        assert_false(exists(&rig, LBR_SELECT)); /* the register exists from Nehalem on */
        assert_faults(&rig, LBR_TOS, stacks[i].depth);
        rig_end(&rig);
    }
}

/* All but indirect calls are suppressed (0x1ec), then neither are indirect jumps (bit 6), relative
 * jumps (bit 7), both. */
static void nehalem_records_calls_only_with_both_kinds_of_jumps(void **state)
{
    static const struct {
        const char *personality;
        uint64_t select, newest;
    } rows[] = {
        {"nehalem", 0x1ec, 0},      {"nehalem", 0x1ac, 0},        {"nehalem", 0x16c, 0},
        {"nehalem", 0x12c, 0x1000}, {"ivybridge", 0x1ec, 0x1000},
    };
    unsigned i;

    (void)state;
    for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct variant other;
        struct rig rig;

        variant_of(&other, rows[i].personality);
        begin(&rig, &other);
        wrmsr(&rig, LBR_SELECT, rows[i].select);
        wrmsr(&rig, DEBUGCTL, 1);
        retire(&rig, BRANCH_CALL_INDIRECT, 0x1000, 0x2000, false);
        assert_int_equal(rdmsr(&rig, 0x680 + (uint32_t)rdmsr(&rig, LBR_TOS)), rows[i].newest);
        rig_end(&rig);
    }
}

static void a_call_of_length_zero_is_not_on_the_call_stack(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    wrmsr(&rig, LBR_SELECT, 0x3c4);
    wrmsr(&rig, DEBUGCTL, 1);
    retire(&rig, BRANCH_CALL, 0x100, 0x200, false);
    retire(&rig, BRANCH_CALL, 0x200, 0x205, false); /* pushes its own address, never returned to */
    assert_int_equal(rdmsr(&rig, LBR_TOS), 1);
    retire(&rig, BRANCH_RETURN, 0x210, 0x105, false);
    assert_int_equal(rdmsr(&rig, LBR_TOS), 0);
    rig_end(&rig);
}

/* 32 entries, all features that CPUID 1CH can name, branch counters of PMC0 to PMC3. */
static void architectural(struct variant *other)
{
    struct lbr_parameters *lbr = &variant_of(other, "skylakex")->lbr;

    *lbr = (struct lbr_parameters){
        .depth = 32,
        .architectural = true,
        .control_writable = 0x7f000f,
        .info_writable = UINT64_C(0xff0000ff0000ffff),
        .leaf = {.eax = 0x0b, .ebx = 7, .ecx = 0xf0007}, /* depths 8, 16, 32 */
    };
    other->parameters.evtsel_writable |= UINT64_C(1) << 35;
    other->parameters.max_leaf = 0x1c;
}

static void entry_0_of_the_architectural_stack_is_the_newest(void **state)
{
    struct variant other;
    struct rig rig;
    unsigned k;

    (void)state;
    architectural(&other);
    begin(&rig, &other);
    assert_int_equal(pmu_cpuid(rig.pmu, 0x1c, 0, 0).eax, 0x0b);
    assert_int_equal(rdmsr(&rig, ARCH_DEPTH), 32);
    wrmsr(&rig, DEBUGCTL, 1); /* does not affect this stack */
    retire(&rig, BRANCH_JUMP, 1, 2, false);
    assert_int_equal(rdmsr(&rig, ARCH_FROM), 0);
    wrmsr(&rig, ARCH_CTL, 0x7f0003);
    for (k = 1; k <= 40; k++) {
        rig.now += k;
        retire(&rig, BRANCH_CALL, k, HIGH + k, k == 40);
    }
    assert_int_equal(rdmsr(&rig, ARCH_FROM), 40);
    assert_int_equal(rdmsr(&rig, ARCH_TO + 31), HIGH + 9);
    /* mispredicted, cycles valid, type 4: a near relative call */
    assert_int_equal(rdmsr(&rig, ARCH_INFO), BIT63 | UINT64_C(1) << 60 | UINT64_C(4) << 56 | 40);
    assert_false(exists(&rig, ARCH_FROM + 32));
    assert_false(exists(&rig, LBR_TOS));
    assert_false(exists(&rig, LBR_SELECT));
    assert_faults(&rig, ARCH_CTL, 0x10);
    assert_faults(&rig, ARCH_CTL, 0x800000);
    assert_faults(&rig, ARCH_INFO, UINT64_C(1) << 16);
    rig_end(&rig);
}

static void a_write_of_the_depth_clears_and_takes_only_what_cpuid_has(void **state)
{
    static const uint64_t bad[] = {0, 4, 12, 24, 64, 31, BIT63 | 8};
    struct variant other;
    struct rig rig;
    unsigned i;

    (void)state;
    architectural(&other);
    begin(&rig, &other);
    wrmsr(&rig, ARCH_CTL, 0x7f0003);
    retire(&rig, BRANCH_JUMP, 1, 2, false);
    for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_faults(&rig, ARCH_DEPTH, bad[i]);
    assert_int_equal(rdmsr(&rig, ARCH_FROM), 1);
    wrmsr(&rig, ARCH_DEPTH, 32);
    assert_int_equal(rdmsr(&rig, ARCH_FROM), 0);
    wrmsr(&rig, ARCH_DEPTH, 8);
    assert_true(exists(&rig, ARCH_FROM + 7));
    assert_false(exists(&rig, ARCH_FROM + 8));
    for (i = 1; i <= 9; i++)
        retire(&rig, BRANCH_JUMP, i, i, false);
    assert_int_equal(rdmsr(&rig, ARCH_FROM + 7), 2);
    rig_end(&rig);
}

/* A set bit enables its kind of branch, the opposite of MSR_LBR_SELECT; without OS nothing is
 * recorded. */
static void the_architectural_filter_records_the_kinds_that_are_set(void **state)
{
    static const struct {
        unsigned bit, type;
        enum branch_kind kind;
    } kinds[] = {
        {16, 0, BRANCH_CONDITIONAL}, {17, 2, BRANCH_JUMP},          {18, 1, BRANCH_JUMP_INDIRECT},
        {19, 4, BRANCH_CALL},        {20, 3, BRANCH_CALL_INDIRECT}, {21, 5, BRANCH_RETURN},
        {22, 8, BRANCH_FAR},
    };
    unsigned bit, k;

    (void)state;
    for (bit = 16; bit <= 22; bit++)
        for (k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
            struct variant other;
            struct rig rig;

            architectural(&other);
            begin(&rig, &other);
            wrmsr(&rig, ARCH_CTL, 5 | UINT64_C(1) << bit); /* USR only */
            retire(&rig, kinds[k].kind, 1, 2, false);
            assert_int_equal(rdmsr(&rig, ARCH_FROM), 0);
            wrmsr(&rig, ARCH_CTL, 3 | UINT64_C(1) << bit);
            retire(&rig, kinds[k].kind, 1, 2, false);
            assert_int_equal(rdmsr(&rig, ARCH_FROM), bit == kinds[k].bit);
            if (bit == kinds[k].bit)
                assert_int_equal(rdmsr(&rig, ARCH_INFO) >> 56 & 0xf, kinds[k].type);
            rig_end(&rig);
        }
}

/* PMC1 is logged and counts 2, 0 and 9 instructions between branches; two bits hold at most 3. */
static void a_record_logs_events_up_to_three(void **state)
{
    static const unsigned counts[] = {2, 0, 9}, logged[] = {2, 0, 3};
    struct variant other;
    struct rig rig;
    unsigned i;

    (void)state;
    architectural(&other);
    begin(&rig, &other);
    wrmsr(&rig, EVTSEL0 + 1, UINT64_C(0x8004200c0));
    wrmsr(&rig, EVTSEL0 + 2, 0x4200c0); /* counts, but is not logged */
    wrmsr(&rig, CTRL, 6);
    run_cycles(&rig, 5, SIG_INSTRUCTIONS, 1); /* before recording began */
    wrmsr(&rig, ARCH_CTL, 0x7f0003);
    for (i = 0; i < 3; i++) {
        if (counts[i])
            run_cycles(&rig, counts[i], SIG_INSTRUCTIONS, 1);
        retire(&rig, BRANCH_JUMP, 1, 2, false);
        assert_int_equal(rdmsr(&rig, ARCH_INFO) >> 32 & 0xff, logged[i] << 2);
    }
    rig_end(&rig);
}

static void a_frozen_architectural_stack_waits_for_the_status(void **state)
{
    struct variant other;
    struct rig rig;

    (void)state;
    architectural(&other);
    begin(&rig, &other);
    wrmsr(&rig, ARCH_CTL, 0x7f0003);
    wrmsr(&rig, 0x391, UINT64_C(1) << 58);
    retire(&rig, BRANCH_JUMP, 1, 2, false);
    assert_int_equal(rdmsr(&rig, ARCH_FROM), 0);
    wrmsr(&rig, RESET, UINT64_C(1) << 58);
    retire(&rig, BRANCH_JUMP, 3, 4, false);
    assert_int_equal(rdmsr(&rig, ARCH_FROM), 3);
    rig_end(&rig);
}

/* An exception keeps the newest record, even if recording goes on. SDM 3B, "Last Exception
 * Records". */
static void the_last_branch_before_an_exception_is_kept(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    pmu_event(rig.pmu); /* nothing is recorded */
    assert_int_equal(rdmsr(&rig, 0x1dd), 0);
    wrmsr(&rig, DEBUGCTL, 1);
    retire(&rig, BRANCH_JUMP, 0x1000, 0x2000, false);
    retire(&rig, BRANCH_CALL, 0x3000, 0x4000, false);
    pmu_event(rig.pmu);
    retire(&rig, BRANCH_JUMP, 0x5000, 0x6000, false);
    assert_int_equal(rdmsr(&rig, 0x1dd), 0x3000);
    assert_int_equal(rdmsr(&rig, 0x1de), 0x4000);
    assert_false(exists(&rig, 0x1e0)); /* IA32_LER_INFO belongs to the architectural stack */
    assert_faults(&rig, 0x1dd, 0x1000);
    wrmsr(&rig, DEBUGCTL, 0);
    pmu_event(rig.pmu);
    assert_int_equal(rdmsr(&rig, 0x1dd), 0x3000);
    rig_end(&rig);
    rig_begin(&rig, "sapphirerapids");
    wrmsr(&rig, ARCH_CTL, 0x7f0003);
    retire(&rig, BRANCH_RETURN, 0x1000, 0x2000, true);
    pmu_event(rig.pmu);
    assert_int_equal(rdmsr(&rig, 0x1dd), 0x1000);
    assert_int_equal(rdmsr(&rig, 0x1de), 0x2000);
    assert_int_equal(rdmsr(&rig, 0x1e0) >> 56, 0x95); /* missed, cycles valid, near return */
    wrmsr(&rig, 0x1dd, HIGH);
    assert_int_equal(rdmsr(&rig, 0x1dd), HIGH);
    assert_faults(&rig, 0x1de, UINT64_C(0x4000000000001000));
    rig_end(&rig);
}

/* SDM 3B, "Monitoring Branches, Exceptions, and Interrupts". The record is a far branch from the
 * saved address to the handler; the last branch before it is kept beside it. */
static void an_interrupt_is_recorded_as_a_far_branch(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    wrmsr(&rig, DEBUGCTL, 1);
    retire(&rig, BRANCH_CALL, 0x3000, 0x4000, false);
    rig.now += 20;
    pmu_event(rig.pmu);
    pmu_delivered(rig.pmu, 0x4010, 0x9000);
    assert_int_equal(rdmsr(&rig, 0x1c9), 2);
    assert_int_equal(rdmsr(&rig, 0x682), 0x4010);
    assert_int_equal(rdmsr(&rig, 0x6c2), 0x9000);
    assert_int_equal(rdmsr(&rig, 0xdc2), 20);
    assert_int_equal(rdmsr(&rig, 0x1dd), 0x3000);
    wrmsr(&rig, 0x1c8, 1u << 8); /* no far branches */
    pmu_delivered(rig.pmu, 0x4020, 0x9000);
    assert_int_equal(rdmsr(&rig, 0x1c9), 2);
    rig_end(&rig);
    rig_begin(&rig, "sapphirerapids");
    wrmsr(&rig, ARCH_CTL, 0x7f0003);
    pmu_delivered(rig.pmu, 0x4010, 0x9000);
    assert_int_equal(rdmsr(&rig, 0x1500), 0x4010);
    assert_int_equal(rdmsr(&rig, 0x1600), 0x9000);
    assert_int_equal(rdmsr(&rig, 0x1200) >> 56 & 0xf, 8); /* other */
    rig_end(&rig);
}

/* SDM 3B, "Last Branch, Interrupt, and Exception Recording for Processors based on Intel
 * Microarchitecture code name Sandy Bridge": MSR_LBR_SELECT is shared by the threads of a Nehalem
 * core, and each thread of a later one has its own. */
static void threads_of_nehalem_share_the_filter(void **state)
{
    static const struct {
        const char *name;
        uint64_t seen;
    } parts[] = {{"nehalem", 0x1fe}, {"ivybridge", 0}, {"skylakex", 0}};

    (void)state;
    for (unsigned i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        struct rig one, other;

        rig_make(&one, personality_find(parts[i].name), 2);
        rig_make(&other, personality_find(parts[i].name), 2);
        pmu_join(other.pmu, one.pmu);
        wrmsr(&one, 0x1c8, 0x1fe);
        assert_int_equal(rdmsr(&other, 0x1c8), parts[i].seen);
        assert_int_equal(rdmsr(&one, 0x1c8), 0x1fe);
        rig_end(&other);
        rig_end(&one);
    }
}

/* NetBurst's registers have other addresses and are read-only. */
static void netburst_keeps_the_last_branch_in_other_registers(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "prescott");
    wrmsr(&rig, DEBUGCTL, 1);
    retire(&rig, BRANCH_JUMP, 0x1000, 0x2000, false);
    pmu_event(rig.pmu);
    retire(&rig, BRANCH_JUMP, 0x3000, 0x4000, false);
    assert_int_equal(rdmsr(&rig, 0x1d7), 0x1000);
    assert_int_equal(rdmsr(&rig, 0x1d8), 0x2000);
    assert_faults(&rig, 0x1d7, 0);
    assert_false(exists(&rig, 0x1dd));
    rig_end(&rig);
}

/* SDM 3B, "Single-Stepping on Branches": #DB clears BTF, and LBR, if the part has a legacy
 * stack. */
static void a_debug_exception_clears_what_the_manual_says(void **state)
{
    static const struct {
        const char *cpu;
        uint64_t was, is;
    } parts[] = {
        {"prescott", 0x7, 0x4},
        {"core2", 0x43, 0x40},
        {"skylakex", 0x803, 0x800},
        {"sapphirerapids", 0x802, 0x800},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        struct rig rig;

        rig_begin(&rig, parts[i].cpu);
        assert_false(pmu_steps_branches(rig.pmu));
        wrmsr(&rig, DEBUGCTL, parts[i].was);
        assert_true(pmu_steps_branches(rig.pmu));
        pmu_debug_exception(rig.pmu);
        assert_int_equal(rdmsr(&rig, DEBUGCTL), parts[i].is);
        assert_false(pmu_steps_branches(rig.pmu));
        rig_end(&rig);
    }
}

/* 0x1c9: MSR_LASTBRANCH_TOS. Where the stack is full, the oldest record is there again. */
static void a_branch_that_an_interrupt_throws_away_is_recorded_when_it_comes_again(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    wrmsr(&rig, DEBUGCTL, 1);
    for (unsigned i = 0; i < 32; i++) {
        rig.now += 10;
        retire(&rig, BRANCH_JUMP, 0x1000 + i, 0x2000, false);
    }
    assert_int_equal(rdmsr(&rig, 0x1c9), 0);
    rig.now += 10;
    retire(&rig, BRANCH_CONDITIONAL, 0x3000, 0x4000, true);
    assert_int_equal(rdmsr(&rig, 0x1c9), 1);
    assert_int_equal(rdmsr(&rig, 0x681), 0x3000);
    pmu_take_back(rig.pmu, rig.now);
    assert_int_equal(rdmsr(&rig, 0x1c9), 0);
    assert_int_equal(rdmsr(&rig, 0x681), 0x1000);
    rig.now += 50;
    pmu_again(rig.pmu);
    assert_int_equal(rdmsr(&rig, 0x1c9), 1);
    assert_int_equal(rdmsr(&rig, 0x681), 0x3000);
    assert_int_equal(rdmsr(&rig, 0x6c1), 0x4000);
    assert_int_equal(rdmsr(&rig, LBR_INFO + 1), BIT63 | 60); /* behind the one before it */
    pmu_again(rig.pmu);                                      /* once only */
    assert_int_equal(rdmsr(&rig, 0x1c9), 1);
    rig_end(&rig);
}

/* What retired last was no branch. */
static void no_older_branch_is_taken_back(void **state)
{
    struct rig rig;

    (void)state;
    rig_begin(&rig, "skylakex");
    wrmsr(&rig, DEBUGCTL, 1);
    rig.now += 10;
    retire(&rig, BRANCH_JUMP, 0x1000, 0x2000, false);
    pmu_take_back(rig.pmu, rig.now + 1);
    pmu_again(rig.pmu);
    assert_int_equal(rdmsr(&rig, 0x1c9), 1);
    assert_int_equal(rdmsr(&rig, 0x681), 0x1000);
    rig_end(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_branch_that_an_interrupt_throws_away_is_recorded_when_it_comes_again),
        cmocka_unit_test(no_older_branch_is_taken_back),
        cmocka_unit_test(the_last_branch_before_an_exception_is_kept),
        cmocka_unit_test(an_interrupt_is_recorded_as_a_far_branch),
        cmocka_unit_test(threads_of_nehalem_share_the_filter),
        cmocka_unit_test(netburst_keeps_the_last_branch_in_other_registers),
        cmocka_unit_test(a_debug_exception_clears_what_the_manual_says),
        cmocka_unit_test(each_format_has_its_flags_and_cycles_where_the_manual_says),
        cmocka_unit_test(the_flag_replaces_the_top_bit_of_from),
        cmocka_unit_test(depths_and_addresses_match_the_family),
        cmocka_unit_test(nehalem_records_calls_only_with_both_kinds_of_jumps),
        cmocka_unit_test(a_call_of_length_zero_is_not_on_the_call_stack),
        cmocka_unit_test(entry_0_of_the_architectural_stack_is_the_newest),
        cmocka_unit_test(a_write_of_the_depth_clears_and_takes_only_what_cpuid_has),
        cmocka_unit_test(the_architectural_filter_records_the_kinds_that_are_set),
        cmocka_unit_test(a_record_logs_events_up_to_three),
        cmocka_unit_test(a_frozen_architectural_stack_waits_for_the_status),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
