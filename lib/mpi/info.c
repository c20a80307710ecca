/* Info objects: lists of keys and values. */
#include "lib/mpi/info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    char *key, *value;
};

struct kp_mpi_info {
    struct pair *pairs;
    int count;
};

static void free_pairs(struct kp_mpi_info *info)
{
    for (int i = 0; i < info->count; i++) {
        free(info->pairs[i].key);
        free(info->pairs[i].value);
    }
    free(info->pairs);
    free(info);
}

static struct kp_mpi_info *of(struct kp_mpi_rank *self, MPI_Info handle, int *error)
{
    struct kp_mpi_info *info = kp_mpi_find(&self->tables[KP_MPI_INFO], KP_MPI_INFO, handle);
    if (!info)
        *error = kp_mpi_fail(self, NULL, MPI_ERR_INFO, "the info object is %s",
                             handle == MPI_INFO_NULL ? "MPI_INFO_NULL"
                                                     : "not valid: it was freed, or never made");
    return info;
}

#define INFO_OF(handle)                                                                            \
    int wrong_info;                                                                                \
    struct kp_mpi_info *info = of(self, handle, &wrong_info);                                      \
    if (!info)                                                                                     \
    return wrong_info

static int no_memory(struct kp_mpi_rank *self)
{
    return kp_mpi_fail(self, NULL, MPI_ERR_NO_MEM, "no memory for an info object");
}

static int make(struct kp_mpi_rank *self, MPI_Info *handle)
{
    struct kp_mpi_info *info = calloc(1, sizeof *info);
    *handle = info ? kp_mpi_handle_make(&self->tables[KP_MPI_INFO], KP_MPI_INFO, info) : NULL;
    if (*handle)
        return MPI_SUCCESS;
    free(info);
    return no_memory(self);
}

static struct pair *find(const struct kp_mpi_info *info, const char *key)
{
    for (int i = 0; i < info->count; i++) {
        if (strcmp(info->pairs[i].key, key) == 0)
            return &info->pairs[i];
    }
    return NULL;
}

static bool set(struct kp_mpi_info *info, const char *key, const char *value)
{
    struct pair *pair = find(info, key), *pairs;
    char *copy = strdup(value), *name;
    if (pair && copy) {
        free(pair->value);
        pair->value = copy;
        return true;
    }
    name = strdup(key);
    pairs = realloc(info->pairs, ((size_t)info->count + 1) * sizeof *pairs);
    if (pairs)
        info->pairs = pairs;
    if (!pairs || !name || !copy) {
        free(name);
        free(copy);
        return false;
    }
    pairs[info->count++] = (struct pair){name, copy};
    return true;
}

bool kp_mpi_infos_begin(struct kp_mpi_rank *self)
{
    MPI_Info environment;
    return make(self, &environment) == MPI_SUCCESS;
}

void kp_mpi_infos_end(struct kp_mpi_rank *self)
{
    const struct kp_mpi_table *table = &self->tables[KP_MPI_INFO];
    for (uint32_t i = 0; i < table->used; i++) {
        if (table->slots[i].object)
            free_pairs(table->slots[i].object);
    }
}

void kp_mpi_info_drop(struct kp_mpi_rank *self, MPI_Info handle)
{
    struct kp_mpi_info *info = kp_mpi_find(&self->tables[KP_MPI_INFO], KP_MPI_INFO, handle);
    if (!info)
        return;
    free_pairs(info);
    kp_mpi_handle_forget(&self->tables[KP_MPI_INFO], handle);
}

static int copy(struct kp_mpi_rank *self, const struct kp_mpi_info *from, MPI_Info *handle)
{
    int error = make(self, handle);
    struct kp_mpi_info *to = error ? NULL : of(self, *handle, &error);
    for (int i = 0; to && i < from->count; i++) {
        if (!set(to, from->pairs[i].key, from->pairs[i].value))
            error = MPI_ERR_NO_MEM;
    }
    return error;
}

int kp_mpi_info_attach(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, MPI_Info handle)
{
    MPI_Info made = MPI_INFO_NULL;
    int error = MPI_SUCCESS;
    if (handle != MPI_INFO_NULL) {
        INFO_OF(handle);
        error = copy(self, info, &made);
    }
    kp_mpi_info_drop(self, comm->info);
    comm->info = made;
    return error;
}

/* --- Functions of MPI --- */

int MPI_Info_create(MPI_Info *handle)
{
    KP_MPI_ENTER(Info_create);
    return make(self, handle);
}
KP_MPI_NAMES(Info_create);

int MPI_Info_create_env(int argc, char *argv[], MPI_Info *handle)
{
    KP_MPI_ENTER(Info_create_env);
    (void)argc;
    (void)argv;
    return make(self, handle);
}
KP_MPI_NAMES(Info_create_env);

