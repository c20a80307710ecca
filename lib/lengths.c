/* The public calls with a length for every block: check, compare, choose, execute.
 *
 * A call is two of the machine's. In the first, preliminary one every member shows the lengths of
 * its outgoing blocks, and every receiver compares them with what it expects. This is the library's
 * own agreement, as the comparison of fingerprints is, and is not counted in C1 and C2. A member
 * that finds a difference refuses the second call, in which the data would move: so all return an
 * error and nothing has moved. */
#include "kport/lengths.h"

#include "lib/call.h"
#include "lib/execute/blocks.h"
#include "lib/lengths_check.h"
#include "lib/operation.h"
#include "lib/plan.h"
#include "lib/problem.h"
#include "lib/profile.h"
#include "ports/pass.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes the preliminary call another one than those without it. */
#define PRELIMINARY UINT64_C(0x4c656e67746873)

/* --- The preliminary call --- */

static struct kp_sums *sums_of(kp_group *seat, int rank)
{
    return (struct kp_sums *)kp_port_told(seat, rank);
}

static int refuse_difference(kp_group *seat, const struct kp_lengths_call *call, size_t block,
                             int peer, size_t sent, size_t expected)
{
    char where[48] = "in_bytes";
    if (call->in.each)
        snprintf(where, sizeof where, "in_counts[%zu]", block);
    int receiver = kp_port_processor(seat, kp_port_rank(seat));
    return kp_port_error(seat, KP_EMISMATCH, -1, -1, peer,
                         "processor %d sends %zu bytes to processor %d, but processor %d expects "
                         "%zu bytes from it (%s)",
                         kp_port_processor(seat, peer), sent, receiver, receiver, expected, where);
}

/* Every block that is expected against the one that is sent. */
static int compare(kp_group *seat, const struct kp_lengths_call *call, const struct kp_lengths *own)
{
    const struct kp_operation_row *row = kp_operation_row(call->operation);
    for (size_t i = 0; i < own->places[KP_IN]; i++) {
        struct kp_origin origin = row->wanted(call->root, kp_port_rank(seat), (int)i);
        size_t sent = *(const size_t *)kp_port_told_beside(seat, origin.rank);
        size_t expected = own->blocks[KP_IN][i].bytes;
        if (sent != expected)
            return refuse_difference(seat, call, i, origin.rank, sent, expected);
    }
    return KP_OK;
}

/* The longest of all blocks, and the mean, rounded up. */
static void look_at_all(kp_group *seat, const struct kp_lengths_call *call, size_t *longest,
                        size_t *mean)
{
    size_t blocks = 0, rest = 0, n = (size_t)kp_port_size(seat);
    size_t each = kp_operation_blocks(call->operation, KP_OUT) == KP_BLOCK_EACH ? n : 1;
    kp_problem p = {.operation = call->operation, .root = call->root};
    *longest = *mean = 0;
    for (int rank = 0; rank < kp_port_size(seat); rank++) {
        if (!kp_operation_holds(&p, rank, KP_OUT))
            continue;
        const struct kp_sums *sums = sums_of(seat, rank);
        *longest = sums->longest > *longest ? sums->longest : *longest;
        /* In quotients and remainders: the sum of everything might not fit. */
        *mean += sums->total / each;
        rest += sums->total % each > 0;
        blocks++;
    }
    *mean = blocks > 0 ? (*mean + rest + blocks - 1) / blocks : 0;
}

/* The same, from who has found it already: if each of n members looked at all n sums, the time of
 * a call would grow with the square of n. Nobody waits for another here. */
static void measure(kp_group *seat, const struct kp_lengths_call *call, size_t *longest,
                    size_t *mean)
{
    struct kp_sums *first = sums_of(seat, 0);
    int untold = KP_UNTOLD;
    if (atomic_load_explicit(&first->told, KP_ORDER_HEAR) == KP_TOLD) {
        *longest = first->all_longest;
        *mean = first->all_mean;
        return;
    }
    look_at_all(seat, call, longest, mean);
    if (!atomic_compare_exchange_strong_explicit(&first->told, &untold, KP_BEING_TOLD,
                                                 KP_ORDER_BEGIN_TO_TELL, KP_ORDER_BEGIN_TO_TELL))
        return;
    first->all_longest = *longest;
    first->all_mean = *mean;
    atomic_store_explicit(&first->told, KP_TOLD, KP_ORDER_TELL);
}

/* --- The choice --- */

