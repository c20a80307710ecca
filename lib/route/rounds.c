/* The rounds of kp_route. If every stream between two members fits into one packet, a single round
 * moves all messages. Otherwise a protocol decides in every round which packets move (router.h). */
#include "lib/route/service.h"

#include "kport/reduce.h"

#include <stdlib.h>
#include <string.h>

#define HEAD_BYTES sizeof(struct kp_packet_head)

/* The members agree on the maxima of the routers' words (enum kp_agreed) and of the words LONGEST
 * and FAILED, which come after the routers' words. */
enum {
    LONGEST = KP_AGREED, /* the bytes of the longest packet that any member may send next */
    FAILED,              /* rank + 1 of a member that has no memory; 0: all members have memory */
    WORDS
};

/* --- Collectives of the machine that routing uses --- */

int kp_service_note_untaken(struct kp_service *s, int status)
{
    if (status != KP_EUNTAKEN)
        return status;
    s->untaken = *kp_last_error();
    return KP_OK;
}

int kp_service_index(struct kp_service *s, const void *out, void *in, size_t b)
{
    kp_here(s->site.file, s->site.line);
    return kp_service_note_untaken(s, kp_index(s->member, out, in, b, &s->hints.index));
}

int kp_service_agree(struct kp_service *s, uint64_t *words, size_t count)
{
    kp_here(s->site.file, s->site.line);
    return kp_service_note_untaken(
        s, kp_allreduce(s->member, KP_IN_PLACE, words, count, KP_UINT64, KP_MAXIMUM, NULL));
}

/* --- Errors and heads of packets --- */

static int refuse_failed(struct kp_service *s, int rank)
{
    if (s->failed)
        return kp_port_error(s->member, KP_EMEMORY, -1, -1, -1,
                             "no memory for the messages to come");
    int processor = kp_port_processor(s->member, rank);
    return kp_port_error_about(s->member, KP_EPEER, processor,
                               "processor %d has no memory for the messages that come to it",
                               processor);
}

static void write_head(char *block, int32_t source, int32_t destination, uint32_t number,
                       size_t bytes)
{
    struct kp_packet_head head = {source, destination, number, (uint32_t)bytes};
    memcpy(block, &head, sizeof head);
}

static struct kp_packet_head read_head(const char *block)
{
    struct kp_packet_head head;
    memcpy(&head, block, sizeof head);
    return head;
}

/* --- All messages in one round --- */

static bool own_is_several(const struct kp_service *s)
{
    for (size_t j = 0; j < s->n; j++) {
        if ((int32_t)j != s->rank && s->streams[j].bytes > s->packet)
            return true;
    }
    return false;
}

static size_t own_longest(const struct kp_service *s)
{
    size_t longest = 0;
    for (size_t j = 0; j < s->n; j++) {
        if ((int32_t)j != s->rank && s->streams[j].bytes > longest)
            longest = s->streams[j].bytes;
    }
    return longest < s->packet ? longest : s->packet;
}

/* Writes the stream for each other member into its block. The stream for this member itself goes
 * straight to its final memory. */
static bool write_blocks(struct kp_service *s, size_t block)
{
    struct kp_stream_target *targets = calloc(s->n, sizeof *targets);
    if (!targets)
        return false;
    for (size_t j = 0; j < s->n; j++) {
        bool own = (int32_t)j == s->rank;
        targets[j].to = own ? s->arrived->memory[1] : s->out + j * block + HEAD_BYTES;
        targets[j].end = targets[j].to + s->streams[j].bytes;
        write_head(s->out + j * block, own || s->streams[j].bytes == 0 ? KP_NO_PACKET : s->rank,
                   (int32_t)j, 0, s->streams[j].bytes);
    }
    kp_stream_write_all(s->parcels, s->count, s->n, targets);
    free(targets);
    return true;
}

/* Does the work of write_blocks if `out` already has the streams. In `out` each block has the
 * length of a full packet. The new blocks are shorter, so this function moves the streams closer
 * together. */
static void close_up(struct kp_service *s, size_t block)
{
    size_t before = HEAD_BYTES + s->packet;
    for (size_t j = 0; j < s->n; j++) {
        size_t bytes = s->streams[j].bytes;
        bool own = (int32_t)j == s->rank;
        const char *from = s->out + j * before + HEAD_BYTES;
        if (own)
            memcpy(s->arrived->memory[1], from, bytes);
        write_head(s->out + j * block, own || bytes == 0 ? KP_NO_PACKET : s->rank, (int32_t)j, 0,
                   bytes);
        if (!own)
            memmove(s->out + j * block + HEAD_BYTES, from, bytes);
    }
}

/* Hands the received blocks over to the arrivals without copying. If the streams fill less than a
 * quarter of the blocks, copies the streams into a smaller buffer instead. */
