/* The `settings` record: how the firmware set a core up. */
#ifndef HARNESS_RECORDS_RECORDS_SETTINGS_H
#define HARNESS_RECORDS_RECORDS_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/judge/measured_core.h"

struct settings_register {
    uint32_t msr;
    bool architectural; /* else the register is only read on family 6 */
    const char *name;
    uint32_t version; /* of performance monitoring that has it; 0: any */
    bool moves;       /* the processor changes it by itself */
};

#define SETTINGS_REGISTERS 13

/* What was found in the registers; all bytes of it are set, so that two can be compared. */
struct settings {
    uint64_t value[SETTINGS_REGISTERS]; /* 0 where the register is absent */
    bool present[SETTINGS_REGISTERS];
    bool turbo_announced, hwp_announced; /* CPUID 06H:EAX[1] and [7] */
    bool other_prefetchers; /* an E core, or one that no description is for: the bits may differ */
};

/* Register `index`, below SETTINGS_REGISTERS. */
const struct settings_register *settings_register(unsigned index);
void record_settings(const struct measured_core *core, const struct settings *settings);

#endif