/* The next power of two: lengths that are about as long get the same plan. */
static size_t rounded(size_t length)
{
    size_t power = 1;
    while (power < length)
        power *= 2;
    return length > 0 ? power : 0;
}

/* Fills in what `asked` leaves open, the same on all members. */
static int choose(kp_group *seat, struct kp_lengths *own, const kp_problem *asked, size_t longest,
                  size_t mean, kp_problem *chosen)
{
    kp_problem key = *asked;
    key.b = 0;
    key.root = key.in_place = 0;
    longest = rounded(longest);
    mean = rounded(mean);
    bool known = own->chosen.algorithm && own->chosen_longest == longest &&
                 own->chosen_mean == mean && own->asked.operation == key.operation &&
                 own->asked.algorithm == key.algorithm &&
                 memcmp(own->asked.values, key.values, sizeof key.values) == 0;
    if (!known) {
        kp_model model = kp_model_of(kp_plan_config(seat), key.n, key.k);
        kp_problem found = key;
        int status = kp_tune_lengths(&found, longest, mean, &model);
        if (status)
            return kp_port_error(seat, status, -1, -1, -1, "%s", kp_last_error()->sentence);
        own->asked = key;
        own->chosen = found;
        own->chosen_longest = longest;
        own->chosen_mean = mean;
    }
    *chosen = own->chosen;
    return KP_OK;
}

/* --- A call --- */

/* The `how`, and whether what it names serves. */
static int check_how(kp_group *seat, const struct kp_lengths_call *call, const kp_problem *asked)
{
    int status = kp_call_check_how(seat, call->operation, call->how);
    if (status)
        return status;
    status = kp_problem_check(asked);
    return status ? kp_port_error(seat, status, -1, -1, -1, "%s", kp_last_error()->sentence)
                  : KP_OK;
}

/* The call as it was asked. How long the longest block is, is not known yet. */
static kp_problem problem_of(kp_group *seat, const struct kp_lengths_call *call)
{
    kp_problem p = {.operation = call->operation,
                    .n = kp_port_size(seat),
                    .k = kp_port_ports(seat),
                    .root = call->root};
    if (call->how) {
        p.algorithm = call->how->algorithm;
        memcpy(p.values, call->how->values, sizeof p.values);
    }
    return p;
}

/* Shows the own lengths, and compares. `asked->b` becomes the longest of all blocks. */
static int agree(kp_group *seat, const struct kp_lengths_call *call, struct kp_lengths *own,
                 kp_problem *asked, size_t *mean)
{
    size_t longest;
    uint64_t fingerprint =
        kp_call_fingerprint(kp_plan_fingerprint(asked) ^ PRELIMINARY, asked->root, 0);
    struct kp_sums *sums = &own->sums;
    asked->b = sums->longest;
    sums->telling = (struct kp_telling){.bytes = sizeof *sums, .each_bytes = sizeof(size_t)};
    if (own->places[KP_OUT] > 0)
        sums->telling.each = (const char *)&own->blocks[KP_OUT]->bytes;
    if (own->places[KP_OUT] > 1)
        sums->telling.stride = sizeof(struct kp_block);
    atomic_store_explicit(&sums->told, KP_UNTOLD, KP_ORDER_RESET);
    kp_port_open(seat, fingerprint, kp_call_describe, asked);
    if (kp_pass_is_traced(seat))
        kp_trace_open(seat, KP_TRACE_LENGTHS, 0);
    int status = kp_port_tell(seat, &sums->telling, -1);
    if (status)
        return status;
    kp_port_within(seat, true);
    measure(seat, call, &longest, mean);
    status = compare(seat, call, own);
    asked->b = own->most = longest; /* nobody reads what a call is called while its calls agree */
    return status ? kp_port_refuse(seat, kp_call_describe, asked) : KP_OK;
}

/* What serves. A persistent plan keeps that, and looks for it again only if something else was
 * chosen. */
static struct kp_prepared *find_prepared(kp_group *seat, struct kp_lengths *own,
                                         const kp_problem *chosen, const kp_how *asked)
{
    struct kp_prepared *kept = own->kept;
    if (kept && kept->plan && kept->problem.algorithm == chosen->algorithm &&
        kept->problem.b == chosen->b && kept->problem.root == chosen->root &&
        memcmp(kept->problem.values, chosen->values, sizeof chosen->values) == 0)
        return kept;
    if (!kept) {
        kp_arguments a = {.operation = chosen->operation, .b = chosen->b, .root = chosen->root};
        kp_how how = {.algorithm = chosen->algorithm, .trusted = asked && asked->trusted};
        memcpy(how.values, chosen->values, sizeof how.values);
        a.how = &how;
        return kp_plan_find(seat, &a, chosen, true);
    }
    if (kp_prepare(seat, chosen, asked, kept))
        return NULL;
    kept->code = kp_lower(seat, kept);
    return kept;
}

