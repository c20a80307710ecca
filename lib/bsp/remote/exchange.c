/* Moving a superstep's data between processes that share no memory. */
#include "lib/bsp/remote/remote.h"

#include "lib/bsp/process.h"

#include <stdlib.h>
#include <string.h>

#define FIRST sizeof(((struct kp_bsp_slot *)NULL)->first)

/* What a get asks for, in a stream. */
struct request {
    uint64_t from, bytes;
};

/* A file of calls, in a stream. */
struct file {
    uint64_t pointer; /* in the sender's memory */
    char name[152];
};

/* A stream begins at a multiple of this, after room for the head of a chunk. */
#define ALIGNED 16

static size_t aligned(size_t bytes)
{
    return (bytes + ALIGNED - 1) / ALIGNED * ALIGNED;
}

/* --- Lengths --- */

/* Puts that follow messages have room for the head of another chunk before them. */
static size_t puts_at(const struct kp_bsp_lengths *lengths)
{
    const size_t messages = lengths->message_bytes;
    return messages ? aligned(messages) + sizeof(struct kp_bsp_chunk) : 0;
}

static size_t stream_bytes(const struct kp_bsp_lengths *lengths)
{
    const size_t others = lengths->put_bytes + lengths->get_bytes + lengths->file_bytes;
    return others ? puts_at(lengths) + others : lengths->message_bytes;
}

/* Between the messages and what follows them. */
static size_t bytes_between(const struct kp_bsp_lengths *lengths)
{
    return stream_bytes(lengths) > lengths->message_bytes
               ? puts_at(lengths) - lengths->message_bytes
               : 0;
}

static size_t queue_bytes(const struct kp_bsp_queue *queue)
{
    size_t bytes = 0;
    for (const struct kp_bsp_chunk *chunk = queue->first; chunk; chunk = chunk->next)
        bytes += (size_t)(kp_bsp_chunk_end(queue, chunk) - chunk->data);
    return bytes;
}

/* Counts what this superstep has for `pid`. */
static struct kp_bsp_lengths count(const struct kp_bsp_process *self, int pid)
{
    const struct kp_bsp_out *out = self->front.now;
    const struct kp_bsp_message_pair *messages = &out->messages[pid];
    struct kp_bsp_lengths lengths = {0};
    if (out->states[pid] & KP_BSP_QUEUED) {
        lengths.put_bytes = queue_bytes(&out->puts[pid].queue);
        lengths.file_bytes = (size_t)self->remote->file_count * sizeof(struct file);
    }
    if (out->states[pid] & KP_BSP_SENT) {
        lengths.message_bytes = queue_bytes(&messages->queue);
        lengths.messages = messages->count;
        lengths.payload = messages->bytes;
    }
    return lengths;
}

unsigned kp_bsp_remote_bits(struct kp_bsp_process *self)
{
    struct kp_bsp_slot *slots = self->remote->out_slots;
    const size_t others = (size_t)self->team->size - 1;
    size_t longest = 0, sum = 0, receivers = 0;
    for (int pid = 0; self->checks && pid <= (int)others; pid++) {
        if (pid != self->pid)
            kp_bsp_check_sent(self, pid);
    }
    for (int pid = 0; pid <= (int)others; pid++)
        slots[pid].lengths = pid == self->pid ? (struct kp_bsp_lengths){0} : count(self, pid);
    for (size_t i = 0; i < self->get_count; i++) {
        if (self->gets[i].pid != self->pid)
            slots[self->gets[i].pid].lengths.get_bytes += sizeof(struct request);
    }
    for (int pid = 0; pid <= (int)others; pid++) {
        const size_t bytes = stream_bytes(&slots[pid].lengths);
        longest = bytes > longest ? bytes : longest;
        sum += bytes;
        receivers += bytes > FIRST;
    }
    const bool irregular = 2 * receivers < others || longest * others > 4 * sum;
    return (longest > FIRST ? KP_BSP_LONG : 0) | (irregular ? KP_BSP_IRREGULAR : 0);
}

/* --- Memory --- */

static void make_room(struct kp_bsp_process *self, struct kp_bsp_streams *streams, size_t bytes)
{
    if (bytes <= streams->room)
        return;
    free(streams->memory);
    streams->room = 0;
    if (!(streams->memory = malloc(bytes)))
        kp_bsp_no_memory(self);
    streams->room = bytes;
}

