/* What a core says about itself: CPUID leaves and registers, laid out as in the SDM. */
#include "pmu/netburst/kind.h"
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "pmu/kinds/facts_read.h"
#include "tests/unit/seams.h"

static uint32_t four(const char *text)
{
    uint32_t word;

    memcpy(&word, text, 4);
    return word;
}

/* A Skylake-SP server: 06_55H stepping 4, two threads a core, version 4. */
static void seam_skylake(void)
{
    seams_reset();
    seam_cpuid(0, 0, 0x16, four("Genu"), four("ntel"), four("ineI"));
    seam_cpuid(1, 0, 0x00050654, 0x05200800, 1u << 15, 1u << 28 | 1u << 22);
    seam_cpuid(4, 0, 0x3c004121, 0x01c0003f, 63, 0);    /* L1D: 8 ways, 64 sets */
    seam_cpuid(4, 1, 0x3c004122, 0x01c0003f, 63, 0);    /* L1I */
    seam_cpuid(4, 2, 0x3c004143, 0x03c0003f, 1023, 0);  /* L2: 16 ways, 1024 sets */
    seam_cpuid(4, 3, 0x3c07c163, 0x0280003f, 32767, 0); /* L3: 11 ways, 32768 sets, 32 sharing */
    seam_cpuid(6, 0, 0x77, 2, 9, 0);
    seam_cpuid(0xa, 0, 0x07300404, 0, 0, 0x603); /* version 4, 4 x 48, 7 events; 3 x 48 */
    seam_cpuid(0xb, 0, 1, 2, 0x100, 5);
    seam_cpuid(0x80000000, 0, 0x80000008, 0, 0, 0);
    seam_cpuid(0x80000002, 0, four("Inte"), four("l(R)"), four(" Xeo"), four("n   "));
    seam_msr(0x8b, 0x0200006500000000);
    seam_msr(0x345, 0x31c5); /* FW_WRITE, LBR format 5 */
    seam_msr(0x186, 0);
}

/* CPUID 01H:ECX.PDCM[15] is 1, and the register faults. */
static void capabilities_that_cannot_be_read_are_not_those_that_the_core_lacks(void **state)
{
    struct facts facts;

    (void)state;
    seam_skylake();
    facts_read(&facts);
    assert_false(facts.capabilities_lost);
    seam_msr_absent(0x345);
    facts_read(&facts);
    assert_true(facts.capabilities_lost && !facts.pdcm);
}

static void a_skylake_server_has_four_general_and_three_fixed_counters(void **state)
{
    struct facts facts;

    (void)state;
    seam_skylake();
    facts_read(&facts);
    assert_null(facts.absent);
    assert_string_equal(facts.vendor, "GenuineIntel");
    assert_true(facts.intel && !facts.amd && !facts.hypervisor);
    assert_int_equal(facts.family, 6);
    assert_int_equal(facts.model, 0x55);
    assert_int_equal(facts.stepping, 4);
    assert_memory_equal(facts.brand, "Intel(R) Xeon", 13);
    assert_int_equal(facts.version, 4);
    assert_int_equal(facts.general_count, 4);
    assert_int_equal(facts.general_width, 48);
    assert_int_equal(facts.general_reserved, 0);
    assert_int_equal(facts.fixed_count, 3);
    assert_int_equal(facts.fixed_mask, 7);
    assert_int_equal(facts.fixed_width, 48);
    assert_int_equal(facts.architectural_events, 0x7f);
    assert_true(facts.any_thread && facts.pdcm && facts.full_width_write);
    assert_false(facts.perf_metrics);
    assert_int_equal(facts.lbr_format, 5);
}

/* Leaf 0AH with one field that no processor has; the others are a Skylake's or, with ECX, an Ice
 * Lake's. IA32_PERF_GLOBAL_CTRL has bits for 32 general and, in IA32_FIXED_CTR_CTRL, fields for 16
 * fixed counters. */
