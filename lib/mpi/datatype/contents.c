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
    for (size_t i = 0; i < c->counts && t->used + 1 < t->size; i++)
        say_number(t, c->large[i]);
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

int MPI_Type_get_envelope_c(MPI_Datatype datatype, MPI_Count *integers, MPI_Count *addresses,
                            MPI_Count *large_counts, MPI_Count *datatypes, int *combiner)
{
    KP_MPI_ENTER(Type_get_envelope_c);
    struct kp_mpi_type *type;
    const int class = kp_mpi_type_find(self, NULL, datatype, &type);
    if (class)
        return class;
    *integers = (MPI_Count)type->contents->integers;
    *addresses = (MPI_Count)type->contents->addresses;
    *large_counts = (MPI_Count)type->contents->counts;
    *datatypes = (MPI_Count)type->contents->types;
    *combiner = type->contents->combiner;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Type_get_envelope_c);

/* Returns the handle of a predefined type, or a new handle of a type like the other. */
static int handle_of(struct kp_mpi_rank *self, const struct kp_mpi_type *type, MPI_Datatype *handle)
{
    *handle = type->handle;
    if (type->contents->basic)
        return MPI_SUCCESS;
    struct kp_mpi_type *made = kp_mpi_type_copy(type);
    return made ? kp_mpi_type_give_handle(self, made, handle) : kp_mpi_type_no_memory(self);
}

static int check_room(struct kp_mpi_rank *self, const char *name, MPI_Count room, size_t needed)
{
    if (room >= 0 && (size_t)room >= needed)
        return MPI_SUCCESS;
    return kp_mpi_fail(self, NULL, MPI_ERR_ARG,
                       "%s is %lld, but the type has %zu of them (MPI_Type_get_envelope)", name,
                       room, needed);
}

/* Where a program wants the arguments of a type, and how many it has room for. */
struct room {
    MPI_Count integers, addresses, counts, types;
    int *integer;
    MPI_Aint *address;
    MPI_Count *large;
    MPI_Datatype *type;
};

static int get_contents(struct kp_mpi_rank *self, MPI_Datatype datatype, const struct room *room)
{
    struct kp_mpi_type *type;
    int class = kp_mpi_type_find(self, NULL, datatype, &type);
    if (class)
        return class;
    const struct kp_mpi_type_contents *c = type->contents;
    if (c->combiner == MPI_COMBINER_NAMED)
        return kp_mpi_fail(self, NULL, MPI_ERR_TYPE, "%s is a predefined type, without contents",
                           type->name);
    class = check_room(self, "max_integers", room->integers, c->integers);
    if (!class)
        class = check_room(self, "max_addresses", room->addresses, c->addresses);
    if (!class)
        class = check_room(self, "max_datatypes", room->types, c->types);
    if (!class && room->large)
        class = check_room(self, "max_large_counts", room->counts, c->counts);
    else if (!class && c->counts > 0)
        class = kp_mpi_fail(self, NULL, MPI_ERR_TYPE,
                            "the type has large counts, which MPI_Type_get_contents_c returns");
    for (size_t i = 0; i < c->integers && !class; i++)
        room->integer[i] = c->integer[i];
    for (size_t i = 0; i < c->addresses && !class; i++)
        room->address[i] = c->address[i];
    for (size_t i = 0; i < c->counts && !class; i++)
        room->large[i] = c->large[i];
    for (size_t i = 0; i < c->types && !class; i++)
        class = handle_of(self, c->type[i], &room->type[i]);
    return class;
}

int MPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses,
                          int max_datatypes, int integers[], MPI_Aint addresses[],
                          MPI_Datatype datatypes[])
{
    KP_MPI_ENTER(Type_get_contents);
    const struct room room = {.integers = max_integers,
                              .addresses = max_addresses,
                              .types = max_datatypes,
                              .integer = integers,
                              .address = addresses,
                              .type = datatypes};
    return get_contents(self, datatype, &room);
}
KP_MPI_NAMES(Type_get_contents);

int MPI_Type_get_contents_c(MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses,
                            MPI_Count max_large_counts, MPI_Count max_datatypes, int integers[],
                            MPI_Aint addresses[], MPI_Count large_counts[],
                            MPI_Datatype datatypes[])
{
    KP_MPI_ENTER(Type_get_contents_c);
    MPI_Count none;
    const struct room room = {max_integers,
                              max_addresses,
                              max_large_counts,
                              max_datatypes,
                              integers,
                              addresses,
                              large_counts ? large_counts : &none,
                              datatypes};
    return get_contents(self, datatype, &room);
}
KP_MPI_NAMES(Type_get_contents_c);
