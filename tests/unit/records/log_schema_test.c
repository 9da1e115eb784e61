/* doc/log.schema.json and what holds records against it. tests/report/records.jsonl has records of
 * every kind as runs on the rig wrote them. */
#include "tests/unit/cmocka_all.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pc/log_schema.h"

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))
#define RECORDS        256
#define FILE_ROOM      (256u * 1024u)
#define KINDS          30

struct fixture {
    struct schema *schema;
    json_t *records[RECORDS];
    unsigned count;
};

static char *read_file(const char *name, size_t *size)
{
    char *text = malloc(FILE_ROOM);
    FILE *file = fopen(name, "rb");

    assert_non_null(text);
    assert_non_null(file);
    *size = fread(text, 1, FILE_ROOM, file);
    assert_true(*size < FILE_ROOM);
    fclose(file);
    return text;
}

static int set_up(void **state)
{
    struct fixture *fixture = calloc(1, sizeof(*fixture));
    char why[SCHEMA_TEXT] = "", *text, *at;
    size_t size;

    text = read_file("doc/log.schema.json", &size);
    fixture->schema = schema_read(text, size, why);
    free(text);
    assert_string_equal(why, "");
    text = read_file("tests/report/records.jsonl", &size);
    for (at = text; at < text + size; at = memchr(at, '\n', (size_t)(text + size - at)), at++) {
        assert_true(fixture->count < RECORDS);
        fixture->records[fixture->count] =
            json_loadb(at, strcspn(at, "\n"), JSON_REJECT_DUPLICATES, NULL);
        assert_non_null(fixture->records[fixture->count++]);
    }
    free(text);
    *state = fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *fixture = *state;

    for (unsigned i = 0; i < fixture->count; i++)
        json_decref(fixture->records[i]);
    schema_free(fixture->schema);
    free(fixture);
    return 0;
}

static const char *kind_of(const json_t *record)
{
    const char *kind = json_string_value(json_object_get(record, "type"));

    return kind != NULL ? kind : "?";
}

/* --- one change of one record -------------------------------------------------------------------
 */

/* Whether a problem is reported at `place`. */
struct search {
    const char *place;
    bool found;
};

static void look(void *context, const char *place, const char *found, const char *expected)
{
    struct search *search = context;

    assert_true(strlen(found) > 0 && strlen(expected) > 0);
    search->found = search->found || strcmp(place, search->place) == 0;
}

static bool is_refused_at(const struct fixture *fixture, const json_t *record, const char *place)
{
    struct search search = {place, false};
    const struct schema_sink sink = {&search, look};

    return schema_check(fixture->schema, record, &sink) > 0 && search.found;
}

/* Calls `change` for every object inside a record, with its place. Whatever it changes it puts
 * back.
 */
struct visit {
    const struct fixture *fixture;
    json_t *record;
    void (*change)(const struct visit *visit, json_t *object, const char *place);
};

static void visit_objects(const struct visit *visit, json_t *value, const char *place)
{
    char below[SCHEMA_TEXT];
    const char *name;
    json_t *member;

    if (json_is_object(value))
        visit->change(visit, value, place);
    for (size_t i = 0; i < json_array_size(value); i++) {
        snprintf(below, sizeof(below), "%s/%zu", place, i);
        visit_objects(visit, json_array_get(value, i), below);
    }
    json_object_foreach (value, name, member) {
        snprintf(below, sizeof(below), "%s/%s", place, name);
        visit_objects(visit, member, below);
    }
}

static void visit_all(const struct fixture *fixture,
                      void (*change)(const struct visit *visit, json_t *object, const char *place))
{
    for (unsigned i = 0; i < fixture->count; i++) {
        const struct visit visit = {fixture, fixture->records[i], change};

        visit_objects(&visit, fixture->records[i], "");
        assert_int_equal(schema_check(fixture->schema, fixture->records[i], NULL), 0);
    }
}

/* Objects whose members have names of their own, unlike those that events or nodes give names to.
 */
