#include "company.h"

#include "watch.h"

static void go_rounds(struct company *company, struct meeting *meeting)
{
    const uint64_t deadline = clock_deadline(company->timeout_us);

    if (company->prepare != NULL)
        kernel_call(company->prepare, company->n, company->arena, company->arena_bytes,
                    company->dose);
    if (!meeting_wait(&meeting->prepared, MEETING_US)) {
        company->late = true;
        return;
    }
    while (!meeting_told(&meeting->over)) {
        if (clock_passed(deadline)) {
            company->late = true;
            return;
        }
        if (company->reset != NULL)
            kernel_call(company->reset, company->n, company->arena, company->arena_bytes,
                        company->dose);
        kernel_call(company->routine, company->n, company->arena, company->arena_bytes,
                    company->dose);
        company->rounds++;
        meeting_tell(&meeting->begun);
    }
}

static void keep_company(struct company *company, struct meeting *meeting)
{
    if (company->watch == NULL) {
        go_rounds(company, meeting);
    } else if (watch_open(company->watch)) {
        go_rounds(company, meeting);
        watch_close();
    } else {
        company->late = true;
    }
}

void company_work(void *argument)
{
    struct job *job = argument;

    if (job == NULL)
        return;
    if (job->company != NULL)
        keep_company(job->company, job->meeting);
    if (job->measurement != NULL) {
        measure_work(job->measurement);
        meeting_tell(&job->meeting->over);
    }
}
