/* The maps of the kernels' code against the CPU of this host, which is single-stepped through each
 * kernel that has a map. The maps were made by a decoder that runs nothing; here nothing but
 * branches is decoded (kernel_steps.h). */
#include "tests/unit/kernels/kernel_steps.h"

#include "kernels/kernel_map.h"

#define MOST_BYTES (1 << 14) /* of a kernel's code */
#define MOST_EDGES 1024
#define BETWEEN    UINT32_MAX

struct walked {
    const struct kernel *kernel;
    const struct kernel_map *map;
    uint32_t block[MOST_BYTES];      /* of the instruction at an offset; else BETWEEN */
    uint64_t executions[MOST_BYTES]; /* of the instruction at an offset */
    uint64_t edges[MOST_EDGES];      /* how often each edge of the map was gone */
};

static struct walked once, twice;

static void find_blocks(struct walked *walked)
{
    for (uint32_t offset = 0; offset < MOST_BYTES; offset++)
        walked->block[offset] = BETWEEN;
    for (uint32_t i = 0; i < walked->map->instruction_count; i++) {
        const struct map_instruction at = map_instruction_at(walked->map, i);

        walked->block[at.offset] = at.block;
    }
}

static uint32_t block_of(const struct walked *walked, uint64_t offset)
{
    if (offset >= MOST_BYTES || walked->block[offset] == BETWEEN)
        fail_msg("%s: no instruction of the map is at %lu", walked->kernel->name,
                 (unsigned long)offset);
    return walked->block[offset];
}

static bool is_last_of(const struct kernel_map *map, uint32_t block, uint64_t offset)
{
    const struct map_block *of = &map->blocks[block];

    return map_instruction_at(map, of->first + of->instructions - 1).offset == offset;
}

/* The kind of edge that the bytes of a branch say; what is not taken falls through. */
static uint32_t kind_at(const uint8_t *code, uint64_t distance)
{
    bool repeated;
    uint64_t length;
    enum branch branch = branch_at(code, &repeated, &length);
    bool indirect = code[0] == 0xff || ((code[0] & 0xf0) == 0x40 && code[1] == 0xff);

    switch (branch) {
    case BRANCH_CONDITIONAL:
        return distance == length ? MAP_FALL_THROUGH : MAP_CONDITIONAL;
    case BRANCH_JUMP:
        return indirect ? MAP_JUMP_INDIRECT : MAP_JUMP;
    case BRANCH_CALL:
        return indirect ? MAP_CALL_INDIRECT : MAP_CALL;
    case BRANCH_RETURN:
        return MAP_RETURN;
    case BRANCH_NONE:
        break;
    }
    return MAP_FALL_THROUGH;
}

static void go_edge(struct walked *walked, uint32_t from, uint32_t to, uint32_t kind)
{
    const struct kernel_map *map = walked->map;

    for (uint32_t i = 0; i < map->edge_count; i++)
        if (map->edges[i].from == from && map->edges[i].to == to && map->edges[i].kind == kind) {
            walked->edges[i]++;
            return;
        }
    fail_msg("%s: the map has no edge of kind %u from %s to %s", walked->kernel->name, kind,
             map->blocks[from].label, to == MAP_OUTSIDE ? "outside" : map->blocks[to].label);
}

static void walk(void *context, uint64_t from, uint64_t to)
{
    struct walked *walked = context;
    const struct kernel_map *map = walked->map;
    uint64_t code = (uintptr_t)walked->kernel->code, offset = from - code;
    uint32_t block = block_of(walked, offset), next;
    bool inside = to >= code && to < code + map->bytes;

    walked->executions[offset]++;
    if (is_last_of(map, block, offset)) {
        next = inside ? block_of(walked, to - code) : MAP_OUTSIDE;
        if (inside)
            assert_int_equal(map->blocks[next].offset, to - code);
        go_edge(walked, block, next, kind_at((const uint8_t *)from, to - from));
        return;
    }
    assert_true(inside);
    assert_int_equal(block_of(walked, to - code), block);
    assert_int_equal(kind_at((const uint8_t *)from, to - from), MAP_FALL_THROUGH);
}

static void walk_kernel(const struct kernel *kernel, const struct kernel_map *map,
                        struct kernel_trace *trace)
{
    assert_true(map->bytes <= MOST_BYTES && map->edge_count <= MOST_EDGES);
    memset(&once, 0, sizeof(once));
    memset(&twice, 0, sizeof(twice));
    once.kernel = twice.kernel = kernel;
    once.map = twice.map = map;
    find_blocks(&once);
    find_blocks(&twice);
    *trace = (struct kernel_trace){
        .once = {.visit = walk, .context = &once},
        .twice = {.visit = walk, .context = &twice},
    };
    trace_kernel(kernel, trace);

    /* The call of the kernel is no step of its code. */
    go_edge(&once, MAP_OUTSIDE, 0, MAP_CALL);
    go_edge(&twice, MAP_OUTSIDE, 0, MAP_CALL);
}

