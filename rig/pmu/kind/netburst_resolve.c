/* From registers to what a counter adds: wiring, threads and levels, mask bits, tags.
 *
 * Source: SDM 3B, "Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)",
 * "At-Retirement Counting" and "Replay Tagging Mechanism"; with two logical processors "Performance
 * Monitoring and Intel Hyper-Threading Technology". */
#include <string.h>

#include "netburst_state.h"
#include "pmu/running.h"

#define SELECT_INSTR_RETIRED 0x02    /* of CRU_ESCR0 and 1 */
#define EXECUTION_TAGS       0xfu    /* NBOGUS0 to NBOGUS3 */
#define ALL_UOPS             0x8000u /* bit 15 of a mask of FIRM_ESCR0 and 1 */
#define SELECT_UOP_TYPE      0x02    /* of RAT_ESCR0 and 1 */
#define TAGLOADS             2u
#define TAGSTORES            4u
#define NBOGUS               1u
#define NBOGUSNTAG           1u
#define NBOGUSTAG            2u
#define SELECT_BRANCHES      0x04 /* of TBPU_ESCR0 and 1; the other one is of mispredicted ones */
#define CONDITIONAL          2u
#define CALL                 4u
#define RETURN               8u
#define INDIRECT             16u
#define PEBS_UOP_TAG         (UINT32_C(1) << 24)

/* An event that tags: bits `mask` of event `select`, by one of the ESCRs `halves` of the unit. */
struct upstream {
    enum escr_unit unit;
    uint8_t select, halves;
    uint16_t mask; /* 0: no such event is needed */
};

/* MSR_PEBS_ENABLE[16:0] and MSR_PEBS_MATRIX_VERT choose what is tagged for replay. For split stores
 * the manual names SAAT_ESCR1 in one table and SAAT_ESCR0 in another: either will do. */
static const struct {
    uint32_t metric, matrix;
    struct netburst_term term[2];
    uint8_t terms;
    struct upstream upstream;
} replays[] = {
#define ONE(signal_) .term = {{.signal = (signal_), .weight = 1}}, .terms = 1
#define TWO(a, b)    .term = {{.signal = (a), .weight = 1}, {.signal = (b), .weight = 1}}, .terms = 2
    {.metric = 0x00001, .matrix = 0x01, ONE(SIG_LOADS_L1_MISS)},
    {.metric = 0x00002, .matrix = 0x01, ONE(SIG_LOADS_L2_MISS)},
    {.metric = 0x00004, .matrix = 0x01, ONE(SIG_DTLB_LOAD_WALKS)},
    {.metric = 0x00004, .matrix = 0x02, ONE(SIG_DTLB_STORE_WALKS)},
    {.metric = 0x00004, .matrix = 0x03, TWO(SIG_DTLB_LOAD_WALKS, SIG_DTLB_STORE_WALKS)},
    {.metric = 0x18000, .matrix = 0x10, ONE(SIG_MISPREDICTS)},
    /* MOB_load_replay: PARTIAL_DATA and UNALGN_ADDR */
    {.metric = 0x00200, .matrix = 0x01, ONE(SIG_FORWARD_BLOCKED), .upstream = {UNIT_MOB, 3, 3, 48}},
    /* load_port_replay: SPLIT_LD; store_port_replay: SPLIT_ST */
    {.metric = 0x00400, .matrix = 0x01, ONE(SIG_SPLIT_LOADS), .upstream = {UNIT_SAAT, 4, 2, 2}},
    {.metric = 0x00400, .matrix = 0x02, ONE(SIG_SPLIT_STORES), .upstream = {UNIT_SAAT, 5, 3, 2}},
#undef ONE
#undef TWO
};

/* Uops that FIRM_ESCR0 and 1 can tag, as far as the model distinguishes kinds of arithmetic. */
static const struct {
    uint8_t select;
    enum signal signal;
} executions[] = {
    {0x08, SIG_FP_PACKED_SINGLE},
    {0x0c, SIG_FP_PACKED_DOUBLE},
    {0x0a, SIG_FP_SCALAR_SINGLE},
    {0x0e, SIG_FP_SCALAR_DOUBLE},
};

static void add(struct netburst_counter *counter, enum signal signal, int8_t weight)
{
    counter->term[counter->terms++] = (struct netburst_term){.signal = signal, .weight = weight};
}

