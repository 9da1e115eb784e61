/* What slotscope would make of machines whose CPUID somebody recorded: the image's own detection
 * over recorded answers.
 *
 *   survey FILE...
 *
 * A file has one of the forms of cpuid_text.h. Each machine and kind of core is answered by one
 * JSON object a line: what is detected, null where it is not known, and `why` where nothing can be
 * counted. In a table every record is a kind of its own; elsewhere cores that are answered alike
 * are one kind. What a record does not say is assumed as on bare metal (doc/survey.md); under a
 * hypervisor it is null. A record with an error is reported on standard error with file and line;
 * the exit status is then 1. Status 2: a file could not be read. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpuid_text.h"
#include "harness/configure/library.h"
#include "pmu/kind.h"
#include "pmu/kinds/facts_read.h"
#include "pmu/sampling/lbr.h"
#include "recorded_machine.h"

#define FILE_MAX (256u << 20) /* bytes */
#define KINDS    16u

struct survey {
    struct library library;
    const char *file;
    char machine[CPUID_MACHINE]; /* the last one's name */
    json_t *kinds[KINDS];        /* what its cores were answered, without `core` */
    unsigned kind_count;
    bool failed;
};

static void *allocate(size_t size)
{
    return calloc(1, size);
}

static void complain(void *context, const struct cpuid_error *error)
{
    struct survey *survey = context;

    fprintf(stderr, "survey: %s:%u: %s\n", survey->file, error->line, error->text);
    survey->failed = true;
}

static void complain_description(void *context, const struct complaint *complaint)
{
    struct survey *survey = context;

    fprintf(stderr, "survey: %s:%u:%u: %s\n", complaint->file, complaint->line, complaint->column,
            complaint->message);
    survey->failed = true;
}

static json_t *number_if(bool known, uint32_t value)
{
    return known ? json_integer(value) : json_null();
}

static json_t *text_or_null(const char *text)
{
    return text != NULL ? json_string(text) : json_null();
}

/* The description that the image would take; null where only the fallback is left and nothing can
 * be counted anyway. */
static const struct description *description_of(struct survey *survey, const struct facts *facts)
{
    const struct complaint_sink sink = {survey, complain_description};
    const struct description *found = library_matching(&survey->library, facts, &sink);
    const bool fallback = found != NULL && strcmp(found->name, LIBRARY_FALLBACK) == 0;

    return fallback && facts->absent != NULL ? NULL : found;
}

/* The description's stack. CPUID does not say which format IA32_PERF_CAPABILITIES names: on bare
 * metal one that the description knows; a hypervisor may say anything. */
static const struct lbr_kind *lbr_of(struct facts *facts, const struct description *description)
{
    const struct lbr_kind *kind = description != NULL ? description->lbr : NULL;

    if (kind == NULL || facts->absent != NULL || (facts->hypervisor && !kind->architectural))
        return NULL;
    while (kind->formats != 0 && !(kind->formats >> facts->lbr_format & 1))
        facts->lbr_format++;
    return lbr_absent(facts, description) == NULL ? kind : NULL;
}

/* Whether what the counters are follows from CPUID. */
static bool fixed_known(const struct facts *facts)
{
    return facts->version != 0 || kind_of(facts)->unversioned;
}

/* PERF_METRICS is announced in a register, which a hypervisor may show or not. */
static json_t *metrics_of(const struct facts *facts)
{
    if (facts->absent != NULL || (facts->hypervisor && facts->fixed_mask >> 3 & 1))
        return json_null();
    return json_boolean(facts->perf_metrics);
}

/* Leaf 0BH numbers a core's threads by the lowest bits of the APIC id (EAX[4:0]): more threads than
 * these bits number are none ("Detecting Hardware Multi-threading Support and Topology"). */
static bool threads_numbered(struct survey *survey, const struct cpuid_record *record)
{
    const struct cpuid leaf = cpuid_read(0, 0).eax >= 0xb ? cpuid_read(0xb, 0) : (struct cpuid){0};
    const unsigned threads = leaf.ebx & 0xffff, bits = leaf.eax & 0x1f;

    if ((leaf.ecx >> 8 & 0xff) != 1 || threads <= UINT64_C(1) << bits)
        return true;
    fprintf(
        stderr,
        "survey: %s: %s: core %u: leaf 0000000b states %u threads a core and %u bits that number "
        "them: threads_per_core is null\n",
        survey->file, record->machine, record->core, threads, bits);
    survey->failed = true;
    return false;
}

/* Leaf 0BH says how many threads an Intel core has; where a dump left it out nothing does. */
static bool threads_known(struct survey *survey, const struct cpuid_record *record,
                          const struct facts *facts)
{
    return facts->threads_per_core != 0 && !(facts->intel && cpuid_record_lacks(record, 0xb)) &&
           threads_numbered(survey, record);
}

