#include "lib/call/laid.h"

#include "lib/call/call.h"
#include "lib/layout/overlap.h"
#include "lib/problem/operation.h"
#include "lib/problem/problem.h"
#include "ports/member.h"

#include <stdio.h>
#include <string.h>

/* Makes the fingerprints of calls with layouts differ from those of other calls. */
#define LAID UINT64_C(0x4c61796f757473)

#define REFUSE(...) kp_port_error(member, KP_EARGUMENT, -1, -1, -1, __VA_ARGS__)

/* --- The two buffers of a member --- */

/* A buffer, as its arguments describe it. */
struct side {
    const char *data;
    const kp_layout *layout; /* NULL: this member does not use the buffer, or it is in place */
    size_t count;            /* of layouts in a block */
    size_t blocks;
    const char *name, *count_name;
};

static struct side side_of(const kp_arguments *a, const kp_problem *p, kp_space space)
{
    const bool one_buffer = kp_operation_row(p->operation)->one_buffer;
    const bool each = kp_operation_blocks(p->operation, space) == KP_BLOCK_EACH;
    return (struct side){
        .data = space == KP_OUT ? a->out : a->in,
        .layout = space == KP_OUT ? a->out_layout : a->in_layout,
        .count = space == KP_OUT ? a->out_count : a->in_count,
        .blocks = each ? (size_t)p->n : 1,
        .name = one_buffer        ? "data"
                : space == KP_OUT ? "out"
                                  : "in",
        .count_name = one_buffer        ? "count"
                      : space == KP_OUT ? "out_count"
                                        : "in_count",
    };
}

/* Returns whether the member's data lie in this buffer. In one to one all members take part, and
 * `in` says for each of them what is moved. */
static bool is_used(const kp_arguments *a, const kp_problem *p, int rank, kp_space space)
{
    const void *data = space == KP_OUT ? a->out : a->in;
    if (kp_operation_row(p->operation)->one_buffer)
        return space == KP_IN;
    if (space == KP_IN && kp_operation_has_target(p->operation))
        return true;
    return kp_operation_holds(p, rank, space) && data != KP_IN_PLACE;
}

static struct kp_laid_data data_of(const struct side *side)
{
    return (struct kp_laid_data){side->data, side->layout, side->count * side->blocks};
}

/* --- Checks --- */

/* The largest count with which the offsets of all blocks can be computed. */
static int check_count(kp_group *member, const struct side *side)
{
    ptrdiff_t begin, end;
    const bool fits = side->count <= PTRDIFF_MAX / side->blocks &&
                      kp_layout_reach(side->layout, side->count * side->blocks, &begin, &end);
    if (!fits)
        return REFUSE("%s is %zu; %zu block%s of so many %s reach beyond what memory can hold",
                      side->count_name, side->count, side->blocks, side->blocks == 1 ? "" : "s",
                      side->layout->text);
    return KP_OK;
}

int kp_laid_complete(kp_group *member, const kp_arguments *given, kp_arguments *completed)
{
    const kp_problem p = {.operation = given->operation,
                          .root = given->root,
                          .target = given->to,
                          .n = kp_port_size(member)};
    const int rank = kp_port_rank(member);
    const bool in = is_used(given, &p, rank, KP_IN);
    const bool out = is_used(given, &p, rank, KP_OUT);
    *completed = *given;
    completed->in_layout = in || !out ? kp_layout_or_byte(given->in_layout) : NULL;
    completed->in_count = in || !out ? given->in_count : 0;
    completed->out_layout = out ? kp_layout_or_byte(given->out_layout) : NULL;
    completed->out_count = out ? given->out_count : 0;
    int status = KP_OK;
    for (int space = KP_OUT; space <= KP_IN && !status; space++) {
        const struct side side = side_of(completed, &p, (kp_space)space);
        if (!side.layout)
            continue;
        status = check_count(member, &side);
        completed->b = side.count * side.layout->bytes;
    }
    return status;
}

static struct kp_signature signature_of(const struct side *side)
{
    return kp_signature_repeated(side->layout->signature, side->count);
}

