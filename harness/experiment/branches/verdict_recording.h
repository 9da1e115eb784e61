/* Verdicts on recordings of a kernel that lists all branches of its iterations. Pure. */
#ifndef HARNESS_EXPERIMENT_BRANCHES_VERDICT_RECORDING_H
#define HARNESS_EXPERIMENT_BRANCHES_VERDICT_RECORDING_H

#include "harness/judge/verdict_text.h"
#include "recording.h"

/* What the recording of a kernel with listed branches should hold: for each kind of recording as
 * enum recording_kind says, record by record. `absent` says why the recording is not there. */
void verdict_recording(struct verdict *verdict, const struct trial *trial,
                       const struct recording *recording, const char *absent,
                       const void *return_address);

#endif
