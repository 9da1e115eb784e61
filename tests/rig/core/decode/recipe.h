/* What the arithmetic part of an instruction costs, by mnemonic. Its loads and stores are added by
 * model_decode.c from its operands. Shared by model_decode.c, model_uops.c and model_recipe*.c
 * only. */
#ifndef RIG_MODEL_RECIPE_H
#define RIG_MODEL_RECIPE_H

#include <Zydis/Zydis.h>

#include "core/parameters.h"

enum recipe_flag {
    RECIPE_MOVE = 1,         /* a plain copy: a load or a store does all of it */
    RECIPE_SERIALISING = 2,  /* drains before and after */
    RECIPE_FENCE = 4,        /* waits for everything before it */
    RECIPE_DRAINS = 8,       /* also for the store buffer */
    RECIPE_MICROCODE = 16,   /* from the sequencer although it has few uops */
    RECIPE_ADDRESS = 32,     /* takes an address, accesses nothing */
    RECIPE_PARTS_FUSED = 64, /* its parts are one slot */
};

/* First a uop of `class_id` that reads the sources, then `chain` uops of `then_id`, each waiting
 * for the one before; the last of them writes the destinations. Further uops without registers make
 * it `slots` fused-domain slots. */
struct recipe {
    uint16_t mnemonic; /* ZydisMnemonic */
    uint8_t class_id, then_id;
    uint8_t chain;
    uint8_t flags;  /* enum recipe_flag */
    uint16_t slots; /* 0: as many as there are uops */
    uint8_t parts;  /* so many times all that, side by side; 0 and 1: once */
};

extern const struct recipe recipe_rows[]; /* model_recipe_rows.c, one a mnemonic */
extern const unsigned recipe_row_count;

/* `by_mnemonic` has RECIPE_MNEMONICS entries; those without a row become null. */
#define RECIPE_MNEMONICS (ZYDIS_MNEMONIC_MAX_VALUE + 1)
void recipe_index(const struct recipe **by_mnemonic);

/* The recipe for this very instruction: its row, or a default for its kind, changed as its operands
 * ask. */
struct recipe recipe_for(const struct recipe *const *by_mnemonic,
                         const struct model_parameters *parameters,
                         const ZydisDecodedInstruction *instruction,
                         const ZydisDecodedOperand *operands);

/* model_recipe_vector.c */
/* The mnemonic whose row counts: in VEX and EVEX encoding that of the older instruction, where
 * there is one. */
ZydisMnemonic recipe_mnemonic(const ZydisDecodedInstruction *instruction);
void recipe_adjust_vector(struct recipe *recipe, const struct model_parameters *parameters,
                          const ZydisDecodedInstruction *instruction,
                          const ZydisDecodedOperand *operands);

#endif
