/* Ports that the ACPI tables name. */
#ifndef RIG_PORTS_H
#define RIG_PORTS_H

#define PORT_PM_STATUS      0x600u
#define PORT_PM_ENABLE      0x602u
#define PORT_PM_CONTROL     0x604u
#define PORT_PM_TIMER       0x608u
#define PORT_RESET_REGISTER 0xcf9u
#define RESET_VALUE         0x06u
#define PM_TIMER_MASK       0xffffffu /* 24 bits: the FADT does not set TMR_VAL_EXT */
#define PM_CONTROL_SCI      1u        /* ACPI mode is on */
#define PM_SLEEP_TYPE_S5    5u

#endif
