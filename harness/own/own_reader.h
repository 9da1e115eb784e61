/* Reads a .exp file, which says what an own kernel is and what is expected of it. A line is a word
 * and what belongs to it (doc/own_kernels.md). Pure. */
#ifndef HARNESS_OWN_OWN_READER_H
#define HARNESS_OWN_OWN_READER_H

#include "boot/pool.h"
#include "boot/rc.h"
#include "own_kernel.h"
#include "pmu/description.h"

#define OWN_FILE_LIMIT   65536u /* bytes of a .exp file */
#define OWN_CODE_LIMIT   (1u << 20)
#define OWN_NAME_LIMIT   63u
#define OWN_TITLE_LIMIT  100u
#define OWN_EXPECTATIONS 64u
#define OWN_UNROLL_LIMIT 1000000u
#define OWN_DEADLINE_US  100000u /* when the file states none */
#define OWN_DEADLINE_MAX 10000000u

/* Fills own->kernel, except `code`, and own->deadline_us; all texts are copies from the pool.
 * `file` is the name for complaints. RC_OK; RC_BAD_INPUT with *complaint; RC_NO_SPACE. */
enum rc own_read(struct own_kernel *own, const char *file, const char *text, size_t size,
                 struct pool *pool, struct complaint *complaint);

#endif
