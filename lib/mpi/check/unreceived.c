/* Messages that were sent and never received. */
#include "lib/mpi/comm.h"

void kp_mpi_tell_unreceived_in(struct kp_mpi_rank *self, const struct kp_mpi_comm *comm)
{
    struct kp_envelope left;
    char where[200];
    if (!kp_face_find_left(comm->group, &left))
        return;
    const struct kp_mpi_place place = {.file = left.site.file, .line = left.site.line};
    kp_mpi_say_place(&place, where, sizeof where);
    atomic_store_explicit(&self->world->unreceived, true, memory_order_relaxed);
    kp_mpi_tell(self, "unmatched", &self->call,
                "rank %d of %s sent%s a message of %zu bytes with tag %d to rank %d, which has not "
                "received it",
                left.source - comm->offset, comm->name[0] ? comm->name : "a communicator", where,
                left.bytes, left.tag, comm->rank);
}

void kp_mpi_tell_unreceived(struct kp_mpi_rank *self)
{
    const struct kp_mpi_table *comms = &self->tables[KP_MPI_COMM];
    for (uint32_t i = 0; i < comms->used; i++) {
        if (comms->slots[i].object)
            kp_mpi_tell_unreceived_in(self, comms->slots[i].object);
    }
}
