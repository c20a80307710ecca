/* Attributes that programs attach to communicators and types. */
#include "lib/mpi/attr.h"

#include "lib/mpi/comm.h"
#include "lib/mpi/type.h"

#include <stdlib.h>
#include <string.h>

/* The keys of predefined attributes are below this number. */
#define FIRST_KEYVAL 100

typedef void any_function(void);

/* A key, and the program's functions for its attributes. */
struct kp_mpi_keyval {
    bool of_type;
    bool freed; /* by the program; attributes may still have it */
    any_function *copy, *delete;
    void *extra;
    struct kp_mpi_place made;
};

/* A rank's keys, in the order in which they were made. */
struct kp_mpi_keyvals {
    int count, room;
    struct kp_mpi_keyval *list;
    int values[16]; /* of the predefined attributes */
};

static struct kp_mpi_keyvals *keyvals_of(struct kp_mpi_rank *self)
{
    if (!self->keyvals)
        self->keyvals = calloc(1, sizeof *self->keyvals);
    return self->keyvals;
}

void kp_mpi_keyvals_end(struct kp_mpi_rank *self)
{
    if (self->keyvals)
        free(self->keyvals->list);
    free(self->keyvals);
}

void kp_mpi_keyvals_tell_left(struct kp_mpi_rank *self)
{
    for (int i = 0; self->keyvals && i < self->keyvals->count; i++) {
        const struct kp_mpi_keyval *keyval = &self->keyvals->list[i];
        if (!keyval->freed)
            kp_mpi_tell(self, "leak", &keyval->made, "the key is never freed by MPI_%s_free_keyval",
                        keyval->of_type ? "Type" : "Comm");
    }
}

static struct kp_mpi_keyval *find_keyval(struct kp_mpi_rank *self, int number)
{
    const int i = number - FIRST_KEYVAL;
    return self->keyvals && i >= 0 && i < self->keyvals->count ? &self->keyvals->list[i] : NULL;
}

static int no_memory(struct kp_mpi_rank *self)
{
    return kp_mpi_fail(self, NULL, MPI_ERR_NO_MEM, "no memory for an attribute");
}

static int find(const struct kp_mpi_attributes *attributes, int keyval)
{
    for (int i = 0; i < attributes->count; i++) {
        if (attributes->list[i].keyval == keyval)
            return i;
    }
    return -1;
}

/* Finds a key that is valid for the owner. A key that is freed is valid where an attribute still
 * has it. */
static int check_keyval(struct kp_mpi_rank *self, const struct kp_mpi_owner *owner, int number)
{
    const struct kp_mpi_keyval *keyval = find_keyval(self, number);
    const bool held = owner->attributes && find(owner->attributes, number) >= 0;
    if (keyval && (!keyval->freed || held) && keyval->of_type == owner->of_type)
        return MPI_SUCCESS;
    return kp_mpi_fail(self, owner->comm, MPI_ERR_KEYVAL, "the key %d is %s", number,
                       number == MPI_KEYVAL_INVALID ? "MPI_KEYVAL_INVALID"
                       : keyval && keyval->freed    ? "freed"
                       : keyval && keyval->of_type  ? "for types"
                       : keyval                     ? "for communicators"
                       : number >= 0 && number < FIRST_KEYVAL
                           ? "that of a predefined attribute, which programs do not change"
                           : "not valid");
}

/* --- The program's functions --- */

/* What a function of the program has returned. An error is reported. The function may have called
 * MPI, but errors are those of the call that the program is in. */
static int ended(struct kp_mpi_rank *self, const struct kp_mpi_owner *owner,
                 const struct kp_mpi_place *call, int code, const char *what)
{
    self->call = *call;
    if (code == MPI_SUCCESS)
        return MPI_SUCCESS;
    return kp_mpi_fail(self, owner->comm,
                       code > 0 && code < MPI_ERR_LASTCODE ? code : MPI_ERR_OTHER,
                       "the program's function that %s an attribute has returned %d", what, code);
}

static int call_delete(struct kp_mpi_rank *self, const struct kp_mpi_owner *owner,
                       const struct kp_mpi_attribute *attribute)
{
    const struct kp_mpi_keyval keyval = *find_keyval(self, attribute->keyval);
    const struct kp_mpi_place call = self->call;
    int code = MPI_SUCCESS;
    if (keyval.delete &&owner->of_type)
        code = ((MPI_Type_delete_attr_function *)keyval.delete)(
            (MPI_Datatype)owner->handle, attribute->keyval, attribute->value, keyval.extra);
    else if (keyval.delete)
        code = ((MPI_Comm_delete_attr_function *)keyval.delete)(
            (MPI_Comm)owner->handle, attribute->keyval, attribute->value, keyval.extra);
    return ended(self, owner, &call, code, "deletes");
}

