/* The local APIC of one core, in xAPIC (MMIO) and x2APIC (MSR) mode. SDM 3A, "Advanced Programmable
 * Interrupt Controller". */
#ifndef RIG_APIC_H
#define RIG_APIC_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/pmu.h"

struct core;

/* Order of the local vector table, as its registers lie. */
enum lvt {
    LVT_TIMER,
    LVT_THERMAL,
    LVT_PERFORMANCE,
    LVT_LINT0,
    LVT_LINT1,
    LVT_ERROR,
    LVT_CMCI,
    LVT_COUNT
};

struct apic {
    uint64_t base; /* IA32_APIC_BASE */
    uint32_t id;
    uint32_t logical, format, spurious, error, error_latch, divide;
    uint8_t task_priority;
    uint32_t lvt[LVT_COUNT];
    uint32_t request[8], service[8];
    uint32_t trigger[8]; /* the request was level-triggered */
    uint64_t command;
    uint32_t timer_initial;
    uint64_t timer_begun; /* in ticks of the machine */
    uint64_t deadline;    /* IA32_TSC_DEADLINE */
    uint64_t event;       /* core cycle of the next expiry, NEVER when there is none */
};

#define MSR_APIC_BASE    0x1bu
#define MSR_TSC_DEADLINE 0x6e0u
#define MSR_X2APIC_FIRST 0x800u
#define MSR_X2APIC_LAST  0x8ffu

void apic_reset(struct core *core, bool power_on);
/* The highest vector that may be delivered now, or -1. */
int apic_pending(const struct apic *apic);
/* Moves the vector from the request to the service register. */
void apic_accept(struct apic *apic, unsigned vector);
/* Counter overflow: deliver through LVT PC and mask it. */
void apic_performance(struct core *core);
void apic_tick(struct core *core);
/* INTR rose at the LINT0 pin; whether this processor acknowledges it (ExtINT, or no APIC). */
void apic_lint0(struct core *core, uint64_t now);
bool apic_passes_intr(const struct apic *apic);

uint32_t apic_mmio_read(struct core *core, uint32_t offset);
void apic_mmio_write(struct core *core, uint32_t offset, uint32_t value);
enum access_result apic_rdmsr(struct core *core, uint32_t msr, uint64_t *value);
enum access_result apic_wrmsr(struct core *core, uint32_t msr, uint64_t value);

#endif
