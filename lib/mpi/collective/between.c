/* Collectives on intercommunicators. Each is a set of messages between the two sides, in the
 * communicator's context for the library's own messages. In a reduction every rank sends its items
 * to those that want the result, and these combine them in the order of the ranks. */
#include "lib/mpi/collective.h"
#include "lib/mpi/neighbours.h"
#include "lib/mpi/op.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(KP_MPI_BARRIER < 32, "it has 5 bits in a tag");

struct made {
    struct kp_mpi_rank *self;
    struct kp_mpi_comm *comm;
    kp_operation operation;
    const struct kp_mpi_asked *asked;
    struct kp_mpi_neighbours *messages;
    struct kp_mpi_collective *reduction; /* NULL: nothing is combined */
};

/* --- Messages --- */

static int add(struct made *made, bool receives, const void *buffer, MPI_Count count,
               MPI_Datatype type, int peer)
{
    struct kp_mpi_message_args *args = kp_mpi_neighbours_next(made->messages);
    int error = receives ? kp_mpi_check_receive(made->self, made->comm, args,
                                                (void *)(uintptr_t)buffer, count, type, peer, 0)
                         : kp_mpi_check_send(made->self, made->comm, args, buffer, count, type,
                                             peer, 0, KP_MPI_STANDARD);
    if (error)
        return error;
    args->tag = KP_MPI_OWN_TAG(made->operation, 0);
    kp_mpi_type_hold(args->type);
    kp_mpi_neighbours_add(made->messages);
    return MPI_SUCCESS;
}

/* The blocks of one buffer. */
struct blocks {
    const void *buffer;
    MPI_Count count;
    MPI_Datatype type;
    struct kp_mpi_list counts, displacements;
    const MPI_Datatype *types; /* with displacements in bytes */
    bool one;                  /* the same block for all */
};

/* Adds a message for the block of each rank of the other side. */
static int add_blocks(struct made *made, bool receives, const struct blocks *blocks)
{
    for (int i = 0; i < made->comm->peers; i++) {
        const MPI_Datatype handle = blocks->types ? blocks->types[i] : blocks->type;
        const MPI_Count count =
            blocks->counts.values ? kp_mpi_list_at(blocks->counts, i) : blocks->count;
        struct kp_mpi_type *type;
        int error = kp_mpi_type_check(made->self, made->comm, handle, &type);
        if (error)
            return error;
        const ptrdiff_t unit = blocks->types ? 1 : type->extent;
        const ptrdiff_t place = blocks->one ? 0
                                : blocks->counts.values
                                    ? (ptrdiff_t)kp_mpi_list_at(blocks->displacements, i)
                                    : (ptrdiff_t)(i * count);
        error = add(made, receives, (const char *)blocks->buffer + place * unit, count, handle, i);
        if (error)
            return error;
    }
    return MPI_SUCCESS;
}

static struct blocks outgoing(const struct kp_mpi_asked *asked, bool one)
{
    return (struct blocks){asked->out,
                           asked->out_count,
                           asked->out_type,
                           asked->out_counts,
                           asked->out_displacements,
                           asked->out_types,
                           one};
}

static struct blocks incoming(const struct kp_mpi_asked *asked)
{
    return (struct blocks){asked->in,
                           asked->in_count,
                           asked->in_type,
                           asked->in_counts,
                           asked->in_displacements,
                           asked->in_types,
                           false};
}

/* --- Operations with a root, which names itself by MPI_ROOT --- */

/* The root has a block for each rank of the other side. Each of these has one block. */
static int add_rooted(struct made *made, bool root_receives)
{
    const struct kp_mpi_asked *asked = made->asked;
    const bool broadcast = made->operation == KP_BROADCAST;
    const struct blocks all = root_receives ? incoming(asked) : outgoing(asked, false);
    const struct blocks same = {asked->in, asked->in_count, asked->in_type, .one = true};
    if (asked->root == MPI_PROC_NULL)
        return MPI_SUCCESS;
    if (asked->root == MPI_ROOT)
        return add_blocks(made, root_receives, broadcast ? &same : &all);
    return root_receives
               ? add(made, false, asked->out, asked->out_count, asked->out_type, asked->root)
               : add(made, true, asked->in, asked->in_count, asked->in_type, asked->root);
}

