#include "skid_verdict.h"

#include "boot/format.h"
#include "boot/log.h"
#include "skid_judge.h"

static bool is_pmi(enum skid_method method)
{
    return method == SKID_PMI_VECTOR || method == SKID_PMI_NMI;
}

static const char *claim_of(const struct skid *skid, enum skid_method method, bool every)
{
    if (every)
        return method == SKID_PEBS_DISTRIBUTED ? "each instruction comes equally often"
                                               : "instructions come equally often";
    if (is_pmi(method))
        return "the address is behind the cause";
    return skid->due == 0 ? "the address is the cause's" : "the address is the next one's";
}

static void subject(const struct skid_job *job, enum skid_method method, char *out, size_t size)
{
    const char *delivery = skid_method_delivery(method);

    format(out, size, "core %u %s skid of %s by %s%s%s", job->core->core,
           job->measurement->kernel->name,
           job->skid->event != NULL ? job->skid->event->name : "its event",
           skid_method_name(method), delivery != NULL ? " as " : "",
           delivery != NULL ? delivery : "");
}

/* What was found, behind the claim. */
static void found(const struct skid *skid, bool every, char *out, size_t size)
{
    const struct skid_figures figures = skid_figures_of(&skid->distances);
    uint64_t fewest, most;

    skid_extremes(&skid->distances, &fewest, &most);
    if (every)
        format(out, size, "%llu to %llu samples each", (unsigned long long)fewest,
               (unsigned long long)most);
    else if (!figures.known)
        format(out, size, "no sample");
    else
        format(out, size, "%u to %u instructions on, median %u, %llu samples, %llu broken",
               figures.minimum, figures.maximum, figures.median,
               (unsigned long long)skid->distances.samples,
               (unsigned long long)skid->distances.broken);
}

void skid_verdict(const struct skid_job *job, enum skid_method method)
{
    const struct skid *skid = job->skid;
    const bool every = job->measurement->kernel->cause_kind == CAUSE_EVERY;
    char about[160], what[120], text[400];
    const char *why = NULL;
    enum skid_outcome outcome;

    subject(job, method, about, sizeof(about));
    if (skid->missing[0] != '\0') {
        format(text, sizeof(text), "%s: %s", about, skid->missing);
        if (skid->failed)
            job->verdict(job->context, false, text);
        else
            log_skip(skid->missing, "%s", about);
        return;
    }
    outcome =
        skid_judge(&skid->distances, &skid->laps, method, every, skid->due, skid->windows, &why);
    format(text, sizeof(text), "%s: %s", about, claim_of(skid, method, every));
    if (outcome == SKID_OPEN) {
        log_skip(why, "%s", text);
        return;
    }
    found(skid, every, what, sizeof(what));
    format(text, sizeof(text), "%s: %s: %s", about, claim_of(skid, method, every), what);
    job->verdict(job->context, outcome == SKID_HOLDS, text);
}