static bool has_fixed_names(const json_t *object, const char *place)
{
    static const char *const typical[] = {"median", "is",    "running", "error_bound", "drift",
                                          "from",   "bytes", "smi",     "rax",         "slices"};

    for (size_t i = 0; i < COUNT_OF(typical); i++) {
        if (json_object_get(object, typical[i]) != NULL && strcmp(place, "/absent") != 0)
            return true;
    }
    return place[0] == '\0';
}

/* Members that a record of that kind may have or not, whatever the others are. */
static bool is_optional(const json_t *record, const char *name)
{
    static const char *const optional[][2] = {
        {"core", "forced"},           {"core", "core_type"},
        {"kernel", "missing"},        {"kernel", "passes_of_full_tree"},
        {"topdown", "reasons"},       {"topdown", "over_threshold"},
        {"machine", "nodes"},         {"methods", "reason"},
        {"sampling", "why"},          {"result", "counts"},
        {"result", "missing"},        {"result", "discarded"},
        {"result", "without_value"},  {"result", "steady"},
        {"multiplex", "missing"},     {"timeline", "dropped"},
        {"guard", "logged"},          {"topdown", "clamped"},
        {"topdown", "ranges"},        {"timeline", "few_in"},
        {"timeline", "few_of"},       {"sampling", "skid_windows"},
        {"sampling", "gain_windows"}, {"sampling", "left_out"},
        {"topdown", "arms"},          {"machine", "window_us"},
        {"settings", "registers"},    {"topdown", "apart"},
        {"kernel", "arena_node"},     {"sampling", "behind"},
        {"topdown", "counted"},       {"error", "error_code"},
        {"end", "cut_behind"},        {"machine", "version"},
        {"machine", "commit"},        {"machine", "date"},
    };
    static const char *const everywhere[] = {"trusted", "forced", "round"};

    for (size_t i = 0; i < COUNT_OF(optional); i++) {
        if (strcmp(optional[i][0], kind_of(record)) == 0 && strcmp(optional[i][1], name) == 0)
            return true;
    }
    for (size_t i = 0; i < COUNT_OF(everywhere); i++) {
        if (strcmp(everywhere[i], name) == 0 && strcmp(kind_of(record), name) != 0)
            return true;
    }
    return strcmp(name, "beside") == 0 && json_object_get(record, "scope") == NULL;
}

/* Without one of these the record is taken for one of another form, which lacks other members. */
static bool tells_forms_apart(const json_t *record, const char *name)
{
    if (strcmp(kind_of(record), "result") == 0 && strcmp(name, "part") == 0)
        return true;
    if (strcmp(kind_of(record), "error") == 0 &&
        (strcmp(name, "kernel") == 0 || strcmp(name, "trial") == 0))
        return true;
    return strcmp(name, "interval") == 0 || strcmp(name, "file") == 0 ||
           strcmp(name, "vector") == 0 || strcmp(name, "level") == 0 || strcmp(name, "nmis") == 0;
}

/* The same of an object within a record. */
static bool is_optional_within(const json_t *record, const char *name)
{
    return (strcmp(kind_of(record), "drift") == 0 && strcmp(name, "intervals") == 0) ||
           (strcmp(kind_of(record), "guard") == 0 && strcmp(name, "interrupt") == 0) ||
           (strcmp(kind_of(record), "sampling") == 0 && strcmp(name, "apart") == 0);
}

