/* Rounds kept by mailboxes alone. A processor waits only for the messages that it expects, for room
 * in its own mailboxes and, before it returns, for the members that read its memory.
 *
 * Each port has a mailbox of `generations` boxes. The messages of round t lie in the boxes of
 * generation t modulo `generations`. A message that is packed and too long for a box lies in the
 * buffer of that generation. All members count the rounds of all calls alike, so a box is known by
 * the number of the round. A call is: kp_mail_open, then for each round {kp_mail_next;
 * kp_mail_make_room, fill, kp_mail_post; kp_mail_await, read, kp_mail_take}, then kp_mail_close.
 * Only the member's own processor calls these functions. */
#ifndef KPORT_PORTS_MAIL_H
#define KPORT_PORTS_MAIL_H

#include "ports/port.h"
#include "ports/sync/awaited.h"
#include "ports/sync/mailbox.h"

/* Returns whether mailboxes keep the rounds of this group. */
bool kp_mail_keeps(const kp_group *member);

/* Opens a call as kp_port_open does. Returns 0, or the status of the error that has broken the
 * group. `call` stays unchanged until the next call is opened. */
int kp_mail_open(kp_group *member, const struct kp_call *call, const struct kp_past *past);

/* Refuses a call with the error that is set at the member's processor, and returns its status. The
 * group is dead afterwards, because no member waits for all others. */
int kp_mail_refuse(kp_group *member, void (*describe)(const void *subject, char *text, size_t size),
                   const void *subject);

/* Begins the next round. */
void kp_mail_next(kp_group *member);

/* Waits until the receivers have taken all messages that this member sent from the current
 * generation. Returns 0 or a status, as do all functions here that wait. `round` is for error
 * sentences. */
int kp_mail_make_room(kp_group *member, int round);

/* `packs` returns whether the messages of a round are packed, where the longest buffer has
 * `longest` bytes and all buffers together have `all`. `is_long` returns whether a buffer is longer
 * than the usual buffers, which all members have. Only a member that packs alone uses a long
 * buffer. It calls `reserve` before the call is opened: 0, or the status of an error that is set at
 * the processor. */
bool kp_mail_packs(const kp_group *member, size_t longest, size_t all);
bool kp_mail_is_long(const kp_group *member, size_t bytes);
int kp_mail_reserve(kp_group *member);

/* `box` returns the box of a port for this round. `buffer` returns the eager buffer of this round,
 * whose longest buffer has `bytes`. */
struct kp_mailbox *kp_mail_box(kp_group *member, int port);
char *kp_mail_buffer(kp_group *member, size_t bytes);

/* Sends the filled box. `peer` is the receiver's rank. */
void kp_mail_post(kp_group *member, int port, int peer);

/* `lend` notes that messages of this round lie in this member's own memory (kp_port_publish).
 * `cover` waits until their receivers have read them. The member calls `cover` before it writes
 * anything after taking this round's messages. */
void kp_mail_lend(kp_group *member);
int kp_mail_cover(kp_group *member, int round);

/* `await` waits for the message from a port of that rank. `buffer_of` returns the eager buffer of
 * that rank for this round. */
int kp_mail_await(kp_group *member, int rank, int port, int round, struct kp_mailbox **box);
const char *kp_mail_buffer_of(const kp_group *member, int rank, size_t bytes);

/* To be called before and after reading another member's memory. */
int kp_mail_begin_reading(kp_group *member, int round);
void kp_mail_end_reading(kp_group *member);

/* Empties the box, once its message has been read. */
void kp_mail_take(struct kp_mailbox *box);

/* For a member that does not wait. The first three return whether kp_mail_make_room, kp_mail_cover
 * and kp_mail_await would return at once. `announce` rings for the members that sleep until this
 * member acts. The functions that wait ring for them before they wait. */
bool kp_mail_has_room(const kp_group *member);
bool kp_mail_is_covered(const kp_group *member);
bool kp_mail_has_come(const kp_group *member, int rank, int port);
void kp_mail_announce(kp_group *member);

/* Ends a call: covers what is lent, then rings for the sleepers. */
int kp_mail_close(kp_group *member);

#endif
