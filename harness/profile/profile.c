#include "profile.h"

#include "calibrate.h"
#include "part.h"
#include "profile_raw.h"
#include "profile_share.h"

/* Of an entry's executed instructions, so many may be in blocks that no branch record times, or
 * have no latency. */
#define UNTIMED_SHARE 0.01
/* Of a block's timings, so many may be those of several blocks together. */
#define SHARED_SHARE 0.01
/* Cycle counts of branch records are whole numbers, and few of them are easily all the same. */
#define TIMINGS_AT_LEAST 30

static const char too_few[] = "there are too few samples";
static const char no_cycles[] = "the windows' cycles were not counted";
static const char no_instructions[] = "the windows' instructions were not counted";

struct making {
    const struct profile_method *method;
    const struct profile_totals *totals;
    struct profile *profile;
    struct raw raw;
    struct part executed, ran;        /* of the whole kernel */
    struct part instructions, cycles; /* of one entry, as parts of the kernel's */
};

/* What the branch records time is cycles for each execution that they show, so the whole of which
 * it is a part is the number of executions. */
static void sum_entry(struct making *making, struct profile_entry *entry)
{
    const struct raw *raw = &making->raw;
    const bool timed = making->method->cycles == CYCLES_BRANCH_RECORDS;

    part_sum(&making->instructions, raw, raw->executions, entry->first, entry->count);
    part_sum(&making->cycles, raw, raw->cycles, entry->first, entry->count);
    entry->sampled =
        (struct profile_sampled){making->instructions.of[RAW_ALL], making->cycles.of[RAW_ALL]};
    part_divide(&making->instructions, &making->executed);
    part_divide(&making->cycles, timed ? &making->executed : &making->ran);
}

/* --- cycles of an entry --- */

/* Why the branch records say nothing about the entry's cycles; null: they do. */
static const char *untimed(const struct making *making, const struct profile_entry *entry)
{
    const struct raw *raw = &making->raw;
    const double *executions = raw_row(raw, raw->executions, RAW_ALL);
    const struct branches *branches = making->method->branches;
    const struct kernel_map *map = raw->map;
    double all = 0, timed = 0;

    for (uint32_t i = entry->first; i < entry->first + entry->count; i++) {
        all += executions[i];
        if (raw_sum(branches->timed, map->block_count, map_instruction_at(map, i).block, RAW_ALL) >
            0)
            timed += executions[i];
    }
    return all - timed > UNTIMED_SHARE * all ? "no branch record has its cycles" : 0;
}

/* The same with what a block alone lacks, and with what is too little for an interval. */
static const char *badly_timed(const struct making *making, const struct profile_entry *entry,
                               enum profile_level level)
{
    const char *reason = level == PROFILE_INSTRUCTION ? "branch records have cycles of whole blocks"
                                                      : untimed(making, entry);

    if (reason)
        return reason;
    if (level == PROFILE_BLOCK && entry->split > SHARED_SHARE)
        return "branch records have its cycles together with those of other blocks";
    return entry->samples < TIMINGS_AT_LEAST ? too_few : 0;
}

static void time_by_records(const struct making *making, struct profile_entry *entry,
                            enum profile_level level)
{
    const char *reason = badly_timed(making, entry, level);

    if (reason) {
        entry->cycles = entry->cpi = estimated_absent(reason);
        return;
    }
    entry->cpi = part_ratio(&making->cycles, &making->instructions);
    entry->cycles = making->totals->instructions > 0
                        ? part_scaled(part_estimated(&making->cycles), making->totals->instructions)
                        : estimated_absent(no_instructions);
}

/* As a part of the kernel's cycles. */
static double slack_of(const struct making *making, const struct profile_entry *entry,
                       enum profile_level level)
{
    const struct moves *moves = &making->profile->moves;
    const double *shared[PROFILE_LEVELS] = {moves->moved, moves->crossed, moves->left};

    return moves_slack(moves, shared[level], entry->first, entry->count) / making->ran.of[RAW_ALL];
}

/* Lets the interval reach as far as the estimate may be wrong for that reason, and by how much the
 * kernel's cycles, to which the entries are scaled, differ from repeat to repeat. */
static void widen(struct estimated *estimated, double slack, const struct profile_totals *totals)
{
    if (estimated->reason)
        return;
    estimated->low = estimated->low > slack ? estimated->low - slack : 0;
    estimated->high += slack;
    if (totals->cycles_high > 0) {
        estimated->low *= totals->cycles_low / totals->cycles;
        estimated->high *= totals->cycles_high / totals->cycles;
    }
}

