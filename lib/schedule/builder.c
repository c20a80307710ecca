#include "lib/schedule/builder.h"

#include "lib/problem/operation.h"
#include "lib/schedule/arithmetic.h"
#include "lib/schedule/elements.h"
#include "lib/schedule/piece.h"
#include "ports/port.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The greatest position or stride. Sums of a few positions of this size do not overflow. */
#define FARTHEST (INT64_MAX / 4)

static const char *const space_names[KP_SPACES] = {"out", "in", "scratch"};

/* --- Errors: the builder keeps the first one --- */

static int round_of(const struct kp_builder *b)
{
    const size_t *begins = b->stored.items;
    if (b->stored.count == 0)
        return -1;
    return (int)(b->rounds.count - begins[b->stored.count - 1]) - 2;
}

/* Returns the processor that the build calls by this rank. A rank that does not exist stays as it
 * is. */
static int processor_of(const struct kp_builder *b, int rank)
{
    const bool exists = rank >= 0 && rank < b->schedule->problem.n;
    return exists ? kp_schedule_counted(b->schedule, rank) : rank;
}

static void refuse_as(struct kp_builder *b, const char *format, va_list arguments)
{
    char sentence[300], round[KP_ROUND_NAME], counted[64] = "";
    if (b->status)
        return;
    vsnprintf(sentence, sizeof sentence, format, arguments);
    const int processor = processor_of(b, b->rank);
    if (b->schedule->counted_from > 0)
        snprintf(counted, sizeof counted, " (rank %d, as counted from the root)", b->rank);
    b->status = kp_set_error(KP_ESCHEDULE, "%s: processor %d%s %s",
                             kp_round_name(round_of(b), round), processor, counted, sentence);
    kp_error_slot()->round = round_of(b);
    kp_error_slot()->processor = processor;
}

__attribute__((format(printf, 2, 3))) static void refuse(struct kp_builder *b, const char *format,
                                                         ...)
{
    va_list arguments;
    va_start(arguments, format);
    refuse_as(b, format, arguments);
    va_end(arguments);
}

/* The same for a message. */
__attribute__((format(printf, 4, 5))) static void refuse_message(struct kp_builder *b, int port,
                                                                 int peer, const char *format, ...)
{
    va_list arguments;
    if (b->status)
        return;
    va_start(arguments, format);
    refuse_as(b, format, arguments);
    va_end(arguments);
    kp_error_slot()->port = port;
    kp_error_slot()->peer = processor_of(b, peer);
}

static void *add(struct kp_builder *b, struct kp_vector *vector, size_t size)
{
    void *item = b->status ? NULL : kp_vector_add(vector, size);
    if (!item && !b->status)
        b->status = kp_set_error(KP_EMEMORY, "there is no memory for the schedule");
    return item;
}

/* --- Rounds --- */

/* Returns the message that is being written. There must be one (b->open). */
static struct stored_message *open_message(const struct kp_builder *b)
{
    return (struct stored_message *)b->open->items + (b->open->count - 1);
}

static const char *units_word(const struct kp_builder *b, int64_t count)
{
    return kp_units_word(&b->schedule->problem, b->schedule->units_of_block, count);
}

/* Ends the message that is being written. Its operands must have as many units as the message. */
static void close_message(struct kp_builder *b)
{
    if (b->open && b->operand_units > 0 && b->operand_units != open_message(b)->units)
        refuse(b, "combines a message of %lld %s with operands of %lld",
               (long long)open_message(b)->units, units_word(b, open_message(b)->units),
               (long long)b->operand_units);
    b->open = NULL;
    b->operand_units = 0;
}

static int by_port(const void *left, const void *right)
{
    const struct stored_message *a = left, *b = right;
    if (a->port != b->port)
        return a->port < b->port ? -1 : 1;
    return (a->first_piece > b->first_piece) - (a->first_piece < b->first_piece);
}

static void sort_by_port(struct kp_vector *messages, size_t first)
{
    struct stored_message *all = messages->items;
    for (size_t i = first + 1; i < messages->count; i++) {
        if (all[i].port < all[i - 1].port) {
            qsort(all + first, messages->count - first, sizeof *all, by_port);
            return;
        }
    }
}

/* Ends the round that is being written. Adds the entry at which the next round begins, or the
 * processor's rounds end. */
static void mark_round(struct kp_builder *b, bool first_of_processor)
{
    /* The message that is being written is the last one only until the messages are sorted. */
    close_message(b);
    if (!first_of_processor && b->rounds.count > 0) {
        const struct stored_round *rounds = b->rounds.items;
        sort_by_port(&b->sends, rounds[b->rounds.count - 1].send);
        sort_by_port(&b->receives, rounds[b->rounds.count - 1].receive);
    }
    struct stored_round *round = add(b, &b->rounds, sizeof *round);
    if (round)
        *round = (struct stored_round){.send = (uint32_t)b->sends.count,
                                       .receive = (uint32_t)b->receives.count,
                                       .move = (uint32_t)b->moves.count};
}

