#include "guard.h"

#include "boot/clock.h"
#include "boot/cpu.h"
#include "boot/machine/interrupt.h"
#include "boot/msr.h"
#include "boot/text.h"
#include "pmu/every_counter.h"
#include "pmu/registers.h"

/* SDM volume 4, "Architectural MSRs" and, for MSR_SMI_COUNT, the tables of Nehalem and later. */
#define THERM_STATUS_FIELDS(F)                                                                     \
    F(THERM_STATUS_NOW, 0, 0)                                                                      \
    F(THERM_STATUS_LOG, 1, 1)                                                                      \
    F(PROCHOT_NOW, 2, 2)                                                                           \
    F(PROCHOT_LOG, 3, 3)                                                                           \
    F(CRITICAL_NOW, 4, 4)                                                                          \
    F(CRITICAL_LOG, 5, 5)
REGISTER(IA32_THERM_STATUS, 0x19c, THERM_STATUS_FIELDS) /* 3B, "Thermal Status Information" */

#define MCG_CAP_FIELDS(F) F(MCG_CAP_COUNT, 0, 7)
REGISTER(IA32_MCG_CAP, 0x179, MCG_CAP_FIELDS) /* 3B, "IA32_MCG_CAP MSR" */

#define MC_STATUS_FIELDS(F) F(MC_STATUS_VALID, 63, 63)
REGISTER(IA32_MC0_STATUS, 0x401, MC_STATUS_FIELDS) /* 3B, "IA32_MCi_STATUS MSRs"; bank i: + 4 i */

enum {
    MSR_SMI_COUNT = 0x34,
    IA32_MPERF = 0xe7,
    IA32_APERF = 0xe8,
    IA32_PACKAGE_THERM_STATUS = 0x1b1, /* the bits of IA32_THERM_STATUS, for the package */
};

/* By how much the readings of APERF and MPERF may be off, in ticks: the time from one to the other
 * is not the same each time. */
#define READING_TOLERANCE 50.0

/* What runs around a window, between the readings of the clocks, is some WRMSRs and RDMSRs. That it
 * takes at most four times as long as the shortest time seen, and 2,000 ticks, is a guess: code
 * that has to come from memory, and registers that a hypervisor plays. */
#define AROUND_TIMES 4u
#define AROUND_TICKS 2000u
/* The counter of reference cycles may advance by steps of so many: see pmu/every_counter.h.
 */
#define REFERENCE_STEP 160u

#define UNREADABLE UINT64_MAX

#define LOOK_US            50u
#define KNOWN_LOOKS        2u
#define STEADY_LOOKS       40u /* 2 ms */
#define STEADY_DEADLINE_US 20000u

static const char *const names[GUARD_KINDS] = {
    "smi",           "frequency", "thermal", "package_thermal",
    "machine_check", "nmi",       "cycles",  "interrupt"};

const char *guard_name(enum guard guard)
{
    return names[guard];
}

/* A bank that cannot be read sees nothing, and the `guard` record of the core names it. */
static void probe_banks(struct core_guards *guards, unsigned banks)
{
    unsigned readable = 0;

    guards->banks = banks < GUARD_BANKS ? banks : GUARD_BANKS;
    guards->banks_beyond = banks - guards->banks;
    for (unsigned i = 0; i < guards->banks; i++) {
        if (msr_read(IA32_MC0_STATUS + 4 * i, &guards->bank_status[i]))
            readable++;
        else
            guards->bank_absent |= 1u << i;
    }
    if (banks == 0)
        guards->absent[GUARD_MACHINE_CHECK] = "no machine check bank";
    else if (readable == 0)
        guards->absent[GUARD_MACHINE_CHECK] = "every machine check bank faults";
}

/* On Knights Landing and Knights Mill (06_57, 06_85) the two clocks count every 1024th cycle, as
 * turbostat knows: too coarse for a window. */
