#include "trap_frame.h"

#include <stddef.h>

#include "format.h"

#define EXCEPTIONS 32u /* the vectors behind are those of interrupts */

static const char *const names[EXCEPTIONS] = {
    "#DE", "#DB", "NMI", "#BP", "#OF", "#BR", "#UD", "#NM", "#DF", NULL,  "#TS",
    "#NP", "#SS", "#GP", "#PF", NULL,  "#MF", "#AC", "#MC", "#XM", "#VE", "#CP",
};

/* As machine/trap_stubs.inc has them. */
static const uint32_t with_error_code =
    1u << 8 | 0x1fu << 10 | 1u << 17 | 1u << 21 | 1u << 29 | 1u << 30;

bool trap_is_no_exception(const struct trap_frame *frame)
{
    return frame->vector < EXCEPTIONS && with_error_code >> frame->vector & 1 &&
           frame->error == TRAP_NO_ERROR_CODE;
}

const char *trap_words(const struct trap_frame *frame, char text[TRAP_WORDS])
{
    const unsigned long long vector = frame->vector;

    if (trap_is_no_exception(frame))
        format(text, TRAP_WORDS, "INT %llu or interrupt %llu", vector, vector);
    else if (vector < EXCEPTIONS && names[vector] != NULL)
        format(text, TRAP_WORDS, "%s", names[vector]);
    else
        format(text, TRAP_WORDS, "vector %llu", vector);
    return text;
}
