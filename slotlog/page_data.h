/* What report.html is drawn from: logs as JSON that is short. */
#ifndef SLOTLOG_PAGE_DATA_H
#define SLOTLOG_PAGE_DATA_H

#include "whole_log.h"

/* Longer data leaves records out, so that the page stays below 10 MB (page_data.c says which). */
#define PAGE_DATA_BYTES 8500000

/* The logs as a JSON text, which the caller frees:
 *
 *   {"shapes": [[NAME...]...], "texts": [TEXT...], "left_out": [TYPE...],
 *    "program": {"trees": TREES, "code": CODE}, "logs": PACKED}
 *
 * TREES are as page_trees.h says, CODE as page_code.h does: what the program adds to the logs.
 * PACKED is a number, true, false or null as it is, and else a list: [-1, i] is text i, [0, ...] a
 * list, [k, ...] an object whose members have the names of shape k - 1. Unpacked it is a list of
 * logs:
 *
 *   {"name": of the file, "good": bool, "problems": N, "records": [...], "verdicts": [...]}
 *
 * The records are the log's, without `seq`, `crc` and `unit`. A verdict has the `core` and the
 * `kernel` that its claim begins with, and the rest as `claim`. Only where it has something to say
 * it has `failed` (true), `skipped` (why), and `verdicts`: how many it stands for, unless it is
 * one. Of a claim `WHAT 0.827 in [0.600, 1.005]REST`, `claim` is WHAT, and there are `value`,
 * `low`, `high` and `rest`; in place of `value` there is `count` where it is an integer.
 */
char *page_data(const struct whole_log *logs, size_t count);

#endif
