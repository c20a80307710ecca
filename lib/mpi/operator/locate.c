/* MPI_MINLOC and MPI_MAXLOC on Fortran's pairs: the index is a floating-point number, too. */
#include "lib/mpi/op.h"

#define LOCATE(NAME, T, BEFORE)                                                                    \
    static void NAME(void *to, const void *left, const void *right, size_t count, void *context)   \
    {                                                                                              \
        T *result = to;                                                                            \
        const T *l = left, *r = right;                                                             \
        (void)context;                                                                             \
        for (size_t i = 0; i < 2 * count; i += 2) {                                                \
            const T a[] = {l[i], l[i + 1]}, b[] = {r[i], r[i + 1]};                                \
            const bool equal = !(a[0] BEFORE b[0] || b[0] BEFORE a[0]);                            \
            const bool second = b[0] BEFORE a[0] || (equal && b[1] < a[1]);                        \
            result[i] = second ? b[0] : a[0];                                                      \
            result[i + 1] = second ? b[1] : a[1];                                                  \
        }                                                                                          \
    }

LOCATE(least_float, float, <)
LOCATE(least_double, double, <)
LOCATE(greatest_float, float, >)
LOCATE(greatest_double, double, >)

const kp_operator *kp_mpi_locating_operator(bool least, bool doubles)
{
    static const kp_operator rows[2][2] = {
        {{"MPI_MAXLOC", greatest_float, NULL, 2 * sizeof(float), 1},
         {"MPI_MAXLOC", greatest_double, NULL, 2 * sizeof(double), 1}},
        {{"MPI_MINLOC", least_float, NULL, 2 * sizeof(float), 1},
         {"MPI_MINLOC", least_double, NULL, 2 * sizeof(double), 1}},
    };
    return &rows[least][doubles];
}