/* Why the latencies say nothing about the entry's cycles; null: they do, or there are none. */
static const char *without_latency(const struct making *making, const struct profile_entry *entry)
{
    const struct raw *raw = &making->raw;
    const struct addresses *addresses = making->method->cycles_at;
    const double *executions = raw_row(raw, raw->executions, RAW_ALL);
    double all = 0, timed = 0;

    for (uint32_t i = entry->first; raw->waited && i < entry->first + entry->count; i++) {
        all += executions[i];
        if (raw_sum(addresses->at, raw->map->instruction_count, i, RAW_ALL) > 0)
            timed += executions[i];
    }
    return all - timed > UNTIMED_SHARE * all ? "no record has its latency of retirement" : 0;
}

static void time_by_addresses(const struct making *making, struct profile_entry *entry,
                              enum profile_level level)
{
    const struct profile_totals *totals = making->totals;
    const double slack = slack_of(making, entry, level), part = making->instructions.of[RAW_ALL];
    const char *reason = totals->cycles > 0 ? without_latency(making, entry) : no_cycles;

    if (reason) {
        entry->cycles = entry->cpi = estimated_absent(reason);
        return;
    }
    entry->cycles = part_scaled(part_estimated(&making->cycles), totals->cycles);
    widen(&entry->cycles, slack * totals->cycles, totals);
    entry->cpi = totals->instructions > 0
                     ? part_scaled(part_ratio(&making->cycles, &making->instructions),
                                   totals->cycles / totals->instructions)
                     : estimated_absent(no_instructions);
    if (part > PART_ROUNDING && totals->instructions > 0)
        widen(&entry->cpi, slack / part * totals->cycles / totals->instructions, totals);
}

/* What the cycles rest on: sampled addresses, or timed executions of blocks. */
static void count_samples(const struct making *making, struct profile_entry *entry)
{
    const struct profile_method *method = making->method;
    const struct raw *raw = &making->raw;
    const struct kernel_map *map = raw->map;
    double samples = 0, shared = 0;

    for (uint32_t i = entry->first; i < entry->first + entry->count; i++) {
        const uint32_t block = map_instruction_at(map, i).block;

        if (method->cycles == CYCLES_ADDRESSES) {
            samples += raw_row(raw, raw->cycles, RAW_ALL)[i];
            shared += raw->split[i];
        } else if (method->cycles == CYCLES_LATENCIES) {
            samples += raw_sum(method->cycles_at->at, map->instruction_count, i, RAW_ALL);
        } else if (map->blocks[block].first == i) {
            samples += raw_sum(method->branches->timed, map->block_count, block, RAW_ALL);
            shared += method->branches->shared[block];
        }
    }
    entry->samples = (uint64_t)(samples + 0.5);
    entry->split = samples > 0 ? shared / samples : 0;
}

/* --- entries --- */

/* B/N over the blocks of the entry's instructions. */
static double executed_share(const struct making *making, const struct profile_entry *entry)
{
    const struct profile_totals *totals = making->totals;
    const struct kernel_map *map = making->raw.map;
    double sum = 0;

    if (!totals->executed || !(totals->instructions > 0))
        return -1;
    for (uint32_t i = entry->first; i < entry->first + entry->count; i++) {
        const double executed = totals->executed[map_instruction_at(map, i).block];

        if (executed < 0)
            return -1;
        sum += executed;
    }
    return sum / totals->instructions;
}

static void make_entry(struct making *making, struct profile_entry *entry, enum profile_level level)
{
    const double total = making->totals->instructions;

    sum_entry(making, entry);
    entry->share = part_estimated(&making->instructions);
    entry->instructions = entry->executions = estimated_absent(no_instructions);
    if (total > 0) {
        entry->instructions = part_scaled(entry->share, total);
        entry->executions =
            level == PROFILE_FUNCTION
                ? estimated_absent("a function's instructions run at different counts")
                : part_scaled(entry->instructions, 1.0 / entry->count);
    }
    count_samples(making, entry);
    if (making->method->cycles == CYCLES_BRANCH_RECORDS)
        time_by_records(making, entry, level);
    else
        time_by_addresses(making, entry, level);
    entry->executed_share = executed_share(making, entry);
}

static void place_entries(struct profile *profile)
{
    const struct kernel_map *map = profile->map;

    for (uint32_t i = 0; i < map->instruction_count; i++)
        profile->entries[PROFILE_INSTRUCTION][i] = (struct profile_entry){.first = i, .count = 1};
    for (uint32_t b = 0; b < map->block_count; b++)
        profile->entries[PROFILE_BLOCK][b] = (struct profile_entry){
            .first = map->blocks[b].first, .count = map->blocks[b].instructions};
    for (uint32_t f = 0; f < map->function_count; f++) {
        const struct map_function *function = &map->functions[f];
        struct profile_entry *entry = &profile->entries[PROFILE_FUNCTION][f];

        if (function->blocks)
            entry->first = map->blocks[function->first].first;
        for (uint32_t b = function->first; b < function->first + function->blocks; b++)
            entry->count += map->blocks[b].instructions;
    }
}

