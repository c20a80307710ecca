/* Random data types and the memory for them. */
#include "differential.h"

#include "tools/kport/common/random.h"

#include <stdlib.h>
#include <string.h>

int draw(uint64_t *state, int least, int most)
{
    return least + random_below(state, most - least + 1);
}

/* A char and a double, as C lays them out or without a gap. */
static MPI_Datatype pair(bool packed)
{
    MPI_Datatype type;
    const MPI_Aint natural[] = {0, 8}, other[] = {0, 1};
    MPI_Type_create_struct(2, (int[]){1, 1}, packed ? other : natural,
                           (MPI_Datatype[]){MPI_CHAR, MPI_DOUBLE}, &type);
    return type;
}

static MPI_Datatype wide(MPI_Datatype base, int kind, int width)
{
    MPI_Datatype type, inner;
    MPI_Aint lb, extent;
    int places[16];
    MPI_Type_get_extent(base, &lb, &extent);
    for (int i = 0; i < width; i++)
        places[i] = 2 * (width - 1 - i);
    switch (kind) {
    case 1:
        MPI_Type_contiguous(width, base, &type);
        break;
    case 2:
        MPI_Type_vector(width, 1, 2, base, &type);
        break;
    case 3:
        MPI_Type_create_indexed_block(width, 1, places, base, &type);
        break;
    case 4:
        MPI_Type_contiguous(width, base, &inner);
        MPI_Type_create_resized(inner, -8, (MPI_Aint)width * extent + 24, &type);
        MPI_Type_free(&inner);
        break;
    case 5:
        MPI_Type_create_hvector(width, 1, -extent, base, &type);
        break;
    default:
        MPI_Type_contiguous(width, base, &inner);
        MPI_Type_dup(inner, &type);
        MPI_Type_free(&inner);
        break;
    }
    return type;
}

struct shape shape_draw(uint64_t *own, int signature, int width, bool plain)
{
    static MPI_Datatype predefined[3];
    predefined[0] = MPI_INT, predefined[1] = MPI_DOUBLE, predefined[2] = MPI_CHAR;
    const bool made = signature == 3;
    MPI_Datatype base = made ? pair(draw(own, 0, 1)) : predefined[signature];
    const int kind = plain ? 0 : draw(own, 0, 6);
    struct shape shape = {base, made, width};
    if (kind > 0) {
        shape = (struct shape){wide(base, kind, width), true, 1};
        if (made)
            MPI_Type_free(&base);
    }
    if (shape.made)
        MPI_Type_commit(&shape.type);
    return shape;
}

void shape_free(struct shape *shape)
{
    if (shape->made)
        MPI_Type_free(&shape->type);
}

struct room room_make(MPI_Datatype type, long elements, uint64_t *own)
{
    MPI_Aint lb, extent, true_lb, true_extent;
    MPI_Type_get_extent(type, &lb, &extent);
    MPI_Type_get_true_extent(type, &true_lb, &true_extent);
    const size_t each =
        (size_t)labs((long)extent) + (size_t)labs((long)true_lb) + (size_t)true_extent;
    const size_t half = (64 + ((size_t)elements + 2) * each + 15) / 16 * 16;
    struct room room = {malloc(2 * half), NULL, 2 * half};
    room.user = room.memory + half;
    for (size_t i = 0; i < room.bytes; i++)
        room.memory[i] = (char)draw(own, 0, 255);
    return room;
}

struct room room_copy(const struct room *room)
{
    struct room copy = {malloc(room->bytes), NULL, room->bytes};
    copy.user = copy.memory + (room->user - room->memory);
    memcpy(copy.memory, room->memory, room->bytes);
    return copy;
}

bool room_same(const struct room *a, const struct room *b)
{
    return memcmp(a->memory, b->memory, a->bytes) == 0;
}

void room_free(struct room *room)
{
    free(room->memory);
}