void kp_builder_begin_processor(struct kp_builder *b, int rank)
{
    size_t *begin = add(b, &b->stored, sizeof *begin);
    if (!begin)
        return;
    *begin = b->rounds.count;
    b->rank = rank;
    b->stage = 0;
    mark_round(b, true);
}

void kp_builder_end_processor(struct kp_builder *b)
{
    mark_round(b, false);
}

/* Refuses NULL, because an algorithm must pass on the builder that its `build` was given. */
static bool given(const kp_builder *b)
{
    if (!b)
        kp_set_error(KP_EARGUMENT, "the builder is NULL; it must be what build was given");
    return b;
}

void kp_build_scratch(kp_builder *b, int64_t units)
{
    if (!given(b))
        return;
    if (units < 0 || units > FARTHEST)
        refuse(b, "asks for scratch of %lld %s; it may be 0 ... %lld", (long long)units,
               units_word(b, units), (long long)FARTHEST);
    else if (units > b->schedule->units[KP_SCRATCH])
        b->schedule->units[KP_SCRATCH] = units;
}

void kp_build_round(kp_builder *b)
{
    if (!given(b))
        return;
    if (!b->status && round_of(b) >= INT32_MAX - 4)
        refuse(b, "has more than %d rounds", INT32_MAX - 4);
    mark_round(b, false);
}

/* --- Messages --- */

static void begin_message(struct kp_builder *b, struct kp_vector *messages, int port, int peer)
{
    if (b->status)
        return;
    close_message(b);
    const bool sends = messages == &b->sends;
    const int n = b->schedule->problem.n;
    if (round_of(b) < 0) {
        refuse(b, "%s, but kp_build_round has not begun a round", sends ? "sends" : "receives");
    } else if (peer < 0 || peer >= n) {
        refuse_message(b, port, peer, "%s %s %d; with n=%d it may be 0 ... %d",
                       sends ? "sends to" : "receives from",
                       b->schedule->counted_from > 0 ? "rank" : "processor", peer, n, n - 1);
    } else if (port < 0) {
        refuse_message(b, port, peer, "%s on port %d; with k=%d it may be 0 ... %d",
                       sends ? "sends" : "receives", port, b->schedule->problem.k,
                       b->schedule->problem.k - 1);
    } else if (peer == b->rank && !b->schedule->unpaired) {
        refuse_message(b, port, peer, "%s itself on port %d", sends ? "sends to" : "receives from",
                       port);
    }
    struct stored_message *message = add(b, messages, sizeof *message);
    if (!message)
        return;
    *message = (struct stored_message){
        .port = port, .peer = peer, .first_piece = (uint32_t)b->pieces.count};
    b->open = messages;
}

void kp_build_send(kp_builder *b, int port, int peer)
{
    if (given(b))
        begin_message(b, &b->sends, port, peer);
}

void kp_build_receive(kp_builder *b, int port, int peer)
{
    if (given(b))
        begin_message(b, &b->receives, port, peer);
}

/* Checks that the operation combines blocks, and that `side` is KP_LEFT or KP_RIGHT. */
static void check_side(struct kp_builder *b, kp_combining side)
{
    if (!kp_operation_reduces(b->schedule->problem.operation))
        refuse(b, "combines, but %s is no reduction",
               kp_operation_name(b->schedule->problem.operation));
    else if (side != KP_LEFT && side != KP_RIGHT)
        refuse(b, "combines neither on the left nor on the right: side is %d; it may be %d or %d",
               (int)side, (int)KP_LEFT, (int)KP_RIGHT);
}

void kp_build_combine(kp_builder *b, int port, int peer, kp_combining side)
{
    if (!given(b))
        return;
    check_side(b, side);
    begin_message(b, &b->receives, port, peer);
    if (b->open)
        open_message(b)->combining = (unsigned)side & 3u;
}

/* --- Pieces --- */

static bool within(int64_t position)
{
    return position >= -FARTHEST && position <= FARTHEST;
}

/* Sets the range first ... end - 1 that a piece covers, in a space whose positions are not taken
 * modulo its size. Returns false if the range would overflow. */
static bool extent(const kp_piece *piece, int64_t *first, int64_t *end)
{
    int64_t step = piece->stride < 0 ? -piece->stride : piece->stride;
    if (step > 0 && piece->count - 1 > FARTHEST / step)
        return false;
    int64_t last = piece->first + (piece->count - 1) * piece->stride;
    *first = kp_least(piece->first, last);
    *end = (piece->first > last ? piece->first : last) + piece->run;
    return true;
}

