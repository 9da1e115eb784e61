/* Faults at a point: accesses to registers, and what arrives in a counting window or at a turn.
 *
 * Machine checks as in SDM 3B, "Machine-Check Architecture": IA32_MCi_STATUS, "Interpreting the
 * Machine-Check Error Codes". */
#include "inject.h"

#include "device/platform.h"
#include "firmware/firmware.h"
#include "inject_inside.h"
#include "machine/engine/clock.h"
#include "machine/engine/engine.h"
#include "machine/engine/fault.h"
#include "machine/engine/msr.h"
#include "machine/engine/registers.h"
#include "machine/engine/state.h"
#include "machine/engine/trap.h"
#include "pmu/pmu.h"

#define IA32_APIC_BASE  0x01bu
#define IA32_EFER       0xc0000080u
#define IA32_MCG_STATUS 0x17au
#define MCG_RIPV        1u /* the interrupted program can go on */
#define MCG_MCIP        4u /* a machine check is being handled */

/* Valid, uncorrected, enabled, the processor's context is whole; an internal parity error. */
#define UNCORRECTED (UINT64_C(0xb) << 60 | 0x0005)
/* Valid, enabled, corrected; a data read from the L1 data cache. */
#define CORRECTED (UINT64_C(0x9) << 60 | 0x0135)
/* The bank of ACT_MCE. */
#define CHECKED_BANK 1u

/* Where in a window something arrives: a quarter of the instructions of the core's last window
 * behind its begin. Windows of n and 2n iterations come by turns, so that is the middle of the one
 * and an eighth of the other. The first window of a core has none before it. */
#define WINDOW_PART  4u
#define WINDOW_FIRST 16u

struct register_access {
    uint32_t msr;
    uint64_t written;
};

/* ---- registers ---- */

/* Whether a write of that value would change the register, as far as a read tells. */
static bool would_change(struct core *core, uint32_t msr, uint64_t written)
{
    uint64_t value = 0;
    enum access_result result;

    model_drain(core->model);
    result = core_rdmsr(core, msr, &value);
    if (result == ACCESS_NOT_MINE)
        result = pmu_rdmsr(core->pmu, msr, &value);
    return result != ACCESS_OK || value != written;
}

/* Acts on the access, which is the k-th of those points. */
static enum injected access_at(struct core *core, enum point point, uint64_t k,
                               const struct register_access *access, uint64_t *flips)
{
    struct points *points = &core->machine->faults->points;
    struct fault_request *request = NULL;
    enum injected injected = INJECT_NOTHING;

    while ((request = fault_at(points, point, k, request)) != NULL) {
        bool changed = true;

        if (request->row->act == ACT_FLIP) {
            *flips ^= UINT64_C(1) << request->bit;
        } else if (request->row->act == ACT_LOST) {
            changed = would_change(core, access->msr, access->written);
            if (injected == INJECT_NOTHING)
                injected = INJECT_LOST;
        } else {
            injected = INJECT_GP;
        }
        fault_happened_to(request, changed, core->index, core->window, access->msr);
    }
    return injected;
}

enum injected inject_msr(struct core *core, uint32_t msr, bool write, uint64_t written,
                         uint64_t *flips)
{
    const struct register_access access = {msr, written};
    struct faults *faults = core->machine->faults;
    const enum point point = write ? POINT_WRMSR : POINT_RDMSR;
    enum injected any, one;

    for (unsigned i = 0; i < faults->gone_count; i++)
        if (faults->gone[i] == msr)
            return INJECT_GP;
    if (!core->long_mode)
        return INJECT_NOTHING;
    if (faults->msr_unguarded && msr != IA32_APIC_BASE && msr != IA32_EFER &&
        firmware_has_interrupts(core->machine->firmware, core))
        return INJECT_GP;
    any = access_at(core, POINT_MSR, point_pass(&faults->points, POINT_MSR), &access, flips);
    one = access_at(core, point, point_pass(&faults->points, point), &access, flips);
    return any != INJECT_NOTHING ? any : one;
}

uint64_t inject_rdpmc(struct core *core, uint32_t index)
{
    const struct register_access access = {index, 0};
    uint64_t flips = 0;

    if (core->long_mode)
        access_at(core, POINT_RDPMC, point_pass(&core->machine->faults->points, POINT_RDPMC),
                  &access, &flips);
    return flips;
}

/* ---- what arrives ---- */

static void note(struct core *core, struct fault_request *request)
{
    fault_happened(request, true, core->index, core->window, "at 0x%llx, %s a window",
                   (unsigned long long)core->rip, core->counting ? "in" : "outside");
}

static void enter_handler(struct core *core, uint64_t handler)
{
    model_interrupt(core->model);
    core->rip = handler;
}

