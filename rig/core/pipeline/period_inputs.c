/* The instructions of a period. */
#include "period_inputs.h"

#include <stdlib.h>

bool inputs_new(struct inputs *inputs)
{
    inputs_clear(inputs);
    if (inputs->input == NULL)
        inputs->input = aligned_alloc(64, INPUTS_MOST * sizeof(*inputs->input));
    if (inputs->more == NULL)
        inputs->more = malloc(INPUT_ACCESSES_MOST * sizeof(*inputs->more));
    return inputs->input != NULL && inputs->more != NULL;
}

void inputs_free(struct inputs *inputs)
{
    free(inputs->input);
    free(inputs->more);
}

void inputs_clear(struct inputs *inputs)
{
    inputs->count = inputs->mores = 0;
    inputs->indirect = false;
}

static unsigned beyond(const struct executed *executed)
{
    return executed->accesses > INPUT_ACCESSES ? executed->accesses - INPUT_ACCESSES : 0;
}

static bool is_indirect(const struct decoded *decoded)
{
    return decoded->branch && !decoded->conditional && decoded->kind != BRANCH_JUMP &&
           decoded->kind != BRANCH_CALL;
}

bool inputs_add(struct inputs *inputs, const struct executed *executed)
{
    const struct decoded *decoded = executed->kept != NULL ? *executed->kept : NULL;
    struct input *input = &inputs->input[inputs->count];

    if (decoded == NULL || executed->end != END_NEXT || inputs->count == INPUTS_MOST ||
        inputs->mores + beyond(executed) > INPUT_ACCESSES_MOST)
        return false;
    inputs->indirect |= is_indirect(decoded);
    *input = (struct input){.next = executed->next,
                            .bytes = executed->bytes,
                            .decoded = decoded,
                            .shape = input_shape(executed),
                            .more = inputs->mores};
    for (unsigned i = 0; i < executed->accesses; i++)
        if (i < INPUT_ACCESSES)
            input->address[i] = executed->access[i].address;
        else
            inputs->more[inputs->mores++] = executed->access[i];
    inputs->count++;
    return true;
}

bool inputs_match_more(const struct inputs *inputs, const struct input *input,
                       const struct executed *executed)
{
    for (unsigned i = 0; i < beyond(executed); i++) {
        const struct access *is = &executed->access[INPUT_ACCESSES + i];
        const struct access *was = &inputs->more[input->more + i];

        if (is->address != was->address || is->size != was->size || is->write != was->write)
            return false;
    }
    return true;
}

struct access inputs_access(const struct inputs *inputs, const struct input *input, unsigned n)
{
    const unsigned byte = input->shape >> (32 + 8 * n) & 0xff;

    if (n >= INPUT_ACCESSES)
        return inputs->more[input->more + n - INPUT_ACCESSES];
    return (struct access){input->address[n], (uint8_t)(byte & 0x7f), byte >> 7};
}

void inputs_get(const struct inputs *inputs, unsigned n, struct executed *executed,
                const struct decoded **kept)
{
    const struct input *input = &inputs->input[n];

    *kept = input->decoded;
    *executed = (struct executed){.rip = input->decoded->rip,
                                  .next = input->next,
                                  .bytes = input->bytes,
                                  .kept = kept,
                                  .length = input->shape & 0xff,
                                  .accesses = inputs_accesses(input),
                                  .repeat = input->shape >> 16 & 1,
                                  .assist = input->shape >> 17 & 1,
                                  .end = END_NEXT};
    for (unsigned i = 0; i < executed->accesses && i < EXECUTED_ACCESSES; i++)
        executed->access[i] = inputs_access(inputs, input, i);
}
