/* bsp_get, bsp_hpget and bsp_direct_get. A get is noted, and done in the sync: all are read before
 * anything is written. bsp_hpget reads at once, as all memory is shared. */
#include "lib/bsp/process.h"

#include <stdlib.h>
#include <string.h>

static void note(struct kp_bsp_process *self, int pid, const char *from, void *to, size_t size)
{
    if (self->get_count == self->get_room) {
        const size_t room = self->get_room ? 2 * self->get_room : 64;
        struct kp_bsp_get *moved = realloc(self->gets, room * sizeof *moved);
        if (!moved)
            kp_bsp_no_memory(self);
        self->gets = moved;
        self->get_room = room;
    }
    self->gets[self->get_count++] =
        (struct kp_bsp_get){.pid = pid, .from = from, .to = to, .bytes = size};
    self->fetched_bytes += kp_bsp_aligned(size);
    kp_bsp_ask(self, KP_BSP_GETS);
}

KP_BSP_EXPORT void kp_bsp_get(const char *file, int line, int pid, const void *from, size_t offset,
                              void *to, size_t size)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_get", file, line);
    if (size == 0)
        return;
    const char *there = kp_bsp_remote(self, pid, from, offset, size);
    kp_bsp_count_get(self, pid, size);
    note(self, pid, there, to, size);
}

KP_BSP_EXPORT void kp_bsp_hpget(const char *file, int line, int pid, const void *from,
                                size_t offset, void *to, size_t size)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_hpget", file, line);
    if (size == 0)
        return;
    const char *there = kp_bsp_remote(self, pid, from, offset, size);
    kp_bsp_count_get(self, pid, size);
    if (kp_bsp_may_touch(self, pid))
        memmove(to, there, size);
    else
        note(self, pid, there, to, size);
}

KP_BSP_EXPORT void kp_bsp_direct_get(const char *file, int line, int pid, const void *from,
                                     size_t offset, void *to, size_t size)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_direct_get", file, line);
    if (size == 0)
        return;
    const char *there = kp_bsp_remote(self, pid, from, offset, size);
    kp_bsp_count_get(self, pid, size);
    /* The other process is in its sync, and waits for nobody there. A look for a message lets it
     * go on. */
    if (self->remote && pid != self->pid)
        kp_bsp_fail(
            self, "argument",
            "pid is %d, whose process shares no memory with this one; bsp_hpget reads there", pid);
    while (!self->remote && !kp_bsp_may_touch(self, pid)) {
        int found = 0;
        const int status = kp_probe_now(self->group, pid, 0, &found, NULL);
        if (status)
            kp_bsp_fail_by(self, status);
    }
    memmove(to, there, size);
}

void kp_bsp_gets_read(struct kp_bsp_process *self)
{
    if (self->fetched_bytes > self->fetched_room) {
        free(self->fetched);
        self->fetched_room = 0;
        if (!(self->fetched = malloc(self->fetched_bytes)))
            kp_bsp_no_memory(self);
        self->fetched_room = self->fetched_bytes;
    }
    char *at = self->fetched;
    for (size_t i = 0; i < self->get_count; i++) {
        memcpy(at, self->gets[i].from, self->gets[i].bytes);
        at += kp_bsp_aligned(self->gets[i].bytes);
    }
}

void kp_bsp_gets_write(struct kp_bsp_process *self)
{
    const char *at = self->fetched;
    for (size_t i = 0; i < self->get_count; i++) {
        memcpy(self->gets[i].to, at, self->gets[i].bytes);
        at += kp_bsp_aligned(self->gets[i].bytes);
    }
    self->get_count = 0;
    self->fetched_bytes = 0;
}