static void counters_that_no_processor_has_are_not_believed(void **state)
{
    static const struct {
        uint32_t eax, ecx, edx;
        const char *why;
    } answers[] = {
        {0x073004ff, 0, 0x603, "CPUID 0AH says 255 as the version, expected 0 to 15"},
        {0x0730ff04, 0, 0x603,
         "CPUID 0AH says 255 as the number of general counters, expected 0 to 32"},
        {0x07302104, 0, 0x603,
         "CPUID 0AH says 33 as the number of general counters, expected 0 to 32"},
        {0x07000404, 0, 0x603,
         "CPUID 0AH says 0 as the width of general counters, expected 32 to 64"},
        {0x07ff0404, 0, 0x603,
         "CPUID 0AH says 255 as the width of general counters, expected 32 to 64"},
        {0xff300404, 0, 0x603,
         "CPUID 0AH says 255 as the length of the list of events, expected 0 to 32"},
        {0x07300404, 0, 0x61f,
         "CPUID 0AH says 31 as the number of fixed counters, expected 0 to 16"},
        {0x08300805, ~0u, 0x604,
         "CPUID 0AH says 32 as the number of fixed counters, expected 0 to 16"},
        {0x07300404, 0, 0x003,
         "CPUID 0AH says 0 as the width of fixed counters, expected 32 to 64"},
        {0x07300404, 0, 0x1fe3,
         "CPUID 0AH says 255 as the width of fixed counters, expected 32 to 64"},
        {0x07300404, 0, 0x1fe0, /* it counts none, and such a part has three */
         "CPUID 0AH says 255 as the width of fixed counters, expected 32 to 64"},
    };
    struct facts facts;

    (void)state;
    for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
        seam_skylake();
        seam_cpuid(0xa, 0, answers[i].eax, 0, answers[i].ecx, answers[i].edx);
        facts_read(&facts);
        assert_non_null(facts.absent);
        assert_string_equal(facts.absent, answers[i].why);
        assert_int_equal(facts.general_count, 0);
        assert_int_equal(facts.fixed_count, 0);
        assert_int_equal(facts.version, 0);
    }
}

/* Leaf 23H states counters of which leaf 0AH says neither a number nor a width. */
static void counters_without_a_width_are_not_believed(void **state)
{
    struct facts facts;

    (void)state;
    seam_skylake();
    seam_cpuid(0, 0, 0x23, four("Genu"), four("ntel"), four("ineI"));
    seam_cpuid(7, 0, 1, 0, 0, 0);
    seam_cpuid(7, 1, 1u << 8, 0, 0, 0);
    seam_cpuid(0xa, 0, 5, 0, 0, 0);
    seam_cpuid(0x23, 0, 2, 0, 0, 0);
    seam_cpuid(0x23, 1, 0xff, 7, 0, 0);
    facts_read(&facts);
    assert_non_null(facts.absent);
    assert_string_equal(facts.absent,
                        "CPUID 0AH says 0 as the width of general counters, expected 32 to 64");
}

/* 32 general counters of 32 bits, 16 fixed ones of 64; and, as on an early Core 2, version 2 that
 * states no fixed counters and no width of them. Under VMware EBX says of no event that it is
 * there, and EDX of version 1 means nothing. */
static void counters_at_the_bounds_are_believed(void **state)
{
    struct facts facts;

    (void)state;
    seam_skylake();
    seam_cpuid(0xa, 0, 0x20202004, 0, 0, 0x810);
    facts_read(&facts);
    assert_null(facts.absent);
    assert_int_equal(facts.general_count, 32);
    assert_int_equal(facts.general_width, 32);
    assert_int_equal(facts.fixed_count, 16);
    assert_int_equal(facts.fixed_width, 64);
    seam_cpuid(0xa, 0, 0x07280202, 0, 0, 0);
    facts_read(&facts);
    assert_null(facts.absent);
    assert_int_equal(facts.fixed_count, 3);
    assert_int_equal(facts.fixed_width, 40);
    seam_cpuid(0xa, 0, 0x07300401, 0x7f, 0, ~0u);
    facts_read(&facts);
    assert_string_equal(facts.absent, "CPUID 0AH says that no event can be counted");
}

/* CPUID 1CH of Golden Cove: depths 8, 16 and 32 (bits 0, 1, 3), all filters and fields. The leaf
 * counts only when leaf 7, EDX[19] announces it. */
static void the_architectural_branch_records_come_from_leaf_1ch(void **state)
{
    struct facts facts;

    (void)state;
    seam_skylake();
    seam_cpuid(0, 0, 0x20, 0x756e6547, 0x6c65746e, 0x49656e69);
    seam_cpuid(0x1c, 0, 0x4000000b, 0x7, 0x7, 0);
    seam_msr(0x14cf, 16);
    facts_read(&facts);
    assert_int_equal(facts.lbr.depth, 0);
    seam_cpuid(7, 0, 0, 1u << 11, 0, 1u << 19);
    facts_read(&facts);
    assert_true(facts.transactions);
    assert_int_equal(facts.lbr.depth, 32);
    assert_int_equal(facts.lbr.depth_found, 16);
    assert_true(facts.lbr.level_filter && facts.lbr.branch_filter && facts.lbr.call_stack);
    assert_true(facts.lbr.mispredicts && facts.lbr.cycles && facts.lbr.types);
    seam_cpuid(0x1c, 0, 0x3, 0x5, 0x2, 0);
    facts_read(&facts);
    assert_int_equal(facts.lbr.depth, 16);
    assert_true(facts.lbr.level_filter && !facts.lbr.branch_filter && facts.lbr.call_stack);
    assert_true(!facts.lbr.mispredicts && facts.lbr.cycles && !facts.lbr.types);
    seam_msr_absent(0x14cf); /* a hypervisor may show the leaf and not the registers */
    facts_read(&facts);
    assert_int_equal(facts.lbr.depth, 0);
}

