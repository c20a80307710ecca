/* The fitted form of Bruck et al. 1997, section 3.5. */
#ifndef KPORT_TOOLS_FIT_H
#define KPORT_TOOLS_FIT_H

/* Finds gamma, none of them negative, so that gamma[0] x[0] + gamma[1] x[1] + gamma[2] is as near
 * to y as can be: the least sum of squares of the errors relative to y. `rows` has count times {x0,
 * x1, y}, with y above 0. */
void fit(const double (*rows)[3], int count, double gamma[3]);

#endif
