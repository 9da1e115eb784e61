/* Instructions in VEX and EVEX encodings in the core models: counts, latencies, ports. Cycles
 * follow from published latencies and ports: uops.info, A. Fog's "Instruction tables", and the
 * manuals named in cpu/NAME.inc. */
#include "model_test.h"

extern const struct model_parameters ivybridge_core, haswell_core, sapphirerapids_core, zen4_core,
    alderlake_e_core;

#define TURNS 400u

/* --- counting --- */

static void run_counted(struct bench *bench, unsigned turn)
{
    (void)turn;
    plain(bench, CODE("\xc5\xfb\x58\xc1"));         /* vaddsd xmm0, xmm0, xmm1 */
    plain(bench, CODE("\xc5\xf8\x58\xc1"));         /* vaddps xmm */
    plain(bench, CODE("\xc5\xfc\x58\xc1"));         /* vaddps ymm */
    plain(bench, CODE("\xc4\xe2\xf5\xb8\xc2"));     /* vfmadd231pd ymm: counts twice */
    plain(bench, CODE("\x62\xf1\xfd\x48\x58\xc1")); /* vaddpd zmm */
    plain(bench, CODE("\x62\xf2\x75\x48\xb8\xc2")); /* vfmadd231ps zmm */
    plain(bench, CODE("\xc4\xe2\x71\xb9\xc2"));     /* vfmadd231ss xmm */
    plain(bench, CODE("\xc5\xf9\xfe\xc1"));         /* vpaddd xmm */
    plain(bench, CODE("\xc5\xfd\xfe\xc1"));         /* vpaddd ymm */
    plain(bench, CODE("\xc4\xe2\x7d\x40\xc1"));     /* vpmulld ymm */
    plain(bench, CODE("\xc5\xfc\x54\xc1"));         /* vandps ymm: no arithmetic */
    plain(bench, CODE("\xc5\xfc\x28\xc1"));         /* vmovaps ymm */
    plain(bench, CODE("\xc5\xf8\x77"));             /* vzeroupper */
}

/* FP_ARITH_INST_RETIRED: "counts twice for DPP and FM(N)ADD/SUB". */
static void each_vector_width_is_counted_separately(void **state)
{
    static const struct {
        enum signal signal;
        unsigned times;
    } rows[] = {
        {SIG_FP_SCALAR_DOUBLE, 1}, {SIG_FP_SCALAR_SINGLE, 2},    {SIG_FP_PACKED_SINGLE, 1},
        {SIG_FP_PACKED_DOUBLE, 0}, {SIG_FP_256_SINGLE, 1},       {SIG_FP_256_DOUBLE, 2},
        {SIG_FP_512_SINGLE, 2},    {SIG_FP_512_DOUBLE, 1},       {SIG_FP_VECTORS, 7},
        {SIG_INTEGER_VECTORS, 1},  {SIG_INTEGER_VECTORS_256, 1}, {SIG_INTEGER_PRODUCTS, 1},
        {SIG_BLENDS, 0},
    };
    struct bench bench;

    (void)state;
    begin(&bench, &sapphirerapids_core);
    turns(&bench, run_counted, 0, TURNS);
    model_drain(bench.model);
    for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++)
        assert_int_equal(bench.sum[rows[i].signal], rows[i].times * TURNS);
    end(&bench);
}

/* --- time --- */

static const uint8_t *code;
static uint8_t code_length;

/* Twelve instances of one instruction, each of which depends on the one before. */
static void run_chain(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 12; i++)
        plain(bench, code, code_length);
}

static double cycles_of_one(const struct model_parameters *core, body *run, unsigned instructions)
{
    struct bench bench;
    struct figures figures;

    begin(&bench, core);
    figures = measure(&bench, run, TURNS, TURNS);
    end(&bench);
    return (double)figures.truth.cycles / TURNS / instructions;
}