static void caches_topology_and_clock_counters_come_from_their_leaves(void **state)
{
    struct facts facts;

    (void)state;
    seam_skylake();
    facts_read(&facts);
    assert_int_equal(facts.l1d.bytes, 32768);
    assert_int_equal(facts.l1d.line, 64);
    assert_int_equal(facts.l1d.ways, 8);
    assert_int_equal(facts.l1d.sharing, 2);
    assert_int_equal(facts.l1i.bytes, 32768);
    assert_int_equal(facts.l2.bytes, 1048576);
    assert_int_equal(facts.l3.bytes, 11 * 64 * 32768);
    assert_int_equal(facts.l3.sharing, 32);
    assert_int_equal(facts.apic_id, 5);
    assert_int_equal(facts.threads_per_core, 2);
    assert_int_equal(facts.smt_id, 1);
    assert_true(facts.aperf_mperf && facts.thermal);
}

static void the_microcode_revision_is_read_after_the_register_was_cleared(void **state)
{
    struct facts facts;
    const struct seam_write *writes;

    (void)state;
    seam_skylake();
    seam_msr_ignores(0x8b, 0x0200006500000000);
    facts_read(&facts);
    assert_int_equal(facts.microcode, 0x02000065);
    assert_int_equal(seam_writes(&writes), 1);
    assert_true(writes[0].msr == 0x8b && writes[0].value == 0);
    seam_msr_absent(0x8b);
    facts_read(&facts);
    assert_int_equal(facts.microcode, 0);
}

static void version_5_lists_fixed_counters_and_deprecates_any_thread(void **state)
{
    struct facts facts;

    (void)state;
    seam_skylake();
    seam_cpuid(1, 0, 0x000606a6, 0, 1u << 15, 0);
    seam_cpuid(0xa, 0, 0x08300805, 0, 0x0f,
               0x8604); /* 8 x 48, 8 events; bitmap 0-3, 4 x 48, ANYTHREAD_DEPRECATED */
    seam_msr(0x345, 0xb1c5 | 1 << 14);
    facts_read(&facts);
    assert_int_equal(facts.model, 0x6a);
    assert_int_equal(facts.version, 5);
    assert_int_equal(facts.general_count, 8);
    assert_int_equal(facts.fixed_mask, 0xf);
    assert_int_equal(facts.architectural_events, 0xff);
    assert_false(facts.any_thread);
    assert_true(facts.perf_metrics);
    seam_cpuid(0xa, 0, 0x08300805, 0, 0x10,
               0x8603); /* counter 4 beyond the three contiguous ones */
    facts_read(&facts);
    assert_int_equal(facts.fixed_mask, 0x17);
}

static void events_beyond_the_vector_or_marked_in_it_are_not_available(void **state)
{
    struct facts facts;

    (void)state;
    seam_skylake();
    seam_cpuid(0xa, 0, 0x03300402, 0x2, 0, 0x603);
    facts_read(&facts);
    assert_int_equal(facts.architectural_events, 0x5);
    assert_false(facts.any_thread); /* since version 3 */
}

static void version_1_has_no_fixed_counters_whatever_edx_says(void **state)
{
    struct facts facts;

    (void)state;
    seam_skylake();
    seam_cpuid(0xa, 0, 0x07280201, 0, 0, 0x603);
    facts_read(&facts);
    assert_null(facts.absent);
    assert_int_equal(facts.fixed_mask, 0);
    assert_int_equal(facts.general_width, 40);
}

static void a_core_without_counters_says_why(void **state)
{
    struct facts facts;

    (void)state;
    seam_skylake();
    seam_cpuid(0xa, 0, 0, 0, 0, 0);
    facts_read(&facts);
    assert_string_equal(facts.absent,
                        "CPUID 0AH says version 0: no architectural performance monitoring");
    seam_skylake();
    seam_msr_absent(0x186);
    facts_read(&facts);
    assert_string_equal(facts.absent, "IA32_PERFEVTSEL0 faults though CPUID 0AH promises counters");
    seam_skylake();
    seam_cpuid(0, 0, 4, four("Genu"), four("ntel"), four("ineI"));
    facts_read(&facts);
    assert_string_equal(facts.absent,
                        "CPUID has no leaf 0AH: no architectural performance monitoring");
    assert_int_equal(facts.version, 0);
    assert_false(facts.aperf_mperf); /* leaf 6 is beyond the highest */
    seams_reset();
    facts_read(&facts);
    assert_non_null(facts.absent);
}

