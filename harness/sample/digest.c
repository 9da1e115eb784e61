#include "digest.h"

static void see(struct seen *seen, uint64_t value)
{
    if (seen->count == 0 || value < seen->lowest)
        seen->lowest = value;
    if (value > seen->highest)
        seen->highest = value;
    seen->count++;
    seen->sum += (double)value;
    seen->squares += (double)value * (double)value;
}

void digest_records(struct sampler *s, uint64_t count)
{
    const uint64_t words = PMI_RECORD_WORDS + s->plan.read_count;

    for (uint64_t i = 0; i < count; i++) {
        const uint64_t *record = s->records + i * words;

        see(&s->late, record[PMI_RECORD_WORDS]);
        if (record[0] < s->code || record[0] >= s->code_end)
            s->outside++;
        else
            s->kept++;
    }
}
