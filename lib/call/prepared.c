/* Everything that follows from a call's arguments: the problem, its text in reports, and all that a
 * member has to know before the first round. */
#include "lib/call/call.h"
#include "lib/execute/blocks.h"
#include "lib/layout/kept.h"
#include "lib/problem/operation.h"
#include "lib/problem/operator.h"
#include "lib/problem/problem.h"
#include "lib/schedule/elements.h"
#include "lib/tune/profile.h"
#include "ports/member.h"

#include <stdlib.h>
#include <string.h>

/* --- Reports --- */

void kp_call_describe(const void *subject, char *text, size_t size)
{
    kp_problem_describe(subject, text, size);
}

/* Only a call in a kp_prepared has this function as its `describe`, so kp_way_word_call recognises
 * such a call by it. */
void kp_call_describe_prepared(const void *subject, char *text, size_t size)
{
    kp_problem_describe(subject, text, size);
}

static void describe_past(const void *subject, char *text, size_t size)
{
    static const kp_operator users = {.name = "user", .element_bytes = 1};
    kp_problem p;
    memcpy(&p, subject, sizeof p);
    p.op = !p.op || kp_operator_is_builtin(p.op) ? p.op : &users;
    kp_problem_describe(&p, text, size);
}

const struct kp_past kp_call_past = {sizeof(kp_problem), describe_past, NULL};
_Static_assert(sizeof(kp_problem) <= KP_PAST_BYTES, "it is kept under mailboxes");

/* --- The problem --- */

/* Returns how many members share each process, or 0 if processes have different numbers of members,
 * or members of a process do not have consecutive ranks. */
static int per_process_of(const kp_group *member)
{
    const int t = kp_machine_config(member)->per_process, n = kp_port_size(member);
    int shared = 1;
    if (t <= 1)
        return 0;
    while (shared < n && kp_port_processor(member, shared) / t == kp_port_processor(member, 0) / t)
        shared++;
    for (int i = 0; i < n; i++) {
        const int first = kp_port_processor(member, i - i % shared);
        if (kp_port_processor(member, i) / t != first / t)
            return 0;
    }
    return n % shared == 0 ? shared : 0;
}

kp_problem kp_call_problem(kp_group *member, const kp_arguments *a)
{
    kp_problem p = {.operation = a->operation,
                    .n = kp_port_size(member),
                    .k = kp_port_ports(member),
                    .per_process = per_process_of(member),
                    .b = a->b,
                    .root = a->root,
                    .target = a->to,
                    .in_place = a->out == KP_IN_PLACE || a->in == KP_IN_PLACE,
                    .type = a->type,
                    .op = a->op};
    if (kp_operation_reduces(a->operation))
        p.b = a->count * kp_element_bytes(&p);
    if (a->hints) {
        p.algorithm = a->hints->algorithm;
        memcpy(p.values, a->hints->values, sizeof p.values);
        p.same_order = kp_operation_reduces(a->operation) && (a->hints->flags & KP_HINT_SAME_ORDER);
    }
    return p;
}

size_t kp_call_buffer_bytes(const kp_problem *p, int rank, kp_space space)
{
    size_t blocks = kp_operation_blocks(p->operation, space) == KP_BLOCK_EACH ? (size_t)p->n : 1;
    return kp_operation_holds(p, rank, space) ? blocks * p->b : 0;
}

uint64_t kp_problem_fingerprint(const kp_problem *p)
{
    uint64_t hash = kp_hash((uint64_t)p->operation + 1, p->b);
    /* Names are hashed, not addresses, because copies of a kp_algorithm are the same algorithm. */
    for (const char *c = p->algorithm ? p->algorithm->name : ""; *c; c++)
        hash = kp_hash(hash, (unsigned char)*c);
    for (int i = 0; i < KP_PARAMETERS; i++)
        hash = kp_hash(hash, (uint64_t)p->values[i]);
    return kp_hash(hash, (uint64_t)p->target);
}

/* --- What follows from a problem --- */

/* Returns the bytes that a call in place has to copy, because it may write them before it sends
 * them. */
static size_t copied_bytes(const kp_problem *p)
{
    const struct kp_operation_row *row = kp_operation_row(p->operation);
    if (!p->in_place || !row->copied_in_place)
        return 0;
    return p->b * (row->out == KP_BLOCK_EACH ? (size_t)p->n : 1);
}

/* Returns where the outgoing and the incoming space lie. `scratch` is the length of the schedule's
 * scratch, which a copy of the outgoing data follows. If the member's own block is the same memory
 * in both buffers, the place of one space follows from the place of the other. */
static struct kp_spaces_of_call spaces_of(const kp_problem *p, int rank, size_t scratch,
                                          size_t copied)
{
    const struct kp_operation_row *row = kp_operation_row(p->operation);
    const size_t own = (size_t)rank * p->b;
    if (row->one_buffer)
        return (struct kp_spaces_of_call){.of = {KP_IN, KP_IN}};
    if (!p->in_place)
        return (struct kp_spaces_of_call){.of = {KP_OUT, KP_IN}};
    if (copied > 0)
        return (struct kp_spaces_of_call){.of = {KP_SCRATCH, KP_IN}, .offset = {scratch, 0}};
    if (p->operation == KP_SCATTER)
        return (struct kp_spaces_of_call){.of = {KP_OUT, KP_OUT}, .offset = {0, own}};
    const bool within = row->out == KP_BLOCK_ONE && row->in == KP_BLOCK_EACH;
    return (struct kp_spaces_of_call){.of = {KP_IN, KP_IN}, .offset = {within ? own : 0, 0}};
}

