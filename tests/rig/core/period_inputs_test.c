/* The instructions of a period: each is recognised by all that the model is told of it. */
#include "model_test.h"

#include "core/pipeline/period_inputs.h"

static const uint8_t bytes[16] = {0x48, 0x8b, 0x03}, other_bytes[16] = {0x48, 0x8b, 0x03};
static const struct decoded decoded = {.rip = CODE_START, .length = 3},
                            other_decoded = {.length = 3};
static const struct decoded *kept = &decoded, *other_kept = &other_decoded;

static struct executed instruction(unsigned accesses)
{
    struct executed executed = {.rip = CODE_START,
                                .next = CODE_START + 3,
                                .bytes = bytes,
                                .kept = &kept,
                                .length = 3,
                                .accesses = (uint8_t)accesses};

    for (unsigned i = 0; i < accesses; i++)
        executed.access[i] =
            (struct access){DATA_START + 64 * i, (uint8_t)(i % 2 ? 64 : 8), i % 3 == 0};
    return executed;
}

/* Any one thing that differs makes another instruction. */
static void check_differences(const struct inputs *inputs, const struct executed *same)
{
    struct executed differs[7 + 3 * EXECUTED_ACCESSES];
    unsigned count = 0;

    for (unsigned i = 0; i < sizeof(differs) / sizeof(*differs); i++)
        differs[i] = *same;
    differs[count++].next++;
    differs[count++].bytes = other_bytes;
    differs[count++].kept = &other_kept;
    differs[count++].kept = NULL;
    differs[count++].repeat = true;
    differs[count++].assist = true;
    differs[count++].end = END_INTERRUPT;
    for (unsigned i = 0; i < same->accesses; i++) {
        differs[count++].access[i].address += 8;
        differs[count++].access[i].size--;
        differs[count++].access[i].write ^= true;
    }
    for (unsigned i = 0; i < count; i++)
        assert_false(inputs_match(inputs, &inputs->input[0], &differs[i]));
}

static void all_of_an_instruction_counts(void **state)
{
    struct inputs inputs = {.input = NULL};

    (void)state;
    for (unsigned accesses = 0; accesses <= EXECUTED_ACCESSES; accesses++) {
        const struct executed same = instruction(accesses), fewer = instruction(accesses ? 0 : 1);

        assert_true(inputs_new(&inputs));
        assert_true(inputs_add(&inputs, &same));
        assert_true(inputs_match(&inputs, &inputs.input[0], &same));
        assert_false(inputs_match(&inputs, &inputs.input[0], &fewer));
        check_differences(&inputs, &same);
    }
    inputs_free(&inputs);
}

/* The model can be given each of them again. */
static void what_was_added_comes_back(void **state)
{
    struct inputs inputs = {.input = NULL};

    (void)state;
    assert_true(inputs_new(&inputs));
    for (unsigned accesses = 0; accesses <= EXECUTED_ACCESSES; accesses++) {
        const struct executed same = instruction(accesses);

        assert_true(inputs_add(&inputs, &same));
    }
    for (unsigned n = 0; n <= EXECUTED_ACCESSES; n++) {
        const struct executed same = instruction(n);
        const struct decoded *found;
        struct executed again;

        inputs_get(&inputs, n, &again, &found);
        assert_ptr_equal(found, &decoded);
        assert_int_equal(again.rip, same.rip);
        assert_true(inputs_match(&inputs, &inputs.input[n], &again));
        assert_true(inputs_match(&inputs, &inputs.input[n], &same));
    }
    inputs_free(&inputs);
}

/* What the machine does not keep, or what did not go on by itself, is no part of a period. */
static void some_instructions_are_not_taken(void **state)
{
    struct inputs inputs = {.input = NULL};
    struct executed executed = instruction(1);

    (void)state;
    assert_true(inputs_new(&inputs));
    executed.kept = NULL;
    assert_false(inputs_add(&inputs, &executed));
    executed = instruction(1);
    executed.end = END_FAULT;
    assert_false(inputs_add(&inputs, &executed));
    executed = instruction(0);
    for (unsigned i = 0; i < INPUTS_MOST; i++)
        assert_true(inputs_add(&inputs, &executed));
    assert_false(inputs_add(&inputs, &executed));
    inputs_free(&inputs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_an_instruction_counts),
        cmocka_unit_test(what_was_added_comes_back),
        cmocka_unit_test(some_instructions_are_not_taken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