static void keep_blocks(struct kp_service *s, size_t block)
{
    uint64_t bytes = 0;
    char *copy = NULL, *at = NULL;
    for (size_t i = 0; i < s->n; i++)
        bytes += (int32_t)i == s->rank ? 0 : s->heard[i].bytes;
    if (bytes < s->n * block / 4)
        copy = at = kp_spare_take(s->spare, bytes + 8);
    for (size_t i = 0; i < s->n; i++) {
        struct kp_arrived_stream *stream = &s->arrived->streams[i];
        *stream = (struct kp_arrived_stream){s->in + i * block + HEAD_BYTES, s->heard[i].bytes};
        if ((int32_t)i == s->rank)
            stream->at = s->arrived->memory[1];
        else if (copy) {
            stream->at = memcpy(at, stream->at, stream->bytes);
            at += stream->bytes;
        }
    }
    s->arrived->memory[0] = copy ? copy : s->in;
    if (!copy)
        s->in = NULL;
}

/* Sends all messages in one total exchange. No protocol is needed, because no pair has more than
 * one packet. */
static int one_round(struct kp_service *s, size_t longest)
{
    size_t block = HEAD_BYTES + longest;
    uint64_t failed = 0;
    s->arrived = kp_arrivals_make((int)s->n, s->spare);
    if (!s->written)
        s->out = kp_spare_take(s->spare, s->n * block);
    s->in = kp_spare_take(s->spare, s->n * block);
    if (s->arrived)
        s->arrived->memory[1] = kp_spare_take(s->spare, s->streams[s->rank].bytes + 8);
    s->failed = !s->arrived || !s->out || !s->in || !s->arrived->memory[1];
    if (!s->failed && s->written)
        close_up(s, block);
    else if (!s->failed)
        s->failed = !write_blocks(s, block);
    failed = s->failed ? (uint64_t)s->rank + 1 : 0;
    int status = kp_service_agree(s, &failed, 1);
    if (!status && failed)
        status = refuse_failed(s, (int)failed - 1);
    if (!status && longest > 0) {
        s->rounds = 1;
        status = kp_service_index(s, s->out, s->in, block);
    }
    if (!status)
        keep_blocks(s, block);
    return status;
}

/* --- Messages in several rounds --- */

/* Takes memory for all streams that this member will receive. */
static bool make_arrived(struct kp_service *s)
{
    uint64_t total = 0;
    s->arrived = kp_arrivals_make((int)s->n, s->spare);
    for (size_t i = 0; i < s->n; i++)
        total = total > SIZE_MAX / 4 ? total : total + s->heard[i].bytes;
    char *memory = s->arrived && total <= SIZE_MAX / 4 ? kp_spare_take(s->spare, total + 8) : NULL;
    if (!memory)
        return false;
    s->arrived->memory[0] = memory;
    for (size_t i = 0; i < s->n; i++) {
        s->arrived->streams[i] = (struct kp_arrived_stream){memory, s->heard[i].bytes};
        memory += s->heard[i].bytes;
    }
    return true;
}

static bool make_writers(struct kp_service *s)
{
    size_t *ends = calloc(s->n, sizeof *ends);
    s->order = malloc((s->count + 1) * sizeof *s->order);
    s->writers = calloc(s->n, sizeof *s->writers);
    s->numbers = calloc(s->n, sizeof *s->numbers);
    bool made = ends && s->order && s->writers && s->numbers;
    if (made)
        kp_stream_sort(s->parcels, s->count, s->n, s->streams, s->order, ends);
    for (size_t j = 0; j < s->n && made; j++) {
        uint64_t messages = s->streams[j].messages;
        s->writers[j] = (struct kp_stream_writer){
            .parcels = s->parcels, .order = s->order + (ends[j] - messages), .messages = messages};
    }
    free(ends);
    return made;
}

/* Tells the router how many packets this member has for each other member, and how many packets are
 * to arrive here. Messages from this member to itself are not cut into packets. */
static bool make_router(struct kp_service *s)
{
    int64_t column = 0;
    struct kp_router *r = &s->router;
    if (!kp_router_begin(r, (int32_t)s->n, s->rank, s->protocol, s->hints.two_stage, s->hints.seed))
        return false;
    int32_t *packets = s->hints.two_stage ? r->waiting : r->load;
    for (size_t j = 0; j < s->n; j++) {
        if ((int32_t)j == s->rank)
            continue;
        packets[j] = (int32_t)kp_service_packets(s, s->streams[j].bytes);
        column += (int64_t)kp_service_packets(s, s->heard[j].bytes);
    }
    kp_router_filled(r, column);
    return true;
}

