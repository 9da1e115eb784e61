/* Every node of the tree: a loop whose bottleneck is known by construction loses its slots there.
 */
#include "model_test.h"

extern const struct model_parameters haswell_core;

#define REPEAT(n) for (unsigned repeat_ = 0; repeat_ < (n); repeat_++)

/* --- retiring --- */

#define OF_ONE(name, bytes)                                                                        \
    static void run_##name(struct bench *bench, unsigned turn)                                     \
    {                                                                                              \
        (void)turn;                                                                                \
        REPEAT(40) plain(bench, CODE(bytes));                                                      \
    }

OF_ONE(nop, "\x0f\x1f\x40\x00")
OF_ONE(packed, "\x0f\x58\xc1")     /* addps xmm0, xmm1 */
OF_ONE(scalar, "\xf2\x0f\x58\xc1") /* addsd xmm0, xmm1 */
OF_ONE(x87, "\xd8\xc1")            /* fadd st0, st1 */
OF_ONE(add_chain, "\x48\x01\xc0")  /* add rax, rax */
OF_ONE(imul_chain, "\x48\x0f\xaf\xc0")
OF_ONE(square_root, "\x66\x0f\x51\xc1") /* sqrtpd xmm0, xmm1: needs nothing of the one before */
OF_ONE(xadd, "\x48\x0f\xc1\xc3")        /* xadd rbx, rax: three uops */
OF_ONE(rdtsc, "\x0f\x31")
OF_ONE(pause, "\xf3\x90")
OF_ONE(cpuid, "\x0f\xa2")

static void run_pairs(struct bench *bench, unsigned turn)
{
    (void)turn;
    REPEAT(40)
    {
        plain(bench, CODE("\x48\x39\xd8")); /* cmp rax, rbx */
        goes(bench, CODE("\x75\x10"), 0);   /* jne, not taken */
    }
}

static void run_branches(struct bench *bench, unsigned turn)
{
    (void)turn;
    REPEAT(40) goes(bench, CODE("\x75\x10"), 0); /* jne, not taken, alone */
}

static void run_loads(struct bench *bench, unsigned turn)
{
    (void)turn;
    REPEAT(40) reads(bench, CODE("\x48\x8b\x03"), DATA_START); /* mov rax, [rbx] */
}

static void run_divisions(struct bench *bench, unsigned turn)
{
    (void)turn;
    REPEAT(10) plain(bench, CODE("\xf7\xf1")); /* div ecx: eax and edx from the one before */
}

/* --- ports --- */

static void run_two_ports(struct bench *bench, unsigned turn) /* of which each has one */
{
    (void)turn;
    REPEAT(40)
    {
        plain(bench, CODE("\xf3\x48\x0f\xb8\xc1")); /* popcnt rax, rcx: port 1 */
        plain(bench, CODE("\x66\x0f\x6e\xc1"));     /* movd xmm0, ecx: port 5 */
    }
}

static void run_three_ports(struct bench *bench, unsigned turn) /* two loads and port 5 */
{
    (void)turn;
    REPEAT(40)
    {
        reads(bench, CODE("\x48\x8b\x03"), DATA_START);
        reads(bench, CODE("\x48\x8b\x03"), DATA_START);
        plain(bench, CODE("\x66\x0f\x6e\xc1")); /* movd xmm0, ecx */
    }
}

/* --- memory --- */

struct lines {
    unsigned count;
    uint64_t apart; /* from one to the next */
};

/* mov rax, [rax]: each address comes from the load before. */
static void run_chase(struct bench *bench, unsigned turn)
{
    const struct lines *lines = bench->argument;

    (void)turn;
    REPEAT(40)
    {
        bench->next_line = (bench->next_line + 1) % lines->count;
        reads(bench, CODE("\x48\x8b\x00"), DATA_START + bench->next_line * lines->apart);
    }
}

static void run_fill(struct bench *bench, unsigned turn)
{
    const struct lines *lines = bench->argument;

    (void)turn;
    REPEAT(40)
    {
        bench->next_line = (bench->next_line + 1) % lines->count;
        writes(bench, CODE("\x48\x89\x03"), DATA_START + bench->next_line * lines->apart);
    }
}

