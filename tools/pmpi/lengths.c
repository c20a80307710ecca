/* The collectives whose blocks have lengths of their own. */
#include "pmpi.h"

#include <stdint.h>

/* A buffer of n blocks. Block i has counts[i] elements of `type`, or of types[i], and begins at
 * displacements[i], in extents of the type, or in bytes if there are many types. */
struct blocks {
    char *user;
    struct pm_numbers counts, displacements;
    MPI_Datatype type;
    const MPI_Datatype *types; /* NULL: `type` is the type of all blocks */
    bool direct;               /* kport uses the program's memory */
    char *data;
    size_t *lengths, *places; /* in bytes, for kport */
};

/* Describes block i: its type and the distance of its beginning from `user`. Returns false if an
 * argument is wrong. */
static bool block_is(const struct blocks *blocks, int i, struct pm_kind *kind, MPI_Aint *begin)
{
    if (pm_number(blocks->counts, i) < 0)
        return false;
    if (blocks->types && pm_number(blocks->counts, i) == 0) {
        *kind = (struct pm_kind){.named = true, .dense = true}; /* MPI ignores the type */
        *begin = 0;
        return true;
    }
    if (!pm_kind_of(blocks->types ? blocks->types[i] : blocks->type, kind))
        return false;
    *begin = (MPI_Aint)pm_number(blocks->displacements, i) * (blocks->types ? 1 : kind->extent);
    return true;
}

/* Checks the program's arguments. Returns false, and counts the call as passed on, if one is
 * wrong. */
static bool blocks_are(const struct pm_call *call, struct blocks *blocks)
{
    bool right =
        blocks->counts.array && blocks->displacements.array && blocks->user != MPI_IN_PLACE;
    blocks->direct = true;
    for (int i = 0; i < call->n && right; i++) {
        struct pm_kind kind;
        MPI_Aint begin = 0;
        right = block_is(blocks, i, &kind, &begin) && pm_is_committed(&kind);
        if (right && !kind.dense)
            blocks->direct = false;
    }
    return right || pm_pass(call, PM_WRONG);
}

/* kport counts from the beginning of a buffer. So the block that lies first in memory is the
 * beginning. */
static void begin_at_first(struct blocks *blocks, int n)
{
    size_t first = 0;
    for (int i = 0; i < n; i++) {
        if ((MPI_Aint)blocks->places[i] < (MPI_Aint)first)
            first = blocks->places[i];
    }
    for (int i = 0; i < n; i++)
        blocks->places[i] -= first;
    blocks->data = (char *)((MPI_Aint)blocks->user + (MPI_Aint)first);
}

/* Computes kport's lengths and places, and the place of the bytes. */
static void lay_out(struct pm_call *call, struct blocks *blocks, bool outgoing)
{
    const size_t n = (size_t)call->n;
    size_t total = 0;
    blocks->lengths = (void *)pm_stage(call, outgoing ? PM_STAGE_LENGTHS : PM_STAGE_PLACES,
                                       2 * n * sizeof *blocks->lengths);
    if (!blocks->lengths)
        return;
    blocks->places = blocks->lengths + n;
    for (int i = 0; i < call->n; i++) {
        struct pm_kind kind;
        MPI_Aint begin = 0;
        (void)block_is(blocks, i, &kind, &begin);
        blocks->lengths[i] = (size_t)pm_number(blocks->counts, i) * kind.size;
        blocks->places[i] = !blocks->direct ? total : blocks->lengths[i] > 0 ? (size_t)begin : 0;
        total += blocks->lengths[i];
    }
    if (blocks->direct)
        begin_at_first(blocks, call->n);
    else
        blocks->data = pm_stage(call, outgoing ? PM_STAGE_OUT : PM_STAGE_IN, total);
}

/* Packs (or unpacks) the blocks `first` ... `end - 1`. */
static void copy(struct pm_call *call, const struct blocks *blocks, int first, int end, bool packs)
{
    for (int i = first; i < end && !blocks->direct && call->code == MPI_SUCCESS; i++) {
        struct pm_kind kind;
        MPI_Aint begin = 0;
        (void)block_is(blocks, i, &kind, &begin);
        char *user = (char *)((MPI_Aint)blocks->user + begin),
             *data = blocks->data + blocks->places[i];
        if (blocks->lengths[i] > 0 && packs)
            pm_pack(call, &kind, user, (size_t)pm_number(blocks->counts, i), data);
        else if (blocks->lengths[i] > 0)
            pm_unpack(call, &kind, data, user, (size_t)pm_number(blocks->counts, i));
    }
}

/* Returns the memory from the first block to the last as a part. */
static struct pm_part whole_of(const struct blocks *blocks, int n)
{
    struct pm_part whole = {.data = blocks->data};
    for (int i = 0; i < n; i++) {
        const size_t end = blocks->places[i] + blocks->lengths[i];
        whole.bytes = blocks->lengths[i] > 0 && end > whole.bytes ? end : whole.bytes;
    }
    return whole;
}

