/* Every predefined operator on every predefined type, beside C's own operators: which pairs are
 * known, and what MPI_Reduce_local computes. */
#include "lib/mpi/job.h"

#include <complex.h>
#include <mpi.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* --- The standard's table --- */

enum group {
    OTHER,
    INTEGER,
    FORTRAN_INTEGER,
    FLOATING,
    LOGICAL,
    COMPLEX,
    BYTES,
    PAIR
};

static bool knows(MPI_Op op, enum group group)
{
    const bool whole = group == INTEGER || group == FORTRAN_INTEGER;
    if (op == MPI_MAX || op == MPI_MIN)
        return whole || group == FLOATING;
    if (op == MPI_SUM || op == MPI_PROD)
        return whole || group == FLOATING || group == COMPLEX;
    if (op == MPI_LAND || op == MPI_LOR || op == MPI_LXOR)
        return group == INTEGER || group == LOGICAL;
    if (op == MPI_BAND || op == MPI_BOR || op == MPI_BXOR)
        return whole || group == BYTES;
    return (op == MPI_MINLOC || op == MPI_MAXLOC) && group == PAIR;
}

#define OPS (int)(sizeof ops / sizeof ops[0])
static const MPI_Op ops[] = {MPI_MAX, MPI_MIN,  MPI_SUM,  MPI_PROD,   MPI_LAND,   MPI_BAND, MPI_LOR,
                             MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC, MPI_NO_OP};

static int failures;

static void check(bool right, MPI_Datatype type, MPI_Op op, const char *what)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    if (right)
        return;
    failures++;
    MPI_Type_get_name(type, name, &length);
    printf("%s, operator %d: %s\n", name, (int)((intptr_t)op / 16), what);
}

/* --- What C computes --- */

#define COUNT 6

#define WHOLE_NUMBERS(T, a, b, op, result)                                                         \
    do {                                                                                           \
        result = op == MPI_MAX    ? ((a) > (b) ? (a) : (b))                                        \
                 : op == MPI_MIN  ? ((a) < (b) ? (a) : (b))                                        \
                 : op == MPI_SUM  ? (T)((uint64_t)(a) + (uint64_t)(b))                             \
                 : op == MPI_PROD ? (T)((uint64_t)(a) * (uint64_t)(b))                             \
                 : op == MPI_LAND ? (T)((a) && (b))                                                \
                 : op == MPI_LOR  ? (T)((a) || (b))                                                \
                 : op == MPI_LXOR ? (T)(!(a) != !(b))                                              \
                 : op == MPI_BAND ? (T)((a) & (b))                                                 \
                 : op == MPI_BOR  ? (T)((a) | (b))                                                 \
                                  : (T)((a) ^ (b));                                                 \
    } while (0)
#define REALS(T, a, b, op, result)                                                                 \
    do {                                                                                           \
        result = op == MPI_MAX   ? ((a) > (b) ? (a) : (b))                                         \
                 : op == MPI_MIN ? ((a) < (b) ? (a) : (b))                                         \
                 : op == MPI_SUM ? (T)((a) + (b))                                                  \
                                 : (T)((a) * (b));                                                 \
    } while (0)
#define COMPLEXES(T, a, b, op, result)                                                             \
    do {                                                                                           \
        result = op == MPI_SUM ? (T)((a) + (b)) : (T)((a) * (b));                                  \
    } while (0)
#define TRUTHS(T, a, b, op, result)                                                                \
    do {                                                                                           \
        result = op == MPI_LAND  ? (T)((a) && (b))                                                 \
                 : op == MPI_LOR ? (T)((a) || (b))                                                 \
                                 : (T)(!(a) != !(b));                                              \
    } while (0)

static const int left_values[COUNT] = {0, 1, 3, 7, 100, 2},
                 right_values[COUNT] = {0, 0, 5, 1, 2, 9};

/* Writes a function that checks all operators on one type. */
#define CHECK(NAME, T, COMPUTE, GROUP)                                                             \
    static void check_##NAME(MPI_Datatype type)                                                    \
    {                                                                                              \
        for (int i = 0; i < OPS; i++) {                                                            \
            T left[COUNT], right[COUNT];                                                           \
            bool equal = true;                                                                     \
            for (int j = 0; j < COUNT; j++) {                                                      \
                left[j] = (T)left_values[j];                                                       \
                right[j] = (T)right_values[j];                                                     \
            }                                                                                      \
            const int class = MPI_Reduce_local(left, right, COUNT, type, ops[i]);                  \
            check(knows(ops[i], GROUP) == (class == MPI_SUCCESS), type, ops[i], "is it known?");   \
            check(class == MPI_SUCCESS || class == MPI_ERR_OP, type, ops[i], "the class");         \
            for (int j = 0; j < COUNT && class == MPI_SUCCESS; j++) {                              \
                const T a = (T)left_values[j], b = (T)right_values[j];                             \
                T result;                                                                          \
                COMPUTE(T, a, b, ops[i], result);                                                  \
                equal = equal && right[j] == result;                                               \
            }                                                                                      \
            check(equal, type, ops[i], "the result");                                              \
        }                                                                                          \
    }

