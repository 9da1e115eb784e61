/* What slotlog can do. Each command returns the exit status (whole_log.h). */
#ifndef SLOTLOG_COMMANDS_H
#define SLOTLOG_COMMANDS_H

struct settings {
    const char *output; /* NULL: standard output */
    const char *format; /* NULL: none was given */
    unsigned baud;
    unsigned silence_s; /* after so long without a byte the capture ends; 0: it waits */
    unsigned notice_s;  /* after so long without a byte a line says so */
    unsigned wait_s;    /* how long a line that is gone is waited for */
    double tolerance;   /* shares of the slots that differ by no more are alike */
    char **files;
    unsigned file_count;
};

int command_capture(const struct settings *settings);
int command_verify(const struct settings *settings);
int command_show(const struct settings *settings);
int command_compare(const struct settings *settings);
int command_export(const struct settings *settings);
int command_merge(const struct settings *settings);
int command_report(const struct settings *settings);

#endif
