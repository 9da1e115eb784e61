#include "boot/machine/pmi.h"
#include "tests/unit/seams.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

#include "boot/cell/cell.h"
#include "boot/clock.h"
#include "boot/machine/interrupt.h"
#include "boot/machine/nap.h"
#include "boot/log.h"
#include "boot/machine/apic.h"
#include "boot/msr.h"

enum access { ABSENT, NORMAL, READONLY, IGNORES };

static struct {
    struct {
        uint32_t msr;
        uint64_t value;
        enum access access;
    } registers[SEAM_REGISTERS];
    unsigned register_count;
    unsigned write_count;
    struct {
        uint32_t index;
        uint64_t value;
    } counters[64];
    unsigned counter_count;
    unsigned right_readings, flipped_readings; /* of RDPMC, from now on */
    struct {
        uint32_t leaf, subleaf;
        struct cpuid value;
    } leaves[128];
    unsigned leaf_count;
    uint64_t now, step, xcr0;
    bool rate_unknown;
    bool (*value_at)(uint32_t msr, uint64_t now, uint64_t *value);
    bool (*answer)(void *context);
    void *answer_context;
    bool blocked;
    unsigned interrupts;
    uint64_t stray_nmis, napped;
    bool no_timer;
    size_t console_length;
    enum log_form form; /* whose lines the console shows */
} seams;
/* Apart, since a fuzz driver resets everything for each of its inputs: only what was used. */
static char console[SEAM_CONSOLE];
static struct seam_write all_writes[SEAM_WRITES];

static void collect(enum log_form form, const char *line, size_t length)
{
    if (form != seams.form)
        return;
    assert(seams.console_length + length < SEAM_CONSOLE);
    memcpy(console + seams.console_length, line, length);
    seams.console_length += length;
}

void seams_reset(void)
{
    memset(console, 0, seams.console_length);
    memset(&seams, 0, sizeof(seams));
    seams.step = 1;
    seams.form = LOG_FULL;
    seam_log_flush(NULL);
}

void seam_log_flush(void (*flush)(bool urgent))
{
    log_set_sink(&(struct log_sink){.send = collect, .flush = flush});
}

void seam_log_form(enum log_form form)
{
    seams.form = form;
}

static unsigned find_register(uint32_t msr)
{
    unsigned i = 0;

    while (i < seams.register_count && seams.registers[i].msr != msr)
        i++;
    return i;
}

static void set_register(uint32_t msr, uint64_t value, enum access access)
{
    unsigned i = find_register(msr);

    assert(i < SEAM_REGISTERS);
    if (i == seams.register_count)
        seams.register_count++;
    seams.registers[i].msr = msr;
    seams.registers[i].value = value;
    seams.registers[i].access = access;
}

void seam_msr(uint32_t msr, uint64_t value)
{
    set_register(msr, value, NORMAL);
}

void seam_msr_readonly(uint32_t msr, uint64_t value)
{
    set_register(msr, value, READONLY);
}

void seam_msr_ignores(uint32_t msr, uint64_t value)
{
    set_register(msr, value, IGNORES);
}

void seam_msr_absent(uint32_t msr)
{
    set_register(msr, 0, ABSENT);
}

bool seam_msr_value(uint32_t msr, uint64_t *value)
{
    return msr_read(msr, value);
}

unsigned seam_writes(const struct seam_write **writes)
{
    *writes = all_writes;
    return seams.write_count;
}

bool msr_read(uint32_t msr, uint64_t *value)
{
    unsigned i = find_register(msr);

    if (seams.value_at != NULL && seams.value_at(msr, seams.now, value))
        return true;
    if (i == seams.register_count || seams.registers[i].access == ABSENT)
        return false;
    *value = seams.registers[i].value;
    return true;
}

void seam_msr_at(bool (*value_at)(uint32_t msr, uint64_t now, uint64_t *value))
{
    seams.value_at = value_at;
}

bool msr_write(uint32_t msr, uint64_t value)
{
    unsigned i = find_register(msr);

    if (i == seams.register_count || seams.registers[i].access == ABSENT ||
        seams.registers[i].access == READONLY)
        return false;
    if (seams.registers[i].access == NORMAL)
        seams.registers[i].value = value;
    assert(seams.write_count < SEAM_WRITES);
    all_writes[seams.write_count++] = (struct seam_write){msr, value};
    return true;
}

void seam_rdpmc(uint32_t index, uint64_t value)
{
    unsigned i = 0;

    while (i < seams.counter_count && seams.counters[i].index != index)
        i++;
    assert(i < sizeof(seams.counters) / sizeof(seams.counters[0]));
    if (i == seams.counter_count)
        seams.counter_count++;
    seams.counters[i].index = index;
    seams.counters[i].value = value;
}

void seam_rdpmc_flips(unsigned first, unsigned count)
{
    seams.right_readings = first - 1;
    seams.flipped_readings = count;
}

static uint64_t flipped(uint64_t value)
{
    if (seams.right_readings > 0)
        seams.right_readings--;
    else if (seams.flipped_readings > 0)
        value ^= 1ull << (4 + --seams.flipped_readings);
    return value;
}

