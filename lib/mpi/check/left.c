/* What a program leaves behind at MPI_Finalize: handles that it has not freed. */
#include "lib/mpi/attr.h"
#include "lib/mpi/request.h"

static const struct {
    enum kp_mpi_kind kind;
    const char *finding, *several, *left;
} kinds[] = {
    {KP_MPI_REQUEST, "request", "requests",
     "the request is neither completed nor freed before MPI_Finalize (MPI_Wait and MPI_Test "
     "complete a request)"},
    {KP_MPI_MESSAGE, "leak", "messages", "the message is taken and never received by MPI_Mrecv"},
    {KP_MPI_COMM, "leak", "communicators", "the communicator is never freed by MPI_Comm_free"},
    {KP_MPI_TYPE, "leak", "types", "the type is never freed by MPI_Type_free"},
    {KP_MPI_GROUP, "leak", "groups", "the group is never freed by MPI_Group_free"},
    {KP_MPI_OP, "leak", "operators", "the operator is never freed by MPI_Op_free"},
    {KP_MPI_ERRHANDLER, "leak", "error handlers",
     "the error handler is never freed by MPI_Errhandler_free"},
    {KP_MPI_INFO, "leak", "info objects", "the info object is never freed by MPI_Info_free"},
};

#define MOST_PLACES 32 /* of one kind, in a report */

struct made_at {
    struct kp_mpi_place place;
    size_t count;
};

static bool is_same(const struct kp_mpi_place *a, const struct kp_mpi_place *b)
{
    return a->line == b->line && a->caller == b->caller && a->file == b->file;
}

/* The slots of requests serve many of them, so each request has its own place. */
static const struct kp_mpi_place *place_of(const struct kp_mpi_slot *slot, enum kp_mpi_kind kind)
{
    return kind == KP_MPI_REQUEST ? &((const struct kp_mpi_request *)slot->object)->made
                                  : &slot->made;
}

static size_t places_of(const struct kp_mpi_table *table, enum kp_mpi_kind kind,
                        struct made_at *places)
{
    size_t count = 0;
    for (uint32_t i = 0; i < table->used; i++) {
        const struct kp_mpi_slot *slot = &table->slots[i];
        size_t at = 0;
        if (!slot->object || slot->kept || !place_of(slot, kind)->function)
            continue;
        const struct kp_mpi_place *made = place_of(slot, kind);
        while (at < count && !is_same(&places[at].place, made))
            at++;
        if (at == MOST_PLACES)
            continue;
        if (at == count)
            places[count++] = (struct made_at){.place = *made};
        places[at].count++;
    }
    return count;
}

void kp_mpi_tell_left(struct kp_mpi_rank *self)
{
    if (self->world->job->unchecked & KP_MPI_NO_LEAKS)
        return;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct made_at places[MOST_PLACES];
        const size_t count = places_of(&self->tables[kinds[i].kind], kinds[i].kind, places);
        for (size_t at = 0; at < count; at++) {
            if (places[at].count == 1)
                kp_mpi_tell(self, kinds[i].finding, &places[at].place, "%s", kinds[i].left);
            else
                kp_mpi_tell(self, kinds[i].finding, &places[at].place,
                            "%s; this holds for %zu %s of this line", kinds[i].left,
                            places[at].count, kinds[i].several);
        }
    }
    kp_mpi_general_tell_left(self);
    kp_mpi_keyvals_tell_left(self);
}