/* --- the whole --- */

static uint64_t entry_words(uint64_t count)
{
    return (count * sizeof(struct profile_entry) + 7) / 8;
}

uint64_t profile_words(const struct kernel_map *map)
{
    return entry_words(map->instruction_count) + entry_words(map->block_count) +
           entry_words(map->function_count) + raw_words(map) + profile_share_words(map);
}

static void take_entries(struct profile *profile, struct words *words)
{
    profile->count[PROFILE_INSTRUCTION] = profile->map->instruction_count;
    profile->count[PROFILE_BLOCK] = profile->map->block_count;
    profile->count[PROFILE_FUNCTION] = profile->map->function_count;
    for (unsigned level = 0; level < PROFILE_LEVELS; level++)
        profile->entries[level] =
            (struct profile_entry *)words_take(words, entry_words(profile->count[level]));
}

/* Latencies of retirement are core cycles, and add up to the cycles that were counted; within this
 * factor, since what is rare may have no record. */
#define LATENCY_FACTOR 2.0

/* Why the sums of all samples make no profile; null: they do. */
static const char *unusable(const struct making *making)
{
    const struct profile_totals *totals = making->totals;
    const double ran = making->ran.of[RAW_ALL], executed = making->executed.of[RAW_ALL];
    const double counted = totals->instructions > 0 ? totals->cycles / totals->instructions : 0;

    if (!(executed > 0))
        return "no sample shows that an instruction ran";
    if (!(ran > 0) && making->method->cycles != CYCLES_BRANCH_RECORDS)
        return "no sampled cycle is an instruction's";
    if (making->raw.waited && counted > 0 &&
        (ran > LATENCY_FACTOR * counted * executed || ran * LATENCY_FACTOR < counted * executed))
        return "the latencies of retirement do not add up to the cycles that were counted";
    return 0;
}

bool profile_make(struct profile *profile, const struct kernel_map *map,
                  const struct profile_method *method, const struct profile_totals *totals,
                  struct words *words)
{
    struct making making = {.method = method, .totals = totals, .profile = profile};
    const bool shares = profile_method_shares(method);

    *profile = (struct profile){.map = map,
                                .method = method->name,
                                .plain = method->executions != EXECUTIONS_FLOW &&
                                         method->cycles == CYCLES_ADDRESSES,
                                .cycles = totals->cycles,
                                .instructions = totals->instructions};
    if (words->left < profile_words(map))
        return false;
    take_entries(profile, words);
    place_entries(profile);
    profile->reason = raw_make(&making.raw, &profile->flow, map, method, words);
    if (profile->reason)
        return true;
    making.executed.groups = making.instructions.groups = making.raw.executed;
    making.ran.groups = making.cycles.groups = making.raw.ran;
    part_sum(&making.executed, &making.raw, making.raw.executions, 0, map->instruction_count);
    part_sum(&making.ran, &making.raw, making.raw.cycles, 0, map->instruction_count);
    profile->reason = unusable(&making);
    if (profile->reason)
        return true;
    if (shares && !(totals->cycles > 0 && totals->instructions > 0)) {
        profile->reason = totals->cycles > 0 ? no_instructions : no_cycles;
        return true;
    }
    if (making.raw.waited && totals->cycles > 0 && totals->instructions > 0) {
        calibrate(&making.raw, method->cycles_at, totals->cycles / totals->instructions,
                  making.executed.of, making.ran.of);
        part_sum(&making.ran, &making.raw, making.raw.cycles, 0, map->instruction_count);
    }
    if (shares)
        profile->moves = profile_share(&(struct cycle_sharing){.method = method,
                                                               .totals = totals,
                                                               .flow = &profile->flow,
                                                               .raw = &making.raw,
                                                               .executed = making.executed.of,
                                                               .ran = making.ran.of},
                                       words);
    profile->sampled =
        (struct profile_sampled){making.executed.of[RAW_ALL], making.ran.of[RAW_ALL]};
    for (unsigned level = 0; level < PROFILE_LEVELS; level++)
        for (uint32_t i = 0; i < profile->count[level]; i++)
            make_entry(&making, &profile->entries[level][i], level);
    return true;
}

const char *profile_level_name(enum profile_level level)
{
    static const char *const names[PROFILE_LEVELS] = {"instruction", "block", "function"};

    return level < PROFILE_LEVELS ? names[level] : "unknown";
}
