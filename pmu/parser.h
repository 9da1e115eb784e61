/* The state of parsing one description, and what the readers of all statements share: taking words
 * and numbers off a line, defining names, complaining with a place. */
#ifndef PMU_PARSER_H
#define PMU_PARSER_H

#include "boot/pool.h"
#include "boot/slice.h"
#include "description.h"

struct source {
    const char *name; /* without .def */
    const char *text;
    size_t size;
    bool from_stick;
};

/* Where the parts of a node are in its file, for complaints of the checks at the end. */
struct node_place {
    unsigned source; /* index into the parser's sources */
    uint32_t line, formula_column, parent_column;
    struct slice parent, or_node;
    uint32_t or_column;
};

struct erratum_place {
    unsigned source;
    uint32_t line, column;
    struct slice events;
};

struct alias_place {
    unsigned source;
    uint32_t line, column;
};

struct parser {
    struct description *description;
    struct pool pool;
    struct complaint *complaint;
    struct source
        sources[DESCRIPTION_CHAIN]; /* the description first, then what it inherits from */
    unsigned source_count;
    struct node_place *node_places;       /* one for each of the description's nodes */
    struct erratum_place *erratum_places; /* one for each of its errata */
    struct alias_place *alias_places;     /* one for each of its aliases */
    /* the line being read */
    unsigned source;             /* index of its file */
    uint32_t line;               /* from 1 */
    const char *begin, *end;     /* without comment and line end */
    const char *at;              /* the rest of the line starts here */
    unsigned statements;         /* of this file, this line's included */
    const struct pmu_kind *kind; /* whose own statement this is; null: nobody's */
    void *open;    /* what statements of a kind of counters go on about: its own; null: nothing */
    uint32_t once; /* bit n: statement n, which may come once a file, has come */
};

/* Functions of the parser that return bool return false after a complaint; if memory ran out, the
 * complaint's message is empty. */

/* Fills in the complaint and returns false: about the place `at` of the current line, or about a
 * line and column (from 1) of a source. `expected` says what would be right; `pattern` is as for
 * format(). */
bool complain(struct parser *parser, const char *at, const char *expected, const char *pattern, ...)
    __attribute__((format(printf, 4, 5)));
bool complain_at(struct parser *parser, unsigned source, uint32_t line, uint32_t column,
                 const char *expected, const char *pattern, ...)
    __attribute__((format(printf, 6, 7)));

/* Takes the next word off the line; words are separated by blanks. Length 0 at the end of the line.
 */
struct slice parse_word(struct parser *parser);
/* Nothing may follow on the line. */
bool parse_end(struct parser *parser);
/* Takes a number of at most `limit` off the line; `expected` is for the complaint. */
bool parse_number(struct parser *parser, uint64_t limit, const char *expected, uint64_t *value);
/* Takes a name off the line, as formulas may mention it; `name` has room for DESCRIPTION_NAME. */
bool parse_name(struct parser *parser, const char *expected, char *name);
/* Takes the rest of the line and returns a copy; null after a complaint. */
const char *parse_text(struct parser *parser, const char *expected);
/* Returns the column of a place of the current line, from 1. */
uint32_t parse_column(const struct parser *parser, const char *at);
/* Defines the name and returns its index in the description's array of that kind: a new entry, or
 * the inherited entry that is to be replaced. The caller writes the whole entry. UINT32_MAX after a
 * complaint about `at`. */
uint32_t parse_define(struct parser *parser, enum symbol_kind kind, const char *name,
                      const char *at);
/* Drops what the symbol names: it loses its name and is found no more. Its entry stays in its array
 * until parse_close_up. */
void parse_drop(struct symbol *symbol);

#endif
