/* The public calls with a length for every block: check, compare, choose, execute.
 *
 * Such a call consists of two calls of the machine. In the first, the preliminary call, every
 * member publishes the lengths of its outgoing blocks, and every receiver compares them with the
 * lengths that it expects. C1 and C2 do not count the preliminary call, because it is an agreement
 * of the library, as the comparison of fingerprints is. A member that finds a difference refuses
 * the second call, in which the data would move. So all members return an error, and no data has
 * moved. */
#include "kport/lengths.h"
#include "kport/reduce.h"

#include "lib/call/prepared.h"
#include "lib/execute/blocks.h"
#include "lib/layout/kept.h"
#include "lib/lengths/call.h"
#include "lib/lengths/direct.h"
#include "lib/problem/operation.h"
#include "lib/problem/problem.h"
#include "lib/tune/profile.h"
#include "ports/member.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes the fingerprint of the preliminary call differ from those of other calls. */
#define PRELIMINARY      UINT64_C(0x4c656e67746873)
#define PRELIMINARY_LAID UINT64_C(0x4c61794c656e67) /* of calls with layouts */

/* --- The preliminary call --- */

static struct kp_sums *sums_of(kp_group *member, int rank)
{
    return (struct kp_sums *)kp_port_told(member, rank);
}

/* Computes the longest and the mean length. The mean is rounded up. */
static struct kp_measured look_at_all(kp_group *member, const struct kp_lengths_call *call)
{
    struct kp_measured all = {0, 0};
    size_t blocks = 0, rest = 0, n = (size_t)kp_port_size(member);
    size_t each = kp_operation_blocks(call->given->operation, KP_OUT) == KP_BLOCK_EACH ? n : 1;
    kp_problem p = {.operation = call->given->operation, .root = call->given->root};
    for (int rank = 0; rank < kp_port_size(member); rank++) {
        if (!kp_operation_holds(&p, rank, KP_OUT))
            continue;
        const struct kp_sums *sums = sums_of(member, rank);
        all.longest = sums->longest > all.longest ? sums->longest : all.longest;
        /* Sums the quotients, and counts the members with a remainder, because the sum of all
         * lengths might overflow. */
        all.mean += sums->total / each;
        rest += sums->total % each > 0;
        blocks++;
    }
    all.mean = blocks > 0 ? (all.mean + rest + blocks - 1) / blocks : 0;
    return all;
}

/* Returns the same as look_at_all, but takes the result from the first member that has computed it.
 * If each of n members looked at all n sums, the time of a call would grow with n^2. No member
 * waits for another here. */
static struct kp_measured measure(kp_group *member, const struct kp_lengths_call *call)
{
    struct kp_sums *first = sums_of(member, 0);
    int untold = KP_UNTOLD;
    if (atomic_load_explicit(&first->told, KP_ORDER_HEAR) == KP_TOLD)
        return first->all;
    const struct kp_measured all = look_at_all(member, call);
    if (atomic_compare_exchange_strong_explicit(&first->told, &untold, KP_BEING_TOLD,
                                                KP_ORDER_BEGIN_TO_TELL, KP_ORDER_BEGIN_TO_TELL)) {
        first->all = all;
        atomic_store_explicit(&first->told, KP_TOLD, KP_ORDER_TELL);
    }
    return all;
}

/* --- The choice --- */

/* Returns the next power of two, so that calls with similar lengths get the same schedule. */
static size_t rounded(size_t length)
{
    size_t power = 1;
    while (power < length)
        power *= 2;
    return length > 0 ? power : 0;
}

/* If a function that knows no member has set an error `status`, makes it the error of the member's
 * processor. */
static int keep(kp_group *member, int status)
{
    return status ? kp_port_keep_error(member) : KP_OK;
}

/* Returns whether two problems are the same but for lengths, root and operator. */
static bool are_alike(const kp_problem *a, const kp_problem *b)
{
    return a->operation == b->operation && a->algorithm == b->algorithm &&
           a->same_order == b->same_order && memcmp(a->values, b->values, sizeof a->values) == 0;
}

/* Fills in own->chosen, which is `asked` with all open choices made. All members make the same
 * choices. */
