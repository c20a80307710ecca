/* Calls that a rank makes again. A loop calls the same collectives over and over, with buffers that
 * may change. So a rank remembers its latest collectives, and what kport keeps of them. Such a call
 * needs no arguments checked but the addresses of its buffers, and no handles looked up. */
#include "lib/call/face.h"
#include "lib/mpi/collective.h"
#include "lib/mpi/collective/arrays.h"

#include <stdlib.h>

#define ENTRIES 32 /* a power of two */

/* A remembered call. What `asked` says of buffers is not compared. */
struct kp_mpi_again {
    struct kp_mpi_comm *comm; /* NULL: the entry is empty */
    MPI_Comm handle;
    kp_operation operation;
    bool uses_out, uses_in; /* whether this rank has the buffers */
    bool out_in_place, in_in_place;
    bool reads_in; /* the call reads `in`, and writes nothing */
    int root;
    MPI_Count out_count, in_count;
    MPI_Datatype out_type, in_type;
    MPI_Op op;
    uint64_t forgotten;   /* the handles that were forgotten before */
    size_t read, written; /* bytes, as far as they are in one piece */
    struct kp_face_kept kept;
    /* Of a call with a length for every block. The first call leaves a hash of its arrays alone,
     * because a program may have other lengths every time. Both pointers are NULL then. */
    uint64_t hash;
    struct kp_mpi_arrays *arrays;
    struct kp_face_lengths *lengths;
};

/* Beyond that the arrays of all ranks would take much memory. */
#define MOST_RANKS_WITH_ARRAYS 256

/* The operations whose calls have no arrays. */
static bool has_one_length(kp_operation operation)
{
    const unsigned of_one_length = 1u << KP_INDEX | 1u << KP_CONCAT | 1u << KP_BROADCAST |
                                   1u << KP_SCATTER | 1u << KP_GATHER | 1u << KP_REDUCE |
                                   1u << KP_ALLREDUCE | 1u << KP_REDUCE_SCATTER | 1u << KP_SCAN |
                                   1u << KP_SCAN_EXCLUSIVE;
    return of_one_length >> operation & 1;
}

static bool has_lengths(kp_operation operation)
{
    const unsigned with_lengths = 1u << KP_INDEXV | 1u << KP_CONCATV | 1u << KP_SCATTERV |
                                  1u << KP_GATHERV | 1u << KP_REDUCE_SCATTERV;
    return with_lengths >> operation & 1;
}

/* A handle that was freed may be in an entry. So an entry serves only until the next one is freed.
 */
static uint64_t forgotten(const struct kp_mpi_rank *self)
{
    return (uint64_t)self->tables[KP_MPI_COMM].forgotten + self->tables[KP_MPI_TYPE].forgotten +
           self->tables[KP_MPI_OP].forgotten;
}

static struct kp_mpi_again *entry_of(const struct kp_mpi_rank *self, MPI_Comm handle,
                                     kp_operation operation, const struct kp_mpi_asked *asked)
{
    /* Calls that alternate mostly have arrays of counts at other addresses. */
    const uint64_t arrays = (uint64_t)(uintptr_t)asked->out_counts.values * 3 ^
                            (uint64_t)(uintptr_t)asked->in_counts.values * 5;
    const uint64_t what = (uint64_t)operation ^ (uint64_t)asked->in_count << 4 ^
                          (uint64_t)(uint32_t)asked->root << 24 ^
                          (uint64_t)(uintptr_t)handle << 32 ^ arrays;
    return &self->again[what * UINT64_C(0x9e3779b97f4a7c15) >> 59 & (ENTRIES - 1)];
}

static bool serves(const struct kp_mpi_again *entry, MPI_Comm handle, kp_operation operation,
                   const struct kp_mpi_asked *asked)
{
    return entry->comm && entry->handle == handle && entry->operation == operation &&
           entry->root == asked->root && entry->out_count == asked->out_count &&
           entry->in_count == asked->in_count && entry->out_type == asked->out_type &&
           entry->in_type == asked->in_type && entry->op == asked->op &&
           entry->out_in_place == (asked->out == MPI_IN_PLACE) &&
           entry->in_in_place == (asked->in == MPI_IN_PLACE);
}

