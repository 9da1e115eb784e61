/* Applying a pass to the core that this runs on: saving registers, writing the setup, reading the
 * counters, restoring. Registers only; no policy. */
#ifndef PMU_COUNTERS_H
#define PMU_COUNTERS_H

#include "boot/interrupt_safe.h"
#include "boot/rc.h"
#include "plan_pass.h"

/* Registers with the values that were found in them, to be restored. */
#define SAVED_REGISTERS                                                                            \
    192 /* a last-branch stack has 102, plans of passes and of samples the rest */
struct saved_registers {
    struct msr_value registers[SAVED_REGISTERS];
    unsigned count;
    unsigned next; /* behind the register that saved_keep found last: passes name them in order */
    /* Where threads share counters, of the core's other thread; null: it is not measured, or shares
     * none. What `is_shared` says the two share, and IA32_PEBS_ENABLE, is saved with the value that
     * was found first, for the other thread may have written it since. */
    const struct saved_registers *beside;
    bool (*is_shared)(uint32_t msr);
};
/* Reads and saves `msr` unless it is saved already, here or, if it is shared, beside. RC_OK;
 * RC_FAULT when it cannot be read; RC_NO_SPACE. */
enum rc saved_keep(struct saved_registers *saved, uint32_t msr);
/* Saves and switches off what the firmware left on of processor trace (IA32_RTIT_CTL), branch
 * records and traces (IA32_LBR_CTL, IA32_DEBUGCTL) and precise samples (IA32_PEBS_ENABLE), which
 * would write to memory in windows, or stop counters in them. Other bits of these registers stay.
 * RC_OK, also when all are off or absent; RC_FAULT and RC_NO_SPACE with *failed_msr. */
enum rc counters_silence(struct saved_registers *saved, const struct facts *facts,
                         uint32_t *failed_msr);
/* Returns whether the value found in the register enables a counter or a recorder. */
bool counters_at_work(const struct facts *facts, const struct msr_value *found);
/* Writes all saved values back, newest first, and reads the registers again. What starts counters
 * and records (IA32_PERF_GLOBAL_CTRL, IA32_DEBUGCTL, IA32_LBR_CTL, IA32_RTIT_CTL) is stopped before
 * and restored last, so that nothing counts meanwhile. `difference` is called for each register
 * that could not be written, could not be read (`readable` false, `is` meaningless) or does not
 * hold its old value. Returns the number of such registers. */
unsigned saved_restore(const struct saved_registers *saved,
                       void (*difference)(void *context, uint32_t msr, uint64_t was, uint64_t is,
                                          bool readable),
                       void *context);

/* Writes the pass's setup. RC_OK; RC_FAULT with *failed_msr. */
INTERRUPT_SAFE enum rc counters_setup(const struct pass *pass, uint32_t *failed_msr);

struct raw_counts {
    uint64_t value[PLAN_COUNTERS];  /* of each reading; READING_METRIC: metrics_slots, rounded */
    bool overflowed[PLAN_COUNTERS]; /* the counter's bit of IA32_PERF_GLOBAL_STATUS is set */
    uint64_t slots, metrics;        /* as read; 0 when the pass does not read PERF_METRICS */
    uint64_t status;                /* IA32_PERF_GLOBAL_STATUS; 0 with version 1 */
};
/* Reads the pass's counters after its window, by RDPMC, and IA32_PERF_GLOBAL_STATUS by RDMSR (not
 * with version 1, which does not have it). The counters must not be counting: they are read until
 * two readings agree, four times at most, so that a single wrong reading is no count. RC_OK;
 * RC_FAULT with *failed_index: the RDPMC index, or IA32_PERF_GLOBAL_STATUS; none of the readings
 * agree, or one faulted. */
enum rc counters_read(const struct pass *pass, const struct facts *facts, struct raw_counts *raw,
                      uint32_t *failed_index);
/* counters_read in two steps: counters_take reads the registers, within an interrupt too;
 * counters_make works out values and overflows from what was read. */
INTERRUPT_SAFE enum rc counters_take(const struct pass *pass, const struct facts *facts,
                                     struct raw_counts *raw, uint32_t *failed_index);
void counters_make(const struct pass *pass, struct raw_counts *raw);

/* Writes the name that the register has on that core in the manual ("IA32_PERFEVTSEL3") to `out`,
 * at most `size` bytes with the 0; "MSR 0x1234" when the register has no name here. Returns out. */
const char *msr_name(const struct facts *facts, uint32_t msr, char *out, unsigned size);
/* The same of what could not be read or written for a pass: an MSR by its name, a counter by its
 * index ("RDPMC 0x40000001"), which no MSR of a pass has for its number. */
const char *failed_name(const struct facts *facts, uint32_t index_or_msr, char *out, unsigned size);

#endif
