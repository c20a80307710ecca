/* Messages with tags. A message is captured in a queue of its sender, and stays there until its
 * receiver has taken it, at the latest in the next sync. */
#include "lib/bsp/process.h"

#include <string.h>

/* A message in its queue; the tag and the payload follow, each aligned. */
struct message {
    uint64_t bytes;
};

/* Stores a number where the program has an integer of `width` bytes. */
static void store(struct kp_bsp_process *self, void *to, size_t width, uint64_t value,
                  const char *name)
{
    if (width == sizeof(uint32_t) && (value <= INT32_MAX || value == UINT64_MAX))
        *(uint32_t *)to = (uint32_t)value;
    else if (width == sizeof(uint64_t))
        *(uint64_t *)to = value;
    else if (width == sizeof(uint32_t))
        kp_bsp_fail(self, "argument", "%s is %llu, which an int does not hold; let it be a size_t",
                    name, (unsigned long long)value);
    else
        kp_bsp_fail(self, "argument", "%s is NULL or no integer of 4 or 8 bytes", name);
}

KP_BSP_EXPORT void kp_bsp_set_tagsize(const char *file, int line, void *tag_size, size_t width)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_set_tagsize", file, line);
    struct kp_bsp_agreed *agreed = &self->agreed[kp_bsp_generation(self)];
    if (!tag_size || (width != sizeof(int32_t) && width != sizeof(int64_t)))
        kp_bsp_fail(self, "argument", "tag_size is NULL or no integer of 4 or 8 bytes");
    const int64_t wanted = width == sizeof(int32_t) ? *(int32_t *)tag_size : *(int64_t *)tag_size;
    if (wanted < 0 || wanted > PTRDIFF_MAX / 2)
        kp_bsp_fail(self, "argument", "tag_size is %lld; it may be 0 ... %td", (long long)wanted,
                    PTRDIFF_MAX / 2);
    store(self, tag_size, width, self->next_tag_size, "tag_size");
    self->next_tag_size = (size_t)wanted;
    agreed->sets_tag_size = true;
    agreed->tag_place = self->call;
    self->bits |= KP_BSP_TAG_SIZES;
}

KP_BSP_EXPORT void kp_bsp_send(const char *file, int line, int pid, const void *tag,
                               const void *payload, size_t size)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_send", file, line);
    kp_bsp_check_pid(self, pid);
    if (size > PTRDIFF_MAX / 2)
        kp_bsp_fail(self, "argument", "size is %td; it may be 0 ... %td", (ptrdiff_t)size,
                    PTRDIFF_MAX / 2);
    if ((!tag && self->tag_size > 0) || (!payload && size > 0))
        kp_bsp_fail(self, "argument", "%s is NULL with %zu bytes",
                    !tag && self->tag_size > 0 ? "tag" : "payload",
                    !tag && self->tag_size > 0 ? self->tag_size : size);
    const size_t tag_room = kp_bsp_aligned(self->tag_size);
    const size_t all = sizeof(struct message) + tag_room + kp_bsp_aligned(size);
    struct kp_bsp_queue *queue = &kp_bsp_out_to(self, pid)->messages;
    char *at = kp_bsp_queue_room(queue, &self->pool, all);
    if (!at)
        kp_bsp_no_memory(self);
    kp_bsp_count(self, pid, size + self->tag_size);
    ((struct message *)(void *)at)->bytes = size;
    if (tag_room > 0)
        memcpy(at + sizeof(struct message), tag, self->tag_size);
    if (size == 8)
        memcpy(at + sizeof(struct message) + tag_room, payload, 8);
    else if (size > 0)
        memcpy(at + sizeof(struct message) + tag_room, payload, size);
    queue->at = at + all;
    queue->count++;
    queue->bytes += size;
    self->bits |= KP_BSP_MESSAGES;
}

/* --- The messages that have come --- */

static struct kp_bsp_out *out_of(const struct kp_bsp_process *self, unsigned generation, int sender)
{
    const struct kp_bsp_team *team = self->team;
    return team->outs[generation][(size_t)self->pid * (size_t)team->size + (size_t)sender];
}

/* Goes to the first message of this sender or of a later one. */
static void go_to(struct kp_bsp_process *self, int sender)
{
    struct kp_bsp_inbox *inbox = &self->inbox;
    const struct kp_bsp_out *out = out_of(self, inbox->generation, sender);
    while (!out || !out->messages.first)
        out = out_of(self, inbox->generation, ++sender);
    inbox->sender = sender;
    inbox->chunk = out->messages.first;
    inbox->at = inbox->chunk->data;
}

