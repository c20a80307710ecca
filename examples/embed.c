/* Eight threads with two ports each: every one has a number for every other. */
#include <kport.h>
#include <stdio.h>

static int program(kp_proc *self, void *arg)
{
    int me = kp_processor(self), mine[8], theirs[8], *sums = arg;
    for (int j = 0; j < 8; j++)
        mine[j] = 10 * me + j; /* for processor j */
    int status = kp_index(kp_world(self), mine, theirs, sizeof mine[0], NULL);
    for (int i = 0; i < 8 && status == 0; i++)
        sums[me] += theirs[i]; /* from processor i */
    return status;
}

int main(void)
{
    int sums[8] = {0};
    kp_config config = {.processors = 8, .ports = 2};
    kp_report report;
    int status = kp_run(&config, program, sums, &report);
    if (status == 0)
        printf("processor 7 got %d, after %d rounds\n", sums[7], (int)report.c1);
    else
        fprintf(stderr, "%s\n", report.error.sentence);
    return status != 0;
}
