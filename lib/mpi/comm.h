/* Communicators. */
#ifndef KPORT_MPI_COMM_H
#define KPORT_MPI_COMM_H

#include "lib/mpi/attr.h"
#include "lib/mpi/rank.h"

struct kp_mpi_topology;

/* Tags up to this one are the program's (MPI_TAG_UB). The others are the library's, for its own
 * messages in a communicator's inner group: those of leaders stand beside a tag of the program. No
 * sentence shows one (words.c). */
#define KP_MPI_TAG_UB      0x1fffffff
#define KP_MPI_LEADER_TAGS 0x40000000
#define KP_MPI_OWN_TAGS    0x60000000

/* The tag of a message of a collective that goes by messages: `what` says which collective it is,
 * of up to 32; `beside` which of the messages between two ranks, of up to 256. The rest are bits of
 * the start (neighbours.c). */
#define KP_MPI_OWN_TAG(what, beside) (KP_MPI_OWN_TAGS | (int)(what) << 8 | ((beside)&255))
#define KP_MPI_OWN_TAG_FORM(form)    ((form) << 13)
#define KP_MPI_OWN_TAG_ORDER(order)  ((int)((order)&0x3fff) << 15)

/* Ranks may start persistent collectives in different orders, so the operations do not share one
 * group. A group takes memory, so there are only so many: of more operations, those whose numbers
 * differ by a multiple of this one have the same group, and all ranks start them in one order. */
#define KP_MPI_KEEPERS 4

struct kp_mpi_comm {
    MPI_Comm handle;
    /* The members. Of an intercommunicator: first those of one side, then those of the other. */
    kp_group *group;
    kp_group *inner;                   /* the same members, for the library's own messages */
    kp_group *keepers[KP_MPI_KEEPERS]; /* the same members, for persistent collectives */
    uint64_t kept;                     /* the number of persistent collectives so far */
    uint64_t calls;    /* the rank's collective calls so far, but for starts of persistent ones */
    int size, rank;    /* of this side */
    int peers, offset; /* the ranks to send to: their number, and the first one's rank in `group` */
    bool inter;
    kp_group *local; /* of an intercommunicator: this side; else NULL */
    bool low;        /* of an intercommunicator: this side comes first */
    MPI_Errhandler errhandler;
    struct kp_mpi_attributes attributes;
    struct kp_mpi_topology *topology;
    MPI_Info info;
    struct kp_mpi_place made;
    int references; /* the handle, and requests */
    bool predefined;
    char name[MPI_MAX_OBJECT_NAME];
};

/* Returns the communicator of a handle. Otherwise reports an error, and returns NULL; `*error` is
 * the error's class. */
int kp_mpi_comm_refuse(struct kp_mpi_rank *self, MPI_Comm handle);

static inline struct kp_mpi_comm *kp_mpi_comm_of(struct kp_mpi_rank *self, MPI_Comm handle,
                                                 int *error)
{
    struct kp_mpi_comm *comm = kp_mpi_find(&self->tables[KP_MPI_COMM], KP_MPI_COMM, handle);
    if (!comm)
        *error = kp_mpi_comm_refuse(self, handle);
    return comm;
}

/* Declares `comm`, or returns from the function with an error. */
#define KP_MPI_COMM_OF(handle)                                                                     \
    int wrong_comm;                                                                                \
    struct kp_mpi_comm *comm = kp_mpi_comm_of(self, handle, &wrong_comm);                          \
    if (!comm)                                                                                     \
    return wrong_comm

/* Reports an intercommunicator, which the function does not take. */
int kp_mpi_check_intra(struct kp_mpi_rank *self, struct kp_mpi_comm *comm);

/* Makes the predefined communicators. Returns 0 or a status of kport. */
int kp_mpi_comms_begin(struct kp_mpi_rank *self);
void kp_mpi_comms_end(struct kp_mpi_rank *self);

/* Makes a communicator of these processors, a context of its own. All of them make it, in one
 * common order with others of the same processors. Error handler and name come from `parent`.
 * Returns MPI_SUCCESS or the class of an error that is reported. */
int kp_mpi_comm_make(struct kp_mpi_rank *self, struct kp_mpi_comm *parent, const int *numbers,
                     int count, struct kp_mpi_comm **made);

/* Does the same for a copy of the group. */
int kp_mpi_comm_make_of(struct kp_mpi_rank *self, struct kp_mpi_comm *parent, kp_group *group,
                        struct kp_mpi_comm **made);

/* The same without waiting for the other members. The caller sees to it that no member uses the
 * communicator before all have made it. */
int kp_mpi_comm_begin(struct kp_mpi_rank *self, struct kp_mpi_comm *parent, kp_group *group,
                      struct kp_mpi_comm **made);

/* Waits for the others in a collective of the communicator that the rank has left early, if there
 * is one. Returns MPI_SUCCESS or the class of the collective's error. */
int kp_mpi_comm_end_call(struct kp_mpi_rank *self, struct kp_mpi_comm *comm);

/* Stores what every member of the communicator passes, `bytes` bytes of each, in the order of
 * ranks, in `all`. The members also compare which function of MPI they have called, and which of
 * its arguments must agree (`same`). Returns MPI_SUCCESS or the class of an error. */
int kp_mpi_share(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, uint64_t same,
                 const void *mine, void *all, size_t bytes);

/* Divides the communicator: ranks with the same colour get a common one, in the order of their
 * keys. With MPI_UNDEFINED as colour `*made` becomes NULL. `same` as in kp_mpi_share. */
int kp_mpi_comm_split(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int colour, int key,
                      uint64_t same, struct kp_mpi_comm **made);

/* Makes an intercommunicator. This side is `local`, whose numbers are the first `count` of `both`,
 * which has room for those of the other side. All members of both sides make it. */
int kp_mpi_intercomm_join(struct kp_mpi_rank *self, struct kp_mpi_comm *local, int *both, int count,
                          const int *theirs, int their_count, bool low, MPI_Comm *newcomm);

/* The other side of an intercommunicator begins with this rank of the group. */
static inline void kp_mpi_comm_face(struct kp_mpi_comm *comm, int offset)
{
    comm->offset = offset;
    kp_face_name_ranks_from(comm->group, offset);
    kp_face_name_ranks_from(comm->inner, offset);
}

void kp_mpi_comm_drop(struct kp_mpi_rank *self, struct kp_mpi_comm *comm);

static inline void kp_mpi_comm_hold(struct kp_mpi_comm *comm)
{
    comm->references++;
}

static inline void kp_mpi_comm_release(struct kp_mpi_rank *self, struct kp_mpi_comm *comm)
{
    if (--comm->references == 0)
        kp_mpi_comm_drop(self, comm);
}

/* The number in MPI_COMM_WORLD of a rank of the communicator (of an intercommunicator: of the other
 * side). */
static inline int kp_mpi_comm_number(const struct kp_mpi_comm *comm, int rank)
{
    return kp_group_processor(comm->group, comm->offset + rank);
}

#endif
