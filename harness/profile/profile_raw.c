#include "profile_raw.h"

#include "boot/text.h"

/* Samples that say something is wrong: more than one in so many, and none of them counts. */
#define WRONG_IN 100

static uint64_t bools(uint64_t count)
{
    return (count * sizeof(bool) + 7) / 8;
}

static uint64_t own_words(const struct kernel_map *map)
{
    return (uint64_t)(3 * RAW_ROWS + 2) * map->instruction_count + map->edge_count +
           map->block_count + bools(map->edge_count);
}

uint64_t raw_words(const struct kernel_map *map)
{
    return own_words(map) + flow_words(map);
}

/* --- samples that are good for nothing --- */

static bool too_many(uint64_t wrong, uint64_t right)
{
    return wrong > (wrong + right) / WRONG_IN;
}

static const char *addresses_useless(const struct addresses *addresses)
{
    if (!addresses || !addresses->groups.taken)
        return "there are no samples";
    if (too_many(addresses->broken, addresses->used))
        return "sampled addresses are not those of instructions";
    if (too_many(addresses->ambiguous, addresses->used))
        return "branch records of the samples do not fit the kernel's map";
    return addresses->used ? 0 : "all samples are outside of the kernel";
}

/* A latency at the end of its field may be of any length, so a sum with it in it is none. */
static const char *latencies_useless(const struct addresses *addresses)
{
    uint64_t waited = 0;

    if (!addresses->latency || !addresses->timed)
        return "the records have no latency of retirement";
    if (addresses->timed < addresses->used)
        return "some records have no latency of retirement";
    if (addresses->endless)
        return "a latency of retirement is longer than a record can say";
    for (uint64_t i = 0; i < (uint64_t)PROFILE_GROUPS * addresses->index->map->instruction_count;
         i++)
        waited += addresses->waited[i];
    return waited ? 0 : "every latency of retirement is 0";
}

static const char *branches_useless(const struct branches *branches)
{
    if (!branches || !branches->groups.taken)
        return "there are no samples";
    if (too_many(branches->short_stacks, branches->stacks))
        return "branch records are missing before the overflow";
    if (too_many(branches->broken, branches->records) ||
        too_many(branches->broken_intervals, branches->intervals))
        return "branch records do not fit the kernel's map";
    return branches->records ? 0 : "all samples are outside of the kernel";
}

/* --- executions --- */

const double *raw_row(const struct raw *raw, const double *rows, unsigned row)
{
    return rows + (uint64_t)row * raw->map->instruction_count;
}

double raw_sum(const uint32_t *table, uint64_t width, uint64_t at, unsigned without)
{
    uint64_t sum = 0;

    for (unsigned g = 0; g < PROFILE_GROUPS; g++)
        sum += g == without ? 0 : table[g * width + at];
    return (double)sum;
}

/* Every instruction of a block runs as often as the block. */
static void spread(struct raw *raw, const double *blocks, unsigned row)
{
    const struct kernel_map *map = raw->map;
    double *executions = raw->executions + (uint64_t)row * map->instruction_count;

    for (uint32_t i = 0; i < map->instruction_count; i++)
        executions[i] = blocks[map_instruction_at(map, i).block];
}

static void sum_edges(struct raw *raw, const uint32_t *edges, unsigned row)
{
    for (uint32_t e = 0; e < raw->map->edge_count; e++)
        raw->edges[e] = raw_sum(edges, raw->map->edge_count, e, row);
}

/* A difference below 0 is chance. */
static double less(const struct profile_method *method, double count, const uint32_t *table,
                   uint64_t width, uint64_t at, unsigned row)
{
    const double left = count - method->less_weight * raw_sum(table, width, at, row);

    return left > 0 ? left : 0;
}

static void sum_branches(struct raw *raw, const struct profile_method *method, unsigned row)
{
    const uint32_t edges = raw->map->edge_count;

    sum_edges(raw, method->branches->edges, row);
    for (uint32_t e = 0; e < edges && method->less; e++)
        raw->edges[e] = less(method, raw->edges[e], method->less->edges, edges, e, row);
}

static const char *solve(struct raw *raw, struct flow *flow, const struct profile_method *method,
                         struct words *words)
{
    const struct kernel_map *map = raw->map;

    for (uint32_t e = 0; e < map->edge_count; e++)
        raw->observed[e] = method->branches->kinds >> map->edges[e].kind & 1;
    sum_branches(raw, method, RAW_ALL);
    flow_make(flow, map, raw->observed, raw->edges, words);
    if (flow->reason == NULL && flow->rank < flow->unknowns)
        return "the recorded branches leave open how often some blocks ran";
    return flow->reason;
}

