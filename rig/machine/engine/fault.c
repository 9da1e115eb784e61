#include "fault.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/firmware.h"
#include "pmu/event_table.h"
#include "pmu/parameters.h"
#include "pmu/personality.h"

#define MILLION       1000000u
#define MOST_SMI_RATE 100u
#define MOST_PERCENT  1000

#define WINDOWS_ON_A_CORE " counting windows on a core\n"

/* ---- the command line ---- */

static bool number(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    *value = strtoull(text, &end, 10);
    return !*end && *value >= least && *value <= most;
}

/* "EVENT:P"; noise is not negative. */
static bool parse_lie(struct faults *faults, const char *text, bool noise)
{
    const char *colon = strrchr(text, ':');
    size_t length = colon != NULL ? (size_t)(colon - text) : 0;
    uint64_t percent;
    bool less;

    if (!length || length >= sizeof(faults->lie[0].event) || faults->lies == FAULT_EVENTS)
        return false;
    less = colon[1] == '-' && !noise;
    if (!number(colon + 1 + less, 1, less ? 100 : MOST_PERCENT, &percent))
        return false;
    memcpy(faults->lie[faults->lies].event, text, length);
    faults->lie[faults->lies].event[length] = '\0';
    faults->lie[faults->lies].noise = noise;
    faults->lie[faults->lies++].percent = less ? -(int)percent : (int)percent;
    return true;
}

/* "N:P", of one of so many counters */
static bool parse_counter(struct faults *faults, int16_t *lies, int counters, const char *text)
{
    const char *colon = strchr(text, ':');
    uint64_t percent;
    bool less;

    if (colon != text + 1 || *text < '0' || *text - '0' >= counters)
        return false;
    less = colon[1] == '-';
    if (!number(colon + 1 + less, 1, less ? 100 : MOST_PERCENT, &percent))
        return false;
    lies[*text - '0'] = (int16_t)(less ? -(int)percent : (int)percent);
    faults->lying_counter = true;
    return true;
}

/* In C's notation. */
static bool parse_gone(struct faults *faults, const char *text)
{
    char *end;
    const unsigned long msr = strtoul(text, &end, 0);

    if (*text < '0' || *text > '9' || *end != '\0' || msr > UINT32_MAX ||
        faults->gone_count == FAULT_REGISTERS)
        return false;
    faults->gone[faults->gone_count++] = (uint32_t)msr;
    return true;
}

static bool parse_word(struct faults *faults, const char *text)
{
    if (strcmp(text, "throttle") == 0)
        faults->throttle = true;
    else if (strcmp(text, "metrics:down") == 0)
        faults->metrics = METRICS_DOWN;
    else if (strcmp(text, "metrics:up") == 0)
        faults->metrics = METRICS_UP;
    else if (strcmp(text, "msr:unguarded") == 0)
        faults->msr_unguarded = true;
    else if (strcmp(text, "pmi:lost") == 0)
        faults->pmi = PMI_LOST;
    else if (strcmp(text, "pmi:spurious") == 0)
        faults->pmi = PMI_SPURIOUS;
    else if (strcmp(text, "pmi:stuck") == 0)
        faults->pmi = PMI_STUCK;
    else if (strcmp(text, "serial:garble") == 0)
        faults->serial = SERIAL_GARBLE;
    else if (strcmp(text, "serial:drop") == 0)
        faults->serial = SERIAL_DROP;
    else if (strcmp(text, "stick:full") == 0)
        faults->stick = STICK_FULL;
    else if (strcmp(text, "stick:error") == 0)
        faults->stick = STICK_ERROR;
    else if (strcmp(text, "stick:rename") == 0)
        faults->stick = STICK_RENAME;
    else if (strcmp(text, "tsx") == 0)
        faults->tsx = true;
    else
        return false;
    return true;
}

/* "K-M" */
static bool parse_lies(struct faults *faults, const char *text)
{
    char *end;

    if (*text < '1' || *text > '9')
        return false;
    faults->lie_first = strtoull(text, &end, 10);
    return *end == '-' && number(end + 1, faults->lie_first, UINT64_MAX, &faults->lie_last);
}

static bool parse_processor(uint8_t *processors, const char *text)
{
    uint64_t value;

    if (!number(text, 1, FAULT_PROCESSORS - 1, &value))
        return false;
    processors[value / 8] |= (uint8_t)(1u << value % 8);
    return true;
}

