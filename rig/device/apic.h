/* The local APIC of one logical processor: requests and priorities, local vectors, the timer. Its
 * registers are read and written through xapic.h. SDM 3A, "Advanced Programmable Interrupt
 * Controller". */
#ifndef RIG_DEVICE_APIC_H
#define RIG_DEVICE_APIC_H

#include <stdbool.h>
#include <stdint.h>

struct core;
struct irq;
struct machine;

#define APIC_BASE  0xfee00000u
#define LVT_MASKED 0x10000u

/* Bits of IA32_APIC_BASE. */
#define APIC_BASE_BSP    0x100u
#define APIC_BASE_X2     0x400u
#define APIC_BASE_ENABLE 0x800u

/* A bit of the spurious interrupt vector register: software has enabled the APIC. */
#define SPURIOUS_ENABLE 0x100u
/* Bits of the error status register. */
#define ERROR_SEND_VECTOR    0x20u
#define ERROR_RECEIVE_VECTOR 0x40u

/* The local vector table, in the order of its registers. */
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

/* The delivery modes of interrupt messages and local vectors. */
enum delivery {
    DELIVER_FIXED,
    DELIVER_LOWEST,
    DELIVER_SMI,
    DELIVER_RESERVED,
    DELIVER_NMI,
    DELIVER_INIT,
    DELIVER_SIPI,
    DELIVER_EXTERNAL /* ExtINT: the 8259A names the vector */
};

struct apic {
    struct machine *machine;
    struct core *core;
    struct irq *irq;   /* the interrupt controllers behind LINT0 */
    uint64_t timer_hz; /* of the timer's input clock */
    uint64_t base;     /* IA32_APIC_BASE */
    uint32_t id;
    uint32_t logical, format, spurious, error, error_latch, divide;
    uint8_t task_priority;
    bool external; /* the I/O APIC sent an ExtINT that is not yet acknowledged */
    uint32_t lvt[LVT_COUNT];
    uint32_t request[8], service[8];
    uint32_t trigger[8]; /* the request was level-triggered */
    uint64_t command;
    uint32_t timer_initial;
    uint64_t timer_begun; /* in ticks */
    bool timer_over; /* a one-shot count has reached 0, and stays there until another is written */
    uint64_t deadline; /* IA32_TSC_DEADLINE */
    uint64_t event;    /* core cycle at which the timer expires next, NEVER when it does not */
};

/* Power-on. The caller has set machine, core, irq, id and timer_hz, which no reset changes. */
void apic_power_on(struct apic *apic);
/* INIT: keeps IA32_APIC_BASE and a pending ExtINT, too. */
void apic_reset(struct apic *apic);

bool apic_is_x2(const struct apic *apic);
/* The processor-priority register: the priority of what the processor does now. */
uint8_t apic_priority(const struct apic *apic);
/* The highest vector that may be delivered now, or -1. */
int apic_pending(const struct apic *apic);
/* Whether a request with this vector would be delivered now, if it were the highest. */
bool apic_would_deliver(const struct apic *apic, unsigned vector);
/* The highest vector in service, or -1. */
int apic_in_service(const struct apic *apic);
/* Moves the vector from the request to the service register. */
void apic_accept(struct apic *apic, unsigned vector);
/* An interrupt with this vector requests service. */
void apic_request(struct apic *apic, unsigned vector, bool level);

/* A counter overflowed: delivers through the performance entry of the LVT. `masks`: this processor
 * masks the entry then. */
void apic_performance(struct apic *apic, bool masks);
/* Whether INTR at the LINT0 pin is acknowledged by this processor: as ExtINT, or because the APIC
 * is disabled. */
bool apic_passes_intr(const struct apic *apic);
/* INTR rose at the LINT0 pin. */
void apic_lint0(struct apic *apic, uint64_t now);

/* The timer: one-shot, periodic and TSC-deadline. SDM 3A, "APIC Timer". */
void apic_timer_start(struct apic *apic, uint32_t initial);
void apic_timer_deadline(struct apic *apic, uint64_t tsc);
void apic_timer_changed(struct apic *apic); /* the LVT entry was written */
/* The divider: a count under way goes on from where it is. */
void apic_timer_divide(struct apic *apic, uint32_t code);
uint32_t apic_timer_current(const struct apic *apic);
/* The clock of the core has another frequency: the timer goes on with its ticks. */
void apic_clock_changed(struct apic *apic);
/* Delivers the timer's interrupt when the core's clock has reached it, and arms the next period. */
void apic_tick(struct apic *apic);

#endif