static void access_of(struct bench *bench, const uint8_t *bytes, uint8_t length, uint64_t address,
                      uint8_t size, bool write)
{
    execute(bench, &(struct executed){.bytes = bytes,
                                      .length = length,
                                      .accesses = 1,
                                      .access = {{address, size, write}}});
}

static void run_forward_blocked(struct bench *bench, unsigned turn)
{
    (void)turn;
    REPEAT(10)
    {
        access_of(bench, CODE("\x89\x03"), DATA_START, 4, true);      /* mov [rbx], eax */
        access_of(bench, CODE("\x48\x8b\x03"), DATA_START, 8, false); /* mov rax, [rbx] */
    }
}

/* Each lock waits until the plain store before it is in L1, which takes a line from memory. */
static void run_locks(struct bench *bench, unsigned turn)
{
    const struct lines *lines = bench->argument;

    (void)turn;
    bench->next_line = (bench->next_line + 1) % lines->count;
    writes(bench, CODE("\x48\x89\x03"), DATA_START + bench->next_line * lines->apart);
    modifies(bench, CODE("\xf0\x48\x01\x0b"), DATA_START - LINE); /* lock add [rbx], rcx */
}

/* --- the front end --- */

static void run_long_nops(struct bench *bench, unsigned turn) /* two in 16 bytes, 24 KiB */
{
    (void)turn;
    REPEAT(3000) plain(bench, CODE("\x0f\x1f\x84\x00\x00\x00\x00\x00"));
}

static void run_code_in_l2(struct bench *bench, unsigned turn) /* 256 KiB */
{
    (void)turn;
    REPEAT(32 * KIB) plain(bench, CODE("\x0f\x1f\x84\x00\x00\x00\x00\x00"));
}

static void run_code_in_l3(struct bench *bench, unsigned turn) /* 3 MiB */
{
    (void)turn;
    REPEAT(384 * KIB) plain(bench, CODE("\x0f\x1f\x84\x00\x00\x00\x00\x00"));
}

/* Two uops each, which only the first decoder makes; more code than the uop cache holds. */
static void run_first_decoder(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 4000; i++) {
        const uint8_t bytes[] = {0x4c, 0x0f, 0x46, (uint8_t)(0xc1 | (i % 8) << 3)};

        plain(bench, bytes, sizeof bytes); /* cmovbe r8 ... r15, rcx */
    }
}

static void run_prefixed(struct bench *bench, unsigned turn)
{
    (void)turn;
    REPEAT(4000) plain(bench, CODE("\x66\x81\xc1\x34\x12")); /* add cx, 0x1234 */
}

static void jump(struct bench *bench, int32_t distance)
{
    uint8_t bytes[5] = "\xe9";

    memcpy(bytes + 1, &distance, sizeof distance);
    goes(bench, bytes, sizeof bytes, distance);
}

/* Jumps to and fro between twelve windows that fall into one set of eight ways of the uop cache
 * (3072 bytes apart: 32 sets of 32 bytes, 48 of 64), so the decoders have them each time, and
 * twelve in sets of their own. */
static void run_switches(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (int32_t i = 0; i < 12; i++) {
        jump(bench, 64 * (i + 1) - 5);
        jump(bench, 3072 - 64 * (i + 1) - 5);
    }
}

static void run_sequencer(struct bench *bench, unsigned turn)
{
    (void)turn;
    REPEAT(40)
    {
        plain(bench, NOP);
        plain(bench, CODE("\xfa")); /* cli: four uops from the sequencer */
    }
}

static void run_two_slots(struct bench *bench, unsigned turn) /* a cycle: a taken branch each */
{
    (void)turn;
    plain(bench, NOP);
}

/* Jumps so far apart. */
static void run_jumps(struct bench *bench, unsigned turn)
{
    const struct lines *lines = bench->argument;

    (void)turn;
    for (unsigned i = 0; i < lines->count; i++)
        jump(bench, (int32_t)(lines->apart - 5));
}

static void run_coin(struct bench *bench, unsigned turn)
{
    const bool taken = next_random(bench) >> 20 & 1;

    (void)turn;
    plain(bench, CODE("\xa8\x01"));               /* test al, 1 */
    goes(bench, CODE("\x75\x04"), taken ? 4 : 0); /* jnz over the nop */
    if (!taken)
        plain(bench, NOP);
}

