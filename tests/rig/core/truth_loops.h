/* Loops whose bottleneck is known by construction, and the node that it is in. */
#ifndef TESTS_RIG_CORE_TRUTH_LOOPS_H
#define TESTS_RIG_CORE_TRUTH_LOOPS_H

#include "truth_shares.h"

extern const struct model_parameters ivybridge_core, haswell_core, alderlake_e_core;

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

#endif
