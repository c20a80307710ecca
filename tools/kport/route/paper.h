/* The numbers of rounds measured in Rao, Suel, Tsantilas and Goudreau 1995, section 4. */
#ifndef KPORT_TOOLS_ROUTE_PAPER_H
#define KPORT_TOOLS_ROUTE_PAPER_H

#include <stdint.h>

/* Returns the rounds of the named protocol for a random relation with h * n messages per processor,
 * or 0 if the paper has no number or the number is illegible in our scan. */
double route_paper_rounds(const char *protocol, uint64_t n, uint64_t h);

#endif