/* "MSRs in the Pentium 4 and Intel Xeon Processors": IA32_MISC_ENABLE[7], performance monitoring is
 * available. No leaf of CPUID says how many counters there are. */
static void netburst_has_eighteen_counters_of_forty_bits_when_misc_enable_says_so(void **state)
{
    static const uint32_t signatures[] = {0xf0a, 0xf12, 0xf29, 0xf34, 0xf41, 0xf64};
    struct facts facts;

    (void)state;
    for (unsigned i = 0; i < sizeof(signatures) / sizeof(signatures[0]); i++) {
        seams_reset();
        seam_cpuid(0, 0, 5, four("Genu"), four("ntel"), four("ineI"));
        seam_cpuid(1, 0, signatures[i], 0, 0, 0);
        facts_read(&facts);
        assert_ptr_equal(facts.kind, &netburst_kind);
        assert_string_equal(facts.absent, "IA32_MISC_ENABLE, which announces NetBurst's counters, "
                                          "cannot be read");
        seam_msr(0x1a0, 1u << 11);
        facts_read(&facts);
        assert_string_equal(facts.absent,
                            "IA32_MISC_ENABLE says that NetBurst's counters are not available");
        seam_msr(0x1a0, 1u << 7);
        facts_read(&facts);
        assert_null(facts.absent);
        assert_int_equal(facts.version, 0);
        assert_int_equal(facts.general_count, 18);
        assert_int_equal(facts.general_width, 40);
        assert_int_equal(facts.fixed_mask, 0);
    }
    seam_cpuid(0, 0, 5, four("Auth"), four("cAMD"), four("enti")); /* K8 is family 15, too */
    facts_read(&facts);
    assert_null(facts.kind);
}

static void another_vendor_has_no_architectural_monitoring(void **state)
{
    struct facts facts;

    (void)state;
    seam_skylake();
    seam_cpuid(0, 0, 0x16, four("Auth"), four("cAMD"), four("enti"));
    seam_cpuid(1, 0, 0x00a20f12, 0, 0, 0);
    facts_read(&facts);
    assert_true(facts.amd && !facts.intel);
    assert_int_equal(facts.family, 0x19);
    assert_int_equal(facts.model, 0x21);
    assert_string_equal(facts.absent, "PERF_CTL0 faults though CPUID promises core counters");
    seam_cpuid(0, 0, 0x16, four("Cent"), four("auls"), four("aurH"));
    facts_read(&facts);
    assert_true(!facts.amd && !facts.intel);
    assert_string_equal(
        facts.absent, "neither Intel's processor nor AMD's Zen: its counters have no description");
}

/* Genoa as recorded: PerfMonV2, six core counters, 16 records of branches; then Milan, without leaf
 * 80000022H. Both have PerfCtrExtCore. */
static void zens_counters_are_those_of_its_own_leaves(void **state)
{
    struct facts facts;

    (void)state;
    seams_reset();
    seam_cpuid(0, 0, 0x10, four("Auth"), four("cAMD"), four("enti"));
    seam_cpuid(1, 0, 0x00a10f11, 0, 0, 0);
    seam_cpuid(0x80000000, 0, 0x80000028, 0, 0, 0);
    seam_cpuid(0x80000001, 0, 0, 0, 0x75c237ff, 0);
    seam_cpuid(0x80000022, 0, 0x7, 0x30304106, 0, 0);
    seam_msr(0xc0010200, 0);
    facts_read(&facts);
    assert_null(facts.absent);
    assert_int_equal(facts.version, 2);
    assert_int_equal(facts.general_count, 6);
    assert_int_equal(facts.general_width, 48);
    assert_int_equal(facts.fixed_count, 0);
    assert_true(facts.full_width_write);
    seam_cpuid(1, 0, 0x00a00f11, 0, 0, 0);
    seam_cpuid(0x80000000, 0, 0x80000023, 0, 0, 0);
    seam_cpuid(0x80000022, 0, 0, 0, 0, 0);
    facts_read(&facts);
    assert_null(facts.absent);
    assert_int_equal(facts.version, 1);
    assert_int_equal(facts.general_count, 6);
    seam_cpuid(0x80000000, 0, 0x80000028, 0, 0, 0);
    seam_cpuid(0x80000022, 0, 0x1, 0x7, 0, 0); /* no register of a seventh is known */
    facts_read(&facts);
    assert_non_null(facts.absent);
}

