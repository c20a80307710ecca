/* Requests of MPI. A request has one part or several; each part is a request of kport, or has ended
 * already. */
#ifndef KPORT_MPI_REQUEST_H
#define KPORT_MPI_REQUEST_H

#include "lib/mpi/check/owned.h"
#include "lib/mpi/comm.h"
#include "lib/mpi/op.h"
#include "lib/mpi/type.h"

#include <limits.h>

enum kp_mpi_mode {
    KP_MPI_STANDARD,
    KP_MPI_BUFFERED,
    KP_MPI_SYNCHRONOUS,
    KP_MPI_READY
};

/* The bit of a message's note that says that its send was a ready one. The others are the type's
 * signature. */
#define KP_MPI_NOTE_READY (UINT32_C(1) << 23)

/* A message that is sent or received. */
struct kp_mpi_part {
    kp_request *request; /* NULL: not under way */
    bool receives;
    bool cancelled;
    bool any;                 /* of a receive: from any source */
    bool exact;               /* of a receive: a block of a collective, which may not be shorter */
    int status;               /* of kport, after the end */
    int error;                /* the class of the error that was reported, after the end */
    struct kp_envelope found; /* of a receive */
    struct kp_mpi_type *type; /* held */
    size_t count;
};

struct kp_mpi_collective; /* lib/mpi/collective.h */
struct kp_mpi_neighbours; /* lib/mpi/neighbours.h */
struct kp_mpi_general;    /* message/general.c */

/* What a plain request uses comes first, as many of them may be under way. Of a request that is not
 * in use, the bits and the fields from `more_count` on are 0. */
struct kp_mpi_request {
    MPI_Request handle;          /* of a spare one the next handle, or NULL */
    struct kp_mpi_request *next; /* in the list of spare ones, or of those left to themselves */
    struct kp_mpi_comm *comm;    /* held */
    bool persistent, active;
    bool started;             /* a persistent one has been started */
    bool given_up;            /* the program has asked to cancel it */
    bool arrived;             /* the program knows that it has ended, and has its data */
    bool buffered;            /* its data count in the attached buffer */
    bool is_message;          /* a single send or receive */
    bool plain;               /* such a one, neither persistent nor arrived */
    struct kp_mpi_place made; /* the start, or of a persistent one the _init */
    /* The start of a message sets these two. */
    struct kp_mpi_part first;
    struct kp_mpi_owned owned;
    /* A plain request needs nothing of the rest. */
    int more_count;
    bool meets;               /* of a collective: the last part is a meeting of all */
    struct kp_mpi_part *more; /* the parts after the first */
    const struct kp_mpi_message_args *again; /* of a persistent message: its arguments, owned */
    struct kp_mpi_collective *collective;    /* of a collective, owned */
    struct kp_mpi_neighbours *neighbours;    /* of a neighbourhood collective, owned */
    struct kp_mpi_general *general;          /* of a general request, owned */
    kp_group *own;                           /* of a persistent collective: one of comm->keepers */
    /* Called when all parts have ended. May be NULL. Returns MPI_SUCCESS or an error's class. */
    int (*ended)(struct kp_mpi_rank *self, struct kp_mpi_request *request);
    void *data;   /* for `ended`; freed with the request */
    size_t tells; /* so many bytes of `data` go to all members, whose own follow; 0: none */
};

static inline int kp_mpi_parts(const struct kp_mpi_request *request)
{
    return 1 + request->more_count;
}

static inline struct kp_mpi_part *kp_mpi_part(struct kp_mpi_request *request, int i)
{
    return i == 0 ? &request->first : &request->more[i - 1];
}

static inline struct kp_mpi_request *kp_mpi_request_of(struct kp_mpi_rank *self, MPI_Request handle)
{
    return kp_mpi_find(&self->tables[KP_MPI_REQUEST], KP_MPI_REQUEST, handle);
}

/* Makes a request with `parts` parts, which holds the communicator. Reports an error and returns
 * NULL if there is no memory. */
struct kp_mpi_request *kp_mpi_request_make(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                                           int parts);

/* Does the same for a single message, whose start sets `owned` and the part. The first function
 * makes one that has no memory of an earlier one. */
struct kp_mpi_request *kp_mpi_request_new(struct kp_mpi_rank *self, struct kp_mpi_comm *comm);

static inline struct kp_mpi_request *kp_mpi_request_of_message(struct kp_mpi_rank *self,
                                                               struct kp_mpi_comm *comm)
{
    struct kp_mpi_request *request = self->spare;
    if (!request || !request->handle)
        return kp_mpi_request_new(self, comm);
    self->spare = request->next;
    request->comm = comm;
    request->made = self->call;
    kp_mpi_handle_use(&self->tables[KP_MPI_REQUEST], request->handle, request);
    kp_mpi_comm_hold(comm);
    return request;
}

