/* Records of a log held against doc/log.schema.json. */
#ifndef PC_LOG_SCHEMA_H
#define PC_LOG_SCHEMA_H

#include "schema.h"

#define LOG_SCHEMA_TEXT 512 /* bytes of a problem's text, a longer one is cut off */

/* The receiver of problems. A problem is one line, without its end:
 *   record 41 (counts): /windows/0: found "x", expected integer
 * The text lives for the call only. */
struct log_schema_sink {
    void *context;
    void (*problem)(void *context, const char *text);
};

/* Holds one record against the schema. Returns the number of problems, 0 when the record is as the
 * schema says. */
unsigned log_schema_check(const struct schema *schema, const json_t *record,
                          const struct log_schema_sink *sink);

/* Lists the members of all kinds of records, one call for each type that a member may have. A path
 * `events.*.min` is the member `min` of every member of `events`, `windows[]` a value of the list
 * `windows`. `kind` lives as long as the schema, the other texts for the call. */
void log_schema_members(const struct schema *schema,
                        void (*member)(void *context, const char *kind, const char *path,
                                       const char *type),
                        void *context);

#endif
