/* What an instruction in VEX or EVEX encoding makes of its operands. */
#ifndef RIG_VECTOR_EXECUTE_H
#define RIG_VECTOR_EXECUTE_H

#include <stdbool.h>

#include "step.h"

/* Of a step that vector_prepare() filled, whose registers and memory are read. */
void vector_execute(struct vector_step *step);
/* Whether it computes with floating-point numbers. */
bool vector_computes(const struct vector_step *step);
/* Whether a multiplication needs an assist, see assist.h. */
bool vector_assists(const struct vector_step *step);

#endif
