/* The interrupt vectors that boot/ uses by name. SDM 3A, "Exception and Interrupt Vectors". */
#ifndef BOOT_MACHINE_VECTOR_H
#define BOOT_MACHINE_VECTOR_H

#define VECTOR_DB              1
#define VECTOR_NMI             2
#define VECTOR_BP              3
#define VECTOR_OF              4
#define VECTOR_UD              6
#define VECTOR_DF              8
#define VECTOR_GP              13
#define VECTOR_PF              14
#define VECTOR_MC              18
#define VECTOR_FIRST_INTERRUPT 32
#define VECTOR_WAKE            0xf0 /* wakes a parked core, or the waiting boot processor */
#define VECTOR_TIMER           0xf1 /* of the local APIC's timer, see idle.h and watchdog.h */
#define VECTOR_PMI             0xf2 /* of performance-monitoring interrupts, see pmi.h */
#define VECTOR_LEAVE           0xf3 /* by which code leaves ring 3, see ring_3.h */
#define VECTOR_SPURIOUS        0xff

#endif
