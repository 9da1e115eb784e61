/* The instructions of a period, as they were handed over: to be recognised, and to be given to the
 * model again. */
#ifndef RIG_CORE_PIPELINE_PERIOD_INPUTS_H
#define RIG_CORE_PIPELINE_PERIOD_INPUTS_H

#include "core/cycle/state.h"

#define INPUTS_MOST         8192u /* instructions of a period */
#define INPUT_ACCESSES_MOST 8192u /* and their accesses beyond those that an input has itself */
#define INPUT_ACCESSES      2u

/* In one cache line of the host. */
struct input {
    _Alignas(64) uint64_t next;
    const uint8_t *bytes;
    const struct decoded *decoded;
    uint64_t shape; /* of the instruction and its accesses */
    uint64_t address[INPUT_ACCESSES];
    uint32_t more; /* number of its first access beyond these */
};

struct inputs {
    struct input *input;
    struct access *more;
    unsigned count, mores;
    bool indirect; /* some branch is neither conditional nor direct */
};

/* False: the host's memory ran out. */
bool inputs_new(struct inputs *inputs);
void inputs_free(struct inputs *inputs);
void inputs_clear(struct inputs *inputs);
/* One more instruction, which the model has accounted for. False: there is no room, or it cannot be
 * recognised, since the machine does not keep it or it did not simply go on. */
bool inputs_add(struct inputs *inputs, const struct executed *executed);
/* Instruction number `n` as it was handed over; `kept` is where its decoding is found. */
void inputs_get(const struct inputs *inputs, unsigned n, struct executed *executed,
                const struct decoded **kept);

/* How many accesses the instruction makes, and number `n` of them. */
static inline uint8_t inputs_accesses(const struct input *input)
{
    return input->shape >> 8 & 0xff;
}
struct access inputs_access(const struct inputs *inputs, const struct input *input, unsigned n);

/* All but addresses and bytes. A byte for each of the first accesses: its size, and whether it
 * writes. */
static inline uint64_t input_shape(const struct executed *executed)
{
    uint64_t shape = executed->length | (uint64_t)executed->accesses << 8 |
                     (uint64_t)executed->repeat << 16 | (uint64_t)executed->assist << 17 |
                     (uint64_t)executed->end << 18;

    for (unsigned i = 0; i < INPUT_ACCESSES && i < executed->accesses; i++)
        shape |= (uint64_t)(executed->access[i].size | executed->access[i].write << 7)
                 << (32 + 8 * i);
    return shape;
}

/* Whether the accesses beyond the first ones are the same. */
bool inputs_match_more(const struct inputs *inputs, const struct input *input,
                       const struct executed *executed);

/* Whether the instruction is this one, with the same accesses. Where its bytes are is also where
 * its decoding is kept, so that both together say which instruction it is. */
static inline bool inputs_match(const struct inputs *inputs, const struct input *input,
                                const struct executed *executed)
{
    uint64_t differ = (input->next ^ executed->next) | (input->shape ^ input_shape(executed));

    if (input->bytes != executed->bytes || executed->kept == NULL ||
        *executed->kept != input->decoded)
        return false;
    for (unsigned i = 0; i < INPUT_ACCESSES && i < executed->accesses; i++)
        differ |= input->address[i] ^ executed->access[i].address;
    if (differ)
        return false;
    return executed->accesses <= INPUT_ACCESSES || inputs_match_more(inputs, input, executed);
}

#endif