static int check_signatures(kp_group *member, const struct side *out, const struct side *in)
{
    if (!out->layout || !in->layout)
        return KP_OK;
    const size_t out_bytes = out->count * out->layout->bytes;
    const size_t in_bytes = in->count * in->layout->bytes;
    const bool alike = out_bytes == in_bytes && kp_signature_number(signature_of(out)) ==
                                                    kp_signature_number(signature_of(in));
    return alike ? KP_OK
                 : REFUSE("out is %zu %s (%zu bytes), but in is %zu %s (%zu bytes): their "
                          "signatures differ",
                          out->count, out->layout->text, out_bytes, in->count, in->layout->text,
                          in_bytes);
}

static int no_memory_to_look(kp_group *member)
{
    return kp_port_error(member, KP_EMEMORY, -1, -1, -1,
                         "no memory to find out whether elements of layouts overlap");
}

static int check_destination(kp_group *member, const struct side *in)
{
    const struct kp_laid_data data = data_of(in);
    const enum kp_overlap overlap = kp_layout_overlaps(&data);
    if (overlap == KP_OVERLAP_UNKNOWN)
        return no_memory_to_look(member);
    return overlap == KP_APART
               ? KP_OK
               : REFUSE("%s is %zu block%s of %zu %s, extent %td: elements overlap, so they may be "
                        "read but not written",
                        in->name, in->blocks, in->blocks == 1 ? "" : "s", in->count,
                        in->layout->text, in->layout->extent);
}

static int check_address(kp_group *member, const struct side *side)
{
    const struct kp_laid_data data = data_of(side);
    const uintptr_t at = (uintptr_t)side->data;
    ptrdiff_t begin, end;
    (void)kp_layout_reach(data.layout, data.count, &begin, &end);
    if (begin == end)
        return KP_OK;
    if (!side->data)
        return REFUSE("%s is NULL; only with 0 bytes it may be NULL", side->name);
    if ((begin < 0 && at < (uintptr_t)-begin) || (end > 0 && at > UINTPTR_MAX - (uintptr_t)end))
        return REFUSE("%s and its layout %s reach beyond what memory can hold", side->name,
                      side->layout->text);
    return KP_OK;
}

/* Returns the side if the member has this buffer: in one to one it may give a layout without. */
static struct side held_side(const kp_group *member, const kp_arguments *a, const kp_problem *p,
                             kp_space space)
{
    struct side side = side_of(a, p, space);
    const int rank = kp_port_rank(member);
    const bool one_buffer = kp_operation_row(p->operation)->one_buffer;
    if (!one_buffer && !kp_operation_holds(p, rank, space))
        side.layout = NULL;
    return side;
}

int kp_laid_check_buffers(kp_group *member, const kp_arguments *a, const kp_problem *p)
{
    const struct side out = held_side(member, a, p, KP_OUT);
    const struct side in = held_side(member, a, p, KP_IN);
    int status = out.layout ? check_address(member, &out) : KP_OK;
    if (!status && in.layout)
        status = check_address(member, &in);
    if (status || !out.layout || !in.layout)
        return status;
    const struct kp_laid_data sent = data_of(&out), received = data_of(&in);
    const enum kp_overlap overlap = kp_layouts_meet(&received, 1, &sent, 1);
    if (overlap == KP_OVERLAP_UNKNOWN)
        return no_memory_to_look(member);
    return overlap == KP_APART ? KP_OK
                               : REFUSE("elements of out and in overlap (to use one buffer for "
                                        "both, pass KP_IN_PLACE)");
}

int kp_laid_check(kp_group *member, const kp_arguments *a, const kp_problem *p)
{
    const struct side out = side_of(a, p, KP_OUT), in = side_of(a, p, KP_IN);
    const struct side written = held_side(member, a, p, KP_IN);
    int status = check_signatures(member, &out, &in);
    if (!status && written.layout)
        status = check_destination(member, &written);
    return status ? status : kp_laid_check_buffers(member, a, p);
}

/* --- A prepared call --- */

