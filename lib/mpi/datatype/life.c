/* The life of datatypes, and what messages and collectives need of them. */
#include "lib/mpi/type.h"

#include "lib/layout/face.h"
#include "lib/mpi/datatype/data.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- The predefined types --- */

/* Every rank has predefined types of its own, because they may get attributes and names. The
 * contents and the layouts are the same for all. */
static struct kp_mpi_type predefined[KP_MPI_TYPE_COUNT];
static struct kp_mpi_type_contents predefined_contents[KP_MPI_TYPE_COUNT];
static bool predefined_made;

static bool make_predefined(int number)
{
    const struct kp_mpi_basic *basic = &kp_mpi_basics[number];
    struct kp_mpi_type *type = &predefined[number];
    size_t size = 0;
    for (size_t i = 0; i < basic->leaves; i++)
        size += (size_t)basic->leaf[i].bytes * basic->leaf[i].numbers;
    const ptrdiff_t extent = (ptrdiff_t)basic->extent;
    const ptrdiff_t end = basic->leaves < 2 ? extent : basic->second + basic->leaf[1].bytes;
    predefined_contents[number] =
        (struct kp_mpi_type_contents){.basic = basic,
                                      .leaves = basic->leaves,
                                      .bounds = {.upper = extent,
                                                 .true_upper = end,
                                                 .lower_set = number == KP_MPI_BASIC_LB,
                                                 .upper_set = number == KP_MPI_BASIC_UB,
                                                 .any_data = basic->leaves > 0,
                                                 .alignment = basic->alignment},
                                      .combiner = MPI_COMBINER_NAMED};
    *type = (struct kp_mpi_type){.size = size,
                                 .extent = extent,
                                 .true_extent = end,
                                 .dense = (ptrdiff_t)size == extent,
                                 .predefined = true,
                                 .committed = true,
                                 .element = basic->type < 0 ? KP_TYPES : (kp_type)basic->type,
                                 .layout = kp_mpi_basic_layout(basic),
                                 .references = 1,
                                 .contents = &predefined_contents[number]};
    snprintf(type->name, sizeof type->name, "%s", basic->name);
    return type->layout;
}

static void make_all_predefined(void)
{
    predefined_made = true;
    for (int i = 0; i < KP_MPI_TYPE_COUNT; i++)
        predefined_made = make_predefined(i) && predefined_made;
}

bool kp_mpi_types_begin(struct kp_mpi_rank *self)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_all_predefined);
    struct kp_mpi_type *own = predefined_made ? malloc(sizeof predefined) : NULL;
    if (!own)
        return false;
    memcpy(own, predefined, sizeof predefined);
    self->predefined_types = own;
    for (int i = 0; i < KP_MPI_TYPE_COUNT; i++) {
        own[i].handle = kp_mpi_handle_make(&self->tables[KP_MPI_TYPE], KP_MPI_TYPE, &own[i]);
        if (!own[i].handle)
            return false;
    }
    return true;
}

void kp_mpi_types_end(struct kp_mpi_rank *self)
{
    struct kp_mpi_table *table = &self->tables[KP_MPI_TYPE];
    for (uint32_t i = KP_MPI_TYPE_COUNT; i < table->used; i++) {
        if (table->slots[i].object)
            kp_mpi_type_release(table->slots[i].object);
    }
    for (int i = 0; i < KP_MPI_TYPE_COUNT && self->predefined_types; i++)
        free(self->predefined_types[i].attributes.list);
    free(self->predefined_types);
}

/* --- Holders --- */

static void release_contents(struct kp_mpi_type_contents *contents)
{
    const struct kp_mpi_map *map = &contents->map;
    if (--contents->holders > 0)
        return;
    for (size_t i = 0; map->fields && i < map->count; i++)
        kp_mpi_type_release(map->fields[i]);
    if (map->of)
        kp_mpi_type_release(map->of);
    for (size_t i = 0; i < contents->types; i++)
        kp_mpi_type_release(contents->type[i]);
    free(map->lengths);
    free(map->places);
    free(map->fields);
    free(contents->type);
    free(contents->address);
    free(contents->integer);
    free(contents->large);
    free(contents);
}

