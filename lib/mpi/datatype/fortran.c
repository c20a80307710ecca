/* Types by precision and range, as Fortran has them. They are like predefined types, and the
 * program does not free them. The same arguments give the same type. */
#include "lib/layout/face.h"
#include "lib/mpi/datatype/data.h"

#include <stdlib.h>
#include <string.h>

/* A kind of numbers: the decimal digits, and the exponents or digits of the range. */
struct kind {
    int digits, range;
    MPI_Datatype type;
};

static const struct kind integers[] = {
    {0, 2, MPI_INTEGER1}, {0, 4, MPI_INTEGER2}, {0, 9, MPI_INTEGER4}, {0, 18, MPI_INTEGER8}};
static const struct kind reals[] = {{6, 37, MPI_REAL4}, {15, 307, MPI_REAL8}};
static const struct kind complexes[] = {{6, 37, MPI_COMPLEX8}, {15, 307, MPI_COMPLEX16}};

static struct kp_mpi_type *find_made(struct kp_mpi_rank *self, int combiner, const int *numbers,
                                     size_t count)
{
    const struct kp_mpi_table *table = &self->tables[KP_MPI_TYPE];
    for (uint32_t i = KP_MPI_TYPE_COUNT; i < table->used; i++) {
        struct kp_mpi_type *type = table->slots[i].object;
        if (!type || !type->contents->basic || type->contents->combiner != combiner)
            continue;
        size_t same = 0;
        while (same < count && type->contents->integer[same] == numbers[same])
            same++;
        if (same == count)
            return type;
    }
    return NULL;
}

/* Makes a type like a predefined one, with contents of its own: all ranks share the other's. */
static struct kp_mpi_type *make_like(const struct kp_mpi_type *predefined)
{
    struct kp_mpi_type_contents *contents = malloc(sizeof *contents);
    struct kp_mpi_type *made = malloc(sizeof *made);
    if (!made || !contents) {
        free(contents);
        free(made);
        return NULL;
    }
    *contents = *predefined->contents;
    contents->holders = 1;
    *made = *predefined;
    made->references = 1;
    made->contents = contents;
    made->handle = MPI_DATATYPE_NULL;
    made->attributes = (struct kp_mpi_attributes){0};
    made->predefined = false;
    made->name[0] = '\0';
    if (made->layout)
        kp_face_layout_hold(made->layout);
    return made;
}

static int create(struct kp_mpi_rank *self, const struct kind *kind, int combiner,
                  struct kp_mpi_integers numbers, MPI_Datatype *newtype)
{
    struct kp_mpi_type *made = find_made(self, combiner, numbers.values, numbers.count);
    if (made) {
        *newtype = made->handle;
        return MPI_SUCCESS;
    }
    made = make_like(kp_mpi_type_of(self, kind->type));
    if (!made)
        return kp_mpi_type_no_memory(self);
    const struct kp_mpi_arguments arguments = {.combiner = combiner, .integers = {numbers}};
    const int class = kp_mpi_type_finish(self, made, &arguments, newtype);
    if (!class)
        kp_mpi_handle_keep(&self->tables[KP_MPI_TYPE], *newtype);
    return class;
}

int MPI_Type_create_f90_integer(int r, MPI_Datatype *newtype)
{
    KP_MPI_ENTER(Type_create_f90_integer);
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++) {
        if (r >= 0 && r <= integers[i].range)
            return create(self, &integers[i], MPI_COMBINER_F90_INTEGER,
                          (struct kp_mpi_integers){&r, 1, false}, newtype);
    }
    return kp_mpi_fail(self, NULL, MPI_ERR_ARG, "r is %d; it may be 0 ... 18", r);
}
KP_MPI_NAMES(Type_create_f90_integer);

static int create_real(struct kp_mpi_rank *self, const struct kind *kinds, int combiner, int p,
                       int r, MPI_Datatype *newtype)
{
    for (int i = 0; i < 2; i++) {
        const bool is_enough = (p == MPI_UNDEFINED || p <= kinds[i].digits) &&
                               (r == MPI_UNDEFINED || r <= kinds[i].range);
        if (is_enough && (p >= 0 || p == MPI_UNDEFINED) && (r >= 0 || r == MPI_UNDEFINED) &&
            (p != MPI_UNDEFINED || r != MPI_UNDEFINED))
            return create(self, &kinds[i], combiner,
                          (struct kp_mpi_integers){(const int[]){p, r}, 2, false}, newtype);
    }
    return kp_mpi_fail(self, NULL, MPI_ERR_ARG,
                       "p is %d and r is %d; p may be 0 ... 15, r 0 ... 307, and one of them "
                       "MPI_UNDEFINED",
                       p, r);
}

int MPI_Type_create_f90_real(int p, int r, MPI_Datatype *newtype)
{
    KP_MPI_ENTER(Type_create_f90_real);
    return create_real(self, reals, MPI_COMBINER_F90_REAL, p, r, newtype);
}
KP_MPI_NAMES(Type_create_f90_real);

int MPI_Type_create_f90_complex(int p, int r, MPI_Datatype *newtype)
{
    KP_MPI_ENTER(Type_create_f90_complex);
    return create_real(self, complexes, MPI_COMBINER_F90_COMPLEX, p, r, newtype);
}
KP_MPI_NAMES(Type_create_f90_complex);

/* --- Statuses as Fortran has them --- */

#define STATUS(name, from_type, to_type)                                                           \
    int MPI_Status_##name(const from_type *from, to_type *to)                                      \
    {                                                                                              \
        (void)kp_mpi_enter_any("MPI_Status_" #name, __builtin_return_address(0));                  \
        memcpy(to, from, sizeof(MPI_Status));                                                      \
        return MPI_SUCCESS;                                                                        \
    }                                                                                              \
    KP_MPI_NAMES(Status_##name)

STATUS(c2f, MPI_Status, MPI_Fint);
STATUS(f2c, MPI_Fint, MPI_Status);
STATUS(c2f08, MPI_Status, MPI_F08_status);
STATUS(f082c, MPI_F08_status, MPI_Status);
STATUS(f2f08, MPI_Fint, MPI_F08_status);
STATUS(f082f, MPI_F08_status, MPI_Fint);
