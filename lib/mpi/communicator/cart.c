/* Cartesian grids. */
#include "lib/mpi/topology.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define CART_OF(comm)                                                                              \
    const struct kp_mpi_topology *cart = (comm)->topology;                                         \
    if (!cart || cart->kind != MPI_CART)                                                           \
    return kp_mpi_no_topology(self, comm, "Cartesian topology")

/* The last dimension counts fastest. */
static void coordinates(const struct kp_mpi_topology *cart, int rank, int *coords)
{
    for (int i = cart->dimensions - 1; i >= 0; i--) {
        coords[i] = rank % cart->dims[i];
        rank /= cart->dims[i];
    }
}

/* Returns the rank at coordinates, or MPI_PROC_NULL outside a dimension that is not periodic. */
static int rank_at(const struct kp_mpi_topology *cart, const int *coords)
{
    int rank = 0;
    for (int i = 0; i < cart->dimensions; i++) {
        int at = coords[i];
        if (at < 0 || at >= cart->dims[i]) {
            if (!cart->periods[i])
                return MPI_PROC_NULL;
            at %= cart->dims[i];
            at += at < 0 ? cart->dims[i] : 0;
        }
        rank = rank * cart->dims[i] + at;
    }
    return rank;
}

/* Returns the rank `by` further in a dimension, or MPI_PROC_NULL. */
static int shifted(const struct kp_mpi_topology *cart, int rank, int direction, int by)
{
    int stride = 1;
    for (int i = direction + 1; i < cart->dimensions; i++)
        stride *= cart->dims[i];
    const int extent = cart->dims[direction], at = rank / stride % extent;
    long long to = (long long)at + by;
    if (to < 0 || to >= extent) {
        if (!cart->periods[direction])
            return MPI_PROC_NULL;
        to = (to % extent + extent) % extent;
    }
    return rank + (int)(to - at) * stride;
}

struct kp_mpi_topology *kp_mpi_cart_make(int ndims, const int *dims, const int *periods, int rank)
{
    struct kp_mpi_topology *cart = calloc(1, sizeof *cart);
    if (!cart)
        return NULL;
    cart->kind = MPI_CART;
    cart->dimensions = ndims;
    cart->dims = kp_mpi_copy_ints(dims, ndims);
    cart->periods = kp_mpi_copy_ints(periods, ndims);
    cart->source_count = cart->target_count = 2 * ndims;
    cart->sources = malloc((2 * (size_t)ndims + 1) * sizeof(int));
    cart->targets = malloc((2 * (size_t)ndims + 1) * sizeof(int));
    if (!cart->dims || !cart->periods || !cart->sources || !cart->targets) {
        kp_mpi_topology_free(cart);
        return NULL;
    }
    for (int i = 0; i < 2 * ndims; i++)
        cart->sources[i] = cart->targets[i] = shifted(cart, rank, i / 2, i % 2 ? 1 : -1);
    return cart;
}

/* Returns how many ranks the grid has, or a negative error's class as it is reported. */
static int count_ranks(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int ndims,
                       const int *dims, int *count)
{
    long long all = 1;
    if (ndims < 0 || (ndims > 0 && !dims))
        return kp_mpi_fail(self, comm, MPI_ERR_DIMS,
                           "the number of dimensions is %d, or the array of dimensions is NULL",
                           ndims);
    for (int i = 0; i < ndims; i++) {
        if (dims[i] <= 0)
            return kp_mpi_fail(self, comm, MPI_ERR_DIMS, "dimension %d is %d; it may be 1 or more",
                               i, dims[i]);
        all *= dims[i];
        if (all > comm->size)
            return kp_mpi_fail(self, comm, MPI_ERR_DIMS,
                               "the grid has more ranks than the communicator, which has %d",
                               comm->size);
    }
    *count = (int)all;
    return MPI_SUCCESS;
}

static uint64_t hash_of(int ndims, const int *dims, const int *periods, int reorder)
{
    uint64_t hash = (uint64_t)ndims * 2 + (reorder != 0);
    for (int i = 0; i < ndims; i++)
        hash = (hash * 31 + (uint64_t)dims[i]) * 2 + (periods[i] != 0);
    return hash;
}

