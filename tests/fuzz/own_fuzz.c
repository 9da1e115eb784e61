/* .exp files of own kernels: every complaint has a place inside the text and an expectation; of
 * what is accepted each expression compiles, and each number is within its limits. */
#include <string.h>

#include "harness/own/own_reader.h"
#include "harness/plan/experiment.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/descriptions.h"

#define ROOM 65536

static const char seed_text[] =
    "# comment\nname own.copy\ntitle copies a line\nunroll 8\nn 4000 / unroll\n"
    "buffer max(l1d_size, 64) * 2\npages 4K\nleaf tma_l1_bound | tma_memory_bound\n"
    "requires avx2 fma\ndeadline 500\n"
    "expect INST_RETIRED.ANY, n * (unroll + 2), max(n, 3) * 10\n"
    "expect A.B | C.D, 0, 1 if #SMT_on else 2\nexpect tma_retiring, 0.5, 1\n";

/* A part of the seed; up to seven bytes are changed or taken out, or the text is doubled. */
static size_t make(uint64_t *state, char *text)
{
    size_t first =
        random_below(state, 4) ? 0 : random_below(state, (unsigned)sizeof(seed_text) - 1);
    size_t size = sizeof(seed_text) - 1 - first;

    memcpy(text, seed_text + first, size);
    for (unsigned i = random_below(state, 8); i > 0; i--) {
        size_t at = random_below(state, (unsigned)size);

        switch (random_below(state, 4)) {
        case 0:
            text[at] = (char)random_next(state);
            break;
        case 1:
            text[at] = "#,|()*\n\r\t 09.nu"[random_below(state, 15)];
            break;
        case 2:
            memmove(text + at, text + at + 1, size - at - 1);
            size -= size > 1;
            break;
        default:
            if (2 * size < ROOM && random_below(state, 16) == 0) {
                memcpy(text + size, text, size);
                size *= 2;
            }
        }
    }
    return size;
}

const struct fuzz fuzz = {".exp files", 20000, 20261126, ROOM, make};
unsigned fuzz_accepted;

/* An own kernel is made ready as a built-in one is. */
static void check(const struct own_kernel *own, struct pool *pool)
{
    struct complaint complaint = {.line = 0};
    struct experiment experiment;

    require(strlen(own->kernel.name) > 0 && strlen(own->kernel.name) <= OWN_NAME_LIMIT, "a name");
    require(strlen(own->kernel.title) <= OWN_TITLE_LIMIT, "a title");
    require(own->kernel.expectation_count <= OWN_EXPECTATIONS, "expectations");
    require(own->kernel.page_shift == 12 || own->kernel.page_shift == 21, "pages");
    require(own->deadline_us >= 10 && own->deadline_us <= OWN_DEADLINE_MAX, "a deadline");
    require(experiment_make(&experiment, &own->kernel, pool, &complaint) == RC_OK,
            "each expression compiles");
    require(!experiment.self_check, "no own kernel is the self-check");
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    struct pool pool = {.allocate = tests_allocate, .chunk = 4096};
    struct complaint complaint = {.line = 0};
    struct own_kernel own;
    enum rc rc = own_read(&own, "fuzz.exp", (const char *)input, size, &pool, &complaint);

    require(rc == RC_OK || rc == RC_BAD_INPUT, "there is memory");
    if (rc == RC_OK) {
        fuzz_accepted++;
        check(&own, &pool);
    } else {
        require(complaint.message[0] != '\0' && complaint.expected[0] != '\0',
                "a complaint says what is wrong, and what was expected");
        require(complaint.line >= 1 && complaint.line <= size + 1 && complaint.column >= 1 &&
                    complaint.column <= size + 1,
                "a complaint's place is in the text");
    }
    tests_free();
    return 0;
}