static void microcode_keeps_pmc3_unless_transactions_are_made_to_abort(void **state)
{
    struct facts facts;

    (void)state;
    seam_skylake();
    seam_cpuid(7, 0, 0, 0, 0, 1u << 13);
    facts_read(&facts);
    assert_int_equal(facts.general_reserved, 8);
    assert_int_equal(facts.general_kept, 8);
    seam_msr(0x10f, 0);
    facts_read(&facts);
    assert_int_equal(facts.general_reserved, 8);
    assert_int_equal(facts.general_kept, 8);
    seam_msr(0x10f, 1);
    facts_read(&facts);
    assert_int_equal(facts.general_reserved, 0);
    assert_int_equal(facts.general_kept, 0);
    seam_msr(0x10f, 0);
    seam_cpuid(7, 0, 0, 0, 0, 1u << 13 | 1u << 11);
    facts_read(&facts);
    assert_int_equal(facts.general_reserved, 0);
    assert_int_equal(facts.general_kept, 0);
}

static void a_hypervisor_and_a_hybrid_core_name_themselves(void **state)
{
    struct facts facts;

    (void)state;
    seam_skylake();
    seam_cpuid(0, 0, 0x20, four("Genu"), four("ntel"), four("ineI"));
    seam_cpuid(1, 0, 0x00090672, 0, 1u << 15 | 1u << 31, 0);
    seam_cpuid(0x1a, 0, 0x40000001, 0, 0, 0);
    seam_cpuid(0x40000000, 0, 0, four("KVMK"), four("VMKV"), four("M\0\0\0"));
    facts_read(&facts);
    assert_true(facts.hypervisor);
    assert_string_equal(facts.hypervisor_name, "KVMKVMKVM");
    assert_int_equal(facts.model, 0x97);
    assert_int_equal(facts.core_type, 0x40);
    assert_int_equal(facts.native_model, 1);
}

/* Alder Lake: version 5, fixed counters 0 to 3, no bit 15 of PERF_CAPABILITIES on either kind of
 * core. */
static void a_p_core_has_perf_metrics_though_no_bit_announces_it(void **state)
{
    struct facts facts;

    (void)state;
    seam_skylake();
    seam_cpuid(0, 0, 0x20, four("Genu"), four("ntel"), four("ineI"));
    seam_cpuid(1, 0, 0x00090672, 0, 1u << 15, 0);
    seam_cpuid(0xa, 0, 0x07300805, 0, 0xf, 0x604);
    seam_cpuid(0x1a, 0, 0x40000001, 0, 0, 0);
    seam_msr(0x345, 0x74ff);
    facts_read(&facts);
    assert_false(facts.perf_metrics); /* the register faults */
    seam_msr(0x329, 0);
    facts_read(&facts);
    assert_true(facts.perf_metrics);
    seam_cpuid(0x1a, 0, 0x20000001, 0, 0, 0);
    facts_read(&facts);
    assert_false(facts.perf_metrics); /* an E core */
    seam_cpuid(0x1a, 0, 0x40000001, 0, 0, 0);
    seam_cpuid(1, 0, 0x00090672, 0, 1u << 15 | 1u << 31, 0);
    seam_msr_absent(0x329);
    facts_read(&facts);
    assert_false(facts.perf_metrics); /* a guest has what it is shown */
}

/* CPUID: leaf 1 ECX bits 12 FMA, 27 OSXSAVE, 28 AVX; leaf 7 EBX bits 5 AVX2, 16 AVX512F. XCR0: bit
 * 2 the upper halves of YMM, bits 5 to 7 the registers of AVX-512. */
