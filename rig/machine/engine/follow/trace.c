/* One line an instruction: the cycle in which its last slot was allocated (where its first was in
 * another one, that is said behind the text) and the cycle in which it retired, both from the
 * window's first cycle; its address, bytes and text; and the slots of the truth that were accounted
 * for meanwhile, by cause: the slots that the instruction took and the slots that were lost in
 * front of it. */
#include "trace.h"

#include <Zydis/Zydis.h>
#include <inttypes.h>
#include <stdlib.h>

#include "machine/engine/state.h"

#define MOST_LINES   100000u
#define MOST_NUMBER  UINT64_C(1000000000000)
#define BYTES_COLUMN 30 /* ten bytes; longer instructions push what follows to the right */
#define TEXT_COLUMN  36

struct trace {
    FILE *out;
    unsigned core;
    uint64_t first, last; /* windows */
    uint64_t window;      /* of the line before; 0: none */
    uint64_t begun, lines;
    struct core *followed;     /* NULL: it has executed nothing so far */
    struct model_truth before; /* the instruction that is accounted for now */
    ZydisDecoder decoder;
    ZydisFormatter formatter;
};

struct trace *trace_new(FILE *out, unsigned core, uint64_t first, uint64_t last)
{
    struct trace *trace = malloc(sizeof(*trace));

    if (trace == NULL)
        return NULL;
    trace->out = out;
    trace->core = core;
    trace->first = first;
    trace->last = last;
    trace->window = trace->begun = trace->lines = 0;
    trace->followed = NULL;
    ZydisDecoderInit(&trace->decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    ZydisFormatterInit(&trace->formatter, ZYDIS_FORMATTER_STYLE_INTEL);
    return trace;
}

void trace_free(struct trace *trace)
{
    free(trace);
}

static bool digits(const char *text, const char *end_at, uint64_t *value)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    *value = strtoull(text, &end, 10);
    return end == end_at && *value <= MOST_NUMBER;
}

/* Where the number ends that must begin at `text`; NULL: at none. */
static const char *number_at(const char *text, uint64_t *value)
{
    const char *end = text;

    while (*end >= '0' && *end <= '9')
        end++;
    return digits(text, end, value) ? end : NULL;
}

bool trace_parse(const char *text, unsigned *core, uint64_t *first, uint64_t *last)
{
    const char *end;
    uint64_t number;

    end = number_at(text, &number);
    if (end == NULL || *end != ':' || number > UINT32_MAX)
        return false;
    *core = (unsigned)number;
    end = number_at(end + 1, first);
    *last = *first;
    if (end != NULL && *end == '-')
        end = number_at(end + 1, last);
    return end != NULL && !*end && *first && *last >= *first;
}

static void disassemble(const struct trace *trace, const struct executed *executed, char *text,
                        size_t room)
{
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];

    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&trace->decoder, executed->bytes, executed->length,
                                             &instruction, operands)) ||
        !ZYAN_SUCCESS(ZydisFormatterFormatInstruction(&trace->formatter, &instruction, operands,
                                                      instruction.operand_count_visible, text, room,
                                                      executed->rip, NULL)))
        snprintf(text, room, "?");
}

static void write_line(struct trace *trace, const struct core *core,
                       const struct executed *executed, const struct model_truth *before,
                       const struct model_truth *after)
{
    char bytes[3 * 16 + 1] = "", text[128];
    uint64_t allocated = model_allocated(core->model), retired = model_retired(core->model);
    const uint64_t entered = model_passage(core->model).entered;

    for (unsigned i = 0; i < executed->length && i < 16; i++)
        snprintf(bytes + 3 * i, 4, "%02x ", executed->bytes[i]);
    disassemble(trace, executed, text, sizeof(text));
    fprintf(trace->out, "%8" PRIu64 " %8" PRIu64 " 0x%012" PRIx64 " %-*s%-*s ;",
            allocated - trace->begun, retired - trace->begun, executed->rip, BYTES_COLUMN, bytes,
            TEXT_COLUMN, text);
    if (entered < allocated)
        fprintf(trace->out, " from=%" PRId64, (int64_t)(entered - trace->begun));
    /* Negative when the slot of the instruction before turns out to belong to a fused pair. */
    for (unsigned i = 0; i < NODE_COUNT; i++)
        if (after->exact[i] != before->exact[i])
            fprintf(trace->out, " %s=%" PRId64, model_node_name((enum truth_node)i),
                    (int64_t)(after->exact[i] - before->exact[i]));
    fputs(executed->end == END_FAULT       ? " fault\n"
          : executed->end == END_INTERRUPT ? " then an interrupt\n"
                                           : "\n",
          trace->out);
}

static void begin_window(struct trace *trace, const struct core *core)
{
    trace->window = core->window;
    trace->begun = model_now(core->model);
    fprintf(trace->out,
            "# core %u, window %" PRIu64
            ": alloc retire address bytes instruction; slots by node of the Topdown tree\n",
            trace->core, trace->window);
}

static bool is_wanted(const struct trace *trace)
{
    const struct core *core = trace->followed;

    return core->counting && core->window >= trace->first && core->window <= trace->last &&
           trace->lines <= MOST_LINES;
}

static void before(void *context)
{
    struct trace *trace = context;

    if (!is_wanted(trace))
        return;
    if (trace->window != trace->followed->window && trace->lines < MOST_LINES)
        begin_window(trace, trace->followed);
    model_truth(trace->followed->model, &trace->before);
}

static void after(void *context, const struct executed *executed)
{
    struct trace *trace = context;
    struct model_truth truth;

    if (!is_wanted(trace))
        return;
    if (trace->lines++ == MOST_LINES) {
        fprintf(trace->out, "# the rest, beyond %u instructions, is left out\n", MOST_LINES);
        return;
    }
    model_truth(trace->followed->model, &truth);
    write_line(trace, trace->followed, executed, &trace->before, &truth);
}

/* While both threads of a core run, an instruction waits until it is accounted for, and the trace
 * with it: in a run that is not traced its thread would not come first either. */
void trace_execute(struct trace *trace, struct core *core, const struct executed *executed)
{
    if (trace == NULL || core->index != trace->core) {
        model_execute(core->model, executed);
        return;
    }
    if (trace->followed == NULL) {
        trace->followed = core;
        model_follow(core->model, (struct model_follower){trace, before, after});
    }
    if (model_puts_aside(core->model)) {
        model_execute(core->model, executed);
        return;
    }
    model_sync(core->model);
    before(trace);
    model_execute(core->model, executed);
    after(trace, executed);
}
