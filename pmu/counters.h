/* The few lines that apply a plan to the core they run on. Registers only; no policy. */
#ifndef PMU_COUNTERS_H
#define PMU_COUNTERS_H

#include "boot/interrupt_safe.h"
#include "plan.h"

/* Registers as they were found, to be put back. */
#define SAVED_REGISTERS 160 /* a last-branch stack has 99, a plan at most 32 */
struct saved_registers {
    struct msr_value registers[SAVED_REGISTERS];
    unsigned count;
};
/* Reads and keeps `msr` unless kept already. RC_FAULT when it cannot be read, RC_NO_SPACE. */
enum rc saved_keep(struct saved_registers *saved, uint32_t msr);
/* Branch traces and precise samples that the firmware left on would go through memory in every
 * window: kept and switched off. RC_OK, also where there is nothing of the kind; RC_FAULT with
 * *failed_msr; RC_NO_SPACE. */
enum rc counters_silence(struct saved_registers *saved, uint32_t *failed_msr);
/* Whether the register's value, as it was found, says that somebody counts or records. */
bool counters_at_work(const struct msr_value *found);
/* Writes all back, newest first, and reads them again. What starts counters and branch records
 * (IA32_PERF_GLOBAL_CTRL, IA32_DEBUGCTL) is stopped before and put back last, so that nothing runs
 * while it is compared. `difference` is called for each register that could not be written, could
 * not be read (`readable` false, `is` meaningless) or does not hold its old value. Returns how many
 * differ. */
unsigned saved_restore(const struct saved_registers *saved,
                       void (*difference)(void *context, uint32_t msr, uint64_t was, uint64_t is,
                                          bool readable),
                       void *context);

/* Writes the pass's setup; *failed_msr names the register when RC_FAULT. */
INTERRUPT_SAFE enum rc counters_setup(const struct pass *pass, uint32_t *failed_msr);

struct raw_counts {
    uint64_t value[PLAN_COUNTERS];  /* READING_METRIC: metrics_slots of its byte, rounded */
    bool overflowed[PLAN_COUNTERS]; /* its bit of IA32_PERF_GLOBAL_STATUS is set */
    uint64_t slots, metrics;        /* raw, when the pass has them */
    uint64_t status;                /* IA32_PERF_GLOBAL_STATUS; 0 with version 1 */
};
/* Reads after the window by RDPMC (RDMSR for the overflow bits, which version 1 does not have).
 * *failed_index is the RDPMC index, or IA32_PERF_GLOBAL_STATUS, when RC_FAULT. */
enum rc counters_read(const struct pass *pass, const struct facts *facts, struct raw_counts *raw,
                      uint32_t *failed_index);
/* The same in two steps: the registers, also from within an interrupt, and what they mean. */
INTERRUPT_SAFE enum rc counters_take(const struct pass *pass, const struct facts *facts,
                                     struct raw_counts *raw, uint32_t *failed_index);
void counters_make(const struct pass *pass, struct raw_counts *raw);

/* "IA32_PERFEVTSEL3" etc. into out, "MSR 0x1234" for one that nothing here uses; returns out. */
const char *msr_name(uint32_t msr, char *out, unsigned size);

#endif
