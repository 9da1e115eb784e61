/* The faults that --fault takes, and the reader of those that happen at a point. */
#ifndef RIG_FAULT_ROWS_H
#define RIG_FAULT_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What K counts, from 1: its class for --fault-points, and what messages call it. */
/* clang-format off */
#define POINTS(P) \
    P(MSR, "msr", "RDMSRs and WRMSRs") \
    P(RDMSR, "rdmsr", "RDMSRs") \
    P(WRMSR, "wrmsr", "WRMSRs") \
    P(RDPMC, "rdpmc", "RDPMCs") \
    P(WINDOW, "window", "counting windows") /* of all cores */ \
    P(CORE_WINDOW, "core-window", "counting windows on a core") /* on the core that had the most */ \
    P(CR3, "cr3", "changes of CR3") \
    P(TURN, "turn", "turns") /* of all cores */ \
    P(CALL, "uefi", "firmware calls that can fail") \
    P(FILE_WRITE, "stick", "writes of files") \
    P(BYTE, "uart", "bytes for the first serial line") \
    P(PMI, "pmi", "PMIs")
/* clang-format on */

enum point {
#define POINT_ENUM(id, name, what) POINT_##id,
    POINTS(POINT_ENUM)
#undef POINT_ENUM
        POINT_COUNT,
    POINT_NONE = POINT_COUNT
};

/* What is done there. */
enum act {
    ACT_ELSEWHERE, /* the request is read by machine/engine/fault.c */
    ACT_GP,
    ACT_LOST,
    ACT_FLIP,
    ACT_TRIPLE,
    ACT_NMI,
    ACT_MCE,
    ACT_UD,
    ACT_BP,
    ACT_SMI,
    ACT_SMI_HIDDEN,
    ACT_BANK,
    ACT_TSC_SKEW,
    ACT_TSC_STEP,
    ACT_UART_NEVER,
    ACT_UART_ONES,
    ACT_UART_STALL,
    ACT_CALL_FAILS,
    ACT_MEMORY,
    ACT_WRITE_SHORT,
    ACT_WRITE_LOST,
    ACT_STICK_PULLED,
    ACT_COUNTER,
    ACT_FIXED,
    ACT_PMI_ALL_LOST,
    ACT_PMI_HALF_LOST,
    ACT_PMI_STORM
};

enum counter_way { WAY_STUCK, WAY_PLUS_ONE, WAY_DOUBLE, WAY_LOW_16, WAY_LOW_32 };

struct fault_row {
    const char *form; /* "rdmsr:K:flip:BIT": words in small letters stand for themselves */
    enum point point;
    enum act act;
    const char *help;
};

/* The rows, in the order of --help. */
const struct fault_row *fault_rows(size_t *count);
/* The row's class: its form up to the first colon. */
size_t fault_class_length(const struct fault_row *row);
/* Whether the text begins with the class of a row; `classes`: how many there are. */
bool fault_class_is_known(const char *text, unsigned *classes);

/* A request, and what came of it. */
struct fault_request {
    const struct fault_row *row;
    const char *text; /* as it was given */
    bool counted;     /* it names a K */
    uint64_t first,
        last; /* the points at which it acts: K to M, K alone, or K and all later ones */
    unsigned bit, number, core, bank;
    int64_t ticks;
    enum counter_way way;
    char call[48];
    int service;                       /* the number of `call`, -1: any */
    uint64_t ms, ms_most, every, seed; /* the second and the last: 0 where chance says nothing */
    uint64_t ticks_a_ms;               /* of the machine, which sets it */

    uint64_t times;     /* so often it acted */
    bool changed;       /* and something was different by it, as far as the rig can tell */
    unsigned at_core;   /* the first time: which processor, */
    uint64_t at_window; /* in or behind which of its counting windows, */
    char where[96];     /* and where */
    bool has_register;
    uint32_t at_register;
};

/* Reads a request of a row that is not ACT_ELSEWHERE; false: it is none. */
bool fault_request_read(struct fault_request *request, const char *text);

#endif