static int call_copy(struct kp_mpi_rank *self, const struct kp_mpi_owner *owner,
                     const struct kp_mpi_attribute *attribute, void **copy, int *is_copied)
{
    const struct kp_mpi_keyval keyval = *find_keyval(self, attribute->keyval);
    const struct kp_mpi_place call = self->call;
    int code = MPI_SUCCESS;
    *is_copied = 0;
    if (keyval.copy == (any_function *)MPI_COMM_DUP_FN) {
        *copy = attribute->value;
        *is_copied = 1;
    } else if (keyval.copy && owner->of_type) {
        code = ((MPI_Type_copy_attr_function *)keyval.copy)((MPI_Datatype)owner->handle,
                                                            attribute->keyval, keyval.extra,
                                                            attribute->value, copy, is_copied);
    } else if (keyval.copy) {
        code = ((MPI_Comm_copy_attr_function *)keyval.copy)((MPI_Comm)owner->handle,
                                                            attribute->keyval, keyval.extra,
                                                            attribute->value, copy, is_copied);
    }
    return ended(self, owner, &call, code, "copies");
}

/* --- Lists --- */

static int add(struct kp_mpi_rank *self, struct kp_mpi_attributes *to, int keyval, void *value)
{
    if (to->count == to->room) {
        const int room = to->room > 0 ? 2 * to->room : 4;
        struct kp_mpi_attribute *list = realloc(to->list, (size_t)room * sizeof *list);
        if (!list)
            return no_memory(self);
        to->list = list;
        to->room = room;
    }
    to->list[to->count++] = (struct kp_mpi_attribute){keyval, value};
    return MPI_SUCCESS;
}

static int delete_one(struct kp_mpi_rank *self, const struct kp_mpi_owner *owner, int keyval)
{
    struct kp_mpi_attributes *attributes = owner->attributes;
    const struct kp_mpi_attribute attribute = attributes->list[find(attributes, keyval)];
    const int class = call_delete(self, owner, &attribute);
    /* The function may have deleted it, or others. */
    const int i = find(attributes, keyval);
    if (class || i < 0)
        return class;
    attributes->count--;
    memmove(&attributes->list[i], &attributes->list[i + 1],
            (size_t)(attributes->count - i) * sizeof *attributes->list);
    return MPI_SUCCESS;
}

int kp_mpi_attributes_delete(struct kp_mpi_rank *self, const struct kp_mpi_owner *owner)
{
    struct kp_mpi_attributes *attributes = owner->attributes;
    int class = MPI_SUCCESS;
    while (attributes->count > 0 && !class)
        class = delete_one(self, owner, attributes->list[attributes->count - 1].keyval);
    if (class)
        return class;
    free(attributes->list);
    *attributes = (struct kp_mpi_attributes){0};
    return MPI_SUCCESS;
}

int kp_mpi_attributes_copy(struct kp_mpi_rank *self, const struct kp_mpi_owner *from,
                           struct kp_mpi_attributes *to)
{
    int class = MPI_SUCCESS;
    *to = (struct kp_mpi_attributes){0};
    for (int i = 0; i < from->attributes->count && !class; i++) {
        const struct kp_mpi_attribute attribute = from->attributes->list[i];
        void *copy = NULL;
        int is_copied;
        class = call_copy(self, from, &attribute, &copy, &is_copied);
        if (!class && is_copied)
            class = add(self, to, attribute.keyval, copy);
    }
    if (class) {
        free(to->list);
        *to = (struct kp_mpi_attributes){0};
    }
    return class;
}

/* --- The functions of MPI, for both kinds of owners --- */

static int create_keyval(struct kp_mpi_rank *self, const struct kp_mpi_keyval *made, int *number)
{
    struct kp_mpi_keyvals *keyvals = keyvals_of(self);
    if (!keyvals)
        return no_memory(self);
    if (keyvals->count == keyvals->room) {
        const int room = keyvals->room > 0 ? 2 * keyvals->room : 8;
        struct kp_mpi_keyval *list = realloc(keyvals->list, (size_t)room * sizeof *list);
        if (!list)
            return no_memory(self);
        keyvals->list = list;
        keyvals->room = room;
    }
    keyvals->list[keyvals->count] = *made;
    keyvals->list[keyvals->count].made = self->call;
    *number = FIRST_KEYVAL + keyvals->count++;
    return MPI_SUCCESS;
}

