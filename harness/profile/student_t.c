#include "student_t.h"

/* The quantile of 0.975, for 1 to 15 degrees of freedom (NIST/SEMATECH e-Handbook of Statistical
 * Methods, 1.3.6.7.2). */
static const double quantiles[] = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
    2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
};

double student_t(unsigned degrees)
{
    const unsigned most = sizeof(quantiles) / sizeof(*quantiles);

    return quantiles[(degrees < most ? degrees : most) - 1];
}
