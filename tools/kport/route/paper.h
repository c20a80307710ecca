/* The numbers of rounds that Rao, Suel, Tsantilas and Goudreau 1995 measured, in section 4. */
#ifndef KPORT_TOOLS_ROUTE_PAPER_H
#define KPORT_TOOLS_ROUTE_PAPER_H

#include <stdint.h>

/* Returns the number of rounds that the paper gives for the named protocol, for a random relation
 * in which each processor sends h * n messages. Returns 0 if the paper does not give this number,
 * or if our scan of the paper is illegible there. */
double route_paper_rounds(const char *protocol, uint64_t n, uint64_t h);

#endif