static json_t *answer_of(struct survey *survey, const struct cpuid_record *record)
{
    json_t *answer = json_object();
    const struct description *description;
    const struct lbr_kind *lbr;
    struct facts facts;
    char signature[16];

    recorded_machine_set(record);
    facts_read(&facts);
    description = description_of(survey, &facts);
    if (description != NULL && facts.absent == NULL)
        facts.absent = description_foreign(description, &facts);
    description = description_of(survey, &facts);
    lbr = lbr_of(&facts, description);
    snprintf(signature, sizeof(signature), "%02X_%02X", facts.family, facts.model);
    json_object_set_new(answer, "machine", json_string(record->machine));
    json_object_set_new(answer, "core", json_integer(record->core));
    json_object_set_new(answer, "vendor", json_string(facts.vendor));
    json_object_set_new(answer, "signature", json_string(signature));
    json_object_set_new(answer, "description",
                        text_or_null(description != NULL ? description->name : NULL));
    json_object_set_new(answer, "counts", json_boolean(facts.absent == NULL));
    json_object_set_new(answer, "why", text_or_null(facts.absent));
    json_object_set_new(answer, "pmu_version", number_if(facts.version != 0, facts.version));
    json_object_set_new(
        answer, "general",
        number_if(facts.version != 0 || facts.general_count != 0, facts.general_count));
    json_object_set_new(answer, "fixed", number_if(fixed_known(&facts), facts.fixed_count));
    json_object_set_new(answer, "perf_metrics", metrics_of(&facts));
    json_object_set_new(answer, "lbr", text_or_null(lbr != NULL ? lbr->name : NULL));
    json_object_set_new(answer, "lbr_depth",
                        number_if(lbr != NULL, lbr != NULL ? lbr_depth(&facts, description) : 0));
    json_object_set_new(answer, "threads_per_core",
                        number_if(threads_known(survey, record, &facts), facts.threads_per_core));
    return answer;
}

static void forget_kinds(struct survey *survey)
{
    while (survey->kind_count > 0)
        json_decref(survey->kinds[--survey->kind_count]);
}

/* Whether another core of the machine was answered alike. */
static bool seen(struct survey *survey, const struct cpuid_record *record, const json_t *answer)
{
    json_t *kind = json_copy((json_t *)(uintptr_t)answer);
    bool known = false;

    if (strcmp(survey->machine, record->machine) != 0) {
        forget_kinds(survey);
        memcpy(survey->machine, record->machine, sizeof(survey->machine));
    }
    json_object_del(kind, "core");
    for (unsigned i = 0; i < survey->kind_count; i++)
        known = known || json_equal(survey->kinds[i], kind);
    if (known || survey->kind_count == KINDS)
        json_decref(kind);
    else
        survey->kinds[survey->kind_count++] = kind;
    return known;
}

static void take(void *context, const struct cpuid_record *record)
{
    struct survey *survey = context;
    json_t *answer = answer_of(survey, record);

    if (!record->complete || !seen(survey, record, answer)) {
        json_dumpf(answer, stdout, JSON_COMPACT | JSON_PRESERVE_ORDER);
        putchar('\n');
    }
    json_decref(answer);
}

/* The file's text; null: it cannot be read, which was said. */
static char *read_file(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    size_t room = 1u << 16, got;
    char *text = file != NULL ? malloc(room) : NULL;

    *size = 0;
    while (text != NULL && (got = fread(text + *size, 1, room - *size, file)) > 0) {
        *size += got;
        if (*size == room) {
            char *larger = room < FILE_MAX ? realloc(text, room *= 2) : NULL;

            if (larger == NULL)
                free(text);
            text = larger;
        }
    }
    if (text != NULL && ferror(file)) {
        free(text);
        text = NULL;
    }
    if (text == NULL)
        fprintf(stderr, "survey: %s: %s\n", name,
                *size < FILE_MAX ? strerror(errno)
                                 : "the file is too large, expected below 256 MiB");
    if (file != NULL)
        fclose(file);
    return text;
}

static bool survey_file(struct survey *survey, const char *name)
{
    const struct cpuid_sink sink = {survey, take, complain};
    const char *slash = strrchr(name, '/');
    size_t size;
    char *text = read_file(name, &size);

    if (text == NULL)
        return false;
    survey->file = name;
    survey->machine[0] = '\0';
    forget_kinds(survey);
    cpuid_text_read(text, size, slash != NULL ? slash + 1 : name, &sink);
    free(text);
    return true;
}

int main(int argc, char **argv)
{
    struct survey survey = {.library = {.allocate = allocate}};
    bool read = true;

    if (argc < 2) {
        fprintf(stderr, "usage: survey FILE...\n");
        return 2;
    }
    survey.library.entries = calloc(LIBRARY_ENTRIES, sizeof(*survey.library.entries));
    if (survey.library.entries == NULL || !library_add_builtin(&survey.library)) {
        fprintf(stderr, "survey: no memory for the CPU descriptions\n");
        return 2;
    }
    for (int i = 1; i < argc; i++)
        read = survey_file(&survey, argv[i]) && read;
    forget_kinds(&survey);
    if (fflush(stdout) != 0)
        return 2;
    return !read ? 2 : survey.failed;
}
