/* Messages with tags. A message is captured in a queue of its sender, and stays there until its
 * receiver has taken it, at the latest in the next sync. */
#include "lib/bsp/process.h"

#include <string.h>

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
    agreed->tag_sizes++;
    agreed->tag_place = self->call;
    self->bits |= KP_BSP_TAG_SIZES;
}

static void copy(char *to, const void *from, size_t size)
{
    if (size == 8)
        memcpy(to, from, 8);
    else if (size > 0)
        memcpy(to, from, size);
}

/* Returns the line of the messages for a process. */
static struct kp_bsp_message_line *line_of(struct kp_bsp_process *self, int pid)
{
    const struct kp_bsp_team *team = self->team;
    struct kp_bsp_message_line *line =
        &team->messages[kp_bsp_generation(self)]
                       [(size_t)self->pid * (size_t)team->size + (size_t)pid];
    if (line->used != self->superstep + 1) {
        line->used = self->superstep + 1;
        line->count = line->bytes = 0;
    }
    return line;
}

/* Returns where a message of `size` bytes goes, which takes `room` bytes with its tag. It continues
 * the last run if it can. */
static inline char *room_for(struct kp_bsp_process *self, int pid, struct kp_bsp_queue *queue,
                             uint64_t size, size_t room)
{
    const uint64_t length = (UINT64_C(1) << KP_BSP_LENGTH_BITS) - 1;
    struct kp_bsp_out *out = &self->outs[kp_bsp_generation(self)][pid];
    if (out->run && (*out->run & length) == size &&
        *out->run >> KP_BSP_LENGTH_BITS < KP_BSP_LONGEST_RUN &&
        kp_bsp_queue_has_room(queue, &out->messages, room)) {
        *out->run += UINT64_C(1) << KP_BSP_LENGTH_BITS;
        return queue->at;
    }
    if (!kp_bsp_queue_has_room(queue, &out->messages, room + sizeof *out->run))
        kp_bsp_grow(self, pid, queue, &out->messages, room + sizeof *out->run);
    out->run = (void *)queue->at;
    *out->run = size;
    return queue->at + sizeof *out->run;
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
    kp_bsp_count(self, pid, size + self->tag_size);
    const size_t tag_room = kp_bsp_aligned(self->tag_size);
    struct kp_bsp_message_line *line_to = line_of(self, pid);
    char *at = room_for(self, pid, &line_to->queue, size, tag_room + kp_bsp_aligned(size));
    if (tag_room > 0)
        memcpy(at, tag, self->tag_size);
    copy(at + tag_room, payload, size);
    line_to->queue.at = at + tag_room + kp_bsp_aligned(size);
    line_to->count++;
    line_to->bytes += size;
    self->bits |= KP_BSP_MESSAGES;
}

/* --- The messages that have come --- */

/* Returns what a sender has sent in the superstep that has ended; NULL: nothing. */
static const struct kp_bsp_message_line *line_from(const struct kp_bsp_process *self, int sender)
{
    const struct kp_bsp_team *team = self->team;
    const struct kp_bsp_message_line *line =
        &team->messages[self->inbox.generation]
                       [(size_t)sender * (size_t)team->size + (size_t)self->pid];
    return line->used == self->superstep ? line : NULL;
}

static void begin_run(struct kp_bsp_inbox *inbox)
{
    const uint64_t *head = (const void *)inbox->at;
    inbox->size = *head & ((UINT64_C(1) << KP_BSP_LENGTH_BITS) - 1);
    inbox->run = (*head >> KP_BSP_LENGTH_BITS) + 1;
    inbox->at += sizeof *head;
}

static void go_to_chunk(struct kp_bsp_inbox *inbox, const struct kp_bsp_queue *queue,
                        const struct kp_bsp_chunk *chunk)
{
    inbox->chunk = chunk;
    inbox->at = chunk->data;
    inbox->end = kp_bsp_chunk_end(queue, chunk);
    begin_run(inbox);
}

/* Goes to the first message of this sender or of a later one. */
static void go_to(struct kp_bsp_process *self, int sender)
{
    const struct kp_bsp_message_line *line = line_from(self, sender);
    while (!line)
        line = line_from(self, ++sender);
    self->inbox.sender = sender;
    go_to_chunk(&self->inbox, &line->queue, line->queue.first);
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
        const struct kp_bsp_message_line *line = line_from(self, sender);
        inbox->count += line ? line->count : 0;
        inbox->bytes += line ? line->bytes : 0;
    }
    if (inbox->count > 0)
        go_to(self, 0);
}

static char *tag_of(const struct kp_bsp_inbox *inbox)
{
    return (char *)(uintptr_t)inbox->at;
}

static char *payload_of(const struct kp_bsp_inbox *inbox)
{
    return tag_of(inbox) + kp_bsp_aligned(inbox->tag_size);
}

/* The run has ended: goes to the next one. */
static __attribute__((noinline)) void go_on(struct kp_bsp_process *self)
{
    struct kp_bsp_inbox *inbox = &self->inbox;
    if (inbox->at < inbox->end)
        begin_run(inbox);
    else if (inbox->chunk->next)
        go_to_chunk(inbox, &line_from(self, inbox->sender)->queue, inbox->chunk->next);
    else
        go_to(self, inbox->sender + 1);
}

/* Goes on to the next message. */
static void take(struct kp_bsp_process *self)
{
    struct kp_bsp_inbox *inbox = &self->inbox;
    inbox->at = payload_of(inbox) + kp_bsp_aligned(inbox->size);
    inbox->bytes -= inbox->size;
    inbox->run--;
    if (--inbox->count > 0 && inbox->run == 0)
        go_on(self);
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
    store(self, status, width, some ? inbox->size : UINT64_MAX, "status");
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
    const uint64_t bytes = self->inbox.size;
    size = bytes < size ? bytes : size;
    if (!payload && size > 0)
        kp_bsp_fail(self, "argument", "payload is NULL with %zu bytes", size);
    copy(payload, payload_of(&self->inbox), size);
    take(self);
}

KP_BSP_EXPORT ptrdiff_t kp_bsp_hpmove(const char *file, int line, void **tag, void **payload)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_hpmove", file, line);
    if (!tag || !payload)
        kp_bsp_fail(self, "argument", "%s is NULL", tag ? "payload" : "tag");
    if (self->inbox.count == 0)
        return -1;
    const uint64_t bytes = self->inbox.size;
    *tag = tag_of(&self->inbox);
    *payload = payload_of(&self->inbox);
    take(self);
    return (ptrdiff_t)bytes;
}
