/* Performance-monitoring interrupts (PMIs) of this core: how they are delivered, and the program
 * that the handler works off.
 *
 * The handler (pmi.asm) knows no counters. A program is a value: registers to write on entry,
 * registers to store, registers to write before the interrupted code goes on. It uses general
 * registers only and calls nothing. An access that faults in it is an unexpected trap, so every
 * register of a program must be tried by msr_read and msr_write before. */
#ifndef BOOT_MACHINE_PMI_H
#define BOOT_MACHINE_PMI_H

#include <stdbool.h>
#include <stdint.h>

#define PMI_WRITES 4 /* of one list */
/* Words of a record before the registers of `reads`: the interrupted RIP, then the status. */
#define PMI_RECORD_WORDS 2

/* As an NMI, which no flag holds back and during which all other interrupts are held back; or as a
 * fixed interrupt, for which pmi_open sets RFLAGS.IF. */
enum pmi_delivery { PMI_NMI, PMI_VECTOR };

struct pmi_writes {
    uint64_t count;
    struct {
        uint64_t msr, value;
    } list[PMI_WRITES];
};

/* pmi.asm knows the offsets. */
struct pmi_program {
    /* An interrupt is the program's own when (status ^ status_flip) & status_bits is not 0. */
    uint64_t status_msr;
    uint64_t status_flip, status_bits;
    uint64_t counter_msr; /* gets the next of the presets */
    uint64_t enable_msr, enable_value;
    const uint32_t *reads; /* MSRs to be stored, at least one */
    uint64_t read_count;
    uint64_t *record;     /* where the next record goes: PMI_RECORD_WORDS + read_count words */
    uint64_t *record_end; /* a record that would begin here or behind has no room */
    const uint64_t *preset;
    int64_t left;    /* interrupts, foreign ones too, until the handler leaves everything stopped */
    uint64_t closed; /* not 0: the handler does not write enable_msr */
    /* What came of it. */
    uint64_t interrupts; /* all that came */
    uint64_t foreign;    /* that were not the program's own */
    uint64_t full;       /* that found no room: the first of them closes the program */
    uint64_t cut_off;    /* that came when none was left */
    /* Of the local APIC; pmi_open sets these five. */
    uint64_t lvt_address, lvt_value,
        end_address;       /* stores of 4 bytes; without use in x2APIC mode */
    uint64_t unused;       /* where the stores go that have no use */
    struct pmi_writes end; /* of the interrupt */
    /* The last write of `resume` may start branch records: nothing branches after it. */
    struct pmi_writes stop, clear, resume;
};

/* On the boot processor, while no other core works: puts the handler into the interrupt descriptor
 * table, and takes it out. Interrupts of cores without a program go on as without the handler. */
void pmi_install(void);
void pmi_uninstall(void);
/* On the core whose interrupts they are: takes over the local APIC's LVT Performance Counter
 * Register and lets interrupts come. `resume` of the program has room for one more write, which
 * becomes its first. Null, or why this core has no such interrupts. */
const char *pmi_open(struct pmi_program *program, enum pmi_delivery delivery);
/* On that core, with the program open: lets interrupts come again after the handler has cut them
 * off, which leaves them masked. */
void pmi_rearm(const struct pmi_program *program);
/* On that core, with the program open: while `masked` no interrupt comes, also after the handler,
 * which then leaves the mask on. For a handler that the INT instruction raises: an NMI in it would
 * overwrite its stack. */
void pmi_mask(struct pmi_program *program, bool masked);
/* On that core: no more interrupts; the local APIC is as it was found. Nothing when no program is
 * open. False: the LVT Performance Counter Register does not hold its old value. */
bool pmi_close(void);
/* Raises the interrupt by the INT instruction, for measuring what the handler costs: see
 * harness/sampler/probe.asm. */
unsigned pmi_vector(enum pmi_delivery delivery);

#endif
