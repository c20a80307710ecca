/* The fitted form of the cost model (Bruck et al. 1997, section 3.5). */
#ifndef KPORT_TOOLS_FIT_H
#define KPORT_TOOLS_FIT_H

/* Finds non-negative gamma such that gamma[0] * x0 + gamma[1] * x1 + gamma[2] fits y with the least
 * sum of squared relative errors. `rows` has `count` rows {x0, x1, y}, with y > 0. */
void fit(const double (*rows)[3], int count, double gamma[3]);

#endif
