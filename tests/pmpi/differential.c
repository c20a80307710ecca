/* usage: differential SEED CALLS
 *
 * Makes random collective calls on random communicators, and compares each with the MPI's own. The
 * lines "expect ..." say what the report of the preloaded object must have. */
#include "differential.h"

#include <stdio.h>
#include <stdlib.h>

static MPI_Comm comm_draw(struct dice *dice)
{
    MPI_Comm comm;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    switch (draw(&dice->common, 0, 4)) {
    case 0:
        return MPI_COMM_WORLD;
    case 1:
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        return comm;
    case 2: /* in reversed order */
        MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
        return comm;
    case 3: /* two or three communicators, one for each process */
        MPI_Comm_split(MPI_COMM_WORLD, rank % draw(&dice->common, 2, 3), rank, &comm);
        return comm;
    default: /* a random order */
        MPI_Comm_split(MPI_COMM_WORLD, 0, draw(&dice->own, 0, 1000), &comm);
        return comm;
    }
}

/* Members of different communicators draw different numbers of random numbers, because their
 * communicators have different sizes. So every call begins with a seed of its own. */
static bool try_one(struct call *call, struct dice *dice)
{
    struct dice of_call = {dice->common, dice->own};
    (void)draw(&dice->common, 0, 1);
    (void)draw(&dice->own, 0, 1);
    MPI_Comm_size(call->comm, &call->n);
    MPI_Comm_rank(call->comm, &call->rank);
    call->operation = draw(&of_call.common, 0, OPERATIONS - 1);
    call->root = draw(&of_call.common, 0, call->n - 1);
    call->in_place = draw(&of_call.common, 0, 3) == 0;
    return call->operation >= ALLREDUCE ? try_combining(call, &of_call)
                                        : try_moving(call, &of_call);
}

int main(int argc, char **argv)
{
    int rank, processes, failed = 0;
    long made = 0, all = 0;
    MPI_Comm comms[3];
    static struct call call;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    const int seed = argc > 1 ? atoi(argv[1]) : 1, calls = argc > 2 ? atoi(argv[2]) : 1000;
    struct dice dice = {(uint64_t)seed, (uint64_t)seed * 1000 + (uint64_t)rank};
    combining_begin();
    for (int i = 0; i < 3; i++)
        comms[i] = comm_draw(&dice);
    for (int i = 0; i < calls && !failed; i++) {
        const int place = draw(&dice.common, 0, 2);
        if (draw(&dice.common, 0, 9) == 0) { /* another communicator in this place */
            if (comms[place] != MPI_COMM_WORLD)
                MPI_Comm_free(&comms[place]);
            comms[place] = comm_draw(&dice);
        }
        call.comm = comms[place];
        const bool right = try_one(&call, &dice);
        made++;
        if (!right)
            fprintf(stderr,
                    "process %d of %d: seed %d, call %d, MPI_%s, rank %d of %d, root %d%s\n", rank,
                    processes, seed, i, operation_names[call.operation], call.rank, call.n,
                    call.root, call.in_place ? ", in place" : "");
        const int wrong = !right;
        PMPI_Allreduce(&wrong, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 3; i++) {
        if (comms[i] != MPI_COMM_WORLD)
            MPI_Comm_free(&comms[i]);
    }
    combining_end();
    PMPI_Reduce(&made, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("expect all taken %ld\nexpect all passed 0\n", all);
    MPI_Finalize();
    return failed;
}