static int free_keyval(struct kp_mpi_rank *self, bool of_type, int *number)
{
    const struct kp_mpi_owner owner = {.of_type = of_type};
    const int class = check_keyval(self, &owner, *number);
    if (class)
        return class;
    find_keyval(self, *number)->freed = true;
    *number = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

static int set(struct kp_mpi_rank *self, const struct kp_mpi_owner *owner, int keyval, void *value)
{
    int class = check_keyval(self, owner, keyval);
    const int old = find(owner->attributes, keyval);
    if (class)
        return class;
    if (old < 0)
        return add(self, owner->attributes, keyval, value);
    const struct kp_mpi_attribute attribute = owner->attributes->list[old];
    class = call_delete(self, owner, &attribute);
    if (class)
        return class;
    const int i = find(owner->attributes, keyval);
    if (i < 0)
        return add(self, owner->attributes, keyval, value);
    owner->attributes->list[i].value = value;
    return MPI_SUCCESS;
}

static int get(struct kp_mpi_rank *self, const struct kp_mpi_owner *owner, int keyval, void *value,
               int *flag)
{
    const int class = check_keyval(self, owner, keyval);
    if (class)
        return class;
    const int i = find(owner->attributes, keyval);
    *flag = i >= 0;
    if (i >= 0)
        memcpy(value, &owner->attributes->list[i].value, sizeof(void *));
    return MPI_SUCCESS;
}

static int delete_of(struct kp_mpi_rank *self, const struct kp_mpi_owner *owner, int keyval)
{
    const int class = check_keyval(self, owner, keyval);
    if (class)
        return class;
    if (find(owner->attributes, keyval) < 0)
        return kp_mpi_fail(self, owner->comm, MPI_ERR_ARG, "there is no attribute with the key %d",
                           keyval);
    return delete_one(self, owner, keyval);
}

/* Stores the address of a predefined attribute's value. Returns false if there is no such one. */
static bool get_predefined(struct kp_mpi_rank *self, int keyval, void *value, int *flag)
{
    struct kp_mpi_keyvals *keyvals = keyvals_of(self);
    if (keyval < 0 || keyval >= FIRST_KEYVAL || !keyvals)
        return false;
    int *at = &keyvals->values[keyval % 16];
    *flag = 1;
    switch (keyval) {
    case MPI_TAG_UB:
        *at = KP_MPI_TAG_UB;
        break;
    case MPI_HOST:
        *at = MPI_PROC_NULL;
        break;
    case MPI_IO:
        *at = MPI_ANY_SOURCE;
        break;
    case MPI_WTIME_IS_GLOBAL:
        *at = 1;
        break;
    case MPI_UNIVERSE_SIZE:
        *at = self->world->size;
        break;
    case MPI_APPNUM:
        *at = 0;
        break;
    case MPI_LASTUSEDCODE:
        *at = self->last_code;
        break;
    default:
        return false;
    }
    memcpy(value, &at, sizeof at);
    return true;
}

/* --- Of communicators --- */

#define OWNER_OF_COMM                                                                              \
    const struct kp_mpi_owner owner = {                                                            \
        .handle = handle, .comm = comm, .attributes = &comm->attributes}

int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *delete,
                           int *keyval, void *extra)
{
    KP_MPI_ENTER(Comm_create_keyval);
    const struct kp_mpi_keyval made = {
        .copy = (any_function *)copy, .delete = (any_function *)delete, .extra = extra};
    return create_keyval(self, &made, keyval);
}
KP_MPI_NAMES(Comm_create_keyval);

int MPI_Keyval_create(MPI_Copy_function *copy, MPI_Delete_function *delete, int *keyval,
                      void *extra)
{
    KP_MPI_ENTER(Keyval_create);
    const struct kp_mpi_keyval made = {
        .copy = (any_function *)copy, .delete = (any_function *)delete, .extra = extra};
    return create_keyval(self, &made, keyval);
}
KP_MPI_NAMES(Keyval_create);

int MPI_Comm_free_keyval(int *keyval)
{
    KP_MPI_ENTER(Comm_free_keyval);
    return free_keyval(self, false, keyval);
}
KP_MPI_NAMES(Comm_free_keyval);

