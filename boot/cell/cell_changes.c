#include "boot/clock.h"
#include "boot/cpu.h"
#include "boot/machine/apic.h"
#include "boot/machine/apic_timer.h"
#include "boot/machine/vector.h"
#include "boot/msr.h"
#include "boot/text.h"
#include "cell_inside.h"

#define APIC_BASE_ENABLE      (1ull << 11)
#define APIC_BASE_X2          (1ull << 10)
#define IA32_TSC              0x10
#define IA32_TSC_ADJUST       0x3b
#define PORT_SYSTEM_CONTROL_B 0x61
#define PORT_61_WRITABLE      0x0fu
#define LVT_STATE             0x5000u /* delivery status and remote IRR: not settings */
#define DIVIDER               128u    /* of the armed timer */

/* Of a register: whether it is architectural or of family 6, and whether the image may write it
 * between two runs: such a register is read before each of them. */
enum kind { ANY, FAMILY_6, RECORDER };

struct row {
    uint32_t first, count;
    enum kind kind;
    const char *name;
};

/* SDM volume 4, "Architectural MSRs" and the tables of Nehalem and later. None of them changes by
 * itself, nor is a counter's. */
/* clang-format off */
static const struct row rows[] = {
    {0x048, 1, ANY, "IA32_SPEC_CTRL"},
    {0x0e1, 1, ANY, "IA32_UMWAIT_CONTROL"},
    {0x0e2, 1, FAMILY_6, "MSR_PKG_CST_CONFIG_CONTROL"},
    {0x122, 1, ANY, "IA32_TSX_CTRL"},
    {0x140, 1, FAMILY_6, "MISC_FEATURE_ENABLES"},
    {0x174, 3, ANY, "IA32_SYSENTER_CS, ESP or EIP"},
    {0x17b, 1, ANY, "IA32_MCG_CTL"},
    {0x199, 1, ANY, "IA32_PERF_CTL"},
    {0x19a, 1, ANY, "IA32_CLOCK_MODULATION"},
    {0x19b, 1, ANY, "IA32_THERM_INTERRUPT"},
    {0x1a0, 1, ANY, "IA32_MISC_ENABLE"},
    {0x1a4, 1, FAMILY_6, "MSR_MISC_FEATURE_CONTROL"},
    {0x1a6, 2, RECORDER, "MSR_OFFCORE_RSP_n"},
    {0x1ad, 1, FAMILY_6, "MSR_TURBO_RATIO_LIMIT"},
    {0x1b0, 1, ANY, "IA32_ENERGY_PERF_BIAS"},
    {0x1b2, 1, ANY, "IA32_PACKAGE_THERM_INTERRUPT"},
    {0x1c8, 1, RECORDER, "MSR_LBR_SELECT"},
    {0x1d9, 1, RECORDER, "IA32_DEBUGCTL"},
    {0x1fc, 1, FAMILY_6, "MSR_POWER_CTL"},
    {0x200, 20, ANY, "IA32_MTRR_PHYSBASEn or PHYSMASKn"},
    {0x250, 1, ANY, "IA32_MTRR_FIX64K_00000"},
    {0x258, 2, ANY, "IA32_MTRR_FIX16K_n"},
    {0x268, 8, ANY, "IA32_MTRR_FIX4K_n"},
    {0x277, 1, ANY, "IA32_PAT"},
    {0x2ff, 1, ANY, "IA32_MTRR_DEF_TYPE"},
    {0x3f1, 1, RECORDER, "IA32_PEBS_ENABLE"},
    {0x3f6, 1, RECORDER, "MSR_PEBS_LD_LAT"},
    {0x3f7, 1, RECORDER, "MSR_PEBS_FRONTEND"},
    {0x570, 1, RECORDER, "IA32_RTIT_CTL"},
    {0x600, 1, RECORDER, "IA32_DS_AREA"},
    {0x620, 1, FAMILY_6, "MSR_UNCORE_RATIO_LIMIT"},
    {0x6a0, 1, ANY, "IA32_U_CET"},
    {0x6a2, 1, ANY, "IA32_S_CET"},
    {0x6a4, 5, ANY, "IA32_PLn_SSP or IA32_INTERRUPT_SSP_TABLE_ADDR"},
    {0x770, 1, ANY, "IA32_PM_ENABLE"},
    {0x774, 1, ANY, "IA32_HWP_REQUEST"},
    {0xda0, 1, ANY, "IA32_XSS"},
    {0x14ce, 1, RECORDER, "IA32_LBR_CTL"},
    {0xc0000080, 1, ANY, "IA32_EFER"},
    {0xc0000081, 4, ANY, "IA32_STAR, LSTAR, CSTAR or FMASK"},
    {0xc0000102, 1, ANY, "IA32_KERNEL_GS_BASE"},
    {0xc0000103, 1, ANY, "IA32_TSC_AUX"},
};

