/* A sampling record: the fixed layouts 0 to 3, and the adaptive layout, which consists of groups.
 *
 * Source: SDM 3B, "PEBS Record Format" of each microarchitecture, "Adaptive PEBS"; "PEBS Facility
 * Comparison" of Skylake: 90H is IA32_PERF_GLOBAL_STATUS until Haswell and names the counters of
 * the record from Skylake on. Data source and latency describe the load or store that a load
 * latency or precise store event counted; for any other event they are 0. So is the address of the
 * data until Haswell, whose "Data Address Profiling" gives it with other events too. The
 * transaction fields are always 0: the rig has no transactions.
 *
 * The retirement latency, timed PEBS: Linux commit c87a31093c70 ("Support Retire Latency"): core
 * clocks between the retirement of the instruction that the record names and that of the one
 * before, bits 47:32 of the first word, where IA32_PERF_CAPABILITIES[17] is
 * set. That commit says that Meteor Lake's fixed counter 0 has none; of Granite Rapids Linux says
 * no such thing, and the rig's has it: a guess. */
#include <string.h>

#include "clocks.h"
#include "lbr.h"
#include "pebs.h"

#define FORMAT_STATUS   1 /* from this format on: GLOBAL_STATUS, what load latency found */
#define FORMAT_EVENTING 2 /* and the address of the instruction and of its data, transactions */
#define FORMAT_TSC      3 /* from this format on: the counters of this record, the time */

#define CFG_MEMORY      (UINT64_C(1) << 0)
#define CFG_GPRS        (UINT64_C(1) << 1)
#define CFG_XMMS        (UINT64_C(1) << 2)
#define CFG_LBRS        (UINT64_C(1) << 3)
#define CFG_GROUPS      (CFG_MEMORY | CFG_GPRS | CFG_XMMS | CFG_LBRS)
#define CFG_LBR_ENTRIES 24
#define BASIC_SIZE      48 /* bit of the first word at which the size of the record begins */
#define BASIC_LATENCY   32 /* and the latency of its instruction's retirement */

/* The numbers of registers in instructions. */
enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, GPRS = 16 };

static void put(struct pebs_record *record, uint64_t value)
{
    memcpy(record->bytes + record->size, &value, sizeof(value));
    record->size += sizeof(value);
}

/* RFLAGS, RIP, then the general registers in the given order, then R8 to R15. */
static void put_registers(struct pebs_record *record, const struct pmu_registers *registers,
                          const uint8_t order[R8])
{
    unsigned i;

    put(record, registers->rflags);
    put(record, registers->rip);
    for (i = 0; i < R8; i++)
        put(record, registers->gpr[order[i]]);
    for (i = R8; i < GPRS; i++)
        put(record, registers->gpr[i]);
}

#define STORE_HIT    1u /* data source of a store: its line was in L1 */
#define STORE_WALKED (1u << 4)
#define STORE_LOCKED (1u << 5)
#define LATENCY_MAX  UINT64_C(0xffff)

/* The memory part of a record. */
struct memory_info {
    uint64_t address, source, latency;
};

static uint64_t load_source(const struct data_source *codes, const struct retired_access *load)
{
    return (uint64_t)codes->origin[load->origin] | (load->walked ? codes->walked : 0u) |
           (load->locked ? codes->locked : 0u) | (load->blocked ? codes->blocked : 0u) |
           (load->aliased ? codes->aliased : 0u);
}

static uint64_t store_source(const struct retired_access *store)
{
    return (store->hit ? STORE_HIT : 0u) | (store->walked ? STORE_WALKED : 0u) |
           (store->locked ? STORE_LOCKED : 0u);
}

static bool counted(const struct pmu *pmu, uint64_t counters, enum pmu_rate rate)
{
    unsigned i;

    for (i = 0; i < pmu->gp_count; i++)
        if (counters >> i & 1 && pmu->gp[i].source.rate == rate)
            return true;
    return false;
}

static struct memory_info memory_info(const struct pmu *pmu, uint64_t counters,
                                      const struct pmu_boundary *boundary)
{
    const struct pebs_parameters *parameters = &pmu->parameters->pebs;
    const bool data = pebs_format(pmu) >= FORMAT_EVENTING;
    struct memory_info info = {.address = data ? boundary->data : 0};

    if (parameters->data_source != NULL && counted(pmu, counters, PER_SLOW_LOAD)) {
        const struct retired_access *load = &pmu->followed_load;

        info.address = load->address;
        info.source = load_source(parameters->data_source, load);
        info.latency = load->latency;
        if (parameters->latency_halves && info.latency > LATENCY_MAX)
            info.latency = LATENCY_MAX;
    } else if (counted(pmu, counters, PER_STORE)) {
        info.address = pmu->sampled_store.address;
        info.source = store_source(&pmu->sampled_store);
    }
    return info;
}

