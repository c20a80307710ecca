/* Makes _exit write the coverage counts first, because a forked child that ends by _exit would lose
 * them otherwise. tools/verify/coverage.sh includes this header before every file (-include). */
#ifndef KPORT_TESTS_COUNTED_EXIT_H
#define KPORT_TESTS_COUNTED_EXIT_H

extern void __gcov_dump(void);
extern void _exit(int status) __attribute__((noreturn));
static inline __attribute__((noreturn)) void kp_counted_exit(int status)
{
    __gcov_dump();
    _exit(status);
}
#define _exit(status) kp_counted_exit(status)

#endif
