#include "rows.h"

#include <stdlib.h>
#include <string.h>

#define MOST_BIT    63u
#define MOST_NUMBER 31u
#define MOST_CORE   511u
#define MOST_MS     60000u
#define MOST_TICKS  (INT64_C(1) << 50)

/* clang-format off */
static const struct fault_row rows[] = {
    /* registers */
    {"msr:K", POINT_MSR, ACT_GP, "the K-th RDMSR or WRMSR is a #GP"},
    {"rdmsr:K:gp", POINT_RDMSR, ACT_GP, "the K-th RDMSR is a #GP"},
    {"rdmsr:K:flip:BIT", POINT_RDMSR, ACT_FLIP, "it reads this bit inverted"},
    {"wrmsr:K:gp", POINT_WRMSR, ACT_GP, "the K-th WRMSR is a #GP"},
    {"wrmsr:K:lost", POINT_WRMSR, ACT_LOST, "it does nothing"},
    {"wrmsr:K:flip:BIT", POINT_WRMSR, ACT_FLIP, "it writes this bit inverted"},
    {"rdpmc:K:flip:BIT", POINT_RDPMC, ACT_FLIP, "the K-th RDPMC reads this bit inverted"},
    {"gone:MSR", POINT_NONE, ACT_ELSEWHERE, "this register does not exist"},
    {"msr:unguarded", POINT_NONE, ACT_ELSEWHERE, "MSRs, but two, #GP under the firmware's handlers"},
    /* processors */
    {"triple:K", POINT_CR3, ACT_TRIPLE, "the K-th change of CR3 is a triple fault"},
    {"ap:N", POINT_NONE, ACT_ELSEWHERE, "processor N does not start"},
    {"ap-late:N", POINT_NONE, ACT_ELSEWHERE, "processor N starts after its second INIT"},
    {"stuck:N:K:END", POINT_NONE, ACT_ELSEWHERE, "N stops in window K; END: nmi, init, never"},
    {"lesser:N", POINT_NONE, ACT_ELSEWHERE, "processor N has fewer counters than the others"},
    {"smi:RATE", POINT_NONE, ACT_ELSEWHERE, "RATE SMIs in a million cycles, 1 to 100"},
    {"smi:RATE:SEED", POINT_NONE, ACT_ELSEWHERE, "at intervals by chance"},
    {"nmi:window:K", POINT_WINDOW, ACT_NMI, "an NMI arrives in counting window K of the run"},
    {"nmi:turn:K", POINT_TURN, ACT_NMI, "an NMI at the K-th turn of a core of the run"},
    {"mce:window:K", POINT_WINDOW, ACT_MCE, "a machine check (#MC, bank 1), likewise"},
    {"mce:turn:K", POINT_TURN, ACT_MCE, ""},
    {"ud:window:K", POINT_WINDOW, ACT_UD, "a #UD of no instruction, likewise"},
    {"ud:turn:K", POINT_TURN, ACT_UD, ""},
    {"bp:window:K", POINT_WINDOW, ACT_BP, "a #BP of no instruction, likewise"},
    {"bp:turn:K", POINT_TURN, ACT_BP, ""},
    {"smi-at:K", POINT_WINDOW, ACT_SMI, "one SMI in counting window K of the run"},
    {"smi-at:K:hidden", POINT_WINDOW, ACT_SMI_HIDDEN, "which MSR_SMI_COUNT does not count"},
    {"bank:B:K", POINT_WINDOW, ACT_BANK, "a corrected error is logged in bank B in window K"},
    /* time and prediction */
    {"tsc:skew:CORE:TICKS", POINT_NONE, ACT_TSC_SKEW, "its TSC is so much ahead from the begin on"},
    {"tsc:step:CORE:TICKS:K", POINT_CORE_WINDOW, ACT_TSC_STEP, "it steps in the core's window K"},
    {"exits:SEED", POINT_NONE, ACT_ELSEWHERE, "chance predicts the ends of loops, one in two"},
    {"wrongpath:SEED", POINT_NONE, ACT_ELSEWHERE, "uops of wrong paths begin, as chance says"},
    {"clock:SEED", POINT_NONE, ACT_ELSEWHERE, "the clock rises after halts, changes by chance"},
    {"slow:MHZ", POINT_NONE, ACT_ELSEWHERE, "the cores' clock is MHZ from the image's begin on"},
    {"throttle", POINT_NONE, ACT_ELSEWHERE, "thermal throttling, a quarter of the time"},
    /* firmware and stick */
    {"uefi:K", POINT_CALL, ACT_CALL_FAILS, "the K-th firmware call that can fail does"},
    {"uefi:K-", POINT_CALL, ACT_CALL_FAILS, "it and every later one"},
    {"uefi:CALL:K", POINT_NONE, ACT_CALL_FAILS, "the K-th call of that name: get_memory_map"},
    {"uefi:CALL:K-", POINT_NONE, ACT_CALL_FAILS, "it and every later one"},
    {"stick:full", POINT_NONE, ACT_ELSEWHERE, "the stick has no room left after 16 KiB"},
    {"stick:room:K", POINT_NONE, ACT_ELSEWHERE, "room for K KiB, and says what is left"},
    {"stick:largest:K", POINT_NONE, ACT_ELSEWHERE, "no file can have more than K KiB"},
    {"stick:error", POINT_NONE, ACT_ELSEWHERE, "writes of files fail after the first"},
    {"stick:rename", POINT_NONE, ACT_ELSEWHERE, "no file gets another name"},
    {"stick:short:K", POINT_FILE_WRITE, ACT_WRITE_SHORT, "the K-th write takes half, and says all"},
    {"stick:lost:K", POINT_FILE_WRITE, ACT_WRITE_LOST, "it takes nothing, and says all"},
    {"stick:pulled:K", POINT_FILE_WRITE, ACT_STICK_PULLED, "from it on no call of a file succeeds"},
    {"firmware-memory:K", POINT_CALL, ACT_MEMORY, "behind the K-th call an ACPI table has a bit inverted"},
    /* serial lines */
    {"serial:garble", POINT_NONE, ACT_ELSEWHERE, "bits on the serial lines are inverted"},
    {"serial:drop", POINT_NONE, ACT_ELSEWHERE, "bytes on the serial lines are lost"},
    {"uart:never", POINT_BYTE, ACT_UART_NEVER, "the first line's transmitter is never ready"},
    {"uart:never:K", POINT_BYTE, ACT_UART_NEVER, "nor from byte K on"},
    {"uart:ff", POINT_BYTE, ACT_UART_ONES, "its registers read FFH, and take nothing"},
    {"uart:ff:K", POINT_BYTE, ACT_UART_ONES, "from byte K on"},
    {"uart:stall:MS:EVERY", POINT_NONE, ACT_UART_STALL, "not ready for MS ms behind EVERY bytes"},
    {"uart:stall:MS-MS:EVERY:SEED", POINT_NONE, ACT_UART_STALL, "so long, and so often, by chance"},
    /* counters */
    {"counter:N:HOW:K-M", POINT_CORE_WINDOW, ACT_COUNTER, "general counter N, windows K to M; HOW:"},
    {"fixed:N:HOW:K-M", POINT_CORE_WINDOW, ACT_FIXED, "stuck, plus1, double, low16, low32"},
    {"count:EVENT:P", POINT_NONE, ACT_ELSEWHERE, "counters count P % too much of EVENT"},
    {"noise:EVENT:P", POINT_NONE, ACT_ELSEWHERE, "counters count up to P % too much of EVENT"},
    {"counter:N:P", POINT_NONE, ACT_ELSEWHERE, "general counter N counts P % too much"},
    {"fixed:N:P", POINT_NONE, ACT_ELSEWHERE, "fixed counter N, likewise"},
    {"lies:K-M", POINT_NONE, ACT_ELSEWHERE, "the four above lie in windows K to M alone"},
    {"tsx", POINT_NONE, ACT_ELSEWHERE, "microcode takes counter 3 for transactions"},
    {"metrics:down", POINT_NONE, ACT_ELSEWHERE, "bytes of PERF_METRICS are rounded down"},
    {"metrics:up", POINT_NONE, ACT_ELSEWHERE, "they are rounded up"},
    {"pmi:lost", POINT_NONE, ACT_ELSEWHERE, "one PMI in 16 never comes"},
    {"pmi:spurious", POINT_NONE, ACT_ELSEWHERE, "a second PMI comes after one in 16"},
    {"pmi:stuck", POINT_NONE, ACT_ELSEWHERE, "overflow bits cannot be cleared"},
    {"pmi:all-lost", POINT_NONE, ACT_PMI_ALL_LOST, "no PMI comes"},
    {"pmi:half-lost", POINT_NONE, ACT_PMI_HALF_LOST, "every second PMI of the run never comes"},
    {"pmi:storm", POINT_NONE, ACT_PMI_STORM, "PMIs keep coming from the first on, while counting"},
};
/* clang-format on */

