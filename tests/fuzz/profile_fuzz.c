/* Profiles: a map of any shape is refused or indexed; any addresses and branch stacks are counted
 * once each; and the numbers of the profile are finite, not negative and in the order low, value,
 * high, or have a reason. The one loop of a map, if it has one, gives each address a distance. */
#include <math.h>
#include <string.h>

#include "harness/experiment/skid/distances.h"
#include "harness/profile/profile.h"
#include "harness/profile/profile_error.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/profile/drawn_map.h"

#define ROOM  4096u
#define WORDS (1u << 18)

/* Bytes of an input, zeros behind its end. */
struct bytes {
    const uint8_t *next, *end;
};
static uint8_t take(struct bytes *bytes)
{
    return bytes->next < bytes->end ? *bytes->next++ : 0;
}

static size_t make(uint64_t *state, char *input)
{
    const size_t size = 1 + random_below(state, random_below(state, 8) ? 600 : ROOM - 1);

    for (size_t i = 0; i < size; i++)
        input[i] = (char)random_next(state);
    input[1] = random_below(state, 4) ? 0 : input[1]; /* the map is left as it was drawn */
    return size;
}

const struct fuzz fuzz = {"profiles", 40000, 20261122, ROOM, make};
unsigned fuzz_accepted;

static void draw(struct drawn *drawn, struct bytes *bytes)
{
    const uint32_t blocks = 1 + take(bytes) % 12u, damage = take(bytes);

    draw_begin(drawn, "any");
    for (uint32_t b = 0; b < blocks; b++) {
        if (take(bytes) % 4 == 0 && drawn->map.function_count < DRAWN_FUNCTIONS)
            draw_function(drawn, "any");
        draw_block(drawn, 1 + take(bytes) % 4u);
    }
    for (uint32_t b = 0; b < blocks; b++) {
        const uint32_t to = take(bytes) % (blocks + 1);

        if (b + 1 < blocks && take(bytes) % 3)
            draw_edge(drawn, b, b + 1, MAP_FALL_THROUGH);
        draw_edge(drawn, b, to == blocks ? OUTSIDE : to, 1 + take(bytes) % 6u);
    }
    draw_edge(drawn, OUTSIDE, 0, MAP_CALL);
    if (damage & 1)
        drawn->lengths[damage % drawn->map.instruction_count] ^= (uint8_t)damage;
    if (damage & 2)
        drawn->blocks[damage % blocks].first ^= damage >> 4;
    if (damage & 4)
        drawn->edges[damage % drawn->map.edge_count].to = damage;
    if (damage & 8)
        drawn->blocks[damage % blocks].bytes = damage << 24;
}

/* An address at, near, or far from an instruction. */
static uint64_t address(const struct drawn *drawn, struct bytes *bytes, bool sound)
{
    const uint8_t how = sound ? UINT8_MAX : take(bytes);
    const uint64_t at = drawn_at(take(bytes) % (drawn->map.instruction_count + !sound));

    return how < 8 ? at + how : how < 16 ? (uint64_t)how << 58 : at;
}

static void push(const struct drawn *drawn, struct bytes *bytes, struct lbr_entry *record)
{
    const struct map_edge *edge = &drawn->edges[take(bytes) % drawn->map.edge_count];
    const uint8_t how = take(bytes);

    memset(record, 0, sizeof(*record));
    record->cycles = (uint16_t)(how * 77u);
    record->cycles_valid = how & 1;
    record->mispredicted = how & 2;
    record->mispredict_valid = true;
    record->from = edge->from == OUTSIDE ? 64 : drawn_end(drawn, edge->from);
    record->to = edge->to == OUTSIDE ? 64 : drawn_begin(drawn, edge->to);
    if (how > 250) {
        record->from = address(drawn, bytes, false);
        record->to = address(drawn, bytes, false);
    }
}

/* A taken edge that follows block `at`, perhaps after blocks that fall through. */
static const struct map_edge *follow(const struct drawn *drawn, struct bytes *bytes, uint32_t at)
{
    const struct kernel_map *map = &drawn->map;
    const struct map_edge *next = &map->edges[0];
    const uint32_t fall = drawn_edge(drawn, at, at + 1);

    if (fall < map->edge_count && next[fall].kind == MAP_FALL_THROUGH && take(bytes) % 2)
        return follow(drawn, bytes, at + 1);
    while (next->from != at || next->kind == MAP_FALL_THROUGH)
        next++;
    return next;
}

