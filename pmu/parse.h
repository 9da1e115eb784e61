/* The parts of the description parser, among themselves. parse.c reads files and lines,
 * parse_event.c, parse_signature.c, parse_node.c and parse_statement.c what a line says,
 * parse_inherit.c and parse_derive.c what follows from several, parse_check.c what must hold
 * between lines. */
#ifndef PMU_PARSE_H
#define PMU_PARSE_H

#include "boot/slice.h"
#include "description.h"
#include "pool.h"
#include "symbols.h"

struct source {
    const char *name; /* without .def */
    const char *text;
    size_t size;
    bool from_stick;
};

/* Where a node came from, for what is checked at the end. Parallel to the description's nodes. */
struct node_place {
    unsigned source;
    uint32_t line, formula_column, parent_column;
    struct slice parent, or_node;
    uint32_t or_column;
};

struct erratum_place {
    unsigned source;
    uint32_t line, column;
    struct slice events;
};

struct parser {
    struct description *description;
    const struct description_library *library;
    struct pool pool;
    struct complaint *complaint;
    struct source sources[DESCRIPTION_CHAIN]; /* the description first, then what it is like */
    unsigned source_count;
    struct node_place *node_places;
    struct erratum_place *erratum_places;
    /* the line being read */
    unsigned source;
    uint32_t line;
    const char *begin, *end; /* without comment and line end */
    const char *at;
    unsigned statements; /* of this file so far */
    uint32_t once;       /* bit per statement that may come once a file */
};

/* All of these answer false when they have complained (or memory ran out: then the complaint's
 * message is empty). */
bool parse_chain(struct parser *parser, const char *name);
bool parse_source(struct parser *parser, unsigned source);
bool parse_statement(struct parser *parser);
bool parse_event(struct parser *parser);
bool parse_signature(struct parser *parser);
bool parse_let(struct parser *parser);
bool parse_node(struct parser *parser);
/* `without`: the named things are inherited and go. parse_close_up then takes the gaps out. */
bool parse_without(struct parser *parser);
void parse_close_up(struct parser *parser);
/* Events that formulas modify (NAME:c1) become events of their own. */
bool parse_derive(struct parser *parser);
bool parse_check(struct parser *parser);

/* Words are separated by blanks; parse_word takes the next one. */
struct slice parse_word(struct parser *parser);
/* Fills the complaint with a place of the current file and line and answers false. `at` is where in
 * the line; format as for format(). */
bool complain(struct parser *parser, const char *at, const char *expected, const char *pattern, ...)
    __attribute__((format(printf, 4, 5)));
bool complain_at(struct parser *parser, unsigned source, uint32_t line, uint32_t column,
                 const char *expected, const char *pattern, ...)
    __attribute__((format(printf, 6, 7)));
/* Steps of a line; `expected` says what should have stood there. */
bool parse_end(struct parser *parser);
bool parse_number(struct parser *parser, uint64_t limit, const char *expected, uint64_t *value);
bool parse_name(struct parser *parser, const char *expected, char *name);
uint32_t parse_column(const struct parser *parser, const char *at);
/* The array entry for `name` of that kind: a new one, or the inherited one to be replaced.
 * UINT32_MAX after a complaint. */
uint32_t parse_define(struct parser *parser, enum symbol_kind kind, const char *name,
                      const char *at);

#endif
