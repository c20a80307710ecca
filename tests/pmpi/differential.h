/* Random collective calls, made once as the program's (MPI_...), which the preloaded object takes,
 * and once as the MPI's own (PMPI_...). */
#ifndef KPORT_TESTS_PMPI_DIFFERENTIAL_H
#define KPORT_TESTS_PMPI_DIFFERENTIAL_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MOST_MEMBERS = 64
};

/* MPIs have faults of their own, around which the calls are drawn. */
#ifdef OPEN_MPI
#define MPI_IS_MPICH 0
#else
#define MPI_IS_MPICH 1
#endif

/* Random numbers. All processes draw the same from `common`, and each its own from `own`. */
struct dice {
    uint64_t common, own;
};
int draw(uint64_t *state, int least, int most);

/* A data type that carries `width` elements of a signature. Signatures: 0 to 2 are predefined
 * types, 3 is a char and a double. A plain shape is the signature's own type. */
struct shape {
    MPI_Datatype type;
    bool made;     /* shape_free frees the type */
    int per_width; /* elements of `type` that carry the width */
};
enum {
    SIGNATURES = 4
};
struct shape shape_draw(uint64_t *own, int signature, int width, bool plain);
void shape_free(struct shape *shape);

/* Memory around a buffer, so that elements may lie before it, and what lies beyond can be
 * compared. */
struct room {
    char *memory, *user;
    size_t bytes;
};
struct room room_make(MPI_Datatype type, long elements, uint64_t *own);
struct room room_copy(const struct room *room);
bool room_same(const struct room *a, const struct room *b);
void room_free(struct room *room);

/* A call. `own` calls the MPI's own function. */
struct call {
    int operation, root, rank, n;
    bool in_place;
    MPI_Comm comm;
    MPI_Op op;
    const void *send;
    void *recv;
    int send_count, recv_count;
    MPI_Datatype send_type, recv_type;
    int send_counts[MOST_MEMBERS], send_places[MOST_MEMBERS];
    int recv_counts[MOST_MEMBERS], recv_places[MOST_MEMBERS];
    MPI_Datatype send_types[MOST_MEMBERS], recv_types[MOST_MEMBERS];
};
enum {
    ALLGATHER,
    ALLGATHERV,
    ALLTOALL,
    ALLTOALLV,
    ALLTOALLW,
    BARRIER,
    BCAST,
    GATHER,
    GATHERV,
    SCATTER,
    SCATTERV,
    ALLREDUCE, /* from here on reductions */
    EXSCAN,
    REDUCE,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    SCAN,
    OPERATIONS
};
extern const char *const operation_names[OPERATIONS];
int make_call(const struct call *call, bool own);

/* Both return false if the results differ. */
bool try_moving(struct call *call, struct dice *dice);
bool try_combining(struct call *call, struct dice *dice);
void combining_begin(void);
void combining_end(void);

#endif
