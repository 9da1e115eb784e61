#include "lbr_kind.h"

/* clang-format off */
static const struct lbr_layout layouts[LBR_FORMATS] = {
    [LBR_FORMAT_32]         = { .from_bits = 32, .to_bits = 32 },
    [LBR_FORMAT_LIP]        = { .from_bits = 64, .to_bits = 64 },
    [LBR_FORMAT_EIP]        = { .from_bits = 64, .to_bits = 64 },
    [LBR_FORMAT_EIP_FLAGS]  = { .from_bits = 63, .to_bits = 64, .from_mispredicted = true },
    [LBR_FORMAT_EIP_FLAGS2] = { .from_bits = 61, .to_bits = 64, .from_mispredicted = true,
                                .from_transaction = true },
    [LBR_FORMAT_INFO]       = { .from_bits = 64, .to_bits = 64, .info = true,
                                .info_transaction = true },
    [LBR_FORMAT_TIME]       = { .from_bits = 63, .to_bits = 48, .from_mispredicted = true,
                                .to_cycles = true },
    [LBR_FORMAT_INFO2]      = { .from_bits = 64, .to_bits = 64, .info = true },
    [LBR_FORMAT_ARCHITECTURAL] = { .from_bits = 64, .to_bits = 64, .info = true,
                                   .info_transaction = true, .info_type = true },
};
/* clang-format on */

const struct lbr_layout *lbr_layout_of(enum lbr_format format)
{
    return &layouts[format];
}