/* Memory for the call, and the spaces in which it is carried out: of padded blocks, buffers in
 * which each is as long as the longest, call->problem.b; else the table. */
static int reserve(kp_group *seat, struct kp_lengths *own, const struct kp_prepared *call,
                   char **spaces)
{
    size_t n = (size_t)kp_port_size(seat), b = call->problem.b;
    const struct kp_schedule *s = call->plan->schedule;
    if (!call->lowering.way.padded) {
        int part = s->parts == 1 ? 0 : call->lowering.own.rank;
        bool room = kp_lengths_make(own, KP_SCRATCH, s->scratch_places[part]);
        for (int space = 0; space < KP_SPACES; space++)
            spaces[space] = (char *)own->blocks[space];
        return room ? KP_OK
                    : kp_port_error(seat, KP_EMEMORY, -1, -1, -1,
                                    "no memory for the table of scratch");
    }
    char *memory = kp_plan_scratch(seat, 2 * n * b + call->scratch_bytes);
    if (!memory)
        return kp_port_error(seat, KP_EMEMORY, -1, -1, -1,
                             "no memory for %zu blocks padded to %zu bytes", 2 * n, b);
    spaces[KP_OUT] = memory;
    spaces[KP_IN] = memory + n * b;
    spaces[KP_SCRATCH] = memory + 2 * n * b;
    return KP_OK;
}

/* What follows when all have agreed. */
static int move_blocks(kp_group *seat, struct kp_lengths *own, kp_problem *asked, size_t mean,
                       const kp_how *how)
{
    kp_problem chosen;
    char *spaces[KP_SPACES] = {NULL};
    if (choose(seat, own, asked, asked->b, mean, &chosen))
        return kp_port_refuse(seat, kp_call_describe, asked);
    chosen.b = chosen.algorithm->pads ? asked->b : 0;
    chosen.root = asked->root;
    struct kp_prepared *prepared = find_prepared(seat, own, &chosen, how);
    if (!prepared)
        return kp_port_refuse(seat, kp_call_describe, asked);
    if (prepared->problem.in_place != asked->in_place)
        prepared->trace_subject = 0;
    prepared->problem.in_place = asked->in_place;
    asked->algorithm = chosen.algorithm;
    memcpy(asked->values, chosen.values, sizeof asked->values);
    prepared->shown.subject = asked;
    if (reserve(seat, own, prepared, spaces))
        return kp_port_refuse(seat, kp_call_describe, asked);
    kp_blocks_begin(own, (size_t)prepared->problem.algorithm->length_bytes);
    prepared->combiner.blocks = own;
    return kp_blocks_end(
        own, kp_execute(seat, prepared, spaces[KP_OUT], spaces[KP_IN], spaces[KP_SCRATCH]));
}

/* Looks at what a member can know by itself, and lays out its blocks. */
static int lay(kp_group *seat, struct kp_lengths_call *call, struct kp_lengths *own,
               kp_problem *asked)
{
    bool in_place = false;
    *asked = problem_of(seat, call);
    if (!own)
        return kp_port_error(seat, KP_EMEMORY, -1, -1, -1, "no memory for a table of blocks");
    int status = kp_lengths_lay(seat, call, own, &in_place);
    status = status ? status : check_how(seat, call, asked);
    asked->in_place = in_place;
    return status;
}

static int collective(kp_group *seat, struct kp_lengths_call *call, struct kp_lengths *own)
{
    kp_problem asked;
    int status;
    size_t mean;
    status = lay(seat, call, own, &asked);
    if (status)
        return kp_port_refuse(seat, kp_call_describe, &asked);
    status = agree(seat, call, own, &asked, &mean);
    status = status ? status : move_blocks(seat, own, &asked, mean, call->how);
    kp_port_within(seat, false);
    return status;
}

/* --- From arguments to a call --- */

/* The call of an operation with lengths that these arguments describe; it points into itself, so it
 * stays where it is. */
