/* The order of a communicator's collectives. Those that wait are compared with each other when the
 * ranks meet, and so are those that do not wait. Whether all ranks make both kinds in one order is
 * seen in a strict job only: there the ranks tell each other how many calls they had made before.
 */
#include "lib/mpi/collective.h"

#include <stdlib.h>

/* What each member tells. */
struct told {
    uint64_t calls; /* on the communicator, with this one */
    struct kp_mpi_place call;
};

static size_t members_of(const struct kp_mpi_comm *comm)
{
    return (size_t)comm->size + (size_t)(comm->inter ? comm->peers : 0);
}

int kp_mpi_order_tell(struct kp_mpi_rank *self, struct kp_mpi_request *request,
                      const struct kp_mpi_comm *comm)
{
    if (!self->world->job->strict)
        return MPI_SUCCESS;
    struct told *told = calloc(1 + members_of(comm), sizeof *told);
    if (!told)
        return kp_mpi_fail(self, request->comm, MPI_ERR_NO_MEM, "no memory to compare calls");
    *told = (struct told){comm->calls, request->made};
    request->data = told;
    request->tells = sizeof *told;
    return MPI_SUCCESS;
}

int kp_mpi_order_compare(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    const struct told *mine = request->data, *all = mine + 1;
    struct kp_mpi_comm *comm = request->comm;
    char here[200], there[200];
    for (size_t i = 0; mine && i < members_of(comm); i++) {
        if (all[i].calls == mine->calls)
            continue;
        kp_mpi_say_place(&mine->call, here, sizeof here);
        kp_mpi_say_place(&all[i].call, there, sizeof there);
        return kp_mpi_fail(self, comm, MPI_ERR_NOT_SAME,
                           "%s%s is collective call %llu of rank %d on the communicator, and %s%s "
                           "is call %llu of rank %d; all ranks must make the collective calls of a "
                           "communicator in one order, those that wait and those that do not",
                           mine->call.function, here, (unsigned long long)mine->calls, self->number,
                           all[i].call.function, there, (unsigned long long)all[i].calls,
                           kp_group_processor(comm->group, (int)i));
    }
    return MPI_SUCCESS;
}

void kp_mpi_request_meet(struct kp_mpi_rank *self, struct kp_mpi_request *request, kp_group *group)
{
    struct kp_mpi_part *part = kp_mpi_part(request, request->more_count);
    char *tells = request->data;
    *part = (struct kp_mpi_part){0};
    kp_mpi_again(self);
    const int status = request->tells == 0 ? kp_barrier_start(group, &part->request)
                                           : kp_concat_start(group, tells, tells + request->tells,
                                                             request->tells, NULL, &part->request);
    if (status)
        kp_mpi_part_settle(self, request, part, status);
}