/* The local APIC's, in the order in which they are put back: while it is switched off by software
 * every entry of the LVT is masked. `entries`: Max LVT Entry must be so large, at least. SDM 3A,
 * "Local Vector Table". */
static const struct {
    uint32_t offset, ignored;
    unsigned entries;
    bool xapic_alone;
    const char *name;
} apic_rows[] = {
    {APIC_SPURIOUS, 0, 0, false, "local APIC, Spurious-Interrupt Vector Register"},
    {APIC_PRIORITY, 0, 0, false, "local APIC, Task Priority Register"},
    {0x0d0, 0, 0, true, "local APIC, Logical Destination Register"},
    {0x0e0, 0, 0, true, "local APIC, Destination Format Register"},
    {0x2f0, LVT_STATE, 6, false, "local APIC, LVT CMCI Register"},
    {APIC_TIMER, LVT_STATE, 0, false, "local APIC, LVT Timer Register"},
    {0x330, LVT_STATE, 5, false, "local APIC, LVT Thermal Sensor Register"},
    {APIC_PERFORMANCE, LVT_STATE, 4, false, "local APIC, LVT Performance Counter Register"},
    {0x350, LVT_STATE, 0, false, "local APIC, LVT LINT0 Register"},
    {0x360, LVT_STATE, 0, false, "local APIC, LVT LINT1 Register"},
    {0x370, LVT_STATE, 0, false, "local APIC, LVT Error Register"},
    {APIC_TIMER_DIVIDE, 0, 0, false, "local APIC, Divide Configuration Register"},
};
/* clang-format on */
_Static_assert(COUNT_OF(apic_rows) == CHANGES_APIC, "a word for each");

void cell_note(struct cell *cell, const struct cell_change *change)
{
    struct cell_report *report = &cell->report;
    unsigned kept = report->change_count < CELL_CHANGES ? report->change_count : CELL_CHANGES;

    for (unsigned i = 0; i < kept; i++)
        if (report->changes[i].msr == change->msr && report->changes[i].name == change->name) {
            report->changes[i].back &= change->back;
            return;
        }
    if (report->change_count < CELL_CHANGES)
        report->changes[report->change_count] = *change;
    report->change_count++;
}

/* ---- MSRs ---- */

static bool is_family_6(void)
{
    return (cpuid_read(1, 0).eax >> 8 & 0xf) == 6;
}

/* Calls `each` for every register of the table, with its place in struct changes. */
static void for_each(struct cell *cell, void (*each)(struct cell *cell, const struct row *row,
                                                     uint32_t msr, unsigned place))
{
    unsigned place = 0;

    for (unsigned i = 0; i < COUNT_OF(rows); i++)
        for (uint32_t k = 0; k < rows[i].count && place < CHANGES_MSRS; k++)
            each(cell, &rows[i], rows[i].first + k, place++);
}

static void find(struct cell *cell, const struct row *row, uint32_t msr, unsigned place)
{
    struct changes *found = &cell->changes;

    found->present[place] =
        (row->kind != FAMILY_6 || is_family_6()) && msr_read(msr, &found->msr[place]);
}

static void find_again(struct cell *cell, const struct row *row, uint32_t msr, unsigned place)
{
    if (row->kind == RECORDER && cell->changes.present[place])
        (void)msr_read(msr, &cell->changes.msr[place]);
}

