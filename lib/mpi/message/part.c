/* The parts of requests: a message that is sent or received. */
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
    if (tag < 0 && !(receives && tag == MPI_ANY_TAG))
        return kp_mpi_fail(self, comm, MPI_ERR_TAG, "the tag is %d; it may be 0 ... %d%s", tag,
                           INT_MAX, receives ? ", or MPI_ANY_TAG" : "");
    return MPI_SUCCESS;
}

/* Returns whether arguments are ones that nothing is wrong with, as nearly all are, and finds their
 * type. The functions below look closer at others. */
static inline bool are_usual(struct kp_mpi_rank *self, const struct kp_mpi_comm *comm,
                             const void *buffer, MPI_Count count, MPI_Datatype handle, int peer,
                             int tag, struct kp_mpi_type **type)
{
    *type = kp_mpi_type_of(self, handle);
    return *type && (*type)->committed && buffer != MPI_BOTTOM && buffer != MPI_IN_PLACE &&
           count >= 0 && count <= INT_MAX && peer >= 0 && peer < comm->peers && tag >= 0;
}

int kp_mpi_check_send(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                      struct kp_mpi_message_args *args, const void *buffer, MPI_Count count,
                      MPI_Datatype type, int to, int tag, enum kp_mpi_mode mode)
{
    int error = MPI_SUCCESS;
    const bool usual = are_usual(self, comm, buffer, count, type, to, tag, &args->type);
    if (!usual) {
        error = kp_mpi_check_data(self, comm, buffer, count, type, &args->type);
        if (!error)
            error = kp_mpi_from_bottom(self, comm, &buffer, (size_t)count, &args->type);
    }
    args->receives = false;
    args->mode = mode;
    args->buffer = (void *)(uintptr_t)buffer;
    args->count = (size_t)count;
    args->peer = to;
    args->tag = tag;
    return usual || error ? error : kp_mpi_check_peer(self, comm, to, tag, false);
}

int kp_mpi_check_receive(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                         struct kp_mpi_message_args *args, void *buffer, MPI_Count count,
                         MPI_Datatype type, int from, int tag)
{
    const void *at = buffer;
    int error = MPI_SUCCESS;
    const bool usual = are_usual(self, comm, buffer, count, type, from, tag, &args->type) &&
                       !self->world->job->strict;
    if (!usual) {
        error = kp_mpi_check_data(self, comm, buffer, count, type, &args->type);
        if (!error && self->world->job->strict && kp_mpi_type_overlaps(args->type, (size_t)count))
            return kp_mpi_fail(self, comm, MPI_ERR_TYPE,
                               "the datatype has an element twice, so it may not be received into");
        if (!error)
            error = kp_mpi_from_bottom(self, comm, &at, (size_t)count, &args->type);
    }
    args->receives = true;
    args->mode = KP_MPI_STANDARD;
    args->buffer = (void *)(uintptr_t)at;
    args->count = (size_t)count;
    args->peer = from;
    args->tag = tag;
    return usual || error ? error : kp_mpi_check_peer(self, comm, from, tag, true);
}

/* --- Beginning --- */

/* How the data of a message lie. They move from the one buffer to the other without a packed copy.
 */
static struct kp_typed typed_of(const struct kp_mpi_message_args *args)
{
    return args->type->dense || args->type->size == 0
               ? (struct kp_typed){0}
               : kp_face_typed(args->type->layout, args->count);
}

static int begin_send(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, kp_group *group,
                      const struct kp_mpi_message_args *args, struct kp_mpi_part *part, bool waits)
{
    const size_t bytes = args->type->size * args->count;
    const bool signs = !(self->world->job->unchecked & KP_MPI_NO_SIGNATURES);
    struct kp_outgoing_message message = {.data = args->buffer,
                                          .bytes = bytes,
                                          .to = comm->offset + args->peer,
                                          .tag = args->tag,
                                          .synchronous = args->mode == KP_MPI_SYNCHRONOUS,
                                          .typed = typed_of(args)};
    if (signs)
        message.note = kp_mpi_type_signature(args->type, args->count);
    if (args->mode == KP_MPI_READY)
        message.note |= KP_MPI_NOTE_READY;
    return kp_face_send(group, &message, waits ? NULL : &part->request);
}

int kp_mpi_part_start(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, kp_group *group,
                      const struct kp_mpi_message_args *args, struct kp_mpi_part *part, bool waits)
{
    const size_t bytes = args->type->size * args->count;
    part->request = NULL;
    part->receives = args->receives;
    part->cancelled = false;
    part->exact = false;
    part->any = args->peer == MPI_ANY_SOURCE;
    part->status = KP_OK;
    part->error = MPI_SUCCESS;
    part->found = (struct kp_envelope){0};
    part->buffer = args->buffer;
    part->type = args->type;
    part->count = args->count;
    kp_mpi_type_hold(args->type);
    if (args->peer == MPI_PROC_NULL) {
        part->found.source = comm->offset + MPI_PROC_NULL;
        part->found.tag = MPI_ANY_TAG;
        return KP_OK;
    }
    if (!args->receives)
        return begin_send(self, comm, group, args, part, waits);
    const int from = args->peer == MPI_ANY_SOURCE ? KP_ANY_SOURCE : comm->offset + args->peer;
    const struct kp_typed typed = typed_of(args);
    return kp_face_receive(group, args->buffer, bytes, &typed, from, args->tag, &part->found,
                           waits ? NULL : &part->request);
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

int kp_mpi_part_end(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, struct kp_mpi_part *part)
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

void kp_mpi_store_status(MPI_Status *status, const struct kp_mpi_comm *comm,
                         const struct kp_mpi_part *part)
{
    if (!status)
        return;
    status->MPI_SOURCE = part->receives ? part->found.source - comm->offset : MPI_ANY_SOURCE;
    status->MPI_TAG = part->receives ? part->found.tag : MPI_ANY_TAG;
    status->kp_bytes = part->receives ? (MPI_Count)part->found.bytes : 0;
    status->kp_cancelled = part->cancelled;
}
