#include "tools/kernel_flow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/kernel_code.h"

_Static_assert(FLOW_ERROR_BYTES == CODE_ERROR_BYTES, "an error of the code is passed on");

/* The arrays of a map while they are filled. */
struct flow {
    const struct kernel_object *object;
    struct kernel_code code;
    uint8_t *lengths;
    struct map_block *blocks;
    struct map_edge *edges;
    struct map_function *functions;
    uint32_t instruction_count, block_count, edge_count, function_count;
    uint32_t edge_room;
    char *error;
};

/* ---- The statements fit the code ---- */

static bool refuse_label(struct flow *flow, const char *label, const char *message)
{
    snprintf(flow->error, FLOW_ERROR_BYTES, "%s: %s", label, message);
    return false;
}

static bool blocks_are_leaders(struct flow *flow)
{
    const struct kernel_object *object = flow->object;

    for (uint32_t i = 0; i < object->block_count; i++) {
        const struct stated_block *block = &object->blocks[i];

        if (block->offset >= object->bytes || !flow->code.bytes[block->offset].leader)
            return refuse_label(flow, block->label, "expected BLOCK where a basic block begins");
        for (uint32_t k = 0; k < i; k++)
            if (object->blocks[k].offset == block->offset)
                return refuse_label(flow, block->label, "expected one BLOCK for a basic block");
    }
    return true;
}

static bool targets_are_of_indirect_branches(struct flow *flow)
{
    const struct kernel_object *object = flow->object;

    for (uint32_t i = 0; i < object->target_count; i++) {
        const struct stated_target *target = &object->targets[i];
        const struct code_byte *bytes = flow->code.bytes;

        if (target->branch >= object->bytes || bytes[target->branch].length == 0 ||
            !code_indirect(bytes[target->branch].kind))
            return refuse_label(flow, target->branch_label,
                                "expected TARGETS of an indirect JMP or CALL");
        for (uint32_t k = 0; k < i; k++)
            if (object->targets[k].branch == target->branch &&
                object->targets[k].target == target->target)
                return refuse_label(flow, target->target_label, "expected each of TARGETS once");
    }
    return true;
}

static const struct stated_block *stated_at(const struct flow *flow, uint32_t offset)
{
    for (uint32_t i = 0; i < flow->object->block_count; i++)
        if (flow->object->blocks[i].offset == offset)
            return &flow->object->blocks[i];
    return NULL;
}

static bool leaders_are_stated(struct flow *flow)
{
    for (uint32_t i = 0; i < flow->object->bytes; i++)
        if (flow->code.bytes[i].leader && stated_at(flow, i) == NULL)
            return code_refuse(flow->object, i, flow->error,
                               "expected a BLOCK line, since a basic block begins here");
    return true;
}

/* ---- Instructions, blocks, functions ---- */

static bool allocate(struct flow *flow)
{
    size_t bytes = flow->object->bytes;

    flow->lengths = calloc(bytes, sizeof(*flow->lengths));
    flow->blocks = calloc(bytes, sizeof(*flow->blocks));
    flow->functions = calloc(bytes, sizeof(*flow->functions));
    if (flow->lengths == NULL || flow->blocks == NULL || flow->functions == NULL)
        return refuse_label(flow, "CODE", "out of memory");
    return true;
}

static void begin_function(struct flow *flow, const char *name)
{
    flow->functions[flow->function_count++] = (struct map_function){name, flow->block_count, 0};
}

static void begin_block(struct flow *flow, const struct stated_block *stated)
{
    flow->blocks[flow->block_count++] = (struct map_block){
        .label = stated->label,
        .count = stated->count,
        .offset = stated->offset,
        .first = flow->instruction_count,
        .function = flow->function_count - 1,
    };
    flow->functions[flow->function_count - 1].blocks++;
}

static void lay_out(struct flow *flow)
{
    for (uint32_t i = 0; i < flow->object->bytes; i++) {
        const struct code_byte *byte = &flow->code.bytes[i];
        struct map_block *block;

        if (byte->function)
            begin_function(flow, stated_at(flow, i)->label);
        if (byte->leader)
            begin_block(flow, stated_at(flow, i));
        if (byte->length == 0)
            continue;
        block = &flow->blocks[flow->block_count - 1];
        flow->lengths[flow->instruction_count++] = byte->length;
        block->instructions++;
        block->bytes = i + byte->length - block->offset;
    }
}

/* ---- Edges ---- */

static uint32_t block_at(const struct flow *flow, uint32_t offset)
{
    for (uint32_t i = 0; i < flow->block_count; i++)
        if (flow->blocks[i].offset == offset)
            return i;
    abort(); /* a branch makes its target a leader, and each leader is a block */
}

static uint32_t last_offset(const struct flow *flow, uint32_t block)
{
    const struct map_block *of = &flow->blocks[block];

    return of->offset + of->bytes - flow->lengths[of->first + of->instructions - 1];
}

static bool add_edge(struct flow *flow, uint32_t from, uint32_t to, enum map_edge_kind kind)
{
    if (flow->edge_count == flow->edge_room) {
        uint32_t room = flow->edge_room * 2 + 16;
        struct map_edge *larger = realloc(flow->edges, room * sizeof(*larger));

        if (larger == NULL)
            return refuse_label(flow, "CODE", "out of memory");
        flow->edges = larger;
        flow->edge_room = room;
    }
    flow->edges[flow->edge_count++] = (struct map_edge){from, to, kind};
    return true;
}

