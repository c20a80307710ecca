/* The numbers of rounds that Rao, Suel, Tsantilas and Goudreau 1995 measured, in section 4. */
#ifndef KPORT_TOOLS_ROUTE_PAPER_H
#define KPORT_TOOLS_ROUTE_PAPER_H

#include <stdint.h>

/* Returns the number of rounds that the named protocol takes in the paper, for a random relation
 * with h * n messages from each processor. Returns 0 if the paper does not give the number, or if
 * the number is illegible in our scan. */
double route_paper_rounds(const char *protocol, uint64_t n, uint64_t h);

#endif
