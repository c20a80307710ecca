/* Attributes: keys, values, callbacks. */
#include "lib/mpi/attribute.h"

#include "lib/mpi/type.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_KEY 100 /* those before it are predefined */

/* A callback that is 0 is MPI_..._NULL_..._FN; a copy callback that is 1 is MPI_..._DUP_FN. */
struct kp_mpi_keyval {
    int keyval;
    enum kp_mpi_owner owner;
    void *copy, *delete, *extra;
    bool freed;
    int users; /* attributes with this key */
    struct kp_mpi_keyval *next;
};

static struct kp_mpi_keyval *find_key(const struct kp_mpi_rank *self, enum kp_mpi_owner owner,
                                      int keyval)
{
    struct kp_mpi_keyval *key = self->keyvals;
    while (key && (key->keyval != keyval || key->owner != owner))
        key = key->next;
    return key;
}

static void drop_key(struct kp_mpi_rank *self, struct kp_mpi_keyval *key)
{
    struct kp_mpi_keyval **at = &self->keyvals;
    if (!key->freed || key->users > 0)
        return;
    while (*at != key)
        at = &(*at)->next;
    *at = key->next;
    free(key);
}

void kp_mpi_keyvals_end(struct kp_mpi_rank *self)
{
    struct kp_mpi_keyval *key, *next;
    for (key = self->keyvals; key; key = next) {
        next = key->next;
        free(key);
    }
    self->keyvals = NULL;
}

static int no_key(struct kp_mpi_rank *self, int keyval)
{
    return kp_mpi_fail(self, NULL, MPI_ERR_KEYVAL,
                       "the key %d is not valid: it was freed, or never made, or belongs to "
                       "another kind of object",
                       keyval);
}

int kp_mpi_keyval_create(struct kp_mpi_rank *self, enum kp_mpi_owner owner, void *copy,
                         void *delete, void *extra, int *keyval)
{
    struct kp_mpi_keyval *key = malloc(sizeof *key);
    if (!key)
        return kp_mpi_fail(self, NULL, MPI_ERR_NO_MEM, "no memory for a key");
    *key = (struct kp_mpi_keyval){.keyval = FIRST_KEY + self->keyvals_made++,
                                  .owner = owner,
                                  .copy = copy,
                                  .delete = delete,
                                  .extra = extra,
                                  .next = self->keyvals};
    self->keyvals = key;
    *keyval = key->keyval;
    return MPI_SUCCESS;
}

