/* The predefined types. */
#include "lib/layout/face.h"
#include "lib/mpi/datatype/data.h"

#include <wchar.h>

#define SIGNED_TYPE(T)                                                                             \
    (sizeof(T) == 1 ? KP_INT8 : sizeof(T) == 2 ? KP_INT16 : sizeof(T) == 4 ? KP_INT32 : KP_INT64)
#define IS_SIGNED(T) ((T)-1 < (T)1)
/* kport's unsigned types come in the same order as the signed ones. */
#define INTEGER_TYPE(T) (IS_SIGNED(T) ? SIGNED_TYPE(T) : SIGNED_TYPE(T) - KP_INT8 + KP_UINT8)

/* A type with one leaf: its name, C type, kp_type, bytes in external32, class, the numbers in an
 * element, and their form. */
#define ONE(NAME, T, TYPE, EXTERNAL, CLASS, NUMBERS, FORM)                                         \
    [KP_MPI_BASIC_##NAME] = {.name = "MPI_" #NAME,                                                 \
                             .class = KP_MPI_##CLASS##_CLASS,                                      \
                             .type = TYPE,                                                         \
                             .leaf = {{TYPE, FORM, sizeof(T) / (NUMBERS), EXTERNAL, NUMBERS}},     \
                             .leaves = 1,                                                          \
                             .extent = sizeof(T),                                                  \
                             .alignment = _Alignof(T)}
#define INTEGER(NAME, T, EXTERNAL, CLASS)                                                          \
    ONE(NAME, T, INTEGER_TYPE(T), EXTERNAL, CLASS, 1,                                              \
        IS_SIGNED(T) ? KP_MPI_SIGNED : KP_MPI_UNSIGNED)
#define FLOATING(NAME, T, TYPE, EXTERNAL) ONE(NAME, T, TYPE, EXTERNAL, FLOATING, 1, KP_MPI_FLOATING)
#define COMPLEX(NAME, T, TYPE, EXTERNAL)                                                           \
    ONE(NAME, T _Complex, TYPE, EXTERNAL, COMPLEX, 2, KP_MPI_FLOATING)

/* A type with two leaves: the C types of its members, their kp_types, bytes in external32 and
 * forms, and the kp_type of the pair. */
