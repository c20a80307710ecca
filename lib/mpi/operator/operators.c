/* Reduction operators: the predefined ones, and MPI_Op_create and its like. */
#include "lib/mpi/op.h"

#include "lib/mpi/datatype/data.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The standard's table --- */

#define BIT(CLASS) (1U << KP_MPI_##CLASS##_CLASS)
#define WHOLE      (BIT(INTEGER) | BIT(FORTRAN_INTEGER))
#define REAL       (WHOLE | BIT(FLOATING))

enum {
#define NUMBER(name, number) OP_##name = (number),
    KP_MPI_OPS(NUMBER)
#undef NUMBER
};

static const struct row {
    const char *name;
    int builtin; /* a kp_builtin, or -1 */
    unsigned classes;
} rows[KP_MPI_OP_COUNT] = {
    [OP_MAX] = {"MPI_MAX", KP_BUILTIN_MAXIMUM, REAL},
    [OP_MIN] = {"MPI_MIN", KP_BUILTIN_MINIMUM, REAL},
    [OP_SUM] = {"MPI_SUM", KP_BUILTIN_SUM, REAL | BIT(COMPLEX)},
    [OP_PROD] = {"MPI_PROD", KP_BUILTIN_PRODUCT, REAL | BIT(COMPLEX)},
    [OP_LAND] = {"MPI_LAND", KP_BUILTIN_LOGICAL_AND, BIT(INTEGER) | BIT(LOGICAL)},
    [OP_BAND] = {"MPI_BAND", KP_BUILTIN_BIT_AND, WHOLE | BIT(BYTE)},
    [OP_LOR] = {"MPI_LOR", KP_BUILTIN_LOGICAL_OR, BIT(INTEGER) | BIT(LOGICAL)},
    [OP_BOR] = {"MPI_BOR", KP_BUILTIN_BIT_OR, WHOLE | BIT(BYTE)},
    [OP_LXOR] = {"MPI_LXOR", KP_BUILTIN_LOGICAL_XOR, BIT(INTEGER) | BIT(LOGICAL)},
    [OP_BXOR] = {"MPI_BXOR", KP_BUILTIN_BIT_XOR, WHOLE | BIT(BYTE)},
    [OP_MAXLOC] = {"MPI_MAXLOC", KP_BUILTIN_MAXLOC, BIT(PAIR)},
    [OP_MINLOC] = {"MPI_MINLOC", KP_BUILTIN_MINLOC, BIT(PAIR)},
    [OP_REPLACE] = {"MPI_REPLACE", -1, 0},
    [OP_NO_OP] = {"MPI_NO_OP", -1, 0},
};

static const char *const class_words[KP_MPI_CLASSES] = {
    [KP_MPI_INTEGER_CLASS] = "integers",
    [KP_MPI_FORTRAN_INTEGER_CLASS] = "integers of Fortran",
    [KP_MPI_FLOATING_CLASS] = "floating-point numbers",
    [KP_MPI_LOGICAL_CLASS] = "logicals",
    [KP_MPI_COMPLEX_CLASS] = "complex numbers",
    [KP_MPI_BYTE_CLASS] = "MPI_BYTE",
    [KP_MPI_PAIR_CLASS] = "pairs such as MPI_DOUBLE_INT",
};

/* --- Life --- */

bool kp_mpi_ops_begin(struct kp_mpi_rank *self)
{
    struct kp_mpi_op *ops = calloc(KP_MPI_OP_COUNT, sizeof *ops);
    self->predefined_ops = ops;
    for (int i = 0; i < KP_MPI_OP_COUNT && ops; i++) {
        ops[i] = (struct kp_mpi_op){
            .builtin = rows[i].builtin < 0 ? NULL : &kp_builtin_operators[rows[i].builtin],
            .classes = rows[i].classes,
            .predefined = true,
            .commutative = true,
            .references = 1};
        snprintf(ops[i].name, sizeof ops[i].name, "%s", rows[i].name);
        ops[i].handle = kp_mpi_handle_make(&self->tables[KP_MPI_OP], KP_MPI_OP, &ops[i]);
        if (!ops[i].handle)
            return false;
    }
    return ops;
}

void kp_mpi_ops_end(struct kp_mpi_rank *self)
{
    struct kp_mpi_table *table = &self->tables[KP_MPI_OP];
    for (uint32_t i = KP_MPI_OP_COUNT; i < table->used; i++) {
        if (table->slots[i].object)
            kp_mpi_op_release(table->slots[i].object);
    }
    free(self->predefined_ops);
}

void kp_mpi_op_release(struct kp_mpi_op *op)
{
    if (!op->predefined && --op->references == 0)
        free(op);
}

/* --- Predefined operators in reductions --- */

