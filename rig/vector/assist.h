/* Which multiplications of floating-point numbers need the microcode's help. */
#ifndef RIG_VECTOR_ASSIST_H
#define RIG_VECTOR_ASSIST_H

#include <stdbool.h>

/* Of so many single or double numbers at `a` and `b` each: true when a factor or a product is too
 * small for its format's normal numbers and MXCSR says to keep it (SDM 1, "Denormals-Are-Zeros",
 * "Flush-To-Zero"). */
bool assist_singles(const void *a, const void *b, unsigned count, unsigned mxcsr);
bool assist_doubles(const void *a, const void *b, unsigned count, unsigned mxcsr);

#endif
