#include "pmi.h"

#include <stddef.h>

#include "apic.h"
#include "boot/cpu.h"
#include "boot/context/context.h"
#include "core_place.h"
#include "descriptors.h"
#include "hold.h"
#include "trap.h"
#include "vector.h"

#define LVT_NMI         0x400u /* delivery mode of an LVT entry */
#define LVT_PERFORMANCE 4      /* Max LVT Entry of a local APIC that has this entry, at least */

/* What pmi_open found. */
struct found {
    uint32_t lvt, spurious;
    struct held held;
    enum pmi_delivery delivery;
};

/* pmi.asm reads both. The stubs of the two vectors are in the order of enum pmi_delivery. */
struct pmi_program *pmi_programs[CORES_MAX];
uint64_t pmi_stubs[2];
static struct found states[CORES_MAX];

void pmi_nmi(void);
void pmi_fixed(void);

_Static_assert(offsetof(struct pmi_program, closed) == 12 * 8 &&
                   offsetof(struct pmi_program, lvt_address) == 17 * 8 &&
                   offsetof(struct pmi_program, resume) == 48 * 8 &&
                   sizeof(struct pmi_writes) == 9 * 8,
               "pmi.asm uses these offsets");

unsigned pmi_vector(enum pmi_delivery delivery)
{
    return delivery == PMI_NMI ? VECTOR_NMI : VECTOR_PMI;
}

void pmi_install(void)
{
    pmi_stubs[PMI_NMI] = trap_stub(VECTOR_NMI);
    pmi_stubs[PMI_VECTOR] = trap_stub(VECTOR_PMI);
    descriptors_gate(VECTOR_NMI, (uintptr_t)pmi_nmi);
    descriptors_gate(VECTOR_PMI, (uintptr_t)pmi_fixed);
}

void pmi_uninstall(void)
{
    descriptors_gate(VECTOR_NMI, trap_stub(VECTOR_NMI));
    descriptors_gate(VECTOR_PMI, trap_stub(VECTOR_PMI));
}

/* The local APIC's registers that the handler writes: stores in xAPIC mode, MSRs in x2APIC mode. */
static void address_apic(struct pmi_program *program, enum pmi_delivery delivery, uint32_t lvt)
{
    const bool fixed = delivery == PMI_VECTOR;
    struct pmi_writes *resume = &program->resume;

    program->lvt_address = program->end_address = (uintptr_t)&program->unused;
    program->lvt_value = lvt;
    program->end.count = 0;
    if (!apic_is_x2()) {
        program->lvt_address = apic_address(APIC_PERFORMANCE);
        if (fixed)
            program->end_address = apic_address(APIC_EOI);
        return;
    }
    for (uint64_t i = resume->count; i > 0; i--)
        resume->list[i] = resume->list[i - 1];
    resume->list[0].msr = apic_address(APIC_PERFORMANCE);
    resume->list[0].value = lvt;
    resume->count++;
    if (fixed) {
        program->end.list[0].msr = apic_address(APIC_EOI);
        program->end.list[0].value = 0;
        program->end.count = 1;
    }
}

const char *pmi_open(struct pmi_program *program, enum pmi_delivery delivery)
{
    const uint32_t lvt = delivery == PMI_NMI ? LVT_NMI : VECTOR_PMI;
    const unsigned core = context_core();
    struct found *found = &states[core];

    if (!apic_is_here())
        return "there is no local APIC to deliver a PMI";
    if ((apic_read(APIC_VERSION) >> 16 & 0xff) < LVT_PERFORMANCE)
        return "the local APIC has no LVT Performance Counter Register";
    *found = (struct found){.lvt = apic_read(APIC_PERFORMANCE),
                            .spurious = apic_read(APIC_SPURIOUS),
                            .delivery = delivery};
    if (!(found->spurious & APIC_SPURIOUS_ENABLE)) /* it would hold the entry masked */
        apic_write(APIC_SPURIOUS, APIC_SPURIOUS_ENABLE | VECTOR_SPURIOUS);
    address_apic(program, delivery, lvt);
    if (delivery == PMI_VECTOR)
        hold_others(&found->held, core == 0);
    pmi_programs[core] = program;
    apic_write(APIC_PERFORMANCE, lvt);
    if (delivery == PMI_VECTOR)
        interrupts_on();
    return NULL;
}

void pmi_rearm(const struct pmi_program *program)
{
    apic_write(APIC_PERFORMANCE, (uint32_t)program->lvt_value);
}

void pmi_mask(struct pmi_program *program, bool masked)
{
    program->lvt_value &= ~(uint64_t)LVT_MASKED;
    if (masked)
        program->lvt_value |= LVT_MASKED;
    if (apic_is_x2())
        program->resume.list[0].value = program->lvt_value;
    apic_write(APIC_PERFORMANCE, (uint32_t)program->lvt_value);
}

bool pmi_close(void)
{
    const unsigned core = context_core();
    struct found *found = &states[core];

    if (pmi_programs[core] == NULL)
        return true;
    apic_write(APIC_PERFORMANCE, found->lvt | LVT_MASKED);
    if (found->delivery == PMI_VECTOR) {
        take_interrupts(); /* what is still pending finds the program */
        hold_release(&found->held, core == 0);
    }
    pmi_programs[core] = NULL;
    if (!(found->spurious & APIC_SPURIOUS_ENABLE))
        apic_write(APIC_SPURIOUS, found->spurious);
    apic_write(APIC_PERFORMANCE, found->lvt);
    return apic_read(APIC_PERFORMANCE) == found->lvt;
}
