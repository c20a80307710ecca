/* What a member has called lately, for others to read while it goes on.
 *
 * Under mailboxes a member may be some calls ahead of who takes its messages, so what it calls now
 * does not tell what its message was of. Calls that follow each other alike are one entry, so that
 * who calls the same time and again writes nothing. Who has read the entries looks how many have
 * been begun since: as many of the oldest may be of two calls. */
#ifndef KPORT_PORTS_HISTORY_H
#define KPORT_PORTS_HISTORY_H

#include "ports/port.h"

#include <stdatomic.h>

#define KP_HISTORY_ENTRIES 16
#define KP_HISTORY_WORDS   16 /* of what a call is described by */

/* A call, or some alike in a row, as it is kept. */
struct kp_past_call {
    uint64_t first; /* number of the first of them, from 1 */
    uint64_t fingerprint;
    const struct kp_past *past;
    const char *file;
    uint64_t line;
    uint64_t subject[KP_HISTORY_WORDS];
};

#define KP_PAST_WORDS (sizeof(struct kp_past_call) / sizeof(uint64_t))

struct kp_history {
    _Atomic uint64_t calls;   /* so far */
    _Atomic uint64_t begun;   /* entries so far; */
    _Atomic uint64_t entries; /* the same that are there in full: i at i modulo their number */
    _Atomic uint64_t words[KP_HISTORY_ENTRIES][KP_PAST_WORDS];
    struct kp_past_call last; /* its member's own */
};

/* Notes a call. By its member alone. */
void kp_history_note(struct kp_history *history, const struct kp_call *call, struct kp_site site,
                     const struct kp_past *past);

/* Nobody uses it. */
void kp_history_reset(struct kp_history *history);

/* The first call that both remember and that was not the same for both, in words; false: there is
 * none. */
bool kp_history_say_difference(const struct kp_history *one, int processor,
                               const struct kp_history *other, int another, struct kp_words *words);

#endif
