/* Complaints about the configuration, the CPU descriptions and the kernels: `error` records with a
 * place. A refused run measures nothing. */
#ifndef HARNESS_RUN_COMPLAINTS_H
#define HARNESS_RUN_COMPLAINTS_H

#include "harness/configure/config.h"
#include "pmu/description.h"

struct complaints {
    bool refused; /* the configuration or a description is malformed: nothing is measured */
    unsigned count;
};

/* Logs the complaint; beyond a number of them they are only counted. The first argument is the
 * struct complaints, as for a sink. */
void complaints_log(void *complaints, const struct complaint *complaint);
/* Logs the complaint and refuses the run. The first argument is the struct complaints, as for a
 * sink. */
void complaints_refuse(void *complaints, const struct complaint *complaint);
/* Refuses the run because of a file, or something else that has no line. */
void complaints_refuse_file(struct complaints *complaints, const char *file, const char *message,
                            const char *expected);
/* Refuses the run because of a configured value. */
void complaints_refuse_value(struct complaints *complaints, const struct config_place *place,
                             const char *message, const char *expected);

#endif