/* The uops that the two RAT ESCRs tag: bits of uop_type's mask. */
static uint16_t tagged_types(const struct netburst *netburst)
{
    uint16_t mask = 0;

    for (unsigned i = 0; i < NETBURST_ESCRS; i++)
        if (netburst_escrs[i].unit == UNIT_RAT && ESCR_SELECT(netburst->escr[i]) == SELECT_UOP_TYPE)
            mask |= ESCR_MASK(netburst->escr[i]);
    return mask & (TAGLOADS | TAGSTORES);
}

static bool resolve_front_end(const struct netburst *netburst, struct netburst_counter *counter,
                              uint16_t mask)
{
    uint16_t types = tagged_types(netburst);

    if (mask & NBOGUS && types & TAGLOADS)
        add(counter, SIG_LOADS, 1);
    if (mask & NBOGUS && types & TAGSTORES)
        add(counter, SIG_STORES, 1);
    return !(mask & ~NBOGUS);
}

/* "Powering down": an ESCR detects nothing unless a counter that it or the other of its pair can
 * feed is on. */
static bool has_clock(const struct netburst *netburst, unsigned escr)
{
    for (unsigned i = 0; i < NETBURST_COUNTERS; i++)
        for (unsigned select = 0; select < 8; select++) {
            int wired = netburst_wired(i, select);

            if (wired >= 0 && netburst_escrs[wired].unit == netburst_escrs[escr].unit &&
                netburst->counter[i].cccr & CCCR_ENABLE)
                return true;
        }
    return false;
}

/* Adds each kind of uop once, even if several ESCRs tag it. False: a kind of tag is unknown. */
static bool resolve_execution(const struct netburst *netburst, struct netburst_counter *counter,
                              uint16_t mask)
{
    uint16_t found = 0;

    if (mask & ~EXECUTION_TAGS)
        return false;
    for (unsigned i = 0; i < NETBURST_ESCRS; i++) {
        uint32_t escr = netburst->escr[i];
        size_t kind = 0, kinds = sizeof(executions) / sizeof(executions[0]);

        if (netburst_escrs[i].unit != UNIT_FIRM || !(ESCR_TAGS(escr) & mask) ||
            !has_clock(netburst, i))
            continue;
        while (kind < kinds && executions[kind].select != ESCR_SELECT(escr))
            kind++;
        if (kind == kinds || ESCR_MASK(escr) & ~ALL_UOPS)
            return false;
        if (ESCR_MASK(escr) && !(found >> kind & 1))
            add(counter, executions[kind].signal, 1);
        found |= (uint16_t)(ESCR_MASK(escr) ? 1u << kind : 0);
    }
    return true;
}

static bool tags(const struct netburst *netburst, const struct upstream *upstream)
{
    if (!upstream->mask)
        return true;
    for (unsigned i = 0; i < NETBURST_ESCRS; i++)
        if (netburst_escrs[i].unit == upstream->unit &&
            upstream->halves >> netburst_escrs[i].half & 1 &&
            ESCR_SELECT(netburst->escr[i]) == upstream->select &&
            ESCR_MASK(netburst->escr[i]) == upstream->mask && has_clock(netburst, i))
            return true;
    return false;
}

static bool resolve_replay(const struct netburst *netburst, struct netburst_counter *counter,
                           uint16_t mask)
{
    uint32_t metric = netburst->pebs_enable & 0x1ffff;

    if (mask & ~NBOGUS)
        return false;
    if (!(mask & NBOGUS) || !(netburst->pebs_enable & PEBS_UOP_TAG) || !metric ||
        !netburst->pebs_matrix)
        return true; /* nothing is tagged */
    for (size_t i = 0; i < sizeof(replays) / sizeof(replays[0]); i++)
        if (replays[i].metric == metric && replays[i].matrix == netburst->pebs_matrix) {
            memcpy(counter->term, replays[i].term, sizeof(replays[i].term));
            counter->terms = tags(netburst, &replays[i].upstream) ? replays[i].terms : 0;
            return true;
        }
    return false;
}

/* The mask says whether the instructions are "tagged using the front-end tagging mechanism": by
 * uop_type. A reading of the manual: an instruction is tagged if one of its uops is. An instruction
 * of a wrong path is not known as such. */
