#include "ports/message/matching.h"

#include <stdlib.h>

/* --- The table of lists --- */

static inline struct kp_match **bucket_of(const struct kp_match_table *table, int source, int tag)
{
    uint64_t key = (uint64_t)(uint32_t)source << 32 | (uint32_t)tag;
    uint64_t hash = (key ^ key >> 29) * UINT64_C(0x9e3779b97f4a7c15);
    size_t count = table->buckets ? table->bucket_count : KP_MATCH_FIRST_BUCKETS;
    struct kp_match *const *buckets = table->buckets ? table->buckets : table->first;
    return (struct kp_match **)&buckets[hash >> 32 & (count - 1)];
}

/* Returns the link to the first entry with this source and tag. If there is none, returns the end
 * of its chain. */
static inline struct kp_match **link_of(const struct kp_match_table *table, int source, int tag)
{
    struct kp_match **link = bucket_of(table, source, tag);
    while (*link && ((*link)->source != source || (*link)->tag != tag))
        link = &(*link)->chain;
    return link;
}

/* Doubles the number of buckets, if there is memory. Without it the chains become longer. */
static void grow(struct kp_match_table *table)
{
    size_t count = table->buckets ? table->bucket_count : KP_MATCH_FIRST_BUCKETS;
    struct kp_match_table old = *table;
    struct kp_match **buckets = calloc(2 * count, sizeof(struct kp_match *));
    if (!buckets)
        return;
    table->buckets = buckets;
    table->bucket_count = 2 * count;
    for (size_t i = 0; i < count; i++) {
        struct kp_match *next, *entry = old.buckets ? old.buckets[i] : old.first[i];
        for (; entry; entry = next) {
            struct kp_match **bucket = bucket_of(table, entry->source, entry->tag);
            next = entry->chain;
            entry->chain = *bucket;
            *bucket = entry;
        }
    }
    free(old.buckets);
}

static inline void append(struct kp_match_table *table, struct kp_match *entry)
{
    struct kp_match **link = link_of(table, entry->source, entry->tag), *first = *link;
    entry->next = NULL;
    if (first) {
        entry->before = first->last;
        first->last->next = entry;
        first->last = entry;
        return;
    }
    entry->before = NULL;
    entry->last = entry;
    entry->chain = NULL;
    *link = entry;
    if (++table->lists > (table->buckets ? table->bucket_count : KP_MATCH_FIRST_BUCKETS))
        grow(table);
}

/* Takes out the first entry of a list. `link` leads to it. */
static inline void take_first(struct kp_match_table *table, struct kp_match **link)
{
    struct kp_match *first = *link, *second = first->next;
    if (second) {
        second->before = NULL;
        second->last = first->last;
        second->chain = first->chain;
        *link = second;
        return;
    }
    *link = first->chain;
    table->lists--;
}

static void take_out(struct kp_match_table *table, struct kp_match *entry)
{
    struct kp_match **link = link_of(table, entry->source, entry->tag), *first = *link;
    if (entry == first) {
        take_first(table, link);
        return;
    }
    entry->before->next = entry->next;
    *(entry->next ? &entry->next->before : &first->last) = entry->before;
}

/* --- Posted receives --- */

static struct kp_match **sooner_of(struct kp_match **one, struct kp_match **other)
{
    return !*other || (*one && (*one)->order < (*other)->order) ? one : other;
}

/* Some posted receives have KP_ANY, so `found`, the link to one without, need not be the one. */
__attribute__((noinline)) static struct kp_match **
link_among(const struct kp_matching *all, int source, int tag, struct kp_match **found)
{
    const struct kp_match_table *posted = &all->posted;
    if (all->any_source > 0)
        found = sooner_of(found, link_of(posted, KP_ANY, tag));
    if (all->any_tag > 0)
        found = sooner_of(found, link_of(posted, source, KP_ANY));
    if (all->any_both > 0)
        found = sooner_of(found, link_of(posted, KP_ANY, KP_ANY));
    return found;
}

/* Returns the link to the receive that a message goes to. A receive is posted. */
static inline struct kp_match **link_for(const struct kp_matching *all, int source, int tag)
{
    struct kp_match **found = link_of(&all->posted, source, tag);
    const bool any = all->any_source + all->any_tag + all->any_both > 0;
    return any ? link_among(all, source, tag, found) : found;
}

struct kp_match *kp_matching_receive_for(const struct kp_matching *all, int source, int tag)
{
    return all->posted_count > 0 ? *link_for(all, source, tag) : NULL;
}

/* Returns the count of the kind of receives with KP_ANY that `receive` is of, or NULL. */
static inline size_t *kind_of(struct kp_matching *all, const struct kp_match *receive)
{
    if (receive->source == KP_ANY)
        return receive->tag == KP_ANY ? &all->any_both : &all->any_source;
    return receive->tag == KP_ANY ? &all->any_tag : NULL;
}

void kp_matching_post(struct kp_matching *all, struct kp_match *receive)
{
    size_t *kind = kind_of(all, receive);
    receive->order = all->order++;
    append(&all->posted, receive);
    all->posted_count++;
    if (kind)
        ++*kind;
}

static inline void count_out(struct kp_matching *all, const struct kp_match *receive)
{
    size_t *kind = kind_of(all, receive);
    all->posted_count--;
    if (kind)
        --*kind;
}

void kp_matching_unpost(struct kp_matching *all, struct kp_match *receive)
{
    take_out(&all->posted, receive);
    count_out(all, receive);
}

struct kp_match *kp_matching_take_receive(struct kp_matching *all, int source, int tag)
{
    struct kp_match **link, *receive;
    if (all->posted_count == 0 || !(receive = *(link = link_for(all, source, tag))))
        return NULL;
    take_first(&all->posted, link);
    count_out(all, receive);
    return receive;
}

/* --- Unexpected messages --- */

struct kp_match *kp_matching_message_for(const struct kp_matching *all, int source, int tag)
{
    if (all->unexpected_count == 0)
        return NULL;
    if (source != KP_ANY && tag != KP_ANY)
        return *link_of(&all->unexpected, source, tag);
    struct kp_match *message = all->soonest;
    while (message && ((source != KP_ANY && message->source != source) ||
                       (tag != KP_ANY && message->tag != tag)))
        message = message->later;
    return message;
}

void kp_matching_keep(struct kp_matching *all, struct kp_match *message)
{
    append(&all->unexpected, message);
    message->later = NULL;
    message->sooner = all->latest;
    *(all->latest ? &all->latest->later : &all->soonest) = message;
    all->latest = message;
    all->unexpected_count++;
}

void kp_matching_drop(struct kp_matching *all, struct kp_match *message)
{
    take_out(&all->unexpected, message);
    *(message->sooner ? &message->sooner->later : &all->soonest) = message->later;
    *(message->later ? &message->later->sooner : &all->latest) = message->sooner;
    all->unexpected_count--;
}

void kp_matching_free(struct kp_matching *all)
{
    free(all->posted.buckets);
    free(all->unexpected.buckets);
    *all = (struct kp_matching){.order = 0};
}
