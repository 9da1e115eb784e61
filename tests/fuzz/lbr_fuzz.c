/* Registers of last-branch stacks with any values, which firmware or a hypervisor may have left
 * there: every kind is decoded within its bounds, and what is not valid is zero. */
#include <string.h>

#include "pmu/intel/kind.h"
#include "pmu/kinds/kinds.h"
#include "pmu/sampling/lbr_decode.h"
#include "tests/fuzz/fuzz.h"

#define PREFIX 4u /* bytes: the kind, the format, what CPUID announces, options */

static const char *const kinds[] = {
    "core2",         "atom8",     "silvermont8", "knightslanding8", "nehalem16",
    "sandybridge16", "haswell16", "goldmont32",  "skylake32",       "architectural",
};

static size_t make(uint64_t *state, char *input)
{
    const size_t size = PREFIX + 8u * random_below(state, LBR_WORDS + 1);

    for (size_t i = 0; i < size; i++)
        input[i] = random_below(state, 4) ? (char)random_next(state) : 0;
    input[1] = (char)random_below(state, LBR_FORMATS);
    return size;
}

const struct fuzz fuzz = {"last-branch stacks", 50000, 20261122, PREFIX + 8u * LBR_WORDS, make};
unsigned fuzz_accepted;

static void check(const struct lbr_plan *plan, const struct lbr_stack *stack)
{
    require(stack->count <= plan->depth && plan->depth <= LBR_DEPTH, "entries stay in their array");
    for (unsigned i = 0; i < stack->count; i++) {
        const struct lbr_entry *entry = &stack->entries[i];

        require(entry->type < LBR_TYPES, "a type is one of the types");
        require(entry->cycles_valid || entry->cycles == 0, "cycles that are not valid are 0");
        require(entry->mispredict_valid || !entry->mispredicted, "a flag that is not there is 0");
        require(plan->transactions || (!entry->in_transaction && !entry->aborted),
                "a core without transactions is in none");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    uint64_t words[LBR_WORDS] = {0};
    struct description description;
    struct lbr_options options = {0};
    struct lbr_stack stack;
    struct lbr_plan plan;
    struct facts facts = {.kind = &intel_kind, .version = 5, .pdcm = true};
    const char *kind;

    if (size < PREFIX)
        return 0;
    kind = kinds[input[0] % (sizeof(kinds) / sizeof(*kinds))];
    memset(&description, 0, sizeof(description));
    description.lbr = kinds_lbr((struct slice){kind, strlen(kind)});
    facts.lbr_format = input[1];
    facts.transactions = input[2] & 1;
    facts.lbr = (struct lbr_facts){.depth = 8u * (1 + (input[2] >> 1) % 4),
                                   .depth_found = 8u * (1 + (input[2] >> 3) % 4),
                                   .level_filter = true,
                                   .branch_filter = true,
                                   .call_stack = true,
                                   .mispredicts = input[2] & 32,
                                   .cycles = input[2] & 64,
                                   .types = input[2] & 128};
    options.call_stack = input[3] & 1;
    options.types = input[3] & ~1u;
    if (lbr_plan_make(&plan, &facts, &description, &options) != NULL)
        return 0;
    fuzz_accepted++;
    require(plan.read_count <= LBR_WORDS && plan.keep_count <= LBR_KEEP &&
                plan.setup_count <= LBR_KEEP,
            "the plan's lists stay in their arrays");
    memcpy(words, input + PREFIX, size - PREFIX < sizeof(words) ? size - PREFIX : sizeof(words));
    lbr_decode(&plan, words, &stack);
    check(&plan, &stack);
    return 0;
}