static bool add_inner_edge(struct flow *flow, uint32_t from, uint32_t to_offset,
                           enum map_edge_kind kind)
{
    uint32_t to = block_at(flow, to_offset);

    if (flow->blocks[from].function != flow->blocks[to].function)
        return code_refuse(flow->object, last_offset(flow, from), flow->error,
                           "expected only CALL and RET to lead to another function");
    return add_edge(flow, from, to, kind);
}

/* Adds the edge of a call, and those of the returns in the function called. */
static bool add_call(struct flow *flow, uint32_t from, uint32_t to_offset, enum map_edge_kind kind)
{
    uint32_t to = block_at(flow, to_offset), function = flow->blocks[to].function;
    uint32_t call = last_offset(flow, from);
    uint32_t after = block_at(flow, call + flow->code.bytes[call].length);
    const struct map_function *called = &flow->functions[function];

    if (flow->blocks[after].function != flow->blocks[from].function)
        return code_refuse(flow->object, call, flow->error,
                           "expected the CALL to return into its function");
    if (!add_edge(flow, from, to, kind))
        return false;
    for (uint32_t i = called->first; i < called->first + called->blocks; i++)
        if (flow->code.bytes[last_offset(flow, i)].kind == CODE_RETURN &&
            !add_edge(flow, i, after, MAP_RETURN))
            return false;
    return true;
}

static bool add_indirect(struct flow *flow, uint32_t from, uint32_t branch, bool calls)
{
    const struct kernel_object *object = flow->object;

    for (uint32_t i = 0; i < object->target_count; i++) {
        uint32_t target = object->targets[i].target;

        if (object->targets[i].branch == branch &&
            !(calls ? add_call(flow, from, target, MAP_CALL_INDIRECT)
                    : add_inner_edge(flow, from, target, MAP_JUMP_INDIRECT)))
            return false;
    }
    return true;
}

static bool add_edges_of(struct flow *flow, uint32_t block)
{
    uint32_t last = last_offset(flow, block);
    const struct code_byte *byte = &flow->code.bytes[last];
    uint32_t next = last + byte->length;

    switch (byte->kind) {
    case CODE_ORDINARY:
        return add_inner_edge(flow, block, next, MAP_FALL_THROUGH);
    case CODE_CONDITIONAL:
        return add_inner_edge(flow, block, next, MAP_FALL_THROUGH) &&
               add_inner_edge(flow, block, byte->target, MAP_CONDITIONAL);
    case CODE_JUMP:
        return add_inner_edge(flow, block, byte->target, MAP_JUMP);
    case CODE_CALL:
        return add_call(flow, block, byte->target, MAP_CALL);
    case CODE_JUMP_INDIRECT:
    case CODE_CALL_INDIRECT:
        return add_indirect(flow, block, last, code_calls(byte->kind));
    case CODE_RETURN:
        return flow->blocks[block].function != 0 || add_edge(flow, block, MAP_OUTSIDE, MAP_RETURN);
    }
    return false;
}

static int edge_compare(const void *a, const void *b)
{
    const struct map_edge *one = a, *other = b;

    if (one->from != other->from)
        return one->from < other->from ? -1 : 1;
    if (one->to != other->to)
        return one->to < other->to ? -1 : 1;
    return one->kind < other->kind ? -1 : one->kind > other->kind;
}

static void drop_equal_edges(struct flow *flow)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < flow->edge_count; i++)
        if (kept == 0 || edge_compare(&flow->edges[kept - 1], &flow->edges[i]) != 0)
            flow->edges[kept++] = flow->edges[i];
    flow->edge_count = kept;
}

/* Two targets of one CALL in one function share its returns. */
static bool connect(struct flow *flow)
{
    for (uint32_t i = 0; i < flow->block_count; i++)
        if (!add_edges_of(flow, i))
            return false;
    if (!add_edge(flow, MAP_OUTSIDE, 0, MAP_CALL))
        return false;
    qsort(flow->edges, flow->edge_count, sizeof(*flow->edges), edge_compare);
    drop_equal_edges(flow);
    return true;
}

/* ---- The map ---- */

static bool make(struct flow *flow)
{
    if (!kernel_code_decode(&flow->code, flow->object, flow->error) || !blocks_are_leaders(flow) ||
        !targets_are_of_indirect_branches(flow) || !leaders_are_stated(flow) || !allocate(flow))
        return false;
    lay_out(flow);
    return connect(flow);
}

bool kernel_flow_make(struct kernel_map *map, const struct kernel_object *object,
                      char error[FLOW_ERROR_BYTES])
{
    struct flow flow = {.object = object, .error = error};
    bool good = make(&flow);

    kernel_code_free(&flow.code);
    *map = (struct kernel_map){
        .kernel = object->name,
        .lengths = flow.lengths,
        .blocks = flow.blocks,
        .edges = flow.edges,
        .functions = flow.functions,
        .instruction_count = flow.instruction_count,
        .block_count = flow.block_count,
        .edge_count = flow.edge_count,
        .function_count = flow.function_count,
        .bytes = object->bytes,
    };
    if (!good)
        kernel_flow_free(map);
    return good;
}

void kernel_flow_free(struct kernel_map *map)
{
    free((void *)map->lengths);
    free((void *)map->blocks);
    free((void *)map->edges);
    free((void *)map->functions);
    *map = (struct kernel_map){0};
}