static void vectors_need_what_cpuid_announces_and_their_registers_enabled(void **state)
{
    const uint32_t announced = 1u << 28 | 1u << 12;
    struct facts facts;
    size_t length;
    const char *word;

    (void)state;
    seam_skylake();
    seam_cpuid(1, 0, 0x00050654, 0x05200800, 1u << 15 | announced, 1u << 28);
    seam_cpuid(7, 0, 0, 1u << 5 | 1u << 16, 0, 0);
    seam_xcr0(0xe7);
    facts_read(&facts); /* no OSXSAVE: XGETBV would fault */
    assert_false(facts.avx || facts.avx2 || facts.fma || facts.avx512f);
    assert_null(facts_missing(&facts, "", &length));

    seam_cpuid(1, 0, 0x00050654, 0x05200800, 1u << 15 | 1u << 27 | announced, 1u << 28);
    facts_read(&facts);
    assert_true(facts.avx && facts.avx2 && facts.fma && facts.avx512f);
    assert_null(facts_missing(&facts, "avx2 fma avx512f", &length));
    word = facts_missing(&facts, "avx amx", &length);
    assert_string_equal(word, "amx");
    assert_int_equal(length, 3);

    seam_xcr0(0x67); /* ZMM16 to ZMM31 are not enabled */
    facts_read(&facts);
    assert_true(facts.avx && facts.avx2 && facts.fma && !facts.avx512f);
    word = facts_missing(&facts, "avx avx512f fma", &length);
    assert_string_equal(word, "avx512f fma");
    assert_int_equal(length, 7);

    seam_xcr0(3);
    facts_read(&facts);
    assert_false(facts.avx || facts.avx2 || facts.fma || facts.avx512f);
}

/* The first two words of CPUID that a hybrid part needs; leaf 0AH as recorded on every core of it.
 */
static void seam_hybrid(uint32_t signature, uint32_t core_type, uint32_t eax, uint32_t ebx)
{
    seam_skylake();
    seam_cpuid(0, 0, 0x23, four("Genu"), four("ntel"), four("ineI"));
    seam_cpuid(1, 0, signature, 0, 1u << 15, 0);
    seam_cpuid(7, 0, 1, 0, 0, 1u << 15);
    seam_cpuid(0xa, 0, eax, ebx, 7, 0x8603);
    seam_cpuid(0x1a, 0, core_type, 0, 0, 0);
    seam_msr(0x329, 0);
    seam_msr(0x345, 0x74ff);
}

/* Core i9-12900H: leaf 0AH is 07300605-0-7-8603 on all cores. Golden Cove has 8 general and 4 fixed
 * counters and PERF_METRICS (Linux, INTEL_ALDERLAKE), Gracemont 6 and 3. */
static void alder_lakes_p_cores_have_more_than_leaf_0ah_says(void **state)
{
    struct facts facts;

    (void)state;
    seam_hybrid(0x906a3, 0x40000001, 0x07300605, 0);
    seam_msr(0xc8, 0);  /* IA32_PMC7 */
    seam_msr(0x30c, 0); /* IA32_FIXED_CTR3 */
    facts_read(&facts);
    assert_int_equal(facts.general_count, 8);
    assert_int_equal(facts.fixed_mask, 0xf);
    assert_int_equal(facts.fixed_count, 4);
    assert_int_equal(facts.architectural_events, 0xff);
    assert_true(facts.perf_metrics);
    seam_hybrid(0x906a3, 0x20000001, 0x07300605, 0);
    facts_read(&facts);
    assert_int_equal(facts.general_count, 6);
    assert_int_equal(facts.fixed_mask, 7);
    assert_false(facts.perf_metrics);
    seam_hybrid(0x906a3, 0x40000001, 0x07300605, 0); /* a guest has what it is shown */
    seam_msr_ignores(0xc8, 0);
    seam_msr_ignores(0x30c, 0);
    seam_cpuid(1, 0, 0x906a3, 0, 1u << 15 | 1u << 31, 0);
    facts_read(&facts);
    assert_int_equal(facts.general_count, 6);
    assert_int_equal(facts.fixed_mask, 7);
}

/* Core Ultra 9 285H: leaf 0AH is 07300805-0-7-8603 on all cores; leaf 23H has the bitmaps of each
 * kind: Lion Cove 3ff and f, Skymont ff and 77, events 1dff and 1f7f. */
static void leaf_23h_says_what_each_kind_of_core_has(void **state)
{
    struct facts facts;

    (void)state;
    seam_hybrid(0xc0652, 0x40000003, 0x07300805, 0);
    seam_cpuid(7, 1, 1u << 8, 0, 0, 0);
    seam_cpuid(0x23, 0, 0xb, 3, 0, 0);
    seam_cpuid(0x23, 1, 0x3ff, 0xf, 0, 0);
    seam_cpuid(0x23, 3, 0x1dff, 0, 0, 0);
    facts_read(&facts);
    assert_int_equal(facts.general_count, 10);
    assert_int_equal(facts.general_reserved, 0);
    assert_int_equal(facts.fixed_mask, 0xf);
    assert_int_equal(facts.architectural_events, 0x1dff);
    assert_true(facts.perf_metrics);
    seam_cpuid(0x1a, 0, 0x20000003, 0, 0, 0);
    seam_cpuid(0x23, 1, 0xfd, 0x77, 0, 0); /* general counter 1 is not there */
    facts_read(&facts);
    assert_int_equal(facts.general_count, 8);
    assert_int_equal(facts.general_reserved, 2);
    assert_int_equal(facts.fixed_mask, 0x77);
    assert_int_equal(facts.fixed_count, 6);
    assert_false(facts.perf_metrics);
    seam_cpuid(7, 1, 0, 0, 0, 0); /* not announced */
    facts_read(&facts);
    assert_int_equal(facts.fixed_mask, 7);
}