/* Sets the places of the spaces, and how many bytes of each buffer are checked. */
static void settle_spaces(struct kp_prepared *made, int rank)
{
    const kp_problem *p = &made->problem;
    const size_t copied = copied_bytes(p);
    size_t scratch = (size_t)made->serving->schedule->units[KP_SCRATCH] * made->unit_bytes;
    scratch = (scratch + 63) / 64 * 64; /* the copy is aligned for any type */
    made->spaces = spaces_of(p, rank, scratch, copied);
    made->lowering.copied = copied;
    made->scratch_bytes = scratch + copied;
    made->out_bytes = made->spaces.of[0] == KP_OUT ? kp_call_buffer_bytes(p, rank, KP_OUT) : 0;
    made->in_bytes = made->spaces.of[1] == KP_IN ? kp_call_buffer_bytes(p, rank, KP_IN) : 0;
}

uint64_t kp_call_operator(const kp_problem *p, bool shares_memory)
{
    const bool reduces = kp_operation_reduces(p->operation);
    const uint64_t fingerprint = reduces ? kp_operator_fingerprint(p->op, p->type) : 0;
    return p->op && shares_memory ? kp_hash(fingerprint, (uint64_t)(uintptr_t)p->op->combine)
                                  : fingerprint;
}

static void settle_operator(struct kp_prepared *made, bool shares_memory)
{
    const kp_problem *p = &made->problem;
    const bool reduces = kp_operation_reduces(p->operation);
    const size_t alignment = reduces ? kp_type_alignment(p->type) : 0;
    const uint64_t fingerprint = reduces ? kp_operator_fingerprint(p->op, p->type) : 0;
    const uint64_t compared = kp_call_operator(p, shares_memory);
    made->operator=(struct kp_operator_seen){.combine = NULL};
    if (p->op && !kp_operator_is_builtin(p->op))
        made->operator=(struct kp_operator_seen){p->op->combine, p->op->element_bytes, fingerprint};
    made->misaligned = alignment > 0 ? alignment - 1 : 0;
    if (p->op)
        made->combiner = (struct kp_combiner){.loops = kp_operator_loops(p->op, p->type),
                                              .context = p->op->context};
    made->lowering.element =
        made->lowering.way.of_blocks ? sizeof(struct kp_block) : kp_element_bytes(p);
    made->published =
        (struct kp_call){kp_call_fingerprint(kp_problem_fingerprint(p), p->root, compared),
                         kp_call_describe_prepared, p};
}

/* Makes the latest error the error of the processor. The error may have come with the schedule,
 * which counts ranks from the root. So this function adds the root to the ranks in the error. */
static int refuse(kp_group *member, const kp_problem *asked)
{
    kp_error_record why = *kp_error_slot();
    int root = asked->algorithm && asked->algorithm->own_root ? 0 : asked->root;
    int peer = why.peer < 0 ? -1 : (why.peer + root) % asked->n;
    kp_port_error(member, why.status, why.round, why.port, peer, "%s", why.sentence);
    if (why.processor < 0)
        return why.status;
    kp_error_slot()->processor = kp_port_processor(member, (why.processor + root) % asked->n);
    return kp_port_keep_error(member);
}

int kp_prepare(kp_group *member, const kp_problem *asked, bool trusted, struct kp_prepared *made)
{
    kp_problem problem = *asked, served;
    kp_discipline discipline;
    struct kp_shared_schedule *shared =
        kp_shared_schedule_serving(member, asked, trusted, &served, &discipline);
    if (!shared)
        return refuse(member, asked);
    problem.algorithm = served.algorithm;
    memcpy(problem.values, served.values, sizeof problem.values);
    kp_prepared_end(made);
    made->serving = shared;
    made->problem = problem;
    made->unit_bytes = asked->b / (size_t)shared->schedule->units_of_block;
    made->c1 = shared->c1;
    made->c2 = shared->c2_units * made->unit_bytes;
    made->trace_subject = KP_TRACE_UNASKED;
    const bool may_mail = discipline != KP_ROUNDS_BY_BARRIER || kp_member_is_lane(member) ||
                          kp_machine_config(member)->discipline != KP_ROUNDS_BY_TUNER;
    kp_lowering_prepare(&made->lowering, &kp_machine_tuned(member)->thresholds, shared->schedule,
                        made->unit_bytes, member, may_mail, asked->in_place);
    kp_lowering_set_root(&made->lowering, problem.root, kp_port_rank(member));
    settle_spaces(made, kp_port_rank(member));
    settle_operator(made, !kp_is_wired(member));
    return KP_OK;
}

void kp_prepared_end(struct kp_prepared *made)
{
    kp_code_free(made->code);
    kp_laid_free(made->laid);
    if (made->serving)
        kp_shared_schedule_release(made->serving);
    made->code = NULL;
    made->laid = NULL;
    made->serving = NULL;
}

void kp_prepared_free(struct kp_prepared *prepared)
{
    if (prepared)
        kp_prepared_end(prepared);
    free(prepared);
}
