/* Two supersteps: a process computes for 20 ms in the first one, and not at all in the last one. */
#define _POSIX_C_SOURCE 199309L
#include <bsp.h>
#include <time.h>

static double cpu_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

int main(void)
{
    bsp_begin(bsp_nprocs());
    for (double begin = cpu_ms(); cpu_ms() - begin < 20;)
        ;
    bsp_sync();
    bsp_end();
    return 0;
}