/* Records of a walk, whose newest edge came last. */
static void push_walk(const struct drawn *drawn, struct bytes *bytes, struct lbr_stack *stack)
{
    uint32_t at = OUTSIDE;

    for (unsigned i = stack->count < LBR_DEPTH ? stack->count : LBR_DEPTH; i-- > 0;) {
        const struct map_edge *edge = follow(drawn, bytes, at);

        stack->entries[i] =
            (struct lbr_entry){.from = edge->from == OUTSIDE ? 64 : drawn_end(drawn, edge->from),
                               .to = edge->to == OUTSIDE ? 64 : drawn_begin(drawn, edge->to),
                               .cycles = take(bytes),
                               .cycles_valid = true};
        at = edge->to;
    }
}

static void check(const struct estimated *estimated)
{
    if (estimated->reason)
        return;
    require(isfinite(estimated->value) && isfinite(estimated->high), "numbers are finite");
    require(estimated->low >= 0 && estimated->low <= estimated->value &&
                estimated->value <= estimated->high,
            "0, low, value and high are in this order");
}

static void check_profile(const struct profile *profile, const struct profile_totals *totals)
{
    for (unsigned level = 0; level < PROFILE_LEVELS; level++) {
        double instructions = 0;

        for (uint32_t i = 0; i < profile->count[level]; i++) {
            const struct profile_entry *entry = &profile->entries[level][i];

            check(&entry->executions);
            check(&entry->instructions);
            check(&entry->cycles);
            check(&entry->cpi);
            check(&entry->share);
            require(entry->share.reason || entry->share.value <= 1 + 1e-9,
                    "a share is at most all");
            instructions += entry->instructions.reason ? NAN : entry->instructions.value;
        }
        require(!(fabs(instructions - totals->instructions) > 1e-6 * totals->instructions),
                "the instructions of a level are all there are");
    }
}

/* As if every block had run once. */
static void check_error(const struct profile *profile)
{
    double executed[DRAWN_INSTRUCTIONS], error = 0, unknown = 0;

    for (unsigned level = 0; level < PROFILE_LEVELS; level++) {
        for (uint32_t i = 0; i < profile->count[level]; i++)
            executed[i] = profile->entries[level][i].count;
        if (profile_error(&error, &unknown, profile, (enum profile_level)level, executed) == NULL)
            require(isfinite(error) && error >= 0 && unknown >= 0 && unknown <= 1,
                    "an error is a number from 0 on, and what is unknown is a part");
    }
}

static void check_distances(const struct drawn *drawn, const struct code_index *index,
                            struct bytes bytes)
{
    static struct skid_loop loop;
    static struct skid_distances distances;
    const uint32_t cause = take(&bytes) % drawn->map.instruction_count;
    uint64_t fewest, most, samples = 0;
    struct skid_figures figures;
    struct skid_laps laps;

    if (skid_loop_find(&loop, &drawn->map, map_instruction_at(&drawn->map, cause).offset) != NULL)
        return;
    require(loop.count >= 1 && loop.count <= loop.span && loop.span <= SKID_LOOP_MAX,
            "a loop has instructions, and room for them");
    skid_distances_begin(&distances, &loop);
    laps = (struct skid_laps){.length = loop.count,
                              .events = take(&bytes) % 3,
                              .own = take(&bytes) % 4,
                              .expected = take(&bytes) * 20.0};
    for (; bytes.next < bytes.end; samples++)
        skid_distances_address(&distances, index, address(drawn, &bytes, take(&bytes) % 2),
                               samples % 2 ? &laps : NULL, take(&bytes));
    require(distances.samples + distances.unplaced + distances.outside + distances.broken ==
                samples,
            "each address has a distance, or no lap, or is outside, or broken");
    figures = skid_figures_of(&distances);
    skid_extremes(&distances, &fewest, &most);
    require(fewest <= most && most <= distances.samples,
            "no instruction has more than all samples");
    require(!figures.known ||
                (figures.minimum <= figures.median && figures.median <= figures.maximum &&
                 figures.maximum < SKID_DISTANCES),
            "distances are in order, and within the loop");
}

