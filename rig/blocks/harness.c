#include "harness.h"

#include "bare_core.h"
#include "play.h"

#define RUNS       16u
#define RUNS_ALIKE 4u /* where the others would be as the last of these */

/* Behind the copies the harness has XOR RAX, RAX; CPUID; MOV ECX, 40000001H; RDPMC. CPUID waits for
 * all that is before it, and what is fetched after it is fetched anew: MOV comes a cycle later
 * where it lies in two blocks of 16 bytes. That shows in the measurements: rows whose lengths place
 * it so differ by one cycle (rig/doc/model.md). A shorter XOR and MFENCE stand here for the first
 * two: of CPUID the core model would read the microcode ahead while it waits. */
#define WAIT_AT  2u
#define READ_AT  5u
#define RDPMC_AT 10u
static const uint8_t tail[] = {0x31, 0xc0, 0x0f, 0xae, 0xf0, 0xb9, 1, 0, 0, 0x40, 0x0f, 0x33};

static void tail_step(struct model *model, uint64_t address, unsigned from, unsigned to)
{
    model_execute(model, &(struct executed){.rip = address + from,
                                            .bytes = tail + from,
                                            .length = (uint8_t)(to - from),
                                            .next = address + to});
}

static void play_tail(struct model *model, uint64_t address)
{
    tail_step(model, address, 0, WAIT_AT);
    tail_step(model, address, WAIT_AT, READ_AT);
    model_drain(model); /* fetching begins anew */
    tail_step(model, address, READ_AT, RDPMC_AT);
    tail_step(model, address, RDPMC_AT, sizeof(tail));
    model_drain(model);
}

/* Cycles of one run, from an empty pipeline until the counter is read. That the system call before
 * it has emptied the uop cache and the first level of the TLB is a guess; so is the empty pipeline,
 * since stores and moves of the harness are before the copies. */
static uint64_t run(struct model *model, const struct block *block, const struct steps *steps,
                    unsigned copies, uint64_t code)
{
    const uint64_t end = code + (uint64_t)copies * block->length;
    uint64_t begun;

    for (uint64_t at = code; at < end; at += block->length) /* they stay in L1 */
        model_snoop_sibling(model, at, block->length);
    model_snoop_sibling(model, end, sizeof(tail));
    model_drain(model);
    model_flush_first_tlb(model);
    begun = model_now(model);
    for (unsigned copy = 0; copy < copies; copy++)
        for (size_t i = steps->copy[copy]; i < steps->copy[copy + 1]; i++)
            play_step(model, block, &steps->step[i], code + (uint64_t)copy * block->length);
    play_tail(model, end);
    return model_now(model) - begun;
}

/* Whether what the predictor of loads learns may make one run unlike another. */
static bool loads_and_stores(const struct steps *steps)
{
    bool loads = false, stores = false;

    for (size_t i = 0; i < steps->count; i++)
        for (unsigned k = 0; k < steps->step[i].accesses; k++) {
            stores |= steps->step[i].access[k].write;
            loads |= !steps->step[i].access[k].write;
        }
    return loads && stores;
}

/* The least of the runs of a process. UINT64_MAX: the host's memory ran out. */
static uint64_t row(const struct model_parameters *core, const struct block *block,
                    const struct steps *steps, unsigned copies, uint64_t code)
{
    struct bare_core bare;
    const unsigned runs = loads_and_stores(steps) ? RUNS : RUNS_ALIKE;
    uint64_t least = UINT64_MAX;

    if (!bare_core_new(&bare, core))
        return UINT64_MAX;
    /* The predictor of loads that pass older stores begins as code leaves it whose loads overlap
     * none (a guess: a kernel's and a library's code ran before). */
    model_trust_loads(bare.model);
    run(bare.model, block, steps, copies, code);
    for (unsigned i = 1; i < runs; i++) {
        const uint64_t cycles = run(bare.model, block, steps, copies, code);

        least = cycles < least ? cycles : least;
    }
    bare_core_free(&bare);
    return least;
}

double harness_cycles(const struct model_parameters *core, const struct block *block,
                      const struct steps *steps, uint64_t code)
{
    const unsigned half = steps->copies / 2;
    const uint64_t longer = row(core, block, steps, steps->copies, code);
    const uint64_t shorter = row(core, block, steps, half, code);

    if (longer == UINT64_MAX || shorter == UINT64_MAX)
        return -1;
    return ((double)longer - (double)shorter) / (steps->copies - half);
}