/* Returns whether a piece lies in its space. The piece has at least one unit. Scratch has no fixed
 * size yet. So for scratch the function only records how far the pieces reach, and
 * kp_builder_finish compares this with the size that the algorithm asked for. */
static bool fits(struct kp_builder *b, const kp_piece *piece)
{
    const struct kp_schedule *s = b->schedule;
    int64_t first, end;
    if (!within(piece->first) || !within(piece->stride) || piece->count > FARTHEST / piece->run)
        return false;
    if (s->per_processor[piece->space])
        return kp_piece_units(piece) <= s->units[piece->space];
    if (!extent(piece, &first, &end) || first < 0)
        return false;
    if (piece->space != KP_SCRATCH)
        return end <= s->units[piece->space];
    if (end > b->scratch_end)
        b->scratch_end = end;
    return true;
}

#define PLACES_BYTES 64

/* Writes which places these are, `end` not among them. */
static const char *name_places(int64_t first, int64_t end, char text[PLACES_BYTES])
{
    if (end - first == 1)
        snprintf(text, PLACES_BYTES, "place %lld", (long long)first);
    else
        snprintf(text, PLACES_BYTES, "places %lld ... %lld", (long long)first, (long long)end - 1);
    return text;
}

/* Refuses a piece that does not lie in its space. */
static void refuse_outside(struct kp_builder *b, const kp_piece *piece)
{
    const char *space = space_names[piece->space];
    const int64_t room = b->schedule->units[piece->space];
    const bool counted =
        within(piece->first) && within(piece->stride) && piece->count <= FARTHEST / piece->run;
    char used[PLACES_BYTES], has[PLACES_BYTES];
    int64_t first, end;
    if (counted && b->schedule->per_processor[piece->space])
        refuse(b, "uses %lld places of %s, which has %lld", (long long)kp_piece_units(piece), space,
               (long long)room);
    else if (counted && extent(piece, &first, &end) && piece->space == KP_SCRATCH)
        refuse(b, "uses %s of scratch, whose first place is 0", name_places(first, end, used));
    else if (counted && extent(piece, &first, &end))
        refuse(b, "uses %s of %s, which has %s%s", name_places(first, end, used), space,
               room == 1 ? "only " : "", name_places(0, room, has));
    else
        refuse(b,
               "uses places too far from 0: in %s, first %lld, count %lld, stride %lld, run %lld; "
               "a place may be -%lld ... %lld",
               space, (long long)piece->first, (long long)piece->count, (long long)piece->stride,
               (long long)piece->run, (long long)FARTHEST, (long long)FARTHEST);
}

/* Checks a piece and normalises it (kp_piece_normalise). Returns false if the piece is empty or
 * refused. */
static bool admit(struct kp_builder *b, kp_piece *piece)
{
    if ((unsigned)piece->space >= KP_SPACES || piece->count < 0 || piece->run < 0) {
        refuse(
            b,
            "uses a piece with a negative count, or in no space: space %d, count %lld, run %lld; "
            "there are %d spaces",
            (int)piece->space, (long long)piece->count, (long long)piece->run, (int)KP_SPACES);
        return false;
    }
    if (b->status || piece->count == 0 || piece->run == 0)
        return false;
    if (!fits(b, piece)) {
        refuse_outside(b, piece);
        return false;
    }
    kp_piece_normalise(piece, kp_wrap_of(b->schedule, piece->space));
    return true;
}

/* Adds a piece to a message. Merges it with the message's previous piece if possible. `first` says
 * that there is no previous piece. Returns true if a new piece was added. */
static bool add_piece(struct kp_builder *b, const kp_piece *piece, bool first)
{
    kp_piece *pieces = b->pieces.items;
    if (!first &&
        kp_piece_merge(&pieces[b->pieces.count - 1], piece, kp_wrap_of(b->schedule, piece->space)))
        return false;
    kp_piece *added = add(b, &b->pieces, sizeof *added);
    if (added)
        *added = *piece;
    return added != NULL;
}

void kp_build_piece(kp_builder *b, kp_piece piece)
{
    if (!given(b))
        return;
    if (!b->status && !b->open)
        refuse(b,
               "has a kp_build_piece without a kp_build_send or kp_build_receive before it in this "
               "round");
    if (!b->status && b->operand_units > 0)
        refuse(b, "names a piece of a message behind its operands");
    if (!admit(b, &piece))
        return;
    struct stored_message *message = open_message(b);
    message->piece_count += add_piece(b, &piece, message->piece_count == 0);
    message->units += kp_piece_units(&piece);
}

