#include "rc.h"

const char *rc_name(enum rc rc)
{
    switch (rc) {
    case RC_OK:
        return "ok";
    case RC_ABSENT:
        return "absent";
    case RC_FAULT:
        return "fault";
    case RC_TIMEOUT:
        return "timeout";
    case RC_BAD_INPUT:
        return "bad input";
    case RC_NO_COUNTER:
        return "no counter";
    case RC_NO_SPACE:
        return "no space";
    case RC_FIRMWARE:
        return "firmware";
    case RC_READ_ONLY:
        return "read only";
    }
    return "unknown";
}
