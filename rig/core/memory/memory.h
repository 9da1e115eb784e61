/* Caches, TLBs, fill buffers and memory of one core: how long an access takes and where it found
 * its line.
 *
 * Calls come in program order, but their cycles need not: an access may begin in an earlier cycle
 * than the access before it. Left out: the traffic of page walks; the time that a line takes from
 * one core to another when both write to it (each gets it when it asks); and the write-back of a
 * line by CLFLUSH, while all other lines written back take their share of the way to memory. Two
 * threads of a core use the memory of the first thread, each with its own translations. */
#ifndef RIG_CORE_MEMORY_MEMORY_H
#define RIG_CORE_MEMORY_MEMORY_H

#include "core/model.h"
#include "core/parameters.h"
#include "core/snapshot.h"
#include "reach.h"

struct memory_hierarchy;
/* The memory of core number `cpu`, in front of `shared`; `world` gives the size of the page that
 * maps an address. Returns NULL if the host's memory ran out, `cpu` is taken, or a figure is
 * impossible (more fill buffers than FILL_BUFFERS_MAX, ways that do not divide the entries of a
 * TLB). */
struct memory_hierarchy *hierarchy_new(const struct model_parameters *parameters, unsigned cpu,
                                       struct shared_cache *shared, struct model_world world);
void hierarchy_free(struct memory_hierarchy *memory);

/* The thread that this memory was made for uses the other thread's memory from now on: only the
 * translations of this one stay in use. */
void memory_pair(struct memory_hierarchy *memory);
/* From now on accesses belong to the thread that `thread` was made for: they are translated by
 * `thread` and reported to its subscriber. */
void memory_select(struct memory_hierarchy *memory, struct memory_hierarchy *thread);

/* A load of `size` bytes that begins at `cycle`. A load that crosses a line takes one cycle longer
 * than the later of its halves; if it crosses a page, also the page-split penalty. While every fill
 * buffer is busy, a miss waits. */
struct reach memory_load(struct memory_hierarchy *memory, uint64_t address, unsigned size,
                         uint64_t cycle);
/* The same for the load of a locked instruction, which asks for ownership
 * (OFFCORE_REQUESTS.DEMAND_RFO counts "regular RFOs, locks, ItoM"). */
struct reach memory_load_locked(struct memory_hierarchy *memory, uint64_t address, unsigned size,
                                uint64_t cycle);
/* A committed store that wants its line in L1 for writing. */
struct reach memory_store(struct memory_hierarchy *memory, uint64_t address, unsigned size,
                          uint64_t cycle);
/* A committed streaming store: its line leaves all caches and is written around them, in a fill
 * buffer that is kept until memory has the line. done = cycle in which the store has that buffer.
 */
struct reach memory_stream(struct memory_hierarchy *memory, uint64_t address, unsigned size,
                           uint64_t cycle);
/* Sends every line that streaming stores have begun. Gives the cycle in which memory has all of
 * them. */
uint64_t memory_stream_end(struct memory_hierarchy *memory, uint64_t cycle);
/* Translates a store's address when it executes, at `cycle` (before it commits): only `done`,
 * `second_level` and `walk` of the answer are set. Stores and loads share the page walkers. */
struct reach memory_translate_store(struct memory_hierarchy *memory, uint64_t address,
                                    uint64_t cycle);
/* Fetch of the 64-byte line that holds `address` by the legacy path. done = cycle: no stall. */
struct reach memory_code(struct memory_hierarchy *memory, uint64_t address, uint64_t cycle);
/* Whether the first-level instruction TLB translates the address. */
bool memory_code_translated(struct memory_hierarchy *memory, uint64_t address);
/* The prefetchers of L1 learn of a load by the instruction at `rip`; after memory_load. */
void memory_train(struct memory_hierarchy *memory, uint64_t rip, uint64_t address, uint64_t cycle);
/* The lines asked for beyond L2 since the last call, at most LINE_READS of them; *reads is valid
 * until the next access. Gives how many. */
unsigned memory_line_reads(struct memory_hierarchy *memory, const struct line_read **reads);
/* A software prefetch. */
void memory_prefetch(struct memory_hierarchy *memory, uint64_t address, uint64_t cycle);
/* CLFLUSH: the line leaves every level of every core. */
void memory_flush_line(struct memory_hierarchy *memory, uint64_t address);
/* Another core wrote the line: it leaves L1D, L1I and L2 of this one. */
void memory_invalidate(struct memory_hierarchy *memory, uint64_t address);
/* The line leaves the instruction cache only: this core wrote to it. */
void memory_drop_code(struct memory_hierarchy *memory, uint64_t address);
/* False when code was never fetched from the line of that address: no cache of code can hold it. */
bool memory_fetched(const struct memory_hierarchy *memory, uint64_t address);
/* Whether the line is in the instruction cache (self-modifying code). */
bool memory_in_code_cache(const struct memory_hierarchy *memory, uint64_t address);
/* Switches prefetchers: the bits of MSR_MISC_FEATURE_CONTROL, 1 is off. All are off in a new
 * memory. */
void memory_prefetchers(struct memory_hierarchy *memory, unsigned off);
/* The core's clock has changed (model_clock). */
void memory_clock(struct memory_hierarchy *memory, unsigned mhz, unsigned first_mhz);
/* From now on data have linear addresses so many bytes above those that accesses are given with. */
void memory_linear_above(struct memory_hierarchy *memory, uint64_t bytes);
/* The first-level data TLB loses what it has; the second level keeps it. */
void memory_flush_first_tlb(struct memory_hierarchy *memory);
void memory_flush_tlb(struct memory_hierarchy *memory);
/* The core's clock is so many cycles above the cycles that calls name (0 at first). `changes` is
 * called before another core changes what these caches hold. */
void memory_skips(struct memory_hierarchy *memory, uint64_t cycles);
void memory_announce(struct memory_hierarchy *memory, void (*changes)(void *context),
                     void *context);
/* How often something beyond L1 and the first-level TLBs was asked. */
uint64_t memory_beyond(const struct memory_hierarchy *memory);
/* Adds what accesses leave behind that hit L1 and a first-level TLB. False, and nothing is added: a
 * line or a walk is under way at `now`, from which on accesses come. */
bool memory_snapshot(const struct memory_hierarchy *memory, uint64_t now,
                     struct snapshot *snapshot);
/* `request` is called for every line asked for beyond L2; NULL: no calls. */
void memory_subscribe(struct memory_hierarchy *memory,
                      void (*request)(void *, enum request, enum origin), void *context);

#endif
