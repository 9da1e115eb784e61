/* What a function returns that may fail, or find nothing. Pure. */
#ifndef BOOT_RC_H
#define BOOT_RC_H

enum rc {
    RC_OK,
    RC_ABSENT,     /* this machine has no such thing: an answer, not an error */
    RC_FAULT,      /* a register access faulted */
    RC_TIMEOUT,    /* a deadline passed */
    RC_BAD_INPUT,  /* a configuration, description or table is malformed */
    RC_NO_COUNTER, /* no counter can count this event, or not together with the others */
    RC_NO_SPACE,   /* a fixed table or buffer is full, or memory ran out */
    RC_FIRMWARE,   /* a firmware call failed */
    RC_READ_ONLY,  /* a file system that cannot be written */
};

/* "ok", "absent", ...: the code in words, for the log. */
const char *rc_name(enum rc rc);

#endif
