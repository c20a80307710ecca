/* Checks the schedules of all algorithms. */
#ifndef KPORT_TOOLS_CHECK_ALL_H
#define KPORT_TOOLS_CHECK_ALL_H

/* Checks the schedules of all algorithms for every n up to `max_n`. `jobs` threads share the work;
 * if `jobs` is 0, there is one thread for each core. Returns an exit status; if it is not 0, an
 * error message is on stderr for each algorithm that is wrong. */
int check_all(int max_n, int jobs);

#endif
