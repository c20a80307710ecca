/* The latest calls of a member, for other members to read while it goes on.
 *
 * With mailboxes a member may be some calls ahead of the receiver of its messages. So its present
 * call does not tell to which call a message belongs. Equal calls in a row are one entry, so a
 * member that repeats a call only counts it. A reader reads the entries, then looks how many
 * entries have been begun since. It drops as many of the oldest entries, because each may mix two
 * calls. */
#ifndef KPORT_PORTS_HISTORY_H
#define KPORT_PORTS_HISTORY_H

#include "ports/port.h"

#include <stdatomic.h>

#define KP_HISTORY_ENTRIES 16
#define KP_HISTORY_WORDS   16 /* the most words of a call's subject */

/* One entry: a call, or several equal calls in a row. */
struct kp_past_call {
    uint64_t first; /* the number of the entry's first call, from 1 */
    uint64_t fingerprint;
    const struct kp_past *past;
    const char *file;
    uint64_t line;
    uint64_t subject[KP_HISTORY_WORDS];
};

#define KP_PAST_WORDS (sizeof(struct kp_past_call) / sizeof(uint64_t))

struct kp_history {
    _Atomic uint64_t calls;   /* the number of calls so far */
    _Atomic uint64_t begun;   /* the number of entries begun so far */
    _Atomic uint64_t entries; /* the number of entries complete so far; entry i lies at i modulo
                                 KP_HISTORY_ENTRIES */
    _Atomic uint64_t words[KP_HISTORY_ENTRIES][KP_PAST_WORDS];
    struct kp_past_call last; /* the latest entry, for the member's own use */
};

/* Notes a call. Only the member itself calls this. */
void kp_history_note(struct kp_history *history, const struct kp_call *call, struct kp_site site,
                     const struct kp_past *past);

/* Empties the history. No thread may be using it. */
void kp_history_reset(struct kp_history *history);

/* Puts into words the first call that both histories have and that was not the same for both.
 * Returns false if there is none. */
bool kp_history_say_difference(const struct kp_history *one, int processor,
                               const struct kp_history *other, int another, struct kp_words *words);

#endif
