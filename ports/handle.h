/* Handles: what a caller may still hold after the object has ended.
 *
 * A handle is an address. kport compares it with the addresses of live objects before it reads
 * there: a machine or a persistent plan with the table of the process, a processor with the
 * thread's own, a member with the members that this processor holds. So a handle that is too old,
 * or never was one, only causes an error. Two objects in succession never lie at the same address,
 * so an old handle is not taken for a newer object. */
#ifndef KPORT_PORTS_HANDLE_H
#define KPORT_PORTS_HANDLE_H

#include "kport/group.h"
#include "kport/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kinds of objects in the table of the process. */
enum kp_live_kind {
    KP_LIVE_MACHINE,
    KP_LIVE_PLAN,
    KP_LIVE_TRACE,
};

struct kp_live {
    struct kp_live *next;
    const void *handle;
    enum kp_live_kind kind;
};

/* kp_live_lock takes the table's lock, before any machine's lock; a fork waits for it. The three
 * functions after kp_live_unlock are called under this lock. */
void kp_live_lock(void);
void kp_live_unlock(void);
void kp_live_add(struct kp_live *entry, const void *handle, enum kp_live_kind kind);
bool kp_live_has(const void *handle, enum kp_live_kind kind);
void kp_live_remove(struct kp_live *entry);

/* Returns zeroed lines for an object with a handle, within a `block` that the caller frees. NULL if
 * there is no memory. */
void *kp_handle_place(size_t count, size_t bytes, void **block);

/* Returns a number that no other machine, group or plan of this process has. */
uint64_t kp_handle_number(void);

/* Returns the place of a handle in a small table of handles that a processor has used lately,
 * chosen by the low bits of the handle's line. An empty place holds NULL. */
#define KP_KNOWN 4
static inline const void **kp_known_place(const void **known, const void *handle)
{
    return &known[(uintptr_t)handle / 64 % KP_KNOWN];
}

/* The owner of a plan, at the beginning of the plan. A plan may outlive its member and its machine.
 */
struct kp_owned {
    struct kp_live live;
    kp_group *member;
    uint64_t member_number, machine_number;
    kp_machine *machine;
    kp_proc *owner;
    int processor;
    uint32_t forks;
};

/* `kp_owned_add` puts a plan into the table. `kp_owned_look` checks that the calling thread may
 * execute it, and reads nothing at the address before it is known to be a plan. Returns 0, or a
 * status with its sentence. `kp_owned_remove` takes a plan that may be freed out of the table. In
 * the child of a fork `owns` becomes false, and the plan stays. */
void kp_owned_add(struct kp_owned *owned, kp_group *member);
int kp_owned_look(const struct kp_owned *handle);
int kp_owned_remove(struct kp_owned *handle, bool *owns);

/* Set errors for the calling thread and the processor that it carries, and return the status.
 * kp_refuse_machine is called under the table's lock; the others take it. */
int kp_refuse_proc(const kp_proc *handle);
int kp_refuse_world(const kp_proc *handle, kp_group **world); /* `world`: NULL if there is none */
int kp_refuse_member(const kp_group *handle);
int kp_refuse_machine(void);

#endif
