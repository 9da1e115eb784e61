#include "lane.h"

#include "boot/firmware/memory.h"
#include "boot/format.h"
#include "boot/machine/machine.h"
#include "boot/text.h"

bool lane_take_words(struct lane *lane, size_t words)
{
    if (words <= lane->word_count)
        return true;
    lane->words = memory_alloc(words * sizeof(*lane->words));
    lane->word_count = lane->words != NULL ? words : 0;
    return lane->words != NULL;
}

bool lane_renew(struct lane *lane, const struct plan *plan)
{
    struct measurement *m = &lane->measurement;

    if (plan->pass_count > MEASUREMENT_PASSES ||
        !lane_take_words(lane, measurement_words(plan, m->repeats)))
        return false;
    second_look_forget(&lane->look);
    m->plan = plan;
    m->first_pass = m->passes_of_full_tree = 0;
    m->recording_count = 0;
    m->kept = m->ticks_lost = 0;
    memset(m->discarded, 0, sizeof(m->discarded));
    m->rc = RC_OK;
    m->what = NULL;
    m->where[0] = '\0';
    lane->job.rotation = NULL;
    lane->job.pebs = NULL; /* was taken */
    measurement_lay_out(m, lane->words);
    return true;
}

void lane_block(struct lane *lane, const char *why)
{
    if (lane->blocked[0] == '\0')
        format(lane->blocked, sizeof(lane->blocked), "%s", why);
}

void lane_give_up(struct lane *lane, const char *why)
{
    lane_block(lane, why);
    lane->given_up = true;
}

void lane_core_ended(struct lane *lane, unsigned core)
{
    if (lane->corunner_core == NULL || lane->core->core != core)
        return;
    rendezvous_signal(&lane->rendezvous.over);
    rendezvous_signal(&lane->rendezvous.prepared); /* it may not even have begun */
}

bool lane_counted(const struct lane *lane)
{
    return lane->ready && lane->blocked[0] == '\0';
}

bool lane_lost(const struct lane *lane)
{
    bool lost = lane->failed || lane->given_up;

    if (!lane->ready)
        return lost;
    for (unsigned i = 0; i < lane->measurement.recording_count; i++)
        lost = lost || lane->recordings[i].disturbed;
    return lost || lane->measurement.what != NULL;
}
