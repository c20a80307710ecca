#include "tools/kport/tune/fit.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Solves a system of `size` linear equations by Gauss-Jordan elimination with pivots. Returns false
 * if the system has no unique solution. */
static bool solve(double a[3][4], int size)
{
    for (int i = 0; i < size; i++) {
        int pivot = i;
        for (int j = i + 1; j < size; j++)
            pivot = fabs(a[j][i]) > fabs(a[pivot][i]) ? j : pivot;
        if (fabs(a[pivot][i]) < 1e-12)
            return false;
        double row[4];
        memcpy(row, a[i], sizeof row);
        memcpy(a[i], a[pivot], sizeof row);
        memcpy(a[pivot], row, sizeof row);
        for (int j = 0; j < size; j++) {
            double factor = j == i ? 0 : a[j][i] / a[i][i];
            for (int c = 0; c < 4; c++)
                a[j][c] -= factor * a[i][c];
        }
    }
    for (int i = 0; i < size; i++)
        a[i][3] /= a[i][i];
    return true;
}

/* Returns term number `i` of a row, divided by y and scaled. Scaled terms are about 1, so the
 * computation is numerically stable. */
static double term(const double row[3], int i, const double scale[3])
{
    return (i < 2 ? row[i] : 1) / row[2] * scale[i];
}

static double error_of(const double (*rows)[3], int count, const double gamma[3],
                       const double scale[3])
{
    double sum = 0;
    for (int r = 0; r < count; r++) {
        double error = -1;
        for (int i = 0; i < 3; i++)
            error += gamma[i] * term(rows[r], i, scale);
        sum += error * error;
    }
    return sum;
}

static bool fit_terms(const double (*rows)[3], int count, unsigned used, const double scale[3],
                      double gamma[3])
{
    int index[3], size = 0;
    double a[3][4] = {{0}};
    for (int i = 0; i < 3; i++) {
        gamma[i] = 0;
        if (used >> i & 1u)
            index[size++] = i;
    }
    for (int r = 0; r < count; r++) {
        for (int i = 0; i < size; i++) {
            double x = term(rows[r], index[i], scale);
            for (int j = 0; j < size; j++)
                a[i][j] += x * term(rows[r], index[j], scale);
            a[i][3] += x;
        }
    }
    /* The right side of each equation is always in the fourth column, even if `size` is less
     * than 3. */
    if (!solve(a, size))
        return false;
    for (int i = 0; i < size; i++) {
        gamma[index[i]] = a[i][3];
        if (a[i][3] < 0)
            return false;
    }
    return true;
}

/* The best fit in which no gamma is negative uses some of the three terms, and gamma is 0 for the
 * others. So this function computes the best fit for each of the seven non-empty sets of terms.
 * Fits with a negative gamma are dropped, and the best of the other fits is the result. */
void fit(const double (*rows)[3], int count, double gamma[3])
{
    double best = -1, scale[3] = {0}, found[3];
    for (int i = 0; i < 3; i++) {
        double sum = 0, one[3] = {1, 1, 1};
        for (int r = 0; r < count; r++)
            sum += term(rows[r], i, one);
        scale[i] = sum > 0 ? count / sum : 0;
    }
    gamma[0] = gamma[1] = 1;
    gamma[2] = 0;
    for (unsigned used = 1; used < 8; used++) {
        if (!fit_terms(rows, count, used, scale, found))
            continue;
        double error = error_of(rows, count, found, scale);
        if (best >= 0 && error >= best)
            continue;
        best = error;
        for (int i = 0; i < 3; i++)
            gamma[i] = found[i] * scale[i];
    }
}