void kp_bsp_inbox_open(struct kp_bsp_process *self, unsigned generation, bool some)
{
    struct kp_bsp_inbox *inbox = &self->inbox;
    inbox->count = inbox->bytes = 0;
    if (!some)
        return;
    inbox->generation = generation;
    inbox->tag_size = self->tag_size;
    for (int sender = 0; sender < self->team->size; sender++) {
        const struct kp_bsp_out *out = out_of(self, generation, sender);
        inbox->count += out ? out->messages.count : 0;
        inbox->bytes += out ? out->messages.bytes : 0;
    }
    if (inbox->count > 0)
        go_to(self, 0);
}

static const struct message *first_of(const struct kp_bsp_inbox *inbox)
{
    return (const void *)inbox->at;
}

static char *tag_of(const struct kp_bsp_inbox *inbox)
{
    return (char *)(uintptr_t)inbox->at + sizeof(struct message);
}

static char *payload_of(const struct kp_bsp_inbox *inbox)
{
    return tag_of(inbox) + kp_bsp_aligned(inbox->tag_size);
}

/* Goes on to the next message. */
static void take(struct kp_bsp_process *self)
{
    struct kp_bsp_inbox *inbox = &self->inbox;
    const uint64_t bytes = first_of(inbox)->bytes;
    inbox->at = payload_of(inbox) + kp_bsp_aligned(bytes);
    inbox->bytes -= bytes;
    if (--inbox->count == 0)
        return;
    const struct kp_bsp_queue *queue = &out_of(self, inbox->generation, inbox->sender)->messages;
    if (inbox->at < kp_bsp_chunk_end(queue, inbox->chunk))
        return;
    inbox->chunk = inbox->chunk->next;
    if (inbox->chunk)
        inbox->at = inbox->chunk->data;
    else
        go_to(self, inbox->sender + 1);
}

KP_BSP_EXPORT void kp_bsp_qsize(const char *file, int line, void *messages, size_t messages_width,
                                void *bytes, size_t bytes_width)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_qsize", file, line);
    store(self, messages, messages_width, self->inbox.count, "messages");
    if (bytes)
        store(self, bytes, bytes_width, self->inbox.bytes, "bytes");
}

KP_BSP_EXPORT void kp_bsp_get_tag(const char *file, int line, void *status, size_t width, void *tag)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_get_tag", file, line);
    const struct kp_bsp_inbox *inbox = &self->inbox;
    const bool some = inbox->count > 0;
    store(self, status, width, some ? first_of(inbox)->bytes : UINT64_MAX, "status");
    if (!some || inbox->tag_size == 0)
        return;
    if (!tag)
        kp_bsp_fail(self, "argument", "tag is NULL with %zu bytes", inbox->tag_size);
    memcpy(tag, tag_of(inbox), inbox->tag_size);
}

KP_BSP_EXPORT void kp_bsp_move(const char *file, int line, void *payload, size_t size)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_move", file, line);
    if (size > PTRDIFF_MAX)
        kp_bsp_fail(self, "argument", "size is %td; it may not be negative", (ptrdiff_t)size);
    if (self->inbox.count == 0)
        kp_bsp_fail(self, "empty", "there is no message to take");
    const uint64_t bytes = first_of(&self->inbox)->bytes;
    size = bytes < size ? bytes : size;
    if (!payload && size > 0)
        kp_bsp_fail(self, "argument", "payload is NULL with %zu bytes", size);
    if (size == 8)
        memcpy(payload, payload_of(&self->inbox), 8);
    else if (size > 0)
        memcpy(payload, payload_of(&self->inbox), size);
    take(self);
}

KP_BSP_EXPORT ptrdiff_t kp_bsp_hpmove(const char *file, int line, void **tag, void **payload)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_hpmove", file, line);
    if (!tag || !payload)
        kp_bsp_fail(self, "argument", "%s is NULL", tag ? "payload" : "tag");
    if (self->inbox.count == 0)
        return -1;
    const uint64_t bytes = first_of(&self->inbox)->bytes;
    *tag = tag_of(&self->inbox);
    *payload = payload_of(&self->inbox);
    take(self);
    return (ptrdiff_t)bytes;
}