/* Makes a request that is a persistent collective's. All ranks call it in one order: that of the
 * _init calls, which are compared, with their roots on an intracommunicator. Then each rank may
 * start such requests in an order of its own, because each has a group of its own. If there is an
 * error, it is reported, and the request is freed. */
int kp_mpi_request_keep(struct kp_mpi_rank *self, struct kp_mpi_request *request, int root,
                        MPI_Request *handle);

/* Frees a request whose parts are not under way, and its handle. */
void kp_mpi_request_free(struct kp_mpi_rank *self, struct kp_mpi_request *request);
/* Frees the memory of former requests. */
void kp_mpi_requests_end(struct kp_mpi_rank *self);

/* Returns whether all parts have ended, and stores their statuses. Lets requests go on first if
 * `goes_on`. */
bool kp_mpi_request_poll(struct kp_mpi_rank *self, struct kp_mpi_request *request, bool goes_on);

/* A part has ended, with this status of kport. */
void kp_mpi_part_settle(struct kp_mpi_rank *self, struct kp_mpi_request *request,
                        struct kp_mpi_part *part, int status);

/* Waits until all parts have ended. */
void kp_mpi_request_await(struct kp_mpi_rank *self, struct kp_mpi_request *request);

/* Gives the program the data of a request whose parts have ended, and which stays active. Returns
 * MPI_SUCCESS, or the class of an error that is reported. */
int kp_mpi_request_arrive(struct kp_mpi_rank *self, struct kp_mpi_request *request);

/* Waits until all parts have ended, and ends the request for the program: stores the status, which
 * may be NULL, frees the request or makes it inactive, and stores MPI_REQUEST_NULL in `handle` in
 * the first case. Returns MPI_SUCCESS, or the class of an error that is reported. */
int kp_mpi_request_end(struct kp_mpi_rank *self, struct kp_mpi_request *request,
                       MPI_Request *handle, MPI_Status *status);

/* Starts the last part, which is a meeting of all members: each gets what each tells. */
void kp_mpi_request_meet(struct kp_mpi_rank *self, struct kp_mpi_request *request, kp_group *group);

/* In a strict job, have the members tell each other at that meeting how many collective calls they
 * have made on `comm`, and compare these at the request's end. Return MPI_SUCCESS or the class of
 * an error that is reported. */
int kp_mpi_order_tell(struct kp_mpi_rank *self, struct kp_mpi_request *request,
                      const struct kp_mpi_comm *comm);
int kp_mpi_order_compare(struct kp_mpi_rank *self, struct kp_mpi_request *request);

/* Leaves an active request to itself: nobody will wait for it but MPI_Finalize. `kp_mpi_reap` frees
 * those that have ended; it waits for all of them if `waits`. */
void kp_mpi_request_leave(struct kp_mpi_rank *self, struct kp_mpi_request *request);
void kp_mpi_reap(struct kp_mpi_rank *self, bool waits);

/* --- Messages --- */

struct kp_mpi_message_args {
    bool receives;
    enum kp_mpi_mode mode;
    void *buffer;
    size_t count;
    struct kp_mpi_type *type;
    int peer, tag;
};

/* Check arguments, and fill `args`. Return MPI_SUCCESS or the class of an error that is reported.
 */
int kp_mpi_check_data(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const void *buffer,
                      MPI_Count count, MPI_Datatype handle, struct kp_mpi_type **type);
int kp_mpi_check_peer(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int rank, int tag,
                      bool receives);

/* Look closer at the arguments of a message, of which something is unusual. */
int kp_mpi_check_closer(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                        struct kp_mpi_message_args *args, MPI_Count count, MPI_Datatype type);

/* Nearly all arguments are ones with which nothing is wrong. */
static inline int kp_mpi_check_message(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                                       struct kp_mpi_message_args *args, MPI_Count count,
                                       MPI_Datatype type, bool usual)
{
    args->type = kp_mpi_type_of(self, type);
    args->count = (size_t)count;
    usual = usual && args->type && args->type->committed && args->buffer != MPI_BOTTOM &&
            args->buffer != MPI_IN_PLACE && count >= 0 && count <= INT_MAX && args->peer >= 0 &&
            args->peer < comm->peers && args->tag >= 0 && args->tag <= KP_MPI_TAG_UB;
    if (usual)
        return MPI_SUCCESS;
    struct kp_mpi_message_args seen = *args; /* so `args` itself need not lie in memory */
    const int error = kp_mpi_check_closer(self, comm, &seen, count, type);
    args->buffer = seen.buffer;
    args->type = seen.type;
    return error;
}

static inline int kp_mpi_check_send(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                                    struct kp_mpi_message_args *args, const void *buffer,
                                    MPI_Count count, MPI_Datatype type, int to, int tag,
                                    enum kp_mpi_mode mode)
{
    args->receives = false;
    args->mode = mode;
    args->buffer = (void *)(uintptr_t)buffer;
    args->peer = to;
    args->tag = tag;
    return kp_mpi_check_message(self, comm, args, count, type, true);
}