static int choose(kp_group *member, struct kp_lengths *own, const kp_problem *asked)
{
    const struct kp_measured all = {rounded(own->all.longest), rounded(own->all.mean)};
    const uint64_t op = kp_call_operator(asked, false);
    kp_problem found = *asked;
    if (own->chosen.algorithm && own->chosen_for.longest == all.longest &&
        own->chosen_operator == op && own->chosen_for.mean == all.mean &&
        are_alike(&own->asked, asked))
        return KP_OK;
    found.b = 0;
    found.in_place = 0;
    /* The choice is the same for every root. But an algorithm of the caller's own may be for one
     * root alone. */
    if (!asked->algorithm || !asked->algorithm->own_root)
        found.root = 0;
    kp_model model = kp_model_of(kp_machine_config(member), found.n, found.k);
    int status = kp_tune_lengths(&found, all.longest, all.mean, &model);
    if (status)
        return keep(member, status);
    own->asked = *asked;
    own->chosen = found;
    own->chosen_for = all;
    own->chosen_operator = op;
    return KP_OK;
}

/* --- A call --- */

/* Opens the preliminary call, in which the member tells the others its own lengths. */
static void open_preliminary(kp_group *member, const kp_arguments *a, struct kp_lengths *own,
                             kp_problem *asked)
{
    const bool laid = kp_has_layouts(a);
    const uint64_t kind = laid ? PRELIMINARY_LAID : PRELIMINARY;
    uint64_t fingerprint = kp_call_fingerprint(kp_problem_fingerprint(asked) ^ kind, asked->root,
                                               kp_call_operator(asked, !kp_is_wired(member)));
    struct kp_sums *sums = &own->sums;
    sums->telling = (struct kp_telling){.bytes = sizeof *sums, .each_bytes = sizeof(size_t)};
    if (own->places[KP_OUT] > 0)
        sums->telling.each = (const char *)&own->blocks[KP_OUT]->bytes;
    if (own->places[KP_OUT] > 1)
        sums->telling.stride = sizeof(struct kp_block);
    if (laid && own->places[KP_OUT] > 0)
        sums->telling =
            (struct kp_telling){.bytes = sizeof *sums,
                                .each = (const char *)own->laid[KP_OUT],
                                .stride = own->places[KP_OUT] > 1 ? sizeof *own->laid[KP_OUT] : 0,
                                .each_bytes = sizeof *own->laid[KP_OUT]};
    else if (laid)
        sums->telling.each_bytes = sizeof *own->laid[KP_OUT];
    atomic_store_explicit(&sums->told, KP_UNTOLD, KP_ORDER_RESET);
    kp_port_open(member, fingerprint, kp_call_describe, asked);
    if (kp_member_is_traced(member))
        kp_trace_open(member, KP_TRACE_LENGTHS, 0);
}

/* Returns the prepared call for `chosen`. A persistent plan keeps its prepared call, and prepares
 * another one only if the choice has changed. */
static struct kp_prepared *find_prepared(kp_group *member, struct kp_lengths *own,
                                         const kp_problem *chosen, const kp_hints *asked)
{
    struct kp_prepared *kept = own->kept;
    if (kept && kept->serving && are_alike(&kept->problem, chosen) &&
        kept->problem.b == chosen->b && kept->problem.root == chosen->root)
        return kept;
    if (!kept) {
        kp_arguments a = {.operation = chosen->operation,
                          .b = chosen->b,
                          .type = chosen->type,
                          .op = chosen->op,
                          .root = chosen->root};
        kp_hints hints = {.algorithm = chosen->algorithm, .trusted = asked && asked->trusted};
        memcpy(hints.values, chosen->values, sizeof hints.values);
        a.hints = &hints;
        return kp_prepared_find(member, &a, chosen);
    }
    if (kp_prepare(member, chosen, asked && asked->trusted, kept))
        return NULL;
    kept->code = kp_lower(member, kept);
    return kept;
}

/* Makes the spaces in which the call is carried out. For padded blocks they are buffers in which
 * each block has call->problem.b bytes, the longest length. Otherwise the spaces are the member's
 * tables of blocks. */