static void compose_fixed(struct pmu *pmu, uint64_t counters, const struct pmu_boundary *boundary,
                          const struct pmu_registers *registers, struct pebs_record *record)
{
    static const uint8_t order[] = {RAX, RBX, RCX, RDX, RSI, RDI, RBP, RSP};
    struct memory_info info = memory_info(pmu, counters, boundary);
    unsigned format = pebs_format(pmu);

    put_registers(record, registers, order);
    if (format >= FORMAT_STATUS) {
        put(record, format >= FORMAT_TSC ? counters : pmu->global_status);
        put(record, info.address);
        put(record, info.source);
        put(record, info.latency);
    }
    if (format >= FORMAT_EVENTING) {
        put(record, boundary->ip);
        put(record, 0); /* transaction */
    }
    if (format >= FORMAT_TSC)
        put(record, pmu_tsc(pmu));
}

/* Newest first. Entries beyond the stack's depth are zero: the record's size does not depend on the
 * depth. */
static void put_branches(const struct pmu *pmu, unsigned count, struct pebs_record *record)
{
    const struct lbr *lbr = &pmu->lbr;
    unsigned i;

    for (i = 0; i < count; i++) {
        bool there = i < lbr->depth;
        unsigned place = there ? lbr_place(lbr, i) : 0;

        put(record, there ? lbr->from[place] : 0);
        put(record, there ? lbr->to[place] : 0);
        put(record, there ? lbr->info[place] : 0);
    }
}

/* What the first word has of the instruction's retirement. That a latency beyond the field is its
 * largest value is a guess. */
static uint64_t retire_latency(const struct pmu *pmu, const struct pmu_boundary *boundary)
{
    const uint64_t latency = boundary->latency < LATENCY_MAX ? boundary->latency : LATENCY_MAX;

    if (!(pmu->parameters->capabilities & CAPABILITIES_PEBS_TIMING))
        return 0;
    return latency << BASIC_LATENCY;
}

/* A counter without its adaptive bit gets the basic group only. */
static uint64_t wanted_groups(const struct pmu *pmu, uint64_t counters)
{
    unsigned i;

    for (i = 0; i < pmu->gp_count; i++)
        if (counters >> i & 1 && pmu->select[i] & EVTSEL_ADAPTIVE)
            return pmu->pebs.data_cfg;
    for (i = 0; i < pmu->parameters->fixed; i++)
        if (counters & pmu->fixed[i].status && pmu->fixed_ctrl >> (FIXED_ADAPTIVE + 4 * i) & 1)
            return pmu->pebs.data_cfg;
    return 0;
}

static void compose_adaptive(struct pmu *pmu, uint64_t counters,
                             const struct pmu_boundary *boundary,
                             const struct pmu_registers *registers, struct pebs_record *record)
{
    static const uint8_t order[] = {RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI};
    uint64_t groups = wanted_groups(pmu, counters), first;

    put(record, 0); /* the size is known at the end */
    put(record, boundary->ip);
    put(record, counters);
    put(record, pmu_tsc(pmu));
    if (groups & CFG_MEMORY) {
        struct memory_info info = memory_info(pmu, counters, boundary);

        put(record, info.address);
        put(record, info.source);
        put(record, info.latency);
        put(record, 0); /* transaction */
    }
    if (groups & CFG_GPRS)
        put_registers(record, registers, order);
    if (groups & CFG_XMMS) {
        memcpy(record->bytes + record->size, registers->xmm, sizeof(registers->xmm));
        record->size += sizeof(registers->xmm);
    }
    if (groups & CFG_LBRS)
        put_branches(pmu, (unsigned)(groups >> CFG_LBR_ENTRIES & 0xff) + 1, record);
    first = (groups & (CFG_GROUPS | UINT64_C(0xff) << CFG_LBR_ENTRIES)) |
            retire_latency(pmu, boundary) | (uint64_t)record->size << BASIC_SIZE;
    memcpy(record->bytes, &first, sizeof(first));
}

void pebs_compose(struct pmu *pmu, uint64_t counters, const struct pmu_boundary *boundary,
                  struct pebs_record *record)
{
    struct pmu_registers registers;

    record->size = 0;
    pmu->host.registers(pmu->host.context, &registers);
    registers.rip = boundary->next;
    if (pebs_is_adaptive(pmu))
        compose_adaptive(pmu, counters, boundary, &registers, record);
    else
        compose_fixed(pmu, counters, boundary, &registers, record);
}
