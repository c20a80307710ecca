/* Rounds kept by the mailboxes alone: a processor waits for the messages it expects, for room in
 * its own mailboxes and, before it returns, for those who read its memory; nothing else.
 *
 * Each port has a mailbox of `generations` boxes; the messages of round t are in the boxes of
 * generation t modulo their number, and what is too long for a box in the buffer of that
 * generation. Every member counts the rounds of all calls alike, so a box is known by its number. A
 * call is: kp_mail_open, then for each round {kp_mail_next; kp_mail_make_room, fill, kp_mail_post;
 * kp_mail_await, read, kp_mail_take}, then kp_mail_close. Called by the member's own processor. */
#ifndef KPORT_PORTS_MAIL_H
#define KPORT_PORTS_MAIL_H

#include "ports/port.h"
#include "ports/sync/awaited.h"
#include "ports/sync/mailbox.h"

/* Whether this group's rounds are kept this way. */
bool kp_mail_keeps(const kp_group *member);

/* As kp_port_open, but for the result: 0, or the status of what has broken the group. `call` stays
 * as it is until the next one is opened. */
int kp_mail_open(kp_group *member, const struct kp_call *call, const struct kp_past *past);

/* For a call that this member refuses, with the error that is set at its processor: the group is
 * dead then, as nobody waits for all others. Returns the status of that error. */
int kp_mail_refuse(kp_group *member, void (*describe)(const void *subject, char *text, size_t size),
                   const void *subject);

/* Begins the next round. */
void kp_mail_next(kp_group *member);

/* Waits until all that was sent from this generation has been taken. 0 or a status, like all that
 * wait here; `round` is for messages. */
int kp_mail_make_room(kp_group *member, int round);

/* Whether a round is packed whose longest buffer has `longest` bytes and all buffers together
 * `all`. A buffer longer than those of all members (kp_mail_is_long) is packed by one member alone,
 * which reserves it before the call is opened: 0, or the status of an error that is set at the
 * processor.
 */
bool kp_mail_packs(const kp_group *member, size_t longest, size_t all);
bool kp_mail_is_long(const kp_group *member, size_t bytes);
int kp_mail_reserve(kp_group *member);

/* The box of a port for this round, and the buffer that goes with it where the longest buffer of
 * the round has `bytes`. */
struct kp_mailbox *kp_mail_box(kp_group *member, int port);
char *kp_mail_buffer(kp_group *member, size_t bytes);

/* Sends what was filled in. `peer` is the reader's rank. */
void kp_mail_post(kp_group *member, int port, int peer);

/* Says that messages of this round are in this member's memory (kp_port_show). They are to be
 * covered before anything is written after this round's messages have been taken. */
void kp_mail_describe(kp_group *member);
int kp_mail_cover(kp_group *member, int round);

/* Waits for the message from that rank's port. */
int kp_mail_await(kp_group *member, int rank, int port, int round, struct kp_mailbox **box);
const char *kp_mail_buffer_of(const kp_group *member, int rank, size_t bytes);

/* Around reading another member's memory. */
int kp_mail_begin_reading(kp_group *member, int round);
void kp_mail_end_reading(kp_group *member);

/* The message has been read. */
void kp_mail_take(struct kp_mailbox *box);

/* For who does not wait: whether kp_mail_make_room, kp_mail_cover and kp_mail_await would return at
 * once; and the ringing for those who sleep until this member acts, which else comes before it
 * waits itself. */
bool kp_mail_has_room(const kp_group *member);
bool kp_mail_is_covered(const kp_group *member);
bool kp_mail_has_come(const kp_group *member, int rank, int port);
void kp_mail_announce(kp_group *member);

/* Ends a call. */
int kp_mail_close(kp_group *member);

#endif
