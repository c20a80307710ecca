/* Data types: whether the bytes of a buffer are what travels, and how the MPI packs them if they
 * are not.
 *
 * Data with the same signature has the same packed bytes at all members of a homogeneous system. An
 * element of a type packs into as many bytes as MPI_Type_size says. */
#include "pmpi.h"

#include <limits.h>
#include <string.h>

/* MPI_Pack counts bytes by an int. */
#define MOST_PACKED ((size_t)1 << 30)

static bool look(MPI_Datatype type, struct pm_kind *kind)
{
    MPI_Count size;
    MPI_Aint lb;
    int integers, addresses, types, combiner;
    if (type == MPI_DATATYPE_NULL || PMPI_Type_size_x(type, &size) != MPI_SUCCESS ||
        PMPI_Type_get_extent(type, &lb, &kind->extent) != MPI_SUCCESS ||
        PMPI_Type_get_true_extent(type, &kind->true_lb, &kind->true_extent) != MPI_SUCCESS ||
        PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner) != MPI_SUCCESS)
        return false;
    kind->type = type;
    kind->size = (size_t)size;
    kind->named = combiner == MPI_COMBINER_NAMED;
    kind->dense = kind->named && size == kind->extent && size == kind->true_extent;
    return true;
}

bool pm_kind_of(MPI_Datatype type, struct pm_kind *kind)
{
    /* A predefined type stays what it is. */
    static struct pm_kind recent = {.named = false};
    if (recent.named && recent.type == type) {
        *kind = recent;
        return true;
    }
    if (!look(type, kind))
        return false;
    if (kind->named)
        recent = *kind;
    return true;
}

/* MPI has no question for it, but refuses to pack elements of such a type, even none. */
bool pm_is_committed(const struct pm_kind *kind)
{
    char none[1] = {0};
    int position = 0;
    return kind->named ||
           PMPI_Pack(none, 0, kind->type, none, 1, &position, pm_state.alone) == MPI_SUCCESS;
}

/* Makes a type of `bytes` bytes. */
static int bytes_type(size_t bytes, MPI_Datatype *type)
{
    MPI_Datatype chunk;
    const int chunks = (int)(bytes / MOST_PACKED), rest = (int)(bytes % MOST_PACKED);
    int code = PMPI_Type_contiguous((int)MOST_PACKED, MPI_BYTE, &chunk);
    if (code != MPI_SUCCESS)
        return code;
    code = PMPI_Type_create_struct(2, (int[]){chunks, rest},
                                   (MPI_Aint[]){0, (MPI_Aint)chunks * (MPI_Aint)MOST_PACKED},
                                   (MPI_Datatype[]){chunk, MPI_BYTE}, type);
    if (code == MPI_SUCCESS)
        code = PMPI_Type_commit(type);
    (void)PMPI_Type_free(&chunk);
    return code;
}

/* Copies elements by a message of this process to itself. */
static int send_to_self(const struct pm_kind *kind, void *elements, char *bytes, int count,
                        bool packs)
{
    MPI_Datatype plain;
    int code = bytes_type((size_t)count * kind->size, &plain);
    if (code != MPI_SUCCESS)
        return code;
    if (packs)
        code = PMPI_Sendrecv(elements, count, kind->type, 0, 0, bytes, 1, plain, 0, 0,
                             pm_state.alone, MPI_STATUS_IGNORE);
    else
        code = PMPI_Sendrecv(bytes, 1, plain, 0, 0, elements, count, kind->type, 0, 0,
                             pm_state.alone, MPI_STATUS_IGNORE);
    (void)PMPI_Type_free(&plain);
    return code;
}

/* MPI_Pack cannot count the bytes of a huge element, and MPICH's does not take MPI_BOTTOM. */
static int copy_some(const struct pm_kind *kind, void *elements, char *bytes, int count, bool packs)
{
    if (kind->size > MOST_PACKED || elements == MPI_BOTTOM)
        return send_to_self(kind, elements, bytes, count, packs);
    int position = 0;
    const int size = count * (int)kind->size;
    int code =
        packs ? PMPI_Pack(elements, count, kind->type, bytes, size, &position, pm_state.alone)
              : PMPI_Unpack(bytes, size, &position, elements, count, kind->type, pm_state.alone);
    return code == MPI_SUCCESS && position != size ? MPI_ERR_INTERN : code;
}

static void copy(struct pm_call *call, const struct pm_kind *kind, char *elements, char *bytes,
                 size_t count, bool packs)
{
    const size_t most = kind->size > MOST_PACKED ? 1 : MOST_PACKED / (kind->size ? kind->size : 1);
    if (kind->size == 0)
        return;
    for (size_t done = 0; done < count && call->code == MPI_SUCCESS;) {
        const size_t now = count - done < most ? count - done : most;
        /* Addresses of a type may be absolute, from MPI_BOTTOM, which may be NULL. */
        char *at = (char *)((MPI_Aint)elements + (MPI_Aint)done * kind->extent);
        int code = copy_some(kind, at, bytes + done * kind->size, (int)now, packs);
        if (code != MPI_SUCCESS)
            pm_fail(call, code, "the MPI cannot pack the data of a collective call");
        done += now;
    }
}

void pm_pack(struct pm_call *call, const struct pm_kind *kind, const void *from, size_t count,
             char *to)
{
    if (call->code != MPI_SUCCESS)
        return;
    if (kind->dense && count > 0)
        memcpy(to, from, count * kind->size);
    else
        copy(call, kind, (char *)from, to, count, true);
}

void pm_unpack(struct pm_call *call, const struct pm_kind *kind, const char *from, void *to,
               size_t count)
{
    if (call->code != MPI_SUCCESS)
        return;
    if (kind->dense && count > 0)
        memcpy(to, from, count * kind->size);
    else
        copy(call, kind, to, (char *)from, count, false);
}
