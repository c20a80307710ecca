/* Info objects. kport knows no keys: it keeps what the program sets. */
#include "lib/mpi/info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int no_memory(struct kp_mpi_rank *self)
{
    return kp_mpi_fail(self, NULL, MPI_ERR_NO_MEM, "no memory for an info object");
}

static struct kp_mpi_info *find_info(struct kp_mpi_rank *self, MPI_Info handle)
{
    return kp_mpi_find(&self->tables[KP_MPI_INFO], KP_MPI_INFO, handle);
}

/* --- Entries --- */

static int find_key(const struct kp_mpi_info *info, const char *key)
{
    for (int i = 0; i < info->count; i++) {
        if (strcmp(info->list[i].key, key) == 0)
            return i;
    }
    return -1;
}

static void free_entry(const struct kp_mpi_info_entry *entry)
{
    free(entry->key);
    free(entry->value);
}

static bool reach(struct kp_mpi_info *info)
{
    if (info->count < info->room)
        return true;
    const int room = info->room > 0 ? 2 * info->room : 8;
    struct kp_mpi_info_entry *list = realloc(info->list, (size_t)room * sizeof *list);
    if (!list)
        return false;
    info->list = list;
    info->room = room;
    return true;
}

/* Returns false if there is no memory. */
static bool set(struct kp_mpi_info *info, const char *key, const char *value)
{
    const int i = find_key(info, key);
    char *copy = strdup(value), *name = i < 0 ? strdup(key) : NULL;
    if (!copy || (i < 0 && (!name || !reach(info)))) {
        free(copy);
        free(name);
        return false;
    }
    if (i < 0) {
        info->list[info->count++] = (struct kp_mpi_info_entry){name, copy};
    } else {
        free(info->list[i].value);
        info->list[i].value = copy;
    }
    return true;
}

/* --- Objects --- */

static void free_info(struct kp_mpi_info *info)
{
    for (int i = 0; i < info->count; i++)
        free_entry(&info->list[i]);
    free(info->list);
    free(info);
}

void kp_mpi_infos_end(struct kp_mpi_rank *self)
{
    const struct kp_mpi_table *table = &self->tables[KP_MPI_INFO];
    for (uint32_t i = 0; i < table->used; i++) {
        if (table->slots[i].object)
            free_info(table->slots[i].object);
    }
}

/* Makes an object with a handle, or returns NULL. */
static struct kp_mpi_info *make(struct kp_mpi_rank *self)
{
    struct kp_mpi_info *info = calloc(1, sizeof *info);
    if (!info)
        return NULL;
    info->made = self->call;
    info->handle = kp_mpi_handle_make(&self->tables[KP_MPI_INFO], KP_MPI_INFO, info);
    if (info->handle)
        return info;
    free_info(info);
    return NULL;
}

bool kp_mpi_infos_begin(struct kp_mpi_rank *self)
{
    struct kp_mpi_info *info = make(self); /* whose handle is MPI_INFO_ENV */
    const bool fibers = self->world->job->config.carrier == KP_CARRIER_FIBERS;
    char ranks[16];
    snprintf(ranks, sizeof ranks, "%d", self->world->size);
    return info && set(info, "maxprocs", ranks) && set(info, "soft", ranks) &&
           set(info, "thread_level", fibers ? "MPI_THREAD_FUNNELED" : "MPI_THREAD_SERIALIZED");
}

void kp_mpi_info_drop(struct kp_mpi_rank *self, MPI_Info handle)
{
    struct kp_mpi_info *info = find_info(self, handle);
    if (!info)
        return;
    kp_mpi_handle_forget(&self->tables[KP_MPI_INFO], handle);
    free_info(info);
}

int kp_mpi_info_copy(struct kp_mpi_rank *self, MPI_Info from, MPI_Info *made)
{
    struct kp_mpi_info *copy = make(self);
    const struct kp_mpi_info *info = find_info(self, from);
    *made = MPI_INFO_NULL;
    if (!copy)
        return no_memory(self);
    for (int i = 0; info && i < info->count; i++) {
        if (!set(copy, info->list[i].key, info->list[i].value)) {
            kp_mpi_info_drop(self, copy->handle);
            return no_memory(self);
        }
    }
    *made = copy->handle;
    return MPI_SUCCESS;
}

/* --- Checks --- */

/* Declares `info`, or returns from the function with an error. */
#define INFO_OF(handle)                                                                            \
    struct kp_mpi_info *info = find_info(self, handle);                                            \
    if (!info)                                                                                     \
    return kp_mpi_fail(self, NULL, MPI_ERR_INFO, "%s",                                             \
                       (handle) == MPI_INFO_NULL                                                   \
                           ? "the info object is MPI_INFO_NULL"                                    \
                           : "the info object is not valid: it was freed, or never made")

static int check_key(struct kp_mpi_rank *self, const char *key)
{
    const size_t length = key ? strlen(key) : 0;
    if (length >= 1 && length <= MPI_MAX_INFO_KEY)
        return MPI_SUCCESS;
    return kp_mpi_fail(self, NULL, MPI_ERR_INFO_KEY,
                       "the key has %zu characters; it may have 1 ... %d", length,
                       MPI_MAX_INFO_KEY);
}

