/* How the firmware hands over the local APIC of the boot processor. */
#ifndef RIG_DEVICE_APIC_LEFT_H
#define RIG_DEVICE_APIC_LEFT_H

enum apic_left {
    APIC_LEFT_USUAL,   /* enabled in its Spurious-Interrupt Vector Register, the timer not in use */
    APIC_LEFT_OFF,     /* as after a reset: enabled in IA32_APIC_BASE alone */
    APIC_LEFT_DEADLINE /* as usual, but the firmware's clock is the timer in TSC-deadline mode */
};

#endif
