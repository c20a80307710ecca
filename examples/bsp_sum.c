/* Each process puts its number into the memory of process 0, which adds them up after the
 * superstep. */
#include <bsp.h>
#include <stdio.h>

int main(void)
{
    bsp_begin(bsp_nprocs());
    int me = bsp_pid(), n = bsp_nprocs(), all[1024] = {0};
    bsp_push_reg(all, n * (int)sizeof all[0]);
    bsp_sync();
    bsp_put(0, &me, all, me * (int)sizeof me, sizeof me);
    bsp_sync();
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += all[i];
    if (me == 0)
        printf("%d processes, sum %d\n", n, sum);
    bsp_end();
}
