#include "hold.h"

#include "apic.h"
#include "boot/cpu.h"

#define PIC_1_MASK 0x21
#define PIC_2_MASK 0xa1
#define PIC_ALL    0xff

#define PRIORITY_OURS 0xe0u /* only F0H and up pass: the vectors of vector.h */

void hold_others(struct held *held, bool boot_processor)
{
    held->priority = apic_read(APIC_PRIORITY);
    apic_write(APIC_PRIORITY, PRIORITY_OURS);
    if (!boot_processor)
        return;
    held->pic_1 = port_in(PIC_1_MASK);
    held->pic_2 = port_in(PIC_2_MASK);
    port_out(PIC_1_MASK, PIC_ALL);
    port_out(PIC_2_MASK, PIC_ALL);
}

void hold_release(const struct held *held, bool boot_processor)
{
    if (boot_processor) {
        port_out(PIC_1_MASK, held->pic_1);
        port_out(PIC_2_MASK, held->pic_2);
    }
    apic_write(APIC_PRIORITY, held->priority);
}
