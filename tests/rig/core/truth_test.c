/* Every node of the tree: a loop whose bottleneck is known by construction loses its slots in that
 * node. */
#include "model_test.h"

extern const struct model_parameters ivybridge_core, haswell_core, alderlake_e_core;

#define REPEAT(n) for (unsigned repeat_ = 0; repeat_ < (n); repeat_++)

/* --- retiring --- */

#define OF_ONE(name, bytes)                                                                        \
    static void run_##name(struct bench *bench, unsigned turn)                                     \
    {                                                                                              \
        (void)turn;                                                                                \
        REPEAT(40) plain(bench, CODE(bytes));                                                      \
    }

OF_ONE(nop, "\x0f\x1f\x40\x00")
OF_ONE(packed, "\x0f\x58\xc1")                 /* addps xmm0, xmm1 */
OF_ONE(packed_256, "\xc5\xfc\x58\xc1")         /* vaddps ymm0, ymm0, ymm1 */
OF_ONE(packed_512, "\x62\xf1\x7c\x48\x58\xc1") /* vaddps zmm0, zmm0, zmm1 */
OF_ONE(scalar, "\xf2\x0f\x58\xc1")             /* addsd xmm0, xmm1 */
OF_ONE(x87, "\xd8\xc1")                        /* fadd st0, st1 */
OF_ONE(add_chain, "\x48\x01\xc0")              /* add rax, rax */
OF_ONE(imul_chain, "\x48\x0f\xaf\xc0")
OF_ONE(square_root, "\x66\x0f\x51\xc1") /* sqrtpd xmm0, xmm1: does not depend on the one before */
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

static void run_assists(struct bench *bench, unsigned turn)
{
    const uint8_t *mulsd = (const uint8_t *)"\xf2\x0f\x59\xc1"; /* mulsd xmm0, xmm1 */

    (void)turn;
    REPEAT(10) execute(bench, &(struct executed){.bytes = mulsd, .length = 4, .assist = true});
}

static void run_divisions(struct bench *bench, unsigned turn)
{
    (void)turn;
    REPEAT(10) plain(bench, CODE("\xf7\xf1")); /* div ecx: eax, edx from the division before */
}

/* --- ports --- */