static bool resolve_instructions(const struct netburst *netburst, struct netburst_counter *counter,
                                 uint16_t mask)
{
    const uint16_t types = tagged_types(netburst);
    const bool untagged = mask & NBOGUSNTAG, tagged = mask & NBOGUSTAG;

    if (mask & ~(NBOGUSNTAG | NBOGUSTAG))
        return false;
    if (untagged)
        add(counter, SIG_INSTRUCTIONS, 1);
    if (untagged == tagged)
        return true;
    if (types & TAGLOADS)
        add(counter, SIG_LOADS, tagged ? 1 : -1);
    if (types & TAGSTORES)
        add(counter, SIG_STORES, tagged ? 1 : -1);
    if (types == (TAGLOADS | TAGSTORES))
        add(counter, SIG_LOAD_STORES, tagged ? -1 : 1);
    return true;
}

/* Branches by type. A branch of several types is counted once: INDIRECT is "returns, indirect
 * calls, or indirect jumps", and of retired branches CALL is "direct or indirect calls". */
static bool resolve_branches(struct netburst_counter *counter, uint16_t mask)
{
    if (mask & CONDITIONAL)
        add(counter, SIG_BRANCHES_CONDITIONAL, 1);
    if (mask & CALL)
        add(counter, SIG_BRANCHES_CALL, 1);
    if (mask & (RETURN | INDIRECT))
        add(counter, SIG_BRANCHES_RETURN, 1);
    if (mask & INDIRECT)
        add(counter, SIG_BRANCHES_INDIRECT, 1);
    if (mask & INDIRECT && !(mask & CALL))
        add(counter, SIG_BRANCHES_CALL_INDIRECT, 1);
    return !(mask & ~(CONDITIONAL | CALL | RETURN | INDIRECT));
}

/* Of mispredicted branches CALL is "indirect call branches". */
static bool resolve_mispredicts(struct netburst_counter *counter, uint16_t mask)
{
    if (mask & CONDITIONAL)
        add(counter, SIG_MISPREDICTS_CONDITIONAL, 1);
    if (mask & (RETURN | INDIRECT))
        add(counter, SIG_MISPREDICTS_RETURN, 1);
    if (mask & INDIRECT) /* jumps and calls */
        add(counter, SIG_MISPREDICTS_INDIRECT, 1);
    else if (mask & CALL)
        add(counter, SIG_MISPREDICTS_CALL_INDIRECT, 1);
    return !(mask & ~(CONDITIONAL | CALL | RETURN | INDIRECT));
}

static bool resolve_mask(const struct netburst_event *event, struct netburst_counter *counter,
                         uint16_t mask)
{
    bool edges = counter->cccr & CCCR_COMPARE && counter->cccr & CCCR_EDGE;
    uint16_t known = 0;

    for (unsigned i = 0; i < event->terms; i++) {
        uint8_t bit = event->term[i].bit;

        if (!edges && event->edge_only >> bit & 1) {
            if (mask >> bit & 1)
                add(counter, event->duration, 1);
            known |= (uint16_t)(1u << bit);
            continue;
        }
        known |= (uint16_t)(1u << bit);
        if (mask >> bit & 1 && event->term[i].weight)
            counter->term[counter->terms++] = event->term[i];
    }
    return !(mask & ~known);
}

static bool resolve_modes(struct netburst_counter *counter, uint16_t mask)
{
    counter->modes = (uint8_t)mask;
    return mask <= UINT8_MAX;
}

static bool resolve_event(const struct pmu *pmu, struct netburst_counter *counter, unsigned index,
                          const struct netburst_event *event)
{
    const struct netburst *netburst = netburst_of(pmu);
    uint16_t mask = ESCR_MASK(netburst->escr[index]);

    if (event == NULL)
        return false;
    if (netburst_is_bus(event))
        return netburst_bus_resolve(pmu, counter, event, mask);
    if (event->unit == UNIT_TC && event->select == SELECT_TC_DELIVER_MODE)
        return resolve_modes(counter, mask);
    if (event->unit == UNIT_TBPU)
        return (event->select == SELECT_BRANCHES ? resolve_branches : resolve_mispredicts)(counter,
                                                                                           mask);
    if (event->unit == UNIT_CRU01 && event->select == SELECT_INSTR_RETIRED)
        return resolve_instructions(netburst, counter, mask);
    if (event->unit == UNIT_CRU23 && event->select == SELECT_FRONT_END_EVENT)
        return resolve_front_end(netburst, counter, mask);
    if (event->unit == UNIT_CRU23 && event->select == SELECT_REPLAY_EVENT)
        return resolve_replay(netburst, counter, mask);
    if (event->unit == UNIT_CRU23 && event->select == SELECT_EXECUTION_EVENT)
        return resolve_execution(netburst, counter, mask);
    return resolve_mask(event, counter, mask);
}

