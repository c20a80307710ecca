#include "lib/route/passage.h"

#include <stdlib.h>
#include <string.h>

struct kp_passing {
    struct kp_passing *next;
    struct kp_packet_head head;
    char bytes[];
};

bool kp_passage_begin(struct kp_passage *passage, size_t n, size_t packet_bytes)
{
    *passage = (struct kp_passage){.packet_bytes = packet_bytes};
    passage->first = calloc(2 * n, sizeof(struct kp_passing *));
    if (!passage->first)
        return false;
    passage->last = passage->first + n;
    return true;
}

static void free_all(struct kp_passing *passing)
{
    while (passing) {
        struct kp_passing *next = passing->next;
        free(passing);
        passing = next;
    }
}

void kp_passage_end(struct kp_passage *passage, size_t n)
{
    for (size_t j = 0; passage->first && j < n; j++)
        free_all(passage->first[j]);
    free_all(passage->unused);
    free(passage->first);
    *passage = (struct kp_passage){.first = NULL};
}

bool kp_passage_keep(struct kp_passage *passage, const char *block)
{
    struct kp_passing *passing = passage->unused;
    if (passing)
        passage->unused = passing->next;
    else
        passing = malloc(sizeof *passing + passage->packet_bytes);
    if (!passing)
        return false;
    passing->next = NULL;
    memcpy(&passing->head, block, sizeof passing->head);
    memcpy(passing->bytes, block + sizeof passing->head, passing->head.bytes);
    struct kp_passing **last = &passage->last[passing->head.destination];
    struct kp_passing **first = &passage->first[passing->head.destination];
    *(*first ? &(*last)->next : first) = passing;
    *last = passing;
    return true;
}

void kp_passage_take(struct kp_passage *passage, int32_t destination, char *block)
{
    struct kp_passing *passing = passage->first[destination];
    passage->first[destination] = passing->next;
    memcpy(block, &passing->head, sizeof passing->head);
    memcpy(block + sizeof passing->head, passing->bytes, passing->head.bytes);
    passing->next = passage->unused;
    passage->unused = passing;
}

size_t kp_passage_longest(const struct kp_passage *passage, size_t n)
{
    size_t longest = 0;
    for (size_t j = 0; j < n; j++) {
        for (const struct kp_passing *p = passage->first[j]; p; p = p->next)
            longest = p->head.bytes > longest ? p->head.bytes : longest;
    }
    return longest;
}
