/* Evaluates the expressions of the kernels for a CPU like Skylake-SP, and finds kernels and their
 * expectations. A function that cannot do its work fails the running test. */
#ifndef TESTS_UNIT_KERNELS_KERNEL_TEXTS_H
#define TESTS_UNIT_KERNELS_KERNEL_TEXTS_H

#include "tests/unit/cmocka_all.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "kernels/kernel.h"
#include "pmu/formula/formula.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

struct name_value {
    const char *name;
    double value;
};

/* Sizes and latencies of Skylake-SP: Optimization Reference Manual, "Skylake Server
 * Microarchitecture"; plausible values where the manual gives none. No expected count depends on
 * the latencies. */
/* clang-format off */
static const struct name_value skylake[] = {
    {"width", 4},          {"l1_latency", 4},       {"l2_latency", 14},
    {"l3_latency", 70},    {"memory_latency", 250}, {"mul_latency", 3},
    {"div_latency", 26},   {"div_throughput", 6},  {"l1i_size", 32768}, {"l1d_size", 32768},
    {"l2_size", 1048576},  {"l3_size", 4194304},   {"itlb_entries", 128},   {"stlb_entries", 1536},
    {"btb_entries", 4096}, {"fill_buffers", 12},    {"dtlb_entries", 64},
    {"store_buffer", 56},  {"fetch_bytes", 16}, {"uop_cache", 1536},
    {"stores_a_cycle", 1}, {"loads_a_cycle", 2},
    {"ordering_names_disambiguation", 1}, {"unrolls_loops", 0},
    {"lcp_stalls", 1}, {"uop_cache_covers_l1i", 0}, {"recovery_is_bad", 1},
};
/* clang-format on */

struct window {
    double n, arena; /* negative: the expression must not mention it */
};

static inline bool value_of(void *context, const char *name, struct formula_number *number,
                            const char **reason)
{
    const struct window *window = context;
    double *value = &number->value;
    bool known = false;

    if (!strcmp(name, "n") && window->n >= 0) {
        *value = window->n;
        known = true;
    } else if (!strcmp(name, "arena") && window->arena >= 0) {
        *value = window->arena;
        known = true;
    } else if (!strcmp(name, "dose") && window->n >= 0) {
        *value = 0; /* kernels run with dose 0 on the host */
        known = true;
    }
    for (size_t i = 0; !known && i < COUNT_OF(skylake); i++)
        if (!strcmp(name, skylake[i].name)) {
            *value = skylake[i].value;
            known = true;
        }
    *reason = "unknown name";
    return known;
}

static uint8_t formula_memory[1 << 16];
static size_t formula_memory_used;

static inline void *take(size_t size)
{
    void *taken = formula_memory + formula_memory_used;

    formula_memory_used += (size + 15) & ~(size_t)15;
    assert_true(formula_memory_used <= sizeof(formula_memory));
    memset(taken, 0, size);
    return taken;
}

static inline void compile(struct formula *formula, const char *text)
{
    struct pool pool = {.allocate = take};
    struct formula_error error;

    formula_memory_used = 0;
    if (formula_compile(formula, text, strlen(text), &pool, &error) != RC_OK)
        fail_msg("'%s' at %u: %s, expected %s", text, error.offset, error.message, error.expected);
}

static inline double evaluate(const char *text, double n, double arena_bytes)
{
    struct window window = {n, arena_bytes};
    struct formula_scope scope = {&window, value_of};
    struct formula formula;
    struct formula_result result;

    compile(&formula, text);
    formula_evaluate(&formula, &scope, &result);
    if (!result.finite)
        fail_msg("'%s': %s", text, result.reason);
    return result.value;
}

static inline uint64_t arena_of(const struct kernel *kernel)
{
    return (uint64_t)evaluate(kernel->arena, -1, -1);
}

static inline uint64_t iterations_of(const struct kernel *kernel)
{
    return (uint64_t)evaluate(kernel->iterations, -1, -1);
}

static inline bool starts_with(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

static inline const struct kernel *kernel_named(const char *name)
{
    const struct kernel *kernel = kernels_named(name);

    if (kernel == NULL)
        fail_msg("there is no kernel %s", name);
    return kernel;
}

/* A subject may have several names, separated by " | ". */
static inline size_t first_name_length(const char *subject)
{
    const char *bar = strstr(subject, " | ");

    return bar != NULL ? (size_t)(bar - subject) : strlen(subject);
}

static inline const struct kernel_expectation *expectation_of(const struct kernel *kernel,
                                                              const char *subject)
{
    for (uint64_t i = 0; i < kernel->expectation_count; i++) {
        const char *name = kernel->expectations[i].subject;

        while (name != NULL) {
            if (first_name_length(name) == strlen(subject) &&
                !strncmp(name, subject, strlen(subject)))
                return &kernel->expectations[i];
            name = strstr(name, " | ");
            name = name != NULL ? name + 3 : NULL;
        }
    }
    return NULL;
}

#endif
