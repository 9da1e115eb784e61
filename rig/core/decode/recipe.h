/* What the arithmetic part of an instruction costs, by mnemonic. Loads and stores are added by
 * uops.c, from the operands. */
#ifndef RIG_CORE_DECODE_RECIPE_H
#define RIG_CORE_DECODE_RECIPE_H

#include <Zydis/Zydis.h>

#include "core/parameters.h"

enum recipe_flag {
    RECIPE_MOVE = 1,              /* a plain copy: a load or a store does all of it */
    RECIPE_SERIALISING = 2,       /* drains before and after */
    RECIPE_FENCE = 4,             /* waits for everything before it */
    RECIPE_DRAINS = 8,            /* waits until the store buffer is empty */
    RECIPE_MICROCODE = 16,        /* from the sequencer although it has few uops */
    RECIPE_ADDRESS = 32,          /* takes an address, accesses nothing */
    RECIPE_PARTS_FUSED = 64,      /* its parts share one slot */
    RECIPE_FLAGS_LAST = 1024,     /* of a chain, the flags are needed by the last uop alone */
    RECIPE_ONLY_MICROCODE = 4096, /* the decoders emit none of its uops, in a cycle of its own */
    RECIPE_MERGES_FLAGS = 2048,   /* a last uop makes the flags of the old ones and the result */
    RECIPE_OLD_LAST = 512, /* of a chain, the old destination is needed by the last uop alone */
    /* Of a chain, only flags, or only what comes from outside the vector registers, is needed by
     * the first uop, and all else by the last. */
    RECIPE_FLAGS_FIRST = 128,
    RECIPE_OUTSIDE_FIRST = 256,
};

/* First a uop of `class_id` that reads the sources, then `chain` uops of `then_id`, each waiting
 * for the previous one; the last uop writes the destinations. Further uops without registers fill
 * up to `slots` fused-domain slots. */
struct recipe {
    uint16_t mnemonic; /* ZydisMnemonic */
    uint8_t class_id, then_id;
    uint8_t chain;
    uint16_t flags; /* enum recipe_flag */
    uint16_t slots; /* 0: as many as there are uops */
    uint8_t parts;  /* independent copies of all these uops; 0: one */
};

extern const struct recipe recipe_rows[]; /* one row for each mnemonic (recipe_rows.c) */
extern const unsigned recipe_row_count;

#define RECIPE_MNEMONICS (ZYDIS_MNEMONIC_MAX_VALUE + 1)
/* Fills the RECIPE_MNEMONICS entries of `by_mnemonic`: the row of the mnemonic, or NULL. */
void recipe_index(const struct recipe **by_mnemonic);

/* The recipe for this very instruction: its row, or a default for its kind, adjusted to its
 * operands. */
struct recipe recipe_for(const struct recipe *const *by_mnemonic,
                         const struct model_parameters *parameters,
                         const ZydisDecodedInstruction *instruction,
                         const ZydisDecodedOperand *operands);

/* The mnemonic whose row applies: of an instruction in VEX or EVEX encoding that extends an older
 * one, the older one's. */
ZydisMnemonic recipe_mnemonic(const ZydisDecodedInstruction *instruction);
/* Adjusts the recipe to the width of its vectors and to their operands. */
void recipe_adjust_vector(struct recipe *recipe, const struct model_parameters *parameters,
                          const ZydisDecodedInstruction *instruction,
                          const ZydisDecodedOperand *operands);

#endif
