/* Communicators: made and freed. */
#include "lib/mpi/check/places.h"
#include "lib/mpi/comm.h"
#include "lib/mpi/group.h"
#include "lib/mpi/info.h"
#include "lib/mpi/request.h"
#include "lib/mpi/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Copies --- */

static struct kp_mpi_owner owner_of(struct kp_mpi_comm *comm)
{
    return (struct kp_mpi_owner){
        .handle = comm->handle, .comm = comm, .attributes = &comm->attributes};
}

/* Gives the communicator a copy of an info object, in place of what it had. */
static int attach_info(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, MPI_Info info)
{
    MPI_Info made = MPI_INFO_NULL;
    const int error = info == MPI_INFO_NULL ? MPI_SUCCESS : kp_mpi_info_copy(self, info, &made);
    if (error)
        return error;
    kp_mpi_info_drop(self, comm->info);
    comm->info = made;
    return MPI_SUCCESS;
}

/* Takes over what a copy has of its original. */
static int copy_rest(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, struct kp_mpi_comm *copy)
{
    copy->inter = comm->inter;
    copy->low = comm->low;
    copy->size = comm->size;
    copy->rank = comm->rank;
    copy->peers = comm->peers;
    kp_mpi_comm_face(copy, comm->offset);
    if (comm->local && kp_group_dup(comm->local, &copy->local))
        return kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a communicator");
    if (comm->topology && !(copy->topology = kp_mpi_topology_copy(comm->topology)))
        return kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a topology");
    const struct kp_mpi_owner owner = owner_of(comm);
    return kp_mpi_attributes_copy(self, &owner, &copy->attributes);
}

/* Frees a communicator that the program has never had. */
static void forget(struct kp_mpi_rank *self, struct kp_mpi_comm *comm)
{
    kp_mpi_handle_forget(&self->tables[KP_MPI_COMM], comm->handle);
    kp_mpi_comm_release(self, comm);
}

/* Makes a copy, by one of the functions that make a communicator of a group. */
static int copy_by(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                   int (*make)(struct kp_mpi_rank *self, struct kp_mpi_comm *parent,
                               kp_group *group, struct kp_mpi_comm **made),
                   struct kp_mpi_comm **made)
{
    int error = make(self, comm, comm->group, made);
    if (!error && (error = copy_rest(self, comm, *made)))
        forget(self, *made);
    return error;
}

static int copy(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, MPI_Comm *newcomm)
{
    struct kp_mpi_comm *made;
    const int error = copy_by(self, comm, kp_mpi_comm_make_of, &made);
    *newcomm = error ? MPI_COMM_NULL : made->handle;
    return error;
}

int MPI_Comm_dup(MPI_Comm handle, MPI_Comm *newcomm)
{
    KP_MPI_ENTER(Comm_dup);
    KP_MPI_COMM_OF(handle);
    const int error = kp_mpi_share(self, comm, 0, NULL, NULL, 0);
    return error ? error : copy(self, comm, newcomm);
}
KP_MPI_NAMES(Comm_dup);

int MPI_Comm_dup_with_info(MPI_Comm handle, MPI_Info info, MPI_Comm *newcomm)
{
    KP_MPI_ENTER(Comm_dup_with_info);
    KP_MPI_COMM_OF(handle);
    int error = kp_mpi_share(self, comm, 0, NULL, NULL, 0);
    if (error || (error = copy(self, comm, newcomm)))
        return error;
    return attach_info(self, kp_mpi_comm_of(self, *newcomm, &error), info);
}
KP_MPI_NAMES(Comm_dup_with_info);

/* All members have made their copies. The handle of the program gets its object. */
static int show_copy(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    kp_mpi_handle_use(&self->tables[KP_MPI_COMM], request->comm->handle, request->comm);
    return kp_mpi_order_compare(self, request);
}

