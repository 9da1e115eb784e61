/* What silicon has and the rig lacks: sentences for `omitted` of struct personality that several
 * personalities share. */
#ifndef RIG_CPU_OMITTED_H
#define RIG_CPU_OMITTED_H

/* clang-format off */

#define OMITTED_SAMPLING \
    "BTS records cost no time; load latency follows one load at a time, in program order, and " \
    "data that another core's cache supplied has the data source of L3"

#define OMITTED_CACHE_LATENCY "the cache's half of a record's latency is 0"

#define OMITTED_PLATFORM \
    "no uncore counters, no energy registers, no SMI, machine check or thermal event; one " \
    "constant frequency"

/* For every part that announces AVX. */
#define OMITTED_VECTORS \
    "of AVX, AVX2, FMA and AVX-512, as far as they are announced, the rig executes the " \
    "instructions that vector/rows.c names and stops at any other; " \
    "XSAVES and XRSTORS are not announced, XSAVE saves no x87 pointers; clocks do not depend on " \
    "the width of vectors"

#define OMITTED_EVENTS(which) \
    "events without a signal in the model (" which " and more) count nothing, and the report at " \
    "the end names them"

#define OMITTED_ASSISTS "the only assists are for denormal products"

/* For parts with two threads a core. */
#define OMITTED_TLBS "each of two threads of a core has TLBs of full size"
#define OMITTED_BOTH(events) \
    "events that include the sibling (" events ") count nothing while their thread is halted"
#define OMITTED_SMT_ERRATA \
    "of the events that count wrongly with two threads, by the lists of errata, only memory events " \
    "(D0H to D3H) do"

/* For parts with TOPDOWN.SLOTS and PERF_METRICS. */
#define OMITTED_SLOTS \
    "TOPDOWN.SLOTS and DISTRIBUTED count the cycles in which the allocator serves the thread"
#define OMITTED_METRICS "PERF_METRICS never reports an overflow"

/* clang-format on */

#endif