/* Moves outgoing blocks away that may lie in the memory of an incoming part. Between the blocks may
 * be anything, so it is not read. */
static void separate(struct pm_call *call, struct blocks *out, const struct pm_part *in)
{
    if (call->code != MPI_SUCCESS || !out->direct)
        return;
    const struct pm_part whole = whole_of(out, call->n);
    if (!pm_parts_overlap(&whole, in))
        return;
    char *apart = pm_stage(call, PM_STAGE_OUT, whole.bytes);
    size_t total = 0;
    for (int i = 0; i < call->n && apart; i++) {
        memcpy(apart + total, out->data + out->places[i], out->lengths[i]);
        out->places[i] = total;
        total += out->lengths[i];
    }
    out->data = apart;
}

static const kp_hints *hints_of(struct pm_call *call, kp_group *group, kp_operation operation,
                                int root)
{
    const kp_problem problem = {
        .operation = operation, .n = call->n, .k = kp_ports(group), .root = root};
    pm_count_taken(call->operation, &problem);
    return pm_hints(&problem);
}

/* --- Gathering and scattering --- */

/* The blocks are those of the receiving side. In place, `out` is NULL. */
static int gather(struct pm_call *call, kp_operation operation, struct pm_part *out,
                  struct blocks *in, int root)
{
    const bool receives = operation == KP_CONCATV || call->rank == root;
    if (out)
        pm_part_read(call, out);
    if (receives)
        lay_out(call, in, false);
    if (receives && !out) {
        copy(call, in, call->rank, call->rank + 1, true);
    } else if (receives && call->code == MPI_SUCCESS) {
        const struct pm_part whole = whole_of(in, call->n);
        pm_part_separate(call, out, &whole);
    }
    kp_group *group = pm_group(call);
    if (!group)
        return call->code;
    const kp_hints *hints = hints_of(call, group, operation, root);
    const void *from = out ? out->data : KP_IN_PLACE;
    const size_t bytes = out ? out->bytes : 0;
    int status =
        operation == KP_CONCATV
            ? kp_concatv(group, from, bytes, in->data, in->lengths, in->places, hints)
        : receives ? kp_gatherv(group, from, bytes, in->data, in->lengths, in->places, root, hints)
                   : kp_gatherv(group, from, bytes, NULL, NULL, NULL, root, hints);
    if (receives && status == KP_OK)
        copy(call, in, 0, call->n, false);
    return pm_end(call, status);
}

static int scatter(struct pm_call *call, struct blocks *out, struct pm_part *in, int root)
{
    const bool sends = call->rank == root;
    if (sends) {
        lay_out(call, out, true);
        copy(call, out, 0, call->n, true);
    }
    if (in)
        pm_part_place(call, in);
    if (in && sends)
        separate(call, out, in);
    kp_group *group = pm_group(call);
    if (!group)
        return call->code;
    const kp_hints *hints = hints_of(call, group, KP_SCATTERV, root);
    void *to = in ? in->data : KP_IN_PLACE;
    const size_t bytes = in ? in->bytes : 0;
    int status =
        sends ? kp_scatterv(group, out->data, out->lengths, out->places, to, bytes, root, hints)
              : kp_scatterv(group, NULL, NULL, NULL, to, bytes, root, hints);
    if (in && status == KP_OK)
        pm_part_store(call, in);
    return pm_end(call, status);
}

/* --- All to all --- */

/* In place, `out` is NULL. */
static int exchange(struct pm_call *call, struct blocks *out, struct blocks *in)
{
    if (out) {
        lay_out(call, out, true);
        copy(call, out, 0, call->n, true);
    }
    lay_out(call, in, false);
    if (!out) {
        copy(call, in, 0, call->n, true);
    } else if (call->code == MPI_SUCCESS) {
        const struct pm_part whole = whole_of(in, call->n);
        separate(call, out, &whole);
    }
    kp_group *group = pm_group(call);
    if (!group)
        return call->code;
    const kp_hints *hints = hints_of(call, group, KP_INDEXV, 0);
    int status =
        out ? kp_indexv(group, out->data, out->lengths, out->places, in->data, in->lengths,
                        in->places, hints)
            : kp_indexv(group, KP_IN_PLACE, NULL, NULL, in->data, in->lengths, in->places, hints);
    if (status == KP_OK)
        copy(call, in, 0, call->n, false);
    return pm_end(call, status);
}

#define COUNT          int
#define PLACE          int
#define NAME(function) function
#include "lengths_calls.h"
#undef COUNT
#undef PLACE
#undef NAME

#if MPI_VERSION >= 4
#define COUNT          MPI_Count
#define PLACE          MPI_Aint
#define NAME(function) function##_c
#include "lengths_calls.h"
#endif