/* The request is a meeting of all members on the copy, whose handle is empty until then. */
static int copy_later(struct kp_mpi_rank *self, MPI_Comm handle, MPI_Info info, MPI_Comm *newcomm,
                      MPI_Request *request_handle)
{
    struct kp_mpi_comm *made;
    KP_MPI_COMM_OF(handle);
    *newcomm = MPI_COMM_NULL;
    int error = copy_by(self, comm, kp_mpi_comm_begin, &made);
    comm->calls++;
    if (error)
        return error;
    error = attach_info(self, made, info);
    struct kp_mpi_request *request = error ? NULL : kp_mpi_request_make(self, made, 1);
    if (request && (error = kp_mpi_order_tell(self, request, comm)))
        kp_mpi_request_free(self, request);
    if (!request || error) {
        forget(self, made);
        return error ? error : MPI_ERR_NO_MEM;
    }
    request->ended = show_copy;
    kp_mpi_remember(&self->call, request->made.function);
    kp_mpi_request_meet(self, request, made->inner);
    request->active = true;
    *newcomm = made->handle;
    *request_handle = request->handle;
    kp_mpi_handle_use(&self->tables[KP_MPI_COMM], made->handle, NULL);
    return MPI_SUCCESS;
}

int MPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)
{
    KP_MPI_ENTER(Comm_idup);
    return copy_later(self, comm, MPI_INFO_NULL, newcomm, request);
}
KP_MPI_NAMES(Comm_idup);

int MPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request)
{
    KP_MPI_ENTER(Comm_idup_with_info);
    return copy_later(self, comm, info, newcomm, request);
}
KP_MPI_NAMES(Comm_idup_with_info);

/* --- Parts --- */

struct choice {
    int colour, key, rank;
};

static int by_key(const void *a, const void *b)
{
    const struct choice *one = a, *other = b;
    if (one->key != other->key)
        return one->key < other->key ? -1 : 1;
    return one->rank - other->rank;
}

int kp_mpi_comm_split(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int colour, int key,
                      uint64_t same, struct kp_mpi_comm **made)
{
    const struct choice mine = {colour, key, comm->rank};
    struct choice *all = malloc((size_t)comm->size * sizeof *all);
    int *numbers = malloc((size_t)comm->size * sizeof *numbers);
    int count = 0, error = MPI_SUCCESS;
    kp_group *group = comm->local ? comm->local : comm->group;
    *made = NULL;
    if (!all || !numbers)
        error = kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a communicator");
    else
        error = kp_mpi_share(self, comm, same, &mine, all, sizeof mine);
    if (!error && colour != MPI_UNDEFINED) {
        qsort(all, (size_t)comm->size, sizeof *all, by_key);
        for (int i = 0; i < comm->size; i++) {
            if (all[i].colour == colour)
                numbers[count++] = kp_group_processor(group, all[i].rank);
        }
        error = kp_mpi_comm_make(self, comm, numbers, count, made);
    }
    free(numbers);
    free(all);
    return error;
}

/* Stores the numbers of those of one side that chose the colour, by their keys. */
static int chosen(const struct kp_mpi_comm *comm, struct choice *side, int count, int colour,
                  int *numbers)
{
    int found = 0;
    qsort(side, (size_t)count, sizeof *side, by_key);
    for (int i = 0; i < count; i++) {
        if (side[i].colour == colour)
            numbers[found++] = kp_group_processor(comm->group, side[i].rank);
    }
    return found;
}

/* Makes the intercommunicator of those of both sides that chose the colour. There is none if a side
 * has nobody. `choices` and `numbers` have room for both sides. */
static int split_sides(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                       const struct choice *mine, struct choice *choices, int *numbers,
                       MPI_Comm *newcomm)
{
    const int first = comm->low ? comm->size : comm->peers;
    int *theirs = numbers + comm->size + comm->peers;
    struct kp_mpi_comm *local;
    kp_mpi_again(self);
    const int status = kp_concat(comm->inner, mine, choices, sizeof *mine, NULL);
    if (status)
        return kp_mpi_fail_by(self, comm, status);
    const int count = chosen(comm, choices + (comm->low ? 0 : first), comm->size, mine->colour,
                             numbers),
              their_count = chosen(comm, choices + (comm->low ? first : 0), comm->peers,
                                   mine->colour, theirs);
    if (mine->colour == MPI_UNDEFINED || their_count == 0)
        return MPI_SUCCESS;
    int error = kp_mpi_comm_make(self, comm, numbers, count, &local);
    if (error)
        return error;
    error =
        kp_mpi_intercomm_join(self, local, numbers, count, theirs, their_count, comm->low, newcomm);
    forget(self, local);
    return error;
}

