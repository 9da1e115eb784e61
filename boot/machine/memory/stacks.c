#include "stacks.h"

#include "boot/cpu.h"
#include "boot/firmware/memory.h"
#include "boot/firmware/memory_map.h"
#include "paging.h"

#define KIB    1024ull
#define PAGE   4096ull
#define REGION (2048 * KIB)

/* A frame larger than a guard could reach across it. The largest of all functions has 41 KiB, of
 * those that other processors run 5, and of those that handle interrupts far below 1. */
#define BOOT_GUARD  (64 * KIB)
#define LARGE_GUARD (16 * KIB)
#define SMALL_GUARD PAGE

/* UEFI specification, "x64 Platforms": "128 KiB or more of available stack space". */
#define BOOT_STACK (256 * KIB)

/* From the lowest address on. */
static const struct stack_kind {
    uint64_t guard, bytes;
    const char *name;
} kinds[STACK_KINDS] = {
    [STACK_MAIN] = {LARGE_GUARD, 64 * KIB, "its main stack"},
    [STACK_EXCEPTIONS] = {LARGE_GUARD, 16 * KIB, "the stack of exceptions"},
    [STACK_NMI] = {SMALL_GUARD, 4 * KIB, "the stack of the NMI"},
    [STACK_DF] = {SMALL_GUARD, 4 * KIB, "the stack of #DF"},
    [STACK_MC] = {SMALL_GUARD, 4 * KIB, "the stack of #MC"},
    [STACK_PMI] = {SMALL_GUARD, 4 * KIB, "the stack of sampling"},
};

static struct {
    uint64_t at, left; /* the free rest of the region in use */
    uint64_t boot;     /* the guard of the stack of stacks_run; 0: there is none */
    uint64_t *cores;   /* where the stacks of each core begin; 0: it has none */
    unsigned count;
} self;

/* The highest 2 MiB that are free and aligned; 0: there are none. */
static uint64_t free_region(void)
{
    const struct memory_map *map = memory_map_read();
    uint64_t found = 0;

    for (unsigned i = 0; map != NULL && i < memory_map_count(map); i++) {
        const EFI_MEMORY_DESCRIPTOR *entry = memory_map_entry(map, i);
        const uint64_t end = entry->PhysicalStart + entry->NumberOfPages * PAGE;
        const uint64_t last = end / REGION * REGION;

        if (memory_map_is_free(entry) && last >= entry->PhysicalStart + REGION &&
            last - REGION > found)
            found = last - REGION;
    }
    return found != 0 ? memory_pages_in(REGION / PAGE, found, found + REGION) : 0;
}

/* So many bytes of a region; where no region is free, of anywhere. 0: no memory. */
static uint64_t take(uint64_t bytes)
{
    if (self.left < bytes) {
        const uint64_t region = free_region();

        if (region == 0)
            return memory_pages(bytes / PAGE, 0);
        self.at = region;
        self.left = REGION;
    }
    self.at += bytes;
    self.left -= bytes;
    return self.at - bytes;
}

/* `call` pushes the address of what follows; rbx is the function's to keep. */
static uint64_t call_on(uint64_t top, uint64_t (*work)(void *argument), void *argument)
{
    uint64_t result = (uintptr_t)work;

    __asm__ volatile("mov %%rsp, %%rbx\n\t"
                     "mov %2, %%rsp\n\t"
                     "call *%%rax\n\t"
                     "mov %%rbx, %%rsp"
                     : "+a"(result), "+D"(argument), "+d"(top)
                     :
                     : "rbx", "rcx", "rsi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2",
                       "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11",
                       "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
    return result;
}

uint64_t stacks_run(uint64_t (*work)(void *argument), void *argument)
{
    self.boot = take(BOOT_GUARD + BOOT_STACK);
    if (self.boot == 0)
        return work(argument);
    return call_on(self.boot + BOOT_GUARD + BOOT_STACK, work, argument);
}

enum rc stacks_prepare(unsigned cores)
{
    self.cores = memory_alloc(cores * sizeof(*self.cores));
    self.count = cores;
    if (self.cores == NULL)
        return RC_NO_SPACE;
    return self.boot != 0 ? paging_unmap(self.boot, self.boot + BOOT_GUARD) : RC_OK;
}

enum rc stacks_make(unsigned core)
{
    uint64_t bytes = 0, at;
    enum rc rc = RC_OK;

    for (unsigned i = 0; i < STACK_KINDS; i++)
        bytes += kinds[i].guard + kinds[i].bytes;
    self.cores[core] = at = take(bytes);
    if (at == 0)
        return RC_NO_SPACE;
    for (unsigned i = 0; rc == RC_OK && i < STACK_KINDS; i++) {
        rc = paging_unmap(at, at + kinds[i].guard);
        at += kinds[i].guard + kinds[i].bytes;
    }
    return rc;
}

uint64_t stacks_top(unsigned core, enum stack stack)
{
    uint64_t at = self.cores[core];

    for (unsigned i = 0; i <= stack; i++)
        at += kinds[i].guard + kinds[i].bytes;
    return at;
}

static bool is_in(uint64_t address, uint64_t begin, uint64_t bytes)
{
    return begin != 0 && address - begin < bytes;
}

const char *stacks_overflowed(unsigned core, uint64_t address)
{
    if (core == 0 && is_in(address, self.boot, BOOT_GUARD))
        return kinds[STACK_MAIN].name;
    if (core >= self.count || self.cores[core] == 0)
        return NULL;
    for (unsigned i = 0; i < STACK_KINDS; i++) {
        const uint64_t bytes = kinds[i].guard + kinds[i].bytes;

        if (is_in(address, stacks_top(core, (enum stack)i) - bytes, kinds[i].guard))
            return i == STACK_MAIN && core == 0 ? "the stack behind an unexpected trap"
                                                : kinds[i].name;
    }
    return NULL;
}
