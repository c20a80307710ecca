/* Checks the schedules of all algorithms, or of those that are wanted. */
#ifndef KPORT_TOOLS_CHECK_ALL_H
#define KPORT_TOOLS_CHECK_ALL_H

struct check_wish {
    int operation;         /* a kp_operation; less than 0: all operations */
    const char *algorithm; /* the algorithms of this name alone; NULL: all */
    int max_n, jobs;
};

/* Checks the schedules of the wanted algorithms for every n from 1 to `max_n`. `jobs` threads share
 * the work; if `jobs` is 0, there is one thread for each core. Returns an exit status; if it is not
 * 0, an error message is on stderr for each algorithm that is wrong. */
int check_all(const struct check_wish *wish);

#endif