int MPI_Cart_create(MPI_Comm handle, int ndims, const int dims[], const int periods[], int reorder,
                    MPI_Comm *newcomm)
{
    int count;
    struct kp_mpi_comm *made;
    KP_MPI_ENTER(Cart_create);
    KP_MPI_COMM_OF(handle);
    *newcomm = MPI_COMM_NULL;
    int error = kp_mpi_check_intra(self, comm);
    if (error || (error = count_ranks(self, comm, ndims, dims, &count)) ||
        (error = kp_mpi_comm_split(self, comm, comm->rank < count ? 0 : MPI_UNDEFINED, comm->rank,
                                   hash_of(ndims, dims, periods, reorder), &made)))
        return error;
    if (!made)
        return MPI_SUCCESS;
    made->topology = kp_mpi_cart_make(ndims, dims, periods, made->rank);
    *newcomm = made->handle;
    return made->topology ? MPI_SUCCESS
                          : kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a topology");
}
KP_MPI_NAMES(Cart_create);

int MPI_Cart_map(MPI_Comm handle, int ndims, const int dims[], const int periods[], int *newrank)
{
    int count;
    KP_MPI_ENTER(Cart_map);
    KP_MPI_COMM_OF(handle);
    (void)periods;
    const int error = count_ranks(self, comm, ndims, dims, &count);
    if (!error)
        *newrank = comm->rank < count ? comm->rank : MPI_UNDEFINED;
    return error;
}
KP_MPI_NAMES(Cart_map);

int MPI_Cartdim_get(MPI_Comm handle, int *ndims)
{
    KP_MPI_ENTER(Cartdim_get);
    KP_MPI_COMM_OF(handle);
    CART_OF(comm);
    *ndims = cart->dimensions;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Cartdim_get);

int MPI_Cart_get(MPI_Comm handle, int maxdims, int dims[], int periods[], int coords[])
{
    KP_MPI_ENTER(Cart_get);
    KP_MPI_COMM_OF(handle);
    CART_OF(comm);
    if (maxdims < cart->dimensions)
        return kp_mpi_fail(self, comm, MPI_ERR_ARG,
                           "there is room for %d dimensions; the grid has %d", maxdims,
                           cart->dimensions);
    memcpy(dims, cart->dims, (size_t)cart->dimensions * sizeof *dims);
    memcpy(periods, cart->periods, (size_t)cart->dimensions * sizeof *periods);
    coordinates(cart, comm->rank, coords);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Cart_get);

int MPI_Cart_rank(MPI_Comm handle, const int coords[], int *rank)
{
    KP_MPI_ENTER(Cart_rank);
    KP_MPI_COMM_OF(handle);
    CART_OF(comm);
    *rank = rank_at(cart, coords);
    if (*rank == MPI_PROC_NULL)
        return kp_mpi_fail(self, comm, MPI_ERR_ARG,
                           "the coordinates are outside the grid, in a dimension that is not "
                           "periodic");
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Cart_rank);

int MPI_Cart_coords(MPI_Comm handle, int rank, int maxdims, int coords[])
{
    KP_MPI_ENTER(Cart_coords);
    KP_MPI_COMM_OF(handle);
    CART_OF(comm);
    if (rank < 0 || rank >= comm->size)
        return kp_mpi_fail(self, comm, MPI_ERR_RANK, "the rank is %d; it may be 0 ... %d", rank,
                           comm->size - 1);
    if (maxdims < cart->dimensions)
        return kp_mpi_fail(self, comm, MPI_ERR_ARG,
                           "there is room for %d dimensions; the grid has %d", maxdims,
                           cart->dimensions);
    coordinates(cart, rank, coords);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Cart_coords);

int MPI_Cart_shift(MPI_Comm handle, int direction, int displacement, int *source, int *destination)
{
    KP_MPI_ENTER(Cart_shift);
    KP_MPI_COMM_OF(handle);
    CART_OF(comm);
    if (direction < 0 || direction >= cart->dimensions)
        return kp_mpi_fail(self, comm, MPI_ERR_ARG, "the direction is %d; it may be 0 ... %d",
                           direction, cart->dimensions - 1);
    *destination = shifted(cart, comm->rank, direction, displacement);
    *source = shifted(cart, comm->rank, direction, -displacement);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Cart_shift);

