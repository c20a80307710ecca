/* A BSP program whose sequential part reads the number of processes: `right [PROCESSES]`. Process 0
 * gets a number of each process, and puts the sum to each. Under kportrun a process's globals are
 * its own, so only process 0 knows the number. */
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>

static int processes;

static void spmd(void)
{
    bsp_begin(processes);
    const int n = bsp_nprocs(), pid = bsp_pid();
    const double begun = bsp_time();
    double *numbers = calloc((size_t)n, sizeof *numbers), own = pid + 1, sum = 0;
    bsp_push_reg(&own, sizeof own);
    bsp_push_reg(&sum, sizeof sum);
    bsp_sync();
    for (int i = 0; pid == 0 && i < n; i++)
        bsp_get(i, &own, 0, &numbers[i], sizeof own);
    bsp_sync();
    for (int i = 0; i < n; i++)
        own = pid == 0 ? own + numbers[i] : own;
    own -= 1;
    for (int i = 0; pid == 0 && i < n; i++)
        bsp_put(i, &own, &sum, 0, sizeof own);
    bsp_sync();
    if (pid == n - 1)
        printf("%d processes, sum %.0f\n", n, sum);
    free(numbers);
    if (bsp_time() < begun)
        bsp_abort("the clock runs backwards");
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    processes = argc > 1 ? atoi(argv[1]) : bsp_nprocs();
    spmd();
    return 0;
}