static void run_self_modifying(struct bench *bench, unsigned turn)
{
    (void)turn;
    plain(bench, NOP);
    writes(bench, CODE("\x48\x89\x03"), CODE_START);
}

/* --- each node --- */

enum where { BOTH, ICELAKE, HASWELL };

/* `least` is the share of all slots that the node must have; that of a chain, of ports and of
 * decoders follows from the widths (4 and 5 slots), the others say "most". */
static const struct {
    body *run;
    struct lines lines;
    enum truth_node node;
    double least;
    unsigned turns; /* 0: 200 */
    unsigned page_shift;
    enum where where;
} loops[] = {
    {run_nop, {0}, NODE_NOP_INSTRUCTIONS, 0.9, 0, 30, BOTH},
    {run_packed, {0}, NODE_FP_VECTOR_128B, 1 / 4.0 / 5 * 0.9, 0, 30, BOTH}, /* one in 4 cycles */
    {run_scalar, {0}, NODE_FP_SCALAR, 1 / 4.0 / 5 * 0.9, 0, 30, BOTH},
    {run_x87, {0}, NODE_X87_USE, 1 / 4.0 / 5 * 0.9, 0, 30, BOTH},
    {run_pairs, {0}, NODE_FUSED_INSTRUCTIONS, 1 / 5.0, 0, 30, BOTH},
    {run_branches, {0}, NODE_NON_FUSED_BRANCHES, 1 / 5.0, 0, 30, BOTH},
    {run_loads, {0}, NODE_MEMORY_OPERATIONS, 2 / 5.0 * 0.9, 0, 30, BOTH}, /* two a cycle */
    {run_xadd, {0}, NODE_FEW_UOPS_INSTRUCTIONS, 2 / 3.0 * 0.3, 0, 30, BOTH},
    {run_rdtsc, {0}, NODE_CISC, 0.5, 0, 30, BOTH},
    /* the core */
    {run_square_root, {0}, NODE_FP_DIVIDER, 0.85, 0, 30, BOTH},
    {run_divisions, {0}, NODE_INT_DIVIDER, 0.1, 0, 30, BOTH},
    {run_cpuid, {0}, NODE_SERIALIZING_OPERATION, 0.3, 0, 30, BOTH},
    {run_pause, {0}, NODE_SLOW_PAUSE, 0.8, 0, 30, BOTH},
    /* of three cycles two without a uop, one of which takes the slot that retirement freed: 280 of
     * 484 slots, or 360 of 605 */
    {run_imul_chain, {0}, NODE_PORTS_UTILIZED_0, 0.57, 0, 30, BOTH},
    {run_add_chain, {0}, NODE_PORTS_UTILIZED_1, 0.7, 0, 30, BOTH},
    {run_two_ports, {0}, NODE_PORTS_UTILIZED_2, 0.45, 0, 30, BOTH},
    {run_three_ports, {0}, NODE_PORTS_UTILIZED_3M, 0.2, 0, 30, BOTH},
    /* memory */
    {run_chase, {1, LINE}, NODE_L1_LATENCY_DEPENDENCY, 0.6, 0, 30, BOTH},
    {run_chase, {256 * KIB / LINE, LINE}, NODE_L2_HIT_LATENCY, 0.7, 0, 30, BOTH},
    {run_chase, {3 * MIB / LINE, LINE}, NODE_L3_HIT_LATENCY, 0.9, 4000, 30, BOTH},
    {run_chase, {UINT32_MAX, 4096 + LINE}, NODE_MEM_LATENCY, 0.95, 0, 30, BOTH},
    {run_chase, {256, 4096 + LINE}, NODE_LOAD_STLB_HIT, 0.4, 0, 12, BOTH},
    {run_chase, {4096, 4096 + LINE}, NODE_LOAD_STLB_MISS, 0.5, 400, 12, BOTH},
    {run_forward_blocked, {0}, NODE_STORE_FWD_BLK, 0.7, 0, 30, BOTH},
    {run_locks, {UINT32_MAX, 4096 + LINE}, NODE_LOCK_LATENCY, 0.7, 0, 30, BOTH},
    {run_fill, {UINT32_MAX, 4096 + LINE}, NODE_STORE_LATENCY, 0.9, 0, 30, BOTH},
    /* the front end */
    {run_long_nops, {0}, NODE_MITE, 0.45, 10, 30, BOTH},
    {run_first_decoder, {0}, NODE_DECODER0_ALONE, 0.4, 10, 30, BOTH},
    {run_prefixed, {0}, NODE_LCP, 0.5, 10, 30, BOTH},
    {run_code_in_l2, {0}, NODE_CODE_L2_HIT, 0.5, 4, 30, BOTH},
    {run_code_in_l3, {0}, NODE_CODE_L2_MISS, 0.8, 1, 30, BOTH},
    {run_switches, {0}, NODE_DSB_SWITCHES, 0.3, 0, 30, BOTH},
    {run_sequencer, {0}, NODE_MS_SWITCHES, 0.4, 0, 30, BOTH},
    {run_rdtsc, {0}, NODE_MS, 0.1, 0, 30, ICELAKE}, /* four uops a cycle into five slots */
    {run_two_slots, {0}, NODE_DSB, 0.45, 0, 30, BOTH},
    {run_two_slots, {0}, NODE_LSD, 0.45, 0, 30, HASWELL},
    {run_jumps, {256, 4096 + 2 * LINE}, NODE_CODE_STLB_HIT, 0.5, 20, 12, BOTH},
    {run_jumps, {4000, 4096 + LINE}, NODE_CODE_STLB_MISS, 0.4, 4, 12, BOTH},
    {run_jumps, {16 * KIB, 16}, NODE_UNKNOWN_BRANCHES, 0.6, 4, 30, BOTH},
    {run_coin, {0}, NODE_BRANCH_MISPREDICTS, 0.5, 2000, 30, BOTH},
    {run_coin, {0}, NODE_MISPREDICTS_RESTEERS, 0.15, 2000, 30, BOTH},
    {run_self_modifying, {0}, NODE_OTHER_NUKES, 0.7, 0, 30, BOTH},
    {run_self_modifying, {0}, NODE_CLEARS_RESTEERS, 0.05, 0, 30, BOTH},
};
#define LOOPS (sizeof loops / sizeof *loops)