int kp_mpi_keyval_free(struct kp_mpi_rank *self, enum kp_mpi_owner owner, int *keyval)
{
    struct kp_mpi_keyval *key = find_key(self, owner, *keyval);
    if (!key || key->freed)
        return no_key(self, *keyval);
    key->freed = true;
    drop_key(self, key);
    *keyval = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

static struct kp_mpi_attribute *find(const struct kp_mpi_attributes *of, int keyval)
{
    for (int i = 0; i < of->count; i++) {
        if (of->list[i].keyval == keyval)
            return &of->list[i];
    }
    return NULL;
}

/* --- Callbacks. The program may call MPI in them, so the present call is kept meanwhile. --- */

static int call_delete(struct kp_mpi_rank *self, const struct kp_mpi_keyval *key, void *handle,
                       void *value)
{
    const struct kp_mpi_place call = self->call;
    int code = MPI_SUCCESS;
    if (key->delete &&key->owner == KP_MPI_OWNER_COMM)
        code = ((MPI_Comm_delete_attr_function *)(uintptr_t)key->delete)(handle, key->keyval, value,
                                                                         key->extra);
    else if (key->delete)
        code = ((MPI_Type_delete_attr_function *)(uintptr_t)key->delete)(handle, key->keyval, value,
                                                                         key->extra);
    self->call = call;
    return code;
}

static int call_copy(struct kp_mpi_rank *self, const struct kp_mpi_keyval *key, void *handle,
                     void *value, void **copied, int *flag)
{
    const struct kp_mpi_place call = self->call;
    int code = MPI_SUCCESS;
    *flag = 0;
    *copied = value;
    if ((uintptr_t)key->copy == 1)
        *flag = 1;
    else if (key->copy && key->owner == KP_MPI_OWNER_COMM)
        code = ((MPI_Comm_copy_attr_function *)(uintptr_t)key->copy)(
            handle, key->keyval, key->extra, value, copied, flag);
    else if (key->copy)
        code = ((MPI_Type_copy_attr_function *)(uintptr_t)key->copy)(
            handle, key->keyval, key->extra, value, copied, flag);
    self->call = call;
    return code;
}

static int add(struct kp_mpi_rank *self, struct kp_mpi_attributes *of, struct kp_mpi_keyval *key,
               void *value)
{
    if (of->count == of->room) {
        const int room = of->room > 0 ? 2 * of->room : 4;
        struct kp_mpi_attribute *list = realloc(of->list, (size_t)room * sizeof *list);
        if (!list)
            return kp_mpi_fail(self, NULL, MPI_ERR_NO_MEM, "no memory for an attribute");
        of->list = list;
        of->room = room;
    }
    of->list[of->count++] = (struct kp_mpi_attribute){key->keyval, value};
    key->users++;
    return MPI_SUCCESS;
}

/* Deletes the attribute at an index. It stays if its callback returns an error. */
static int delete_at(struct kp_mpi_rank *self, enum kp_mpi_owner owner, void *handle,
                     struct kp_mpi_attributes *of, int index)
{
    const struct kp_mpi_attribute attribute = of->list[index];
    struct kp_mpi_keyval *key = find_key(self, owner, attribute.keyval);
    const int code = call_delete(self, key, handle, attribute.value);
    if (code)
        return kp_mpi_fail(self, NULL, code, "the delete callback of key %d has returned %d",
                           attribute.keyval, code);
    for (int i = index; i + 1 < of->count; i++)
        of->list[i] = of->list[i + 1];
    of->count--;
    key->users--;
    drop_key(self, key);
    return MPI_SUCCESS;
}

int kp_mpi_attribute_set(struct kp_mpi_rank *self, enum kp_mpi_owner owner, void *handle,
                         struct kp_mpi_attributes *of, int keyval, void *value)
{
    struct kp_mpi_keyval *key = find_key(self, owner, keyval);
    struct kp_mpi_attribute *old = find(of, keyval);
    if (!key || key->freed)
        return no_key(self, keyval);
    if (old) {
        const int code = call_delete(self, key, handle, old->value);
        if (code)
            return kp_mpi_fail(self, NULL, code, "the delete callback of key %d has returned %d",
                               keyval, code);
        old->value = value;
        return MPI_SUCCESS;
    }
    return add(self, of, key, value);
}

int kp_mpi_attribute_get(struct kp_mpi_rank *self, enum kp_mpi_owner owner,
                         const struct kp_mpi_attributes *of, int keyval, void *value, int *flag)
{
    const struct kp_mpi_attribute *attribute = find(of, keyval);
    if (!find_key(self, owner, keyval))
        return no_key(self, keyval);
    *flag = attribute != NULL;
    if (attribute)
        *(void **)value = attribute->value;
    return MPI_SUCCESS;
}

int kp_mpi_attribute_delete(struct kp_mpi_rank *self, enum kp_mpi_owner owner, void *handle,
                            struct kp_mpi_attributes *of, int keyval)
{
    const struct kp_mpi_attribute *attribute = find(of, keyval);
    if (!find_key(self, owner, keyval))
        return no_key(self, keyval);
    return attribute ? delete_at(self, owner, handle, of, (int)(attribute - of->list))
                     : MPI_SUCCESS;
}

static int copy_all(struct kp_mpi_rank *self, enum kp_mpi_owner owner, void *handle,
                    const struct kp_mpi_attributes *from, struct kp_mpi_attributes *to)
{
    int error = MPI_SUCCESS, flag;
    void *copied;
    for (int i = 0; i < from->count && !error; i++) {
        struct kp_mpi_keyval *key = find_key(self, owner, from->list[i].keyval);
        const int code = call_copy(self, key, handle, from->list[i].value, &copied, &flag);
        if (code)
            error = kp_mpi_fail(self, NULL, code, "the copy callback of key %d has returned %d",
                                key->keyval, code);
        else if (flag)
            error = add(self, to, key, copied);
    }
    return error;
}

static int delete_all(struct kp_mpi_rank *self, enum kp_mpi_owner owner, void *handle,
                      struct kp_mpi_attributes *of)
{
    int error = MPI_SUCCESS;
    while (of->count > 0 && !error)
        error = delete_at(self, owner, handle, of, of->count - 1);
    return error;
}

int kp_mpi_attributes_copy_comm(struct kp_mpi_rank *self, struct kp_mpi_comm *from,
                                struct kp_mpi_comm *to)
{
    return copy_all(self, KP_MPI_OWNER_COMM, from->handle, &from->attributes, &to->attributes);
}

int kp_mpi_attributes_copy_type(struct kp_mpi_rank *self, struct kp_mpi_type *from,
                                struct kp_mpi_type *to)
{
    return copy_all(self, KP_MPI_OWNER_TYPE, from->handle, &from->attributes, &to->attributes);
}

int kp_mpi_attributes_delete_comm(struct kp_mpi_rank *self, struct kp_mpi_comm *comm)
{
    return delete_all(self, KP_MPI_OWNER_COMM, comm->handle, &comm->attributes);
}

int kp_mpi_attributes_delete_type(struct kp_mpi_rank *self, struct kp_mpi_type *type)
{
    return delete_all(self, KP_MPI_OWNER_TYPE, type->handle, &type->attributes);
}

/* --- Functions of MPI --- */

int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *delete,
                           int *keyval, void *extra)
{
    KP_MPI_ENTER(Comm_create_keyval);
    return kp_mpi_keyval_create(self, KP_MPI_OWNER_COMM, (void *)(uintptr_t)copy,
                                (void *)(uintptr_t) delete, extra, keyval);
}
KP_MPI_NAMES(Comm_create_keyval);

