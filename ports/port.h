/* The machine as the library above it sees it: a group's member, passes, buffers, described memory.
 *
 * A call is: kp_port_open, then for each round {fill the buffer or leave memory described;
 * kp_port_pass; take the messages}, then kp_port_close. Whatever can fail in the caller happens
 * before the first pass; a call that fails there still opens, with kp_port_refuse, so that nobody
 * waits in vain.
 *
 * What has a member is called by the member's own processor. This and pass.h are all that the layer
 * above includes. */
#ifndef KPORT_PORTS_PORT_H
#define KPORT_PORTS_PORT_H

#include "kport/group.h"
#include "kport/machine.h"
#include "ports/error.h"
#include "ports/mix.h"
#include "ports/order.h"
#include "ports/without.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What a member shows: the memory of its three spaces, and what it tells the others (kp_port_tell).
 */
#define KP_PORT_SPACES 4

/* Where a call stands in the user's program; file NULL: not known. */
struct kp_site {
    const char *file;
    int line;
};

/* The fingerprint of calls that their member cannot take part in. */
#define KP_REFUSED UINT64_C(0)

/* A call as reports and the comparison with other members' calls need it. `subject` stays valid
 * until the call is closed. */
struct kp_call {
    uint64_t fingerprint; /* equal for equal calls, never KP_REFUSED; 44 bits of it count */
    void (*describe)(const void *subject, char *text, size_t size);
    const void *subject;
};

/* How a call is described from a copy of its subject, at most 128 bytes, when it may be over. */
struct kp_past {
    size_t bytes;
    void (*describe)(const void *subject, char *text, size_t size);
};

/* Lines of zeroes for `count` of so many bytes, the first at a multiple of KP_LINES_APART
 * (parking.h); NULL if there is no memory. */
void *kp_lines_zeroed(size_t count, size_t bytes);

/* How many cores this process may use, by its affinity and by the container's quota of time. */
int kp_cores(void);

/* Something the layer above keeps at a machine, a member or nowhere, with how to free it. */
struct kp_attachment {
    void *data;
    void (*free)(void *data);
};
struct kp_attachment *kp_port_machine_attachment(kp_machine *machine);
struct kp_attachment *kp_port_member_attachment(kp_group *member);
kp_machine *kp_port_machine(const kp_group *member);

/* Whose messages are packed by default up to how many bytes. What is packed costs a copy more, what
 * is described a pass more at the end of the call: cheap for two with a core each, dear for many.
 */
enum kp_eager {
    KP_EAGER_OF_TWO,  /* who have a core each */
    KP_EAGER_OF_MANY, /* who have */
    KP_EAGER_CROWDED, /* who share cores */
    KP_EAGERS
};

/* What of a kp_config is the machine's own business; the fields are those of that name. */
struct kp_machine_config {
    int processors, ports;
    size_t stack_bytes;
    int pin;
    kp_wait_policy wait;
    unsigned time_limit_ms;
    size_t eager_bytes;
    size_t eager[KP_EAGERS]; /* where that is 0; as enum kp_eager says */
    kp_discipline discipline;
    int generations;
    kp_carrier carrier;
    int workers;
    uint64_t seed;
    kp_on_failure *on_failure;
    void *on_failure_arg;
    kp_trace *trace;
    /* In words, how a call that is under way in that member is carried out; "" where nobody knows.
     */
    void (*word_way)(const struct kp_call *call, const kp_group *member, char *text, size_t size);
    struct kp_wire *wire; /* between the processor it carries and the others'; NULL: it has all */
    bool once;            /* there will be one run and no other: threads end with their program */
    int most_cores;       /* over which threads are spread that are kept on cores; 0: all */
};

/* Makes a machine, and fills in what `config` leaves to defaults. 0, or a status with its sentence.
 */
int kp_port_machine_create(struct kp_machine_config *config, kp_machine **made);

/* What kp_pass_enter does where something is out of the ordinary: 0, or KP_EWRONGTHREAD,
 * KP_EARGUMENT for NULL, KP_EENDED, KP_EFAILED after kp_fail or in the child of a fork. */
int kp_port_admit(kp_group *member);

/* Of a member that was entered. */
int kp_port_rank(const kp_group *member);
int kp_port_size(const kp_group *member);
int kp_port_ports(const kp_group *member);
int kp_port_processor(const kp_group *member, int rank);
struct kp_site kp_port_site(const kp_group *member); /* of the call under way */

/* Any member's member, for who only asks; how its group's passes are kept, in words; and where the
 * bytes of a round lie that is packed, its longest buffer being so long. */
enum kp_buffer_place {
    KP_BUFFER_BESIDE, /* the word that a pair looks at */
    KP_BUFFER_USUAL,
    KP_BUFFER_LONG,
    KP_BUFFER_PLACES
};
kp_group *kp_port_member_at(kp_machine *machine, int rank);
const char *kp_port_sync_name(const kp_group *member);
enum kp_buffer_place kp_port_buffer_place(const kp_group *member, size_t bytes);

