/* The mean of the squares 0, 1, 4, ... of a hundred thousand numbers, dealt out among n processors.
 *
 * usage: mean [N [fibers] [wrong]] (wrong: one of two or more processors makes a mistake) */
#include <kport.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LENGTH = 100000
};

struct job {
    int wrong; /* 1: the last processor makes a mistake */
    double mean;
};

static int program(kp_proc *self, void *arg)
{
    struct job *job = arg;
    kp_group *world = kp_world(self);
    int me = kp_rank(world), n = kp_size(world);
    double mine[2] = {0, 0}, all[2]; /* the sum, and of how many numbers */
    for (int i = me; i < LENGTH; i += n) {
        mine[0] += (double)i * i;
        mine[1]++;
    }
    size_t count = job->wrong && me == n - 1 ? 1 : 2;
    int status = kp_allreduce(world, mine, all, count, KP_FLOAT64, KP_SUM, NULL);
    if (status == 0 && me == 0)
        job->mean = all[0] / all[1];
    return status;
}

/* Returns 0 if the arguments are none that the usage has. */
static int read_arguments(int argc, char **argv, kp_config *config, struct job *job)
{
    char *end = "";
    if (argc > 1)
        config->processors = (int)strtol(argv[1], &end, 10);
    int right = *end == '\0';
    for (int i = 2; i < argc && right; i++) {
        if (strcmp(argv[i], "fibers") == 0) {
            config->carrier = KP_CARRIER_FIBERS;
            config->workers = 1;
        } else if (strcmp(argv[i], "wrong") == 0) {
            job->wrong = 1;
        } else {
            right = 0;
        }
    }
    right = right && !(job->wrong && config->processors < 2);
    if (!right)
        fprintf(stderr, "usage: mean [N [fibers] [wrong]]\n");
    return right;
}

int main(int argc, char **argv)
{
    struct job job = {0};
    kp_config config = {.processors = 4, .ports = 1};
    if (!read_arguments(argc, argv, &config, &job))
        return 2;
    kp_report report;
    if (kp_run(&config, program, &job, &report) != 0) {
        fprintf(stderr, "%s\n", report.error.sentence);
        return 1;
    }
    printf("mean %.1f; %d rounds\n", job.mean, (int)report.c1);
    return 0;
}