int MPI_Keyval_create(MPI_Copy_function *copy, MPI_Delete_function *delete, int *keyval,
                      void *extra)
{
    KP_MPI_ENTER(Keyval_create);
    return kp_mpi_keyval_create(self, KP_MPI_OWNER_COMM, (void *)(uintptr_t)copy,
                                (void *)(uintptr_t) delete, extra, keyval);
}
KP_MPI_NAMES(Keyval_create);

int MPI_Comm_free_keyval(int *keyval)
{
    KP_MPI_ENTER(Comm_free_keyval);
    return kp_mpi_keyval_free(self, KP_MPI_OWNER_COMM, keyval);
}
KP_MPI_NAMES(Comm_free_keyval);

int MPI_Keyval_free(int *keyval)
{
    KP_MPI_ENTER(Keyval_free);
    return kp_mpi_keyval_free(self, KP_MPI_OWNER_COMM, keyval);
}
KP_MPI_NAMES(Keyval_free);

static int set(struct kp_mpi_rank *self, MPI_Comm handle, int keyval, void *value)
{
    KP_MPI_COMM_OF(handle);
    return kp_mpi_attribute_set(self, KP_MPI_OWNER_COMM, handle, &comm->attributes, keyval, value);
}

int MPI_Comm_set_attr(MPI_Comm comm, int keyval, void *value)
{
    KP_MPI_ENTER(Comm_set_attr);
    return set(self, comm, keyval, value);
}
KP_MPI_NAMES(Comm_set_attr);

int MPI_Attr_put(MPI_Comm comm, int keyval, void *value)
{
    KP_MPI_ENTER(Attr_put);
    return set(self, comm, keyval, value);
}
KP_MPI_NAMES(Attr_put);

/* The predefined attributes: a pointer to an int that lasts. */
static int *predefined(struct kp_mpi_rank *self, int keyval)
{
    static int tag_ub = INT_MAX, host = MPI_PROC_NULL, io = MPI_ANY_SOURCE, wtime = 1, appnum = 0;
    switch (keyval) {
    case MPI_TAG_UB:
        return &tag_ub;
    case MPI_HOST:
        return &host;
    case MPI_IO:
        return &io;
    case MPI_WTIME_IS_GLOBAL:
        return &wtime;
    case MPI_UNIVERSE_SIZE:
        return &self->world->size;
    case MPI_APPNUM:
        return &appnum;
    case MPI_LASTUSEDCODE:
        return &self->last_code;
    default:
        return NULL;
    }
}

static int get(struct kp_mpi_rank *self, MPI_Comm handle, int keyval, void *value, int *flag)
{
    KP_MPI_COMM_OF(handle);
    int *constant = predefined(self, keyval);
    if (!constant)
        return kp_mpi_attribute_get(self, KP_MPI_OWNER_COMM, &comm->attributes, keyval, value,
                                    flag);
    *(int **)value = constant;
    *flag = 1;
    return MPI_SUCCESS;
}

int MPI_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag)
{
    KP_MPI_ENTER(Comm_get_attr);
    return get(self, comm, keyval, value, flag);
}
KP_MPI_NAMES(Comm_get_attr);

int MPI_Attr_get(MPI_Comm comm, int keyval, void *value, int *flag)
{
    KP_MPI_ENTER(Attr_get);
    return get(self, comm, keyval, value, flag);
}
KP_MPI_NAMES(Attr_get);

static int delete (struct kp_mpi_rank *self, MPI_Comm handle, int keyval)
{
    KP_MPI_COMM_OF(handle);
    return kp_mpi_attribute_delete(self, KP_MPI_OWNER_COMM, handle, &comm->attributes, keyval);
}

int MPI_Comm_delete_attr(MPI_Comm comm, int keyval)
{
    KP_MPI_ENTER(Comm_delete_attr);
    return delete (self, comm, keyval);
}
KP_MPI_NAMES(Comm_delete_attr);

int MPI_Attr_delete(MPI_Comm comm, int keyval)
{
    KP_MPI_ENTER(Attr_delete);
    return delete (self, comm, keyval);
}
KP_MPI_NAMES(Attr_delete);
