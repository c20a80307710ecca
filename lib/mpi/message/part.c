/* The parts of requests: what is wrong with their arguments, and what there is to say of them at
 * their end. */
#include "lib/mpi/request.h"

#include "lib/layout/face.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Arguments --- */

int kp_mpi_check_data(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const void *buffer,
                      MPI_Count count, MPI_Datatype handle, struct kp_mpi_type **type)
{
    if (count < 0)
        return kp_mpi_fail(self, comm, MPI_ERR_COUNT, "the count is %lld; it may be 0 or more",
                           count);
    const int error = kp_mpi_type_check(self, comm, handle, type);
    if (error)
        return error;
    if (!buffer && count > 0 && (*type)->size > 0 && (*type)->predefined)
        return kp_mpi_fail(self, comm, MPI_ERR_BUFFER,
                           "the buffer is NULL, with a count of %lld items of %s", count,
                           (*type)->name);
    if (count > INT_MAX && (*type)->size > 0 && (size_t)count > PTRDIFF_MAX / (*type)->size)
        return kp_mpi_fail(self, comm, MPI_ERR_COUNT, "%lld items of %s are more than memory holds",
                           count, (*type)->name);
    if (buffer == MPI_IN_PLACE)
        return kp_mpi_fail(self, comm, MPI_ERR_BUFFER,
                           "the buffer is MPI_IN_PLACE, which this argument may not be");
    return MPI_SUCCESS;
}

int kp_mpi_check_peer(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int rank, int tag,
                      bool receives)
{
    if ((rank < 0 || rank >= comm->peers) && rank != MPI_PROC_NULL &&
        !(receives && rank == MPI_ANY_SOURCE))
        return kp_mpi_fail(self, comm, MPI_ERR_RANK,
                           "the %s is rank %d; it may be 0 ... %d, or MPI_PROC_NULL%s",
                           receives ? "source" : "destination", rank, comm->peers - 1,
                           receives ? ", or MPI_ANY_SOURCE" : "");
    if ((tag < 0 || tag > KP_MPI_TAG_UB) && !(receives && tag == MPI_ANY_TAG))
        return kp_mpi_fail(self, comm, MPI_ERR_TAG, "the tag is %d; it may be 0 ... %d%s", tag,
                           KP_MPI_TAG_UB, receives ? ", or MPI_ANY_TAG" : "");
    return MPI_SUCCESS;
}

int kp_mpi_check_closer(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                        struct kp_mpi_message_args *args, MPI_Count count, MPI_Datatype type)
{
    const void *at = args->buffer;
    int error = kp_mpi_check_data(self, comm, at, count, type, &args->type);
    if (error)
        return error;
    if (args->receives && self->world->job->strict &&
        kp_mpi_type_overlaps(args->type, (size_t)count))
        return kp_mpi_fail(self, comm, MPI_ERR_TYPE,
                           "the datatype has an element twice, so it may not be received into");
    error = kp_mpi_from_bottom(self, comm, &at, (size_t)count, &args->type);
    args->buffer = (void *)(uintptr_t)at;
    return error ? error : kp_mpi_check_peer(self, comm, args->peer, args->tag, args->receives);
}

/* --- Ending --- */

static void tell_types(struct kp_mpi_rank *self, const struct kp_mpi_comm *comm,
                       const struct kp_mpi_part *part, size_t count)
{
    const struct kp_envelope *found = &part->found;
    const uint32_t sent = found->note & ~KP_MPI_NOTE_READY;
    const struct kp_mpi_place place = {.file = found->site.file, .line = found->site.line};
    char where[200], type[KP_MPI_TYPE_WORDS], as[2 * KP_MPI_TYPE_WORDS] = "";
    kp_mpi_say_place(&place, where, sizeof where);
    kp_mpi_type_describe(part->type, type, sizeof type);
    const struct kp_mpi_type *other = kp_mpi_type_signed(self, sent, found->bytes);
    if (other)
        snprintf(as, sizeof as, " as %zu of %s", found->bytes / other->size, other->name);
    kp_mpi_tell(self, "type", &self->call,
                "the message of %zu bytes that rank %d sent%s%s has other types than %zu of %s, as "
                "which it is received",
                found->bytes, found->source - comm->offset, as, where, count, type);
}

static void compare_types(struct kp_mpi_rank *self, const struct kp_mpi_comm *comm,
                          const struct kp_mpi_part *part)
{
    const size_t bytes = part->found.bytes, size = part->type->size;
    const uint32_t sent = part->found.note & ~KP_MPI_NOTE_READY;
    size_t count = part->count; /* the usual case needs no division */
    if (sent == 0 || size == 0 || self->world->job->unchecked & KP_MPI_NO_SIGNATURES)
        return;
    if (bytes != count * size) {
        count = bytes / size;
        if (bytes != count * size)
            return;
    }
    const uint32_t received = kp_mpi_type_signature(part->type, count);
    if (received != 0 && received != sent)
        tell_types(self, comm, part, count);
}

static void tell_ready(struct kp_mpi_rank *self, const struct kp_mpi_comm *comm,
                       const struct kp_envelope *found)
{
    const struct kp_mpi_place place = {.file = found->site.file, .line = found->site.line};
    char where[200];
    kp_mpi_say_place(&place, where, sizeof where);
    kp_mpi_tell(self, "ready", &self->call,
                "the ready send (MPI_Rsend or MPI_Irsend) of rank %d%s came before this receive "
                "was started",
                found->source - comm->offset, where);
}

int kp_mpi_part_end_closer(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                           struct kp_mpi_part *part)
{
    part->error = MPI_SUCCESS;
    if (part->status) {
        part->error = kp_mpi_fail_by(self, comm, part->status);
    } else if (part->receives && !part->cancelled) {
        const size_t expected = part->type->size * part->count;
        if (part->found.bytes > 0)
            compare_types(self, comm, part);
        if (part->exact && part->found.bytes < expected)
            part->error =
                kp_mpi_fail(self, comm, MPI_ERR_NOT_SAME,
                            "the block of rank %d has %zu bytes; this rank expects %zu",
                            part->found.source - comm->offset, part->found.bytes, expected);
        if (part->found.note & KP_MPI_NOTE_READY && part->found.kept)
            tell_ready(self, comm, &part->found);
        if (part->any)
            kp_mpi_decided(self, part->found.source - comm->offset);
    }
    kp_mpi_type_release(part->type);
    part->type = NULL;
    return part->error;
}
