/* Faults on demand (--fault): what can go wrong on a real machine, at a place that is the same in
 * every run. This unit reads the requests, of which fault/rows.h has the table; inject.h and the
 * rooms below act on them. Faults at a point are read by fault/rows.c; here are the others:
 *
 *   gone:MSR       this register does not exist: each access is a #GP(0)
 *   msr:unguarded  every RDMSR or WRMSR under the firmware's interrupt table is a #GP(0), but of
 *                  IA32_APIC_BASE and IA32_EFER, which every processor in 64-bit mode has
 *   ap:N           processor N ignores every SIPI
 *   ap-late:N      processor N ignores every SIPI before its second INIT
 *   stuck:N:K:END  from its K-th counting window on processor N executes nothing: until an NMI or
 *                  an INIT comes (END is nmi or init), or for good, as in a handler of an SMI that
 *                  does not end: what is sent to it waits (END is never)
 *   lesser:N       processor N has two general counters less than the others, no PERF_METRICS, and
 *                  counters that are not written at full width; its CPUID says so
 *   smi:RATE       each running core takes RATE SMIs in a million of its cycles
 *   smi:RATE:SEED  at intervals by chance, of half to one and a half of that
 *   exits:SEED     chance predicts the ends of loops of more than 64 turns
 *   wrongpath:SEED uops of wrong paths are delivered and begin, as many as chance says
 *   clock:SEED     the clock of the cores rises for half a millisecond whenever one of them was
 *                  halted, and changes by up to CLOCK_BINS steps of 100 MHz after 1 to 5 ms;
 *                  vectors of 512 bits take a licence, at a lower frequency
 *   slow:MHZ       the clock of the cores is MHZ once one of them is in 64-bit mode
 *   throttle       for a quarter of the time Thermal Monitor 1 stops every core's clock, half of it
 *   serial:garble  one bit of one byte in SERIAL_FAULT_EVERY is inverted, on both serial lines
 *   serial:drop    one byte in SERIAL_FAULT_EVERY is lost, on both serial lines
 *   stick:full     no write of a file succeeds once STICK_ROOM bytes are written
 *   stick:room:K   the stick has room for K KiB: the file system says how much is left of them, and
 *                  a write of more fails
 *   stick:error    every write of a file after the first fails
 *   stick:rename   no file gets another name
 *   metrics:down   bytes of PERF_METRICS are rounded down
 *   metrics:up     they are rounded up
 *   pmi:lost       one PMI in PMI_FAULT_EVERY never comes
 *   pmi:spurious   after one PMI in PMI_FAULT_EVERY comes another one
 *   pmi:stuck      overflow bits cannot be cleared
 *   tsx            microcode takes general counter 3 unless transactions are made to abort
 *   count:EVENT:P  general counters count P % too much of EVENT, or too little when P is negative
 *   noise:EVENT:P  they count up to P % too much of EVENT, another amount each time one starts
 *   counter:N:P    general counter N counts P % too much (too little) of whatever it counts
 *   fixed:N:P      fixed counter N, likewise
 *   lies:K-M       what count, noise, counter and fixed add, they add in counting windows K to M of
 *                  each processor alone
 */
#ifndef RIG_MACHINE_ENGINE_FAULT_H
#define RIG_MACHINE_ENGINE_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "device/uart.h"
#include "fault/point.h"
#include "firmware/stick.h"
#include "pmu/parameters.h"

struct personality;

#define FAULT_EVENTS     8
#define FAULT_REGISTERS  8
#define FAULT_PROCESSORS 512
#define FAULT_STUCK      8

enum stuck_until { STUCK_NOT, STUCK_UNTIL_NMI, STUCK_UNTIL_INIT, STUCK_FOR_GOOD };

struct faults {
    struct points points;           /* where something is asked for, and what came of it */
    uint32_t gone[FAULT_REGISTERS]; /* registers that do not exist */
    unsigned gone_count;
    bool msr_unguarded;
    uint8_t silent[FAULT_PROCESSORS / 8]; /* a bit for each processor that ignores SIPIs */
    uint8_t late[FAULT_PROCESSORS / 8];   /* before its second INIT */
    uint8_t lesser[FAULT_PROCESSORS / 8];
    struct {
        unsigned processor;
        uint64_t window; /* from 1 */
        enum stuck_until until;
    } stuck[FAULT_STUCK];
    unsigned stuck_count;
    uint64_t smi_period; /* core cycles between two SMIs, 0 none */
    uint64_t smi_seed;   /* 0: all periods are equal */
    uint64_t exits_seed; /* 0: the predictor predicts all branches */
    uint64_t wrong_seed; /* 0: wrong paths take slots and nothing else */
    bool throttle, clock, tsx;
    uint64_t clock_seed;
    uint64_t slow_mhz; /* 0: the personality's clock */
    enum pmi_fault pmi;
    enum metrics_rounding metrics;
    enum serial_fault serial;
    enum stick_fault stick;
    uint64_t stick_room;    /* KiB, with STICK_LIMITED */
    uint64_t stick_largest; /* KiB of a file; 0: as on a FAT32 */
    struct {
        char event[64];
        int percent;
        bool noise;
    } lie[FAULT_EVENTS];
    unsigned lies;
    int16_t counter_lie[PMU_GP_MAX], fixed_lie[PMU_FIXED_MAX];
    bool lying_counter;
    uint64_t lie_first, lie_last; /* counting windows; last 0: all of them */
};

/* Adds the request of one --fault; false when it is none. */
bool fault_parse(struct faults *faults, const char *text);
/* What in the requests does not fit the machine, NULL when all fits. */
const char *fault_check(const struct faults *faults, const struct personality *personality,
                        unsigned processors);
/* A line for each request of a counting window that the run did not have: the processors had so
 * many of them. False: there is no such request. */
bool fault_report_beyond(const struct faults *faults, const uint64_t *windows, unsigned processors,
                         FILE *out);
/* Whether the processor, which got so many INITs, ignores a SIPI. */
bool fault_silences(const struct faults *faults, unsigned processor, unsigned inits);
/* Until when the processor is stuck in this counting window. */
enum stuck_until fault_stuck(const struct faults *faults, unsigned processor, uint64_t window);
/* The personality of that processor: the same one, or one with fewer counters. */
const struct personality *fault_processor(const struct faults *faults, unsigned processor,
                                          const struct personality *personality);
/* The personality with its lying counters, which lives until fault_personality_free; the same one
 * when none lies; NULL when the host has no memory left. */
const struct personality *fault_personality(const struct faults *faults,
                                            const struct personality *personality);
void fault_personality_free(const struct personality *made, const struct personality *original);

#endif