static void compare(struct cell *cell, const struct row *row, uint32_t msr, unsigned place)
{
    struct cell_change change = {.name = row->name, .msr = msr, .was = cell->changes.msr[place]};
    uint64_t now;

    if (!cell->changes.present[place] || (msr_read(msr, &change.is) && change.is == change.was))
        return;
    change.back = msr_write(msr, change.was) && msr_read(msr, &now) && now == change.was;
    cell_note(cell, &change);
}

/* ---- the local APIC ---- */

static bool has_apic_row(unsigned row)
{
    return !(apic_is_x2() && apic_rows[row].xapic_alone) &&
           (apic_read(APIC_VERSION) >> 16 & 0xff) >= apic_rows[row].entries;
}

static void read_apic(struct changes *found)
{
    found->apic_base = plain_rdmsr(IA32_APIC_BASE);
    for (unsigned i = 0; i < CHANGES_APIC; i++)
        if (has_apic_row(i))
            found->apic[i] = apic_read(apic_rows[i].offset);
}

/* "x2APIC State Transitions": from x2APIC mode to xAPIC mode only through the disabled state, and
 * from there only to xAPIC mode. */
static void write_base(uint64_t was, uint64_t now)
{
    if (now & APIC_BASE_X2 && !(was & APIC_BASE_X2))
        (void)msr_write(IA32_APIC_BASE, was & ~(APIC_BASE_X2 | APIC_BASE_ENABLE));
    if (!(now & APIC_BASE_ENABLE) && was & APIC_BASE_X2)
        (void)msr_write(IA32_APIC_BASE, was & ~APIC_BASE_X2);
    (void)msr_write(IA32_APIC_BASE, was);
}

/* False: it does not come back, and must not be used. Some processors of old need a reset then. */
static bool put_back_base(struct cell *cell, bool *changed)
{
    struct cell_change change = {
        .name = "IA32_APIC_BASE", .msr = IA32_APIC_BASE, .was = cell->changes.apic_base};

    change.is = plain_rdmsr(IA32_APIC_BASE);
    *changed = change.is != change.was;
    if (!*changed)
        return true;
    write_base(change.was, change.is);
    change.back = plain_rdmsr(IA32_APIC_BASE) == change.was;
    cell_note(cell, &change);
    return change.back;
}

/* Its other registers: after it was switched off they are as at a reset. */
static void put_back_apic(struct cell *cell, bool was_reset)
{
    for (unsigned i = 0; i < CHANGES_APIC; i++) {
        const uint32_t offset = apic_rows[i].offset, mask = ~apic_rows[i].ignored;
        struct cell_change change = {
            .name = apic_rows[i].name, .msr = offset, .was = cell->changes.apic[i] & mask};

        if (!has_apic_row(i))
            continue;
        change.is = apic_read(offset) & mask;
        if (change.is == change.was)
            continue;
        apic_write(offset, (uint32_t)change.was);
        change.back = (apic_read(offset) & mask) == change.was;
        if (!was_reset || !change.back)
            cell_note(cell, &change);
    }
}

/* What is pending before a run stays so: the image holds back all vectors but its own, and devices
 * are the firmware's. */
static void learn_pending(struct changes *found)
{
    for (unsigned i = 0; i < COUNT_OF(found->pending); i++)
        found->pending[i] |= apic_read(APIC_REQUESTS + 0x10 * i);
}

static void note_vector(struct cell *cell, unsigned vector)
{
    cell_note(cell,
              &(struct cell_change){
                  .name = "pending interrupts: vector", .msr = vector, .is = vector, .back = true});
}

/* An interrupt that the code sent to its own core would reach the firmware's handlers, which know
 * nothing of it. It is taken here, unless one of a device would be taken with it. */
static void take_pending(struct cell *cell)
{
    const struct changes *found = &cell->changes;
    const unsigned device = cell->timer & 0xff; /* the firmware's timer's vector */
    unsigned count = 0, devices = 0;
    const uint32_t priority = apic_read(APIC_PRIORITY);

    for (unsigned vector = VECTOR_FIRST_INTERRUPT; vector < VECTOR_WAKE; vector++) {
        const bool is_pending = apic_read(APIC_REQUESTS + 0x10 * (vector / 32)) >> vector % 32 & 1;

        if (!is_pending)
            continue;
        if (vector == device || found->pending[vector / 32] >> vector % 32 & 1) {
            devices++;
            continue;
        }
        note_vector(cell, vector);
        count++;
    }
    if (count == 0 || devices > 0)
        return;
    apic_write(APIC_PRIORITY, 0);
    for (unsigned i = 0; i < count; i++)
        take_interrupts();
    apic_write(APIC_PRIORITY, priority);
}

