#include "tags.h"

#include "registers.h"

#define RINGS                                                                                      \
    (field_mask(ESCR_T0_USR) | field_mask(ESCR_T0_OS) | field_mask(ESCR_T1_USR) |                  \
     field_mask(ESCR_T1_OS))

/* An ESCR that tags. */
struct source {
    const struct netburst_event *event; /* null: a user wrote the registers' values */
    const struct netburst_choice *escr;
};

/* The ESCRs through which the selection tags, at most two. */
static unsigned sources_of(const struct netburst_selection *selection, struct source sources[2])
{
    unsigned count = 0;

    if (selection->upstream.count > 0)
        sources[count++] = (struct source){selection->tagged->upstream, &selection->upstream};
    if (field_get(selection->escr.value, ESCR_TAG_ENABLE))
        sources[count++] = (struct source){selection->event, &selection->escr};
    return count;
}

static bool tag_same_uops(const struct source *a, const struct source *b)
{
    return a->event != NULL && a->event == b->event &&
           field_get(a->escr->value, ESCR_EVENT_MASK) == field_get(b->escr->value, ESCR_EVENT_MASK);
}

/* Whether both ESCRs can tag uops of the same ring of the same logical processor. */
static bool meet(const struct source *a, const struct source *b)
{
    return a->event == NULL || b->event == NULL || a->event->thread_independent ||
           b->event->thread_independent || (a->escr->value & b->escr->value & RINGS) != 0;
}

static uint64_t tag_of(const struct source *source)
{
    return field_get(source->escr->value, ESCR_TAG_VALUE);
}

/* An upstream ESCR without a tag value, and without a replay tag, sets the front-end tag. */
static bool sets_front_end_tag(const struct netburst_selection *selection,
                               const struct source *source)
{
    return source->escr == &selection->upstream && selection->pebs_enable == 0 &&
           tag_of(source) == 0;
}

const char *netburst_tags_clash(const struct netburst_selection *a,
                                const struct netburst_selection *b)
{
    struct source of_a[2], of_b[2];
    const unsigned count_a = sources_of(a, of_a), count_b = sources_of(b, of_b);

    if (a->pebs_enable != 0 && b->pebs_enable != 0) {
        if (a->pebs_enable != b->pebs_enable)
            return "MSR_PEBS_ENABLE";
        if (a->matrix != b->matrix)
            return "MSR_PEBS_MATRIX_VERT";
    }
    for (unsigned i = 0; i < count_a; i++)
        for (unsigned j = 0; j < count_b; j++) {
            if (tag_same_uops(&of_a[i], &of_b[j]) || !meet(&of_a[i], &of_b[j]))
                continue;
            if ((tag_of(&of_a[i]) & tag_of(&of_b[j])) != 0 ||
                (sets_front_end_tag(a, &of_a[i]) && sets_front_end_tag(b, &of_b[j])))
                return netburst_escrs[of_b[j].escr->escrs[0]].name;
        }
    return NULL;
}
