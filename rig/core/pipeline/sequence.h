/* An instruction and the one before it: decoding, macro-fusion. */
#ifndef RIG_CORE_PIPELINE_SEQUENCE_H
#define RIG_CORE_PIPELINE_SEQUENCE_H

#include "core/cycle/state.h"

/* Decodes the bytes, or finds them decoded before. */
RIG_RARE const struct decoded *sequence_decode_anew(struct decoder *decoder,
                                                    const struct executed *executed);
static inline const struct decoded *sequence_decode(struct decoder *decoder,
                                                    const struct executed *executed)
{
    const struct decoded *decoded = executed->kept != NULL ? *executed->kept : NULL;

    return decoded != NULL && decoded_is(decoded, executed->rip, executed->bytes)
               ? decoded
               : sequence_decode_anew(decoder, executed);
}
/* What the next instruction has to know of this one, which ends before address `end`. */
static inline void sequence_remember(struct previous *previous, const struct decoded *decoded,
                                     uint64_t end)
{
    previous->fuses = decoded->fuses_first;
    previous->class = decoded->fuse_class;
    previous->rip = decoded->rip;
    previous->end = end;
}
/* Whether it is the second of a pair that the decoders fuse. */
bool sequence_fuses(const struct previous *previous, const struct decoded *decoded,
                    const struct executed *executed);

#endif
