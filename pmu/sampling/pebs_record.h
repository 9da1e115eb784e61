/* From the bytes of a PEBS record to its fields. Pure and bounded: any bytes are decoded or
 * refused.
 *
 * Formats 0 to 3 have one fixed layout each; from format 4 on with the adaptive layout a record
 * consists of the groups that its first word names, basic group first. SDM 3B, "PEBS Record Format"
 * of each microarchitecture, "Adaptive PEBS"; the groups of counters (format 6) are from Linux
 * only. */
#ifndef PMU_SAMPLING_PEBS_RECORD_H
#define PMU_SAMPLING_PEBS_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boot/rc.h"

#define PEBS_FIXED_FORMATS   4
#define PEBS_EVENTING_FORMAT 2 /* the first whose records name the instruction itself */

/* The fields that a record may have, each a 64-bit value. */
enum pebs_field {
    PEBS_FLAGS, /* RFLAGS */
    PEBS_RIP,   /* of the instruction after the one that the record is of */
    PEBS_RAX,
    PEBS_RCX,
    PEBS_RDX,
    PEBS_RBX,
    PEBS_RSP,
    PEBS_RBP,
    PEBS_RSI,
    PEBS_RDI,
    PEBS_R8,
    PEBS_R9,
    PEBS_R10,
    PEBS_R11,
    PEBS_R12,
    PEBS_R13,
    PEBS_R14,
    PEBS_R15,
    PEBS_EVENTING_IP, /* of the instruction that caused the event */
    PEBS_STATUS,      /* IA32_PERF_GLOBAL_STATUS when the record was made */
    PEBS_APPLICABLE,  /* the counters whose overflow the record is for, as bits of that register */
    PEBS_ADDRESS,     /* of the data, linear */
    PEBS_SOURCE,      /* where the data came from; the encoding is the part's */
    PEBS_ACCESS_LATENCY, /* core cycles of the instruction's access */
    PEBS_CACHE_LATENCY,
    PEBS_RETIRE_LATENCY, /* core cycles since the instruction before retired */
    PEBS_TRANSACTION,
    PEBS_TSC,
    PEBS_FIELDS
};

#define PEBS_XMM_BYTES      256 /* XMM0 to XMM15 */
#define PEBS_BRANCH_BYTES   24  /* FROM, TO, INFO */
#define PEBS_COUNTERS_BYTES 16  /* masks of general counters, fixed counters, metrics; reserved */

struct pebs_record {
    size_t size;  /* bytes */
    uint64_t has; /* bit n: `field[n]` is in this record; otherwise this format has no such field */
    uint64_t field[PEBS_FIELDS];
    /* Groups, within the bytes that were decoded; null: the record has none. */
    const uint8_t *xmm;
    const uint8_t *branches; /* newest first */
    unsigned branch_count;
    const uint8_t *counters; /* their values follow the masks, a word each */
    unsigned counter_count;
};

struct pebs_layout {
    unsigned format;     /* IA32_PERF_CAPABILITIES[11:8] */
    bool adaptive;       /* IA32_PERF_CAPABILITIES[14] */
    bool latency_halves; /* of the part: see pebs_kind.h */
    bool retire_latency; /* IA32_PERF_CAPABILITIES[17], and the counter's records have it */
};

struct pebs_branch {
    uint64_t from, to, info;
};

/* Decodes the record at `bytes`, of which `size` may be read. RC_OK; RC_ABSENT: no such format is
 * known; RC_BAD_INPUT: the record does not fit into `size`, or its size is not what its groups
 * need. */
enum rc pebs_decode(const struct pebs_layout *layout, const uint8_t *bytes, size_t size,
                    struct pebs_record *record);
/* The size of every record with these groups (MSR_PEBS_DATA_CFG; fixed layouts have none); 0: no
 * such format is known. */
size_t pebs_record_size(const struct pebs_layout *layout, uint64_t groups);

static inline bool pebs_has(const struct pebs_record *record, enum pebs_field field)
{
    return record->has >> field & 1;
}

/* Entry `index`, below branch_count. */
struct pebs_branch pebs_branch_at(const struct pebs_record *record, unsigned index);
/* The low half of XMM register `index` (0 to 15); the record has the group. */
uint64_t pebs_xmm_low(const struct pebs_record *record, unsigned index);

#endif