void guards_probe(struct core_guards *guards, const struct facts *facts)
{
    uint64_t value;

    memset(guards, 0, sizeof(*guards));
    if (!facts->intel)
        guards->absent[GUARD_SMI] = "MSR_SMI_COUNT is Intel's";
    else if (!msr_read(MSR_SMI_COUNT, &value))
        guards->absent[GUARD_SMI] = "MSR_SMI_COUNT faults";
    if (facts->family == 6 && (facts->model == 0x57 || facts->model == 0x85))
        guards->absent[GUARD_FREQUENCY] = "IA32_APERF and IA32_MPERF count in steps of 1024";
    else if (!facts->aperf_mperf)
        guards->absent[GUARD_FREQUENCY] = "CPUID names no IA32_APERF and IA32_MPERF";
    else if (!msr_read(IA32_APERF, &value) || !msr_read(IA32_MPERF, &value))
        guards->absent[GUARD_FREQUENCY] = "IA32_APERF or IA32_MPERF faults";
    guards->absent[GUARD_CYCLES] = guards->absent[GUARD_FREQUENCY];
    if (!facts->thermal)
        guards->absent[GUARD_THERMAL] = guards->absent[GUARD_PACKAGE_THERMAL] =
            "CPUID names no thermal sensor";
    else if (!msr_read(IA32_THERM_STATUS, &value))
        guards->absent[GUARD_THERMAL] = "IA32_THERM_STATUS faults";
    if (facts->thermal && !msr_read(IA32_PACKAGE_THERM_STATUS, &value))
        guards->absent[GUARD_PACKAGE_THERMAL] = "IA32_PACKAGE_THERM_STATUS faults";
    if (!msr_read(IA32_MCG_CAP, &value)) {
        guards->absent[GUARD_MACHINE_CHECK] = "IA32_MCG_CAP faults";
        return;
    }
    probe_banks(guards, (unsigned)field_get(value, MCG_CAP_COUNT));
}

/* A register that could be read in the probe and faults now reads as all ones, which every guard
 * takes for a disturbance. */
static uint64_t read_or_ones(uint32_t msr)
{
    uint64_t value;

    return msr_read(msr, &value) ? value : UNREADABLE;
}

/* Twice, and the second reading counts: the code between the two registers may have to come from
 * memory at the first, and then they are hundreds of ticks further apart than at all later ones. */
static void read_clocks(struct guard_sample *sample)
{
    for (unsigned i = 0; i < 2; i++) {
        sample->aperf = read_or_ones(IA32_APERF);
        sample->mperf = read_or_ones(IA32_MPERF);
    }
}

static void guards_sample(const struct core_guards *guards, struct guard_sample *sample)
{
    memset(sample, 0, sizeof(*sample));
    if (guards->absent[GUARD_FREQUENCY] == NULL)
        read_clocks(sample);
    if (guards->absent[GUARD_SMI] == NULL)
        sample->smi = read_or_ones(MSR_SMI_COUNT);
    if (guards->absent[GUARD_THERMAL] == NULL)
        sample->thermal = read_or_ones(IA32_THERM_STATUS);
    if (guards->absent[GUARD_PACKAGE_THERMAL] == NULL)
        sample->package = read_or_ones(IA32_PACKAGE_THERM_STATUS);
    sample->nmis = interrupt_strays();
}

/* The banks' status too, which nothing clears before a window. */
static void sample_end(struct core_guards *guards, struct guard_sample *sample)
{
    guards_sample(guards, sample);
    for (unsigned i = 0; i < guards->banks; i++) {
        uint64_t status = 0;

        if (guards->bank_absent >> i & 1)
            continue;
        if (!msr_read(IA32_MC0_STATUS + 4 * i, &status)) {
            sample->machine_check = true; /* what it holds now nobody knows */
            continue;
        }
        if (status == guards->bank_status[i])
            continue;
        guards->bank_status[i] = status;
        if (field_get(status, MC_STATUS_VALID) != 0)
            sample->machine_check = true;
    }
}

#define LOG_BITS (field_mask(THERM_STATUS_LOG) | field_mask(PROCHOT_LOG) | field_mask(CRITICAL_LOG))

/* Throttling now, or logged since the first sample. The log bits stay set until software clears
 * them, which is left to the system's owner. */
