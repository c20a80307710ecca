/* How a datatype was made: MPI_Type_get_envelope, MPI_Type_get_contents, and in words. */
#include "lib/mpi/datatype/data.h"

#include <stdio.h>
#include <string.h>

/* --- In words --- */

static const char *const words[] = {
    [MPI_COMBINER_DUP] = "dup",
    [MPI_COMBINER_CONTIGUOUS] = "contiguous",
    [MPI_COMBINER_VECTOR] = "vector",
    [MPI_COMBINER_HVECTOR] = "hvector",
    [MPI_COMBINER_INDEXED] = "indexed",
    [MPI_COMBINER_HINDEXED] = "hindexed",
    [MPI_COMBINER_INDEXED_BLOCK] = "indexed_block",
    [MPI_COMBINER_HINDEXED_BLOCK] = "hindexed_block",
    [MPI_COMBINER_STRUCT] = "struct",
    [MPI_COMBINER_SUBARRAY] = "subarray",
    [MPI_COMBINER_DARRAY] = "darray",
    [MPI_COMBINER_RESIZED] = "resized",
};

/* A text that is being written. What does not fit is cut. */
struct text {
    char *text;
    size_t size, used;
};

static void say(struct text *t, const char *words_said)
{
    const size_t length = strlen(words_said), room = t->size - t->used;
    const size_t now = length < room ? length : room - 1;
    memcpy(t->text + t->used, words_said, now);
    t->used += now;
    t->text[t->used] = '\0';
}

static void say_number(struct text *t, long long number)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%lld, ", number);
    say(t, digits);
}

static void say_type(struct text *t, const struct kp_mpi_type *type)
{
    const struct kp_mpi_type_contents *c = type->contents;
    const char *word =
        (size_t)c->combiner < sizeof words / sizeof words[0] ? words[c->combiner] : NULL;
    if (type->name[0] || c->basic) {
        say(t, type->name[0] ? type->name : c->basic->name);
        return;
    }
    /* A type without a combiner is a step in the making of another one. */
    say(t, word ? word : "part");
    say(t, "(");
    for (size_t i = 0; i < c->integers && t->used + 1 < t->size; i++)
        say_number(t, c->integer[i]);
    for (size_t i = 0; i < c->addresses && t->used + 1 < t->size; i++)
        say_number(t, c->address[i]);
    for (size_t i = 0; i < c->types && t->used + 1 < t->size; i++) {
        if (i > 0)
            say(t, ", ");
        say_type(t, c->type[i]);
    }
    say(t, ")");
}

void kp_mpi_type_describe(const struct kp_mpi_type *type, char *text, size_t size)
{
    struct text t = {text, size, 0};
    say_type(&t, type);
    if (t.used + 1 == size && size > 4)
        memcpy(text + size - 4, "...", 4);
}

/* --- As MPI returns it --- */

int MPI_Type_get_envelope(MPI_Datatype datatype, int *integers, int *addresses, int *datatypes,
                          int *combiner)
{
    KP_MPI_ENTER(Type_get_envelope);
    struct kp_mpi_type *type;
    const int class = kp_mpi_type_find(self, NULL, datatype, &type);
    if (class)
        return class;
    *integers = (int)type->contents->integers;
    *addresses = (int)type->contents->addresses;
    *datatypes = (int)type->contents->types;
    *combiner = type->contents->combiner;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Type_get_envelope);

/* Returns the handle of a predefined type, or a new handle of a type like the other. */
static int handle_of(struct kp_mpi_rank *self, const struct kp_mpi_type *type, MPI_Datatype *handle)
{
    *handle = type->handle;
    if (type->predefined)
        return MPI_SUCCESS;
    struct kp_mpi_type *made = kp_mpi_type_copy(type);
    return made ? kp_mpi_type_give_handle(self, made, handle) : kp_mpi_type_no_memory(self);
}

static int check_room(struct kp_mpi_rank *self, const char *name, int room, size_t needed)
{
    if (room >= 0 && (size_t)room >= needed)
        return MPI_SUCCESS;
    return kp_mpi_fail(self, NULL, MPI_ERR_ARG,
                       "%s is %d, but the type has %zu of them (MPI_Type_get_envelope)", name, room,
                       needed);
}

int MPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses,
                          int max_datatypes, int integers[], MPI_Aint addresses[],
                          MPI_Datatype datatypes[])
{
    KP_MPI_ENTER(Type_get_contents);
    struct kp_mpi_type *type;
    int class = kp_mpi_type_find(self, NULL, datatype, &type);
    if (class)
        return class;
    const struct kp_mpi_type_contents *c = type->contents;
    if (c->combiner == MPI_COMBINER_NAMED)
        return kp_mpi_fail(self, NULL, MPI_ERR_TYPE, "%s is a predefined type, without contents",
                           type->name);
    class = check_room(self, "max_integers", max_integers, c->integers);
    if (!class)
        class = check_room(self, "max_addresses", max_addresses, c->addresses);
    if (!class)
        class = check_room(self, "max_datatypes", max_datatypes, c->types);
    for (size_t i = 0; i < c->integers && !class; i++)
        integers[i] = c->integer[i];
    for (size_t i = 0; i < c->addresses && !class; i++)
        addresses[i] = c->address[i];
    for (size_t i = 0; i < c->types && !class; i++)
        class = handle_of(self, c->type[i], &datatypes[i]);
    return class;
}
KP_MPI_NAMES(Type_get_contents);
