/* Moves find a slot to be eliminated in, or are executed. The rules are those of "uiCA" (A. Abel,
 * J. Reineke), worked out by hand: four slots; a move is on its way to one for three cycles on Ivy
 * Bridge and for two on Haswell and Skylake. The cycles of blocks are BHive's, measured. */
#include "core/mechanism/moves.h"
#include "core/cycle/state.h"
#include "model_test.h"

extern const struct model_parameters skylakex_core, haswell_core, ivybridge_core, icelakex_core;

static struct model model;

static void begin_at(const struct model_parameters *core, uint64_t cycle)
{
    memset(&model, 0, sizeof(model));
    model.p = core;
    model.time.now = cycle;
}

/* mov TO, FROM in that cycle. */
static bool eliminated(uint64_t cycle, unsigned to, unsigned from)
{
    const struct uop uop = {.class_id = CLASS_NONE,
                            .sources = {(uint8_t)from, REG_NONE, REG_NONE, REG_NONE},
                            .destinations = {(uint8_t)to, REG_NONE},
                            .moves = true};

    model.time.now = cycle;
    return moves_eliminate(&model.p->moves, &model.mechanisms.moves, model.time.now, &uop);
}

static void overwrite(unsigned id)
{
    if (model.mechanisms.moves.sharing >> id & 1)
        moves_written(&model.mechanisms.moves, model.time.now, id);
}

/* Registers 0 to 3 become copies of 8 to 11, in cycle 10. */
static void fill(const struct model_parameters *core)
{
    begin_at(core, 10);
    for (unsigned i = 0; i < 4; i++)
        assert_true(eliminated(10, i, 8 + i));
}

static void a_cycle_has_four_slots(void **state)
{
    (void)state;
    fill(&skylakex_core);
    assert_false(eliminated(10, 4, 12));
    assert_true(eliminated(10, REG_VECTOR, REG_VECTOR + 1)); /* vectors have slots of their own */
}

static void registers_that_share_one_hold_a_slot(void **state)
{
    (void)state;
    fill(&skylakex_core);
    assert_false(eliminated(100, 4, 12));
    begin_at(&skylakex_core, 10);
    assert_true(eliminated(10, 0, 8));
    assert_true(eliminated(10, 1, 8)); /* the third register in the same slot */
    for (unsigned i = 0; i < 3; i++)
        assert_true(eliminated(100, 2 + i, 12 + i));
    assert_false(eliminated(100, 5, 15));
}

static void a_slot_is_free_when_its_registers_are_written(void **state)
{
    (void)state;
    fill(&ivybridge_core);
    model.time.now = 100;
    overwrite(0);
    assert_true(eliminated(110, 4, 12)); /* the other register has it alone */
    assert_false(eliminated(110, 5, 13));
    fill(&skylakex_core);
    model.time.now = 100;
    overwrite(0);
    assert_false(eliminated(110, 4, 12));
    overwrite(8);
    assert_true(eliminated(120, 4, 12));
    assert_false(eliminated(120, 5, 13));
}

/* A move of the cycle before counts, and registers that shared one when that began: on Skylake what
 * is written in one cycle is seen two cycles later, on Ivy Bridge three. */
static void a_move_is_on_its_way_for_some_cycles(void **state)
{
    static const struct {
        const struct model_parameters *core;
        unsigned cycles;
    } all[] = {{&skylakex_core, 2}, {&haswell_core, 2}, {&ivybridge_core, 3}};

    (void)state;
    for (unsigned n = 0; n < sizeof(all) / sizeof(*all); n++) {
        fill(all[n].core);
        for (unsigned i = 0; i < 4; i++) {
            overwrite(i);
            overwrite(8 + i);
        }
        assert_false(eliminated(10 + all[n].cycles - 1, 4, 12));
        assert_true(eliminated(10 + all[n].cycles, 4, 12));
    }
}

static void ice_lake_has_slots_without_end(void **state)
{
    (void)state;
    begin_at(&icelakex_core, 10);
    for (unsigned i = 0; i < 12; i++)
        assert_true(eliminated(10, REG_VECTOR + i, REG_VECTOR + 15));
}

/* Copies of each block in a turn, so that the branch at the end does not matter. */
#define COPIES 40u
#define TURNS  200u

static void run_pointer(struct bench *bench, unsigned turn)
{
    (void)turn;
    for (unsigned i = 0; i < COPIES; i++) {
        plain(bench, CODE("\x48\x89\xeb"));                 /* mov rbx, rbp */
        reads(bench, CODE("\x48\x8b\x6b\x08"), DATA_START); /* mov rbp, [rbx+8] */
    }
}

/* With all moves eliminated it would be the four cycles of the load. */
static void a_block_takes_as_long_as_on_ivy_bridge(void **state)
{
    struct bench bench;
    uint64_t before;

    (void)state;
    begin(&bench, &ivybridge_core);
    turns(&bench, run_pointer, 0, TURNS);
    before = model_now(bench.model);
    turns(&bench, run_pointer, TURNS, TURNS);
    check_near("a move and a load", "ivybridge",
               (double)(model_now(bench.model) - before) / (TURNS * COPIES), 4.75, 0.1);
    end(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cycle_has_four_slots),
        cmocka_unit_test(registers_that_share_one_hold_a_slot),
        cmocka_unit_test(a_slot_is_free_when_its_registers_are_written),
        cmocka_unit_test(a_move_is_on_its_way_for_some_cycles),
        cmocka_unit_test(ice_lake_has_slots_without_end),
        cmocka_unit_test(a_block_takes_as_long_as_on_ivy_bridge),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