static bool throttled(uint64_t before, uint64_t after)
{
    const uint64_t now =
        field_mask(THERM_STATUS_NOW) | field_mask(PROCHOT_NOW) | field_mask(CRITICAL_NOW);

    return ((before | after) & now) != 0 || (after & ~before & LOG_BITS) != 0;
}

bool guard_frequency_moved(const struct guard_clock *first, const struct guard_clock *clock)
{
    double expected = (double)first->aperf * (double)clock->mperf;
    double found = (double)clock->aperf * (double)first->mperf;
    double moved = found > expected ? found - expected : expected - found;
    double tolerance = READING_TOLERANCE * ((double)first->aperf + (double)first->mperf +
                                            (double)clock->aperf + (double)clock->mperf);

    return moved > 0.02 * expected && moved > tolerance;
}

/* ---- A steady frequency ---- */

/* What the clocks count until the deadline. */
static struct guard_clock clock_until(struct deadline deadline)
{
    struct guard_sample before, after;

    read_clocks(&before);
    while (!clock_passed(&deadline))
        for (unsigned i = 0; i < 16; i++)
            pause();
    read_clocks(&after);
    return (struct guard_clock){after.aperf - before.aperf, after.mperf - before.mperf};
}

static unsigned looks_needed(const struct core_guards *guards, const struct guard_clock *clock)
{
    const bool known = guards->steady.mperf != 0 && !guard_frequency_moved(&guards->steady, clock);

    return known ? KNOWN_LOOKS : STEADY_LOOKS;
}

void guards_forget_frequency(struct core_guards *guards)
{
    guards->first = guards->moved = (struct guard_clock){0, 0};
}

void guards_begin(struct core_guards *guards)
{
    struct deadline deadline = clock_deadline(STEADY_DEADLINE_US);
    struct guard_clock same = {0, 0};
    unsigned found = 0;

    guards_forget_frequency(guards);
    guards->is_steady = false;
    if (guards->absent[GUARD_FREQUENCY] != NULL)
        return;
    while (found == 0 || found < looks_needed(guards, &same)) {
        const struct guard_clock now = clock_until(clock_deadline(LOOK_US));

        if (clock_passed(&deadline))
            return;
        if (found == 0 || guard_frequency_moved(&same, &now)) {
            same = now;
            found = 0;
        }
        found++;
    }
    guards->steady = same;
    guards->is_steady = true;
}

/* ---- Verdict of a window ---- */

/* Notes the first window's frequency, or another one that the window before had too. */
static bool frequency_disturbed(struct core_guards *guards, const struct guard_clock *clock)
{
    if (guards->first.mperf == 0 ||
        (guards->moved.mperf != 0 && !guard_frequency_moved(&guards->moved, clock)))
        guards->first = *clock;
    guards->moved = (struct guard_clock){0, 0};
    if (!guard_frequency_moved(&guards->first, clock))
        return false;
    guards->moved = *clock;
    return true;
}

static bool is_unreadable(const struct guard_sample *sample)
{
    return sample->aperf == UNREADABLE || sample->mperf == UNREADABLE;
}

static void note_logged(struct core_guards *guards, enum guard guard, uint64_t status)
{
    if (guards->absent[guard] == NULL && status != UNREADABLE && (status & LOG_BITS) != 0)
        guards->logged |= 1u << guard;
}

static enum guard judge(struct core_guards *guards, const struct guard_sample *before,
                        const struct guard_sample *after)
{
    const struct guard_clock clock = {after->aperf - before->aperf, after->mperf - before->mperf};

    note_logged(guards, GUARD_THERMAL, before->thermal);
    note_logged(guards, GUARD_PACKAGE_THERMAL, before->package);
    if (after->smi != before->smi || after->smi == UNREADABLE)
        return GUARD_SMI;
    if (throttled(before->thermal, after->thermal))
        return GUARD_THERMAL;
    if (throttled(before->package, after->package))
        return GUARD_PACKAGE_THERMAL;
    if (after->machine_check)
        return GUARD_MACHINE_CHECK;
    if (after->nmis != before->nmis)
        return GUARD_NMI;
    if (guards->absent[GUARD_FREQUENCY] != NULL)
        return GUARD_CLEAN;
    if (is_unreadable(before) || is_unreadable(after))
        return GUARD_FREQUENCY;
    return frequency_disturbed(guards, &clock) ? GUARD_FREQUENCY : GUARD_CLEAN;
}

