/* Intercommunicators: two sides, in one group of kport. The side whose leader has the lower number
 * in MPI_COMM_WORLD comes first. */
#include "lib/mpi/collective.h"
#include "lib/mpi/group.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- Making one --- */

/* Leaders tell each other their lists, of which the other side knows no length before. Returns a
 * status of kport. */
static int swap(struct kp_mpi_rank *self, struct kp_mpi_comm *peers, int leader, int tag,
                const int *mine, int count, int *theirs, int most, int *their_count)
{
    struct kp_envelope found;
    kp_request *request;
    const int own_tag = KP_MPI_LEADER_TAGS | tag, to = peers->offset + leader;
    kp_mpi_again(self);
    int status = kp_face_send(
        peers->inner,
        &(struct kp_outgoing_message){
            .data = mine, .bytes = (size_t)count * sizeof *mine, .to = to, .tag = own_tag},
        &request);
    if (status)
        return status;
    kp_mpi_again(self);
    status = kp_face_receive(peers->inner,
                             &(struct kp_incoming_message){.data = theirs,
                                                           .bytes = (size_t)most * sizeof *theirs,
                                                           .from = to,
                                                           .tag = own_tag,
                                                           .found = &found},
                             NULL);
    *their_count = (int)(found.bytes / sizeof *theirs);
    kp_mpi_again(self);
    const int sent = kp_wait(&request);
    return status ? status : sent;
}

/* What the leader tells its side: the length of the other side's list, or a status of kport. */
static int tell_side(struct kp_mpi_rank *self, struct kp_mpi_comm *local, int leader, int status,
                     int *theirs, int *their_count)
{
    int head[2] = {status, *their_count};
    kp_mpi_again(self);
    int told = kp_broadcast(local->inner, head, sizeof head, leader, NULL);
    if (told || head[0])
        return told ? told : head[0];
    *their_count = head[1];
    kp_mpi_again(self);
    return kp_broadcast(local->inner, theirs, (size_t)head[1] * sizeof *theirs, leader, NULL);
}

int kp_mpi_intercomm_join(struct kp_mpi_rank *self, struct kp_mpi_comm *local, int *both, int count,
                          const int *theirs, int their_count, bool low, MPI_Comm *newcomm)
{
    struct kp_mpi_comm *made;
    for (int i = 0; i < their_count; i++) {
        if (kp_mpi_index_of(both, count, theirs[i]) >= 0)
            return kp_mpi_fail(self, local, MPI_ERR_COMM,
                               "number %d of MPI_COMM_WORLD is on both sides", theirs[i]);
    }
    if (low) {
        memcpy(both + count, theirs, (size_t)their_count * sizeof *both);
    } else {
        memmove(both + their_count, both, (size_t)count * sizeof *both);
        memcpy(both, theirs, (size_t)their_count * sizeof *both);
    }
    const int error = kp_mpi_comm_make(self, local, both, count + their_count, &made);
    if (error)
        return error;
    made->inter = true;
    made->low = low;
    made->size = count;
    made->rank = local->rank;
    made->peers = their_count;
    kp_mpi_comm_face(made, low ? count : 0);
    kp_mpi_again(self);
    const int status = kp_group_dup(local->group, &made->local);
    *newcomm = made->handle;
    return status ? kp_mpi_fail_by(self, local, status) : MPI_SUCCESS;
}

static int check_leaders(struct kp_mpi_rank *self, struct kp_mpi_comm *local, int local_leader,
                         struct kp_mpi_comm *peers, int remote_leader, int tag)
{
    if (local_leader < 0 || local_leader >= local->size)
        return kp_mpi_fail(self, local, MPI_ERR_RANK,
                           "the local leader is rank %d; it may be 0 ... %d", local_leader,
                           local->size - 1);
    if (peers && (remote_leader < 0 || remote_leader >= peers->peers))
        return kp_mpi_fail(self, local, MPI_ERR_RANK,
                           "the remote leader is rank %d; it may be 0 ... %d", remote_leader,
                           peers->peers - 1);
    if (tag < 0 || tag > KP_MPI_TAG_UB)
        return kp_mpi_fail(self, local, MPI_ERR_TAG, "the tag is %d; it may be 0 ... %d", tag,
                           KP_MPI_TAG_UB);
    return MPI_SUCCESS;
}

int MPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm,
                         int remote_leader, int tag, MPI_Comm *newcomm)
{
    KP_MPI_ENTER(Intercomm_create);
    int error, count, their_count = 0, status = KP_OK;
    const int all = self->world->size;
    struct kp_mpi_comm *local = kp_mpi_comm_of(self, local_comm, &error), *peers = NULL;
    if (!local)
        return error;
    *newcomm = MPI_COMM_NULL;
    if (local->rank == local_leader && !(peers = kp_mpi_comm_of(self, peer_comm, &error)))
        return error;
    if ((error = check_leaders(self, local, local_leader, peers, remote_leader, tag)))
        return error;
    int *both = malloc(3 * (size_t)all * sizeof *both), *theirs = both ? both + 2 * all : NULL;
    if (!both)
        return kp_mpi_fail(self, local, MPI_ERR_NO_MEM, "no memory for a communicator");
    count = local->size;
    for (int i = 0; i < count; i++)
        both[i] = kp_group_processor(local->group, i);
    const int leader = both[local_leader];
    if (peers)
        status = swap(self, peers, remote_leader, tag, both, count, theirs, all, &their_count);
    status = tell_side(self, local, local_leader, status, theirs, &their_count);
    if (status)
        error = kp_mpi_fail_by(self, local, status);
    else
        error = kp_mpi_intercomm_join(self, local, both, count, theirs, their_count,
                                      leader < theirs[0] || their_count == 0, newcomm);
    free(both);
    return error;
}
KP_MPI_NAMES(Intercomm_create);

/* --- Both sides as one --- */

int MPI_Intercomm_merge(MPI_Comm handle, int high, MPI_Comm *newcomm)
{
    KP_MPI_ENTER(Intercomm_merge);
    KP_MPI_COMM_OF(handle);
    if (!comm->inter)
        return kp_mpi_fail(self, comm, MPI_ERR_COMM, "the communicator is no intercommunicator");
    const int all = comm->size + comm->peers, first = comm->low ? comm->size : comm->peers;
    int *highs = malloc(2 * (size_t)all * sizeof *highs), *numbers = highs ? highs + all : NULL;
    struct kp_mpi_comm *made;
    if (!highs)
        return kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a communicator");
    *newcomm = MPI_COMM_NULL;
    high = high != 0;
    const int status = kp_concat(comm->inner, &high, highs, sizeof high, NULL);
    int error = status ? kp_mpi_fail_by(self, comm, status) : MPI_SUCCESS;
    for (int i = 0; i < all && !error; i++) {
        if (highs[i] != highs[i < first ? 0 : first])
            error = kp_mpi_fail(self, comm, MPI_ERR_ARG,
                                "ranks of one side differ in whether they are high");
    }
    if (!error) {
        const bool turned = highs[0] && !highs[first];
        for (int i = 0; i < all; i++)
            numbers[i] = kp_group_processor(comm->group, turned ? (i + first) % all : i);
        error = kp_mpi_comm_make(self, comm, numbers, all, &made);
    }
    if (!error)
        *newcomm = made->handle;
    free(highs);
    return error;
}
KP_MPI_NAMES(Intercomm_merge);
