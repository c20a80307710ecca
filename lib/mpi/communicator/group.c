/* Groups. */
#include "lib/mpi/group.h"

#include "lib/mpi/comm.h"

#include <stdlib.h>
#include <string.h>

struct kp_mpi_group *kp_mpi_group_of(struct kp_mpi_rank *self, MPI_Group handle, int *error)
{
    struct kp_mpi_group *group = kp_mpi_find(&self->tables[KP_MPI_GROUP], KP_MPI_GROUP, handle);
    if (!group)
        *error = kp_mpi_fail(self, NULL, MPI_ERR_GROUP, "the group is %s",
                             handle == MPI_GROUP_NULL ? "MPI_GROUP_NULL"
                                                      : "not valid: it was freed, or never made");
    return group;
}

#define GROUP_OF(name, handle)                                                                     \
    int wrong_##name;                                                                              \
    struct kp_mpi_group *name = kp_mpi_group_of(self, handle, &wrong_##name);                      \
    if (!name)                                                                                     \
    return wrong_##name

struct kp_mpi_group *kp_mpi_group_make(int size)
{
    struct kp_mpi_group *group = malloc(sizeof *group + (size_t)size * sizeof group->numbers[0]);
    if (group)
        group->size = size;
    return group;
}

int kp_mpi_index_of(const int *numbers, int count, int number)
{
    for (int i = 0; i < count; i++) {
        if (numbers[i] == number)
            return i;
    }
    return -1;
}

int kp_mpi_group_give(struct kp_mpi_rank *self, struct kp_mpi_group *group, MPI_Group *handle)
{
    *handle = MPI_GROUP_NULL;
    if (group && group->size == 0) {
        free(group);
        *handle = MPI_GROUP_EMPTY;
        return MPI_SUCCESS;
    }
    if (group)
        *handle = kp_mpi_handle_make(&self->tables[KP_MPI_GROUP], KP_MPI_GROUP, group);
    if (!*handle) {
        free(group);
        return kp_mpi_fail(self, NULL, MPI_ERR_NO_MEM, "no memory for a group");
    }
    const int index = kp_mpi_index_of(group->numbers, group->size, self->number);
    group->rank = index < 0 ? MPI_UNDEFINED : index;
    group->handle = *handle;
    group->made = self->call;
    return MPI_SUCCESS;
}

bool kp_mpi_groups_begin(struct kp_mpi_rank *self)
{
    struct kp_mpi_group *empty = kp_mpi_group_make(0);
    if (!empty)
        return false;
    empty->rank = MPI_UNDEFINED;
    empty->handle = kp_mpi_handle_make(&self->tables[KP_MPI_GROUP], KP_MPI_GROUP, empty);
    return empty->handle;
}

void kp_mpi_groups_end(struct kp_mpi_rank *self)
{
    const struct kp_mpi_table *table = &self->tables[KP_MPI_GROUP];
    for (uint32_t i = 0; i < table->used; i++)
        free(table->slots[i].object);
}

int kp_mpi_compare_lists(const int *one, int one_count, const int *other, int other_count)
{
    if (one_count != other_count)
        return MPI_UNEQUAL;
    if (one_count == 0 || memcmp(one, other, (size_t)one_count * sizeof *one) == 0)
        return MPI_IDENT;
    for (int i = 0; i < one_count; i++) {
        if (kp_mpi_index_of(other, other_count, one[i]) < 0)
            return MPI_UNEQUAL;
    }
    return MPI_SIMILAR;
}

/* --- Functions of MPI --- */

int MPI_Group_size(MPI_Group handle, int *size)
{
    KP_MPI_ENTER(Group_size);
    GROUP_OF(group, handle);
    *size = group->size;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Group_size);

int MPI_Group_rank(MPI_Group handle, int *rank)
{
    KP_MPI_ENTER(Group_rank);
    GROUP_OF(group, handle);
    *rank = group->rank;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Group_rank);

int MPI_Group_free(MPI_Group *handle)
{
    KP_MPI_ENTER(Group_free);
    GROUP_OF(group, *handle);
    if (*handle != MPI_GROUP_EMPTY) {
        kp_mpi_handle_forget(&self->tables[KP_MPI_GROUP], *handle);
        free(group);
    }
    *handle = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Group_free);

int MPI_Group_compare(MPI_Group group1, MPI_Group group2, int *result)
{
    KP_MPI_ENTER(Group_compare);
    GROUP_OF(one, group1);
    GROUP_OF(other, group2);
    *result = kp_mpi_compare_lists(one->numbers, one->size, other->numbers, other->size);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Group_compare);

int MPI_Group_translate_ranks(MPI_Group group1, int n, const int ranks1[], MPI_Group group2,
                              int ranks2[])
{
    KP_MPI_ENTER(Group_translate_ranks);
    GROUP_OF(from, group1);
    GROUP_OF(to, group2);
    if (n < 0)
        return kp_mpi_fail(self, NULL, MPI_ERR_ARG, "n is %d; it may be 0 or more", n);
    for (int i = 0; i < n; i++) {
        if (ranks1[i] != MPI_PROC_NULL && (ranks1[i] < 0 || ranks1[i] >= from->size))
            return kp_mpi_fail(self, NULL, MPI_ERR_RANK,
                               "rank %d of the list is %d; it may be 0 ... %d, or MPI_PROC_NULL", i,
                               ranks1[i], from->size - 1);
        const int index = ranks1[i] == MPI_PROC_NULL
                              ? MPI_PROC_NULL
                              : kp_mpi_index_of(to->numbers, to->size, from->numbers[ranks1[i]]);
        ranks2[i] = index == -1 ? MPI_UNDEFINED : index;
    }
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Group_translate_ranks);

/* --- Sets --- */

/* Appends the numbers of `from` that are in `in`, or that are not, if `are` is false. */
static void append(struct kp_mpi_group *to, const struct kp_mpi_group *from,
                   const struct kp_mpi_group *in, bool are)
{
    for (int i = 0; i < from->size; i++) {
        if ((kp_mpi_index_of(in->numbers, in->size, from->numbers[i]) >= 0) == are)
            to->numbers[to->size++] = from->numbers[i];
    }
}

enum set {
    UNION,
    INTERSECTION,
    DIFFERENCE
};

static int combine(struct kp_mpi_rank *self, MPI_Group group1, MPI_Group group2, enum set set,
                   MPI_Group *made)
{
    GROUP_OF(one, group1);
    GROUP_OF(other, group2);
    struct kp_mpi_group *group = kp_mpi_group_make(one->size + other->size);
    if (group) {
        group->size = 0;
        if (set == UNION)
            append(group, one, one, true);
        else
            append(group, one, other, set == INTERSECTION);
        if (set == UNION)
            append(group, other, one, false);
    }
    return kp_mpi_group_give(self, group, made);
}

int MPI_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    KP_MPI_ENTER(Group_union);
    return combine(self, group1, group2, UNION, newgroup);
}
KP_MPI_NAMES(Group_union);

