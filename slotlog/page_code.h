/* The instructions of kernels that logs have profiles of, for their page. */
#ifndef SLOTLOG_PAGE_CODE_H
#define SLOTLOG_PAGE_CODE_H

#include "whole_log.h"

/* An object with a member for each kernel whose parts `cpi` records of the logs are about, and that
 * this program has with a map. The log says only where instructions begin, so whoever uses this
 * must hold that against it. The caller owns the object.
 *
 *   {KERNEL: [[offset of the instruction in bytes, its text, label of the block that begins with
 *              it, or null]...]} */
json_t *page_code(const struct whole_log *logs, size_t count);

#endif