#define ROWS (sizeof(rows) / sizeof(*rows))

const struct fault_row *fault_rows(size_t *count)
{
    *count = ROWS;
    return rows;
}

size_t fault_class_length(const struct fault_row *row)
{
    return strcspn(row->form, ":");
}

static bool same_class(const struct fault_row *row, const char *text)
{
    const size_t length = fault_class_length(row);

    return strcspn(text, ":") == length && strncmp(row->form, text, length) == 0;
}

bool fault_class_is_known(const char *text, unsigned *classes)
{
    bool known = false;

    *classes = 0;
    for (size_t i = 0; i < ROWS; i++) {
        bool again = false;

        for (size_t k = 0; k < i; k++)
            again |= same_class(&rows[k], rows[i].form);
        *classes += !again;
        known |= same_class(&rows[i], text);
    }
    return known;
}

/* ---- a request ---- */

static bool number(const char *text, uint64_t least, uint64_t most, uint64_t *value)
{
    char *end;

    if (*text < '0' || *text > '9')
        return false;
    *value = strtoull(text, &end, 10);
    return !*end && *value >= least && *value <= most;
}

static bool small(const char *text, unsigned most, unsigned *value)
{
    uint64_t wide;

    if (!number(text, 0, most, &wide))
        return false;
    *value = (unsigned)wide;
    return true;
}

