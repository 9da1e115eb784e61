/* The CPU descriptions linked into the image: the .def files of pmu/cpu, as they are. */
#ifndef PMU_BUILTIN_H
#define PMU_BUILTIN_H

#include <stddef.h>

/* Returns the name (the file's name without .def) of description number `index`, counted from 0;
 * null past the last one. */
const char *builtin_name(unsigned index);
/* Returns the text of the description of that name and sets *size to its bytes, not counting the 0
 * that ends the text. Null, *size unchanged, when no description has the name. */
const char *builtin_text(const char *name, size_t *size);

#endif
