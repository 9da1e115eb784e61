/* What the image refuses or skips on every CPU of what a .exp file declares, though it is well
 * formed: for own-check, which says so before anything runs. Pure. */
#ifndef PC_OWN_DECLARATION_H
#define PC_OWN_DECLARATION_H

#include "boot/pool.h"
#include "boot/rc.h"
#include "harness/own/own_kernel.h"
#include "pmu/description.h"

/* A .exp file that own_read has read into `own`. */
struct own_declaration {
    const struct own_kernel *own;
    const char *file, *text;
    size_t size;
};

/* RC_OK; RC_BAD_INPUT with *complaint: the name is a built-in kernel's, or n, the buffer or an
 * expectation has no value on any CPU, or one out of range. RC_NO_SPACE. */
enum rc own_declaration_check(const struct own_declaration *declaration, struct pool *pool,
                              struct complaint *complaint);

#endif