/* What happens at K and ever after. */
static bool goes_on(enum act act)
{
    return act == ACT_STICK_PULLED || act == ACT_UART_NEVER || act == ACT_UART_ONES;
}

static bool read_k(struct fault_request *request, const char *text)
{
    request->counted = true;
    if (!number(text, 1, UINT64_MAX - 1, &request->first))
        return false;
    request->last = goes_on(request->row->act) ? UINT64_MAX : request->first;
    return true;
}

/* "K-" */
static bool read_from(struct fault_request *request, const char *text)
{
    char part[24];
    const size_t length = strlen(text);

    if (length < 2 || length > sizeof(part) || text[length - 1] != '-')
        return false;
    memcpy(part, text, length - 1);
    part[length - 1] = '\0';
    if (!read_k(request, part))
        return false;
    request->last = UINT64_MAX;
    return true;
}

/* "K-M" */
static bool read_range(struct fault_request *request, const char *text)
{
    char part[24];
    const char *dash = strchr(text, '-');

    if (dash == NULL || dash == text || (size_t)(dash - text) >= sizeof(part))
        return false;
    memcpy(part, text, (size_t)(dash - text));
    part[dash - text] = '\0';
    return read_k(request, part) && number(dash + 1, request->first, UINT64_MAX, &request->last);
}

static bool read_bit(struct fault_request *request, const char *text)
{
    return small(text, MOST_BIT, &request->bit);
}

static bool read_number(struct fault_request *request, const char *text)
{
    return small(text, MOST_NUMBER, &request->number);
}

