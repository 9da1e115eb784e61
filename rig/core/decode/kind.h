/* What kind of work an instruction does: its Topdown node, its arithmetic, the upper halves. */
#ifndef RIG_CORE_DECODE_KIND_H
#define RIG_CORE_DECODE_KIND_H

#include <Zydis/Zydis.h>

#include "decoded.h"

/* Sets `node`, `flops` and `upper` of `out`, whose other members are set; `mnemonic` is its
 * recipe's.
 */
void kind_set(struct decoded *out, const ZydisDecodedInstruction *instruction,
              const ZydisDecodedOperand *list, ZydisMnemonic mnemonic);

#endif
