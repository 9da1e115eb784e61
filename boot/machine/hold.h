/* Holding back the interrupts of devices, while this core runs with interrupts on. */
#ifndef BOOT_MACHINE_HOLD_H
#define BOOT_MACHINE_HOLD_H

#include <stdbool.h>
#include <stdint.h>

/* What hold_release puts back. */
struct held {
    uint32_t priority;
    uint8_t pic_1, pic_2;
};

/* Only interrupts of vector.h reach this core from here on. The PIC's interrupts, which reach the
 * boot processor alone, are not held back by the priority. */
void hold_others(struct held *held, bool boot_processor);
void hold_release(const struct held *held, bool boot_processor);

#endif
