/* The rounds that Rao, Suel, Tsantilas and Goudreau 1995 measured, section 4. */
#ifndef KPORT_TOOLS_ROUTE_PAPER_H
#define KPORT_TOOLS_ROUTE_PAPER_H

#include <stdint.h>

/* Of a random relation of `h` times n messages by the protocol of that name; 0 where the paper has
 * none, or the scan of it did not keep it. */
double route_paper_rounds(const char *protocol, uint64_t n, uint64_t h);

#endif