/* --- Reductions --- */

static size_t span_of(const struct kp_mpi_type *type, size_t count)
{
    const size_t apart = (size_t)(type->extent < 0 ? -type->extent : type->extent);
    return count == 0 ? 0 : (count - 1) * apart + (size_t)type->true_extent;
}

/* The memory of the items of one rank of the other side. */
static char *operand(const struct kp_mpi_collective *c, int i)
{
    const size_t room = (span_of(c->in_type, c->load_count) + 15) / 16 * 16;
    return (char *)c->items + (size_t)i * room - c->in_type->true_lower;
}

/* What the members tell each other in a strict job. */
struct told {
    char op[MPI_MAX_OBJECT_NAME]; /* the operator's name; empty: the call has none, or ignores it */
    bool rooted, is_root;
};

/* The data of a request: what the caller tells, then what all tell. */
static int compare_told(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    const struct told *mine = request->data, *all = mine + 1;
    const struct kp_mpi_comm *comm = request->comm;
    bool has_root = !mine->rooted;
    for (int i = 0; i < comm->size + comm->peers; i++) {
        has_root = has_root || all[i].is_root;
        if (mine->op[0] && all[i].op[0] && strcmp(all[i].op, mine->op) != 0)
            return kp_mpi_fail(self, request->comm, MPI_ERR_NOT_SAME,
                               "the operator is %s; that of rank %d is %s", mine->op,
                               kp_group_processor(comm->group, i), all[i].op);
    }
    return has_root ? MPI_SUCCESS
                    : kp_mpi_fail(self, request->comm, MPI_ERR_NOT_SAME,
                                  "the root is MPI_PROC_NULL at all ranks of both sides; one rank "
                                  "must have MPI_ROOT");
}

/* Combines the operands of all ranks of the other side, and stores the caller's items. */
static int combine(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    const struct kp_mpi_collective *c = request->collective;
    const int last = request->comm->peers - 1;
    char *result = operand(c, last);
    const int error = request->data ? compare_told(self, request) : MPI_SUCCESS;
    if (error)
        return error;
    for (int i = last - 1; i >= 0; i--)
        kp_mpi_reduction_apply(&c->reduction, operand(c, i), result, c->load_count);
    const size_t bytes = c->in_type->size * c->store_count;
    char *packed = malloc(bytes > 0 ? bytes : 1);
    if (!packed)
        return kp_mpi_fail(self, request->comm, MPI_ERR_NO_MEM, "no memory for a result");
    kp_mpi_type_pack(c->in_type, c->store_count,
                     result + (ptrdiff_t)c->store_first * c->in_type->extent, packed);
    kp_mpi_type_unpack(c->in_type, packed, bytes, c->store_to);
    free(packed);
    return MPI_SUCCESS;
}

/* Receives `count` items from each rank of the other side, of which the caller stores `stored`,
 * from item `first` on. */
static int add_operands(struct made *made, size_t count, size_t first, size_t stored)
{
    const struct kp_mpi_asked *asked = made->asked;
    struct kp_mpi_collective *c = made->reduction = calloc(1, sizeof *c);
    if (!c)
        return kp_mpi_fail(made->self, made->comm, MPI_ERR_NO_MEM, "no memory for a reduction");
    struct kp_mpi_type *type;
    int error = kp_mpi_check_data(made->self, made->comm, asked->in, (MPI_Count)stored,
                                  asked->in_type, &type);
    if (!error)
        error = kp_mpi_reduction_of(made->self, made->comm, asked->op, type, &c->reduction);
    if (error)
        return error;
    c->operation = made->operation;
    c->reduces = true;
    c->in_type = type;
    kp_mpi_type_hold(type);
    c->load_count = count;
    c->store_count = stored;
    c->store_to = asked->in;
    c->store_first = first;
    c->items = malloc((size_t)made->comm->peers * ((span_of(type, count) + 15) / 16 * 16) + 1);
    if (!c->items)
        return kp_mpi_fail(made->self, made->comm, MPI_ERR_NO_MEM, "no memory for a reduction");
    for (int i = 0; i < made->comm->peers && !error; i++)
        error = add(made, true, operand(c, i), (MPI_Count)count, asked->in_type, i);
    return error;
}