static void executions_by_flow(struct raw *raw, struct flow *flow,
                               const struct profile_method *method)
{
    spread(raw, flow->blocks, RAW_ALL);
    for (unsigned row = 0; row < RAW_ALL; row++) {
        sum_branches(raw, method, row);
        flow_again(flow, raw->edges, raw->blocks);
        spread(raw, raw->blocks, row);
    }
}

static void executions_by_intervals(struct raw *raw, const struct profile_method *method)
{
    const uint32_t blocks = raw->map->block_count;

    for (unsigned row = 0; row < RAW_ROWS; row++) {
        for (uint32_t b = 0; b < blocks; b++) {
            raw->blocks[b] = raw_sum(method->branches->blocks, blocks, b, row);
            if (method->less)
                raw->blocks[b] = less(method, raw->blocks[b], method->less->blocks, blocks, b, row);
        }
        spread(raw, raw->blocks, row);
    }
}

/* --- cycles --- */

static void count_addresses(const struct raw *raw, const struct addresses *addresses, double *rows)
{
    const uint32_t instructions = raw->map->instruction_count;

    for (unsigned row = 0; row < RAW_ROWS; row++)
        for (uint32_t i = 0; i < instructions; i++)
            rows[(uint64_t)row * instructions + i] = raw_sum(addresses->at, instructions, i, row);
}

/* Without a group, too: what that group alone has sampled has no cycles then, and the interval is
 * wide. */
static void time_latencies(struct raw *raw, const struct addresses *addresses)
{
    const uint32_t instructions = raw->map->instruction_count;

    for (unsigned row = 0; row < RAW_ROWS; row++)
        for (uint32_t i = 0; i < instructions; i++) {
            const uint64_t at = (uint64_t)row * instructions + i;
            const double samples = raw_sum(addresses->at, instructions, i, row);
            const double each = samples > 0 ? raw->executions[at] / samples : 0;
            double latency = 0;

            for (unsigned g = 0; g < PROFILE_GROUPS; g++)
                latency +=
                    g == row ? 0 : (double)addresses->latency[(uint64_t)g * instructions + i];
            raw->cycles[at] = latency * each;
            raw->waited[at] = raw_sum(addresses->waited, instructions, i, row) * each;
        }
}

/* Samples at the begin of the block whose branch records do not say where they came from. */
static double untold(const struct raw *raw, const double *row, uint32_t block)
{
    const struct kernel_map *map = raw->map;
    double samples = row[map->blocks[block].first];

    for (uint32_t e = 0; e < map->edge_count; e++)
        samples -= map->edges[e].to == block ? raw->edges[e] : 0;
    return samples > 0 ? samples : 0;
}

/* Moves a row of sampled addresses one instruction back. raw->edges are the samples that came by
 * each edge, raw->blocks those that came to each block in no known way. */
static void move_back(struct raw *raw, double *row, const struct flow *flow, bool note)
{
    const struct kernel_map *map = raw->map;

    memset(raw->moved, 0, map->instruction_count * sizeof(double));
    for (uint32_t i = 1; i < map->instruction_count; i++)
        if (map_instruction_at(map, i).block == map_instruction_at(map, i - 1).block)
            raw->moved[i - 1] = row[i];
    for (uint32_t e = 0; e < map->edge_count; e++) {
        const struct map_edge *edge = &map->edges[e];
        double part = 0;
        uint32_t last;

        if (edge->from == MAP_OUTSIDE || edge->to == MAP_OUTSIDE)
            continue;
        last = code_last_instruction(map, edge->from);
        if (flow->blocks[edge->to] > 0)
            part = flow->edges[e] / flow->blocks[edge->to];
        raw->moved[last] += raw->edges[e] + part * raw->blocks[edge->to];
        if (note && part > 0 && part < 1)
            raw->split[last] += part * raw->blocks[edge->to];
    }
    memcpy(row, raw->moved, map->instruction_count * sizeof(double));
}

static void blame_before(struct raw *raw, const struct flow *flow,
                         const struct addresses *addresses)
{
    const struct kernel_map *map = raw->map;

    for (unsigned row = 0; row < RAW_ROWS; row++) {
        double *cycles = raw->cycles + (uint64_t)row * map->instruction_count;

        sum_edges(raw, addresses->through, row);
        for (uint32_t b = 0; b < map->block_count; b++)
            raw->blocks[b] = untold(raw, cycles, b);
        move_back(raw, cycles, flow, row == RAW_ALL);
    }
}

static bool blames_before(const struct profile_method *method)
{
    if (method->cycles != CYCLES_ADDRESSES || method->blame == BLAME_SAVED)
        return false;
    return method->blame == BLAME_BEFORE || method->executions != EXECUTIONS_ADDRESSES;
}

/* Cycles of one execution of the block by the branch records; below 0: none of them says. Without a
 * group, too: what that group alone has timed is then not known, and the interval is wide. */