int MPI_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    KP_MPI_ENTER(Group_intersection);
    return combine(self, group1, group2, INTERSECTION, newgroup);
}
KP_MPI_NAMES(Group_intersection);

int MPI_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    KP_MPI_ENTER(Group_difference);
    return combine(self, group1, group2, DIFFERENCE, newgroup);
}
KP_MPI_NAMES(Group_difference);

/* --- Chosen ranks --- */

/* Checks a list of ranks: in range, none twice. `seen` has room for all ranks of the group. */
static int check_ranks(struct kp_mpi_rank *self, const struct kp_mpi_group *from, int n,
                       const int *ranks, char *seen)
{
    memset(seen, 0, (size_t)from->size + 1);
    for (int i = 0; i < n; i++) {
        if (ranks[i] < 0 || ranks[i] >= from->size)
            return kp_mpi_fail(self, NULL, MPI_ERR_RANK,
                               "rank %d of the list is %d; it may be 0 ... %d", i, ranks[i],
                               from->size - 1);
        if (seen[ranks[i]]++)
            return kp_mpi_fail(self, NULL, MPI_ERR_RANK, "the list names rank %d twice", ranks[i]);
    }
    return MPI_SUCCESS;
}

/* Makes a group of the ranks of a list, or of all others. */
static int choose(struct kp_mpi_rank *self, const struct kp_mpi_group *from, int n,
                  const int *ranks, bool others, MPI_Group *made)
{
    char *seen = malloc((size_t)from->size + 1);
    struct kp_mpi_group *group = seen ? kp_mpi_group_make(from->size) : NULL;
    int error = group ? check_ranks(self, from, n, ranks, seen) : MPI_SUCCESS;
    if (group && !error) {
        group->size = 0;
        for (int i = 0; i < n && !others; i++)
            group->numbers[group->size++] = from->numbers[ranks[i]];
        for (int i = 0; i < from->size && others; i++) {
            if (!seen[i])
                group->numbers[group->size++] = from->numbers[i];
        }
    }
    free(seen);
    if (!error)
        return kp_mpi_group_give(self, group, made);
    free(group);
    return error;
}