/* "N:K:END" */
static bool parse_stuck(struct faults *faults, const char *text)
{
    static const char *const ends[] = {"nmi", "init", "never"};
    char *end = NULL;
    const unsigned long processor = strtoul(text, &end, 10);
    unsigned long long window = 0;

    if (*text >= '0' && *text <= '9' && *end == ':' && end[1] >= '0' && end[1] <= '9')
        window = strtoull(end + 1, &end, 10);
    if (!window || processor == 0 || processor >= FAULT_PROCESSORS || *end != ':' ||
        faults->stuck_count == FAULT_STUCK)
        return false;
    for (unsigned i = 0; i < 3; i++) {
        if (strcmp(end + 1, ends[i]) != 0)
            continue;
        faults->stuck[faults->stuck_count].processor = (unsigned)processor;
        faults->stuck[faults->stuck_count].window = window;
        faults->stuck[faults->stuck_count++].until = (enum stuck_until)(STUCK_UNTIL_NMI + i);
        return true;
    }
    return false;
}

/* A fault at a point. */
static bool parse_point(struct faults *faults, const char *text)
{
    struct points *points = &faults->points;
    struct fault_request *request = &points->request[points->count];

    if (points->count == FAULT_REQUESTS || !fault_request_read(request, text))
        return false;
    if (request->call[0] != '\0') {
        request->service = firmware_service(request->call);
        if (request->service < 0)
            return false;
    }
    points->count++;
    return true;
}

/* "RATE" or "RATE:SEED" */
static bool parse_smi(struct faults *faults, const char *text)
{
    char rate[4] = "";
    const size_t length = strcspn(text, ":");
    uint64_t value;

    if (length >= sizeof(rate))
        return false;
    memcpy(rate, text, length);
    if (!number(rate, 1, MOST_SMI_RATE, &value))
        return false;
    faults->smi_period = MILLION / value;
    return text[length] == '\0' || number(text + length + 1, 1, UINT32_MAX, &faults->smi_seed);
}

/* A core's own seed is this one and its number, and still no 0. */
#define MOST_WRONG_SEED (UINT32_MAX - FAULT_PROCESSORS)

bool fault_parse(struct faults *faults, const char *text)
{
    if (parse_point(faults, text))
        return true;
    if (strncmp(text, "gone:", 5) == 0)
        return parse_gone(faults, text + 5);
    if (strncmp(text, "count:", 6) == 0)
        return parse_lie(faults, text + 6, false);
    if (strncmp(text, "noise:", 6) == 0)
        return parse_lie(faults, text + 6, true);
    if (strncmp(text, "counter:", 8) == 0)
        return parse_counter(faults, faults->counter_lie, PMU_GP_MAX, text + 8);
    if (strncmp(text, "fixed:", 6) == 0)
        return parse_counter(faults, faults->fixed_lie, PMU_FIXED_MAX, text + 6);
    if (strncmp(text, "lies:", 5) == 0)
        return parse_lies(faults, text + 5);
    if (strncmp(text, "stick:room:", 11) == 0) {
        faults->stick = STICK_LIMITED;
        return number(text + 11, 1, UINT32_MAX, &faults->stick_room);
    }
    if (strncmp(text, "stick:largest:", 14) == 0)
        return number(text + 14, 1, UINT32_MAX, &faults->stick_largest);
    if (strncmp(text, "ap:", 3) == 0)
        return parse_processor(faults->silent, text + 3);
    if (strncmp(text, "ap-late:", 8) == 0)
        return parse_processor(faults->late, text + 8);
    if (strncmp(text, "stuck:", 6) == 0)
        return parse_stuck(faults, text + 6);
    if (strncmp(text, "slow:", 5) == 0)
        return number(text + 5, 100, 10000, &faults->slow_mhz);
    if (strncmp(text, "lesser:", 7) == 0)
        return parse_processor(faults->lesser, text + 7);
    if (strncmp(text, "clock:", 6) == 0) {
        faults->clock = true;
        return number(text + 6, 0, UINT32_MAX, &faults->clock_seed);
    }
    if (strncmp(text, "smi:", 4) == 0)
        return parse_smi(faults, text + 4);
    if (strncmp(text, "exits:", 6) == 0)
        return number(text + 6, 1, UINT32_MAX, &faults->exits_seed);
    if (strncmp(text, "wrongpath:", 10) == 0)
        return number(text + 10, 1, MOST_WRONG_SEED, &faults->wrong_seed);
    return parse_word(faults, text);
}

static bool has_event(const struct pmu_parameters *pmu, const char *name)
{
    const struct pmu_event *rows[EVENTS_MOST];
    const size_t count = event_rows(pmu->events, rows);

    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i]->name, name) == 0)
            return true;
    return false;
}

static bool has_fixed(const struct pmu_parameters *pmu, unsigned index)
{
    return index < pmu->fixed && !(pmu->fixed_absent >> index & 1);
}