static inline int kp_mpi_check_receive(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                                       struct kp_mpi_message_args *args, void *buffer,
                                       MPI_Count count, MPI_Datatype type, int from, int tag)
{
    args->receives = true;
    args->mode = KP_MPI_STANDARD;
    args->buffer = buffer;
    args->peer = from;
    args->tag = tag;
    return kp_mpi_check_message(self, comm, args, count, type, !self->world->job->strict);
}

/* Starts a message as a part. `group` is that of the communicator, or its inner one; `waits` says
 * that the call ends only with the message. Returns a status of kport. */
int kp_mpi_part_start(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, kp_group *group,
                      const struct kp_mpi_message_args *args, struct kp_mpi_part *part, bool waits);

/* Ends a part that has ended: compares signatures, frees. Returns MPI_SUCCESS or the class of an
 * error that is reported. The first function looks closer. */
int kp_mpi_part_end_closer(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                           struct kp_mpi_part *part);

/* Whether there is nothing to say of a part that has ended. Of a receive the message has as many
 * elements of the same type as are asked for, which is known if they were the last to be signed. */
static inline bool kp_mpi_part_is_usual(const struct kp_mpi_part *part)
{
    const struct kp_mpi_type *type = part->type;
    return !part->status &&
           (!part->receives ||
            (!part->any && !part->cancelled && part->found.note != 0 &&
             part->found.note == type->signature && type->signed_count == part->count &&
             part->found.bytes == part->count * type->size));
}

static inline int kp_mpi_part_end(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                                  struct kp_mpi_part *part)
{
    if (!kp_mpi_part_is_usual(part))
        return kp_mpi_part_end_closer(self, comm, part);
    part->error = MPI_SUCCESS;
    kp_mpi_type_release(part->type);
    part->type = NULL;
    return MPI_SUCCESS;
}

/* Writes what a receive has found. */
static inline void kp_mpi_store_status(MPI_Status *status, const struct kp_mpi_comm *comm,
                                       const struct kp_mpi_part *part)
{
    if (!status)
        return;
    status->MPI_SOURCE = part->receives ? part->found.source - comm->offset : MPI_ANY_SOURCE;
    status->MPI_TAG = part->receives ? part->found.tag : MPI_ANY_TAG;
    status->kp_bytes = part->receives ? (MPI_Count)part->found.bytes : 0;
    status->kp_cancelled = part->cancelled;
}

/* Starts a message with a request, and stores its handle. */
int kp_mpi_message_start(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                         const struct kp_mpi_message_args *args, MPI_Request *handle);

/* Makes a persistent request of a message, and stores its handle. */
int kp_mpi_message_keep(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                        const struct kp_mpi_message_args *args, MPI_Request *handle);

/* --- Buffered sends (buffered.c) --- */

/* Sends by a copy, which counts in the attached buffer unless the send is a ready one. */
int kp_mpi_send_buffered(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                         const struct kp_mpi_message_args *args);
/* The request of a buffered send has ended. */
void kp_mpi_buffer_give_back(struct kp_mpi_rank *self, size_t bytes);
void kp_mpi_buffer_end(struct kp_mpi_rank *self);

/* --- General requests (general.c) --- */

bool kp_mpi_general_is_complete(const struct kp_mpi_request *request);
/* These four call the program's functions, and return MPI_SUCCESS or the error that one of them
 * has returned, which is reported. `status` may be NULL. A free that comes before the request is
 * complete leaves the rest to MPI_Grequest_complete. */
int kp_mpi_general_query(struct kp_mpi_rank *self, const struct kp_mpi_request *request,
                         MPI_Status *status);
int kp_mpi_general_end(struct kp_mpi_rank *self, struct kp_mpi_request *request,
                       MPI_Status *status);
int kp_mpi_general_cancel(struct kp_mpi_rank *self, const struct kp_mpi_request *request);
int kp_mpi_general_free(struct kp_mpi_rank *self, struct kp_mpi_request *request);
void kp_mpi_general_tell_left(struct kp_mpi_rank *self); /* those that were freed */

/* Whether another thread of the rank may complete a general request while this one waits. If so,
 * the wait looks for the end again and again, and pauses in between. */
bool kp_mpi_general_by_others(struct kp_mpi_rank *self);
void kp_mpi_general_wait_begin(struct kp_mpi_rank *self);
void kp_mpi_general_pause(struct kp_mpi_rank *self);
void kp_mpi_general_wait_end(struct kp_mpi_rank *self);

/* --- Statuses --- */

/* The status of a null or inactive request. */
static inline void kp_mpi_empty_status(MPI_Status *status)
{
    if (status)
        *status = (MPI_Status){MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_SUCCESS, 0, 0};
}

#endif
