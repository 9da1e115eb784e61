#include "decoding.h"

#include <stdlib.h>
#include <string.h>

#include "machine/engine/state.h"
#include "special.h"

#define DECODINGS 256u /* direct-mapped, by address */

bool special_new(struct core *core)
{
    core->decodings = calloc(DECODINGS, sizeof(*core->decodings));
    return core->decodings != NULL;
}

void special_free(struct core *core)
{
    free(core->decodings);
}

static bool decode(struct decoding *decoding, const struct instruction *instruction)
{
    ZydisDecoder decoder;

    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    decoding->length = 0;
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, instruction->bytes, instruction->length,
                                             &decoding->instruction, decoding->operand)))
        return false;
    memcpy(decoding->bytes, instruction->bytes, sizeof(decoding->bytes));
    decoding->length = instruction->length;
    return true;
}

const struct decoding *decoding_of(struct core *core, const struct instruction *instruction)
{
    const uint64_t address = instruction->address;
    struct decoding *decoding = &core->decodings[(address ^ address >> 8) % DECODINGS];

    if (!core->long_mode)
        return NULL;
    if (decoding->length == instruction->length && decoding->length != 0 &&
        memcmp(decoding->bytes, instruction->bytes, sizeof(decoding->bytes)) == 0)
        return decoding;
    return decode(decoding, instruction) ? decoding : NULL;
}