/* Core 2 of 65 nm: 07280202-0-0-0, and three fixed counters (SDM 3B, "Architectural Performance
 * Monitoring Version 2"; Linux assumes three, but not of a guest). */
static void version_2_has_three_fixed_counters_though_merom_states_none(void **state)
{
    struct facts facts;

    (void)state;
    seam_skylake();
    seam_cpuid(1, 0, 0x6f2, 0, 0, 0);
    seam_cpuid(0xa, 0, 0x07280202, 0, 0, 0);
    facts_read(&facts);
    assert_int_equal(facts.fixed_mask, 7);
    assert_int_equal(facts.fixed_width, 40);
    seam_cpuid(1, 0, 0x6f2, 0, 1u << 31, 0);
    facts_read(&facts);
    assert_int_equal(facts.fixed_mask, 0);
}

/* VMware without a PMU: 07300401-ff-0-0. */
static void a_core_whose_events_are_all_masked_counts_nothing(void **state)
{
    struct facts facts;

    (void)state;
    seam_skylake();
    seam_cpuid(0xa, 0, 0x07300401, 0xff, 0, 0);
    facts_read(&facts);
    assert_string_equal(facts.absent, "CPUID 0AH says that no event can be counted");
}

/* Gallatin: leaf 1 counts two logical processors and there is no leaf 4, so they are threads of one
 * core. AMD: Fn8000_001E EBX[15:8] plus one, since family 17h. */
static void threads_without_leaf_0bh_come_from_older_leaves(void **state)
{
    struct facts facts;

    (void)state;
    seams_reset();
    seam_cpuid(0, 0, 2, four("Genu"), four("ntel"), four("ineI"));
    seam_cpuid(1, 0, 0xf25, 0x03020800, 0, 1u << 28);
    facts_read(&facts);
    assert_int_equal(facts.threads_per_core, 2);
    assert_int_equal(facts.smt_id, 1);
    assert_int_equal(facts.package, 1); /* APIC id 3, two logical processors a package */
    seam_cpuid(0, 0, 1, four("Auth"), four("cAMD"), four("enti"));
    facts_read(&facts);
    assert_int_equal(facts.threads_per_core, 1);
    seam_cpuid(1, 0, 0x00800f12, 0x03080800, 0, 1u << 28);
    seam_cpuid(0x80000000, 0, 0x8000001f, 0, 0, 0);
    seam_cpuid(0x8000001e, 0, 0, 0x100, 0, 0);
    seam_cpuid(0x80000008, 0, 0, 0, 1u << 12, 0);
    facts_read(&facts);
    assert_int_equal(facts.threads_per_core, 2);
    assert_int_equal(facts.package, 1); /* APIC id 3, one bit of which is within the package */
    seam_cpuid(0, 0, 1, four("Virt"), four("CPU "), four("ual "));
    facts_read(&facts);
    assert_int_equal(facts.threads_per_core, 0);
    assert_int_equal(facts.package, FACTS_UNKNOWN);
}

/* Leaf 1FH numbers more levels than leaf 0BH: here 2 threads, 8 cores, 2 dies; 5 bits in all. */
static void the_package_is_what_the_last_level_leaves(void **state)
{
    struct facts facts;

    (void)state;
    seam_skylake();
    seam_cpuid(0, 0, 0x1f, four("Genu"), four("ntel"), four("ineI"));
    seam_cpuid(0xb, 0, 1, 2, 1u << 8, 0x53);
    seam_cpuid(0xb, 1, 4, 16, 2u << 8 | 1, 0x53);
    facts_read(&facts);
    assert_int_equal(facts.package, 5);
    seam_cpuid(0x1f, 0, 1, 2, 1u << 8, 0x53);
    seam_cpuid(0x1f, 1, 4, 16, 2u << 8 | 1, 0x53);
    seam_cpuid(0x1f, 2, 5, 32, 5u << 8 | 2, 0x53);
    facts_read(&facts);
    assert_int_equal(facts.package, 2);
}

