/* Registered memory: numbers, and the table by which they are found. */
#include "lib/bsp/area.h"

#include <stdlib.h>

static size_t hash(const void *block)
{
    uint64_t x = (uint64_t)(uintptr_t)block * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(x >> 32);
}

static struct kp_bsp_name *slot_of(const struct kp_bsp_areas *areas, const void *block)
{
    size_t at = hash(block) & (areas->name_room - 1);
    while (areas->names[at].used && areas->names[at].block != block)
        at = (at + 1) & (areas->name_room - 1);
    return &areas->names[at];
}

/* Makes room for one more block. Blocks whose registrations are all gone are left out. */
static bool make_room(struct kp_bsp_areas *areas)
{
    if (2 * (areas->name_count + 1) <= areas->name_room)
        return true;
    struct kp_bsp_areas larger = *areas;
    size_t live = 1;
    for (size_t i = 0; i < areas->name_room; i++)
        live += areas->names[i].used && areas->names[i].newest >= 0;
    for (larger.name_room = 16; larger.name_room < 4 * live;)
        larger.name_room *= 2;
    if (!(larger.names = calloc(larger.name_room, sizeof *larger.names)))
        return false;
    larger.name_count = 0;
    for (size_t i = 0; i < areas->name_room; i++) {
        if (areas->names[i].used && areas->names[i].newest >= 0) {
            *slot_of(&larger, areas->names[i].block) = areas->names[i];
            larger.name_count++;
        }
    }
    free(areas->names);
    *areas = larger;
    return true;
}

static struct kp_bsp_name *find_name(const struct kp_bsp_areas *areas, const void *block)
{
    struct kp_bsp_name *name = areas->name_room > 0 ? slot_of(areas, block) : NULL;
    return name && name->used ? name : NULL;
}

static bool append(int **list, int *count, int *room, int number)
{
    if (*count == *room) {
        int larger = *room ? 2 * *room : 16;
        int *moved = realloc(*list, (size_t)larger * sizeof **list);
        if (!moved)
            return false;
        *list = moved;
        *room = larger;
    }
    (*list)[(*count)++] = number;
    return true;
}

static struct kp_bsp_area *area_at(const struct kp_bsp_areas *areas, int number)
{
    return &areas->list[number];
}

/* Returns a number that no registration has, or -1 or -2. */
static int new_number(struct kp_bsp_areas *areas)
{
    if (areas->free_count > 0)
        return areas->free[--areas->free_count];
    if (areas->count == KP_BSP_MOST_AREAS)
        return -2;
    if (areas->count == areas->room) {
        const int room = areas->room ? 2 * areas->room : 16;
        struct kp_bsp_area *moved = realloc(areas->list, (size_t)room * sizeof *moved);
        if (!moved)
            return -1;
        areas->list = moved;
        areas->room = room;
    }
    return areas->count++;
}

int kp_bsp_area_push(struct kp_bsp_areas *areas, const void *block, uint64_t since)
{
    if (!make_room(areas))
        return -1;
    int number = new_number(areas);
    if (number < 0)
        return number;
    struct kp_bsp_name *name = slot_of(areas, block);
    if (!name->used) {
        *name = (struct kp_bsp_name){.block = block, .newest = -1, .used = true};
        areas->name_count++;
    }
    *area_at(areas, number) =
        (struct kp_bsp_area){.block = block, .older = name->newest, .since = since};
    name->newest = number;
    return number;
}

int kp_bsp_area_pop(struct kp_bsp_areas *areas, const void *block)
{
    const struct kp_bsp_name *name = find_name(areas, block);
    int number = name ? name->newest : -1;
    while (number >= 0 && area_at(areas, number)->popped)
        number = area_at(areas, number)->older;
    if (number < 0)
        return -1;
    if (!append(&areas->popped, &areas->popped_count, &areas->popped_room, number))
        return -2;
    area_at(areas, number)->popped = true;
    return number;
}

int kp_bsp_area_find(const struct kp_bsp_areas *areas, const void *block, uint64_t superstep)
{
    const struct kp_bsp_name *name = find_name(areas, block);
    int number = name ? name->newest : -1, newest = number;
    while (number >= 0 && area_at(areas, number)->since > superstep)
        number = area_at(areas, number)->older;
    return number >= 0 ? number : newest < 0 ? -1 : -2;
}

static void forget(struct kp_bsp_areas *areas, int number)
{
    struct kp_bsp_area *area = area_at(areas, number);
    int *link = &find_name(areas, area->block)->newest;
    while (*link != number)
        link = &area_at(areas, *link)->older;
    *link = area->older;
}

bool kp_bsp_areas_settle(struct kp_bsp_areas *areas)
{
    for (int i = 0; i < areas->popped_count; i++) {
        forget(areas, areas->popped[i]);
        if (!append(&areas->free, &areas->free_count, &areas->free_room, areas->popped[i]))
            return false;
    }
    areas->popped_count = 0;
    return true;
}

void kp_bsp_areas_end(struct kp_bsp_areas *areas)
{
    free(areas->list);
    free(areas->free);
    free(areas->popped);
    free(areas->names);
    *areas = (struct kp_bsp_areas){.count = 0};
}
