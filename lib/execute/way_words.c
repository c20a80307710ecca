/* Describes the way of a call in words, for `kport explain` and for reports of failures. This file
 * asks the functions that decide the way (way.h). */
#include "lib/call/call.h"
#include "lib/call/laid.h"
#include "lib/call/prepared.h"
#include "lib/execute/cursor.h"
#include "lib/execute/way.h"
#include "ports/member.h"

#include <stdio.h>
#include <string.h>

/* Where bytes lie, as a set of bits. The first bits are those of enum kp_buffer_kind. */
enum lies {
    IN_BOX = 1 << KP_BUFFER_PLACES,
    IN_PLACE = IN_BOX << 1,
    IN_MESSAGE = IN_BOX << 2
};

/* Who copies zero-copy messages, as a set of bits. */
enum copies {
    BY_RECEIVERS = 1,
    BY_SENDERS = 2,
    BY_BOTH = 4
};

static unsigned via_of(const struct kp_lowering *l, const kp_group *member, int round, uint8_t via)
{
    const size_t bytes = (size_t)l->schedule->buffer_units[round] * l->unit;
    if (l->way.by_wire)
        return IN_MESSAGE;
    if (via == KP_VIA_BOX)
        return IN_BOX;
    return via == KP_VIA_MEMORY
               ? IN_PLACE
               : 1u << (kp_mail_is_long(member, bytes) ? KP_BUFFER_LONG : KP_BUFFER_USUAL);
}

/* Returns a set of bits: in which kinds of memory this member's messages of a round lie. */
static unsigned look_at_messages(const struct kp_lowering *l, const kp_group *member, int round)
{
    const struct kp_schedule *s = l->schedule;
    const struct stored_round *r = kp_schedule_round(s, l->own.rank, round);
    const bool in_place = l->way.zero_copy && !kp_way_is_eager(l, member, round);
    unsigned lies = 0;
    for (uint32_t i = r[0].send; i < r[1].send; i++)
        lies |= via_of(l, member, round, kp_lower_sent(l, &s->sends[i], in_place).via);
    for (uint32_t i = r[0].receive; i < r[1].receive; i++)
        lies |= via_of(l, member, round, kp_lower_received(l, &s->receives[i], in_place).via);
    return lies;
}

static unsigned who_copies(const struct kp_lowering *l, const struct stored_message *received,
                           int sender, int receiver, int round)
{
    const size_t bytes = (size_t)received->units * l->unit;
    const size_t part = kp_way_sender_part(l, received, sender, receiver, round);
    return part == 0 ? BY_RECEIVERS : part < bytes ? BY_BOTH : BY_SENDERS;
}

static unsigned look_at_copies(const struct kp_lowering *l, int round)
{
    const struct kp_schedule *s = l->schedule;
    const struct stored_round *r = kp_schedule_round(s, l->own.rank, round);
    unsigned copies = 0;
    if (l->way.by_mail)
        return BY_RECEIVERS;
    for (uint32_t i = r[0].send; i < r[1].send; i++) {
        const struct stored_message *received = &s->receives[s->sends[i].match];
        copies |= who_copies(l, received, l->own.rank, kp_peer_of(l, &s->sends[i]), round);
    }
    for (uint32_t i = r[0].receive; i < r[1].receive; i++) {
        const struct stored_message *received = &s->receives[i];
        copies |= who_copies(l, received, kp_peer_of(l, received), l->own.rank, round);
    }
    return copies;
}

struct sink {
    char *text;
    size_t size, length;
};

static void put(struct sink *sink, const char *before, const char *word)
{
    size_t at = sink->length < sink->size ? sink->length : sink->size;
    int more = snprintf(sink->text + at, sink->size - at, "%s%s", before, word);
    sink->length += (size_t)(more > 0 ? more : 0);
}

static void put_all(struct sink *sink, unsigned bits, const char *const *words)
{
    const char *before = "; ";
    for (int i = 0; bits >> i; i++) {
        if (bits >> i & 1) {
            put(sink, before, words[i]);
            before = " and ";
        }
    }
}

void kp_way_word(const struct kp_prepared *call, const kp_group *member, char *text, size_t size)
{
    static const char *const memories[] = {"eager buffer beside the word",
                                           "eager buffers",
                                           "long eager buffer",
                                           "in boxes",
                                           "in place",
                                           "in messages"};
    static const char *const copiers[] = {"receivers copy", "senders copy", "both ends copy"};
    const struct kp_lowering *l = &call->lowering;
    const struct kp_code *code = call->code;
    struct sink sink = {text, size, 0};
    unsigned lies = 0, copies = 0;
    for (int t = 0; t < l->schedule->rounds && (l->unit > 0 || l->way.of_blocks); t++) {
        const bool in_place = l->way.zero_copy && !kp_way_is_eager(l, member, t);
        if (l->way.by_mail || l->way.by_wire)
            lies |= look_at_messages(l, member, t);
        else
            lies |= in_place ? IN_PLACE
                             : 1u << kp_port_buffer_kind(
                                   member, (size_t)l->schedule->buffer_units[t] * l->unit);
        copies |= in_place ? look_at_copies(l, t) : 0;
    }
    put(&sink, "", l->way.by_mail ? "mailboxes" : kp_port_sync_name(member));
    put_all(&sink, lies, memories);
    if (lies & IN_PLACE)
        put_all(&sink, copies, copiers);
    put(&sink, "", code && code->together ? ", one for all of its core" : "");
    put(&sink, "", lies & IN_PLACE && l->way.past_cache ? ", past the cache" : "");
    put(&sink, "", l->way.of_blocks ? "; by a table of lengths" : "");
    put(&sink, "", call->laid ? "; with layouts" : "");
    put(&sink, "; ",
        !code               ? "code as it is written"
        : code->one_message ? "one message"
                            : "kept code");
}

void kp_way_word_call(const struct kp_call *call, const kp_group *member, char *text, size_t size)
{
    const char *prepared = (const char *)call - offsetof(struct kp_prepared, published);
    text[0] = '\0';
    if (call->describe == kp_call_describe_prepared || call->describe == kp_laid_describe)
        kp_way_word((const struct kp_prepared *)(const void *)prepared, member, text, size);
}