static void run_two_ports(struct bench *bench, unsigned turn) /* each instruction has one port */
{
    (void)turn;
    REPEAT(40)
    {
        plain(bench, CODE("\x48\x6b\xc1\x07")); /* imul rax, rcx, 7: port 1 */
        plain(bench, CODE("\x66\x0f\x6e\xc1")); /* movd xmm0, ecx: port 5 */
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
    uint64_t step; /* bytes from one line to the next */
};

/* mov rax, [rax]: each address comes from the load before. */
/* The places are written before they are read the first time, where they are lines that L3 is to
 * get: a server's L3 takes what was written. */
static void run_chase(struct bench *bench, unsigned turn)
{
    const struct lines *lines = bench->argument;
    const bool writes_first = lines->step == LINE && turn < lines->count / 40 + 1;

    REPEAT(40)
    {
        bench->next_line = (bench->next_line + 1) % lines->count;
        if (writes_first)
            writes(bench, CODE("\x48\x89\x13"), DATA_START + bench->next_line * lines->step);
        reads(bench, CODE("\x48\x8b\x00"), DATA_START + bench->next_line * lines->step);
    }
}

static void run_fill(struct bench *bench, unsigned turn)
{
    const struct lines *lines = bench->argument;

    (void)turn;
    REPEAT(40)
    {
        bench->next_line = (bench->next_line + 1) % lines->count;
        writes(bench, CODE("\x48\x89\x03"), DATA_START + bench->next_line * lines->step);
    }
}

/* mov(nti) of 8 bytes, eight to a line. */
static void run_streaming(struct bench *bench, unsigned turn)
{
    REPEAT(40)
    {
        const uint64_t address = DATA_START + turn * 320ul + repeat_ * 8;

        writes(bench, CODE("\x48\x0f\xc3\x03"), address); /* movnti [rbx], rax */
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

/* Independent loads, each from another line. */
static void run_misses(struct bench *bench, unsigned turn)
{
    const struct lines *lines = bench->argument;

    (void)turn;
    REPEAT(40)
    {
        bench->next_line = (bench->next_line + 1) % lines->count;
        reads(bench, CODE("\x48\x8b\x03"), DATA_START + bench->next_line * lines->step);
    }
}

#define SPLIT (DATA_START + LINE - 4)

static void run_split_chase(struct bench *bench, unsigned turn)
{
    (void)turn;
    REPEAT(40) reads(bench, CODE("\x48\x8b\x00"), SPLIT); /* mov rax, [rax] */
}

/* Many loads at once on one pair of lines in memory: all split registers are taken, fill buffers
 * are free. */
static void run_split_misses(struct bench *bench, unsigned turn)
{
    const uint64_t line = DATA_START + (uint64_t)turn * (4096 + 2 * LINE);

    REPEAT(64) reads(bench, CODE("\x48\x8b\x03"), line + LINE - 4); /* mov rax, [rbx] */
}

static void run_split_stores(struct bench *bench, unsigned turn)
{
    (void)turn;
    REPEAT(40) writes(bench, CODE("\x48\x89\x03"), SPLIT);
}

static void run_alias(struct bench *bench, unsigned turn)
{
    (void)turn;
    REPEAT(20)
    {
        writes(bench, CODE("\x48\x89\x0b"), DATA_START);       /* mov [rbx], rcx */
        reads(bench, CODE("\x48\x8b\x00"), DATA_START + 4096); /* mov rax, [rax] */
    }
}

/* One store for two loads: it may have left the store buffer when the second load begins. */
static void run_two_aliases(struct bench *bench, unsigned turn)
{
    (void)turn;
    REPEAT(10)
    {
        writes(bench, CODE("\x48\x89\x0b"), DATA_START);       /* mov [rbx], rcx */
        reads(bench, CODE("\x48\x8b\x00"), DATA_START + 4096); /* mov rax, [rax] */
        reads(bench, CODE("\x48\x8b\x00"), DATA_START + 4096);
    }
}

/* The load depends on nothing, but the address of the store before it comes from a
 * multiplication that waits for the load of the last turn. */
static void run_unknown_store(struct bench *bench, unsigned turn)
{
    (void)turn;
    REPEAT(10)
    {
        plain(bench, CODE("\x48\x0f\xaf\xc8"));          /* imul rcx, rax */
        writes(bench, CODE("\x48\x89\x11"), DATA_START); /* mov [rcx], rdx */
        reads(bench, CODE("\x48\x8b\x03"), DATA_START);  /* mov rax, [rbx] */
    }
}

/* Each lock waits until the plain store before it is in L1, which takes a line from memory. */
static void run_locks(struct bench *bench, unsigned turn)
{
    const struct lines *lines = bench->argument;

    (void)turn;
    bench->next_line = (bench->next_line + 1) % lines->count;
    writes(bench, CODE("\x48\x89\x03"), DATA_START + bench->next_line * lines->step);
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

/* Instructions of two uops, which only the first decoder makes; more code than the uop cache
 * holds. */
static void run_first_decoder(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < 4000; i++) {
        const uint8_t bytes[] = {0x4c, 0x0f, 0x46, (uint8_t)(0xc1 | (i % 8) << 3)};

        plain(bench, bytes, sizeof(bytes)); /* cmovbe r8 ... r15, rcx */
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

    memcpy(bytes + 1, &distance, sizeof(distance));
    goes(bench, bytes, sizeof(bytes), distance);
}

/* Jumps to and fro between twelve windows that share one set of eight ways of the uop cache (at
 * a distance of 3072 bytes: 32 sets of 32 bytes, 48 of 64), so they are decoded each time, and
 * twelve windows in different sets. */
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
    plain(bench, NOP);
    plain(bench, CODE("\xfa")); /* cli: four uops from the sequencer */
}

static void run_two_slots(struct bench *bench, unsigned turn) /* a taken branch in every cycle */
{
    (void)turn;
    plain(bench, NOP);
}

/* Jumps at this distance. */
static void run_jumps(struct bench *bench, unsigned turn)
{
    const struct lines *lines = bench->argument;

    (void)turn;
    for (unsigned i = 0; i < lines->count; i++)
        jump(bench, (int32_t)(lines->step - 5));
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

enum where { BOTH, ICELAKE, HASWELL, IVYBRIDGE };

/* `least` is the share of all slots that the node must have. For chains, ports and decoders it
 * follows from the widths (4 and 5 slots); for all others it means "most slots". */
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
    {run_packed_256, {0}, NODE_FP_VECTOR_256B, 1 / 4.0 / 5 * 0.9, 0, 30, ICELAKE},
    {run_packed_512, {0}, NODE_FP_VECTOR_512B, 1 / 4.0 / 5 * 0.9, 0, 30, ICELAKE},
    {run_scalar, {0}, NODE_FP_SCALAR, 1 / 4.0 / 5 * 0.9, 0, 30, BOTH},
    {run_x87, {0}, NODE_X87_USE, 1 / 4.0 / 5 * 0.9, 0, 30, BOTH},
    {run_pairs, {0}, NODE_FUSED_INSTRUCTIONS, 1 / 5.0, 0, 30, BOTH},
    {run_branches, {0}, NODE_NON_FUSED_BRANCHES, 1 / 5.0, 0, 30, BOTH},
    {run_loads, {0}, NODE_MEMORY_OPERATIONS, 2 / 5.0 * 0.9, 0, 30, BOTH}, /* two a cycle */
    {run_xadd, {0}, NODE_FEW_UOPS_INSTRUCTIONS, 2 / 3.0 * 0.3, 0, 30, BOTH},
    {run_xadd, {0}, NODE_LIGHT_OPERATIONS, 0.3, 0, 30, HASWELL}, /* all three slots */
    {run_rdtsc, {0}, NODE_CISC, 0.5, 0, 30, BOTH},
    {run_assists, {0}, NODE_FP_ASSISTS, 34 / (5 * 160.0), 0, 30, BOTH},
    /* the core */
    {run_square_root, {0}, NODE_FP_DIVIDER, 0.85, 0, 30, BOTH},
    {run_divisions, {0}, NODE_INT_DIVIDER, 0.1, 0, 30, BOTH},
    {run_cpuid, {0}, NODE_SERIALIZING_OPERATION, 0.3, 0, 30, BOTH},
    {run_pause, {0}, NODE_SLOW_PAUSE, 0.8, 0, 30, BOTH},
    /* of three cycles two have no uop, and one slot of these two is taken when retirement frees
     * an entry: 280 of 484 slots, or 360 of 605 */
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
    {run_streaming, {0}, NODE_STREAMING_STORES, 0.5, 0, 30, BOTH},
    {run_misses, {UINT32_MAX, 4096 + LINE}, NODE_FB_FULL, 0.8, 0, 30, BOTH},
    {run_split_chase, {0}, NODE_SPLIT_LOADS, 0.6, 0, 30, BOTH},
    {run_split_misses, {0}, NODE_SPLIT_LOADS, 0.6, 400, 30, BOTH},
    /* one store in two cycles; in one of the two its two uops begin, so the other slots of that
     * cycle are charged to the core */
    {run_split_stores, {0}, NODE_SPLIT_STORES, (1 / 2.0 - 1 / 8.0) * 0.95, 0, 30, BOTH},
    /* ten cycles a load: eight are empty, in one the load begins, and in one the two uops of a
     * store, whose buffer is full; of the slots of nine cycles all but two are charged to the
     * load */
    {run_alias, {0}, NODE_ALIASING_4K, (9 * 4 - 2) / 40.0 * 0.98, 0, 30, BOTH},
    {run_two_aliases, {0}, NODE_ALIASING_4K, 0.5, 0, 30, BOTH},
    {run_unknown_store, {0}, NODE_STORE_FWD_BLK, 0.3, 0, 30, BOTH},
    /* the front end */
    {run_long_nops, {0}, NODE_MITE, 0.45, 10, 30, BOTH},
    {run_first_decoder, {0}, NODE_DECODER0_ALONE, 0.4, 10, 30, BOTH},
    {run_prefixed, {0}, NODE_LCP, 0.5, 10, 30, BOTH},
    {run_code_in_l2, {0}, NODE_CODE_L2_HIT, 0.5, 4, 30, BOTH},
    {run_code_in_l3, {0}, NODE_CODE_L2_MISS, 0.8, 1, 30, BOTH},
    {run_switches, {0}, NODE_DSB_SWITCHES, 0.3, 0, 30, BOTH},
    {run_sequencer, {0}, NODE_MS_SWITCHES, 0.38, 0, 30, BOTH},
    {run_rdtsc, {0}, NODE_MS, 0.1, 0, 30, ICELAKE}, /* four uops a cycle into five slots */
    {run_two_slots, {0}, NODE_DSB, 0.45, 0, 30, BOTH},
    {run_two_slots, {0}, NODE_LSD, 0.45, 0, 30, IVYBRIDGE},
    {run_jumps, {256, 4096 + 2 * LINE}, NODE_CODE_STLB_HIT, 0.5, 20, 12, BOTH},
    {run_jumps, {4000, 4096 + LINE}, NODE_CODE_STLB_MISS, 0.4, 4, 12, BOTH},
    {run_jumps, {16 * KIB, 16}, NODE_UNKNOWN_BRANCHES, 0.6, 4, 30, BOTH},
    {run_coin, {0}, NODE_BRANCH_MISPREDICTS, 0.5, 2000, 30, BOTH},
    {run_coin, {0}, NODE_MISPREDICTS_RESTEERS, 0.15, 2000, 30, BOTH},
    {run_self_modifying, {0}, NODE_OTHER_NUKES, 0.7, 0, 30, BOTH},
    {run_self_modifying, {0}, NODE_CLEARS_RESTEERS, 0.05, 0, 30, BOTH},
};
#define LOOPS (sizeof(loops) / sizeof(*loops))

static bool runs_on(enum where where, const struct model_parameters *core)
{
    return where == BOTH      ? core == &skylakex_core || core == &icelakex_core
           : where == ICELAKE ? core == &icelakex_core
           : where == HASWELL ? core == &haswell_core
                              : core == &ivybridge_core;
}

/* The bench keeps its parameters, which shares are taken by. */
static struct figures run_loop(struct bench *bench, unsigned i, const struct model_parameters *core)
{
    const unsigned count = loops[i].turns ? loops[i].turns : 200;
    static struct figures on_skylake[LOOPS]; /* two tests ask for them */
    struct figures figures;

    bench->parameters = core;
    if (core == &skylakex_core && on_skylake[i].truth.cycles != 0)
        return on_skylake[i];
    begin(bench, core);
    bench->page_shift = loops[i].page_shift;
    bench->argument = &loops[i].lines;
    figures = measure(bench, loops[i].run, count, count);
    end(bench);
    if (core == &skylakex_core)
        on_skylake[i] = figures;
    return figures;
}

static double part(const struct bench *bench, const struct figures *figures, unsigned node)
{
    return share(bench, (double)figures->truth.nodes[node], &figures->truth);
}

/* The nodes that have a twentieth of the slots, for the message. */
static void show(const struct bench *bench, const struct figures *figures)
{
    for (unsigned i = 0; i < NODE_COUNT; i++)
        if ((int64_t)figures->truth.exact[i] * 20 >
            (int64_t)figures->truth.cycles * bench->parameters->width)
            print_message("  %s %.3f\n", model_node_name((enum truth_node)i),
                          part(bench, figures, i));
}

static void every_node_has_its_loop(void **state)
{
    static const struct model_parameters *const all[] = {&skylakex_core, &icelakex_core,
                                                         &haswell_core, &ivybridge_core};
    unsigned failed = 0;

    (void)state;
    for (unsigned i = 0; i < LOOPS; i++)
        for (unsigned j = 0; j < sizeof(all) / sizeof(*all); j++) {
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

/* --- the published formulas --- */

/* The formulas of TMA 5.2 for Skylake-SP (SKX), over signals. Their domain is cycles: shares of
 * all cycles; the truth counts slots. */
#define SUM(name)  ((double)f->sum[SIG_##name])
#define ANY(name)  ((double)f->any[SIG_##name])
#define WIDE(name) ((double)f->wide[SIG_##name])
#define RISE(name) ((double)f->rise[SIG_##name])

static double formula_l2(const struct figures *f)
{
    const double hits = SUM(LOADS_L1_MISS) > 0
                            ? SUM(LOADS_L2_HIT) * (1 + SUM(LOADS_FB_HIT) / SUM(LOADS_L1_MISS))
                            : 0;

    if (hits + ANY(FILL_BUFFERS_FULL) <= 0)
        return 0;
    return hits / (hits + ANY(FILL_BUFFERS_FULL)) * (SUM(STALL_L1D_MISS) - SUM(STALL_L2_MISS));
}

/* The value of the node's formula in cycles; below 0: this test has no formula for the node. */
static double formula_of(enum truth_node node, const struct figures *f)
{
    const double translating = SUM(CYCLES_MEM_ANY) - SUM(CYCLES_L1D_MISS);
    const double loads = 9 * SUM(DTLB_LOAD_STLB_HITS) + ANY(LOAD_WALKS_ACTIVE);

    switch (node) {
    case NODE_L1_BOUND:
        return SUM(STALL_MEM_ANY) - SUM(STALL_L1D_MISS);
    case NODE_DTLB_LOAD:
        return loads < translating ? loads : translating;
    case NODE_L2_BOUND:
        return formula_l2(f);
    case NODE_L3_BOUND:
        return SUM(STALL_L2_MISS) - SUM(STALL_L3_MISS);
    case NODE_L3_MISS_BOUND:
        return SUM(STALL_L3_MISS) + SUM(STALL_L1D_MISS) - SUM(STALL_L2_MISS) - formula_l2(f);
    case NODE_STORE_BOUND:
        return SUM(BOUND_ON_STORES);
    case NODE_DIVIDER:
        return SUM(DIVIDER_ACTIVE);
    case NODE_SERIALIZING_OPERATION:
        return SUM(SCOREBOARD);
    case NODE_PORTS_UTILIZED_0:
        return SUM(EXE_0_PORTS);
    case NODE_PORTS_UTILIZED_1:
        return SUM(EXE_1_PORT);
    case NODE_PORTS_UTILIZED_2:
        return SUM(EXE_2_PORTS);
    case NODE_MITE:
        return (ANY(MITE_UOPS) - WIDE(MITE_UOPS)) / 2;
    case NODE_DSB:
        return (ANY(DSB_UOPS) - WIDE(DSB_UOPS)) / 2;
    case NODE_LCP:
        return SUM(LCP_STALL);
    case NODE_ICACHE_MISSES:
        return SUM(ICACHE_STALL) + 2 * RISE(ICACHE_STALL);
    case NODE_ITLB_MISSES:
        return SUM(ITLB_STALL);
    case NODE_UNKNOWN_BRANCHES:
        return 9 * SUM(BACLEARS);
    case NODE_MISPREDICTS_RESTEERS:
    case NODE_CLEARS_RESTEERS:
        return SUM(CLEAR_RESTEER);
    case NODE_MS_SWITCHES:
        return 2 * RISE(MS_UOPS);
    case NODE_DSB_SWITCHES:
        return SUM(DSB_MITE_PENALTY);
    default:
        return -1;
    }
}

#define OFF 0.03 /* of all slots */

/* A formula in cycles counts whole cycles, so it may be above the truth by the slots of these
 * cycles that have another cause: slots that retire, slots of cycles in which a uop begins
 * (charged to the core), and slots of cycles in which some uops are delivered. */
static double allowed_above(const struct bench *bench, const struct figures *figures,
                            enum truth_node node)
{
    enum truth_node top = node;

    while (model_node_parent(top) != NODE_NONE && model_node_parent(top) != NODE_BACKEND_BOUND)
        top = model_node_parent(top);
    return OFF + part(bench, figures, NODE_RETIRING) +
           (top == NODE_MEMORY_BOUND     ? part(bench, figures, NODE_CORE_BOUND)
            : top == NODE_FRONTEND_BOUND ? part(bench, figures, NODE_FETCH_BANDWIDTH)
                                         : 0);
}

/* Cases that the formulas cannot find. A lock that waits for stores belongs to L1 in the tree,
 * but the formula of L1 needs a load in flight, and leaves out cycles in which the uops of a
 * younger store begin (a tenth, with one store for each load). A load that waits for a fill
 * buffer or a split register belongs to L1 too, but has missed L1. The formula of the store
 * buffer leaves out cycles in which a uop begins (0.08 of the slots in this test, 0.3 with eight
 * streaming stores to a line). The formula of split stores assumes one cycle for each, but each
 * costs two (0.500 against 0.872). */
static bool formula_is_blind(enum truth_node node, body *run)
{
    return run == run_split_misses || run == run_alias || node == NODE_LOCK_LATENCY ||
           node == NODE_FB_FULL || node == NODE_STORE_LATENCY || node == NODE_SPLIT_STORES ||
           node == NODE_STREAMING_STORES;
}

static void the_formulas_find_the_truth(void **state)
{
    unsigned compared = 0;

    (void)state;
    for (unsigned i = 0; i < LOOPS; i++) {
        enum truth_node node = loops[i].node;
        struct figures figures;
        struct bench bench;
        double formula, is;

        if (!runs_on(loops[i].where, &skylakex_core) || formula_is_blind(node, loops[i].run))
            continue;
        figures = run_loop(&bench, i, &skylakex_core);
        while (node != NODE_NONE && formula_of(node, &figures) < 0)
            node = model_node_parent(node);
        if (node == NODE_NONE)
            continue;
        compared++;
        formula = formula_of(node, &figures) / (double)figures.truth.cycles;
        is = part(&bench, &figures, node);
        if (formula < is - OFF || formula > is + allowed_above(&bench, &figures, node))
            fail_msg("%s: formula %.3f, truth %.3f", model_node_name(loops[i].node), formula, is);
    }
    assert_true(compared >= 25);
}

/* E cores have an event for the sequencer. */
static void slots_lost_to_the_sequencer_are_counted(void **state)
{
    struct figures figures;
    struct bench bench;
    double lost;

    (void)state;
    begin(&bench, &alderlake_e_core);
    figures = measure(&bench, run_sequencer, 200, 200);
    lost = part(&bench, &figures, NODE_MS_SWITCHES) + part(&bench, &figures, NODE_MS);
    assert_true(lost > 0.15);
    check_near("sequencer", "Gracemont",
               share(&bench, (double)figures.sum[SIG_SLOTS_FOR_SEQUENCER], &figures.truth), lost,
               0.02);
    figures = measure(&bench, run_long_nops, 200, 200);
    assert_int_equal(figures.sum[SIG_SLOTS_FOR_SEQUENCER], 0);
    end(&bench);
}

/* E cores have events for the reasons why slots are lost, and for sums of these. */
static void every_slot_that_an_e_core_loses_has_one_reason(void **state)
{
    static const enum signal reasons[] = {SIG_SLOTS_FOR_LINE,   SIG_SLOTS_FOR_TRANSLATION,
                                          SIG_SLOTS_FOR_BRANCH, SIG_SLOTS_FOR_SEQUENCER,
                                          SIG_SLOTS_FOR_LENGTH, SIG_SLOTS_REFILLING_BRANCH,
                                          SIG_SLOTS_FOR_MEMORY, SIG_SLOTS_FOR_SCHEDULER,
                                          SIG_SLOTS_FOR_ROB,    SIG_SLOTS_SERIAL};
    uint64_t seen[SIGNAL_COUNT] = {0};

    (void)state;
    for (unsigned i = 0; i < LOOPS; i++) {
        struct figures figures;
        struct bench bench;
        const uint64_t *sum = figures.sum;

        if (loops[i].where != BOTH)
            continue;
        figures = run_loop(&bench, i, &alderlake_e_core);
        assert_int_equal(sum[SIG_SLOTS_FOR_CODE], sum[SIG_SLOTS_FOR_LINE] +
                                                      sum[SIG_SLOTS_FOR_TRANSLATION] +
                                                      sum[SIG_SLOTS_FOR_BRANCH]);
        assert_int_equal(sum[SIG_SLOTS_NOT_BANDWIDTH],
                         sum[SIG_SLOTS_FOR_CODE] + sum[SIG_SLOTS_REFILLING]);
        assert_int_equal(sum[SIG_SLOTS_NOT_DECODERS], sum[SIG_SLOTS_NOT_BANDWIDTH] +
                                                          sum[SIG_SLOTS_FOR_SEQUENCER] +
                                                          sum[SIG_SLOTS_FOR_LENGTH]);
        assert_true(sum[SIG_SLOTS_NOT_DECODERS] <= sum[SIG_FE_UNDELIVERED]);
        assert_int_equal(sum[SIG_BE_BLOCKED], sum[SIG_SLOTS_RESTRICTED] +
                                                  sum[SIG_SLOTS_FOR_MEMORY] +
                                                  sum[SIG_SLOTS_FOR_SCHEDULER] +
                                                  sum[SIG_SLOTS_FOR_ROB] + sum[SIG_SLOTS_SERIAL]);
        assert_int_equal(sum[SIG_SLOTS_BAD] + sum[SIG_SLOTS_REFILLING],
                         sum[SIG_SLOTS_MISPREDICT] + sum[SIG_SLOTS_REFILLING_BRANCH] +
                             sum[SIG_SLOTS_NUKE] + sum[SIG_SLOTS_FAST_NUKE]);
        for (unsigned k = 0; k < SIGNAL_COUNT; k++)
            seen[k] += sum[k];
    }
    for (unsigned i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
        if (seen[reasons[i]] == 0)
            fail_msg("no loop has reason %u", i);
}

/* --- memory that nothing waits for --- */

#define IN_L2 (128 * KIB / 8) /* numbers: more than any L1 and less than any L2 */

/* A sum over numbers in L2: only the additions depend on each other. */
static void run_sum(struct bench *bench, unsigned turn)
{
    (void)turn;
    REPEAT(40)
    {
        bench->next_line = (bench->next_line + 1) % IN_L2;
        reads(bench, CODE("\xf2\x0f\x10\x03"), DATA_START + 8 * bench->next_line); /* movsd xmm0 */
        plain(bench, CODE("\xf2\x0f\x58\xc8"));                                    /* addsd xmm1 */
    }
}

/* An addition takes four cycles, sixteen slots on Skylake and twenty on Ice Lake, of which it and
 * its load have two. A line from L2 takes 14 cycles and is eight additions ahead. */
static void lines_that_come_in_time_are_no_cause(void **state)
{
    static const double core[CORES] = {14.0 / 16, 18.0 / 20};

    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        struct figures figures;
        struct bench bench;

        begin(&bench, cores[i]);
        figures = measure(&bench, run_sum, IN_L2 / 40, IN_L2 / 40);
        assert_true(figures.sum[SIG_LOADS_L2_HIT] > IN_L2 / 9);
        check_near("core bound", cores[i]->name, part(&bench, &figures, NODE_CORE_BOUND), core[i],
                   0.02);
        /* a difference of two measurements, which may be below 0 */
        check_near(
            "memory bound", cores[i]->name,
            share(&bench, (double)(int64_t)figures.truth.nodes[NODE_MEMORY_BOUND], &figures.truth),
            0, 0.02);
        end(&bench);
    }
}

/* --- memory that is busy, lines of another core --- */

/* Eight chains: fewer than there are fill buffers. */
static void run_eight_chases(struct bench *bench, unsigned turn)
{
    static const char loads[8][5] = {
        "\x4d\x8b\x00", "\x4d\x8b\x09",     "\x4d\x8b\x12",     "\x4d\x8b\x1b",
        "\x4d\x8b\x36", "\x4d\x8b\x24\x24", "\x4d\x8b\x6d\x00", "\x4d\x8b\x3f",
    }; /* mov rN, [rN], from r8 to r15 */

    (void)turn;
    for (unsigned i = 0; i < 8; i++)
        reads(bench, (const uint8_t *)loads[i], i == 5 || i == 6 ? 4 : 3,
              DATA_START + ++bench->next_line * (4096 + LINE));
}

/* 800 cycles for eight lines, of which a load's own latency is 240 or 250. */
static void a_busy_memory_is_the_cause(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        struct model_parameters slow = *cores[i];
        struct figures figures;
        struct bench bench;

        slow.memory_interval = 100;
        begin(&bench, &slow);
        figures = measure(&bench, run_eight_chases, 100, 200);
        assert_true(part(&bench, &figures, NODE_MEM_BANDWIDTH) > 0.9);
        end(&bench);
    }
}

/* Eight lines at a time through two entries: each line waits for three pairs before it, 720
 * cycles. */
static void a_full_queue_is_the_cause(void **state)
{
    (void)state;
    for (unsigned i = 0; i < CORES; i++) {
        struct model_parameters narrow = *cores[i];
        struct figures figures;
        struct bench bench;

        narrow.superqueue = 2;
        begin(&bench, &narrow);
        figures = measure(&bench, run_eight_chases, 100, 200);
        assert_true(part(&bench, &figures, NODE_SQ_FULL) > 0.9);
        check_near("full", cores[i]->name,
                   (double)figures.sum[SIG_SUPERQUEUE_FULL] / (double)figures.truth.cycles, 1,
                   0.03);
        end(&bench);
    }
}

struct neighbour {
    struct model *model;
    bool it_writes, we_write;
};

/* The other core has each line first. */
static void run_after_neighbour(struct bench *bench, unsigned turn)
{
    const struct neighbour *neighbour = bench->argument;

    (void)turn;
    REPEAT(10)
    {
        const uint64_t address = DATA_START + ++bench->next_line * (4096 + LINE);

        model_execute(
            neighbour->model,
            &(struct executed){
                .rip = CODE_START,
                .next = CODE_START + 3,
                .bytes = (const uint8_t *)(neighbour->it_writes ? "\x48\x89\x03" : "\x48\x8b\x00"),
                .length = 3,
                .accesses = 1,
                .access = {{address, 8, neighbour->it_writes}}});
        model_drain(neighbour->model);
        if (!neighbour->we_write) {
            reads(bench, CODE("\x48\x8b\x00"), address);
            continue;
        }
        model_snoop_write(neighbour->model, address, 8);
        writes(bench, CODE("\x48\x89\x03"), address);
    }
}

static void lines_of_another_core_are_the_cause(void **state)
{
    static const struct {
        bool it_writes, we_write;
        enum truth_node node;
        enum signal signal; /* that counts these loads */
    } row[] = {{true, false, NODE_CONTESTED_ACCESSES, SIG_LOADS_XSNP_HITM},
               {false, false, NODE_DATA_SHARING, SIG_LOADS_XSNP_HIT},
               {true, true, NODE_FALSE_SHARING, SIG_NEVER}};

    (void)state;
    for (unsigned i = 0; i < CORES; i++)
        for (unsigned j = 0; j < sizeof(row) / sizeof(*row); j++) {
            struct neighbour neighbour = {NULL, row[j].it_writes, row[j].we_write};
            struct figures figures;
            struct bench bench;

            begin(&bench, cores[i]);
            neighbour.model =
                model_new(cores[i], 1, bench.shared, (struct model_world){&bench, bench_page_shift},
                          (struct model_sink){.span = ignore_span, .branch = ignore_branch});
            assert_non_null(neighbour.model);
            bench.argument = &neighbour;
            figures = measure(&bench, run_after_neighbour, 50, 50);
            if (part(&bench, &figures, row[j].node) < 0.8)
                show(&bench, &figures);
            assert_true(part(&bench, &figures, row[j].node) >= 0.8);
            assert_int_equal(figures.sum[row[j].signal], row[j].we_write ? 0 : 500);
            model_free(neighbour.model);
            end(&bench);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_node_has_its_loop),
        cmocka_unit_test(the_formulas_find_the_truth),
        cmocka_unit_test(slots_lost_to_the_sequencer_are_counted),
        cmocka_unit_test(every_slot_that_an_e_core_loses_has_one_reason),
        cmocka_unit_test(lines_that_come_in_time_are_no_cause),
        cmocka_unit_test(a_full_queue_is_the_cause),
        cmocka_unit_test(a_busy_memory_is_the_cause),
        cmocka_unit_test(lines_of_another_core_are_the_cause),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
