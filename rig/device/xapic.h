/* The registers of a local APIC: in memory (xAPIC mode) and as MSRs (x2APIC mode). SDM 3A, "Local
 * APIC" and "Extended XAPIC (x2APIC)". */
#ifndef RIG_DEVICE_XAPIC_H
#define RIG_DEVICE_XAPIC_H

#include <stdint.h>

#include "pmu/pmu.h"

struct apic;

#define MSR_APIC_BASE    0x1bu
#define MSR_TSC_DEADLINE 0x6e0u
#define MSR_X2APIC_FIRST 0x800u
#define MSR_X2APIC_LAST  0x8ffu

/* Offsets of the spurious interrupt vector register and of the timer's entry of the LVT. */
#define XAPIC_SVR       0x0f0u
#define XAPIC_LVT_TIMER 0x320u

/* `offset` is from APIC_BASE. When the APIC is disabled or in x2APIC mode reads give ones and
 * writes are lost. */
uint32_t xapic_mmio_read(struct apic *apic, uint32_t offset);
void xapic_mmio_write(struct apic *apic, uint32_t offset, uint32_t value);
/* CR8, from 0 to 15. When the APIC is disabled, a read gives 0 and a write is lost. */
uint8_t xapic_read_cr8(const struct apic *apic);
void xapic_write_cr8(struct apic *apic, uint8_t value);
/* `msr` is one of those above. */
enum access_result xapic_rdmsr(struct apic *apic, uint32_t msr, uint64_t *value);
enum access_result xapic_wrmsr(struct apic *apic, uint32_t msr, uint64_t value);

#endif
