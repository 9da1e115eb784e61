/* Faults on demand (--fault): what can go wrong on a real machine, at a place that is the same in
 * every run.
 *
 *   msr:K           the K-th RDMSR or WRMSR of the run (from 1, in 64-bit mode, of any core) is a
 * #GP(0) uefi:K          the K-th firmware call that can fail does, with a status its specification
 * lists ap:N            processor N ignores every SIPI smi:RATE        each running core takes RATE
 * SMIs in a million of its cycles throttle        Thermal Monitor 1 stops every core's clock half
 * of the time, for a quarter of the time serial:garble   one bit of one byte in SERIAL_FAULT_EVERY
 * is inverted on both serial lines serial:drop     that byte is lost stick:full      no write of a
 * file succeeds once STICK_ROOM bytes are written stick:error     every write of a file after the
 * first fails count:EVENT:P   what general counters add for EVENT is P % too much (too little when
 * P is negative)
 */
#ifndef RIG_FAULT_H
#define RIG_FAULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct core;
struct machine;
struct personality;

#define FAULT_EVENTS       8
#define SERIAL_FAULT_EVERY 1999u
#define STICK_ROOM         16384u

enum stick_fault { STICK_SOUND, STICK_FULL, STICK_ERROR };
enum serial_fault { SERIAL_SOUND, SERIAL_GARBLE, SERIAL_DROP };

struct faults {
    uint64_t msr, uefi;  /* which one fails, 0 none */
    uint8_t silent[32];  /* a bit a processor that does not start */
    uint64_t smi_period; /* core cycles between two SMIs, 0 none */
    bool throttle;
    enum serial_fault serial;
    enum stick_fault stick;
    struct {
        char event[64];
        int percent;
    } lie[FAULT_EVENTS];
    unsigned lies;

    uint64_t msr_seen, uefi_seen, stick_written, stick_writes;
};

/* What faults did to one core so far. */
struct core_faults {
    uint64_t smi_due, smi_count;
    uint64_t stolen;       /* cycles in which the clock was stopped since IA32_MPERF was written */
    uint64_t stop_due;     /* when the clock is stopped next */
    bool throttled_before; /* the log bits of the thermal status registers */
};

/* One --fault of the command line; false when it is none. */
bool fault_parse(struct faults *faults, const char *text);
/* Whether the faults fit the machine: the problem, or null. */
const char *fault_check(const struct faults *faults, const struct personality *personality,
                        unsigned processors);
/* The personality with its lying counters, which lives until fault_personality_free; the one given
 * when none lies; null when there is no memory. */
const struct personality *fault_personality(const struct faults *faults,
                                            const struct personality *personality);
void fault_personality_free(const struct personality *made, const struct personality *original);

/* An RDMSR or WRMSR is about to be played; true when it is to fault. */
bool fault_msr(struct core *core);
/* What the fault adds to a register that was read, and what a write to it ends. */
void fault_after_read(struct core *core, uint32_t msr, uint64_t *value);
void fault_after_write(struct core *core, uint32_t msr, uint64_t value);
/* At the beginning of a running core's turn, and the cycle of the next time this is wanted. */
void fault_turn(struct core *core);
uint64_t fault_due(const struct core *core);
bool fault_is_silent(const struct machine *machine, unsigned processor);
/* Whether this write of a file fails; `full` says how. */
bool fault_stick_write(struct machine *machine, uint64_t bytes, bool *full);

#endif
