/* What a datatype consists of. A type is a tree: a derived type is made of groups of blocks of
 * other types, and the leaves are in the predefined types. */
#ifndef KPORT_MPI_TYPE_DATA_H
#define KPORT_MPI_TYPE_DATA_H

#include "lib/mpi/type.h"

/* --- The leaves --- */

/* What the bytes of a leaf mean. */
enum kp_mpi_form {
    KP_MPI_BYTES, /* they are copied, and never converted */
    KP_MPI_SIGNED,
    KP_MPI_UNSIGNED,
    KP_MPI_FLOATING
};

/* A number, or several of one form: a complex number has two. */
struct kp_mpi_leaf {
    int type; /* a kp_type, or -1 for a byte without a type */
    enum kp_mpi_form form;
    unsigned char bytes;    /* of a number, in memory */
    unsigned char external; /* of a number, in the representation external32 */
    unsigned char numbers;
};

/* The groups of types in the standard's table of operators. */
enum kp_mpi_class {
    KP_MPI_NO_CLASS,
    KP_MPI_INTEGER_CLASS, /* C's integers, and those of several languages */
    KP_MPI_FORTRAN_INTEGER_CLASS,
    KP_MPI_FLOATING_CLASS,
    KP_MPI_LOGICAL_CLASS,
    KP_MPI_COMPLEX_CLASS,
    KP_MPI_BYTE_CLASS,
    KP_MPI_PAIR_CLASS,
    KP_MPI_CLASSES
};

/* A predefined type: one leaf, or two. MPI_LB and MPI_UB have none. */
struct kp_mpi_basic {
    const char *name;
    enum kp_mpi_class class;
    int type; /* the kp_type of the whole in reductions, or -1 */
    struct kp_mpi_leaf leaf[2];
    size_t leaves;
    ptrdiff_t second; /* the offset of the second leaf */
    size_t extent, alignment;
};

/* The numbers of the predefined types, which are those of their handles. */
enum {
#define KP_MPI_NUMBER(name, number) KP_MPI_BASIC_##name = (number),
    KP_MPI_TYPES(KP_MPI_NUMBER)
#undef KP_MPI_NUMBER
};
extern const struct kp_mpi_basic kp_mpi_basics[KP_MPI_TYPE_COUNT];

/* --- Derived types --- */

struct kp_mpi_bounds {
    ptrdiff_t lower, upper;           /* MPI's lower bound and upper bound */
    ptrdiff_t true_lower, true_upper; /* of the data */
    bool lower_set, upper_set;        /* the type has a mark for the bound, which counts alone */
    bool any_data;
    size_t alignment; /* the strictest of the leaves */
};

/* `count` groups of blocks. The blocks of a group are one extent apart. */
struct kp_mpi_map {
    size_t count;
    size_t length;     /* the blocks of each group */
    ptrdiff_t step;    /* from group to group, in bytes */
    size_t *lengths;   /* of each group, in place of `length`, if not NULL */
    ptrdiff_t *places; /* of each group in bytes, in place of `step`, if not NULL */
    struct kp_mpi_type *of;
    struct kp_mpi_type **fields; /* of each group, in place of `of`, if not NULL */
};

/* How a type was made. It never changes; types that are alike may share it. */
struct kp_mpi_type_contents {
    int holders;
    const struct kp_mpi_basic *basic; /* NULL: a derived type */
    size_t leaves;
    struct kp_mpi_bounds bounds;
    struct kp_mpi_map map;
    /* What MPI_Type_get_contents returns. */
    int combiner;
    size_t integers, addresses, counts, types;
    int *integer;
    MPI_Aint *address;
    MPI_Count *large; /* counts of a function whose name ends with _c */
    struct kp_mpi_type **type;
};

/* --- Making (make.c) --- */

/* Makes a type with the groups of `map`, without a handle. Takes the memory of the map's arrays,
 * also if it fails, and adds holders of its own to the types in the map. Returns 0 or the class of
 * an error that is reported, as all functions here do. */
int kp_mpi_type_of_map(struct kp_mpi_rank *self, const struct kp_mpi_map *map,
                       struct kp_mpi_type **made);

/* Makes a type of `count` groups of `length` blocks, `step` bytes apart. */
int kp_mpi_type_of_blocks(struct kp_mpi_rank *self, size_t count, size_t length, ptrdiff_t step,
                          struct kp_mpi_type *of, struct kp_mpi_type **made);

/* Makes a type of one block, `place` bytes from the origin. */
int kp_mpi_type_at(struct kp_mpi_rank *self, ptrdiff_t place, struct kp_mpi_type *of,
                   struct kp_mpi_type **made);

/* Sets both bounds of a type that has just been made. */
int kp_mpi_type_set_bounds(struct kp_mpi_rank *self, struct kp_mpi_type *made, ptrdiff_t lower,
                           ptrdiff_t extent);

/* Makes a type that is like another one, with which it shares the contents. */
struct kp_mpi_type *kp_mpi_type_copy(const struct kp_mpi_type *type);

/* An array of integers among the arguments: of type int, or MPI_Count. */
struct kp_mpi_integers {
    const void *values;
    size_t count;
    bool large;
};

/* The arguments with which a type was made. */
struct kp_mpi_arguments {
    int combiner;
    struct kp_mpi_integers integers[9]; /* up to the first with NULL values */
    const MPI_Aint *addresses;
    size_t address_count;
    struct kp_mpi_type *const *types;
    size_t type_count;
};

/* Keeps the arguments in a type that has just been made, and gives it a handle. If that fails,
 * frees the type. */
int kp_mpi_type_finish(struct kp_mpi_rank *self, struct kp_mpi_type *made,
                       const struct kp_mpi_arguments *arguments, MPI_Datatype *handle);

/* Gives a type a handle. If that fails, frees the type. */
int kp_mpi_type_give_handle(struct kp_mpi_rank *self, struct kp_mpi_type *made,
                            MPI_Datatype *handle);

int kp_mpi_type_no_memory(struct kp_mpi_rank *self);

/* --- Layouts (layout.c) --- */

/* Makes the type's layout, if it has none. */
int kp_mpi_type_lay_out(struct kp_mpi_rank *self, struct kp_mpi_type *type);

/* The layout of a predefined type, or NULL if there is no memory. */
const kp_layout *kp_mpi_basic_layout(const struct kp_mpi_basic *basic);

#endif