static int split_inter(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int colour, int key,
                       MPI_Comm *newcomm)
{
    const size_t all = (size_t)comm->size + (size_t)comm->peers;
    const struct choice mine = {colour, key, comm->rank + (comm->low ? 0 : comm->peers)};
    struct choice *choices = malloc(all * sizeof *choices);
    int *numbers = malloc(2 * all * sizeof *numbers);
    *newcomm = MPI_COMM_NULL;
    int error = choices && numbers
                    ? kp_mpi_share(self, comm, 0, NULL, NULL, 0)
                    : kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a communicator");
    if (!error)
        error = split_sides(self, comm, &mine, choices, numbers, newcomm);
    free(numbers);
    free(choices);
    return error;
}

static int split(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int colour, int key,
                 MPI_Comm *newcomm)
{
    struct kp_mpi_comm *made;
    if (comm->inter)
        return split_inter(self, comm, colour, key, newcomm);
    const int error = kp_mpi_comm_split(self, comm, colour, key, 0, &made);
    *newcomm = made ? made->handle : MPI_COMM_NULL;
    return error;
}

int MPI_Comm_split(MPI_Comm handle, int color, int key, MPI_Comm *newcomm)
{
    KP_MPI_ENTER(Comm_split);
    KP_MPI_COMM_OF(handle);
    if (color < 0 && color != MPI_UNDEFINED)
        return kp_mpi_fail(self, comm, MPI_ERR_ARG,
                           "the color is %d; it may be 0 or more, or MPI_UNDEFINED", color);
    return split(self, comm, color, key, newcomm);
}
KP_MPI_NAMES(Comm_split);

static const char *split_type_name(int type)
{
    return type == MPI_COMM_TYPE_SHARED        ? "MPI_COMM_TYPE_SHARED"
           : type == MPI_COMM_TYPE_HW_UNGUIDED ? "MPI_COMM_TYPE_HW_UNGUIDED"
                                               : "MPI_COMM_TYPE_HW_GUIDED";
}

/* All ranks of the own side give the same type, or MPI_UNDEFINED. */
static int compare_types(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int type)
{
    int *all = malloc((size_t)comm->size * sizeof *all), first = -1;
    int error = all ? kp_mpi_share(self, comm, 0, &type, all, sizeof type)
                    : kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory to compare calls");
    for (int i = 0; i < comm->size && !error; i++) {
        if (all[i] == MPI_UNDEFINED)
            continue;
        first = first < 0 ? i : first;
        if (all[i] != all[first])
            error = kp_mpi_fail(self, comm, MPI_ERR_NOT_SAME,
                                "the types of the split differ: rank %d gives %s, rank %d gives %s",
                                first, split_type_name(all[first]), i, split_type_name(all[i]));
    }
    free(all);
    return error;
}

/* All ranks share memory, and no kind of hardware divides them. */
int MPI_Comm_split_type(MPI_Comm handle, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    KP_MPI_ENTER(Comm_split_type);
    KP_MPI_COMM_OF(handle);
    (void)info;
    if (split_type != MPI_UNDEFINED &&
        (split_type < MPI_COMM_TYPE_SHARED || split_type > MPI_COMM_TYPE_HW_GUIDED))
        return kp_mpi_fail(self, comm, MPI_ERR_ARG,
                           "the type of the split is %d, which is none of MPI_COMM_TYPE_...",
                           split_type);
    *newcomm = MPI_COMM_NULL;
    const int error = compare_types(self, comm, split_type);
    return error ? error
                 : split(self, comm, split_type == MPI_COMM_TYPE_SHARED ? 0 : MPI_UNDEFINED, key,
                         newcomm);
}
KP_MPI_NAMES(Comm_split_type);