#define PAIR(NAME, A, B, TYPE_A, TYPE_B, EXTERNAL_A, EXTERNAL_B, FORM_A, FORM_B, TYPE)             \
    [KP_MPI_BASIC_##NAME] = {.name = "MPI_" #NAME,                                                 \
                             .class = KP_MPI_PAIR_CLASS,                                           \
                             .type = TYPE,                                                         \
                             .leaf = {{TYPE_A, KP_MPI_##FORM_A, sizeof(A), EXTERNAL_A, 1},         \
                                      {TYPE_B, KP_MPI_##FORM_B, sizeof(B), EXTERNAL_B, 1}},        \
                             .leaves = 2,                                                          \
                             .second = offsetof(struct A##_and_##B, second),                       \
                             .extent = sizeof(struct A##_and_##B),                                 \
                             .alignment = _Alignof(struct A##_and_##B)}
#define MEMBERS(A, B)                                                                              \
    struct A##_and_##B {                                                                           \
        A first;                                                                                   \
        B second;                                                                                  \
    }
typedef long double long_double;
MEMBERS(short, int);
MEMBERS(int, int);
MEMBERS(long, int);
MEMBERS(float, int);
MEMBERS(double, int);
MEMBERS(long_double, int);
MEMBERS(float, float);
MEMBERS(double, double);

#define LONG_INT_TYPE (sizeof(long) == 8 ? KP_INT64_INT : KP_INT32_INT)

const struct kp_mpi_basic kp_mpi_basics[KP_MPI_TYPE_COUNT] = {
    INTEGER(CHAR, char, 1, INTEGER),
    INTEGER(SIGNED_CHAR, signed char, 1, INTEGER),
    INTEGER(UNSIGNED_CHAR, unsigned char, 1, INTEGER),
    INTEGER(WCHAR, wchar_t, 2, NO),
    INTEGER(SHORT, short, 2, INTEGER),
    INTEGER(UNSIGNED_SHORT, unsigned short, 2, INTEGER),
    INTEGER(INT, int, 4, INTEGER),
    INTEGER(UNSIGNED, unsigned, 4, INTEGER),
    INTEGER(LONG, long, 4, INTEGER),
    INTEGER(UNSIGNED_LONG, unsigned long, 4, INTEGER),
    INTEGER(LONG_LONG_INT, long long, 8, INTEGER),
    INTEGER(UNSIGNED_LONG_LONG, unsigned long long, 8, INTEGER),
    INTEGER(INT8_T, int8_t, 1, INTEGER),
    INTEGER(INT16_T, int16_t, 2, INTEGER),
    INTEGER(INT32_T, int32_t, 4, INTEGER),
    INTEGER(INT64_T, int64_t, 8, INTEGER),
    INTEGER(UINT8_T, uint8_t, 1, INTEGER),
    INTEGER(UINT16_T, uint16_t, 2, INTEGER),
    INTEGER(UINT32_T, uint32_t, 4, INTEGER),
    INTEGER(UINT64_T, uint64_t, 8, INTEGER),
    INTEGER(AINT, MPI_Aint, 8, INTEGER),
    INTEGER(OFFSET, MPI_Offset, 8, INTEGER),
    INTEGER(COUNT, MPI_Count, 8, INTEGER),
    INTEGER(LOGICAL, int, 4, LOGICAL),
    INTEGER(INTEGER, int, 4, FORTRAN_INTEGER),
    INTEGER(INTEGER1, int8_t, 1, FORTRAN_INTEGER),
    INTEGER(INTEGER2, int16_t, 2, FORTRAN_INTEGER),
    INTEGER(INTEGER4, int32_t, 4, FORTRAN_INTEGER),
    INTEGER(INTEGER8, int64_t, 8, FORTRAN_INTEGER),
    [KP_MPI_BASIC_BYTE] = {.name = "MPI_BYTE",
                           .class = KP_MPI_BYTE_CLASS,
                           .type = KP_UINT8,
                           .leaf = {{-1, KP_MPI_BYTES, 1, 1, 1}},
                           .leaves = 1,
                           .extent = 1,
                           .alignment = 1},
    ONE(PACKED, unsigned char, -1, 1, NO, 1, KP_MPI_BYTES),
    ONE(CHARACTER, char, KP_INT8, 1, NO, 1, KP_MPI_BYTES),
    ONE(C_BOOL, bool, KP_BOOL, 1, LOGICAL, 1, KP_MPI_UNSIGNED),
    ONE(CXX_BOOL, bool, KP_BOOL, 1, LOGICAL, 1, KP_MPI_UNSIGNED),
    FLOATING(FLOAT, float, KP_FLOAT32, 4),
    FLOATING(DOUBLE, double, KP_FLOAT64, 8),
    FLOATING(LONG_DOUBLE, long double, KP_LONG_DOUBLE, 16),
    FLOATING(REAL, float, KP_FLOAT32, 4),
    FLOATING(REAL4, float, KP_FLOAT32, 4),
    FLOATING(REAL8, double, KP_FLOAT64, 8),
    FLOATING(DOUBLE_PRECISION, double, KP_FLOAT64, 8),
    COMPLEX(C_FLOAT_COMPLEX, float, KP_COMPLEX_FLOAT32, 4),
    COMPLEX(C_DOUBLE_COMPLEX, double, KP_COMPLEX_FLOAT64, 8),
    COMPLEX(C_LONG_DOUBLE_COMPLEX, long double, KP_COMPLEX_LONG_DOUBLE, 16),
    COMPLEX(CXX_FLOAT_COMPLEX, float, KP_COMPLEX_FLOAT32, 4),
    COMPLEX(CXX_DOUBLE_COMPLEX, double, KP_COMPLEX_FLOAT64, 8),
    COMPLEX(CXX_LONG_DOUBLE_COMPLEX, long double, KP_COMPLEX_LONG_DOUBLE, 16),
    COMPLEX(COMPLEX, float, KP_COMPLEX_FLOAT32, 4),
    COMPLEX(COMPLEX8, float, KP_COMPLEX_FLOAT32, 4),
    COMPLEX(COMPLEX16, double, KP_COMPLEX_FLOAT64, 8),
    COMPLEX(DOUBLE_COMPLEX, double, KP_COMPLEX_FLOAT64, 8),
    PAIR(SHORT_INT, short, int, KP_INT16, KP_INT32, 2, 4, SIGNED, SIGNED, KP_INT16_INT),
    PAIR(2INT, int, int, KP_INT32, KP_INT32, 4, 4, SIGNED, SIGNED, KP_INT32_INT),
    PAIR(LONG_INT, long, int, SIGNED_TYPE(long), KP_INT32, 4, 4, SIGNED, SIGNED, LONG_INT_TYPE),
    PAIR(FLOAT_INT, float, int, KP_FLOAT32, KP_INT32, 4, 4, FLOATING, SIGNED, KP_FLOAT32_INT),
    PAIR(DOUBLE_INT, double, int, KP_FLOAT64, KP_INT32, 8, 4, FLOATING, SIGNED, KP_FLOAT64_INT),
    PAIR(LONG_DOUBLE_INT, long_double, int, KP_LONG_DOUBLE, KP_INT32, 16, 4, FLOATING, SIGNED,
         KP_LONG_DOUBLE_INT),
    PAIR(2INTEGER, int, int, KP_INT32, KP_INT32, 4, 4, SIGNED, SIGNED, KP_INT32_INT),
    PAIR(2REAL, float, float, KP_FLOAT32, KP_FLOAT32, 4, 4, FLOATING, FLOATING, -1),
    PAIR(2DOUBLE_PRECISION, double, double, KP_FLOAT64, KP_FLOAT64, 8, 8, FLOATING, FLOATING, -1),
    [KP_MPI_BASIC_LB] = {.name = "MPI_LB", .type = -1, .alignment = 1},
    [KP_MPI_BASIC_UB] = {.name = "MPI_UB", .type = -1, .alignment = 1},
};

static const kp_layout *layout_of_leaf(const struct kp_mpi_leaf *leaf)
{
    return leaf->type < 0 ? NULL : kp_layout_of((kp_type)leaf->type);
}

const kp_layout *kp_mpi_basic_layout(const struct kp_mpi_basic *basic)
{
    const kp_layout *const leaves[] = {layout_of_leaf(&basic->leaf[0]),
                                       layout_of_leaf(&basic->leaf[1])};
    const ptrdiff_t places[] = {0, basic->second};
    kp_layout *all = NULL, *made = NULL;
    if (kp_layout_struct(basic->leaves, NULL, places, leaves, &all) == 0)
        (void)kp_face_layout_bounded(all, 0, (ptrdiff_t)basic->extent, basic->name, &made);
    kp_layout_free(all);
    return made;
}
