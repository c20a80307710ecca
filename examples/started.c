/* Collective calls that are started among four processors, waited for in different ways. */
#include <kport.h>
#include <stdio.h>

enum {
    N = 4
};

/* Four calls are under way at the same time. kp_wait_some tells which have ended. */
static int with_blocks(kp_group *world, int me, int *wrong)
{
    int own[N] = {me, me, me, me}, all[N] = {0}, root = me, one = -1, to = -1, gathered[N] = {0};
    kp_request *requests[5];
    int which[5], ended = 0;
    int status = kp_concat_start(world, &me, all, sizeof me, NULL, &requests[0]);
    if (status == 0)
        status = kp_broadcast_start(world, &root, sizeof root, 3, NULL, &requests[1]);
    if (status == 0)
        status = kp_scatter_start(world, own, &one, sizeof one, 2, NULL, &requests[2]);
    if (status == 0)
        status = kp_gather_start(world, &me, gathered, sizeof me, 0, NULL, &requests[3]);
    if (status == 0)
        status = kp_one_to_one_start(world, &me, &to, sizeof me, 1, 2, NULL, &requests[4]);
    for (int done = 0; status == 0 && done < 5; done += ended)
        status = kp_wait_some(5, requests, &ended, which);
    *wrong += all[3] != 3 || root != 3 || one != 2 || to != (me == 2 ? 1 : -1);
    *wrong += me == 0 && gathered[3] != 3;
    return status;
}

static int with_lengths(kp_group *world, int me, int *wrong)
{
    const size_t counts[N] = {sizeof me, sizeof me, sizeof me, sizeof me};
    int own[N] = {me, me, me, me}, all[N], in[N], gathered[N], one = -1;
    kp_request *requests[4];
    int status = kp_concatv_start(world, &me, sizeof me, all, counts, NULL, NULL, &requests[0]);
    if (status == 0)
        status = kp_indexv_start(world, own, counts, NULL, in, counts, NULL, NULL, &requests[1]);
    if (status == 0)
        status =
            kp_gatherv_start(world, &me, sizeof me, gathered, counts, NULL, 0, NULL, &requests[2]);
    if (status == 0)
        status =
            kp_scatterv_start(world, own, counts, NULL, &one, sizeof one, 1, NULL, &requests[3]);
    if (status == 0)
        status = kp_wait_all(4, requests);
    *wrong += all[2] != 2 || in[3] != 3 || one != 1 || (me == 0 && gathered[1] != 1);
    return status;
}

static int with_sums(kp_group *world, int me, int *wrong)
{
    const size_t counts[N] = {1, 1, 1, 1};
    int own[N] = {1, 1, 1, 1}, at_root = 0, part = 0, parts = 0, scan = 0, before = 0, which;
    kp_request *requests[5];
    int status = kp_reduce_start(world, &me, &at_root, 1, KP_INT32, KP_SUM, 0, NULL, &requests[0]);
    if (status == 0)
        status =
            kp_reduce_scatter_start(world, own, &part, 1, KP_INT32, KP_SUM, NULL, &requests[1]);
    if (status == 0)
        status = kp_reduce_scatterv_start(world, own, &parts, counts, KP_INT32, KP_SUM, NULL,
                                          &requests[2]);
    if (status == 0)
        status = kp_scan_start(world, &me, &scan, 1, KP_INT32, KP_SUM, NULL, &requests[3]);
    if (status == 0)
        status =
            kp_scan_exclusive_start(world, &me, &before, 1, KP_INT32, KP_SUM, NULL, &requests[4]);
    for (int done = 0; status == 0 && done < 5; done++)
        status = kp_wait_any(5, requests, &which);
    *wrong += part != N || parts != N || scan - (me > 0 ? before : 0) != me;
    *wrong += me == 0 && at_root != 6;
    return status;
}

static int program(kp_proc *self, void *wrong)
{
    kp_group *world = kp_world(self);
    int me = kp_rank(world), mine = 0;
    int status = with_blocks(world, me, &mine);
    status = status ? status : with_lengths(world, me, &mine);
    status = status ? status : with_sums(world, me, &mine);
    kp_request *last = NULL;
    if (status == 0)
        status = kp_barrier_start(world, &last);
    if (status == 0)
        status = kp_wait(&last);
    ((int *)wrong)[me] = mine;
    return status;
}

int main(void)
{
    int wrong[N] = {0};
    kp_report report;
    if (kp_run(&(kp_config){.processors = N}, program, wrong, &report) != 0) {
        fprintf(stderr, "%s\n", report.error.sentence);
        return 1;
    }
    printf("%d results are wrong\n", wrong[0] + wrong[1] + wrong[2] + wrong[3]);
    return 0;
}
