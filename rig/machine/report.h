/* What a run leaves behind beside its log: the picture on the screen, speed, events that counted
 * nothing. */
#ifndef RIG_MACHINE_REPORT_H
#define RIG_MACHINE_REPORT_H

#include <stdbool.h>
#include <stdio.h>
#include <time.h>

struct machine;

/* The frame buffer as a portable pixmap. */
void report_picture(const struct machine *machine, FILE *out);
/* Host seconds since `begun` and simulated instructions, to standard error: they differ from run to
 * run. */
void report_speed(const struct machine *machine, const struct timespec *begun);
/* --fault-points: a JSON line for each class of points, {"class":"rdmsr","count":1234}, with "core"
 * where it is of one processor; and one for each fault at a point, {"fault":"wrmsr:382:lost",
 * "happened":true,...}: how often, whether it changed anything, and where it first did. */
void report_points(const struct machine *machine, FILE *out);
/* A line for each fault that was asked for at a place beyond the run; false: there is none. */
bool report_beyond(const struct machine *machine, FILE *out);
/* The events that were programmed and counted nothing, to standard error: one line for all cores
 * that are alike. */
void report_unknown_events(const struct machine *machine);

#endif
