/* Decoded instructions in program order. */
#include "sequence.h"

const struct decoded *sequence_decode_anew(struct decoder *decoder, const struct executed *executed)
{
    const struct decoded *decoded;

    decoded = decoder_get(decoder, executed->rip, executed->bytes, executed->length);
    if (executed->kept != NULL)
        *executed->kept = decoded;
    return decoded;
}

bool sequence_fuses(const struct previous *previous, const struct decoded *decoded,
                    const struct executed *executed)
{
    return decoded->fuses_with != 0 && previous->fuses && previous->end == executed->rip &&
           (decoded->fuses_with & previous->class);
}
