/* What the sweep sweeps over: a line for each base run, and for each class of faults. */
#ifndef TESTS_SWEEP_TABLE_H
#define TESTS_SWEEP_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct base {
    const char *name;
    const char *rig;    /* options, separated by blanks */
    const char *args;   /* load options of the image */
    unsigned share;     /* of the faults that are drawn */
    const char *events; /* that `{event}` stands for: of this CPU, by the rig's names */
    const char *pinned; /* of these, those that some kernel of the run counts exactly */
};

/* Which logs the fault itself may cut. */
enum cuts { CUTS_NONE = 0, CUTS_STICK = 1, CUTS_SERIAL = 2, CUTS_RUN = 4 };

/* A fault that is no mishap but another machine: its numbers need not be those of sound runs. */
enum machine {
    MACHINE_SAME,
    MACHINE_LESS, /* it lacks a register, and so measures by other events: of what sound runs do not
                     have, what the rig's truth has must be true */
    MACHINE_ROUNDS, /* it rounds bytes of PERF_METRICS otherwise: shares may differ by that much */
    MACHINE_OTHER   /* what the rig's truth has must be true; the rest is not judged */
};

/* `pattern` is what --fault gets, several separated by blanks. A word in braces is drawn:
 *   {NAME}           1 to what the rig's --fault-points counts of class NAME in the sound run
 *   {windows}        K-M: a counting window of processor 0, several, or all from K on
 *   {single}         K-K
 *   {processor} {counter} {fixed} {bank}    a number from 0, as many as the machine has
 *   {bit} {rate} {seed}
 *   {ticks}          by how many a clock is off
 *   {percent}        by how much a counter is off
 *   {more}           1 to 100 percent
 *   {event}          one of the base run's
 *   {pinned}         one of those that the self-check counts
 *   {stall}          of `uart:stall`
 *   {end}            of `stuck`
 *   {mhz}            a clock
 *   {service}        a firmware call, by the names in --fault-points uefi:NAME
 *   {register}       that need not exist */
struct fault_class {
    const char *name; /* its row */
    const char *pattern;
    unsigned share;    /* of the faults that are drawn; 0 as 1 */
    const char *bases; /* NULL: all; else names separated by blanks */
    unsigned cuts;
    const char *moves; /* members of records that say other things then, and rightly */
    enum machine machine;
};

extern const struct base bases[];
extern const size_t base_count;
extern const struct fault_class classes[];
extern const size_t class_count;

/* NULL: there is none of that name. */
const struct base *find_base(const char *name, size_t length);
bool class_has_base(const struct fault_class *class, const struct base *base);

#endif