/* Sets the layouts of the member's own spaces, and where the spaces begin: if the member's own
 * block is the same memory in both buffers, its place there depends on the layout's extent. */
static unsigned lay_spaces(struct kp_laid *laid, struct kp_spaces_of_call *spaces, int rank)
{
    unsigned bits = 1u << (KP_PEER + KP_OUT) | 1u << (KP_PEER + KP_IN);
    for (int space = KP_OUT; space <= KP_IN; space++) {
        const uint8_t lies = spaces->of[space];
        const kp_layout *given = lies < KP_SCRATCH ? laid->given[lies] : NULL;
        if (!given)
            continue;
        if (spaces->offset[space] > 0)
            spaces->offset[space] = (size_t)rank * laid->count[lies] * (size_t)given->extent;
        if (kp_layout_is_plain(laid->block[lies]))
            continue;
        laid->streams.own[space] = laid->block[lies];
        bits |= 1u << space;
    }
    return bits;
}

static uint64_t fingerprint_of(const kp_problem *p, const struct kp_laid *laid)
{
    const int side = laid->given[KP_IN] ? KP_IN : KP_OUT;
    const uint64_t number =
        kp_signature_number(kp_signature_repeated(laid->given[side]->signature, laid->count[side]));
    return kp_call_fingerprint(kp_hash(kp_problem_fingerprint(p) ^ LAID, number), p->root, 0);
}

/* Writes the layouts as ", out 1 MPI_FLOAT, in 1 MPI_INT". */
static void say_layouts(const struct kp_laid *laid, struct kp_words *words)
{
    for (int space = KP_OUT; space <= KP_IN; space++) {
        if (laid->given[space])
            kp_say(words, ", %s %zu %s", space == KP_OUT ? "out" : "in", laid->count[space],
                   laid->given[space]->text);
    }
}

int kp_laid_prepare(kp_group *member, const kp_arguments *a, struct kp_prepared *made)
{
    struct kp_laid *laid = kp_laid_make(a);
    if (!laid)
        return kp_port_error(member, KP_EMEMORY, -1, -1, -1, "no memory for a call with layouts");
    made->laid = laid;
    struct kp_words words = {.text = laid->words, .size = sizeof laid->words};
    say_layouts(laid, &words);
    kp_end_sentence(&words);
    laid->streams.member = member;
    made->lowering.laid = lay_spaces(laid, &made->spaces, kp_port_rank(member));
    made->combiner.streams = &laid->streams;
    made->published =
        (struct kp_call){fingerprint_of(&made->problem, laid), kp_laid_describe, &made->problem};
    return KP_OK;
}

static const struct kp_laid *laid_of(const void *subject)
{
    const void *prepared = (const char *)subject - offsetof(struct kp_prepared, problem);
    return ((const struct kp_prepared *)prepared)->laid;
}

void kp_laid_describe(const void *subject, char *text, size_t size)
{
    struct kp_words words = {.text = text, .size = size};
    char problem[KP_SENTENCE_BYTES];
    if (size > 0)
        text[0] = '\0';
    kp_problem_describe(subject, problem, sizeof problem);
    kp_say(&words, "%s", problem);
    say_layouts(laid_of(subject), &words);
}

/* --- Calls that may be over --- */

struct past {
    kp_problem problem;
    char words[KP_LAID_WORDS];
};

static void copy_past(const void *subject, void *to)
{
    struct past past;
    memcpy(&past.problem, subject, sizeof past.problem);
    memcpy(past.words, laid_of(subject)->words, sizeof past.words);
    memcpy(to, &past, sizeof past);
}

static void describe_past(const void *subject, char *text, size_t size)
{
    struct past past;
    memcpy(&past, subject, sizeof past);
    kp_call_past.describe(&past.problem, text, size);
    const size_t length = strlen(text);
    snprintf(text + length, size - length, "%s", past.words);
}

const struct kp_past kp_laid_past = {sizeof(struct past), describe_past, copy_past};
_Static_assert(sizeof(struct past) <= KP_PAST_BYTES, "it is kept under mailboxes");
