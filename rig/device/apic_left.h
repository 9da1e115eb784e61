/* How the firmware hands over the processors: the local APIC of the boot processor, and the others.
 */
#ifndef RIG_DEVICE_APIC_LEFT_H
#define RIG_DEVICE_APIC_LEFT_H

enum apic_left {
    APIC_LEFT_USUAL,   /* enabled in its Spurious-Interrupt Vector Register, the timer not in use */
    APIC_LEFT_OFF,     /* as after a reset: enabled in IA32_APIC_BASE alone */
    APIC_LEFT_DEADLINE /* as usual, but the firmware's clock is the timer in TSC-deadline mode */
};

enum mp_services {
    MP_SERVICES_NONE,  /* the firmware has none, and the others wait for a start-up message */
    MP_SERVICES_INIT,  /* it wakes them by INIT and start-up message */
    MP_SERVICES_MEMORY /* by a word of memory at which they look in a loop */
};

#endif
