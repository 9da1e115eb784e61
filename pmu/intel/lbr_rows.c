#include "rows.h"

#include "pmu/registers.h"

#define FORMAT(name) (1u << LBR_FORMAT_##name)
/* What parts may say that came before the flags: the register says which. */
#define FORMATS_EARLY (FORMAT(32) | FORMAT(LIP) | FORMAT(EIP) | FORMAT(EIP_FLAGS))

/* clang-format off */
/* The register rows of Core and Atom up to Silvermont, and of Nehalem and later. */
#define ROWS_CORE    .from = MSR_LASTBRANCH_0_FROM_IP_CORE, .to = MSR_LASTBRANCH_0_TO_IP_CORE, \
                     .tos = MSR_LASTBRANCH_TOS
#define ROWS_NEHALEM .from = MSR_LASTBRANCH_0_FROM_IP, .to = MSR_LASTBRANCH_0_TO_IP, \
                     .tos = MSR_LASTBRANCH_TOS
#define FILTER       .select = MSR_LBR_SELECT
#define AS_SAID      .fixed = LBR_FORMATS

/* Skylake's row serves Goldmont Plus, Tremont, Ice Lake, Tiger Lake and Rocket Lake, too.
 *
 * "Last Branch Call Stack"; filters: "Filtering of Last Branch Records". That Knights Landing
 * records mispredictions though its format says LIP, and that Nehalem misses calls where jumps are
 * suppressed, is what Linux says (arch/x86/events/intel/lbr.c). */
const struct lbr_kind intel_lbr_rows[INTEL_LBR_ROWS] = {
    { "core2", 4, ROWS_CORE, AS_SAID, .formats = FORMATS_EARLY, .freeze = LBR_FREEZE_LEGACY },
    { "atom8", 8, ROWS_CORE, AS_SAID, .formats = FORMATS_EARLY, .freeze = LBR_FREEZE_LEGACY },
    { "silvermont8", 8, ROWS_CORE, AS_SAID, FILTER, .formats = FORMATS_EARLY,
      .freeze = LBR_FREEZE_LEGACY },
    { "knightslanding8", 8, ROWS_NEHALEM, FILTER, .formats = FORMAT(LIP),
      .fixed = LBR_FORMAT_EIP_FLAGS, .freeze = LBR_FREEZE_LEGACY },
    { "nehalem16", 16, ROWS_NEHALEM, AS_SAID, FILTER, .select_shared = true,
      .calls_need_jumps = true, .formats = FORMAT(EIP_FLAGS), .freeze = LBR_FREEZE_LEGACY },
    { "sandybridge16", 16, ROWS_NEHALEM, AS_SAID, FILTER, .formats = FORMAT(EIP_FLAGS),
      .freeze = LBR_FREEZE_LEGACY },
    { "haswell16", 16, ROWS_NEHALEM, AS_SAID, FILTER, .call_stack = true,
      .formats = FORMAT(EIP_FLAGS2), .freeze = LBR_FREEZE_LEGACY },
    { "goldmont32", 32, ROWS_NEHALEM, AS_SAID, FILTER, .call_stack = true,
      .formats = FORMAT(TIME), .freeze = LBR_FREEZE_STREAMLINED },
    { "skylake32", 32, ROWS_NEHALEM, AS_SAID, .info = MSR_LBR_INFO_0, FILTER, .call_stack = true,
      .formats = FORMAT(INFO) | FORMAT(INFO2), .freeze = LBR_FREEZE_STREAMLINED },
    { "architectural", .from = IA32_LBR_0_FROM_IP, .to = IA32_LBR_0_TO_IP,
      .info = IA32_LBR_0_INFO, .architectural = true,
      .fixed = LBR_FORMAT_ARCHITECTURAL, .freeze = LBR_FREEZE_STREAMLINED },
};
/* clang-format on */
