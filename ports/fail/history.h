/* The history of a member holds its latest calls, for error sentences. Other members may read the
 * history while the member goes on.
 *
 * By mailboxes a member may be some calls ahead of the receiver of its messages. So a message may
 * belong to an earlier call than the sender's present one, and reports need the earlier calls. A
 * series of equal calls is one entry, so repeating a call only changes a count. A reader copies the
 * entries, then looks how many entries the member has begun to write. It drops the copied entries
 * that the later ones may have overwritten. */
#ifndef KPORT_PORTS_HISTORY_H
#define KPORT_PORTS_HISTORY_H

#include "ports/port.h"

#include <stdatomic.h>

#define KP_HISTORY_ENTRIES 16
/* The most 64-bit words of a call's subject, the data from which the call is described (struct
 * kp_call). */
#define KP_HISTORY_WORDS (KP_PAST_BYTES / sizeof(uint64_t))

/* One entry: a call, or a series of equal calls. */
struct kp_past_call {
    uint64_t first; /* the number of the entry's first call; the member's first call is number 1 */
    uint64_t fingerprint;
    const struct kp_past *past;
    const char *file;
    uint64_t line;
    uint64_t subject[KP_HISTORY_WORDS];
};

#define KP_PAST_WORDS (sizeof(struct kp_past_call) / sizeof(uint64_t))

struct kp_history {
    _Atomic uint64_t calls;   /* the number of calls so far */
    _Atomic uint64_t begun;   /* the number of entries that the member has begun to write */
    _Atomic uint64_t entries; /* the number of entries written; entry i lies at index i modulo
                                 KP_HISTORY_ENTRIES */
    _Atomic uint64_t words[KP_HISTORY_ENTRIES][KP_PAST_WORDS];
    struct kp_past_call last; /* the latest entry, which only the member itself reads */
};

/* Adds a call to the history. Only the member itself calls this. */
void kp_history_note(struct kp_history *history, const struct kp_call *call, struct kp_site site,
                     const struct kp_past *past);

/* Empties the history. No other thread may be reading it. */
void kp_history_reset(struct kp_history *history);

/* Finds the first position at which both histories still have a call and these two calls differ.
 * Writes to `words` which call each of the two processors made there, and stores the place of the
 * first one's call in `site`. Returns false if there is no such position. */
bool kp_history_say_difference(const kp_machine *machine, const struct kp_history *one,
                               int processor, const struct kp_history *other, int another,
                               struct kp_words *words, struct kp_site *site);

#endif
