/* What a member has called lately, for others to read while it goes on.
 *
 * Under mailboxes a member may be some calls ahead of who takes its messages, so what it calls now
 * does not tell what its message was of. Calls that follow each other alike are one entry, so that
 * who calls the same time and again writes nothing. An entry is a sequence lock: its first word is
 * the number of the call, 0 while it is being written. Who reads looks at that again at the end. */
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
    _Atomic uint64_t entries; /* so far; entry i stands at i modulo their number */
    _Atomic uint64_t words[KP_HISTORY_ENTRIES][KP_PAST_WORDS];
};

/* Notes a call. By its member alone. */
void kp_history_note(struct kp_history *history, const struct kp_call *call, struct kp_site site,
                     const struct kp_past *past);

/* Nobody uses it. */
void kp_history_reset(struct kp_history *history);

/* The first call that both remember and that was not the same for both: its number; 0: there is
 * none. `before`: they may have differed in a call before that, which is no longer remembered. */
uint64_t kp_history_differ(const struct kp_history *one, const struct kp_history *other,
                           struct kp_past_call *ones, struct kp_past_call *others, bool *before);

/* The call with its call site. */
void kp_past_name(const struct kp_past_call *call, char *text, size_t size);

#endif
