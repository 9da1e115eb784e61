/* What kind of work an instruction does. Shared by model_decode.c and model_kind.c only. */
#ifndef RIG_MODEL_KIND_H
#define RIG_MODEL_KIND_H

#include <Zydis/Zydis.h>

#include "decode.h"

/* Sets `node`, `flops` and `upper`; all else of `out` is there. `mnemonic` is that of its recipe.
 */
void kind_set(struct decoded *out, const ZydisDecodedInstruction *instruction,
              const ZydisDecodedOperand *list, ZydisMnemonic mnemonic);

#endif
