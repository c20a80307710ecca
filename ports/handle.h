/* Handles: what a caller may still hold when what it stood for has ended.
 *
 * A handle is an address, and it is compared with those that are alive before anything is read
 * there: a machine or a persistent plan with the table of the process, a processor with the one
 * that the thread carries, a member with those that this processor holds. So a handle that was kept
 * too long, or never was one, is an error and no more. What handles stand for is never twice in a
 * row at the same place, so that an old one is not taken for what came after it. */
#ifndef KPORT_PORTS_HANDLE_H
#define KPORT_PORTS_HANDLE_H

#include "kport/group.h"
#include "kport/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What lies in the process's table. */
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

/* All under the table's lock, which is taken before a machine's. A fork waits for it. */
void kp_live_lock(void);
void kp_live_unlock(void);
void kp_live_add(struct kp_live *entry, const void *handle, enum kp_live_kind kind);
bool kp_live_has(const void *handle, enum kp_live_kind kind);
void kp_live_remove(struct kp_live *entry);

/* Zeroed lines for what a handle will stand for, within a block that is to be freed. NULL if there
 * is no memory. */
void *kp_handle_place(size_t count, size_t bytes, void **block);

/* A number that no other machine, group or plan of this process has. */
uint64_t kp_handle_number(void);

/* Handles that a processor has used lately, by the low bits of their lines: an empty place holds
 * NULL. */
#define KP_KNOWN 4
static inline const void **kp_known_place(const void **known, const void *handle)
{
    return &known[(uintptr_t)handle / 64 % KP_KNOWN];
}

/* What a plan of the layer above begins with: whose it is. It may be kept longer than its member
 * and its machine. */
struct kp_owned {
    struct kp_live live;
    kp_group *member;
    uint64_t member_number, machine_number;
    kp_machine *machine;
    kp_proc *owner;
    int processor;
    uint32_t forks;
};

/* The first puts it into the table. Whether the calling thread may use it for a call: 0, or a
 * status with its sentence; nothing is read there before that is known. Whether it may be freed,
 * and is out of the table; in the child of a fork it is not owned, and stays. */
void kp_owned_add(struct kp_owned *owned, kp_group *member);
int kp_owned_look(const struct kp_owned *handle);
int kp_owned_remove(struct kp_owned *handle, bool *owns);

/* Errors, set for the calling thread and for the processor that it carries. Under the table's lock
 * the last one; the others take it. */
int kp_refuse_proc(const kp_proc *handle);
int kp_refuse_world(const kp_proc *handle, kp_group **world); /* which is NULL if there is none */
int kp_refuse_member(const kp_group *handle);
int kp_refuse_machine(void);

#endif