/* Says where the streams lie that the slots announce, and makes room for them. */
static void lay_out(struct kp_bsp_process *self, struct kp_bsp_streams *streams,
                    const struct kp_bsp_slot *slots)
{
    size_t at = 0;
    for (int pid = 0; pid < self->team->size; pid++) {
        const size_t bytes = stream_bytes(&slots[pid].lengths);
        streams->at[pid] = at + sizeof(struct kp_bsp_chunk);
        streams->rest[pid] = streams->at[pid] + (bytes < FIRST ? bytes : FIRST);
        streams->rest_bytes[pid] = bytes > FIRST ? bytes - FIRST : 0;
        at = aligned(streams->at[pid] + bytes);
    }
    make_room(self, streams, at);
}

/* --- Sending --- */

static char *append(char *to, const void *from, size_t bytes)
{
    memcpy(to, from, bytes);
    return to + bytes;
}

static void append_queue(char *to, const struct kp_bsp_queue *queue)
{
    for (const struct kp_bsp_chunk *chunk = queue->first; chunk; chunk = chunk->next)
        to = append(to, chunk->data, (size_t)(kp_bsp_chunk_end(queue, chunk) - chunk->data));
}

static void append_requests(struct kp_bsp_process *self, size_t *ends)
{
    char *memory = self->remote->out.memory;
    for (size_t i = 0; i < self->get_count; i++) {
        const struct kp_bsp_get *get = &self->gets[i];
        const struct request request = {(uintptr_t)get->from, get->bytes};
        if (get->pid == self->pid)
            continue;
        memcpy(memory + ends[get->pid], &request, sizeof request);
        ends[get->pid] += sizeof request;
    }
}

static void append_files(const struct kp_bsp_remote *remote, char *to)
{
    for (int i = 0; i < remote->file_count; i++) {
        struct file file = {.pointer = (uintptr_t)remote->files[i]};
        kp_bsp_copy_end(file.name, sizeof file.name, remote->files[i]);
        to = append(to, &file, sizeof file);
    }
}

static void write_streams(struct kp_bsp_process *self, unsigned generation)
{
    struct kp_bsp_remote *remote = self->remote;
    const struct kp_bsp_out *out = &self->outs[generation];
    size_t *ends = remote->answers_in.rest; /* not used yet */
    lay_out(self, &remote->out, remote->out_slots);
    for (int pid = 0; pid < self->team->size; pid++) {
        const struct kp_bsp_lengths *lengths = &remote->out_slots[pid].lengths;
        const size_t at = remote->out.at[pid];
        char *begin = remote->out.memory + at;
        ends[pid] = at + puts_at(lengths) + lengths->put_bytes;
        memset(begin + lengths->message_bytes, 0, bytes_between(lengths));
        if (lengths->message_bytes > 0)
            append_queue(begin, &out->messages[pid].queue);
        if (lengths->put_bytes > 0)
            append_queue(begin + puts_at(lengths), &out->puts[pid].queue);
    }
    append_requests(self, ends);
    for (int pid = 0; pid < self->team->size; pid++) {
        if (remote->out_slots[pid].lengths.file_bytes > 0)
            append_files(remote, remote->out.memory + ends[pid]);
    }
    for (int pid = 0; pid < self->team->size; pid++) {
        const size_t at = remote->out.at[pid];
        memcpy(remote->out_slots[pid].first, remote->out.memory + at, remote->out.rest[pid] - at);
    }
}

/* --- Receiving --- */

/* A chunk whose records are the `bytes` bytes at `data`. The room before them is its head. */
static struct kp_bsp_queue queue_at(char *data, size_t bytes)
{
    struct kp_bsp_chunk *chunk = (void *)(data - sizeof *chunk);
    chunk->next = NULL;
    return (struct kp_bsp_queue){.first = chunk, .at = data + bytes};
}

/* Notes what comes from `pid`, as if it had written that here. */
static void note_arrival(struct kp_bsp_process *self, unsigned generation, int pid)
{
    struct kp_bsp_team *team = self->team;
    const struct kp_bsp_streams *in = &self->remote->in[generation];
    const struct kp_bsp_lengths *lengths = &self->remote->in_slots[pid].lengths;
    const size_t place = kp_bsp_pair(team, pid, self->pid);
    uint8_t *state = &kp_bsp_states(team, generation, pid)[self->pid];
    char *begin = in->memory + in->at[pid];
    *state = 0;
    if (lengths->message_bytes > 0) {
        struct kp_bsp_message_pair *pair = &team->messages[generation][place];
        *state |= KP_BSP_SENT;
        pair->count = lengths->messages;
        pair->bytes = lengths->payload;
        pair->queue = queue_at(begin, lengths->message_bytes);
    }
    if (lengths->put_bytes > 0) {
        *state |= KP_BSP_QUEUED;
        team->puts[generation][place].queue =
            queue_at(begin + puts_at(lengths), lengths->put_bytes);
    }
}

