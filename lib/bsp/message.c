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
    agreed->tag_size = self->next_tag_size;
    agreed->tag_sizes++;
    agreed->tag_place = self->front.call;
    kp_bsp_ask(self, KP_BSP_ALIKE);
}

static void copy(char *to, const void *from, size_t size)
{
    if (size == 8)
        memcpy(to, from, 8);
    else if (size > 0)
        memcpy(to, from, size);
}

/* --- Sending --- */

static const uint64_t length_of_run = (UINT64_C(1) << KP_BSP_LENGTH_BITS) - 1;

/* Returns how many messages bsp_send has added to the last run without counting them. Sender and
 * receiver ask. */
static uint64_t uncounted(const struct kp_bsp_message_pair *pair, unsigned state)
{
    if (!(state & KP_BSP_WORDS))
        return 0;
    const uint64_t counted = (*pair->run >> KP_BSP_LENGTH_BITS) + 1;
    return (uint64_t)(pair->queue.at - (char *)(pair->run + 1)) / sizeof(uint64_t) - counted;
}

/* Counts them. The run keeps to its longest length, as a chunk of words is shorter. */
static void count_words(struct kp_bsp_message_pair *pair, unsigned state)
{
    const uint64_t more = uncounted(pair, state);
    if (more > 0) {
        pair->count += more;
        pair->bytes += more * sizeof(uint64_t);
        *pair->run += more << KP_BSP_LENGTH_BITS;
    }
}

_Static_assert(KP_BSP_LARGE_CHUNK / sizeof(uint64_t) <= KP_BSP_LONGEST_RUN, "a run of words");

/* Begins a run of messages of `size` bytes, which take `room` bytes each, for the process `pid`. */
static void begin_run(struct kp_bsp_process *self, int pid, uint64_t size, size_t room)
{
    struct kp_bsp_out *out = self->front.now;
    struct kp_bsp_message_pair *pair = &out->messages[pid];
    const size_t all = room + sizeof *pair->run;
    bool made = true;
    if (!(out->states[pid] & KP_BSP_SENT)) {
        made = kp_bsp_queue_begin(&pair->queue, &out->arena, all, NULL);
        pair->count = pair->bytes = 0;
        kp_bsp_ask(self, KP_BSP_MESSAGES);
    } else if (!kp_bsp_queue_has_room(&pair->queue, all)) {
        made = kp_bsp_queue_grow(&pair->queue, &out->arena, all);
    }
    if (!made)
        kp_bsp_no_memory(self);
    const bool words = size == sizeof(uint64_t) && room == size && self->front.quick > 0;
    out->states[pid] &= (uint8_t)~KP_BSP_WORDS;
    out->states[pid] |= words ? KP_BSP_SENT | KP_BSP_WORDS : KP_BSP_SENT;
    pair->run = (void *)pair->queue.at;
    *pair->run = size - (UINT64_C(1) << KP_BSP_LENGTH_BITS); /* no message yet */
    pair->queue.at += sizeof *pair->run;
}

/* Returns whether the last run for the process can go on with such a message. */
static bool continues(const struct kp_bsp_out *out, int pid, uint64_t size, size_t room)
{
    const struct kp_bsp_message_pair *pair = &out->messages[pid];
    return (out->states[pid] & KP_BSP_SENT) && (*pair->run & length_of_run) == size &&
           *pair->run >> KP_BSP_LENGTH_BITS < KP_BSP_LONGEST_RUN &&
           kp_bsp_queue_has_room(&pair->queue, room);
}

/* Adds a message to the last run. Returns where it goes. */
static char *add_message(struct kp_bsp_message_pair *pair, uint64_t size, size_t room)
{
    char *at = pair->queue.at;
    *pair->run += UINT64_C(1) << KP_BSP_LENGTH_BITS;
    pair->queue.at = at + room;
    pair->count++;
    pair->bytes += size;
    return at;
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
    const size_t room = tag_room + kp_bsp_aligned(size);
    struct kp_bsp_out *out = self->front.now;
    count_words(&out->messages[pid], out->states[pid]);
    if (!continues(out, pid, size, room))
        begin_run(self, pid, size, room);
    char *at = add_message(&out->messages[pid], size, room);
    if (tag_room > 0)
        memcpy(at, tag, self->tag_size);
    copy(at + tag_room, payload, size);
}

/* --- The messages that have come --- */

/* Returns what a sender has sent in the superstep that has ended; NULL: nothing. */
static const struct kp_bsp_message_pair *pair_from(const struct kp_bsp_process *self, int sender)
{
    const struct kp_bsp_team *team = self->team;
    const unsigned generation = self->inbox.generation;
    return kp_bsp_states(team, generation, sender)[self->pid] & KP_BSP_SENT
               ? &team->messages[generation][kp_bsp_pair(team, sender, self->pid)]
               : NULL;
}

