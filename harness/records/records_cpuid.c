#include "records_cpuid.h"

#include "boot/format.h"
#include "boot/log.h"

/* As in the text files of InstLatx64, which build/survey and the virtual rig read. */
static void answer_member(struct json_line *record, const struct cpuid_answer *answer)
{
    const struct cpuid *v = &answer->value;
    char text[80];

    format(text, sizeof(text), "%08x: %08x-%08x-%08x-%08x [SL %02x]", answer->leaf, v->eax, v->ebx,
           v->ecx, v->edx, answer->subleaf);
    json_line_text(record, NULL, text);
}

void record_cpuid(const struct measured_core *core, const struct cpuid_answers *answers)
{
    const enum log_form before = log_into(LOG_FULL);
    struct json_line *record = log_record("cpuid");

    json_line_unsigned(record, "core", core->core);
    json_line_array(record, "answers");
    for (unsigned i = 0; i < answers->count; i++)
        answer_member(record, &answers->answer[i]);
    json_line_end(record);
    log_send(record);
    log_into(before);
}
