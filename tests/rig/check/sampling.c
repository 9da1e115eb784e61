/* Event-based sampling and the last-branch stack as software sees them: records about known code.
 * SDM 3B, "Processor Event Based Sampling", "Last Branch Records". */
#include "check.h"

#define PERF_CAPABILITIES    0x345
#define PERF_GLOBAL_CTRL     0x38f
#define PERF_GLOBAL_STATUS   0x38e
#define PERF_GLOBAL_OVF_CTRL 0x390
#define PEBS_ENABLE          0x3f1
#define DS_AREA              0x600
#define PERFEVTSEL0          0x186
#define PMC0                 0xc1
#define TAKEN_OS_ENABLED     0x4220c4u /* BR_INST_RETIRED.NEAR_TAKEN */
#define PERIOD               100
#define ROUNDS               1000
#define RECORDS              4
#define TIMED                60 /* records of 4 words */
#define VECTOR               0x52

struct management { /* the DS area in its 64-bit format */
    UINT64 trace[4];
    UINT64 base, index, maximum, threshold;
    UINT64 reset[40];
};

static struct management area;
static UINT64 buffer[TIMED * 4 + 25];

/* ROUNDS - 1 taken branches, all of them at `branch`, back to `target`; RBX counts down. */
static void loop(UINT64 *branch, UINT64 *target)
{
    __asm__ volatile("lea 1f(%%rip), %[target]\n\t"
                     "lea 2f(%%rip), %[branch]\n\t"
                     "mov %[rounds], %%ebx\n"
                     "1: nop\n\t"
                     "dec %%rbx\n"
                     "2: jnz 1b"
                     : [branch] "=&r"(*branch), [target] "=&r"(*target)
                     : [rounds] "i"(ROUNDS)
                     : "rbx", "cc");
}

/* The offsets of the instruction's own address, the next address and RBX in a record. */
struct layout {
    unsigned words, eventing, next, rbx;
};

static void run_sampled(const struct layout *layout, UINT64 *branch, UINT64 *target)
{
    area.base = area.index = (UINT64)buffer;
    area.maximum = area.base + RECORDS * 8 * layout->words;
    area.threshold = area.base + (RECORDS - 1) * 8 * layout->words;
    area.reset[0] = (UINT64)-PERIOD;
    wrmsr(DS_AREA, (UINT64)&area);
    apic_write(0x340, VECTOR);
    reset_counters();
    wrmsr(PERFEVTSEL0, TAKEN_OS_ENABLED);
    wrmsr(PMC0, (UINT64)-PERIOD & 0xffffffff);
    wrmsr(PEBS_ENABLE, 1);
    __asm__ volatile("sti");
    wrmsr(PERF_GLOBAL_CTRL, 1);
    loop(branch, target);
    wrmsr(PERF_GLOBAL_CTRL, 0);
    __asm__ volatile("cli");
    wrmsr(PEBS_ENABLE, 0);
    wrmsr(PERFEVTSEL0, 0);
}

static void records(const struct layout *layout)
{
    UINT64 before = interrupts[my_id() & 255], branch, target, last = ~(UINT64)0;
    unsigned good = 0;

    run_sampled(layout, &branch, &target);
    for (unsigned i = 0; i < RECORDS; i++) {
        const UINT64 *record = buffer + i * layout->words;

        good += record[layout->eventing] == branch;
        if (layout->rbx) {
            good += record[layout->next] == target;
            good += last == ~(UINT64)0 || last - record[layout->rbx] > PERIOD;
            last = record[layout->rbx];
        }
    }
    check(area.index == area.maximum, "samples fill their buffer and no more");
    check(good == RECORDS * (layout->rbx ? 3u : 1u),
          "every sample names the branch it is about, with the registers behind it");
    check(interrupts[my_id() & 255] == before + 1, "the buffer's threshold makes an interrupt");
    check(rdmsr(PERF_GLOBAL_STATUS) >> 62 & 1, "and sets its bit in the status register");
    wrmsr(PERF_GLOBAL_OVF_CTRL, 1ull << 62);
}

#define FIXED_CTR0     0x309
#define FIXED_CTR_CTRL 0x38d
#define FIXED_0        (1ull << 32)
#define FIXED_RESET    8 /* the slot of fixed counter 0 in the DS area of format 4 */
#define TIMED_PERIOD   131
#define PLACES         6

/* Each turn waits for two multiplications, the second for the first; what else there is retires
 * with the second. A period of 131 = 21 * 6 + 5 instructions meets one place after the other. */
static UINT64 multiply(void)
{
    UINT64 first;

    __asm__ volatile("lea 1f(%%rip), %[first]\n\t"
                     "mov %[rounds], %%ebx\n\t"
                     "mov $3, %%eax\n"
                     "1: imul %%rax, %%rax\n\t" /* of four bytes */
                     "imul %%rax, %%rax\n\t"
                     "nop\n\t"
                     "nop\n\t"
                     "dec %%rbx\n\t"
                     "jnz 1b"
                     : [first] "=&r"(first)
                     : [rounds] "i"(TIMED_PERIOD * TIMED)
                     : "rax", "rbx", "cc");
    return first;
}

