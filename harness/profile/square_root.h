/* The square root of a number that is not negative, without a mathematical library. */
#ifndef HARNESS_PROFILE_SQUARE_ROOT_H
#define HARNESS_PROFILE_SQUARE_ROOT_H

static inline double square_root(double square)
{
    double root;

    __asm__("sqrtsd %1, %0" : "=x"(root) : "x"(square));
    return root;
}

#endif
