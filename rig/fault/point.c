#include "point.h"

#include <inttypes.h>
#include <stdarg.h>

static const char *const classes[POINT_COUNT] = {
#define POINT_CLASS(id, name, what) [POINT_##id] = name,
    POINTS(POINT_CLASS)
#undef POINT_CLASS
};

static const char *const subjects[POINT_COUNT] = {
#define POINT_SUBJECT(id, name, what) [POINT_##id] = what,
    POINTS(POINT_SUBJECT)
#undef POINT_SUBJECT
};

struct fault_request *fault_at(struct points *points, enum point point, uint64_t k,
                               const struct fault_request *after)
{
    for (unsigned i = after != NULL ? (unsigned)(after - points->request) + 1 : 0;
         i < points->count; i++) {
        struct fault_request *request = &points->request[i];

        if (request->row->point == point && k >= request->first && k <= request->last)
            return request;
    }
    return NULL;
}

struct fault_request *fault_with(struct points *points, enum act act)
{
    for (unsigned i = 0; i < points->count; i++)
        if (points->request[i].row->act == act)
            return &points->request[i];
    return NULL;
}

static bool is_first(struct fault_request *request, bool changed, unsigned core, uint64_t window)
{
    request->changed |= changed;
    if (request->times++ > 0)
        return false;
    request->at_core = core;
    request->at_window = window;
    return true;
}

void fault_happened(struct fault_request *request, bool changed, unsigned core, uint64_t window,
                    const char *where, ...)
{
    va_list list;

    if (!is_first(request, changed, core, window))
        return;
    va_start(list, where);
    vsnprintf(request->where, sizeof(request->where), where, list);
    va_end(list);
}

void fault_happened_to(struct fault_request *request, bool changed, unsigned core, uint64_t window,
                       uint32_t reg)
{
    if (!is_first(request, changed, core, window))
        return;
    request->has_register = true;
    request->at_register = reg;
}

/* ---- what is said at the end ---- */

void points_write_class(FILE *out, const char *prefix, const char *name, uint64_t count)
{
    fprintf(out, "{\"class\":\"%s%s\",\"count\":%" PRIu64 "}\n", prefix, name, count);
}

/* The text of a request that was read has neither quotes nor control characters. */
static void write_request(const struct fault_request *request, FILE *out)
{
    fprintf(out, "{\"fault\":\"%s\",\"happened\":%s", request->text,
            request->times > 0 ? "true" : "false");
    if (request->times > 0)
        fprintf(out, ",\"times\":%" PRIu64 ",\"changed\":%s,\"core\":%u,\"window\":%" PRIu64,
                request->times, request->changed ? "true" : "false", request->at_core,
                request->at_window);
    if (request->has_register)
        fprintf(out, ",\"register\":\"0x%" PRIx32 "\"", request->at_register);
    if (request->where[0] != '\0')
        fprintf(out, ",\"where\":\"%s\"", request->where);
    fputs("}\n", out);
}

void points_write(const struct points *points, FILE *out)
{
    for (unsigned i = 0; i < POINT_COUNT; i++)
        points_write_class(out, "", classes[i], points->seen[i]);
    for (unsigned i = 0; i < points->count; i++)
        write_request(&points->request[i], out);
}

/* How many of the places that its K counts this run had. */
static uint64_t places_of(const struct points *points, const struct fault_request *request,
                          const uint64_t *service_calls, const uint64_t *windows)
{
    if (request->service >= 0)
        return service_calls[request->service];
    return request->row->act == ACT_TSC_STEP ? windows[request->core]
                                             : points->seen[request->row->point];
}

bool points_report_beyond(const struct points *points, const uint64_t *service_calls,
                          const uint64_t *windows, FILE *out)
{
    bool any = false;

    for (unsigned i = 0; i < points->count; i++) {
        const struct fault_request *request = &points->request[i];
        uint64_t seen;

        if (!request->counted)
            continue;
        seen = places_of(points, request, service_calls, windows);
        if (request->first <= seen || request->times > 0)
            continue;
        any = true;
        if (request->service >= 0)
            fprintf(out, "rig: %s: the run had %" PRIu64 " calls of %s\n", request->text, seen,
                    request->call);
        else
            fprintf(out, "rig: %s: the run had %" PRIu64 " %s\n", request->text, seen,
                    subjects[request->row->point]);
    }
    return any;
}