/* APM 2, "Performance Monitoring Counters": 4, 6 with PerfCtrExtCore, or what PerfMonV2 says. */
static void amds_counters_are_four_six_or_what_perfmonv2_says(void **state)
{
    struct facts facts;

    (void)state;
    seams_reset();
    seam_cpuid(0, 0, 1, four("Auth"), four("cAMD"), four("enti"));
    seam_cpuid(1, 0, 0x00700f01, 0, 0, 0);
    facts_read(&facts);
    assert_int_equal(facts.general_count, 4);
    seam_cpuid(0x80000000, 0, 0x80000022, 0, 0, 0);
    seam_cpuid(0x80000001, 0, 0, 0, 1u << 23, 0);
    facts_read(&facts);
    assert_int_equal(facts.general_count, 6);
    seam_cpuid(0x80000022, 0, 1, 8, 0, 0);
    facts_read(&facts);
    assert_int_equal(facts.general_count, 8);
    assert_non_null(facts.absent);
    seam_cpuid(1, 0, 0x500, 0, 0, 0); /* K5 */
    facts_read(&facts);
    assert_int_equal(facts.general_count, 0);
}

/* Two threads of a core, of which the second one lacks something of the first. */
static void counters_of_two_threads_differ_by_what_a_plan_uses(void **state)
{
    struct facts one, other;

    (void)state;
    seam_skylake();
    facts_read(&one);
    other = one;
    other.apic_id ^= 1; /* and what else the two threads of a core never share */
    other.smt_id ^= 1;
    other.microcode++;
    assert_null(facts_counters_differ(&one, &other));
    other.general_reserved = 8; /* e.g. a counter that the survey found to count otherwise */
    assert_string_equal(facts_counters_differ(&one, &other), "which general counters can be used");
    other.general_count = 2;
    assert_string_equal(facts_counters_differ(&other, &one), "how many general counters there are");
    other = one;
    other.perf_metrics = true;
    assert_string_equal(facts_counters_differ(&one, &other), "PERF_METRICS");
    other = one;
    other.capabilities ^= 1u << 13;
    assert_string_equal(facts_counters_differ(&one, &other), "IA32_PERF_CAPABILITIES");
    other = one;
    other.absent = "CPUID says so";
    assert_string_equal(facts_counters_differ(&one, &other), "whether they can count");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capabilities_that_cannot_be_read_are_not_those_that_the_core_lacks),
        cmocka_unit_test(a_skylake_server_has_four_general_and_three_fixed_counters),
        cmocka_unit_test(counters_that_no_processor_has_are_not_believed),
        cmocka_unit_test(counters_without_a_width_are_not_believed),
        cmocka_unit_test(counters_at_the_bounds_are_believed),
        cmocka_unit_test(the_architectural_branch_records_come_from_leaf_1ch),
        cmocka_unit_test(caches_topology_and_clock_counters_come_from_their_leaves),
        cmocka_unit_test(the_microcode_revision_is_read_after_the_register_was_cleared),
        cmocka_unit_test(version_5_lists_fixed_counters_and_deprecates_any_thread),
        cmocka_unit_test(events_beyond_the_vector_or_marked_in_it_are_not_available),
        cmocka_unit_test(netburst_has_eighteen_counters_of_forty_bits_when_misc_enable_says_so),
        cmocka_unit_test(version_1_has_no_fixed_counters_whatever_edx_says),
        cmocka_unit_test(a_core_without_counters_says_why),
        cmocka_unit_test(another_vendor_has_no_architectural_monitoring),
        cmocka_unit_test(zens_counters_are_those_of_its_own_leaves),
        cmocka_unit_test(microcode_keeps_pmc3_unless_transactions_are_made_to_abort),
        cmocka_unit_test(vectors_need_what_cpuid_announces_and_their_registers_enabled),
        cmocka_unit_test(a_hypervisor_and_a_hybrid_core_name_themselves),
        cmocka_unit_test(a_p_core_has_perf_metrics_though_no_bit_announces_it),
        cmocka_unit_test(alder_lakes_p_cores_have_more_than_leaf_0ah_says),
        cmocka_unit_test(leaf_23h_says_what_each_kind_of_core_has),
        cmocka_unit_test(version_2_has_three_fixed_counters_though_merom_states_none),
        cmocka_unit_test(a_core_whose_events_are_all_masked_counts_nothing),
        cmocka_unit_test(threads_without_leaf_0bh_come_from_older_leaves),
        cmocka_unit_test(the_package_is_what_the_last_level_leaves),
        cmocka_unit_test(amds_counters_are_four_six_or_what_perfmonv2_says),
        cmocka_unit_test(counters_of_two_threads_differ_by_what_a_plan_uses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
