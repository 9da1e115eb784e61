/* Complaints about the configuration, the CPU descriptions and the kernels: `error` records with a
 * place. A refused run measures nothing. */
#ifndef HARNESS_RUN_COMPLAINTS_H
#define HARNESS_RUN_COMPLAINTS_H

#include "run.h"

/* Logs the complaint; beyond a number of them they are only counted. The first argument is the
 * struct run, as for a sink. */
void complaints_log(void *run, const struct complaint *complaint);
/* Logs the complaint and refuses the run. The first argument is the struct run, as for a sink. */
void complaints_refuse(void *run, const struct complaint *complaint);
/* Refuses the run because of a file, or something else that has no line. */
void complaints_refuse_file(struct run *run, const char *file, const char *message,
                            const char *expected);
/* Refuses the run because of a configured value. */
void complaints_refuse_value(struct run *run, const struct config_place *place, const char *message,
                             const char *expected);

#endif