void kp_build_operand(kp_builder *b, kp_piece piece)
{
    if (!given(b))
        return;
    if (!b->status && (!b->open || open_message(b)->combining == KP_COPY))
        refuse(b, "names operands outside a message that combines");
    if (!admit(b, &piece))
        return;
    struct stored_message *message = open_message(b);
    message->operand_count += add_piece(b, &piece, message->operand_count == 0);
    b->operand_units += kp_piece_units(&piece);
}

static void add_move(struct kp_builder *b, kp_piece from, kp_piece to, kp_combining side)
{
    bool source = admit(b, &from), target = admit(b, &to);
    if (b->status || (!source && !target))
        return;
    if (!source || !target || kp_piece_units(&from) != kp_piece_units(&to)) {
        refuse(b, "moves to a place of another length: %lld %s to %lld",
               (long long)kp_piece_units(&from), units_word(b, kp_piece_units(&from)),
               (long long)kp_piece_units(&to));
        return;
    }
    kp_move *move = add(b, &b->moves, sizeof *move);
    if (move)
        *move = (kp_move){.from = from, .to = to, .combining = side};
}

void kp_build_move(kp_builder *b, kp_piece from, kp_piece to)
{
    if (given(b))
        add_move(b, from, to, KP_COPY);
}

void kp_build_fold(kp_builder *b, kp_piece from, kp_piece to, kp_combining side)
{
    if (!given(b))
        return;
    check_side(b, side);
    add_move(b, from, to, side);
}

/* --- The end of the build --- */

/* Fills the schedule's table of rounds. The schedule has as many rounds as the processor with
 * most rounds. The other processors get empty rounds at the end. */
static int lay_rounds(struct kp_builder *b)
{
    struct kp_schedule *s = b->schedule;
    const size_t *begins = b->stored.items;
    const struct stored_round *rounds = b->rounds.items;
    size_t longest = 2; /* the entries for round -1 and for the end */
    for (size_t processor = 0; processor < b->stored.count; processor++) {
        size_t end = processor + 1 < b->stored.count ? begins[processor + 1] : b->rounds.count;
        longest = end - begins[processor] > longest ? end - begins[processor] : longest;
    }
    s->rounds = (int)(longest - 2);
    s->round_index = calloc(b->stored.count * longest, sizeof *s->round_index);
    s->buffer_units = calloc((size_t)s->rounds + 1, sizeof *s->buffer_units);
    s->all_units = calloc((size_t)s->rounds + 1, sizeof *s->all_units);
    if (!s->round_index || !s->buffer_units || !s->all_units)
        return kp_set_error(KP_EMEMORY, "there is no memory for the schedule");
    for (size_t processor = 0; processor < b->stored.count; processor++) {
        size_t end = processor + 1 < b->stored.count ? begins[processor + 1] : b->rounds.count;
        for (size_t i = 0; i < longest; i++) {
            size_t from = begins[processor] + i < end ? begins[processor] + i : end - 1;
            s->round_index[processor * longest + i] = rounds[from];
        }
    }
    return KP_OK;
}

int kp_builder_finish(struct kp_builder *b)
{
    struct kp_schedule *s = b->schedule;
    if (b->status)
        return b->status;
    if (b->scratch_end > s->units[KP_SCRATCH])
        return kp_set_error(
            KP_ESCHEDULE,
            "place %lld of scratch is used, but kp_build_scratch has asked for %lld "
            "%s",
            (long long)b->scratch_end - 1, (long long)s->units[KP_SCRATCH],
            units_word(b, s->units[KP_SCRATCH]));
    int status = lay_rounds(b);
    if (status)
        return status;
    s->bytes = sizeof *s + b->stored.count * ((size_t)s->rounds + 2) * sizeof *s->round_index +
               (size_t)s->rounds * 2 * sizeof *s->buffer_units +
               (b->sends.count + b->receives.count) * sizeof *s->sends +
               b->moves.count * sizeof *s->moves + b->pieces.count * sizeof *s->pieces;
    s->sends = kp_vector_take(&b->sends, sizeof *s->sends);
    s->receives = kp_vector_take(&b->receives, sizeof *s->receives);
    s->moves = kp_vector_take(&b->moves, sizeof *s->moves);
    s->pieces = kp_vector_take(&b->pieces, sizeof *s->pieces);
    status = kp_lay_buffers(s);
    if (!status)
        status = kp_match_messages(s);
    return s->unpaired && status == KP_ESCHEDULE ? KP_OK : status;
}

void kp_builder_free(struct kp_builder *b)
{
    struct kp_vector *all[] = {&b->sends,  &b->receives, &b->moves,
                               &b->pieces, &b->rounds,   &b->stored};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        kp_vector_free(all[i]);
    for (int i = 0; i < KP_STAGES; i++)
        kp_schedule_free(b->stages[i]);
}