static void take_away(const struct visit *visit, json_t *object, const char *place)
{
    const char *names[128];
    unsigned count = 0;
    const char *name;
    json_t *member;

    if (!has_fixed_names(object, place))
        return;
    json_object_foreach (object, name, member)
        names[count++] = name;
    for (unsigned i = 0; i < count; i++) {
        json_t *changed = json_deep_copy(visit->record), *within = changed;
        char pointer[SCHEMA_TEXT], at[SCHEMA_TEXT], *word, *rest = at;

        if (is_optional(visit->record, names[i]) ||
            (place[0] != '\0' && is_optional_within(visit->record, names[i]))) {
            json_decref(changed);
            continue;
        }
        snprintf(at, sizeof(at), "%s", place);
        while ((word = strtok_r(rest, "/", &rest)) != NULL)
            within = json_is_array(within) ? json_array_get(within, (size_t)atoi(word))
                                           : json_object_get(within, word);
        json_object_del(within, names[i]);
        snprintf(pointer, sizeof(pointer), "%s/%s", place, names[i]);
        if (tells_forms_apart(visit->record, names[i])
                ? schema_check(visit->fixture->schema, changed, NULL) == 0
                : !is_refused_at(visit->fixture, changed, pointer))
            fail_msg("%s without %s is not refused there", kind_of(visit->record), pointer);
        json_decref(changed);
    }
}

static void change_types(const struct visit *visit, json_t *object, const char *place)
{
    const char *name;
    json_t *member;

    json_object_foreach (object, name, member) {
        json_t *kept = json_incref(member);
        char pointer[SCHEMA_TEXT];

        json_object_set_new(object, name, json_is_array(kept) ? json_object() : json_array());
        snprintf(pointer, sizeof(pointer), "%s/%s", place, name);
        if (!is_refused_at(visit->fixture, visit->record, pointer))
            fail_msg("%s with another type of %s is not refused there", kind_of(visit->record),
                     pointer);
        json_object_set_new(object, name, kept);
    }
}

static void add_unknown(const struct visit *visit, json_t *object, const char *place)
{
    char pointer[SCHEMA_TEXT];

    if (!has_fixed_names(object, place))
        return;
    json_object_set_new(object, "surprise", json_integer(1));
    snprintf(pointer, sizeof(pointer), "%s/surprise", place);
    if (!is_refused_at(visit->fixture, visit->record, pointer))
        fail_msg("%s with %s is not refused there", kind_of(visit->record), pointer);
    json_object_del(object, "surprise");
}

/* --- records ------------------------------------------------------------------------------------
 */

static void there_is_a_record_of_every_kind(void **state)
{
    const struct fixture *fixture = *state;
    unsigned kinds = 0;

    for (unsigned i = 0; i < fixture->count; i++) {
        assert_int_equal(schema_check(fixture->schema, fixture->records[i], NULL), 0);
        kinds +=
            i == 0 || strcmp(kind_of(fixture->records[i]), kind_of(fixture->records[i - 1])) != 0;
    }
    assert_int_equal(kinds, KINDS);
}

static void a_missing_member_is_refused_in_every_kind(void **state)
{
    visit_all(*state, take_away);
}

static void a_wrong_type_is_refused_in_every_kind(void **state)
{
    visit_all(*state, change_types);
}

static void an_unknown_member_is_refused_in_every_kind(void **state)
{
    visit_all(*state, add_unknown);
}

static void keep_text(void *context, const char *text)
{
    snprintf(context, LOG_SCHEMA_TEXT, "%s", text);
}

/* Exactly one problem, in these words. */
static void says(const struct fixture *fixture, const char *record, const char *expected)
{
    json_t *value = json_loads(record, 0, NULL);
    char text[LOG_SCHEMA_TEXT] = "";
    const struct log_schema_sink sink = {text, keep_text};

    assert_non_null(value);
    assert_int_equal(log_schema_check(fixture->schema, value, &sink), 1);
    assert_string_equal(text, expected);
    json_decref(value);
}

#define END_MEMBERS                                                                                \
    "\"fail\":0,\"skip\":0,\"discarded\":0,\"reason\":\"complete\",\"duration_us\":1,"             \
    "\"texts\":0,\"crc\":\"00000000\""

