/* Compares what the two ends of a block say of its length and its elements, and writes the sentence
 * if they differ. */
#include "lib/lengths/check.h"

#include "lib/layout/kept.h"
#include "lib/problem/operation.h"
#include "ports/member.h"

#include <stdio.h>

/* Writes which argument has the length of a block, and where the call is: "in_counts[3], app.c:44".
 * `rank` is the member whose argument it is. */
#define NAME_WORDS 128
static void name(const kp_group *member, const struct kp_lengths_call *call, kp_space space,
                 size_t block, int rank, char text[NAME_WORDS])
{
    struct kp_words words = {.text = text, .size = NAME_WORDS};
    kp_say(&words, "%s_", space == KP_OUT ? "out" : "in");
    if (kp_operation_blocks(call->given->operation, space) == KP_BLOCK_EACH)
        kp_say(&words, "counts[%zu]", block);
    else
        kp_say(&words, "%s", kp_has_layouts(call->given) ? "count" : "bytes");
    kp_port_say_place(member, rank, &words);
}

/* What an end says of a block. */
struct said {
    size_t bytes;
    uint64_t signature;
    const char *elements; /* in words; NULL: they are not known */
};

/* The error is the receiver's, so all members that tell it name the same processor. */
static int keep(kp_group *member, int receiver)
{
    kp_error_slot()->processor = kp_port_processor(member, receiver);
    return kp_port_keep_error(member);
}

static int compare(kp_group *member, const struct kp_lengths_call *call, int sender,
                   struct said sent, int receiver, size_t block, struct said expected)
{
    char out[NAME_WORDS], in[NAME_WORDS];
    const int from = kp_port_processor(member, sender), to = kp_port_processor(member, receiver);
    if (sent.bytes == expected.bytes && sent.signature == expected.signature)
        return KP_OK;
    name(member, call, KP_OUT, (size_t)receiver, sender, out);
    name(member, call, KP_IN, block, receiver, in);
    if (sent.bytes != expected.bytes)
        kp_port_error(member, KP_EMISMATCH, -1, -1, sender,
                      "processor %d sends %zu bytes to processor %d (%s), but processor %d "
                      "expects %zu bytes from it (%s)",
                      from, sent.bytes, to, out, to, expected.bytes, in);
    else
        kp_port_error(member, KP_EMISMATCH, -1, -1, sender,
                      "processor %d sends %zu bytes as %s to processor %d (%s), but processor "
                      "%d expects them as %s (%s): their signatures differ",
                      from, sent.bytes, sent.elements ? sent.elements : "other elements", to, out,
                      to, expected.elements, in);
    return keep(member, receiver);
}

/* --- Of a reduction --- */

/* All members give the number of elements of each result. */
static int compare_counts(kp_group *member, int other, size_t theirs, int receiver, size_t own)
{
    char places[2][NAME_WORDS] = {"", ""};
    const int processor = kp_port_processor(member, receiver);
    if (theirs == own)
        return KP_OK;
    kp_port_say_place(member, other, &(struct kp_words){places[0], NAME_WORDS, 0, NULL});
    kp_port_say_place(member, receiver, &(struct kp_words){places[1], NAME_WORDS, 0, NULL});
    kp_port_error(member, KP_EMISMATCH, -1, -1, other,
                  "processor %d gives %zu elements for the result of processor %d "
                  "(counts[%d]%s), but processor %d gives %zu (counts[%d]%s)",
                  kp_port_processor(member, other), theirs, processor, receiver, places[0],
                  processor, own, receiver, places[1]);
    return keep(member, receiver);
}

/* --- With what the others have told --- */

static struct said said_by(kp_group *member, int sender, bool laid)
{
    const void *told = kp_port_told_beside(member, sender);
    const struct kp_laid_sent *sent = told;
    if (!laid)
        return (struct said){.bytes = *(const size_t *)told};
    return (struct said){sent->bytes, sent->signature,
                         kp_is_wired(member) ? NULL : sent->layout->text};
}

int kp_lengths_compare(kp_group *member, const struct kp_lengths_call *call,
                       const struct kp_lengths *own)
{
    const struct kp_operation_row *row = kp_operation_row(call->given->operation);
    const int rank = kp_port_rank(member);
    const bool laid = kp_has_layouts(call->given);
    int status = KP_OK;
    for (int i = 0; row->operands && i < kp_port_size(member) && !status; i++)
        status = compare_counts(member, i, said_by(member, i, false).bytes / call->out.unit, rank,
                                call->in.counts[0]);
    for (size_t i = 0; !row->operands && i < own->places[KP_IN] && !status; i++) {
        const int sender = row->wanted(call->given->root, rank, (int)i).rank;
        struct said expected = {.bytes = own->blocks[KP_IN][i].bytes};
        if (laid)
            expected = (struct said){own->laid[KP_IN][i].bytes, own->laid[KP_IN][i].signature,
                                     own->laid[KP_IN][i].layout->text};
        status = compare(member, call, sender, said_by(member, sender, laid), rank, i, expected);
    }
    return status;
}

/* --- With the other member's call --- */

static struct said said_at(struct kp_lengths_end end, kp_space space)
{
    const struct kp_side *side = space == KP_OUT ? &end.call->out : &end.call->in;
    const kp_layout *layout = kp_side_layout(side, end.block);
    struct said said = {.bytes = kp_side_bytes(side, end.block)};
    if (layout) {
        said.signature =
            kp_signature_number(kp_signature_repeated(layout->signature, side->counts[end.block]));
        said.elements = layout->text;
    }
    return said;
}

int kp_lengths_compare_ends(kp_group *member, struct kp_lengths_end sender,
                            struct kp_lengths_end receiver)
{
    if (kp_operation_reduces(sender.call->given->operation))
        return compare_counts(member, sender.rank, sender.call->out.counts[sender.block],
                              receiver.rank, receiver.call->in.counts[receiver.block]);
    return compare(member, receiver.call, sender.rank, said_at(sender, KP_OUT), receiver.rank,
                   receiver.block, said_at(receiver, KP_IN));
}