static int refuse_type(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                       const struct kp_mpi_op *op, const struct kp_mpi_type *type)
{
    char of[KP_MPI_TYPE_WORDS], known[200] = "";
    if (op->classes == 0)
        return kp_mpi_fail(self, comm, MPI_ERR_OP,
                           "%s is for one-sided communication, not for reductions", op->name);
    for (int class = 0; class < KP_MPI_CLASSES; class ++) {
        if (!(op->classes & 1U << class))
            continue;
        strcat(known, known[0] ? ", " : "");
        strcat(known, class_words[class]);
    }
    kp_mpi_type_describe(type, of, sizeof of);
    return kp_mpi_fail(self, comm, MPI_ERR_OP, "%s does not know elements of type %s; it knows %s",
                       op->name, of, known);
}

int kp_mpi_reduce_predefined(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                             struct kp_mpi_op *op, struct kp_mpi_type *type,
                             struct kp_mpi_reduction *reduction)
{
    const struct kp_mpi_basic *basic = type->contents->basic;
    if (!basic || !(op->classes & 1U << basic->class))
        return refuse_type(self, comm, op, type);
    /* The standard forbids it, but other MPIs allow it, and many programs do it. */
    if (basic == &kp_mpi_basics[KP_MPI_BASIC_CHAR] && self->world->job->strict)
        return kp_mpi_fail(self, comm, MPI_ERR_OP,
                           "%s does not know elements of type MPI_CHAR, which are characters; "
                           "MPI_SIGNED_CHAR and MPI_UNSIGNED_CHAR are integers",
                           op->name);
    const bool is_typed = basic->type >= 0;
    *reduction = (struct kp_mpi_reduction){
        .type = is_typed ? (kp_type)basic->type : KP_OPAQUE,
        .op = is_typed ? op->builtin
                       : kp_mpi_locating_operator(op->builtin == KP_MINLOC,
                                                  basic->leaf[0].type == KP_FLOAT64),
        .per_item = 1,
        .in_place = true,
        .bytes = (size_t)type->extent};
    return MPI_SUCCESS;
}

/* --- The program's operators --- */

/* Every rank has its own copy of the program, so a function has another address in every rank, but
 * the same distance from the beginning of the object that it lies in. */
static void name_function(struct kp_mpi_op *op)
{
    Dl_info info;
    void *address;
    memcpy(&address, op->large ? (void *)&op->large : (void *)&op->function, sizeof address);
    if (dladdr(address, &info) && info.dli_fbase)
        snprintf(op->name, sizeof op->name, "user+%#zx",
                 (size_t)((char *)address - (char *)info.dli_fbase));
    else
        snprintf(op->name, sizeof op->name, "user");
}

static int create(struct kp_mpi_rank *self, MPI_User_function *function, MPI_User_function_c *large,
                  int commute, MPI_Op *handle)
{
    if ((!function && !large) || !handle)
        return kp_mpi_fail(self, NULL, MPI_ERR_ARG, "%s is NULL",
                           function || large ? "op" : "the function of the operator");
    struct kp_mpi_op *op = calloc(1, sizeof *op);
    if (!op)
        return kp_mpi_fail(self, NULL, MPI_ERR_NO_MEM, "no memory for an operator");
    op->function = function;
    op->large = large;
    op->commutative = commute != 0;
    op->references = 1;
    op->made = self->call;
    name_function(op);
    op->handle = kp_mpi_handle_make(&self->tables[KP_MPI_OP], KP_MPI_OP, op);
    *handle = op->handle;
    if (op->handle)
        return MPI_SUCCESS;
    free(op);
    return kp_mpi_fail(self, NULL, MPI_ERR_NO_MEM, "no memory for the handle of an operator");
}

int MPI_Op_create(MPI_User_function *function, int commute, MPI_Op *op)
{
    KP_MPI_ENTER(Op_create);
    return create(self, function, NULL, commute, op);
}
KP_MPI_NAMES(Op_create);

int MPI_Op_create_c(MPI_User_function_c *function, int commute, MPI_Op *op)
{
    KP_MPI_ENTER(Op_create_c);
    return create(self, NULL, function, commute, op);
}
KP_MPI_NAMES(Op_create_c);

/* Finds an operator, or returns from the function with an error. */
#define FIND(value)                                                                                \
    struct kp_mpi_op *op = kp_mpi_op_of(self, value);                                              \
    if (!op)                                                                                       \
    return kp_mpi_fail(self, NULL, MPI_ERR_OP, "%s",                                               \
                       (value) == MPI_OP_NULL                                                      \
                           ? "the operator is MPI_OP_NULL"                                         \
                           : "the operator is not valid: it was freed, or never made")

int MPI_Op_free(MPI_Op *handle)
{
    KP_MPI_ENTER(Op_free);
    const MPI_Op value = handle ? *handle : MPI_OP_NULL;
    FIND(value);
    if (op->predefined)
        return kp_mpi_fail(self, NULL, MPI_ERR_OP,
                           "%s is a predefined operator, which is never freed", op->name);
    kp_mpi_handle_forget(&self->tables[KP_MPI_OP], value);
    kp_mpi_op_release(op);
    *handle = MPI_OP_NULL;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Op_free);

int MPI_Op_commutative(MPI_Op handle, int *commute)
{
    KP_MPI_ENTER(Op_commutative);
    FIND(handle);
    *commute = op->commutative;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Op_commutative);
