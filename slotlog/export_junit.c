#include "export.h"

/* The texts of a log are printable ASCII (log_text.h). */
static void print_text(FILE *file, const char *text)
{
    for (; *text; text++) {
        if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '>')
            fputs("&gt;", file);
        else if (*text == '&')
            fputs("&amp;", file);
        else if (*text == '"')
            fputs("&quot;", file);
        else
            fputc(*text, file);
    }
}

static void print_case(FILE *file, const struct log_verdict *verdict)
{
    fputs("    <testcase classname=\"slotscope\" name=\"", file);
    print_text(file, verdict->claim);
    if (verdict->ok && !verdict->skipped && !verdict->doubted) {
        fputs("\"/>\n", file);
        return;
    }
    fprintf(file, "\">\n      <%s message=\"%s",
            verdict->doubted ? "error"
            : verdict->ok    ? "skipped"
                             : "failure",
            verdict->doubted ? "doubted by the log itself: " : "");
    print_text(file, verdict->ok ? verdict->reason : verdict->claim);
    fputs("\"/>\n    </testcase>\n", file);
}

static bool is_whole(const struct whole_log *log)
{
    return log->totals.problems == 0 &&
           whole_log_reason_is_good(record_text(whole_log_record(log, "end"), "reason", ""));
}

/* A run that did not come to its end, or whose log is damaged, must not look whole. */
static void print_end(FILE *file, const struct whole_log *log)
{
    const char *reason = record_text(whole_log_record(log, "end"), "reason", "cut short");
    const bool whole = is_whole(log);

    fputs("    <testcase classname=\"slotscope\" name=\"log and run are whole\"", file);
    if (whole) {
        fputs("/>\n", file);
        return;
    }
    fprintf(file, ">\n      <error message=\"%lu problems, %zu verdicts not believed, end: ",
            log->totals.problems, log->doubted);
    print_text(file, reason);
    fputs("\"/>\n    </testcase>\n", file);
}

/* Also where no verdict rests on the numbers. */
static void print_doubts(FILE *file, const struct whole_log *log)
{
    fputs("    <testcase classname=\"slotscope\" name=\"the log doubts none of its numbers\"",
          file);
    if (log->totals.doubts == 0)
        fputs("/>\n", file);
    else
        fprintf(file, ">\n      <error message=\"%lu doubt records\"/>\n    </testcase>\n",
                log->totals.doubts);
}

void export_junit(FILE *file, const struct whole_log *log, const struct numbers *numbers)
{
    const size_t errors = log->self_doubted + (log->totals.doubts > 0) + !is_whole(log);

    (void)numbers;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", file);
    fprintf(file,
            "<testsuites>\n  <testsuite name=\"slotscope\" tests=\"%zu\" failures=\"%zu\" "
            "errors=\"%zu\" skipped=\"%zu\">\n",
            log->verdict_count + log->self_doubted + 2, log->failed, errors, log->skipped);
    for (size_t i = 0; i < log->verdict_count + log->self_doubted; i++)
        print_case(file, &log->verdicts[i]);
    print_doubts(file, log);
    print_end(file, log);
    fputs("  </testsuite>\n</testsuites>\n", file);
}