/* Splits by the coordinates of the dimensions that are dropped. */
int MPI_Cart_sub(MPI_Comm handle, const int remain_dims[], MPI_Comm *newcomm)
{
    struct kp_mpi_comm *made;
    int few[64], colour = 0, key = 0, kept = 0;
    int dims[64], periods[64];
    uint64_t which = 0; /* the dimensions that are kept, a bit each */
    KP_MPI_ENTER(Cart_sub);
    KP_MPI_COMM_OF(handle);
    CART_OF(comm);
    if (cart->dimensions > 64)
        return kp_mpi_fail(self, comm, MPI_ERR_DIMS,
                           "kport divides grids of at most 64 dimensions");
    coordinates(cart, comm->rank, few);
    for (int i = 0; i < cart->dimensions; i++) {
        int *number = remain_dims[i] ? &key : &colour;
        *number = *number * cart->dims[i] + few[i];
        if (remain_dims[i]) {
            which |= UINT64_C(1) << i;
            dims[kept] = cart->dims[i];
            periods[kept++] = cart->periods[i];
        }
    }
    *newcomm = MPI_COMM_NULL;
    const int error =
        kp_mpi_comm_split(self, comm, colour, key, hash_of(kept, dims, periods, 0) ^ which, &made);
    if (error)
        return error;
    made->topology = kp_mpi_cart_make(kept, dims, periods, made->rank);
    *newcomm = made->handle;
    return made->topology ? MPI_SUCCESS
                          : kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a topology");
}
KP_MPI_NAMES(Cart_sub);

/* --- MPI_Dims_create --- */

/* Finds factors in descending order, as close to each other as possible: those whose greatest is
 * least, then the second greatest, and so on. `most` bounds the first. */
static bool factorise(int number, int count, int most, int *factors)
{
    if (count == 1) {
        factors[0] = number;
        return number <= most;
    }
    for (int first = 1; first <= number && first <= most; first++) {
        long long reach = 1;
        for (int i = 0; i < count && reach < number; i++)
            reach *= first;
        if (number % first == 0 && reach >= number &&
            factorise(number / first, count - 1, first, factors + 1))
            return factors[0] = first, true;
    }
    return false;
}

int MPI_Dims_create(int nnodes, int ndims, int dims[])
{
    KP_MPI_ENTER(Dims_create);
    int left = nnodes, open = 0;
    if (nnodes < 1 || ndims < 0)
        return kp_mpi_fail(self, NULL, MPI_ERR_DIMS,
                           "there are %d nodes and %d dimensions; there may be 1 or more nodes, "
                           "and 0 or more dimensions",
                           nnodes, ndims);
    for (int i = 0; i < ndims; i++) {
        if (dims[i] < 0)
            return kp_mpi_fail(self, NULL, MPI_ERR_DIMS, "dimension %d is %d; it may be 0 or more",
                               i, dims[i]);
        open += dims[i] == 0;
        if (dims[i] > 0 && left % dims[i] != 0)
            return kp_mpi_fail(self, NULL, MPI_ERR_DIMS,
                               "the given dimensions do not divide the number of nodes, %d",
                               nnodes);
        left /= dims[i] > 0 ? dims[i] : 1;
    }
    if (open == 0)
        return left == 1 ? MPI_SUCCESS
                         : kp_mpi_fail(self, NULL, MPI_ERR_DIMS,
                                       "the product of the dimensions is not %d", nnodes);
    int *factors = malloc((size_t)open * sizeof *factors);
    if (!factors)
        return kp_mpi_fail(self, NULL, MPI_ERR_NO_MEM, "no memory for the dimensions");
    (void)factorise(left, open, left, factors);
    for (int i = 0, at = 0; i < ndims; i++) {
        if (dims[i] == 0)
            dims[i] = factors[at++];
    }
    free(factors);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Dims_create);
