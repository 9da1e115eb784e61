/* Decoded instructions in program order. */
#include "sequence.h"

const struct decoded *sequence_decode_anew(struct model *model, const struct executed *executed)
{
    const struct decoded *decoded;

    decoded = decoder_get(model->decoder, executed->rip, executed->bytes, executed->length);
    if (executed->kept != NULL)
        *executed->kept = decoded;
    return decoded;
}

bool sequence_fuses(const struct model *model, const struct decoded *decoded,
                    const struct executed *executed)
{
    return decoded->fuses_with != 0 && model->previous_fuses &&
           model->previous_end == executed->rip && (decoded->fuses_with & model->previous_class);
}