static bool prepare(struct kp_service *s)
{
    size_t block = HEAD_BYTES + s->packet;
    if (!make_arrived(s) || !make_writers(s) || !make_router(s))
        return false;
    /* The packets are written again, round by round, into a new `out`. */
    kp_spare_give(s->spare, s->out);
    s->out = kp_spare_take(s->spare, s->n * block);
    s->in = kp_spare_take(s->spare, s->n * block);
    if (!s->out || !s->in || !kp_passage_begin(&s->passage, s->n, s->packet))
        return false;
    kp_stream_write(&s->writers[s->rank], s->arrived->streams[s->rank].at,
                    s->streams[s->rank].bytes);
    return true;
}

/* Returns the length of the next packet of this member's stream for j. Returns 0 if the stream has
 * ended. */
static size_t next_bytes(const struct kp_service *s, size_t j)
{
    uint64_t done = (uint64_t)s->numbers[j] * s->packet, all = s->streams[j].bytes;
    uint64_t left = done < all ? all - done : 0;
    return left < s->packet ? left : s->packet;
}

static size_t longest_next(const struct kp_service *s)
{
    size_t longest = kp_passage_longest(&s->passage, s->n);
    for (size_t j = 0; j < s->n; j++) {
        size_t bytes = (int32_t)j == s->rank ? 0 : next_bytes(s, j);
        longest = bytes > longest ? bytes : longest;
    }
    return longest;
}

/* Writes the packet for the slot `to` into `block`. `packet` is the packet's destination. If there
 * are packets of other members for this destination, the oldest of them goes first, because the
 * router counts the packets in this order. */
static void fill_block(struct kp_service *s, int32_t to, char *block)
{
    struct kp_router *r = &s->router;
    int32_t packet = r->slot[to];
    if (packet == KP_NO_PACKET || to == s->rank) { /* a packet that stays here is not copied */
        write_head(block, KP_NO_PACKET, to, 0, 0);
    } else if (!r->deals && r->foreign[packet] > 0) {
        kp_passage_take(&s->passage, packet, block);
    } else {
        size_t bytes = next_bytes(s, (size_t)packet);
        write_head(block, s->rank, packet, s->numbers[packet]++, bytes);
        kp_stream_write(&s->writers[packet], block + HEAD_BYTES, bytes);
    }
    if (packet != KP_NO_PACKET)
        kp_router_sent(r, to);
    if (packet != KP_NO_PACKET && to == s->rank)
        kp_router_came(r, s->rank, packet);
}

static void take_block(struct kp_service *s, int32_t from, const char *block)
{
    struct kp_packet_head head = read_head(block);
    if (from == s->rank || head.source == KP_NO_PACKET)
        return;
    kp_router_came(&s->router, from, head.destination);
    if (head.destination != s->rank)
        s->failed = !kp_passage_keep(&s->passage, block) || s->failed;
    else
        memcpy(s->arrived->streams[head.source].at + (uint64_t)head.number * s->packet,
               block + HEAD_BYTES, head.bytes);
}

static int exchange_packets(struct kp_service *s, size_t longest)
{
    size_t block = HEAD_BYTES + longest;
    for (size_t j = 0; j < s->n; j++)
        fill_block(s, (int32_t)j, s->out + j * block);
    int status = kp_service_index(s, s->out, s->in, block);
    for (size_t i = 0; i < s->n && !status; i++)
        take_block(s, (int32_t)i, s->in + i * block);
    s->rounds++;
    return status;
}

static int exchange_words(struct kp_service *s)
{
    struct kp_router *r = &s->router;
    s->word_rounds++;
    return kp_service_index(s, r->words_out, r->words_in, sizeof *r->words_out);
}

/* Before each step the members agree on the maxima of the words that the routers offer. In the same
 * call they learn whether a member has no memory. */
static int agree(struct kp_service *s, uint64_t words[WORDS])
{
    memset(words, 0, WORDS * sizeof *words);
    if (!s->failed) {
        kp_router_offer(&s->router, words);
        words[LONGEST] = longest_next(s);
    }
    words[FAILED] = s->failed ? (uint64_t)s->rank + 1 : 0;
    int status = kp_service_agree(s, words, WORDS);
    memcpy(s->router.agreed, words, sizeof s->router.agreed);
    return status ? status : words[FAILED] ? refuse_failed(s, (int)words[FAILED] - 1) : KP_OK;
}

static int many_rounds(struct kp_service *s)
{
    uint64_t words[WORDS];
    s->failed = !prepare(s);
    for (;;) {
        int status = agree(s, words);
        if (status)
            return status;
        enum kp_step step = kp_router_decide(&s->router);
        if (step == KP_STEP_END)
            return KP_OK;
        status = step == KP_STEP_WORDS ? exchange_words(s) : exchange_packets(s, words[LONGEST]);
        if (status)
            return status;
    }
}

int kp_service_rounds(struct kp_service *s)
{
    uint64_t words[] = {own_longest(s), own_is_several(s), s->hints.two_stage != 0};
    int status = kp_service_agree(s, words, 3);
    if (status)
        return status;
    return words[1] || words[2] ? many_rounds(s) : one_round(s, words[0]);
}
