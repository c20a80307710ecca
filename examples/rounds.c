/* A concatenation written round by round. In each round every processor sends all numbers that it
 * has so far, and the distance to the receiver doubles. The exit status is 1 if a number is at a
 * wrong place. */
#include <kport.h>
#include <stdio.h>

#define N 6

static int program(kp_proc *self, void *wrong)
{
    int me = kp_processor(self), n = kp_size(kp_world(self)), status = 0;
    int all[N] = {me}; /* all[i] is to be of processor me + i */
    int held = 1;
    for (int distance = 1; distance < n && status == 0; distance *= 2) {
        int more = held < n - held ? held : n - held;
        size_t bytes = (size_t)more * sizeof all[0];
        kp_outgoing out = {.peer = (me + n - distance) % n, .data = all, .bytes = bytes};
        kp_incoming in = {.peer = (me + distance) % n, .data = all + held, .bytes = bytes};
        status = kp_exchange(kp_world(self), &out, 1, &in, 1);
        held += more;
    }
    for (int i = 0; i < n && status == 0; i++)
        ((int *)wrong)[me] += all[i] != (me + i) % n;
    return status;
}

int main(void)
{
    int wrong[N] = {0}, sum = 0;
    kp_report report;
    if (kp_run(&(kp_config){.processors = N, .ports = 1}, program, wrong, &report) != 0)
        return fprintf(stderr, "%s\n", report.error.sentence), 1;
    for (int i = 0; i < N; i++)
        sum += wrong[i];
    printf("%d rounds, %d numbers in a wrong place\n", (int)report.c1, sum);
    return sum != 0;
}
