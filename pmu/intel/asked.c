#include "asked.h"

#include "selector.h"

enum rc intel_asked_selector(const struct event **event, const struct asked_text *asked)
{
    struct event *made, read;

    if (!selector_read(&read, asked->text, asked->complaint))
        return RC_BAD_INPUT;
    selector_restrict(&read, asked->description);
    made = pool_take(asked->pool, sizeof(*made));
    if (made == NULL)
        return RC_NO_SPACE;
    *made = read;
    *event = made;
    return RC_OK;
}