bool rdpmc_read(uint32_t index, uint64_t *value)
{
    for (unsigned i = 0; i < seams.counter_count; i++)
        if (seams.counters[i].index == index) {
            *value = flipped(seams.counters[i].value);
            return true;
        }
    return false;
}

void seam_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t eax, uint32_t ebx, uint32_t ecx,
                uint32_t edx)
{
    unsigned i = 0;

    while (i < seams.leaf_count &&
           (seams.leaves[i].leaf != leaf || seams.leaves[i].subleaf != subleaf))
        i++;
    assert(i < sizeof(seams.leaves) / sizeof(seams.leaves[0]));
    if (i == seams.leaf_count)
        seams.leaf_count++;
    seams.leaves[i].leaf = leaf;
    seams.leaves[i].subleaf = subleaf;
    seams.leaves[i].value = (struct cpuid){eax, ebx, ecx, edx};
}

struct cpuid cpuid_read(uint32_t leaf, uint32_t subleaf)
{
    for (unsigned i = 0; i < seams.leaf_count; i++)
        if (seams.leaves[i].leaf == leaf && seams.leaves[i].subleaf == subleaf)
            return seams.leaves[i].value;
    return (struct cpuid){0};
}

void seam_xcr0(uint64_t value)
{
    seams.xcr0 = value;
}

uint64_t xcr0_read(void)
{
    return seams.xcr0;
}

void seam_clock(uint64_t now, uint64_t step)
{
    seams.now = now;
    seams.step = step;
}

uint64_t clock_now(void)
{
    uint64_t now = seams.now;

    seams.now += seams.step;
    return now;
}

uint64_t clock_ticks_per_us(void)
{
    return 1000;
}

void seam_block_interrupts(bool blocked)
{
    seams.blocked = blocked;
}

void seam_stray_nmis(uint64_t count)
{
    seams.stray_nmis = count;
}

uint64_t interrupt_strays(void)
{
    return seams.stray_nmis;
}

unsigned seam_interrupts(void)
{
    return seams.interrupts;
}

void interrupt_answer(bool (*answer)(void *context), void *context)
{
    seams.answer = answer;
    seams.answer_context = context;
}

const char *clock_trouble(void)
{
    return NULL;
}

void seam_clock_unknown(bool unknown)
{
    seams.rate_unknown = unknown;
}

const char *clock_source(void)
{
    return seams.rate_unknown ? NULL : "CPUID 15H";
}

bool apic_masks_pmi(void)
{
    return true;
}

bool nap_begin(unsigned core)
{
    (void)core;
    return !seams.no_timer;
}

void nap_take(uint64_t ticks)
{
    seams.now += ticks;
    seams.napped += ticks;
}

void nap_end(unsigned core)
{
    (void)core;
}

void seam_no_timer(bool none)
{
    seams.no_timer = none;
}

uint64_t seam_napped(void)
{
    return seams.napped;
}

enum rc interrupt_core(unsigned core)
{
    (void)core;
    seams.interrupts++;
    if (!seams.blocked && seams.answer != NULL)
        seams.answer(seams.answer_context);
    return RC_OK;
}

const char *seam_console(void)
{
    return console;
}

/* --- interrupts of counters --- */

const char *pmi_open(struct pmi_program *program, enum pmi_delivery delivery)
{
    (void)program;
    (void)delivery;
    return "a host has no local APIC";
}

void pmi_mask(struct pmi_program *program, bool masked)
{
    (void)program;
    (void)masked;
}

void pmi_rearm(const struct pmi_program *program)
{
    (void)program;
}

bool pmi_close(void)
{
    return true;
}

/* --- a cell --------------------------------------------------------------------------------- */

/* It runs nothing: the calls are counted, and the one that seam_cell names does not come
 * back. */
struct cell {
    struct cell_report report;
};
static struct {
    struct cell cell;
    unsigned calls, fails_at, interrupts_from;
} played;

struct cell *seam_cell(unsigned fails_at)
{
    played.calls = 0;
    played.fails_at = fails_at;
    played.interrupts_from = UINT_MAX;
    played.cell.report = (struct cell_report){.end = CELL_RETURNED};
    return &played.cell;
}

unsigned seam_cell_calls(void)
{
    return played.calls;
}

void seam_cell_interrupts(unsigned from)
{
    played.interrupts_from = from;
}

const char *cell_open(struct cell *cell)
{
    cell->report.end = CELL_RETURNED;
    return NULL;
}

static bool run_played(struct cell *cell, uint64_t n)
{
    if (cell->report.end != CELL_RETURNED)
        return false;
    cell->report.n = n;
    if (++played.calls == played.fails_at)
        cell->report.end = CELL_TRAPPED;
    return cell->report.end == CELL_RETURNED;
}

bool cell_try(struct cell *cell, uint64_t n)
{
    return run_played(cell, n);
}

bool cell_run(struct cell *cell, uint64_t n, const struct cell_counting *counting)
{
    (void)counting;
    return run_played(cell, n);
}

bool cell_disturbed(const struct cell *cell)
{
    (void)cell;
    return played.calls >= played.interrupts_from;
}

void cell_note(struct cell *cell, const struct cell_change *change)
{
    cell->report.changes[0] = *change;
    cell->report.change_count++;
}

void cell_close(void)
{
}

const struct cell_report *cell_report(const struct cell *cell)
{
    return &cell->report;
}