static const struct kp_bsp_way *way_of(const struct kp_bsp_remote *remote, unsigned all)
{
    if (remote->way)
        return remote->way;
    /* Without long streams the pattern is not known. */
    return (all & KP_BSP_LONG) && !(all & KP_BSP_IRREGULAR) ? &kp_bsp_way_regular
                                                            : &kp_bsp_way_irregular;
}

static void move(struct kp_bsp_process *self, unsigned all, const struct kp_bsp_streams *out,
                 const struct kp_bsp_streams *in)
{
    kp_here(self->front.call.file, self->front.call.line);
    const int status = way_of(self->remote, all)->move(self, out, in);
    if (status)
        kp_bsp_fail_by(self, status);
}

/* --- Answering gets --- */

static const struct request *requests_of(const struct kp_bsp_process *self, unsigned generation,
                                         int pid, size_t *number)
{
    const struct kp_bsp_streams *in = &self->remote->in[generation];
    const struct kp_bsp_lengths *lengths = &self->remote->in_slots[pid].lengths;
    *number = lengths->get_bytes / sizeof(struct request);
    return (const void *)(in->memory + in->at[pid] + puts_at(lengths) + lengths->put_bytes);
}

static void lay_out_answers(struct kp_bsp_process *self, struct kp_bsp_streams *answers)
{
    size_t at = 0;
    for (int pid = 0; pid < self->team->size; pid++) {
        answers->rest[pid] = answers->at[pid] = at;
        at += answers->rest_bytes[pid];
    }
    make_room(self, answers, at);
}

static void write_answers(struct kp_bsp_process *self, unsigned generation)
{
    struct kp_bsp_streams *answers = &self->remote->answers_out;
    size_t number;
    for (int pid = 0; pid < self->team->size; pid++) {
        const struct request *requests = requests_of(self, generation, pid, &number);
        answers->rest_bytes[pid] = 0;
        for (size_t i = 0; i < number; i++)
            answers->rest_bytes[pid] += kp_bsp_aligned(requests[i].bytes);
    }
    lay_out_answers(self, answers);
    for (int pid = 0; pid < self->team->size; pid++) {
        const struct request *requests = requests_of(self, generation, pid, &number);
        char *to = answers->memory + answers->at[pid];
        for (size_t i = 0; i < number; i++) {
            memcpy(to, (const char *)(uintptr_t)requests[i].from, requests[i].bytes);
            to += kp_bsp_aligned(requests[i].bytes);
        }
    }
}

/* After this each get reads from this process's memory. */
static void get_answers(struct kp_bsp_process *self, unsigned generation, unsigned all)
{
    struct kp_bsp_streams *answers = &self->remote->answers_in;
    write_answers(self, generation);
    memset(answers->rest_bytes, 0, (size_t)self->team->size * sizeof answers->rest_bytes[0]);
    for (size_t i = 0; i < self->get_count; i++) {
        if (self->gets[i].pid != self->pid)
            answers->rest_bytes[self->gets[i].pid] += kp_bsp_aligned(self->gets[i].bytes);
    }
    lay_out_answers(self, answers);
    move(self, all, &self->remote->answers_out, answers);
    for (size_t i = 0; i < self->get_count; i++) {
        struct kp_bsp_get *get = &self->gets[i];
        if (get->pid == self->pid)
            continue;
        get->from = answers->memory + answers->at[get->pid];
        answers->at[get->pid] += kp_bsp_aligned(get->bytes);
    }
}

/* --- The files of calls --- */

void kp_bsp_remote_note_file(struct kp_bsp_process *self, const char *file)
{
    struct kp_bsp_remote *remote = self->remote;
    for (int i = 0; i < remote->file_count; i++) {
        if (remote->files[i] == file)
            return;
    }
    if (remote->file_count == remote->file_room) {
        const int room = remote->file_room ? 2 * remote->file_room : 8;
        const char **moved = realloc(remote->files, (size_t)room * sizeof *moved);
        if (!moved)
            kp_bsp_no_memory(self);
        remote->files = moved;
        remote->file_room = room;
    }
    remote->files[remote->file_count++] = file;
}

