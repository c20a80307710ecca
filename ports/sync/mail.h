/* This header has rounds that members synchronise by mailboxes instead of a barrier. A member waits
 * only for the messages that it expects, and for space in its own mailboxes. Before its call
 * returns, it also waits for the members that read its memory.
 *
 * Each port of a sender has a mailbox of several boxes (generations), which the rounds use in turn.
 * The messages of round t lie in generation t modulo the number of boxes. A short message lies in
 * the box itself. A packed message that is too long for the box lies in the sender's eager buffer
 * of that generation. All members count the rounds of all their calls in the same way, so the
 * number of a round says which box holds its messages.
 *
 * A call is kp_mail_open, then the rounds, then kp_mail_close. A round begins with kp_mail_next. To
 * send, a member calls kp_mail_make_room, fills the box, and calls kp_mail_post. To receive, it
 * calls kp_mail_await, reads the message, and calls kp_mail_take. Only the member's own processor
 * calls these functions. */
#ifndef KPORT_PORTS_MAIL_H
#define KPORT_PORTS_MAIL_H

#include "ports/port.h"
#include "ports/sync/awaited.h"
#include "ports/sync/mailbox.h"

/* Returns whether this group has mailboxes. */
bool kp_mail_keeps(const kp_group *member);

/* Opens a call, as kp_port_open does. Returns 0, or the status of the error that broke the group.
 * `call` must stay unchanged until the member opens its next call. */
int kp_mail_open(kp_group *member, const struct kp_call *call, const struct kp_past *past);

/* Refuses a call, with the error that is set at the member's processor. Returns the error's status.
 * The group is unusable afterwards, because by mailboxes no member waits to compare calls. */
int kp_mail_refuse(kp_group *member, void (*describe)(const void *subject, char *text, size_t size),
                   const void *subject);

/* Begins the next round. */
void kp_mail_next(kp_group *member);

/* Waits until receivers have taken all messages in the boxes that this round is to use. Returns 0
 * or the error's status. All functions here that wait return the same. `round` is for error
 * sentences. */
int kp_mail_make_room(kp_group *member, int round);

/* Returns whether the messages of a round are packed into eager buffers. The longest buffer needs
 * `longest` bytes, and all buffers together `all` bytes. */
bool kp_mail_packs(const kp_group *member, size_t longest, size_t all);

/* Returns whether a packed message needs the long buffer, because it is longer than the buffers
 * that all members have. Only a member that packs alone in its round uses its long buffer. */
bool kp_mail_is_long(const kp_group *member, size_t bytes);

/* Allocates this member's long buffer, before a call is opened. Returns 0 or the error's status. */
int kp_mail_reserve(kp_group *member);

/* `kp_mail_box` returns this member's box of a port, in this round. `kp_mail_buffer` returns this
 * member's eager buffer in this round. `bytes` is the length of the round's longest buffer. */
struct kp_mailbox *kp_mail_box(kp_group *member, int port);
char *kp_mail_buffer(kp_group *member, size_t bytes);

/* Sends the box, which the caller has filled, to the member with rank `peer`. */
void kp_mail_post(kp_group *member, int port, int peer);

/* `kp_mail_lend` says that this round's messages lie in the member's own, published memory
 * (kp_port_publish). `kp_mail_cover` waits until the receivers have read them. A member that has
 * taken the round's messages calls `kp_mail_cover` before it writes to memory that it may have
 * lent. */
void kp_mail_lend(kp_group *member);
int kp_mail_cover(kp_group *member, int round);

/* `kp_mail_await` waits for the message that the member with rank `rank` sends on `port`.
 * `kp_mail_buffer_of` returns the eager buffer of the member with rank `rank` in this round. */
int kp_mail_await(kp_group *member, int rank, int port, int round, struct kp_mailbox **box);
const char *kp_mail_buffer_of(const kp_group *member, int rank, size_t bytes);

/* A member calls these two functions before and after it reads another member's memory. */
int kp_mail_begin_reading(kp_group *member, int round);
void kp_mail_end_reading(kp_group *member);

/* Empties a box after its message has been read, so that the sender may use it again. */
void kp_mail_take(struct kp_mailbox *box);

/* These three functions serve a member that does other work instead of waiting. They return, in
 * this order, whether kp_mail_make_room, kp_mail_cover and kp_mail_await would return at once. */
bool kp_mail_has_room(const kp_group *member);
bool kp_mail_is_covered(const kp_group *member);
bool kp_mail_has_come(const kp_group *member, int rank, int port);

/* Returns the rank of a member that has yet to take a message for which this member waits in
 * kp_mail_make_room or kp_mail_cover. Returns -1 if there is none. */
int kp_mail_reader(const kp_group *member);

/* Wakes the members that sleep until this member posts or takes. The functions that wait call this
 * function themselves. A member that posts or takes, but does not wait afterwards, must call it. */
void kp_mail_announce(kp_group *member);

/* Ends a call. Waits until no member reads the memory that this one has lent, then calls
 * kp_mail_announce. */
int kp_mail_close(kp_group *member);

#endif