static bool read_core(struct fault_request *request, const char *text)
{
    return small(text, MOST_CORE, &request->core);
}

static bool read_bank(struct fault_request *request, const char *text)
{
    return small(text, MOST_NUMBER, &request->bank);
}

static bool read_ticks(struct fault_request *request, const char *text)
{
    const bool less = *text == '-';
    uint64_t ticks;

    if (!number(text + less, 1, MOST_TICKS, &ticks))
        return false;
    request->ticks = less ? -(int64_t)ticks : (int64_t)ticks;
    return true;
}

static bool read_call(struct fault_request *request, const char *text)
{
    const size_t length = strlen(text);

    if (length == 0 || length >= sizeof(request->call) || (*text >= '0' && *text <= '9'))
        return false;
    memcpy(request->call, text, length + 1);
    return true;
}

static bool read_way(struct fault_request *request, const char *text)
{
    static const char *const ways[] = {"stuck", "plus1", "double", "low16", "low32"};

    for (unsigned i = 0; i < sizeof(ways) / sizeof(*ways); i++) {
        if (strcmp(text, ways[i]) == 0) {
            request->way = (enum counter_way)i;
            return true;
        }
    }
    return false;
}

static bool read_ms(struct fault_request *request, const char *text)
{
    return number(text, 1, MOST_MS, &request->ms);
}

/* "MS-MS" */
static bool read_ms_range(struct fault_request *request, const char *text)
{
    char part[8];
    const size_t length = strcspn(text, "-");

    if (text[length] == '\0' || length >= sizeof(part))
        return false;
    memcpy(part, text, length);
    part[length] = '\0';
    return read_ms(request, part) &&
           number(text + length + 1, request->ms, MOST_MS, &request->ms_most);
}

static bool read_seed(struct fault_request *request, const char *text)
{
    return number(text, 1, UINT32_MAX, &request->seed);
}

static bool read_every(struct fault_request *request, const char *text)
{
    return number(text, 1, UINT32_MAX, &request->every);
}

/* The words of a form in capital letters. */
static const struct {
    const char *word;
    bool (*read)(struct fault_request *request, const char *text);
} parameters[] = {
    {"K", read_k},       {"K-", read_from},     {"K-M", read_range}, {"BIT", read_bit},
    {"N", read_number},  {"CORE", read_core},   {"B", read_bank},    {"TICKS", read_ticks},
    {"CALL", read_call}, {"HOW", read_way},     {"MS", read_ms},     {"MS-MS", read_ms_range},
    {"SEED", read_seed}, {"EVERY", read_every},
};

static bool read_word(struct fault_request *request, const char *word, const char *text)
{
    for (size_t i = 0; i < sizeof(parameters) / sizeof(*parameters); i++)
        if (strcmp(word, parameters[i].word) == 0)
            return parameters[i].read(request, text);
    return strcmp(word, text) == 0;
}

/* The next word of `*text`, which is cut off it; false: there is none, or it is too long. */
static bool cut(const char **text, char *word, size_t room)
{
    const size_t length = *text != NULL ? strcspn(*text, ":") : 0;

    if (*text == NULL || length >= room)
        return false;
    memcpy(word, *text, length);
    word[length] = '\0';
    *text = (*text)[length] == ':' ? *text + length + 1 : NULL;
    return true;
}

static bool read_as(struct fault_request *request, const struct fault_row *row, const char *text)
{
    const char *form = row->form, *rest = text;
    char word[64], given[64];

    *request = (struct fault_request){
        .row = row, .text = text, .first = 1, .last = UINT64_MAX, .service = -1};
    while (form != NULL)
        if (!cut(&form, word, sizeof(word)) || !cut(&rest, given, sizeof(given)) ||
            !read_word(request, word, given))
            return false;
    return rest == NULL;
}

bool fault_request_read(struct fault_request *request, const char *text)
{
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].act != ACT_ELSEWHERE && read_as(request, &rows[i], text))
            return true;
    return false;
}