/* "If the processor's CR4.MCE is clear, or a machine check is being handled, it shuts down." */
static void machine_check(struct core *core)
{
    uint64_t state = 0;

    pmu_rdmsr(core->pmu, IA32_MCG_STATUS, &state);
    pmu_log_error(core->pmu, CHECKED_BANK, UNCORRECTED);
    if (!(core_register(core, UC_X86_REG_CR4) & CR4_MCE) || state & MCG_MCIP) {
        machine_end(core->machine, 1,
                    "processor %u: shutdown: a machine check %s, on demand, at 0x%llx", core->index,
                    state & MCG_MCIP ? "in the handler of another" : "with CR4.MCE clear",
                    (unsigned long long)core->rip);
        return;
    }
    pmu_machine_check(core->pmu, MCG_RIPV | MCG_MCIP);
    enter_handler(core, trap_deliver(core, EXCEPTION_MC, NO_ERROR_CODE, core->rip));
}

/* Between two instructions; false: not now, because the one before is not done. */
static bool raise(struct core *core, struct fault_request *request)
{
    if (core->pending.live || core->write.live || core->shadow || core->step)
        return false;
    note(core, request);
    switch (request->row->act) {
    case ACT_UD:
        enter_handler(core, trap_fault_with(core, EXCEPTION_UD, NO_ERROR_CODE, core->rip));
        break;
    case ACT_BP:
        enter_handler(core, trap_deliver(core, EXCEPTION_BP, NO_ERROR_CODE, core->rip));
        break;
    default:
        machine_check(core);
        break;
    }
    return true;
}

/* False: it has to wait for the next turn. */
static bool arrive(struct core *core, struct fault_request *request)
{
    switch (request->row->act) {
    case ACT_NMI:
        note(core, request);
        core_nmi(core);
        return true;
    case ACT_SMI:
    case ACT_SMI_HIDDEN:
        note(core, request);
        core->faults.smi_count += request->row->act == ACT_SMI;
        inject_smi(core);
        return true;
    case ACT_BANK:
        note(core, request);
        pmu_log_error(core->pmu, request->bank, CORRECTED);
        return true;
    case ACT_TSC_STEP:
        note(core, request);
        pmu_tsc_shift(core->pmu, request->ticks);
        return true;
    default:
        return raise(core, request);
    }
}

/* From here on the core looks behind every instruction (inject_arrives). */
static void await(struct core *core, const struct fault_request *request, uint64_t at)
{
    core->faults.waiting |= 1u << (request - core->machine->faults->points.request);
    core->faults.arrives = at;
    core->fuel = core->refill = 1;
}

void inject_points_window(struct core *core, bool begins)
{
    struct points *points = &core->machine->faults->points;
    struct core_faults *mine = &core->faults;
    struct fault_request *request = NULL;
    uint64_t k, at;

    if (!begins) {
        mine->window_size = core->accounted - mine->window_begun;
        if (mine->waiting != 0) /* the window was too short: right behind it, then */
            mine->arrives = core->accounted;
        return;
    }
    mine->window_begun = core->accounted;
    at = core->accounted + (mine->window_size ? mine->window_size / WINDOW_PART : WINDOW_FIRST);
    k = point_pass(points, POINT_WINDOW);
    if (core->window > points->seen[POINT_CORE_WINDOW])
        points->seen[POINT_CORE_WINDOW] = core->window;
    while ((request = fault_at(points, POINT_WINDOW, k, request)) != NULL)
        await(core, request, at);
    while ((request = fault_at(points, POINT_CORE_WINDOW, core->window, request)) != NULL)
        if (request->row->act == ACT_TSC_STEP && request->core == core->index)
            await(core, request, at);
}

bool inject_arrives(const struct core *core)
{
    return core->faults.waiting != 0 && core->accounted >= core->faults.arrives;
}

void inject_points_turn(struct core *core)
{
    struct points *points = &core->machine->faults->points;
    const uint64_t k = point_pass(points, POINT_TURN);
    struct core_faults *mine = &core->faults;
    struct fault_request *request = NULL;

    while ((request = fault_at(points, POINT_TURN, k, request)) != NULL)
        await(core, request, core->accounted);
    if (!inject_arrives(core))
        return;
    for (unsigned i = 0; i < points->count; i++)
        if (mine->waiting >> i & 1 && arrive(core, &points->request[i]))
            mine->waiting &= ~(1u << i);
}

bool inject_pmi(struct core *core)
{
    struct points *points = &core->machine->faults->points;
    const uint64_t k = point_pass(points, POINT_PMI);
    struct fault_request *all = fault_with(points, ACT_PMI_ALL_LOST),
                         *half = fault_with(points, ACT_PMI_HALF_LOST),
                         *storm = fault_with(points, ACT_PMI_STORM);
    struct fault_request *lost = all != NULL ? all : k % 2 == 0 ? half : NULL;

    if (storm != NULL && pmu_last_pmi(core->pmu).counters == 0)
        fault_happened(storm, true, core->index, core->window, "a PMI without an overflow");
    if (lost != NULL)
        fault_happened(lost, true, core->index, core->window, "PMI %llu", (unsigned long long)k);
    return lost != NULL;
}

void inject_skew(struct core *core)
{
    struct points *points = &core->machine->faults->points;

    for (unsigned i = 0; i < points->count; i++) {
        struct fault_request *request = &points->request[i];

        if (request->row->act != ACT_TSC_SKEW || request->core != core->index)
            continue;
        pmu_tsc_shift(core->pmu, request->ticks);
        fault_happened(request, true, core->index, 0, "from the begin on");
    }
}
