/* Descriptions for tests: those of the image, and texts written in a test. */
#ifndef TESTS_UNIT_DESCRIPTIONS_H
#define TESTS_UNIT_DESCRIPTIONS_H

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pmu/builtin.h"
#include "pmu/formula/formula.h"
#include "pmu/parse/parse.h"

struct block {
    struct block *next;
    _Alignas(16) unsigned char bytes[];
};

static struct block *blocks;

/* Zeroed memory that tests_free frees. */
static inline void *tests_allocate(size_t size)
{
    struct block *block = calloc(1, sizeof(*block) + size);

    assert(block);
    block->next = blocks;
    blocks = block;
    return block->bytes;
}

/* For plans. */
static struct pool tests_pool = {.allocate = tests_allocate};

static inline void tests_free(void)
{
    while (blocks != NULL) {
        struct block *next = blocks->next;

        free(blocks);
        blocks = next;
    }
    tests_pool = (struct pool){.allocate = tests_allocate};
}

/* Compiles a text that ends with 0. */
static inline enum rc tests_compile(struct formula *formula, const char *text,
                                    struct formula_error *error)
{
    struct pool pool = {.allocate = tests_allocate, .chunk = 512};

    return formula_compile(formula, text, strlen(text), &pool, error);
}

struct given {
    const char *text;
    size_t size;
};

/* A library of the image's descriptions, and of the given text under the name "test". */
static inline const char *text_of(void *context, const char *name, size_t *size, bool *from_stick)
{
    const struct given *given = context;

    *from_stick = given != NULL && strcmp(name, "test") == 0;
    if (!*from_stick)
        return builtin_text(name, size);
    *size = given->size;
    return given->text;
}

/* Parses a description of the image, which must be good. */
static inline void tests_builtin(struct description *description, const char *name)
{
    const struct description_library library = {NULL, text_of};
    struct complaint complaint;
    enum rc rc = description_parse(description, name, &library, tests_allocate, &complaint);

    if (rc != RC_OK)
        fprintf(stderr, "%s:%u:%u: %s, expected %s\n", complaint.file, complaint.line,
                complaint.column, complaint.message, complaint.expected);
    assert(rc == RC_OK);
}

/* Parses a text under the name "test". */
static inline enum rc tests_parse_bytes(struct description *description, const char *text,
                                        size_t size, struct complaint *complaint)
{
    struct given given = {text, size};
    const struct description_library library = {&given, text_of};

    return description_parse(description, "test", &library, tests_allocate, complaint);
}

static inline enum rc tests_parse(struct description *description, const char *text,
                                  struct complaint *complaint)
{
    return tests_parse_bytes(description, text, strlen(text), complaint);
}

#endif