/* What a request names that the machine does not have, with how many there are. */
static const char *check_points(const struct points *points, const struct personality *personality,
                                unsigned processors)
{
    static char problem[192];
    char what[64];
    const struct pmu_parameters *pmu = personality->pmu;

    for (unsigned i = 0; i < points->count; i++) {
        const struct fault_request *request = &points->request[i];
        const enum act act = request->row->act;

        if ((act == ACT_COUNTER || act == ACT_FIXED || act == ACT_PMI_STORM) && pmu->kind != NULL)
            snprintf(what, sizeof(what), "counters of this kind are not played");
        else if (act == ACT_COUNTER && request->number >= pmu->gp_alone)
            snprintf(what, sizeof(what), "there are %u general counters", pmu->gp_alone);
        else if (act == ACT_FIXED && !has_fixed(pmu, request->number))
            snprintf(what, sizeof(what), "there are %u fixed counters", pmu->fixed);
        else if (act == ACT_BANK && request->bank >= MACHINE_CHECK_BANKS)
            snprintf(what, sizeof(what), "there are %u banks", MACHINE_CHECK_BANKS);
        else if (request->core >= processors)
            snprintf(what, sizeof(what), "there are %u processors", processors);
        else
            continue;
        snprintf(problem, sizeof(problem), "--fault %.100s: %s", request->text, what);
        return problem;
    }
    return NULL;
}

/* The parts from Skylake to Coffee Lake, and no others, have this version of the counters. */
#define TSX_VERSION 4u

const char *fault_check(const struct faults *faults, const struct personality *personality,
                        unsigned processors)
{
    for (unsigned i = processors; i < FAULT_PROCESSORS; i++)
        if ((faults->silent[i / 8] | faults->late[i / 8] | faults->lesser[i / 8]) >> i % 8 & 1)
            return "--fault ap, lesser: there is no such processor";
    for (unsigned i = 0; i < faults->stuck_count; i++)
        if (faults->stuck[i].processor >= processors)
            return "--fault stuck: there is no such processor";
    for (unsigned i = 0; i < faults->lies; i++)
        if (!has_event(personality->pmu, faults->lie[i].event))
            return "--fault count, noise: this processor has no such event";
    if (faults->lie_last > 0 && !faults->lies && !faults->lying_counter)
        return "--fault lies: no count, noise, counter or fixed is given";
    for (unsigned i = personality->pmu->gp_alone; i < PMU_GP_MAX; i++)
        if (faults->counter_lie[i] != 0)
            return "--fault counter: this processor has no such counter";
    for (unsigned i = 0; i < PMU_FIXED_MAX; i++)
        if (faults->fixed_lie[i] != 0 && !has_fixed(personality->pmu, i))
            return "--fault fixed: this processor has no such counter";
    if (faults->metrics != METRICS_NEAREST && !personality->pmu->metrics)
        return "--fault metrics: this processor has no PERF_METRICS";
    if (faults->tsx && (personality->pmu->version != TSX_VERSION || personality->pmu->recorded))
        return "--fault tsx: no microcode takes a counter of this processor";
    return check_points(&faults->points, personality, processors);
}

bool fault_report_beyond(const struct faults *faults, const uint64_t *windows, unsigned processors,
                         FILE *out)
{
    uint64_t most = 0;
    bool any = false;

    for (unsigned i = 0; i < processors; i++)
        most = windows[i] > most ? windows[i] : most;
    if (faults->lie_first > most) {
        fprintf(out, "rig: lies:%" PRIu64 "-%" PRIu64 ": the run had %" PRIu64 WINDOWS_ON_A_CORE,
                faults->lie_first, faults->lie_last, most);
        any = true;
    }
    for (unsigned i = 0; i < faults->stuck_count; i++) {
        const unsigned processor = faults->stuck[i].processor;

        if (faults->stuck[i].window <= windows[processor])
            continue;
        fprintf(out, "rig: stuck:%u:%" PRIu64 ": the run had %" PRIu64 WINDOWS_ON_A_CORE, processor,
                faults->stuck[i].window, windows[processor]);
        any = true;
    }
    return any;
}

bool fault_silences(const struct faults *faults, unsigned processor, unsigned inits)
{
    const unsigned byte = processor / 8, bit = processor % 8;

    return faults->silent[byte] >> bit & 1 || (inits < 2 && faults->late[byte] >> bit & 1);
}

enum stuck_until fault_stuck(const struct faults *faults, unsigned processor, uint64_t window)
{
    for (unsigned i = 0; i < faults->stuck_count; i++)
        if (faults->stuck[i].processor == processor && faults->stuck[i].window == window)
            return faults->stuck[i].until;
    return STUCK_NOT;
}
