/* Fits the cost model to measured times (Bruck et al. 1997, section 3.5). */
#ifndef KPORT_TOOLS_FIT_H
#define KPORT_TOOLS_FIT_H

/* `rows` has `count` rows {x0, x1, y}, with y > 0. Finds gamma[0], gamma[1] and gamma[2], none of
 * them negative, for which gamma[0] * x0 + gamma[1] * x1 + gamma[2] is closest to y: the sum of the
 * squared relative errors of all rows is least. */
void fit(const double (*rows)[3], int count, double gamma[3]);

#endif