static void describe_call(kp_group *group, const kp_arguments *a, struct kp_lengths_call *call)
{
    size_t n = group ? (size_t)kp_port_size(group) : 0;
    int rank = group ? kp_port_rank(group) : 0;
    *call = (struct kp_lengths_call){.operation = a->operation,
                                     .out_bytes = a->out_bytes,
                                     .in_bytes = a->in_bytes,
                                     .root = a->root,
                                     .how = a->how};
    struct kp_side *sides[] = {&call->out, &call->in};
    const struct kp_side each[] = {
        {(char *)a->out, a->out_counts, a->out_displacements, n, true, "out"},
        {(char *)a->in, a->in_counts, a->in_displacements, n, true, "in"}};
    const struct kp_side one[] = {{(char *)a->out, &call->out_bytes, NULL, 1, false, "out"},
                                  {(char *)a->in, &call->in_bytes, NULL, 1, false, "in"}};
    static const struct kp_side nothing = {.name = "nothing"};
    kp_problem p = {.operation = a->operation, .root = a->root};
    for (int i = 0; i < 2; i++) {
        kp_space space = i ? KP_IN : KP_OUT;
        bool has_each = kp_operation_blocks(a->operation, space) == KP_BLOCK_EACH;
        *sides[i] = !kp_operation_holds(&p, rank, space) ? nothing : has_each ? each[i] : one[i];
    }
}

int kp_lengths_check(kp_group *group, const kp_arguments *arguments, struct kp_lengths *own)
{
    struct kp_lengths_call call;
    kp_problem asked;
    describe_call(group, arguments, &call);
    return lay(group, &call, own, &asked);
}

int kp_lengths_execute(kp_group *group, const kp_arguments *arguments, struct kp_lengths *own)
{
    struct kp_lengths_call call;
    describe_call(group, arguments, &call);
    return collective(group, &call, own);
}

static void free_lengths(void *lengths)
{
    kp_lengths_free(lengths);
}

/* What the seat keeps from call to call; NULL: no memory. */
static struct kp_lengths *lengths_of(kp_group *seat)
{
    struct kp_attachment *kept = kp_plan_kept(seat, KP_KEPT_LENGTHS);
    if (kept && !kept->data)
        *kept = (struct kp_attachment){kp_lengths_create(seat), free_lengths};
    return kept ? kept->data : NULL;
}

int kp_lengths_call(kp_group *group, const kp_arguments *arguments)
{
    int status = kp_pass_enter(group);
    if (status)
        return status;
    return kp_pass_leave(group, kp_lengths_execute(group, arguments, lengths_of(group)));
}

/* --- The calls themselves --- */

int(kp_indexv)(kp_group *group, const void *out, const size_t *out_counts,
               const size_t *out_displacements, void *in, const size_t *in_counts,
               const size_t *in_displacements, const kp_how *how)
{
    return kp_lengths_call(group, &(kp_arguments){.operation = KP_INDEXV,
                                                  .out = out,
                                                  .out_counts = out_counts,
                                                  .out_displacements = out_displacements,
                                                  .in = in,
                                                  .in_counts = in_counts,
                                                  .in_displacements = in_displacements,
                                                  .how = how});
}

int(kp_concatv)(kp_group *group, const void *out, size_t out_bytes, void *in,
                const size_t *in_counts, const size_t *in_displacements, const kp_how *how)
{
    return kp_lengths_call(group, &(kp_arguments){.operation = KP_CONCATV,
                                                  .out = out,
                                                  .out_bytes = out_bytes,
                                                  .in = in,
                                                  .in_counts = in_counts,
                                                  .in_displacements = in_displacements,
                                                  .how = how});
}

int(kp_scatterv)(kp_group *group, const void *out, const size_t *out_counts,
                 const size_t *out_displacements, void *in, size_t in_bytes, int root,
                 const kp_how *how)
{
    return kp_lengths_call(group, &(kp_arguments){.operation = KP_SCATTERV,
                                                  .out = out,
                                                  .out_counts = out_counts,
                                                  .out_displacements = out_displacements,
                                                  .in = in,
                                                  .in_bytes = in_bytes,
                                                  .root = root,
                                                  .how = how});
}

int(kp_gatherv)(kp_group *group, const void *out, size_t out_bytes, void *in,
                const size_t *in_counts, const size_t *in_displacements, int root,
                const kp_how *how)
{
    return kp_lengths_call(group, &(kp_arguments){.operation = KP_GATHERV,
                                                  .out = out,
                                                  .out_bytes = out_bytes,
                                                  .in = in,
                                                  .in_counts = in_counts,
                                                  .in_displacements = in_displacements,
                                                  .root = root,
                                                  .how = how});
}