/* Opens the run that begins at front.at. */
static void open_run(struct kp_bsp_process *self)
{
    struct kp_bsp_inbox *inbox = &self->inbox;
    const uint64_t *head = (const void *)self->front.at;
    inbox->size = *head & length_of_run;
    inbox->run = (*head >> KP_BSP_LENGTH_BITS) + 1;
    self->front.at += sizeof *head;
    inbox->step = inbox->tag_room + kp_bsp_aligned(inbox->size);
    self->front.last_word = NULL;
    if (self->front.quick == 0 || inbox->size != sizeof(uint64_t) || inbox->tag_room > 0)
        return;
    const struct kp_bsp_message_pair *pair = pair_from(self, inbox->sender);
    if (head == pair->run)
        inbox->run += uncounted(pair, KP_BSP_WORDS);
    self->front.last_word = self->front.at + (inbox->run - 1) * sizeof(uint64_t);
}

/* Counts what bsp_move has taken without it. */
static void count_taken(struct kp_bsp_process *self)
{
    struct kp_bsp_inbox *inbox = &self->inbox;
    if (!self->front.last_word)
        return;
    const uint64_t left = (uint64_t)(self->front.last_word - self->front.at) / sizeof(uint64_t) + 1;
    const uint64_t taken = inbox->run - left;
    inbox->run = left;
    inbox->count -= taken;
    inbox->bytes -= taken * sizeof(uint64_t);
}

static void go_to_chunk(struct kp_bsp_process *self, const struct kp_bsp_queue *queue,
                        const struct kp_bsp_chunk *chunk)
{
    self->inbox.chunk = chunk;
    self->inbox.end = kp_bsp_chunk_end(queue, chunk);
    self->front.at = chunk->data;
    open_run(self);
}

/* Goes to the first message of this sender or of a later one. */
static void go_to(struct kp_bsp_process *self, int sender)
{
    const struct kp_bsp_message_pair *pair = pair_from(self, sender);
    while (!pair)
        pair = pair_from(self, ++sender);
    self->inbox.sender = sender;
    go_to_chunk(self, &pair->queue, pair->queue.first);
}

void kp_bsp_inbox_open(struct kp_bsp_process *self, unsigned generation, bool some)
{
    struct kp_bsp_inbox *inbox = &self->inbox;
    inbox->count = inbox->bytes = inbox->run = 0;
    self->front.last_word = NULL;
    if (!some)
        return;
    inbox->generation = generation;
    inbox->tag_size = self->tag_size;
    inbox->tag_room = kp_bsp_aligned(self->tag_size);
    for (int sender = 0; sender < self->team->size; sender++) {
        const struct kp_bsp_message_pair *pair = pair_from(self, sender);
        if (!pair)
            continue;
        const uint64_t more =
            uncounted(pair, kp_bsp_states(self->team, generation, sender)[self->pid]);
        inbox->count += pair->count + more;
        inbox->bytes += pair->bytes + more * sizeof(uint64_t);
    }
    if (inbox->count > 0)
        go_to(self, 0);
}

/* The first message. */
static char *tag_of(const struct kp_bsp_process *self)
{
    return (char *)(uintptr_t)self->front.at;
}

static char *payload_of(const struct kp_bsp_process *self)
{
    return tag_of(self) + self->inbox.tag_room;
}

/* Takes the first message, and goes on to the next one. */
static void take(struct kp_bsp_process *self)
{
    struct kp_bsp_inbox *inbox = &self->inbox;
    self->front.at += inbox->step;
    inbox->bytes -= inbox->size;
    inbox->run--;
    inbox->count--;
    if (inbox->run > 0)
        return;
    self->front.last_word = NULL;
    if (inbox->count == 0)
        return;
    if (self->front.at < inbox->end)
        open_run(self);
    else if (inbox->chunk->next)
        go_to_chunk(self, &pair_from(self, inbox->sender)->queue, inbox->chunk->next);
    else
        go_to(self, inbox->sender + 1);
}

KP_BSP_EXPORT void kp_bsp_qsize(const char *file, int line, void *messages, size_t messages_width,
                                void *bytes, size_t bytes_width)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_qsize", file, line);
    count_taken(self);
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
    memcpy(tag, tag_of(self), inbox->tag_size);
}

KP_BSP_EXPORT void kp_bsp_move(const char *file, int line, void *payload, size_t size)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_move", file, line);
    if (size > PTRDIFF_MAX)
        kp_bsp_fail(self, "argument", "size is %td; it may not be negative", (ptrdiff_t)size);
    count_taken(self);
    if (self->inbox.count == 0)
        kp_bsp_fail(self, "empty", "there is no message to take");
    const uint64_t bytes = self->inbox.size;
    size = bytes < size ? bytes : size;
    if (!payload && size > 0)
        kp_bsp_fail(self, "argument", "payload is NULL with %zu bytes", size);
    copy(payload, payload_of(self), size);
    take(self);
}

KP_BSP_EXPORT ptrdiff_t kp_bsp_hpmove(const char *file, int line, void **tag, void **payload)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_hpmove", file, line);
    if (!tag || !payload)
        kp_bsp_fail(self, "argument", "%s is NULL", tag ? "payload" : "tag");
    count_taken(self);
    if (self->inbox.count == 0)
        return -1;
    const uint64_t bytes = self->inbox.size;
    *tag = tag_of(self);
    *payload = payload_of(self);
    take(self);
    return (ptrdiff_t)bytes;
}