/* ---- the time stamp counter ---- */

/* What the run took by the timer that ends it, in ticks of the TSC; false: that cannot be told. */
static bool timed(const struct cell *cell, uint64_t *ticks)
{
    const uint32_t left = apic_read(APIC_TIMER_CURRENT);

    *ticks =
        (uint64_t)(cell->armed - left) * DIVIDER * 1000 / apic_timer_rate() * clock_ticks_per_us();
    return left != 0 && left <= cell->armed;
}

/* Without IA32_TSC_ADJUST, to which each write of the TSC adds what it moves it by: the counter is
 * put back to what the timer makes of it, as far as the timer tells the time. */
static void compare_tsc(struct cell *cell, bool timer_ran)
{
    const uint64_t now = clock_now(), went = now - cell->changes.tsc;
    const uint64_t most = 2 * (uint64_t)cell->code.deadline_us * clock_ticks_per_us();
    uint64_t took = 0;
    const bool known = timer_ran && timed(cell, &took);
    const uint64_t off = went > took ? went - took : took - went;
    const uint64_t allowed = took / 16 + 100 * clock_ticks_per_us();

    if (known ? (int64_t)went >= 0 && off <= allowed : went <= most + allowed)
        return;
    cell_note(cell, &(struct cell_change){.name = "the time stamp counter",
                                          .msr = IA32_TSC,
                                          .was = cell->changes.tsc + took,
                                          .is = now,
                                          .back = msr_write(IA32_TSC, clock_now() - went + took) &&
                                                  known});
}

static void put_back_tsc(struct cell *cell, bool timer_ran)
{
    struct cell_change change = {.name = "IA32_TSC_ADJUST, and with it the time stamp counter",
                                 .msr = IA32_TSC_ADJUST,
                                 .was = cell->changes.tsc_adjust};
    uint64_t now;

    if (!cell->changes.has_adjust) {
        compare_tsc(cell, timer_ran);
        return;
    }
    if (msr_read(IA32_TSC_ADJUST, &change.is) && change.is == change.was)
        return;
    change.back = msr_write(IA32_TSC_ADJUST, change.was) && msr_read(IA32_TSC_ADJUST, &now) &&
                  now == change.was;
    cell_note(cell, &change);
}

/* ---- port 61H: NMIs, the speaker and its timer ---- */

static void put_back_port(struct cell *cell)
{
    struct cell_change change = {.name = "port 61H", .was = cell->changes.port_61};

    change.is = port_in(PORT_SYSTEM_CONTROL_B) & PORT_61_WRITABLE;
    if (change.is == change.was)
        return;
    port_out(PORT_SYSTEM_CONTROL_B, (uint8_t)change.was);
    change.back = (port_in(PORT_SYSTEM_CONTROL_B) & PORT_61_WRITABLE) == change.was;
    cell_note(cell, &change);
}

/* ---- */

void changes_open(struct cell *cell)
{
    for_each(cell, find);
    cell->changes.has_adjust = msr_read(IA32_TSC_ADJUST, &cell->changes.tsc_adjust);
    cell->changes.port_61 = port_in(PORT_SYSTEM_CONTROL_B) & PORT_61_WRITABLE;
}

void changes_before(struct cell *cell)
{
    for_each(cell, find_again);
    read_apic(&cell->changes);
    learn_pending(&cell->changes);
    cell->changes.tsc = clock_now();
}

void changes_after(struct cell *cell)
{
    bool base_changed;

    if (!put_back_base(cell, &base_changed)) {
        cell->apic_lost = true;
        return;
    }
    put_back_tsc(cell, !base_changed);
    put_back_apic(cell, base_changed);
    take_pending(cell);
    for_each(cell, compare);
    put_back_port(cell);
}
