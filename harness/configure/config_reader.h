/* Reads `key = value` lines of `\slotscope\slotscope.cfg`, then `key=value` words of the load
 * options, which override the file. Pure. Anything malformed is a complaint; a caller measures only
 * when there was no complaint. */
#ifndef HARNESS_CONFIGURE_CONFIG_READER_H
#define HARNESS_CONFIGURE_CONFIG_READER_H

#include "complaint_sink.h"
#include "config.h"

/* Reads the text of a file over what *config holds. `file` names the file in complaints and must
 * outlive *config. A key may be set once in a file. Returns the number of complaints; a value that
 * is complained about leaves its key as it was. */
unsigned config_read_file(struct config *config, const char *file, const char *text, size_t size,
                          const struct complaint_sink *sink);
/* The same for load options: words separated by blanks, `key=value` each. A first word that ends in
 * ".efi" is ignored: the UEFI shell passes the command itself. Columns count from the start of the
 * options. */
unsigned config_read_options(struct config *config, const char *words,
                             const struct complaint_sink *sink);

#endif