static int make(const struct kp_mpi_rank *self, const struct kp_mpi_again *entry,
                const struct kp_mpi_asked *asked)
{
    const bool early = self->leaves_early;
    const void *out = entry->uses_out ? asked->out : NULL;
    void *in = entry->uses_in ? asked->in : NULL;
    if (!has_lengths(entry->operation))
        return kp_face_again(entry->comm->group, &entry->kept, out, in, early);
    if (!entry->lengths)
        return KP_FACE_FORGOTTEN;
    const struct kp_mpi_arrays arrays =
        kp_mpi_arrays_of(asked, entry->comm->size, entry->uses_out, entry->uses_in);
    return kp_mpi_arrays_are_equal(entry->arrays, &arrays)
               ? kp_face_again_lengths(entry->lengths, out, in, early)
               : KP_FACE_FORGOTTEN;
}

bool kp_mpi_collective_known(struct kp_mpi_rank *self, MPI_Comm handle, kp_operation operation,
                             const struct kp_mpi_asked *asked, struct kp_mpi_comm **comm,
                             int *status)
{
    if (!self->again)
        return false;
    const struct kp_mpi_again *entry = entry_of(self, handle, operation, asked);
    if (!serves(entry, handle, operation, asked) || entry->forgotten != forgotten(self) ||
        (entry->uses_out && !asked->out) || (entry->uses_in && !asked->in))
        return false;
    /* The call with all its arguments tells what overlaps. */
    if (KP_MPI_HAS_REQUESTS(self) &&
        kp_mpi_owned_overlaps(
            self, (struct kp_mpi_span){entry->reads_in ? asked->in : asked->out, entry->read},
            (struct kp_mpi_span){asked->in, entry->written}))
        return false;
    *comm = entry->comm;
    *status = make(self, entry, asked);
    return *status != KP_FACE_FORGOTTEN;
}

static void clear(struct kp_mpi_again *entry)
{
    free(entry->arrays);
    kp_face_drop_lengths(entry->lengths);
    *entry = (struct kp_mpi_again){0};
}

void kp_mpi_collective_forget(struct kp_mpi_rank *self)
{
    for (int i = 0; i < ENTRIES && self->again; i++)
        clear(&self->again[i]);
    free(self->again);
    self->again = NULL;
}

/* Keeps what is needed to make the call again. */
static void keep(struct kp_mpi_again *entry, const struct kp_mpi_asked *asked,
                 const kp_arguments *a, uint64_t hash_before)
{
    if (!has_lengths(entry->operation)) {
        entry->kept = kp_face_keep(entry->comm->group, a);
        return;
    }
    const struct kp_mpi_arrays arrays =
        kp_mpi_arrays_of(asked, entry->comm->size, entry->uses_out, entry->uses_in);
    entry->hash = kp_mpi_arrays_hash(&arrays);
    if (entry->hash != hash_before || !(entry->arrays = kp_mpi_arrays_copy(&arrays)))
        return;
    entry->lengths = kp_face_keep_lengths(entry->comm->group, a);
}

/* Returns whether calls with these arguments can be made again. */
static bool can_be_kept(const struct kp_mpi_comm *comm, const struct kp_mpi_asked *asked,
                        const struct kp_mpi_collective *c)
{
    const kp_arguments *a = &c->arguments;
    const bool served =
        has_one_length(c->operation) ||
        (has_lengths(c->operation) && !asked->in_types && comm->size <= MOST_RANKS_WITH_ARRAYS);
    return served && !c->items && !c->reduction.use && (!a->out || a->out == asked->out) &&
           (!a->in || a->in == asked->in);
}

void kp_mpi_collective_remember(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                                const struct kp_mpi_asked *asked, const struct kp_mpi_collective *c,
                                const struct kp_mpi_owned *owned)
{
    const kp_arguments *a = &c->arguments;
    if (!can_be_kept(comm, asked, c))
        return;
    if (!self->again && !(self->again = calloc(ENTRIES, sizeof *self->again)))
        return;
    struct kp_mpi_again *entry = entry_of(self, comm->handle, c->operation, asked);
    const uint64_t hash = serves(entry, comm->handle, c->operation, asked) ? entry->hash : 0;
    clear(entry);
    *entry = (struct kp_mpi_again){.comm = comm,
                                   .handle = comm->handle,
                                   .operation = c->operation,
                                   .uses_out = a->out,
                                   .uses_in = a->in,
                                   .out_in_place = asked->out == MPI_IN_PLACE,
                                   .in_in_place = asked->in == MPI_IN_PLACE,
                                   .reads_in = owned->read.at && owned->read.at == asked->in,
                                   .root = asked->root,
                                   .out_count = asked->out_count,
                                   .in_count = asked->in_count,
                                   .out_type = asked->out_type,
                                   .in_type = asked->in_type,
                                   .op = asked->op,
                                   .forgotten = forgotten(self),
                                   .read = owned->read.bytes,
                                   .written = owned->written.bytes};
    keep(entry, asked, a, hash);
}