int MPI_Info_dup(MPI_Info handle, MPI_Info *newinfo)
{
    KP_MPI_ENTER(Info_dup);
    INFO_OF(handle);
    return copy(self, info, newinfo);
}
KP_MPI_NAMES(Info_dup);

int MPI_Info_free(MPI_Info *handle)
{
    KP_MPI_ENTER(Info_free);
    INFO_OF(*handle);
    if (*handle == MPI_INFO_ENV)
        return kp_mpi_fail(self, NULL, MPI_ERR_INFO, "MPI_INFO_ENV may not be freed");
    (void)info;
    kp_mpi_info_drop(self, *handle);
    *handle = MPI_INFO_NULL;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Info_free);

int MPI_Info_set(MPI_Info handle, const char *key, const char *value)
{
    KP_MPI_ENTER(Info_set);
    INFO_OF(handle);
    if (!key || !*key || strlen(key) > MPI_MAX_INFO_KEY)
        return kp_mpi_fail(self, NULL, MPI_ERR_INFO_KEY,
                           "the key is empty, or longer than MPI_MAX_INFO_KEY");
    if (!value || strlen(value) > MPI_MAX_INFO_VAL)
        return kp_mpi_fail(self, NULL, MPI_ERR_INFO_VALUE,
                           "the value is NULL, or longer than MPI_MAX_INFO_VAL");
    return set(info, key, value) ? MPI_SUCCESS : no_memory(self);
}
KP_MPI_NAMES(Info_set);

int MPI_Info_delete(MPI_Info handle, const char *key)
{
    KP_MPI_ENTER(Info_delete);
    INFO_OF(handle);
    struct pair *pair = find(info, key);
    if (!pair)
        return kp_mpi_fail(self, NULL, MPI_ERR_INFO_NOKEY, "the info object has no key \"%s\"",
                           key);
    free(pair->key);
    free(pair->value);
    info->count--;
    memmove(pair, pair + 1, (size_t)(info->pairs + info->count - pair) * sizeof *pair);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Info_delete);

int MPI_Info_get(MPI_Info handle, const char *key, int valuelen, char *value, int *flag)
{
    KP_MPI_ENTER(Info_get);
    INFO_OF(handle);
    const struct pair *pair = find(info, key);
    *flag = pair != NULL;
    if (pair)
        snprintf(value, (size_t)valuelen + 1, "%s", pair->value);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Info_get);

int MPI_Info_get_string(MPI_Info handle, const char *key, int *buflen, char *value, int *flag)
{
    KP_MPI_ENTER(Info_get_string);
    INFO_OF(handle);
    const struct pair *pair = find(info, key);
    *flag = pair != NULL;
    if (pair && *buflen > 0)
        snprintf(value, (size_t)*buflen, "%s", pair->value);
    if (pair)
        *buflen = (int)strlen(pair->value) + 1;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Info_get_string);

int MPI_Info_get_valuelen(MPI_Info handle, const char *key, int *valuelen, int *flag)
{
    KP_MPI_ENTER(Info_get_valuelen);
    INFO_OF(handle);
    const struct pair *pair = find(info, key);
    *flag = pair != NULL;
    if (pair)
        *valuelen = (int)strlen(pair->value);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Info_get_valuelen);

int MPI_Info_get_nkeys(MPI_Info handle, int *nkeys)
{
    KP_MPI_ENTER(Info_get_nkeys);
    INFO_OF(handle);
    *nkeys = info->count;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Info_get_nkeys);

int MPI_Info_get_nthkey(MPI_Info handle, int n, char *key)
{
    KP_MPI_ENTER(Info_get_nthkey);
    INFO_OF(handle);
    if (n < 0 || n >= info->count)
        return kp_mpi_fail(self, NULL, MPI_ERR_ARG, "n is %d; the info object has %d keys", n,
                           info->count);
    strcpy(key, info->pairs[n].key);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Info_get_nthkey);

int MPI_Comm_set_info(MPI_Comm handle, MPI_Info info)
{
    KP_MPI_ENTER(Comm_set_info);
    KP_MPI_COMM_OF(handle);
    return kp_mpi_info_attach(self, comm, info);
}
KP_MPI_NAMES(Comm_set_info);

int MPI_Comm_get_info(MPI_Comm handle, MPI_Info *made)
{
    KP_MPI_ENTER(Comm_get_info);
    KP_MPI_COMM_OF(handle);
    if (comm->info == MPI_INFO_NULL)
        return make(self, made);
    INFO_OF(comm->info);
    return copy(self, info, made);
}
KP_MPI_NAMES(Comm_get_info);