/* --- Functions of MPI --- */

#define ENTER_ALWAYS(name)                                                                         \
    struct kp_mpi_rank *self = kp_mpi_enter_always("MPI_" #name, __builtin_return_address(0))

int MPI_Info_create(MPI_Info *handle)
{
    ENTER_ALWAYS(Info_create);
    const struct kp_mpi_info *info = make(self);
    *handle = info ? info->handle : MPI_INFO_NULL;
    return info ? MPI_SUCCESS : no_memory(self);
}
KP_MPI_NAMES(Info_create);

int MPI_Info_dup(MPI_Info handle, MPI_Info *made)
{
    ENTER_ALWAYS(Info_dup);
    INFO_OF(handle);
    (void)info;
    return kp_mpi_info_copy(self, handle, made);
}
KP_MPI_NAMES(Info_dup);

int MPI_Info_free(MPI_Info *handle)
{
    ENTER_ALWAYS(Info_free);
    INFO_OF(*handle);
    (void)info;
    kp_mpi_info_drop(self, *handle);
    *handle = MPI_INFO_NULL;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Info_free);

int MPI_Info_set(MPI_Info handle, const char *key, const char *value)
{
    ENTER_ALWAYS(Info_set);
    INFO_OF(handle);
    const int class = check_key(self, key);
    if (class)
        return class;
    if (!value || strlen(value) < 1 || strlen(value) > MPI_MAX_INFO_VAL)
        return kp_mpi_fail(self, NULL, MPI_ERR_INFO_VALUE,
                           "the value has %zu characters; it may have 1 ... %d",
                           value ? strlen(value) : 0, MPI_MAX_INFO_VAL);
    return set(info, key, value) ? MPI_SUCCESS : no_memory(self);
}
KP_MPI_NAMES(Info_set);

int MPI_Info_delete(MPI_Info handle, const char *key)
{
    ENTER_ALWAYS(Info_delete);
    INFO_OF(handle);
    const int class = check_key(self, key);
    if (class)
        return class;
    const int i = find_key(info, key);
    if (i < 0)
        return kp_mpi_fail(self, NULL, MPI_ERR_INFO_NOKEY, "the info object has no key \"%s\"",
                           key);
    free_entry(&info->list[i]);
    info->count--;
    memmove(&info->list[i], &info->list[i + 1], (size_t)(info->count - i) * sizeof *info->list);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Info_delete);

int MPI_Info_get(MPI_Info handle, const char *key, int length, char *value, int *flag)
{
    ENTER_ALWAYS(Info_get);
    INFO_OF(handle);
    const int class = check_key(self, key);
    if (class)
        return class;
    const int i = find_key(info, key);
    *flag = i >= 0;
    /* `length` does not count the final zero. */
    if (i >= 0 && length >= 0)
        snprintf(value, (size_t)length + 1, "%s", info->list[i].value);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Info_get);

int MPI_Info_get_string(MPI_Info handle, const char *key, int *length, char *value, int *flag)
{
    ENTER_ALWAYS(Info_get_string);
    INFO_OF(handle);
    const int class = check_key(self, key);
    if (class)
        return class;
    const int i = find_key(info, key);
    *flag = i >= 0;
    if (i < 0)
        return MPI_SUCCESS;
    if (*length > 0)
        snprintf(value, (size_t)*length, "%s", info->list[i].value);
    *length = (int)strlen(info->list[i].value) + 1;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Info_get_string);

int MPI_Info_get_valuelen(MPI_Info handle, const char *key, int *length, int *flag)
{
    ENTER_ALWAYS(Info_get_valuelen);
    INFO_OF(handle);
    const int class = check_key(self, key);
    if (class)
        return class;
    const int i = find_key(info, key);
    *flag = i >= 0;
    if (i >= 0)
        *length = (int)strlen(info->list[i].value);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Info_get_valuelen);

int MPI_Info_get_nkeys(MPI_Info handle, int *count)
{
    ENTER_ALWAYS(Info_get_nkeys);
    INFO_OF(handle);
    *count = info->count;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Info_get_nkeys);

int MPI_Info_get_nthkey(MPI_Info handle, int n, char *key)
{
    ENTER_ALWAYS(Info_get_nthkey);
    INFO_OF(handle);
    if (n < 0 || n >= info->count)
        return kp_mpi_fail(self, NULL, MPI_ERR_ARG, "n is %d, but the info object has %d keys", n,
                           info->count);
    strcpy(key, info->list[n].key);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Info_get_nthkey);

int MPI_Info_create_env(int argc, char *argv[], MPI_Info *handle)
{
    ENTER_ALWAYS(Info_create_env);
    (void)argc;
    (void)argv;
    return kp_mpi_info_copy(self, MPI_INFO_ENV, handle);
}
KP_MPI_NAMES(Info_create_env);