CHECK(schar, signed char, WHOLE_NUMBERS, INTEGER)
CHECK(char, char, WHOLE_NUMBERS, INTEGER)
CHECK(uchar, unsigned char, WHOLE_NUMBERS, INTEGER)
CHECK(short, short, WHOLE_NUMBERS, INTEGER)
CHECK(ushort, unsigned short, WHOLE_NUMBERS, INTEGER)
CHECK(int, int, WHOLE_NUMBERS, INTEGER)
CHECK(unsigned, unsigned, WHOLE_NUMBERS, INTEGER)
CHECK(long, long, WHOLE_NUMBERS, INTEGER)
CHECK(ulong, unsigned long, WHOLE_NUMBERS, INTEGER)
CHECK(llong, long long, WHOLE_NUMBERS, INTEGER)
CHECK(ullong, unsigned long long, WHOLE_NUMBERS, INTEGER)
CHECK(integer1, int8_t, WHOLE_NUMBERS, FORTRAN_INTEGER)
CHECK(integer2, int16_t, WHOLE_NUMBERS, FORTRAN_INTEGER)
CHECK(integer4, int32_t, WHOLE_NUMBERS, FORTRAN_INTEGER)
CHECK(integer8, int64_t, WHOLE_NUMBERS, FORTRAN_INTEGER)
CHECK(byte, unsigned char, WHOLE_NUMBERS, BYTES)
CHECK(float, float, REALS, FLOATING)
CHECK(double, double, REALS, FLOATING)
CHECK(long_double, long double, REALS, FLOATING)
CHECK(float_complex, float _Complex, COMPLEXES, COMPLEX)
CHECK(double_complex, double _Complex, COMPLEXES, COMPLEX)
CHECK(long_double_complex, long double _Complex, COMPLEXES, COMPLEX)
CHECK(bool, bool, TRUTHS, LOGICAL)
CHECK(logical, int, TRUTHS, LOGICAL)
CHECK(character, char, TRUTHS, OTHER)
CHECK(wchar, wchar_t, TRUTHS, OTHER)
CHECK(packed, char, TRUTHS, OTHER)

/* --- Pairs --- */

#define CHECK_PAIR(NAME, T, INDEX)                                                                 \
    static void check_##NAME(MPI_Datatype type)                                                    \
    {                                                                                              \
        struct {                                                                                   \
            T value;                                                                               \
            INDEX index;                                                                           \
        } left[3], right[3];                                                                       \
        for (int i = 0; i < OPS; i++) {                                                            \
            const bool least = ops[i] == MPI_MINLOC;                                               \
            for (int j = 0; j < 3; j++) {                                                          \
                left[j].value = (T)(j + 1);                                                        \
                left[j].index = 7;                                                                 \
                right[j].value = 2;                                                                \
                right[j].index = 5;                                                                \
            }                                                                                      \
            const int class = MPI_Reduce_local(left, right, 3, type, ops[i]);                      \
            check(knows(ops[i], PAIR) == (class == MPI_SUCCESS), type, ops[i], "is it known?");    \
            if (class)                                                                             \
                continue;                                                                          \
            check(right[0].value == (least ? 1 : 2) && right[0].index == (least ? 7 : 5) &&        \
                      right[1].value == 2 && right[1].index == 5 &&                                \
                      right[2].value == (least ? 2 : 3) && right[2].index == (least ? 5 : 7),      \
                  type, ops[i], "the pair");                                                       \
        }                                                                                          \
    }

CHECK_PAIR(short_int, short, int)
CHECK_PAIR(two_int, int, int)
CHECK_PAIR(long_int, long, int)
CHECK_PAIR(float_int, float, int)
CHECK_PAIR(double_int, double, int)
CHECK_PAIR(long_double_int, long double, int)
CHECK_PAIR(two_real, float, float)
CHECK_PAIR(two_double, double, double)

/* --- All types --- */