/* A multiplication takes 3 cycles (A. Fog, "Instruction tables", IMUL r64,r64). */
static void timed(void)
{
    static const UINT64 offset[PLACES] = {0, 4, 8, 9, 10, 13}, cycles[PLACES] = {3, 3};
    UINT64 first;
    unsigned good = 0;

    area.base = area.index = (UINT64)buffer;
    area.maximum = area.threshold = area.base + TIMED * 32;
    area.reset[FIXED_RESET] = (UINT64)-TIMED_PERIOD;
    wrmsr(DS_AREA, (UINT64)&area);
    reset_counters();
    wrmsr(FIXED_CTR_CTRL, 1);
    wrmsr(FIXED_CTR0, (UINT64)-TIMED_PERIOD & 0xffffffffffff);
    wrmsr(PEBS_ENABLE, FIXED_0);
    wrmsr(PERF_GLOBAL_CTRL, FIXED_0);
    first = multiply();
    wrmsr(PERF_GLOBAL_CTRL, 0);
    wrmsr(PEBS_ENABLE, 0);
    wrmsr(FIXED_CTR_CTRL, 0);
    wrmsr(PERF_GLOBAL_OVF_CTRL, 1ull << 62);
    for (unsigned i = 0; i < TIMED; i++)
        for (unsigned place = 0; place < PLACES; place++)
            good += buffer[4 * i + 1] == first + offset[place] &&
                    (buffer[4 * i] >> 32 & 0xffff) == cycles[place];
    check(good >= TIMED - 1, "a sample has the cycles since the instruction before it retired");
}

#define RAT_ESCR0        0x3bc
#define CRU_ESCR2        0x3cc
#define IQ_COUNTER4      0x310
#define IQ_CCCR4         0x370
#define TAG_LOADS        0x04000408u /* uop_type, TAGLOADS, at ring 0 */
#define TAGGED_LOADS     0x10000208u /* front_end_event, NBOGUS, at ring 0 */
#define ON_SELECT_5      0x0003b000u
#define SAMPLES_AND_TAGS 0x02000000u

/* ROUNDS loads, all of them in front of `behind`; RBX counts down. */
static void loads(UINT64 *behind)
{
    __asm__ volatile("lea 2f(%%rip), %[behind]\n\t"
                     "mov %[rounds], %%ebx\n"
                     "1: mov (%%rsp), %%rax\n"
                     "2: dec %%rbx\n\t"
                     "jnz 1b"
                     : [behind] "=&r"(*behind)
                     : [rounds] "i"(ROUNDS)
                     : "rax", "rbx", "cc");
}

/* NetBurst: the record has the state behind the load, and no address of the load itself. */
void sampling_netburst(void)
{
    UINT64 before = interrupts[my_id() & 255], behind, last = ~(UINT64)0;
    unsigned good = 0;

    if (rdmsr(MISC_ENABLE) >> 12 & 1)
        return;
    area.base = area.index = (UINT64)buffer;
    area.maximum = area.base + RECORDS * 18 * 8;
    area.threshold = area.base + (RECORDS - 1) * 18 * 8;
    area.reset[0] = (UINT64)-PERIOD & 0xffffffffff;
    wrmsr(DS_AREA, (UINT64)&area);
    apic_write(0x340, VECTOR);
    wrmsr(RAT_ESCR0, TAG_LOADS);
    wrmsr(CRU_ESCR2, TAGGED_LOADS);
    wrmsr(IQ_COUNTER4, area.reset[0]);
    wrmsr(PEBS_ENABLE, SAMPLES_AND_TAGS);
    __asm__ volatile("sti");
    wrmsr(IQ_CCCR4, ON_SELECT_5);
    loads(&behind);
    wrmsr(IQ_CCCR4, 0);
    __asm__ volatile("cli");
    wrmsr(PEBS_ENABLE, 0);
    wrmsr(CRU_ESCR2, 0);
    wrmsr(RAT_ESCR0, 0);
    for (unsigned i = 0; i < RECORDS; i++) {
        const UINT64 *record = buffer + i * 18;

        good += record[1] == behind;
        good += last == ~(UINT64)0 || last - record[3] > PERIOD;
        last = record[3];
    }
    check(area.index == area.maximum, "tagged loads fill the buffer and no more");
    check(good == 2 * RECORDS, "every sample is of the state behind a load");
    check(interrupts[my_id() & 255] == before + 1, "the threshold makes an interrupt");
}

void sampling(void)
{
    static const struct layout third = {25, 22, 1, 3}, basic = {4, 1, 0, 0};
    UINT64 capabilities = rdmsr(PERF_CAPABILITIES);

    if (rdmsr(MISC_ENABLE) >> 12 & 1)
        return;
    if (capabilities >> 14 & 1)
        records(&basic);
    if (capabilities >> 17 & 1)
        timed();
    if (!(capabilities >> 14 & 1) && (capabilities >> 8 & 0xf) == 3)
        records(&third);
}