static double cycles_of_block(const struct branches *branches, uint32_t b, unsigned without)
{
    const uint32_t blocks = branches->index->map->block_count;
    const double timed = raw_sum(branches->timed, blocks, b, without);
    double cycles = 0;

    for (unsigned g = 0; g < PROFILE_GROUPS; g++)
        cycles += g == without ? 0 : (double)branches->cycles[(uint64_t)g * blocks + b];
    if (timed > 0)
        return cycles / timed / BRANCHES_CYCLE;
    return -1;
}

/* A block's cycles are divided among its instructions so that they add up to those of the block;
 * for a single instruction they mean nothing. */
static void time_blocks(struct raw *raw, const struct branches *branches)
{
    const struct kernel_map *map = raw->map;

    for (unsigned row = 0; row < RAW_ROWS; row++)
        for (uint32_t b = 0; b < map->block_count; b++) {
            const struct map_block *block = &map->blocks[b];
            const double cycles = cycles_of_block(branches, b, row) / block->instructions;

            for (uint32_t i = block->first; i < block->first + block->instructions; i++) {
                const uint64_t at = (uint64_t)row * map->instruction_count + i;

                raw->cycles[at] = cycles < 0 ? 0 : raw->executions[at] * cycles;
            }
        }
}

/* --- both --- */

static bool needs_branches(const struct profile_method *method)
{
    return method->executions != EXECUTIONS_ADDRESSES || blames_before(method) ||
           method->cycles == CYCLES_BRANCH_RECORDS;
}

static const char *method_useless(const struct profile_method *method)
{
    const char *useless = 0;

    if (method->executions == EXECUTIONS_ADDRESSES)
        useless = addresses_useless(method->instructions_at);
    if (!useless && method->cycles != CYCLES_BRANCH_RECORDS)
        useless = addresses_useless(method->cycles_at);
    if (!useless && method->cycles == CYCLES_LATENCIES)
        useless = latencies_useless(method->cycles_at);
    if (useless || !needs_branches(method))
        return useless;
    useless = branches_useless(method->branches);
    if (!useless && method->less)
        useless = branches_useless(method->less);
    if (!useless && method->executions == EXECUTIONS_INTERVALS && !method->branches->intervals)
        useless = "no two branch records enclose an interval";
    return useless;
}

static void take(struct raw *raw, bool latencies, struct words *words)
{
    const struct kernel_map *map = raw->map;
    const uint64_t table = (uint64_t)RAW_ROWS * map->instruction_count;
    double *waited = (double *)words_take(words, table);

    raw->executions = (double *)words_take(words, table);
    raw->cycles = (double *)words_take(words, table);
    raw->waited = latencies ? waited : 0;
    raw->split = (double *)words_take(words, map->instruction_count);
    raw->moved = (double *)words_take(words, map->instruction_count);
    raw->edges = (double *)words_take(words, map->edge_count);
    raw->blocks = (double *)words_take(words, map->block_count);
    raw->observed = (bool *)words_take(words, bools(map->edge_count));
}

static void count_executions(struct raw *raw, struct flow *flow,
                             const struct profile_method *method)
{
    if (method->executions == EXECUTIONS_ADDRESSES)
        count_addresses(raw, method->instructions_at, raw->executions);
    else if (method->executions == EXECUTIONS_INTERVALS)
        executions_by_intervals(raw, method);
    else
        executions_by_flow(raw, flow, method);
}

static void count_cycles(struct raw *raw, const struct flow *flow,
                         const struct profile_method *method)
{
    if (method->cycles == CYCLES_BRANCH_RECORDS) {
        time_blocks(raw, method->branches);
        return;
    }
    if (method->cycles == CYCLES_LATENCIES) {
        time_latencies(raw, method->cycles_at);
        return;
    }
    count_addresses(raw, method->cycles_at, raw->cycles);
    if (blames_before(method))
        blame_before(raw, flow, method->cycles_at);
}

const char *raw_make(struct raw *raw, struct flow *flow, const struct kernel_map *map,
                     const struct profile_method *method, struct words *words)
{
    const bool by_addresses = method->executions == EXECUTIONS_ADDRESSES;
    const char *useless = method_useless(method);

    *raw = (struct raw){.map = map};
    take(raw, method->cycles == CYCLES_LATENCIES, words);
    if (!useless && (method->executions == EXECUTIONS_FLOW || blames_before(method)))
        useless = solve(raw, flow, method, words);
    if (useless)
        return useless;
    raw->executed = by_addresses ? &method->instructions_at->groups : &method->branches->groups;
    raw->ran = method->cycles == CYCLES_BRANCH_RECORDS ? &method->branches->groups
                                                       : &method->cycles_at->groups;
    count_executions(raw, flow, method);
    count_cycles(raw, flow, method);
    return 0;
}