static void chains_take_their_latency(void **state)
{
#define ADD    CODE("\xc5\xfd\x58\xc1")         /* vaddpd ymm0, ymm0, ymm1 */
#define FMA    CODE("\xc4\xe2\xf5\xb8\xc2")     /* vfmadd231pd ymm0, ymm1, ymm2 */
#define WIDE   CODE("\x62\xf1\xfd\x48\x58\xc1") /* vaddpd zmm0, zmm0, zmm1 */
#define INSERT CODE("\xc4\xe3\x7d\x18\xc0\x01") /* vinsertf128 ymm0, ymm0, xmm0, 1 */
#define LATER  CODE("\x62\xa1\xfd\x40\x58\xc0") /* vaddpd zmm16, zmm16, zmm16 */
    static const struct {
        const struct model_parameters *core;
        const uint8_t *bytes;
        uint8_t length;
        double cycles;
    } rows[] = {
        {&ivybridge_core, ADD, 3},      {&haswell_core, ADD, 3},
        {&haswell_core, FMA, 5},        {&haswell_core, INSERT, 3},
        {&skylakex_core, ADD, 4},       {&skylakex_core, FMA, 4},
        {&skylakex_core, WIDE, 4},      {&skylakex_core, INSERT, 3},
        {&skylakex_core, LATER, 4},     {&sapphirerapids_core, ADD, 3},
        {&sapphirerapids_core, FMA, 4}, {&sapphirerapids_core, WIDE, 4},
        {&zen4_core, ADD, 3},           {&zen4_core, FMA, 4},
        {&alderlake_e_core, ADD, 3},    {&alderlake_e_core, FMA, 6},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        code = rows[i].bytes;
        code_length = rows[i].length;
        check_near("a chain", rows[i].core->name, cycles_of_one(rows[i].core, run_chain, 12),
                   rows[i].cycles, 0.15 * rows[i].cycles);
    }
}

/* Independent instructions: bits 5:3 of the last byte are the destination, registers 0 to 5 in
 * turn; the sources are registers 6 and 7. */
static void run_apart(struct bench *bench, unsigned turn)
{
    static uint8_t copies[12][8];

    (void)turn;
    for (unsigned i = 0; i < 12; i++) {
        memcpy(copies[i], code, code_length);
        copies[i][code_length - 1] = (uint8_t)(0xc0 | (i % 6) << 3 | 7);
        plain(bench, copies[i], code_length);
    }
}

/* Half a cycle where two ports take the instruction. 512 bits have two ports as well, but occupy
 * a pipe of Zen 4 for two cycles, and Gracemont's ports take 128 bits. */
static void ports_bound_what_does_not_wait(void **state)
{
#define ADD_YMM CODE("\xc5\xcd\x58\xc7")         /* vaddpd ymm, ymm6, ymm7 */
#define ADD_ZMM CODE("\x62\xf1\xcd\x48\x58\xc7") /* vaddpd zmm, zmm6, zmm7 */
#define XOR_ZMM CODE("\x62\xf1\x4d\x48\xef\xc7") /* vpxord zmm, zmm6, zmm7 */
    static const struct {
        const struct model_parameters *core;
        const uint8_t *bytes;
        uint8_t length;
        double cycles;
    } rows[] = {
        {&haswell_core, ADD_YMM, 1},     {&skylakex_core, ADD_YMM, 0.5},
        {&skylakex_core, ADD_ZMM, 0.5},  {&skylakex_core, XOR_ZMM, 0.5},
        {&icelakex_core, ADD_ZMM, 0.5},  {&sapphirerapids_core, ADD_ZMM, 0.5},
        {&zen4_core, ADD_YMM, 0.5},      {&zen4_core, ADD_ZMM, 1},
        {&alderlake_e_core, ADD_YMM, 1},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        code = rows[i].bytes;
        code_length = rows[i].length;
        check_near("side by side", rows[i].core->name, cycles_of_one(rows[i].core, run_apart, 12),
                   rows[i].cycles, 0.15 * rows[i].cycles);
    }
}

/* uops.info: VDIVPD of 256 bits every 16 cycles on Haswell, 8 on Skylake; 512 bits every 16. */
static void wide_divisions_take_the_divider_longer(void **state)
{
    static const struct {
        const struct model_parameters *core;
        const uint8_t *bytes;
        uint8_t length;
        double cycles;
    } rows[] = {
        {&haswell_core, CODE("\xc5\xf5\x5e\xc2"), 16},
        {&skylakex_core, CODE("\xc5\xf5\x5e\xc2"), 8},
        {&skylakex_core, CODE("\x62\xf1\xf5\x48\x5e\xc2"), 16},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        code = rows[i].bytes;
        code_length = rows[i].length;
        check_near("a division every", rows[i].core->name,
                   cycles_of_one(rows[i].core, run_chain, 12), rows[i].cycles, 0.5);
    }
}

