/* JSON Schema (draft 2020-12), as far as doc/log.schema.json uses it. A keyword that is not known
 * here makes the whole schema refused, so that nothing it states goes unchecked. Known are:
 *
 *   $schema $comment $defs title   say something to people, or hold definitions
 *   $ref                           "#/$defs/NAME" only; a definition may not reach itself
 *   type enum const                of any value
 *   minimum maximum                of numbers
 *   minLength maxLength pattern    of texts; a pattern is a POSIX extended regular expression
 *                                  without backslashes, which other validators read alike; it
 *                                  repeats no repetition, and no group a number of times
 *   properties required additionalProperties propertyNames minProperties dependentRequired
 *   items minItems maxItems uniqueItems
 *   allOf if then else */
#ifndef PC_SCHEMA_H
#define PC_SCHEMA_H

#include <jansson.h>
#include <stddef.h>

#define SCHEMA_TEXT 200 /* bytes of a complaint's texts and of a place, longer ones are cut off */

struct schema;

/* Where a value is not as the schema says: `place` is its JSON pointer ("/windows/0", "" the whole
 * value), `found` what is there, `expected` what should be. The texts live for the call only. */
struct schema_sink {
    void *context;
    void (*complain)(void *context, const char *place, const char *found, const char *expected);
};

/* Reads a schema from `size` bytes of JSON. NULL when it is not JSON, uses an unknown keyword or a
 * malformed one, or there is no memory: `why` (of SCHEMA_TEXT bytes) then says what and where. */
struct schema *schema_read(const char *text, size_t size, char why[SCHEMA_TEXT]);
void schema_free(struct schema *schema);
/* Its JSON, which lives as long as the schema. */
const json_t *schema_json(const struct schema *schema);
/* The definition that a "$ref" of it names. Never NULL for a schema that was read. */
const json_t *schema_definition(const struct schema *schema, const char *reference);

/* Holds the value against the schema. Returns how many complaints went to the sink, 0 when the
 * value is valid; a NULL sink only counts. */
unsigned schema_check(const struct schema *schema, const json_t *value,
                      const struct schema_sink *sink);

#endif
