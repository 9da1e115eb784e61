/* The seam of boot/msr.h over a recorded core: CPUID answers as recorded, and registers exist that
 * follow from it. Only build/survey links it. */
#ifndef PC_RECORDED_MACHINE_H
#define PC_RECORDED_MACHINE_H

#include "cpuid_record.h"

/* From now on cpuid_read answers from that record, which must last. */
void recorded_machine_set(const struct cpuid_record *record);

#endif