static int reserve(kp_group *member, struct kp_lengths *own, const struct kp_prepared *call,
                   char **spaces)
{
    size_t n = (size_t)kp_port_size(member), b = call->problem.b;
    const struct kp_schedule *s = call->serving->schedule;
    if (!call->lowering.way.padded) {
        int processor = s->stored == 1 ? 0 : call->lowering.own.rank;
        bool room = kp_lengths_make(own, KP_SCRATCH, s->scratch_places[processor]);
        for (int space = 0; space < KP_SPACES; space++)
            spaces[space] = (char *)own->blocks[space];
        return room ? KP_OK
                    : kp_port_error(member, KP_EMEMORY, -1, -1, -1,
                                    "no memory for the table of scratch");
    }
    char *memory = kp_prepared_scratch(member, 2 * n * b + call->scratch_bytes);
    if (!memory)
        return kp_port_error(member, KP_EMEMORY, -1, -1, -1,
                             "no memory for %zu blocks padded to %zu bytes", 2 * n, b);
    spaces[KP_OUT] = memory;
    spaces[KP_IN] = memory + n * b;
    spaces[KP_SCRATCH] = memory + 2 * n * b;
    return KP_OK;
}

/* Prepares the call and its memory, after the members have agreed. Returns NULL, with an error, if
 * this fails. */
static struct kp_prepared *prepare(kp_group *member, struct kp_lengths *own, kp_problem *asked,
                                   const kp_hints *hints, char **spaces)
{
    if (choose(member, own, asked))
        return NULL;
    kp_problem chosen = own->chosen;
    chosen.b = chosen.algorithm->pads ? asked->b : 0;
    chosen.root = asked->root;
    chosen.type = asked->type;
    chosen.op = asked->op;
    struct kp_prepared *prepared = find_prepared(member, own, &chosen, hints);
    if (!prepared)
        return NULL;
    if (prepared->problem.in_place != asked->in_place)
        prepared->trace_subject = 0;
    prepared->problem.in_place = asked->in_place;
    asked->algorithm = chosen.algorithm;
    memcpy(asked->values, chosen.values, sizeof asked->values);
    prepared->published.subject = asked;
    prepared->combiner.blocks = own;
    return reserve(member, own, prepared, spaces) ? NULL : prepared;
}

/* --- From arguments to a call --- */

/* Checks what a member can check by itself, and lays out its blocks. */
static int lay(kp_group *member, const kp_arguments *a, struct kp_lengths *own,
               struct kp_lengths_call *call, kp_problem *asked)
{
    *asked = kp_call_problem(member, a);
    int status = kp_lengths_resolve(member, a, own, call);
    asked->in_place = call->in_place;
    status = status ? status : kp_lengths_lay(member, call, own);
    status = status ? status : kp_call_check_algorithm(member, asked);
    return status ? status : keep(member, kp_problem_check(asked));
}

int kp_lengths_check(kp_group *group, const kp_arguments *arguments, struct kp_lengths *own)
{
    struct kp_lengths_call call;
    kp_problem asked;
    return lay(group, arguments, own, &call, &asked);
}

/* --- The parts of a call --- */

int kp_lengths_begin(kp_group *member, const kp_arguments *a, struct kp_lengths *own,
                     struct kp_lengths_begun *begun)
{
    begun->own = own;
    begun->prepared = NULL;
    memset(begun->spaces, 0, sizeof begun->spaces);
    int status = lay(member, a, own, &begun->call, &begun->asked);
    begun->asked.b = KP_LENGTHS_UNKNOWN;
    if (!status)
        open_preliminary(member, a, own, &begun->asked);
    return status;
}

int kp_lengths_settle(kp_group *member, struct kp_lengths_begun *begun)
{
    struct kp_lengths *own = begun->own;
    kp_problem *asked = &begun->asked;
    kp_port_within(member, true);
    own->all = measure(member, &begun->call);
    int status = kp_lengths_compare(member, &begun->call, own);
    asked->b = own->all.longest; /* no other member reads `asked` while the calls agree */
    if (status)
        return status;
    begun->prepared = prepare(member, own, asked, begun->call.given->hints, begun->spaces);
    if (!begun->prepared)
        return kp_port_status(member);
    kp_blocks_begin(own, (size_t)begun->prepared->problem.algorithm->length_bytes);
    return KP_OK;
}

int kp_lengths_finish(kp_group *member, struct kp_lengths_begun *begun, int status)
{
    if (begun->prepared)
        status = kp_blocks_end(begun->own, status);
    kp_port_within(member, false);
    return status;
}

int kp_lengths_execute(kp_group *group, const kp_arguments *arguments, struct kp_lengths *own)
{
    if (kp_direct_serves(group, arguments)) {
        const int status = kp_direct_execute(group, arguments, own);
        if (status != KP_DIRECT_NOT)
            return status;
    }
    return kp_lengths_execute_generally(group, arguments, own);
}