static const struct {
    MPI_Datatype type;
    void (*check)(MPI_Datatype type);
} types[] = {
    {MPI_CHAR, check_char},
    {MPI_SIGNED_CHAR, check_schar},
    {MPI_UNSIGNED_CHAR, check_uchar},
    {MPI_SHORT, check_short},
    {MPI_UNSIGNED_SHORT, check_ushort},
    {MPI_INT, check_int},
    {MPI_UNSIGNED, check_unsigned},
    {MPI_LONG, check_long},
    {MPI_UNSIGNED_LONG, check_ulong},
    {MPI_LONG_LONG, check_llong},
    {MPI_UNSIGNED_LONG_LONG, check_ullong},
    {MPI_INT8_T, check_schar},
    {MPI_UINT8_T, check_uchar},
    {MPI_INT16_T, check_short},
    {MPI_UINT16_T, check_ushort},
    {MPI_INT32_T, check_int},
    {MPI_UINT32_T, check_unsigned},
    {MPI_INT64_T, check_llong},
    {MPI_UINT64_T, check_ullong},
    {MPI_OFFSET, check_llong},
    {MPI_COUNT, check_llong},
    {MPI_INTEGER, check_integer4},
    {MPI_INTEGER1, check_integer1},
    {MPI_INTEGER2, check_integer2},
    {MPI_INTEGER4, check_integer4},
    {MPI_INTEGER8, check_integer8},
    {MPI_BYTE, check_byte},
    {MPI_FLOAT, check_float},
    {MPI_REAL, check_float},
    {MPI_REAL4, check_float},
    {MPI_DOUBLE, check_double},
    {MPI_DOUBLE_PRECISION, check_double},
    {MPI_REAL8, check_double},
    {MPI_LONG_DOUBLE, check_long_double},
    {MPI_C_COMPLEX, check_float_complex},
    {MPI_CXX_FLOAT_COMPLEX, check_float_complex},
    {MPI_COMPLEX, check_float_complex},
    {MPI_COMPLEX8, check_float_complex},
    {MPI_C_DOUBLE_COMPLEX, check_double_complex},
    {MPI_CXX_DOUBLE_COMPLEX, check_double_complex},
    {MPI_DOUBLE_COMPLEX, check_double_complex},
    {MPI_COMPLEX16, check_double_complex},
    {MPI_C_LONG_DOUBLE_COMPLEX, check_long_double_complex},
    {MPI_CXX_LONG_DOUBLE_COMPLEX, check_long_double_complex},
    {MPI_C_BOOL, check_bool},
    {MPI_CXX_BOOL, check_bool},
    {MPI_LOGICAL, check_logical},
    {MPI_CHARACTER, check_character},
    {MPI_WCHAR, check_wchar},
    {MPI_PACKED, check_packed},
    {MPI_SHORT_INT, check_short_int},
    {MPI_2INT, check_two_int},
    {MPI_LONG_INT, check_long_int},
    {MPI_FLOAT_INT, check_float_int},
    {MPI_DOUBLE_INT, check_double_int},
    {MPI_LONG_DOUBLE_INT, check_long_double_int},
    {MPI_2INTEGER, check_two_int},
    {MPI_2REAL, check_two_real},
    {MPI_2DOUBLE_PRECISION, check_two_double},
};

static int predefined(int rank, void *argument)
{
    (void)rank;
    (void)argument;
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        types[i].check(types[i].type);
    MPI_Finalize();
    return failures > 0;
}

/* --- Operators of a program --- */

/* Appends the left digits to the right ones: 12 after 3 is 123 if both are read from the left. */
static void append(void *in, void *inout, int *count, MPI_Datatype *type)
{
    long *left = in, *right = inout;
    MPI_Aint lower, extent;
    MPI_Type_get_extent(*type, &lower, &extent);
    for (int i = 0; i < *count; i++) {
        long *a = (long *)((char *)left + i * extent), *b = (long *)((char *)right + i * extent);
        *b = *a * 10 + *b;
    }
}

static int programs(int rank, void *argument)
{
    int commutes = -1;
    long in[4] = {1, -1, 2, -1}, inout[4] = {3, -2, 4, -2};
    MPI_Datatype spaced;
    MPI_Op op;
    (void)rank;
    (void)argument;
    MPI_Init(NULL, NULL);
    MPI_Type_create_resized(MPI_LONG, 0, 2 * sizeof(long), &spaced);
    MPI_Type_commit(&spaced);
    MPI_Op_create(append, 0, &op);
    MPI_Op_commutative(op, &commutes);
    const int status = MPI_Reduce_local(in, inout, 2, spaced, op);
    const bool right = !status && commutes == 0 && inout[0] == 13 && inout[1] == -2 &&
                       inout[2] == 24 && inout[3] == -2;
    MPI_Op_free(&op);
    MPI_Type_free(&spaced);
    const bool freed = op == MPI_OP_NULL && spaced == MPI_DATATYPE_NULL;
    MPI_Op_commutative(MPI_SUM, &commutes);
    MPI_Finalize();
    return !(right && freed && commutes == 1);
}

/* Many calls are refused, and each of them is told. */
static void be_silent(void *argument, const struct kp_finding *finding)
{
    (void)argument;
    if (strcmp(finding->kind, "argument") != 0)
        printf("%s\n", finding->sentence);
}

static void run(int (*rank_main)(int rank, void *argument))
{
    const struct kp_mpi_job job = {.config = {.processors = 1}, .tell = be_silent};
    int exit_status = -1;
    assert_int_equal(kp_mpi_run(&job, rank_main, NULL, NULL, &exit_status), 0);
    assert_int_equal(exit_status, 0);
}

static void test_predefined_operators(void **state)
{
    (void)state;
    run(predefined);
}

static void test_operators_of_a_program(void **state)
{
    (void)state;
    run(programs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_predefined_operators),
                                       cmocka_unit_test(test_operators_of_a_program)};
    return cmocka_run_group_tests_name("mpi operators", tests, NULL, NULL);
}