/* Ends a call that is part of another call, in place of kp_pass_leave. The other call's site in the
 * program stays. */
void kp_port_hand_on(kp_group *member);

/* Begins a call. `describe` and `subject` as in kp_call. */
void kp_port_open(kp_group *member, uint64_t fingerprint,
                  void (*describe)(const void *subject, char *text, size_t size),
                  const void *subject);

/* Whether what this member calls from now on is part of a call that all members have come to: then
 * no time limit counts, for the others may still be reading what it has shown. */
void kp_port_within(kp_group *member, bool within);

/* Begins and ends a call that this member has to refuse with the error that is set at its processor
 * (kp_port_error). Every member returns an error. Returns the status of that error. */
int kp_port_refuse(kp_group *member, void (*describe)(const void *subject, char *text, size_t size),
                   const void *subject);

/* The barrier. 0, or the status of an error that is set at the processor: after that the call is
 * over and kp_port_close is not to be called. In the first pass of a call the members' fingerprints
 * are compared. `round` is for messages. */
int kp_port_pass(kp_group *member, int round);

/* The same for a pass that is no round. A trace shows only the time that it waits. */
int kp_port_meet(kp_group *member, int round);

/* The beginning of what a member tells all others, `bytes` with this, and, beside it, each: member
 * i what lies at `each` + i * `stride`, `each_bytes` of it, unless `each` is NULL. */
struct kp_telling {
    size_t bytes;
    const char *each;
    size_t stride, each_bytes;
};

/* kp_port_meet, after which each may read what the others tell: of a rank, it or a copy of it, and
 * what that one tells this member beside it. Nobody changes what it tells before the next pass. */
int kp_port_tell(kp_group *member, const struct kp_telling *own, int round);
struct kp_telling *kp_port_told(const kp_group *member, int rank);
const void *kp_port_told_beside(const kp_group *member, int rank);

/* Its second half, the first being kp_pass_arrive. */
int kp_port_await(kp_group *member, int round);

/* To be called before a pass by who leaves memory described for that round, where the others cannot
 * know it; where all do, by all of them. */
void kp_port_expose(kp_group *member);
void kp_port_expose_all(kp_group *member);

/* Ends a call. If any member described memory in the last round, all members come to one more pass,
 * so that no memory is read after its member's call has returned. Returns 0 or a status. */
int kp_port_finish(kp_group *member);

/* The same, and then what is to be said of an earlier exchange: KP_EUNTAKEN. */
int kp_port_close(kp_group *member);

/* Tells where this member's memory lies. Others may read it after the next pass. */
void kp_port_show(kp_group *member, int space, const void *base);

/* What one of its core set (sync/core_sets.h) does for it after a pass of this call, or NULL. To be
 * called in every call that describes memory. */
void kp_port_show_work(kp_group *member, const void *work);

/* Of a buffer (kp_pass_buffer), where not all members know the longest of the round. */
#define KP_WHOLE_BUFFER SIZE_MAX

/* Whether a round is packed whose longest buffer has `longest` bytes and all buffers together
 * `all`: what one member alone packs may be longer. */
bool kp_port_packs(const kp_group *member, size_t longest, size_t all);

/* Where lengths are known to their senders only: the longest message that a member offers before a
 * pass, and the longest of all members after it; false if nobody sent anything. */
void kp_port_offer_longest(kp_group *member, uint64_t bytes);
bool kp_port_longest(const kp_group *member, uint64_t *bytes);

/* Both at the end of a round, where rounds follow each other: offers the own one, unless it is 0;
 * returns that of all in the round before. Where rounds have no pass nobody hears of the others':
 * returns the own one. */
uint64_t kp_port_tell_longest(kp_group *member, uint64_t bytes);

/* Sets the processor's error and returns its status. The sentence is about the own call or message
 * (error.h); round, port, peer: -1 if not concerned; peer is a rank of the group. The sentence is
 * prefixed with nothing. */
int kp_port_error(kp_group *member, int status, int round, int port, int peer, const char *format,
                  ...) __attribute__((format(printf, 6, 7)));

/* The same for a sentence about a processor, of that number in the machine. */
int kp_port_error_about(kp_group *member, int status, int processor, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Makes the calling thread's latest error the processor's, and returns its status. */
int kp_port_keep_error(kp_group *member);

/* --- For the command line --- */

/* Of a machine whose processors are fibers: how their stacks are guarded; NULL: the machine has
 * none. */
const char *kp_machine_guard(const kp_machine *machine);

/* Of one worker and a seed: a number that stands for the order of all its switches in the last
 * run; 0 where the order is not a seed's. */
uint64_t kp_machine_trace(const kp_machine *machine);

/* As kp_trace_write, to a stream; whether it could be written the stream says. */
int kp_trace_write_to(kp_trace *trace, FILE *out);

#endif
