/* Checks of programs that mpirun starts. */
#ifndef KPORT_TESTS_CARRIER_NEED_H
#define KPORT_TESTS_CARRIER_NEED_H

#include <kport.h>

#include <stdio.h>
#include <unistd.h>

#define NEED(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail(__FILE__, __LINE__, #condition);                                                  \
    } while (0)

/* Ends this process, and mpirun then ends the others. */
static inline void fail(const char *file, int line, const char *condition)
{
    fprintf(stderr, "%s:%d: not so: %s; %s\n", file, line, condition, kp_last_error()->sentence);
    _exit(1);
}

#endif
