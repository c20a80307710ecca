/* Collective calls among four processors, one of each kind, each with a look at its result. */
#include <kport.h>
#include <stdint.h>
#include <stdio.h>

enum {
    N = 4
};

/* Rank 2 broadcasts, rank 1 scatters, rank 0 gathers, and rank 0 sends one block to rank 3. */
static int with_a_root(kp_group *world, int me, int *wrong)
{
    int64_t own[N], all[N] = {0}, one = me;
    for (int j = 0; j < N; j++)
        own[j] = 10 * me + j;
    int status = kp_broadcast(world, &one, sizeof one, 2, NULL);
    *wrong += one != 2;
    if (status == 0)
        status = kp_scatter(world, own, &one, sizeof one, 1, NULL);
    *wrong += one != 10 + me;
    if (status == 0)
        status = kp_gather(world, &one, all, sizeof one, 0, NULL);
    *wrong += all[3] != (me == 0 ? 13 : 0);
    if (status == 0)
        status = kp_one_to_one(world, &own[1], &one, sizeof one, 0, 3, NULL);
    *wrong += one != (me == 3 ? 1 : 10 + me);
    return status;
}

/* The block of rank i has i + 1 numbers. Lengths are in bytes. */
static int of_own_lengths(kp_group *world, int me, int *wrong)
{
    int32_t own[N] = {me, me, me, me}, all[N * N] = {0};
    size_t counts[N], bytes = (size_t)(me + 1) * sizeof own[0];
    for (int i = 0; i < N; i++)
        counts[i] = (size_t)(i + 1) * sizeof own[0];
    int status = kp_concatv(world, own, bytes, all, counts, NULL, NULL);
    *wrong += all[0] != 0 || all[1] != 1 || all[9] != 3;
    if (status == 0)
        status = kp_gatherv(world, own, bytes, all, counts, NULL, 0, NULL);
    if (status == 0)
        status = kp_scatterv(world, all, counts, NULL, own, bytes, 0, NULL);
    *wrong += own[0] != me;
    return status;
}

static int reductions(kp_group *world, int me, int *wrong)
{
    int32_t own[N] = {me, me + 1, me + 2, me + 3}, sum[N] = {0}, one = -1;
    const size_t counts[N] = {1, 0, 2, 1};
    int status = kp_reduce(world, own, sum, N, KP_INT32, KP_SUM, 0, NULL);
    *wrong += me == 0 && sum[1] != 10;
    if (status == 0)
        status = kp_reduce_scatter(world, own, &one, 1, KP_INT32, KP_MAXIMUM, NULL);
    *wrong += one != 3 + me;
    if (status == 0)
        status = kp_reduce_scatterv(world, own, sum, counts, KP_INT32, KP_SUM, NULL);
    *wrong += me == 2 && (sum[0] != 10 || sum[1] != 14);
    if (status == 0)
        status = kp_scan(world, &me, &one, 1, KP_INT32, KP_SUM, NULL);
    *wrong += one != me * (me + 1) / 2;
    if (status == 0)
        status = kp_scan_exclusive(world, &me, &one, 1, KP_INT32, KP_SUM, NULL);
    *wrong += me > 0 && one != me * (me - 1) / 2;
    return status;
}

/* A call may name its algorithm, and members may be a group of their own. */
static int by_choice(kp_group *world, int me, int *wrong)
{
    const int evens[] = {0, 2};
    int32_t own[N] = {me, me, me, me}, all[N];
    kp_hints hints;
    int status = kp_hints_parse(KP_INDEX, "radix,r=2", &hints);
    if (status == 0)
        status = kp_index(world, own, all, sizeof own[0], &hints);
    *wrong += all[3] != 3;
    kp_group *half = NULL, *copy = NULL;
    if (status == 0 && me % 2 == 0)
        status = kp_group_create(kp_group_self(world), evens, 2, &half);
    if (status == 0 && half)
        status = kp_concat(half, &me, all, sizeof me, NULL);
    *wrong += half && (all[1] != 2 || kp_group_processor(half, 1) != 2 || kp_ports(half) != 1);
    if (status == 0)
        status = kp_group_dup(world, &copy);
    if (status == 0)
        status = kp_barrier(copy);
    if (status == 0)
        status = kp_group_free(copy);
    return status;
}

static int program(kp_proc *self, void *wrong)
{
    kp_group *world = kp_world(self);
    int me = kp_rank(world), mine = 0;
    int status = with_a_root(world, me, &mine);
    status = status ? status : of_own_lengths(world, me, &mine);
    status = status ? status : reductions(world, me, &mine);
    status = status ? status : by_choice(world, me, &mine);
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