static void a_problem_names_the_record_and_the_member(void **state)
{
    says(*state, "{\"type\":\"end\",\"seq\":41,\"pass\":\"x\"," END_MEMBERS "}",
         "record 41 (end): /pass: found \"x\", expected integer");
    says(*state, "{\"type\":\"end\",\"seq\":41," END_MEMBERS "}",
         "record 41 (end): /pass: found nothing, expected a member of that name");
    says(*state, "{\"type\":\"end\",\"seq\":41,\"pass\":1,\"more\":[1,2]," END_MEMBERS "}",
         "record 41 (end): /more: found [1,2], expected no such member here");
    says(*state, "{\"type\":\"end\",\"seq\":41,\"pass\":-1," END_MEMBERS "}",
         "record 41 (end): /pass: found -1, expected at least 0");
    says(*state, "{\"type\":\"end\",\"pass\":1," END_MEMBERS "}",
         "record without seq (end): /seq: found nothing, expected a member of that name");
    says(*state, "{\"seq\":7,\"crc\":\"00000000\"}",
         "record 7 (without type): /type: found nothing, expected a member of that name");
}

static void an_unknown_kind_is_refused(void **state)
{
    const struct fixture *fixture = *state;
    json_t *record = json_loads("{\"type\":\"weather\",\"seq\":3,\"crc\":\"00000000\"}", 0, NULL);

    assert_true(is_refused_at(fixture, record, "/type"));
    json_decref(record);
}

/* Members that depend on others: each change makes a valid record invalid, by a member that must
 * not be there, or by a missing member. */
static void conditions_between_members_hold(void **state)
{
    static const struct {
        const char *kind, *has, *name, *value, *place;
    } changes[] = {
        {"counts", "scope", "scope", NULL, "/scope"},
        {"counts", "scope", "threads", NULL, "/threads"},
        {"counts", "scope", "beside", NULL, "/beside"},
        {"counts", "scope", "threads", "[0,0]", "/threads/1"},
        {"topdown", "scope", "windows_apart", NULL, "/windows_apart"},
        {"topdown", "interval", "iterations", "5", "/iterations"},
        {"kernel", "dose", "dose", NULL, "/dose"},
        {"cpi", "cpi", "dose", "10", "/dose"},
        {"machine", "rig", "rig", NULL, "/rig"},
        {"machine", "rig", "firmware_vendor", "\"AMI\"", "/rig"},
        {"core", "absent", "counts", "true", "/absent"},
        {"core", "absent", "pmu_version", "3", "/pmu_version"},
        {"core", "lbr", "description", "null", "/lbr"},
        {"core", "lbr_absent", "lbr", "true", "/lbr_absent"},
        {"dose", "slope", "slope", "null", "/r_squared"},
        {"guard", "present", "kernel", "\"ret.nop\"", "/present"},
        {"error", "file", "file", NULL, "/line"},
        {"lbr", "entries", "code", "\"0xXYZ\"", "/code"},
        {"end", "reason", "reason", "\"whatever\"", "/reason"},
    };
    const struct fixture *fixture = *state;

    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        json_t *record = NULL;

        for (unsigned j = 0; j < fixture->count && record == NULL; j++) {
            if (strcmp(kind_of(fixture->records[j]), changes[i].kind) == 0 &&
                json_object_get(fixture->records[j], changes[i].has) != NULL)
                record = json_deep_copy(fixture->records[j]);
        }
        assert_non_null(record);
        if (changes[i].value != NULL)
            json_object_set_new(record, changes[i].name,
                                json_loads(changes[i].value, JSON_DECODE_ANY, NULL));
        else
            json_object_del(record, changes[i].name);
        if (!is_refused_at(fixture, record, changes[i].place))
            fail_msg("%s: %s changed, nothing is said at %s", changes[i].kind, changes[i].name,
                     changes[i].place);
        json_decref(record);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_is_a_record_of_every_kind),
        cmocka_unit_test(a_missing_member_is_refused_in_every_kind),
        cmocka_unit_test(a_wrong_type_is_refused_in_every_kind),
        cmocka_unit_test(an_unknown_member_is_refused_in_every_kind),
        cmocka_unit_test(a_problem_names_the_record_and_the_member),
        cmocka_unit_test(an_unknown_kind_is_refused),
        cmocka_unit_test(conditions_between_members_hold),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
