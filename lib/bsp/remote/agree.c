/* What all processes must do alike, and the blocks that they register, where they share no memory.
 */
#include "lib/bsp/process.h"
#include "lib/bsp/remote/remote.h"

#include <stdlib.h>
#include <string.h>

/* --- What is compared --- */

#define FILE_BYTES     160
#define FUNCTION_BYTES 24

/* The place of a call, without pointers. */
struct sent_place {
    char function[FUNCTION_BYTES], file[FILE_BYTES]; /* empty: not known */
    int64_t line;
};

struct sent {
    struct kp_bsp_agreed agreed; /* its pointers mean nothing here */
    struct sent_place tag_place, area_place;
};

void kp_bsp_copy_end(char *to, size_t room, const char *from)
{
    const size_t length = from ? strlen(from) : 0;
    if (length > 0)
        memcpy(to, length < room ? from : from + (length - room + 1),
               length < room ? length : room - 1);
}

static struct sent_place place_sent(const struct kp_bsp_place *place)
{
    struct sent_place sent = {.line = place->line};
    kp_bsp_copy_end(sent.function, sizeof sent.function, place->function);
    kp_bsp_copy_end(sent.file, sizeof sent.file, place->file);
    return sent;
}

static struct kp_bsp_place place_got(const struct sent_place *sent)
{
    return (struct kp_bsp_place){.function = sent->function[0] ? sent->function : NULL,
                                 .file = sent->file[0] ? sent->file : NULL,
                                 .line = (int)sent->line};
}

/* All members exchange `bytes` bytes. */
static void concat(struct kp_bsp_process *self, const void *own, void *all, size_t bytes)
{
    kp_here(self->front.call.file, self->front.call.line);
    const int status = kp_concat(self->group, own, all, bytes, NULL);
    if (status)
        kp_bsp_fail_by(self, status);
}

void kp_bsp_remote_agreed(struct kp_bsp_process *self, unsigned generation)
{
    struct kp_bsp_remote *remote = self->remote;
    const size_t size = (size_t)self->team->size;
    const struct kp_bsp_agreed *own = &self->agreed[generation];
    const struct sent sent = {*own, place_sent(&own->tag_place), place_sent(&own->area_place)};
    if (!remote->agreed_memory)
        remote->agreed_memory = calloc(size, sizeof sent + sizeof *remote->agreed);
    if (!remote->agreed_memory)
        kp_bsp_no_memory(self);
    struct sent *all = remote->agreed_memory;
    remote->agreed = (void *)(all + size);
    concat(self, &sent, all, sizeof sent);
    for (size_t i = 0; i < size; i++) {
        remote->agreed[i] = all[i].agreed;
        remote->agreed[i].tag_place = place_got(&all[i].tag_place);
        remote->agreed[i].area_place = place_got(&all[i].area_place);
    }
}

/* --- Blocks --- */

void kp_bsp_remote_pushed(struct kp_bsp_process *self, int number)
{
    struct kp_bsp_remote *remote = self->remote;
    if (remote->pushed_count == remote->pushed_room) {
        const int room = remote->pushed_room ? 2 * remote->pushed_room : 16;
        int *moved = realloc(remote->pushed, (size_t)room * sizeof *moved);
        if (!moved)
            kp_bsp_no_memory(self);
        remote->pushed = moved;
        remote->pushed_room = room;
    }
    remote->pushed[remote->pushed_count++] = number;
}

/* All have pushed equally often, and their registrations have the same numbers. */
void kp_bsp_remote_blocks(struct kp_bsp_process *self)
{
    struct kp_bsp_remote *remote = self->remote;
    const size_t count = (size_t)remote->pushed_count, size = (size_t)self->team->size;
    if (count == 0)
        return;
    struct kp_bsp_block *own = calloc(count * (size + 1), sizeof *own), *all = own + count;
    if (!own)
        kp_bsp_no_memory(self);
    for (size_t i = 0; i < count; i++)
        own[i] = kp_bsp_row_at(self, remote->pushed[i])[self->pid];
    concat(self, own, all, count * sizeof *own);
    for (size_t i = 0; i < count; i++) {
        struct kp_bsp_block *row = kp_bsp_row_at(self, remote->pushed[i]);
        for (size_t pid = 0; pid < size; pid++)
            row[pid] = all[pid * count + i];
    }
    free(own);
    remote->pushed_count = 0;
}