static int choose_list(struct kp_mpi_rank *self, MPI_Group handle, int n, const int *ranks,
                       bool others, MPI_Group *made)
{
    GROUP_OF(from, handle);
    if (n < 0 || n > from->size)
        return kp_mpi_fail(self, NULL, MPI_ERR_ARG, "n is %d; it may be 0 ... %d", n, from->size);
    return choose(self, from, n, ranks, others, made);
}

int MPI_Group_incl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup)
{
    KP_MPI_ENTER(Group_incl);
    return choose_list(self, group, n, ranks, false, newgroup);
}
KP_MPI_NAMES(Group_incl);

int MPI_Group_excl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup)
{
    KP_MPI_ENTER(Group_excl);
    return choose_list(self, group, n, ranks, true, newgroup);
}
KP_MPI_NAMES(Group_excl);

/* Writes the ranks of ranges (first, last, stride) to `ranks`, at most `most`. Returns their
 * number; -1 if a range is wrong. */
static int expand(int n, int ranges[][3], int *ranks, int most)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        const int first = ranges[i][0], last = ranges[i][1], stride = ranges[i][2];
        if (stride == 0 || (first != last && (last > first) != (stride > 0)))
            return -1;
        for (int r = first; stride > 0 ? r <= last : r >= last; r += stride) {
            if (count == most)
                return -1;
            ranks[count++] = r;
        }
    }
    return count;
}

static int choose_ranges(struct kp_mpi_rank *self, MPI_Group handle, int n, int ranges[][3],
                         bool others, MPI_Group *made)
{
    GROUP_OF(from, handle);
    int *ranks = malloc(((size_t)from->size + 1) * sizeof *ranks);
    if (!ranks)
        return kp_mpi_fail(self, NULL, MPI_ERR_NO_MEM, "no memory for a group");
    const int count = expand(n, ranges, ranks, from->size);
    const int error =
        count < 0 ? kp_mpi_fail(self, NULL, MPI_ERR_ARG,
                                "a range is wrong: (first, last, stride) with a stride that leads "
                                "from first to last, and no rank twice")
                  : choose(self, from, count, ranks, others, made);
    free(ranks);
    return error;
}

int MPI_Group_range_incl(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup)
{
    KP_MPI_ENTER(Group_range_incl);
    return choose_ranges(self, group, n, ranges, false, newgroup);
}
KP_MPI_NAMES(Group_range_incl);

int MPI_Group_range_excl(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup)
{
    KP_MPI_ENTER(Group_range_excl);
    return choose_ranges(self, group, n, ranges, true, newgroup);
}
KP_MPI_NAMES(Group_range_excl);

/* --- Groups of communicators --- */

/* `first` is the rank in the communicator's group of the first member. */
static int group_of_members(struct kp_mpi_rank *self, const struct kp_mpi_comm *comm, int first,
                            int count, MPI_Group *made)
{
    struct kp_mpi_group *group = kp_mpi_group_make(count);
    for (int i = 0; group && i < count; i++)
        group->numbers[i] = kp_group_processor(comm->group, first + i);
    return kp_mpi_group_give(self, group, made);
}

int MPI_Comm_group(MPI_Comm handle, MPI_Group *group)
{
    KP_MPI_ENTER(Comm_group);
    KP_MPI_COMM_OF(handle);
    return group_of_members(self, comm, comm->inter && !comm->low ? comm->peers : 0, comm->size,
                            group);
}
KP_MPI_NAMES(Comm_group);

int MPI_Comm_remote_group(MPI_Comm handle, MPI_Group *group)
{
    KP_MPI_ENTER(Comm_remote_group);
    KP_MPI_COMM_OF(handle);
    if (!comm->inter)
        return kp_mpi_fail(self, comm, MPI_ERR_COMM, "the communicator is no intercommunicator");
    return group_of_members(self, comm, comm->offset, comm->peers, group);
}
KP_MPI_NAMES(Comm_remote_group);
