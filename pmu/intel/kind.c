#include "kind.h"

#include "asked.h"
#include "boot/text.h"
#include "every_counter.h"
#include "freeze.h"
#include "pass.h"
#include "pebs.h"
#include "rows.h"
#include "sampling.h"

/* A processor of another kind comes before it in the table. */
static bool is_of(const struct facts *facts)
{
    return facts->intel;
}

const struct pmu_kind intel_kind = {
    .is_of = is_of,
    .global_status = IA32_PERF_GLOBAL_STATUS,
    .write_pass = intel_write_pass,
    .every_counter = intel_every_counter,
    .reference_pass = intel_reference_pass,
    .counter_register = intel_reading_register,
    .sampling = intel_sampling_plan,
    .pebs_absent = intel_pebs_absent,
    .pebs = intel_pebs_plan,
    .freezing = &intel_freezing,
    .read_selector = intel_asked_selector,
    .lbr_kinds = intel_lbr_rows,
    .lbr_count = COUNT_OF(intel_lbr_rows),
    .pebs_kinds = intel_pebs_rows,
    .pebs_count = COUNT_OF(intel_pebs_rows),
};
