/* Attributes of communicators and types, and info objects. */
#include "lib/mpi/job.h"

#include <mpi.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static int failures; /* of the only rank of a job */

#define CHECK(right)                                                                               \
    do {                                                                                           \
        if (!(right)) {                                                                            \
            failures++;                                                                            \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #right);                                     \
        }                                                                                          \
    } while (0)

static int run(int (*rank_main)(int rank, void *argument))
{
    const struct kp_mpi_job job = {.config = {.processors = 1}};
    int exit_status = -1;
    failures = 0;
    assert_int_equal(kp_mpi_run(&job, rank_main, NULL, NULL, &exit_status), 0);
    assert_int_equal(failures, 0);
    return exit_status;
}

/* --- Attributes of types --- */

/* What the program's functions have been called with. */
static int copied, deleted, values[3];
static int refuses; /* what the function that deletes returns */

static int copy(MPI_Datatype type, int keyval, void *extra, void *value, void *made, int *flag)
{
    static int twice;
    (void)type;
    (void)keyval;
    copied++;
    CHECK(extra == &copied);
    twice = 2 * *(int *)value;
    *(int **)made = &twice;
    *flag = *(int *)value > 0;
    return MPI_SUCCESS;
}

static int delete_one(MPI_Datatype type, int keyval, void *value, void *extra)
{
    (void)type;
    (void)keyval;
    (void)value;
    CHECK(extra == &copied);
    deleted++;
    return refuses;
}

static int attributes_of_types(int rank, void *argument)
{
    int key, other, *value = NULL, flag = -1;
    MPI_Datatype type, again;
    (void)rank;
    (void)argument;
    MPI_Init(NULL, NULL);
    MPI_Type_create_keyval(copy, delete_one, &key, &copied);
    MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &other, NULL);
    MPI_Type_contiguous(3, MPI_INT, &type);
    MPI_Type_get_attr(type, key, &value, &flag);
    CHECK(flag == 0);
    values[0] = 5;
    MPI_Type_set_attr(type, key, &values[0]);
    MPI_Type_set_attr(type, other, &values[1]);
    MPI_Type_get_attr(type, key, &value, &flag);
    CHECK(flag == 1 && value == &values[0]);
    MPI_Type_dup(type, &again);
    MPI_Type_get_attr(again, key, &value, &flag);
    CHECK(flag == 1 && *value == 10 && copied == 1);
    MPI_Type_get_attr(again, other, &value, &flag);
    CHECK(flag == 1 && value == &values[1]);
    MPI_Type_set_attr(type, key, &values[2]);
    CHECK(deleted == 1);
    MPI_Type_delete_attr(type, key);
    CHECK(deleted == 2);
    MPI_Type_get_attr(type, key, &value, &flag);
    CHECK(flag == 0);
    MPI_Type_free(&type);
    CHECK(deleted == 2);
    MPI_Type_free_keyval(&key);
    CHECK(key == MPI_KEYVAL_INVALID);
    MPI_Type_free(&again); /* which still has the attribute of the freed key */
    CHECK(deleted == 3);
    values[0] = 0;
    MPI_Type_create_keyval(copy, delete_one, &key, &copied);
    MPI_Type_set_attr(MPI_INT, key, &values[0]);
    MPI_Type_dup(MPI_INT, &again);
    MPI_Type_get_attr(again, key, &value, &flag);
    CHECK(flag == 0 && copied == 2);
    MPI_Type_free(&again);
    MPI_Type_delete_attr(MPI_INT, key);
    MPI_Finalize();
    return 0;
}

/* --- Attributes of communicators --- */

static int order[2], deletions;

static int note(MPI_Comm comm, int keyval, void *value, void *extra)
{
    int flag;
    (void)extra;
    (void)comm;
    MPI_Initialized(&flag); /* MPI is still there */
    CHECK(flag && value == &order[1]);
    order[deletions++ % 2] = keyval;
    return MPI_SUCCESS;
}

static int attributes_of_communicators(int rank, void *argument)
{
    int first, second, *value = NULL, flag = -1;
    (void)rank;
    (void)argument;
    MPI_Init(NULL, NULL);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, &flag);
    CHECK(flag == 1 && *value == 536870911); /* unusual/large_tag.c sends by the next one */
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &value, &flag);
    CHECK(flag == 1 && *value == 1);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, note, &first, NULL);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, note, &second, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, first, &order[1]);
    MPI_Comm_set_attr(MPI_COMM_SELF, second, &order[1]);
    /* A key that is freed serves as long as an attribute has it. */
    const int freed = first;
    MPI_Comm_free_keyval(&first);
    CHECK(first == MPI_KEYVAL_INVALID);
    MPI_Comm_get_attr(MPI_COMM_SELF, freed, &value, &flag);
    CHECK(flag == 1 && value == &order[1]);
    MPI_Comm_delete_attr(MPI_COMM_SELF, freed);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, note, &first, NULL);
    CHECK(first != freed);
    MPI_Comm_delete_attr(MPI_COMM_SELF, second);
    MPI_Comm_set_attr(MPI_COMM_SELF, first, &order[1]);
    MPI_Comm_set_attr(MPI_COMM_SELF, second, &order[1]);
    deletions = 0;
    MPI_Finalize();
    CHECK(deletions == 2 && order[0] == second && order[1] == first);
    return 0;
}

/* --- Info objects --- */

static int infos(int rank, void *argument)
{
    MPI_Info info, again;
    char value[MPI_MAX_INFO_VAL + 1], key[MPI_MAX_INFO_KEY + 1];
    int flag, count, length;
    (void)rank;
    (void)argument;
    MPI_Init(NULL, NULL);
    MPI_Info_create(&info);
    MPI_Info_set(info, "b", "one");
    MPI_Info_set(info, "a", "two");
    MPI_Info_set(info, "b", "three");
    MPI_Info_get_nkeys(info, &count);
    CHECK(count == 2);
    MPI_Info_get_nthkey(info, 0, key);
    CHECK(strcmp(key, "b") == 0);
    MPI_Info_dup(info, &again);
    MPI_Info_delete(info, "b");
    MPI_Info_get(info, "b", 5, value, &flag);
    CHECK(flag == 0);
    MPI_Info_get(again, "b", 3, value, &flag);
    CHECK(flag == 1 && strcmp(value, "thr") == 0);
    length = 3;
    MPI_Info_get_string(again, "b", &length, value, &flag);
    CHECK(flag == 1 && strcmp(value, "th") == 0 && length == 6);
    MPI_Info_get_valuelen(again, "a", &length, &flag);
    CHECK(flag == 1 && length == 3);
    MPI_Info_get(MPI_INFO_ENV, "maxprocs", 9, value, &flag);
    CHECK(flag == 1 && strcmp(value, "1") == 0);
    MPI_Info_free(&again);
    MPI_Info_free(&info);
    CHECK(info == MPI_INFO_NULL);
    MPI_Finalize();
    return 0;
}

static void test_attributes_of_types(void **state)
{
    (void)state;
    assert_int_equal(run(attributes_of_types), 0);
}

static void test_attributes_of_communicators(void **state)
{
    (void)state;
    assert_int_equal(run(attributes_of_communicators), 0);
}

static void test_infos(void **state)
{
    (void)state;
    assert_int_equal(run(infos), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_attributes_of_types),
                                       cmocka_unit_test(test_attributes_of_communicators),
                                       cmocka_unit_test(test_infos)};
    return cmocka_run_group_tests_name("mpi objects", tests, NULL, NULL);
}