/* Checks that the group's members are in the communicator. */
static int check_members(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                         const struct kp_mpi_group *group)
{
    kp_group *side = comm->local ? comm->local : comm->group;
    for (int i = 0; i < group->size; i++) {
        int rank = 0;
        while (rank < comm->size && kp_group_processor(side, rank) != group->numbers[i])
            rank++;
        if (rank == comm->size)
            return kp_mpi_fail(self, comm, MPI_ERR_GROUP,
                               "rank %d of the group (number %d in MPI_COMM_WORLD) is not in the "
                               "communicator",
                               i, group->numbers[i]);
    }
    return MPI_SUCCESS;
}

static uint64_t hash_of(const struct kp_mpi_group *group)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int i = 0; i < group->size; i++)
        hash = (hash ^ (uint64_t)group->numbers[i]) * UINT64_C(1099511628211);
    return hash;
}

/* Ranks may name different groups, but those of a group name the same one. */
static int compare_groups(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                          const struct kp_mpi_group *group)
{
    const uint64_t mine = hash_of(group);
    uint64_t *all = malloc((size_t)comm->size * sizeof *all);
    int error = all ? kp_mpi_share(self, comm, 0, &mine, all, sizeof mine)
                    : kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory to compare groups");
    for (int rank = 0; !error && rank < comm->size; rank++) {
        const int number = kp_group_processor(comm->group, rank);
        int at = all[rank] == mine ? group->size : 0;
        while (at < group->size && group->numbers[at] != number)
            at++;
        if (at < group->size)
            error =
                kp_mpi_fail(self, comm, MPI_ERR_NOT_SAME,
                            "rank %d is in the group, but makes the call with another group", rank);
    }
    free(all);
    return error;
}

static int create(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                  const struct kp_mpi_group *group, bool shares, int tag, MPI_Comm *newcomm)
{
    struct kp_mpi_comm *made;
    *newcomm = MPI_COMM_NULL;
    int error = check_members(self, comm, group);
    if (!error && shares)
        error = compare_groups(self, comm, group);
    if (error || group->rank == MPI_UNDEFINED)
        return error;
    error = kp_mpi_comm_make(self, comm, group->numbers, group->size, &made);
    if (!error && !shares)
        error = kp_mpi_share(self, made, (uint64_t)tag, NULL, NULL, 0);
    if (!error)
        *newcomm = made->handle;
    return error;
}

int MPI_Comm_create(MPI_Comm handle, MPI_Group group, MPI_Comm *newcomm)
{
    int error;
    KP_MPI_ENTER(Comm_create);
    KP_MPI_COMM_OF(handle);
    const struct kp_mpi_group *members = kp_mpi_group_of(self, group, &error);
    if (!members || (comm->inter && (error = check_members(self, comm, members))))
        return error;
    if (comm->inter)
        return split_inter(self, comm, members->rank == MPI_UNDEFINED ? MPI_UNDEFINED : 0,
                           members->rank, newcomm);
    return create(self, comm, members, true, 0, newcomm);
}
KP_MPI_NAMES(Comm_create);

int MPI_Comm_create_group(MPI_Comm handle, MPI_Group group, int tag, MPI_Comm *newcomm)
{
    int error;
    KP_MPI_ENTER(Comm_create_group);
    KP_MPI_COMM_OF(handle);
    const struct kp_mpi_group *members = kp_mpi_group_of(self, group, &error);
    if (!members)
        return error;
    if ((error = kp_mpi_check_intra(self, comm)))
        return error;
    if (tag < 0 || tag > KP_MPI_TAG_UB)
        return kp_mpi_fail(self, comm, MPI_ERR_TAG, "the tag is %d; it may be 0 ... %d", tag,
                           KP_MPI_TAG_UB);
    return create(self, comm, members, false, tag, newcomm);
}
KP_MPI_NAMES(Comm_create_group);

/* --- The end --- */

static int end(struct kp_mpi_rank *self, MPI_Comm *handle)
{
    KP_MPI_COMM_OF(*handle);
    if (comm->predefined)
        return kp_mpi_fail(self, comm, MPI_ERR_COMM, "%s may not be freed", comm->name);
    const struct kp_mpi_owner owner = owner_of(comm);
    const int late = kp_mpi_comm_end_call(self, comm);
    const int error = kp_mpi_attributes_delete(self, &owner);
    if (error)
        return error;
    forget(self, comm);
    *handle = MPI_COMM_NULL;
    return late;
}

