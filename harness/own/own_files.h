/* The records of the files that a kernel of the user's own is made of. */
#ifndef HARNESS_OWN_OWN_FILES_H
#define HARNESS_OWN_OWN_FILES_H

#include "own_kernel.h"

/* Of each of its files: name, bytes, SHA-256; in the full form also the bytes themselves, in as
 * many records as they need, up to OWN_FILE_LOGGED of them. */
void own_files_log(const struct own_kernel *own);

#endif