void kp_mpi_type_let_go(struct kp_mpi_type *type)
{
    if (--type->references > 0)
        return;
    release_contents(type->contents);
    if (type->relative)
        kp_mpi_type_release(type->relative);
    kp_layout_free((kp_layout *)type->layout);
    free(type->attributes.list);
    free(type);
}

/* --- Checks --- */

int kp_mpi_type_find(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, MPI_Datatype handle,
                     struct kp_mpi_type **type)
{
    *type = kp_mpi_type_of(self, handle);
    if (*type)
        return MPI_SUCCESS;
    return kp_mpi_fail(self, comm, MPI_ERR_TYPE, "%s",
                       handle == MPI_DATATYPE_NULL
                           ? "the datatype is MPI_DATATYPE_NULL"
                           : "the datatype is not valid: it was freed, or never made");
}

int kp_mpi_type_refuse(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, MPI_Datatype handle)
{
    struct kp_mpi_type *type;
    const int class = kp_mpi_type_find(self, comm, handle, &type);
    if (class)
        return class;
    char text[KP_MPI_TYPE_WORDS];
    kp_mpi_type_describe(type, text, sizeof text);
    return kp_mpi_fail(self, comm, MPI_ERR_TYPE,
                       "the datatype %s is not committed (MPI_Type_commit)", text);
}

/* --- Signatures and copies --- */

uint32_t kp_mpi_type_signature(struct kp_mpi_type *type, size_t count)
{
    if (type->signature != 0 && type->signed_count == count)
        return type->signature;
    if (type->predefined && type->contents->basic == &kp_mpi_basics[KP_MPI_BASIC_PACKED])
        return 0;
    const uint64_t number = kp_face_layout_signature(type->layout, count);
    const uint32_t folded = (uint32_t)(number ^ number >> 23 ^ number >> 46) & 0x7fffff;
    type->signed_count = count;
    type->signature = folded > 0 ? folded : 1;
    return type->signature;
}

const struct kp_mpi_type *kp_mpi_type_signed(struct kp_mpi_rank *self, uint32_t signature,
                                             size_t bytes)
{
    /* Several types have the same signature: the usual ones of C come first. */
    const MPI_Datatype usual[] = {MPI_INT,   MPI_CHAR,     MPI_FLOAT,        MPI_DOUBLE,
                                  MPI_LONG,  MPI_UNSIGNED, MPI_LONG_LONG,    MPI_UNSIGNED_LONG,
                                  MPI_SHORT, MPI_BYTE,     MPI_UNSIGNED_CHAR};
    const struct kp_mpi_table *types = &self->tables[KP_MPI_TYPE];
    const uint32_t first = sizeof usual / sizeof usual[0];
    for (uint32_t i = 0; i < first + types->used; i++) {
        struct kp_mpi_type *type =
            i < first ? kp_mpi_type_of(self, usual[i]) : types->slots[i - first].object;
        if (type && type->predefined && type->size > 0 && bytes % type->size == 0 &&
            kp_mpi_type_signature(type, bytes / type->size) == signature)
            return type;
    }
    return NULL;
}

void kp_mpi_type_pack(const struct kp_mpi_type *type, size_t count, const void *from, void *to)
{
    const size_t bytes = count * type->size;
    if (type->dense && bytes > 0)
        memcpy(to, from, bytes);
    else
        kp_face_layout_copy((struct kp_face_position){.data = to},
                            (struct kp_face_position){.data = from, .layout = type->layout}, bytes);
}

void kp_mpi_type_unpack(const struct kp_mpi_type *type, const void *from, size_t bytes, void *to)
{
    if (type->dense && bytes > 0)
        memcpy(to, from, bytes);
    else
        kp_face_layout_copy((struct kp_face_position){.data = to, .layout = type->layout},
                            (struct kp_face_position){.data = from}, bytes);
}
