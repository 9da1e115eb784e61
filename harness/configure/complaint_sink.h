/* The receiver of complaints about the configuration and the CPU descriptions. */
#ifndef HARNESS_CONFIGURE_COMPLAINT_SINK_H
#define HARNESS_CONFIGURE_COMPLAINT_SINK_H

#include "pmu/description.h"

struct complaint_sink {
    void *context;
    /* The complaint is valid during the call only. */
    void (*complain)(void *context, const struct complaint *complaint);
};

#endif