void guards_open(const struct core_guards *guards, struct guard_bracket *bracket)
{
    guards_sample(guards, &bracket->before);
}

enum guard guards_close(struct core_guards *guards, struct guard_bracket *bracket,
                        uint64_t own_nmis)
{
    sample_end(guards, &bracket->after);
    bracket->after.nmis -= own_nmis;
    return judge(guards, &bracket->before, &bracket->after);
}

/* ---- Counters against the clocks ---- */

static struct guard_clock clock_of(const struct guard_bracket *bracket)
{
    return (struct guard_clock){bracket->after.aperf - bracket->before.aperf,
                                bracket->after.mperf - bracket->before.mperf};
}

/* Whether the counter went on by more than the clock did. */
static bool is_more(uint64_t counted, uint64_t clock, uint64_t step)
{
    return counted > clock + clock / 50 + (uint64_t)READING_TOLERANCE + step;
}

/* Whether the clock went on by much more than the counter did; *around is the least of such
 * differences so far. */
static bool is_less(uint64_t counted, uint64_t clock, uint64_t *around)
{
    const uint64_t more = clock > counted ? clock - counted : 1;
    const uint64_t most = *around * AROUND_TIMES + AROUND_TICKS + clock / 50;

    if (*around != 0 && more > most)
        return true;
    if (*around == 0 || more < *around)
        *around = more;
    return false;
}

bool guards_ratio_off(const struct core_guards *guards, const struct guard_bracket *bracket,
                      const struct guard_counted *counted)
{
    const struct guard_clock clock = clock_of(bracket);
    uint64_t expected, tolerance;

    if (guards->absent[GUARD_CYCLES] != NULL || !guards->rates_agree || !counted->cycles_known ||
        !counted->reference_known || clock.aperf == 0 || clock.mperf == 0)
        return false;
    expected = every_counter_reference(counted->cycles, clock.mperf, clock.aperf);
    tolerance = every_counter_reference_tolerance(expected) + 2 * (uint64_t)READING_TOLERANCE;
    return counted->reference > expected + tolerance || expected > counted->reference + tolerance;
}

bool guards_miscounted(struct core_guards *guards, const struct guard_bracket *bracket,
                       const struct guard_counted *counted, bool alone)
{
    const struct guard_clock clock = clock_of(bracket);
    struct guard_clock *around = &guards->around;

    if (guards->absent[GUARD_CYCLES] != NULL)
        return false;
    if ((counted->cycles_known && is_more(counted->cycles, clock.aperf, 0)) ||
        (counted->reference_known && is_more(counted->reference, clock.mperf, REFERENCE_STEP)))
        return true;
    if (guards_ratio_off(guards, bracket, counted))
        return true;
    if (!alone)
        return false;
    return (counted->cycles_known && is_less(counted->cycles, clock.aperf, &around->aperf)) ||
           (counted->reference_known && is_less(counted->reference, clock.mperf, &around->mperf));
}

double guards_cycles_in(const struct core_guards *guards, const struct guard_bracket *bracket,
                        uint64_t ticks)
{
    const struct guard_clock clock = clock_of(bracket);

    if (guards->absent[GUARD_FREQUENCY] != NULL || is_unreadable(&bracket->before) ||
        is_unreadable(&bracket->after) || clock.mperf == 0)
        return 0;
    return (double)ticks * (double)clock.aperf / (double)clock.mperf;
}

bool guard_clocks_differ(double counted, double clocks, double share, double edge)
{
    const double apart = counted > clocks ? counted - clocks : clocks - counted;

    return clocks > 0 && apart > share * clocks + edge;
}
