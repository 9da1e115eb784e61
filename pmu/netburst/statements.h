/* The statements of a description that state NetBurst's events. */
/* clang-format off */
/*
 *   event NAME escr SELECT ESCR[,ESCR] [second_from MODEL STEPPING] [thread_independent] [tags_only]
 *                             an event, by the value of ESCR_EVENT_SELECT and the ESCRs that
 *                             have it; second_from: older cores have it in the first ESCR only;
 *                             thread_independent: it counts for both logical processors;
 *                             tags_only: it tags uops and counts none. NAME may begin with a digit,
 *                             and no formula can mention it then
 *   masks BIT NAME ...        bits of that event's mask; the next line may go on
 *   tagged NAME[,NAME] MASK[:MASK...] [pebs_enable VALUE matrix VALUE]
 *         [by EVENT:MASK[:MASK...] [tag VALUE] [on ESCR[,ESCR]]]
 *                             what that event counts, with that mask, when uops were tagged: by a
 *                             replay (the values of MSR_PEBS_ENABLE and MSR_PEBS_MATRIX_VERT), by
 *                             another event, stated above, or both. EVENT:NAME is such a count
 *   event NAME counts EVENT:MASK[:MASK...] [second EVENT:MASK[:MASK...]]
 *                             a name for what an event counts with these masks
 *                             (select.h); second: on the second logical processor
 */
/* clang-format on */
#ifndef PMU_NETBURST_STATEMENTS_H
#define PMU_NETBURST_STATEMENTS_H

#include "pmu/kind.h"
#include "pmu/parser.h"

/* Reads the line after the word `event` when its second word is `escr`, or else `counts`; *mine
 * says whether it is. Otherwise nothing is read. */
bool netburst_parse_event(struct parser *parser, bool *mine);
/* `masks` and `tagged`: each reads a line that goes on about the event of the last such line. */
#define NETBURST_STATEMENTS 2
extern const struct kind_statement netburst_statements[NETBURST_STATEMENTS];

#endif