int MPI_Keyval_free(int *keyval)
{
    KP_MPI_ENTER(Keyval_free);
    return free_keyval(self, false, keyval);
}
KP_MPI_NAMES(Keyval_free);

int MPI_Comm_set_attr(MPI_Comm handle, int keyval, void *value)
{
    KP_MPI_ENTER(Comm_set_attr);
    KP_MPI_COMM_OF(handle);
    OWNER_OF_COMM;
    return set(self, &owner, keyval, value);
}
KP_MPI_NAMES(Comm_set_attr);

int MPI_Attr_put(MPI_Comm handle, int keyval, void *value)
{
    KP_MPI_ENTER(Attr_put);
    KP_MPI_COMM_OF(handle);
    OWNER_OF_COMM;
    return set(self, &owner, keyval, value);
}
KP_MPI_NAMES(Attr_put);

int MPI_Comm_get_attr(MPI_Comm handle, int keyval, void *value, int *flag)
{
    KP_MPI_ENTER(Comm_get_attr);
    KP_MPI_COMM_OF(handle);
    OWNER_OF_COMM;
    return get_predefined(self, keyval, value, flag) ? MPI_SUCCESS
                                                     : get(self, &owner, keyval, value, flag);
}
KP_MPI_NAMES(Comm_get_attr);

int MPI_Attr_get(MPI_Comm handle, int keyval, void *value, int *flag)
{
    KP_MPI_ENTER(Attr_get);
    KP_MPI_COMM_OF(handle);
    OWNER_OF_COMM;
    return get_predefined(self, keyval, value, flag) ? MPI_SUCCESS
                                                     : get(self, &owner, keyval, value, flag);
}
KP_MPI_NAMES(Attr_get);

int MPI_Comm_delete_attr(MPI_Comm handle, int keyval)
{
    KP_MPI_ENTER(Comm_delete_attr);
    KP_MPI_COMM_OF(handle);
    OWNER_OF_COMM;
    return delete_of(self, &owner, keyval);
}
KP_MPI_NAMES(Comm_delete_attr);

int MPI_Attr_delete(MPI_Comm handle, int keyval)
{
    KP_MPI_ENTER(Attr_delete);
    KP_MPI_COMM_OF(handle);
    OWNER_OF_COMM;
    return delete_of(self, &owner, keyval);
}
KP_MPI_NAMES(Attr_delete);

/* --- Of types --- */

/* Declares `owner`, or returns from the function with an error. */
#define OWNER_OF_TYPE                                                                              \
    struct kp_mpi_type *type;                                                                      \
    const int wrong_type = kp_mpi_type_find(self, NULL, handle, &type);                            \
    if (wrong_type)                                                                                \
        return wrong_type;                                                                         \
    const struct kp_mpi_owner owner = {                                                            \
        .handle = handle, .of_type = true, .attributes = &type->attributes}

int MPI_Type_create_keyval(MPI_Type_copy_attr_function *copy, MPI_Type_delete_attr_function *delete,
                           int *keyval, void *extra)
{
    KP_MPI_ENTER(Type_create_keyval);
    const struct kp_mpi_keyval made = {.of_type = true,
                                       .copy = (any_function *)copy,
                                       .delete = (any_function *)delete,
                                       .extra = extra};
    return create_keyval(self, &made, keyval);
}
KP_MPI_NAMES(Type_create_keyval);

int MPI_Type_free_keyval(int *keyval)
{
    KP_MPI_ENTER(Type_free_keyval);
    return free_keyval(self, true, keyval);
}
KP_MPI_NAMES(Type_free_keyval);

int MPI_Type_set_attr(MPI_Datatype handle, int keyval, void *value)
{
    KP_MPI_ENTER(Type_set_attr);
    OWNER_OF_TYPE;
    return set(self, &owner, keyval, value);
}
KP_MPI_NAMES(Type_set_attr);

int MPI_Type_get_attr(MPI_Datatype handle, int keyval, void *value, int *flag)
{
    KP_MPI_ENTER(Type_get_attr);
    OWNER_OF_TYPE;
    return get(self, &owner, keyval, value, flag);
}
KP_MPI_NAMES(Type_get_attr);

int MPI_Type_delete_attr(MPI_Datatype handle, int keyval)
{
    KP_MPI_ENTER(Type_delete_attr);
    OWNER_OF_TYPE;
    return delete_of(self, &owner, keyval);
}
KP_MPI_NAMES(Type_delete_attr);