/* Sends the caller's items to all ranks of the other side: all of them, or to each its share. */
static int add_items(struct made *made, MPI_Count count, bool shares)
{
    const struct kp_mpi_asked *asked = made->asked;
    const struct blocks blocks = {asked->out, count, asked->in_type, .one = !shares};
    return add_blocks(made, false, &blocks);
}

static int add_reduce(struct made *made)
{
    const struct kp_mpi_asked *asked = made->asked;
    if (asked->root == MPI_PROC_NULL)
        return MPI_SUCCESS;
    return asked->root == MPI_ROOT
               ? add_operands(made, (size_t)asked->in_count, 0, (size_t)asked->in_count)
               : add(made, false, asked->out, asked->in_count, asked->in_type, asked->root);
}

/* Both sides have the same number of items, and each side divides those of the other. */
static int add_shares(struct made *made)
{
    const struct kp_mpi_comm *comm = made->comm;
    const MPI_Count own = made->asked->in_count, all = own * comm->size;
    if (all % comm->peers != 0)
        return kp_mpi_fail(made->self, made->comm, MPI_ERR_COUNT,
                           "recvcount is %lld; the %lld items of all ranks cannot be divided among "
                           "the %d ranks of the other side",
                           (long long)own, (long long)all, comm->peers);
    const int error = add_operands(made, (size_t)own, 0, (size_t)own);
    return error ? error : add_items(made, all / comm->peers, true);
}

/* A rank does not know the counts of the other side, so it sends all items to each rank there. */
static int add_shares_of_their_own(struct made *made)
{
    size_t all = 0, first = 0;
    for (int i = 0; i < made->comm->size; i++) {
        first += i < made->comm->rank ? (size_t)kp_mpi_list_at(made->asked->in_counts, i) : 0;
        all += (size_t)kp_mpi_list_at(made->asked->in_counts, i);
    }
    const size_t own = (size_t)kp_mpi_list_at(made->asked->in_counts, made->comm->rank);
    const int error = add_operands(made, all, first, own);
    return error ? error : add_items(made, (MPI_Count)all, false);
}

/* --- All operations --- */

static int add_barrier(struct made *made)
{
    const struct blocks none = {.type = MPI_BYTE, .one = true};
    const int error = add_blocks(made, true, &none);
    return error ? error : add_blocks(made, false, &none);
}

static int add_all(struct made *made, bool one)
{
    const struct blocks in = incoming(made->asked), out = outgoing(made->asked, one);
    const int error = add_blocks(made, true, &in);
    return error ? error : add_blocks(made, false, &out);
}

static int add_messages(struct made *made)
{
    const struct kp_mpi_asked *asked = made->asked;
    switch (made->operation) {
    case KP_MPI_BARRIER:
        return add_barrier(made);
    case KP_BROADCAST:
    case KP_SCATTER:
    case KP_SCATTERV:
        return add_rooted(made, false);
    case KP_GATHER:
    case KP_GATHERV:
        return add_rooted(made, true);
    case KP_CONCAT:
    case KP_CONCATV:
        return add_all(made, true);
    case KP_INDEX:
    case KP_INDEXV:
        return add_all(made, false);
    case KP_REDUCE:
        return add_reduce(made);
    case KP_ALLREDUCE: {
        const size_t count = (size_t)asked->in_count;
        const int error = add_operands(made, count, 0, count);
        return error ? error : add_items(made, asked->in_count, false);
    }
    case KP_REDUCE_SCATTER:
        return add_shares(made);
    case KP_REDUCE_SCATTERV:
        return add_shares_of_their_own(made);
    default:
        return kp_mpi_fail(made->self, made->comm, MPI_ERR_COMM,
                           "MPI has no such collective on an intercommunicator");
    }
}

