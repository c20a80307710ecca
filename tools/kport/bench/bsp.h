/* g and l of the BSP model. */
#ifndef KPORT_TOOLS_BENCH_BSP_H
#define KPORT_TOOLS_BENCH_BSP_H

/* Prints a table with a row for each number of processes and each carrier. `n_list` is a list of
 * numbers with commas; NULL: 2 ... 64. Returns an exit status; if it is not 0, an error message is
 * on stderr. */
int bench_bsp(const char *n_list);

#endif