/* --- slots --- */

static double slots_of_one(const struct model_parameters *core, const uint8_t *bytes,
                           uint8_t length)
{
    struct bench bench;
    struct figures figures;

    code = bytes;
    code_length = length;
    begin(&bench, core);
    figures = measure(&bench, run_chain, TURNS, TURNS);
    end(&bench);
    /* one slot a turn is the loop branch */
    return (double)(figures.truth.uops_retired - TURNS) / TURNS / 12;
}

static void the_parts_of_a_wide_instruction_have_separate_slots_or_share_one(void **state)
{
    (void)state;
    check_near("ymm", "Gracemont", slots_of_one(&alderlake_e_core, ADD), 2, 0.01);
    check_near("xmm", "Gracemont", slots_of_one(&alderlake_e_core, CODE("\xc5\xf9\x58\xc1")), 1,
               0.01);
    check_near("zmm", "Zen 4", slots_of_one(&zen4_core, WIDE), 1, 0.01);
    check_near("zmm", "Skylake-SP", slots_of_one(&skylakex_core, WIDE), 1, 0.01);
    check_near("vzeroupper", "Skylake-SP", slots_of_one(&skylakex_core, CODE("\xc5\xf8\x77")), 4,
               0.01);
}

/* A register that is cleared depends on nothing, so this chain is broken. */
static void run_cleared(struct bench *bench, unsigned turn)
{
    (void)turn;
    plain(bench, CODE("\xc5\xfc\x57\xc0")); /* vxorps ymm0, ymm0, ymm0 */
    plain(bench, CODE("\xc5\xfd\x58\xc1")); /* vaddpd ymm0, ymm0, ymm1 */
}

static void clearing_breaks_a_chain(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++)
        assert_true(cycles_of_one(cores[i], run_cleared, 1) < 2);
}

/* --- SSE between AVX instructions --- */

static const uint8_t *before;
static uint8_t before_length;

static void run_mixed(struct bench *bench, unsigned turn)
{
    (void)turn;
    plain(bench, CODE("\xc5\xfd\x58\xc1")); /* vaddpd ymm0, ymm0, ymm1 */
    plain(bench, before, before_length);
    plain(bench, CODE("\x0f\x58\xd2")); /* addps xmm2, xmm2 */
    plain(bench, CODE("\x0f\x28\xd8")); /* movaps xmm3, xmm0 */
    plain(bench, CODE("\x0f\x29\x07")); /* movaps [rdi], xmm0: writes no register */
}

/* Optimization Reference Manual, "Mixing Intel AVX Code with Intel SSE Code": from Skylake on,
 * while upper halves are in use. */
static void sse_keeps_upper_halves_at_the_price_of_a_uop(void **state)
{
    static const struct {
        const struct model_parameters *core;
        const uint8_t *before;
        uint8_t length;
        unsigned blends;
    } rows[] = {
        {&skylakex_core, CODE("\x90"), 2},
        {&icelakex_core, CODE("\xc5\xf8\x58\xc1"), 2}, /* VEX.128 changes nothing */
        {&skylakex_core, CODE("\xc5\xf8\x77"), 0},     /* VZEROUPPER does */
        {&haswell_core, CODE("\x90"), 0},
    };

    (void)state;
    for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
        struct bench bench;
        struct figures figures;

        before = rows[i].before;
        before_length = rows[i].length;
        begin(&bench, rows[i].core);
        figures = measure(&bench, run_mixed, TURNS, TURNS);
        assert_int_equal(figures.sum[SIG_BLENDS], rows[i].blends * TURNS);
        end(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_vector_width_is_counted_separately),
        cmocka_unit_test(chains_take_their_latency),
        cmocka_unit_test(ports_bound_what_does_not_wait),
        cmocka_unit_test(wide_divisions_take_the_divider_longer),
        cmocka_unit_test(the_parts_of_a_wide_instruction_have_separate_slots_or_share_one),
        cmocka_unit_test(clearing_breaks_a_chain),
        cmocka_unit_test(sse_keeps_upper_halves_at_the_price_of_a_uop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