static bool runs_on(enum where where, const struct model_parameters *core)
{
    return where == BOTH      ? core == &skylakex_core || core == &icelakex_core
           : where == ICELAKE ? core == &icelakex_core
                              : core == &haswell_core;
}

static struct figures run_loop(struct bench *bench, unsigned i, const struct model_parameters *core)
{
    const unsigned count = loops[i].turns ? loops[i].turns : 200;
    struct figures figures;

    begin(bench, core);
    bench->page_shift = loops[i].page_shift;
    bench->argument = &loops[i].lines;
    figures = measure(bench, loops[i].run, count, count);
    end(bench);
    return figures;
}

static double part(const struct bench *bench, const struct figures *figures, unsigned node)
{
    return share(bench, (double)figures->truth.nodes[node], &figures->truth);
}

/* The deepest nodes that have a tenth of the slots, for the message. */
static void show(const struct bench *bench, const struct figures *figures)
{
    for (unsigned i = 0; i < NODE_COUNT; i++)
        if (figures->truth.exact[i] * 20 > figures->truth.cycles * bench->parameters->width)
            print_message("  %s %.3f\n", model_node_name((enum truth_node)i),
                          part(bench, figures, i));
}

static void every_node_has_its_loop(void **state)
{
    static const struct model_parameters *const all[] = {&skylakex_core, &icelakex_core,
                                                         &haswell_core};
    unsigned failed = 0;

    (void)state;
    for (unsigned i = 0; i < LOOPS; i++)
        for (unsigned j = 0; j < 3; j++) {
            struct figures figures;
            struct bench bench;

            if (!runs_on(loops[i].where, all[j]))
                continue;
            figures = run_loop(&bench, i, all[j]);
            if (part(&bench, &figures, loops[i].node) >= loops[i].least)
                continue;
            print_message("%s, %s: %.3f, not at least %.3f\n", all[j]->name,
                          model_node_name(loops[i].node), part(&bench, &figures, loops[i].node),
                          loops[i].least);
            show(&bench, &figures);
            failed++;
        }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_has_its_loop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
