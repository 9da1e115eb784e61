/* Whether an instruction in VEX or EVEX encoding exists on a processor, and whether it is played.
 */
#ifndef RIG_VECTOR_SUPPORT_H
#define RIG_VECTOR_SUPPORT_H

#include <Zydis/Zydis.h>

#include "cpuid_bit.h"

enum vector_support {
    VECTOR_UNDEFINED, /* the processor lacks it */
    VECTOR_UNPLAYED,
    VECTOR_PLAYED
};

enum vector_support vector_support(const ZydisDecodedInstruction *decoded,
                                   cpuid_offers_function *offers, void *context);

#endif
