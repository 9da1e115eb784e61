#include "own_end.h"

#include "boot/format.h"
#include "boot/log.h"

#define VECTOR_GP 13
#define VECTOR_PF 14
/* Bits of a page fault's error code. */
#define PF_PRESENT 1u
#define PF_WRITE   2u

/* A breakpoint traps behind its instruction. */
static bool is_in_code(const struct own_kernel *own, const struct cell_report *report)
{
    return report->frame.rip - report->code <= own->files[OWN_CODE].size;
}

/* " at byte 7 of its code", or where else. */
static void place_words(const struct own_kernel *own, const struct cell_report *report, char *text,
                        size_t size)
{
    const unsigned long long rip = report->frame.rip;

    if (is_in_code(own, report))
        format(text, size, "at byte %llu of its code", rip - report->code);
    else
        format(text, size, "outside of its code, at 0x%llx", rip);
}

/* What a page fault was about: the address is no part of what is the kernel's. */
static void access_words(const struct cell_report *report, char *text, size_t size)
{
    text[0] = '\0';
    if (report->frame.vector == VECTOR_PF && report->cr2 != report->frame.rip)
        format(text, size, ": it %s 0x%llx",
               report->frame.error & PF_WRITE ? "wrote to" : "read from",
               (unsigned long long)report->cr2);
}

static void trap_words(const struct cell_report *report, const char *place, char *text, size_t size)
{
    const char *name = trap_name(report->frame.vector);
    char access[48];

    access_words(report, access, sizeof(access));
    if (name != NULL)
        format(text, size, "%s %s%s", name, place, access);
    else
        format(text, size, "vector %llu %s%s", (unsigned long long)report->frame.vector, place,
               access);
}

void own_end_words(const struct own_kernel *own, const struct cell_report *report, char *text,
                   size_t size)
{
    char place[64];

    place_words(own, report, place, sizeof(place));
    switch (report->end) {
    case CELL_TRAPPED:
        trap_words(report, place, text, size);
        break;
    case CELL_LATE:
        format(text, size, "no end within %u us, last %s", own->deadline_us, place);
        break;
    case CELL_CALLED_OFF:
        format(text, size, "no end within the core's timeout, last %s", place);
        break;
    case CELL_NMIS:
        format(text, size, "%u NMIs that nobody asked for, last %s", NMI_STORM, place);
        break;
    case CELL_APIC:
        format(text, size, "it switched the core's local APIC off, which does not come back");
        break;
    case CELL_STACK:
        format(text, size, "it returned with rsp 0x%llx, called with 0x%llx",
               (unsigned long long)report->frame.rsp, (unsigned long long)report->stack);
        break;
    default:
        format(text, size, "it returned");
    }
}

static const char *expected_of(const struct cell_report *report)
{
    if (report->end == CELL_TRAPPED && report->ring_3 && report->frame.vector == VECTOR_GP)
        return "the kernel returns; in ring 3 it may execute no privileged instruction";
    return "the kernel returns";
}

void own_end_log(const struct own_kernel *own, const struct cell_report *report, unsigned core)
{
    struct json_line *record;
    char what[160], words[128], where[128];

    own_end_words(own, report, words, sizeof(words));
    format(what, sizeof(what), "an own kernel was ended: %s", words);
    format(where, sizeof(where), "core %u, kernel %s, %s with n = %llu", core, own->kernel.name,
           report->trial ? "its trial" : "a run", (unsigned long long)report->n);
    record = log_error_record(what, where, expected_of(report));
    json_line_unsigned(record, "core", core);
    json_line_text(record, "kernel", own->kernel.name);
    json_line_bool(record, "trial", report->trial);
    json_line_unsigned(record, "iterations", report->n);
    json_line_hex(record, "code", report->code);
    if (report->end == CELL_STACK) { /* the other registers are not known */
        json_line_hex(record, "rsp", report->frame.rsp);
        json_line_hex(record, "called_with", report->stack);
    } else {
        trap_describe(record, &report->frame, report->cr2);
    }
    log_send(record);
}