const char *kp_bsp_remote_file(const struct kp_bsp_process *self, unsigned generation, int pid,
                               const char *file)
{
    size_t number;
    const struct request *requests = requests_of(self, generation, pid, &number);
    const struct file *files = (const void *)(requests + number);
    const size_t count = self->remote->in_slots[pid].lengths.file_bytes / sizeof *files;
    for (size_t i = 0; i < count; i++) {
        if (files[i].pointer == (uintptr_t)file)
            return files[i].name;
    }
    return NULL;
}

/* --- All together --- */

void kp_bsp_remote_exchange(struct kp_bsp_process *self, unsigned generation, unsigned all)
{
    struct kp_bsp_remote *remote = self->remote;
    struct kp_bsp_streams *in = &remote->in[generation];
    write_streams(self, generation);
    kp_here(self->front.call.file, self->front.call.line);
    const int status = kp_index(self->group, remote->out_slots, remote->in_slots,
                                sizeof remote->in_slots[0], NULL);
    if (status)
        kp_bsp_fail_by(self, status);
    lay_out(self, in, remote->in_slots);
    for (int pid = 0; pid < self->team->size; pid++)
        memcpy(in->memory + in->at[pid], remote->in_slots[pid].first, in->rest[pid] - in->at[pid]);
    if (all & KP_BSP_LONG)
        move(self, all, &remote->out, in);
    for (int pid = 0; pid < self->team->size; pid++) {
        if (pid != self->pid)
            note_arrival(self, generation, pid);
    }
    if (all & KP_BSP_GETS)
        get_answers(self, generation, all);
}

/* --- The beginning and the end --- */

static bool make_streams(struct kp_bsp_streams *streams, size_t size)
{
    streams->at = calloc(size, sizeof *streams->at);
    streams->rest = calloc(size, sizeof *streams->rest);
    streams->rest_bytes = calloc(size, sizeof *streams->rest_bytes);
    return streams->at && streams->rest && streams->rest_bytes;
}

static void free_streams(struct kp_bsp_streams *streams)
{
    free(streams->memory);
    free(streams->at);
    free(streams->rest);
    free(streams->rest_bytes);
}

/* Looks for the way that the user wants. */
static void choose_way(struct kp_bsp_process *self)
{
    static const struct kp_bsp_way *const ways[] = {&kp_bsp_way_regular, &kp_bsp_way_irregular,
                                                    &kp_bsp_way_route};
    const char *word = getenv("KPORT_BSP_WAY");
    for (size_t i = 0; word && word[0] && i < sizeof ways / sizeof ways[0]; i++) {
        if (strcmp(word, ways[i]->name) == 0)
            self->remote->way = ways[i];
    }
    if (word && word[0] && !self->remote->way)
        kp_bsp_fail(self, "argument", "KPORT_BSP_WAY is \"%.60s\"; it may be %s, %s or %s", word,
                    ways[0]->name, ways[1]->name, ways[2]->name);
}

bool kp_bsp_remote_begin(struct kp_bsp_process *self)
{
    const size_t size = (size_t)self->team->size;
    struct kp_bsp_remote *remote = self->remote = calloc(1, sizeof *remote);
    if (!remote)
        return false;
    choose_way(self);
    self->written = UINT64_MAX;
    remote->out_slots = calloc(size, sizeof *remote->out_slots);
    remote->in_slots = calloc(size, sizeof *remote->in_slots);
    bool made = remote->out_slots && remote->in_slots;
    made = make_streams(&remote->out, size) && made;
    made = make_streams(&remote->in[0], size) && made;
    made = make_streams(&remote->in[1], size) && made;
    made = make_streams(&remote->answers_out, size) && made;
    return make_streams(&remote->answers_in, size) && made;
}

void kp_bsp_remote_end(struct kp_bsp_process *self)
{
    struct kp_bsp_remote *remote = self->remote;
    if (!remote)
        return;
    free(remote->out_slots);
    free(remote->in_slots);
    free_streams(&remote->out);
    free_streams(&remote->in[0]);
    free_streams(&remote->in[1]);
    free_streams(&remote->answers_out);
    free_streams(&remote->answers_in);
    free(remote->pushed);
    free(remote->files);
    free(remote->agreed_memory);
    free(remote);
    self->remote = NULL;
}