/* One of the 162 ways to make a profile of the samples; some are the same. `timed_at`: samples with
 * a latency of retirement. */
static void make_profile(struct drawn *drawn, struct profile_method method,
                         const struct addresses *timed_at, struct words words, unsigned way)
{
    const struct profile_totals totals = {.cycles = 1e6,
                                          .instructions = 4e5,
                                          .mispredicts = way / 54 % 3 * 2e4 - 1,
                                          .resteer = 12,
                                          .resteer_missing = "not counted"};
    struct profile profile;

    method.executions = (enum profile_executions)(way % 3);
    method.cycles = (enum profile_cycles)(way / 3 % 3);
    method.blame = (enum profile_blame)(way / 9 % 3);
    method.shares = way / 27 % 2;
    if (method.cycles == CYCLES_LATENCIES)
        method.cycles_at = timed_at;
    require(profile_make(&profile, &drawn->map, &method, &totals, &words), "words suffice");
    if (profile.reason)
        return;
    check_profile(&profile, &totals);
    check_error(&profile);
    fuzz_accepted++;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
    static struct drawn drawn;
    static uint64_t memory[WORDS];
    static uint8_t code[4 * DRAWN_INSTRUCTIONS];
    struct words words = {memory, WORDS};
    struct bytes bytes = {input, input + size};
    struct code_index index;
    struct addresses cycles_at, instructions_at, timed_at;
    struct branches branches;
    uint64_t stacks = 0, samples = 0;
    unsigned way;
    bool sound;

    draw(&drawn, &bytes);
    if (code_index_make(&index, &drawn.map, DRAWN_CODE, &words))
        return 0;
    check_distances(&drawn, &index, bytes);
    require(addresses_make(&cycles_at, &index, 64, &words) &&
                addresses_make(&instructions_at, &index, 64, &words) &&
                addresses_make(&timed_at, &index, 64, &words) &&
                addresses_make_timed(&timed_at, &words) &&
                branches_make(&branches, &index, 2 + take(&bytes) % 15u, 64, &words),
            "words suffice");
    way = take(&bytes);
    for (uint32_t i = 0; i < drawn.map.bytes; i++)
        code[i] =
            (uint8_t)(bytes.next < bytes.end ? bytes.next[i % (size_t)(bytes.end - bytes.next)]
                                             : 0);
    sound = take(&bytes) % 2; /* the samples fit the map, so that they make a profile */
    for (; bytes.next < bytes.end; samples++) {
        struct lbr_stack stack = {.count = sound ? LBR_DEPTH : take(&bytes) % 40u};

        if (sound)
            push_walk(&drawn, &bytes, &stack);
        for (unsigned i = 0; !sound && i < stack.count && i < LBR_DEPTH; i++)
            push(&drawn, &bytes, &stack.entries[i]);
        branches_add(&branches, &stack, sound || take(&bytes) % 8u ? 0 : take(&bytes));
        addresses_add(&cycles_at, address(&drawn, &bytes, sound));
        addresses_add_after(&instructions_at, address(&drawn, &bytes, sound),
                            stack.count ? &stack : 0);
        addresses_add_timed(&timed_at, address(&drawn, &bytes, sound),
                            sound ? take(&bytes) % 8u : take(&bytes) * 257u);
        stacks++;
    }
    require(branches.stacks + branches.short_stacks == stacks, "each stack is counted once");
    require(cycles_at.used + cycles_at.outside + cycles_at.broken == samples,
            "each address is counted once");
    require(timed_at.used + timed_at.outside + timed_at.broken == samples &&
                timed_at.timed == timed_at.used,
            "each address with a latency is counted once");
    require(instructions_at.used + instructions_at.outside + instructions_at.broken +
                    instructions_at.ambiguous ==
                samples,
            "each address after is counted once");
    make_profile(&drawn,
                 (struct profile_method){.cycles_at = &cycles_at,
                                         .instructions_at = &instructions_at,
                                         .branches = &branches,
                                         .code = code},
                 &timed_at, words, way);
    return 0;
}
