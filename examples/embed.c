#include <kport.h>
#include <stdio.h>
static int program(kp_proc *self, void *sums) /* each of the eight threads runs this */
{
    int me = kp_processor(self), mine[8], theirs[8];
    for (int j = 0; j < 8; j++)
        mine[j] = 10 * me + j; /* for processor j */
    int status = kp_index(kp_world(self), mine, theirs, sizeof mine[0], NULL);
    for (int i = 0; i < 8 && status == 0; i++)
        ((int *)sums)[me] += theirs[i]; /* from processor i */
    return status;
}
int main(void)
{
    int sums[8] = {0};
    kp_report report;
    if (kp_run(&(kp_config){.processors = 8, .ports = 2}, program, sums, &report) != 0)
        return fprintf(stderr, "%s\n", report.error.sentence), 1;
    printf("processor 7 got %d, after %d rounds\n", sums[7], (int)report.c1);
}
