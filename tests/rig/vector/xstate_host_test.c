/* The area of XSAVE and XRSTOR, compared with the host: both restore and save the same areas.
 * Skipped where the host lacks them. */
#include <cpuid.h>
#include <stdlib.h>

#include "vector_test.h"
#include "vector/xstate.h"

#define ROUNDS  300
#define AREA    16384 /* the area of the host may be larger than the part that is compared */
#define PARTS   UINT64_C(0xe7)
#define PATTERN 0xa5

struct areas {
    _Alignas(64) uint8_t own[AREA]; /* what the test itself was working with */
    _Alignas(64) uint8_t first[AREA], second[AREA], saved[AREA];
};

static struct areas areas, ours;
static uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* Nothing between the first and the last of these may touch a vector register, so all is one piece
 * of code: the area's address goes from one to the next in general registers. */
#define ON_THE_HOST(save)                                                                          \
    static void host_##save(struct areas *a, uint64_t load, uint64_t store)                        \
    {                                                                                              \
        __asm__ volatile("mov %[all], %%eax; xor %%edx, %%edx; xsave64 (%[own])\n"                 \
                         "mov %[all], %%eax; xor %%edx, %%edx; xrstor64 (%[first])\n"              \
                         "mov %[load], %%eax; xrstor64 (%[second])\n"                              \
                         "mov %[store], %%eax; " #save " (%[saved])\n"                             \
                         "mov %[all], %%eax; xrstor64 (%[own])\n"                                  \
                         :                                                                         \
                         : [own] "r"(a->own), [first] "r"(a->first), [second] "r"(a->second),      \
                           [saved] "r"(a->saved), [all] "i"((int)PARTS),                           \
                           [load] "r"((uint32_t)load), [store] "r"((uint32_t)store)                \
                         : "rax", "rdx", "memory");                                                \
    }

ON_THE_HOST(xsave64)
ON_THE_HOST(xsaveopt64)
ON_THE_HOST(xsavec64)

static uint64_t host_parts(void)
{
    unsigned a, b, c, d, low, high;

    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
        return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low & PARTS;
}

static unsigned host_forms(void) /* bit 0: XSAVEOPT, bit 1: XSAVEC */
{
    unsigned a, b, c, d;

    __cpuid_count(0xd, 1, a, b, c, d);
    return a;
}

static struct xstate_layout host_layout(void)
{
    struct xstate_layout layout = {{0}};
    unsigned a, b, c, d;

    for (unsigned part = 2; part < XSTATE_PARTS; part++) {
        __cpuid_count(0xd, part, a, b, c, d);
        layout.offset[part] = (uint16_t)b;
        if (host_parts() >> part & 1)
            assert_int_equal(a, xstate_size(part));
    }
    return layout;
}

static void put(uint8_t *area, unsigned at, uint64_t value, unsigned bytes)
{
    memcpy(area + at, &value, bytes);
}

static uint64_t get(const uint8_t *area, unsigned at)
{
    uint64_t value;

    memcpy(&value, area + at, sizeof(value));
    return value;
}

/* Random bytes, except what XRSTOR would refuse, what only the host keeps (FOP, FIP, FDP), and
 * pending exceptions of x87. */
static void fill(uint8_t *area, uint64_t held, uint64_t format)
{
    for (unsigned i = 0; i < XSTATE_BYTES; i += 8)
        put(area, i, draw(), 8);
    put(area, 0, (draw() & 0xf00) | 0x7f, 2);  /* FCW */
    put(area, 2, draw() & 0x7f7f & ~0x40u, 2); /* FSW */
    memset(area + 5, 0, 19);
    put(area, 24, draw() & 0xffff, 4); /* MXCSR */
    memset(area + 512, 0, 64);
    put(area, 512, held, 8);
    put(area, 520, format, 8);
}

typedef void on_the_host(struct areas *areas, uint64_t load, uint64_t store);

/* The manual leaves open whether a part in its initial state counts as in use. False: it does on
 * the host, which saves its zeros, too. */
static bool same_header(enum xsave_form form, uint64_t store)
{
    const uint64_t host = get(areas.saved, 512), here = get(ours.saved, 512);

    if (here & ~host || (host & ~here) & ~store)
        fail_msg("form %u: XSTATE_BV on the host 0x%llx, here 0x%llx", form,
                 (unsigned long long)host, (unsigned long long)here);
    put(ours.saved, 512, host, 8);
    return form == XSAVE_PLAIN || host == here;
}

static void same_area(enum xsave_form form, uint64_t load, uint64_t store)
{
    for (unsigned i = 0; i < 8; i++) { /* reserved beside each register */
        memset(ours.saved + 32 + 16 * i + 10, PATTERN, 6);
        memset(areas.saved + 32 + 16 * i + 10, PATTERN, 6);
    }
    put(ours.saved, 28, get(areas.saved, 28), 4); /* MXCSR_MASK depends on the processor */
    for (unsigned i = 0; i < AREA; i++)
        if (areas.saved[i] != ours.saved[i])
            fail_msg("form %u, masks 0x%llx and 0x%llx: byte %u on the host %02x, here %02x", form,
                     (unsigned long long)load, (unsigned long long)store, i, areas.saved[i],
                     ours.saved[i]);
}

static void play_here(enum xsave_form form, uint64_t load, uint64_t store,
                      const struct xstate_layout *layout)
{
    static struct vector_file file;
    struct xstate state = {.file = &file};
    const uint64_t format = xstate_format(ours.second), all = host_parts();
    const struct xstate_layout compact = xstate_compacted(format), kept = xstate_compacted(store);

    assert_true(xstate_header_is_good(ours.second, all, true));
    xstate_load(&state, all, layout, ours.first);
    xstate_load(&state, load, format ? &compact : layout, ours.second);
    xstate_save(&state, form, store, form == XSAVE_COMPACTED ? &kept : layout, ours.saved);
}

static void compare(enum xsave_form form, on_the_host *host, bool compacts)
{
    const struct xstate_layout layout = host_layout();
    const uint64_t all = host_parts();
    unsigned compared = 0;

    for (unsigned round = 0; round < ROUNDS; round++) {
        const uint64_t load = draw() & all, store = draw() & all;
        const uint64_t format = compacts && draw() & 1 ? (draw() & all) | XSTATE_COMPACTED : 0;

        fill(areas.first, all, 0);
        fill(areas.second, draw() & (format ? format & all : all), format);
        memset(areas.saved, PATTERN, sizeof(areas.saved));
        put(areas.saved, 512, draw() & all, 8);
        ours = areas;
        host(&areas, load, store);
        play_here(form, load, store, &layout);
        if (same_header(form, store)) {
            same_area(form, load, store);
            compared++;
        }
    }
    print_message("# %u of %u areas compared whole\n", compared, ROUNDS);
}

static void xsave_is_as_on_the_host(void **state)
{
    (void)state;
    if (!host_parts())
        skip();
    compare(XSAVE_PLAIN, host_xsave64, host_forms() & 2);
}

static void xsaveopt_is_as_on_the_host(void **state)
{
    (void)state;
    if (!host_parts() || !(host_forms() & 1))
        skip();
    compare(XSAVE_OPTIMISED, host_xsaveopt64, host_forms() & 2);
}

static void xsavec_is_as_on_the_host(void **state)
{
    (void)state;
    if (!host_parts() || !(host_forms() & 2))
        skip();
    compare(XSAVE_COMPACTED, host_xsavec64, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(xsave_is_as_on_the_host),
        cmocka_unit_test(xsaveopt_is_as_on_the_host),
        cmocka_unit_test(xsavec_is_as_on_the_host),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