/* Every instruction of a block ran as often as the kernel's file says of the block. */
static void hold_blocks(const struct walked *walked, uint64_t n)
{
    const struct kernel_map *map = walked->map;

    for (uint32_t i = 0; i < map->instruction_count; i++) {
        const struct map_block *block = &map->blocks[map_instruction_at(map, i).block];
        double stated = evaluate(block->count, (double)n, -1);
        uint64_t executed = walked->executions[map_instruction_at(map, i).offset];

        if (stated < 0) /* the kernel's file does not say it */
            continue;
        if ((double)executed != stated)
            fail_msg("%s: %s, instruction at %u: executed %lu times for n = %lu, not %s",
                     walked->kernel->name, block->label, map_instruction_at(map, i).offset,
                     (unsigned long)executed, (unsigned long)n, block->count);
    }
}

static void hold_flow(const struct walked *walked)
{
    const struct kernel_map *map = walked->map;

    for (uint32_t block = 0; block < map->block_count; block++) {
        uint64_t in = 0, out = 0;

        for (uint32_t i = 0; i < map->edge_count; i++) {
            in += map->edges[i].to == block ? walked->edges[i] : 0;
            out += map->edges[i].from == block ? walked->edges[i] : 0;
        }
        assert_int_equal(in, out);
        assert_int_equal(in, walked->executions[map->blocks[block].offset]);
    }
}

static void each_block_runs_as_often_as_its_kernel_states(void **state)
{
    unsigned maps = 0;

    (void)state;
    for (unsigned i = 0; i < kernels_count(); i++) {
        const struct kernel *kernel = kernels_at(i);
        const struct kernel_map *map = kernel_map_of(kernel->name);
        struct kernel_trace trace;

        if (map == NULL)
            continue;
        maps++;
        walk_kernel(kernel, map, &trace);
        hold_blocks(&once, trace.n);
        hold_blocks(&twice, trace.n * 2);
        hold_flow(&once);
        hold_flow(&twice);
    }
    assert_true(maps >= 17);
}

/* ---- The form of the maps ---- */

static void every_cpi_kernel_has_a_map_and_no_cal_kernel_has_one(void **state)
{
    (void)state;
    for (unsigned i = 0; i < kernels_count(); i++) {
        const struct kernel *kernel = kernels_at(i);
        const struct kernel_map *map = kernel_map_of(kernel->name);

        if (starts_with(kernel->name, "cpi."))
            assert_string_equal(map->kernel, kernel->name);
        if (starts_with(kernel->name, "cal."))
            assert_null(map);
    }
    assert_null(kernel_map_of("cpi.loop"));
    assert_null(kernel_map_of("cpi.loopss"));
}

static void hold_functions(const struct kernel_map *map)
{
    uint32_t blocks = 0;

    for (uint32_t i = 0; i < map->function_count; i++) {
        assert_int_equal(map->functions[i].first, blocks);
        assert_true(map->functions[i].blocks > 0);
        assert_string_equal(map->functions[i].name, map->blocks[blocks].label);
        for (uint32_t k = 0; k < map->functions[i].blocks; k++)
            assert_int_equal(map->blocks[blocks++].function, i);
    }
    assert_int_equal(blocks, map->block_count);
}

static void hold_instructions(const struct kernel_map *map)
{
    uint32_t instructions = 0, end = 0;

    for (uint32_t i = 0; i < map->block_count; i++) {
        const struct map_block *block = &map->blocks[i];

        assert_true(block->offset >= end && block->instructions > 0);
        assert_int_equal(block->first, instructions);
        assert_int_equal(map_instruction_at(map, instructions).offset, block->offset);
        for (uint32_t k = 0; k < block->instructions; k++, instructions++) {
            assert_int_equal(map_instruction_at(map, instructions).block, i);
            assert_true(map_instruction_at(map, instructions).offset <
                        block->offset + block->bytes);
            if (k > 0)
                assert_true(map_instruction_at(map, instructions).offset >
                            map_instruction_at(map, instructions - 1).offset);
        }
        end = block->offset + block->bytes;
    }
    assert_int_equal(instructions, map->instruction_count);
    assert_true(end <= map->bytes);
}

static void hold_edges(const struct kernel_map *map)
{
    for (uint32_t i = 0; i < map->edge_count; i++) {
        const struct map_edge *edge = &map->edges[i], *before = edge - 1;

        assert_true(edge->from < map->block_count || edge->from == MAP_OUTSIDE);
        assert_true(edge->to < map->block_count || edge->to == MAP_OUTSIDE);
        if (i > 0)
            assert_true(
                before->from < edge->from ||
                (before->from == edge->from &&
                 (before->to < edge->to || (before->to == edge->to && before->kind < edge->kind))));
    }
}

static void every_map_has_the_form_that_its_header_promises(void **state)
{
    (void)state;
    for (unsigned i = 0; i < kernels_count(); i++) {
        const struct kernel_map *map = kernel_map_of(kernels_at(i)->name);

        if (map == NULL)
            continue;
        hold_functions(map);
        hold_instructions(map);
        hold_edges(map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cpi_kernel_has_a_map_and_no_cal_kernel_has_one),
        cmocka_unit_test(every_map_has_the_form_that_its_header_promises),
        cmocka_unit_test(each_block_runs_as_often_as_its_kernel_states),
    };

    return cmocka_run_group_tests(tests, map_arena, NULL);
}
