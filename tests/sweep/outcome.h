/* What a run left in its folder: both logs, the rig's truth and status. */
#ifndef TESTS_SWEEP_OUTCOME_H
#define TESTS_SWEEP_OUTCOME_H

#include "doubt.h"
#include "facts.h"
#include "slotlog/whole_log.h"
#include "tests/tools/truth_log.h"

/* Names of files in a run's folder. */
#define OUTCOME_STICK  "esp/slotscope/slotscope.log"
#define OUTCOME_SERIAL "serial.log"
#define OUTCOME_TRUTH  "truth"
#define OUTCOME_ERRORS "errors"
#define OUTCOME_POINTS "points"

enum stream_name { STREAM_STICK, STREAM_SERIAL, STREAMS };

struct stream {
    bool there;   /* it has records */
    bool ended;   /* it has the `end` record and the plan */
    bool damaged; /* the reader names problems */
    struct whole_log log;
    struct facts facts, doubted; /* the second: that the log has, and doubts itself */
    struct statements statements;
    const char *reason; /* of the end; "" */
    json_int_t discarded;
};

struct outcome {
    int status; /* of the rig; -1: a signal ended it */
    struct stream streams[STREAMS];
    bool no_file;     /* the serial line says that there is no log file, and why */
    bool no_handlers; /* the image died under the firmware's own handlers */
    char folder[512];
    struct run *truth; /* read when it is asked for */
};

/* Takes apart what is in the stream's log. */
void stream_fill(struct stream *stream);
/* Reads what is there. */
void outcome_read(struct outcome *outcome, const char *folder, int status);
/* The truth, with the records of the log on the stick, where there is one. */
struct run *outcome_truth(struct outcome *outcome);
void outcome_free(struct outcome *outcome);

const char *stream_label(enum stream_name name);

#endif