static int check(const struct made *made)
{
    const struct kp_mpi_asked *asked = made->asked;
    if (asked && (asked->out == MPI_IN_PLACE || asked->in == MPI_IN_PLACE))
        return kp_mpi_fail(made->self, made->comm, MPI_ERR_BUFFER,
                           "a buffer is MPI_IN_PLACE, which collectives on intercommunicators do "
                           "not know");
    if (asked && asked->in_count < 0)
        return kp_mpi_fail(made->self, made->comm, MPI_ERR_COUNT,
                           "count is %lld; it may be 0 or more", (long long)asked->in_count);
    return MPI_SUCCESS;
}

static bool is_rooted(kp_operation operation)
{
    return operation == KP_BROADCAST || operation == KP_SCATTER || operation == KP_SCATTERV ||
           operation == KP_GATHER || operation == KP_GATHERV || operation == KP_REDUCE;
}

/* Has the members tell each other their operators and roots. */
static int tell_all(struct made *made, struct kp_mpi_request *request)
{
    const bool rooted = is_rooted(made->operation);
    const struct kp_mpi_op *op = kp_mpi_op_of(made->self, made->asked->op);
    const size_t members = (size_t)made->comm->size + (size_t)made->comm->peers;
    if (!rooted && !op)
        return MPI_SUCCESS;
    struct told *told = calloc(1 + members, sizeof *told);
    if (!told)
        return kp_mpi_fail(made->self, made->comm, MPI_ERR_NO_MEM, "no memory to compare calls");
    if (op && !(rooted && made->asked->root == MPI_PROC_NULL))
        memcpy(told->op, op->name, sizeof told->op);
    told->rooted = rooted;
    told->is_root = rooted && made->asked->root == MPI_ROOT;
    request->data = told;
    request->tells = sizeof *told;
    if (!request->ended)
        request->ended = compare_told;
    return MPI_SUCCESS;
}

int kp_mpi_between_make(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, kp_operation operation,
                        const struct kp_mpi_asked *asked, struct kp_mpi_request **made)
{
    struct made m = {.self = self, .comm = comm, .operation = operation, .asked = asked};
    int error = check(&m);
    if (error)
        return error;
    if (!(m.messages = kp_mpi_neighbours_new(2 * (size_t)comm->peers)))
        return kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for the messages of a call");
    error = add_messages(&m);
    const int count = kp_mpi_neighbours_count(m.messages);
    const bool barrier = self->world->job->strict && operation != KP_MPI_BARRIER;
    *made = error ? NULL : kp_mpi_request_make(self, comm, (count > 0 ? count : 1) + barrier);
    if (!*made) {
        kp_mpi_neighbours_free(m.messages);
        if (m.reduction)
            kp_mpi_collective_free(self, m.reduction);
        return error ? error : MPI_ERR_NO_MEM;
    }
    (*made)->neighbours = m.messages;
    (*made)->collective = m.reduction;
    (*made)->meets = barrier;
    (*made)->ended = m.reduction ? combine : NULL;
    if (barrier && (error = tell_all(&m, *made)))
        kp_mpi_request_free(self, *made);
    return error;
}

int kp_mpi_between_now(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, kp_operation operation,
                       const struct kp_mpi_asked *asked)
{
    struct kp_mpi_request *request;
    int error = kp_mpi_between_make(self, comm, operation, asked, &request);
    return error ? error : kp_mpi_neighbours_wait(self, request);
}