int kp_lengths_execute_generally(kp_group *group, const kp_arguments *arguments,
                                 struct kp_lengths *own)
{
    struct kp_lengths_begun begun;
    if (kp_lengths_begin(group, arguments, own, &begun))
        return kp_port_refuse(group, kp_call_describe, &begun.asked);
    int status = kp_port_tell(group, &own->sums.telling, -1);
    if (status)
        return kp_lengths_finish(group, &begun, status);
    if (kp_lengths_settle(group, &begun))
        return kp_lengths_finish(group, &begun,
                                 kp_port_refuse(group, kp_call_describe, &begun.asked));
    char *const *spaces = begun.spaces;
    return kp_lengths_finish(
        group, &begun,
        kp_execute(group, begun.prepared, spaces[KP_OUT], spaces[KP_IN], spaces[KP_SCRATCH]));
}

static void free_lengths(void *lengths)
{
    kp_lengths_free(lengths);
}

struct kp_lengths *kp_lengths_of(kp_group *member)
{
    struct kp_attachment *kept = kp_kept_of(member, KP_KEPT_LENGTHS);
    if (kept && !kept->data)
        *kept = (struct kp_attachment){kp_lengths_create(member), free_lengths};
    return kept ? kept->data : NULL;
}

int kp_lengths_call(kp_group *group, const kp_arguments *a)
{
    int status = kp_member_enter(group);
    return status ? status
                  : kp_member_leave(group, kp_lengths_execute(group, a, kp_lengths_of(group)));
}

/* --- The calls themselves --- */

/* A buffer as the caller gives it: with arrays, or with the bytes of one block. */
struct given {
    void *data;
    size_t bytes;
    const size_t *counts, *displacements;
};

static int call(kp_group *group, kp_operation operation, struct given out, struct given in,
                int root, const kp_hints *hints)
{
    const kp_arguments a = {.operation = operation,
                            .out = out.data,
                            .in = in.data,
                            .out_counts = out.counts,
                            .out_displacements = out.displacements,
                            .in_counts = in.counts,
                            .in_displacements = in.displacements,
                            .out_bytes = out.bytes,
                            .in_bytes = in.bytes,
                            .root = root,
                            .hints = hints};
    return kp_lengths_call(group, &a);
}

int kp_indexv(kp_group *group, const void *out, const size_t *out_counts,
              const size_t *out_displacements, void *in, const size_t *in_counts,
              const size_t *in_displacements, const kp_hints *hints)
{
    return call(group, KP_INDEXV, (struct given){(void *)out, 0, out_counts, out_displacements},
                (struct given){in, 0, in_counts, in_displacements}, 0, hints);
}

int kp_concatv(kp_group *group, const void *out, size_t out_bytes, void *in,
               const size_t *in_counts, const size_t *in_displacements, const kp_hints *hints)
{
    return call(group, KP_CONCATV, (struct given){(void *)out, out_bytes, NULL, NULL},
                (struct given){in, 0, in_counts, in_displacements}, 0, hints);
}

int kp_scatterv(kp_group *group, const void *out, const size_t *out_counts,
                const size_t *out_displacements, void *in, size_t in_bytes, int root,
                const kp_hints *hints)
{
    return call(group, KP_SCATTERV, (struct given){(void *)out, 0, out_counts, out_displacements},
                (struct given){in, in_bytes, NULL, NULL}, root, hints);
}

int kp_gatherv(kp_group *group, const void *out, size_t out_bytes, void *in,
               const size_t *in_counts, const size_t *in_displacements, int root,
               const kp_hints *hints)
{
    return call(group, KP_GATHERV, (struct given){(void *)out, out_bytes, NULL, NULL},
                (struct given){in, 0, in_counts, in_displacements}, root, hints);
}

int kp_reduce_scatterv(kp_group *group, const void *out, void *in, const size_t *counts,
                       kp_type type, const kp_operator *op, const kp_hints *hints)
{
    int status = kp_member_enter(group);
    if (status)
        return status;
    const kp_arguments a = {.operation = KP_REDUCE_SCATTERV,
                            .out = out,
                            .in = in,
                            .type = type,
                            .op = op,
                            .out_counts = counts,
                            .hints = hints};
    return kp_member_leave(group, kp_lengths_execute(group, &a, kp_lengths_of(group)));
}