int MPI_Comm_free(MPI_Comm *comm)
{
    KP_MPI_ENTER(Comm_free);
    return end(self, comm);
}
KP_MPI_NAMES(Comm_free);

int MPI_Comm_disconnect(MPI_Comm *comm)
{
    KP_MPI_ENTER(Comm_disconnect);
    return end(self, comm);
}
KP_MPI_NAMES(Comm_disconnect);

/* --- What is known of one --- */

static int list_of(const struct kp_mpi_comm *comm, int first, int count, int *numbers)
{
    for (int i = 0; i < count; i++)
        numbers[i] = kp_group_processor(comm->group, first + i);
    return count;
}

int MPI_Comm_compare(MPI_Comm comm1, MPI_Comm comm2, int *result)
{
    int error;
    KP_MPI_ENTER(Comm_compare);
    struct kp_mpi_comm *one = kp_mpi_comm_of(self, comm1, &error), *other = one;
    if (!one || !(other = kp_mpi_comm_of(self, comm2, &error)))
        return error;
    *result = one == other ? MPI_IDENT : MPI_UNEQUAL;
    if (one == other || one->inter != other->inter || one->size != other->size ||
        one->peers != other->peers)
        return MPI_SUCCESS;
    const int all = one->inter ? one->size + one->peers : one->size;
    int *lists = malloc(2 * (size_t)all * sizeof *lists);
    if (!lists)
        return kp_mpi_fail(self, one, MPI_ERR_NO_MEM, "no memory to compare communicators");
    list_of(one, 0, all, lists);
    list_of(other, 0, all, lists + all);
    *result = kp_mpi_compare_lists(lists, all, lists + all, all);
    *result = *result == MPI_IDENT ? MPI_CONGRUENT : *result;
    free(lists);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Comm_compare);

int MPI_Comm_test_inter(MPI_Comm handle, int *flag)
{
    KP_MPI_ENTER(Comm_test_inter);
    KP_MPI_COMM_OF(handle);
    *flag = comm->inter;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Comm_test_inter);

int MPI_Comm_remote_size(MPI_Comm handle, int *size)
{
    KP_MPI_ENTER(Comm_remote_size);
    KP_MPI_COMM_OF(handle);
    if (!comm->inter)
        return kp_mpi_fail(self, comm, MPI_ERR_COMM, "the communicator is no intercommunicator");
    *size = comm->peers;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Comm_remote_size);

int MPI_Comm_set_name(MPI_Comm handle, const char *name)
{
    KP_MPI_ENTER(Comm_set_name);
    KP_MPI_COMM_OF(handle);
    if (!name)
        return kp_mpi_fail(self, comm, MPI_ERR_ARG, "comm_name is NULL");
    snprintf(comm->name, sizeof comm->name, "%s", name);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Comm_set_name);

int MPI_Comm_get_name(MPI_Comm handle, char *name, int *length)
{
    KP_MPI_ENTER(Comm_get_name);
    KP_MPI_COMM_OF(handle);
    strcpy(name, comm->name);
    *length = (int)strlen(name);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Comm_get_name);

int MPI_Comm_get_parent(MPI_Comm *parent)
{
    (void)kp_mpi_enter("MPI_Comm_get_parent", __builtin_return_address(0));
    *parent = MPI_COMM_NULL;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Comm_get_parent);

int MPI_Comm_set_info(MPI_Comm handle, MPI_Info info)
{
    KP_MPI_ENTER(Comm_set_info);
    KP_MPI_COMM_OF(handle);
    return attach_info(self, comm, info);
}
KP_MPI_NAMES(Comm_set_info);

int MPI_Comm_get_info(MPI_Comm handle, MPI_Info *made)
{
    KP_MPI_ENTER(Comm_get_info);
    KP_MPI_COMM_OF(handle);
    return kp_mpi_info_copy(self, comm->info, made);
}
KP_MPI_NAMES(Comm_get_info);
