/* What CPUID and registers say of a core, with any values, as a hypervisor may make them up: every
 * fact is within what others rely on, and what cannot be is a reason. */
#include <string.h>

#include "pmu/cpuid_answers.h"
#include "pmu/kinds/facts_read.h"
#include "pmu/kind.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/seams.h"

#define LEAF_BYTES 18u /* leaf, subleaf, four registers */
#define LEAVES     24u
#define ROOM       (LEAVES * LEAF_BYTES + 8u)

static const uint32_t leaves[] = {
    0,          1,          2,          4,          6,          7,          0xa,        0xb,
    0xd,        0x14,       0x15,       0x19,       0x1a,       0x1c,       0x1f,       0x23,
    0x40000000, 0x80000000, 0x80000001, 0x80000002, 0x80000008, 0x8000001d, 0x8000001e, 0x80000022};
static const uint32_t registers[] = {0x1a0, 0x345, 0x8b, 0x10a, 0x1c8, 0x14ce, 0x3f1, 0x600};

static size_t make(uint64_t *state, char *input)
{
    const unsigned count = 1 + random_below(state, LEAVES);

    for (size_t i = 0; i < count * LEAF_BYTES; i++)
        input[i] = (char)random_next(state);
    memcpy(input, "\0\0\x80\0\0\0", 6); /* leaf 0: 80H leaves of GenuineIntel */
    memcpy(input + 6, "GenuntelineI", 12);
    for (unsigned i = 1; i < count; i++) {
        input[i * LEAF_BYTES] = (char)i;
        input[i * LEAF_BYTES + 1] = (char)(random_below(state, 4) ? 0 : random_below(state, 5));
    }
    if (count > 6 && random_below(state, 2)) /* leaf 0AH with counters that can be */
        memcpy(input + 6 * LEAF_BYTES + 2, "\5\4\x30\7\0\0\0\0\0\0\0\0\3\6\0\0", 16);
    return count * LEAF_BYTES + random_below(state, 8);
}

const struct fuzz fuzz = {"answers of CPUID", 20000, 20261127, ROOM, make};
unsigned fuzz_accepted;

static void check_text(const char *text, size_t room)
{
    require(memchr(text, 0, room) != NULL, "a text ends");
}

static void check_cache(const struct cache_facts *cache)
{
    require(cache->bytes == 0 ||
                (cache->line >= 1 && cache->line <= 4096 && cache->ways >= 1 &&
                 cache->ways <= 1024 && cache->sharing >= 1 && cache->sharing <= 4096),
            "a cache has lines, ways and sharers, as many as its leaf has bits for");
}

static void check(const struct facts *facts)
{
    check_text(facts->vendor, sizeof(facts->vendor));
    check_text(facts->brand, sizeof(facts->brand));
    check_text(facts->hypervisor_name, sizeof(facts->hypervisor_name));
    check_text(facts->contradiction, sizeof(facts->contradiction));
    check_cache(&facts->l1d);
    check_cache(&facts->l1i);
    check_cache(&facts->l2);
    check_cache(&facts->l3);
    require(facts->lbr.depth <= LBR_FACTS_DEPTH, "a stack of branches has room");
    if (facts->absent != NULL)
        return;
    fuzz_accepted++;
    require(kind_of(facts)->unversioned || facts->version > 0, "a core that counts has a version");
    require(kind_of(facts)->unversioned || facts->general_count + facts->fixed_mask > 0,
            "and counters,");
    require(facts->general_count <= 32, "no more of them than IA32_PERF_GLOBAL_CTRL has bits,");
    require(facts->fixed_count <= 16, "nor fixed ones than IA32_FIXED_CTR_CTRL has fields;");
    require(facts->general_count == 0 || (facts->general_width >= 32 && facts->general_width <= 64),
            "they have as many bits as a counter may have,");
    require(facts->fixed_mask == 0 || (facts->fixed_width >= 32 && facts->fixed_width <= 64),
            "the fixed ones, too");
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    static struct cpuid_answers answers;
    struct facts facts;

    seams_reset();
    if (size % 8 > 0) /* else a core announces counters whose registers fault */
        seam_msr(0x186, 0);
    for (size_t at = 0; at + LEAF_BYTES <= size && at < LEAVES * LEAF_BYTES; at += LEAF_BYTES) {
        uint32_t value[4];

        memcpy(value, input + at + 2, sizeof(value));
        seam_cpuid(leaves[input[at] % COUNT_OF(leaves)], input[at + 1] % 8u, value[0], value[1],
                   value[2], value[3]);
        if (input[at + 1] & 0x80)
            seam_msr(registers[input[at + 1] % COUNT_OF(registers)],
                     (uint64_t)value[1] << 32 | value[0]);
    }
    memset(&facts, 0, sizeof(facts));
    facts_read(&facts);
    check(&facts);
    cpuid_answers_read(&answers);
    require(answers.count <= CPUID_ANSWERS, "answers have room");
    return 0;
}