static void remember(struct netburst *netburst, unsigned index)
{
    struct netburst_unknown unknown = {.unit = (uint8_t)netburst_escrs[index].unit,
                                       .select = ESCR_SELECT(netburst->escr[index]),
                                       .mask = ESCR_MASK(netburst->escr[index])};

    for (unsigned i = 0; i < netburst->unknown_count; i++)
        if (memcmp(&netburst->unknown[i], &unknown, sizeof(unknown)) == 0)
            return;
    if (netburst->unknown_count < NETBURST_UNKNOWN_MAX)
        netburst->unknown[netburst->unknown_count++] = unknown;
}

/* A logical processor counts if the bit of its current level is set. The comparator has a clock
 * even if neither counts: with COMPLEMENT and a threshold that its input never exceeds, it counts
 * the cycles of the first logical processor, whatever the ESCR says. */
static void resolve_threads(const struct netburst *netburst, struct netburst_counter *counter,
                            uint32_t escr, bool independent)
{
    const struct pmu *p0 = netburst->thread[0].pmu, *p1 = netburst->thread[1].pmu;
    bool t0 = escr & (p0 != NULL && p0->cpl ? ESCR_T0_USR : ESCR_T0_OS);
    bool t1 = escr & (p1 != NULL && p1->cpl ? ESCR_T1_USR : ESCR_T1_OS);

    counter->threads = (uint8_t)((t0 ? 1 : 0) | (t1 ? 2 : 0));
    if (independent && counter->threads)
        counter->threads = 3;
    counter->clocked = counter->threads ? counter->threads : 1;
}

/* True: the counter is on. A counter that is wired to no ESCR, or to an ESCR without an event, is
 * powered down. Without Hyper-Threading ACTIVE_THREAD must be 11B; with it, the other three values
 * depend on what the sibling does in the same cycle, which is unknown here. */
static bool resolve(struct pmu *pmu, unsigned number)
{
    struct netburst *netburst = netburst_of(pmu);
    struct netburst_counter *counter = &netburst->counter[number];
    int index = netburst_wired(number, CCCR_SELECT(counter->cccr));
    const struct netburst_event *event;
    uint32_t escr;

    counter->terms = counter->modes = 0;
    counter->requests = 0;
    counter->threads = 0;
    counter->clocked = 0;
    if (!(counter->cccr & CCCR_ENABLE) && !counter->started)
        return false;
    if (index < 0 || ESCR_SELECT(netburst->escr[index]) == 0)
        return false;
    if (CCCR_THREADS(counter->cccr) != CCCR_THREADS_ANY) {
        if (netburst_hyperthreaded(pmu))
            remember(netburst, (unsigned)index);
        return false;
    }
    escr = netburst->escr[index];
    event =
        netburst_find(netburst_escrs[index].unit, netburst_escrs[index].half, ESCR_SELECT(escr));
    resolve_threads(netburst, counter, netburst_bus_levels(pmu, event, escr),
                    event != NULL && event->independent);
    if (!resolve_event(pmu, counter, (unsigned)index, event)) {
        counter->terms = counter->modes = 0;
        counter->requests = 0;
        remember(netburst, (unsigned)index);
    }
    return true;
}

void netburst_refresh(struct pmu *pmu)
{
    struct netburst *netburst = netburst_of(pmu);
    bool counting = false;

    for (unsigned i = 0; i < NETBURST_COUNTERS; i++) {
        struct netburst_counter *counter = &netburst->counter[i];
        bool running = resolve(pmu, i);

        if (!running || !counter->running)
            counter->asserted[0] = counter->asserted[1] = false;
        counter->running = running;
        counting |= running;
    }
    netburst_bus_subscribe(netburst);
    netburst_pebs_refresh(pmu);
    kind_counting(pmu, counting);
    for (unsigned i = 0; i < 2; i++)
        if (netburst->thread[i].pmu != NULL)
            pmu_foresee(netburst->thread[i].pmu);
}
