#include "ports/history.h"

#include "ports/order.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

_Static_assert(sizeof(struct kp_past_call) % sizeof(uint64_t) == 0, "it is copied by words");

/* Those that are still there, oldest first. */
struct list {
    struct kp_past_call calls[KP_HISTORY_ENTRIES];
    int count;
};

static _Atomic uint64_t *entry(struct kp_history *history, uint64_t i)
{
    return history->words[i % KP_HISTORY_ENTRIES];
}

static void write(struct kp_history *history, uint64_t i, const struct kp_past_call *call)
{
    uint64_t words[KP_PAST_WORDS];
    _Atomic uint64_t *at = entry(history, i);
    memcpy(words, call, sizeof words);
    atomic_store_explicit(&at[0], 0, KP_ORDER_NOTE);
    /* Who sees one of these sees the 0 before it. Partner: read. */
    for (size_t w = 1; w < KP_PAST_WORDS; w++)
        atomic_store_explicit(&at[w], words[w], KP_ORDER_SHOW);
    atomic_store_explicit(&at[0], words[0], KP_ORDER_SHOW);
    atomic_store_explicit(&history->entries, i + 1, KP_ORDER_SHOW);
}

/* False if it has been, or is being, written again. */
static bool read(const struct kp_history *history, uint64_t i, struct kp_past_call *call)
{
    uint64_t words[KP_PAST_WORDS];
    const _Atomic uint64_t *at = history->words[i % KP_HISTORY_ENTRIES];
    for (size_t w = 0; w < KP_PAST_WORDS; w++)
        words[w] = atomic_load_explicit(&at[w], KP_ORDER_INSPECT);
    memcpy(call, words, sizeof words);
    return words[0] != 0 && atomic_load_explicit(&at[0], KP_ORDER_INSPECT) == words[0];
}

/* Calls of neighbouring numbers are kept as one where nothing tells them apart. */
static bool is_another(const struct kp_history *history, uint64_t last, const struct kp_call *call,
                       struct kp_site site)
{
    struct kp_past_call kept;
    const _Atomic uint64_t *at = history->words[last % KP_HISTORY_ENTRIES];
    uint64_t words[offsetof(struct kp_past_call, subject) / sizeof(uint64_t)];
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++)
        words[w] = atomic_load_explicit(&at[w], KP_ORDER_NOTE);
    memcpy(&kept, words, sizeof words);
    return kept.fingerprint != call->fingerprint || kept.file != site.file ||
           kept.line != (uint64_t)site.line;
}

void kp_history_note(struct kp_history *history, const struct kp_call *call, struct kp_site site,
                     const struct kp_past *past)
{
    uint64_t number = atomic_load_explicit(&history->calls, KP_ORDER_NOTE) + 1;
    uint64_t entries = atomic_load_explicit(&history->entries, KP_ORDER_NOTE);
    atomic_store_explicit(&history->calls, number, KP_ORDER_NOTE);
    if (entries > 0 && !is_another(history, entries - 1, call, site))
        return;
    struct kp_past_call kept = {.first = number,
                                .fingerprint = call->fingerprint,
                                .past = past,
                                .file = site.file,
                                .line = (uint64_t)site.line};
    memcpy(kept.subject, call->subject, past->bytes);
    write(history, entries, &kept);
}

void kp_history_reset(struct kp_history *history)
{
    atomic_store_explicit(&history->calls, 0, KP_ORDER_RESET);
    atomic_store_explicit(&history->entries, 0, KP_ORDER_RESET);
}

static void list_all(const struct kp_history *history, struct list *list)
{
    uint64_t entries = atomic_load_explicit(&history->entries, KP_ORDER_INSPECT);
    uint64_t i = entries > KP_HISTORY_ENTRIES ? entries - KP_HISTORY_ENTRIES : 0;
    list->count = 0;
    for (; i < entries; i++) {
        struct kp_past_call *call = &list->calls[list->count];
        if (!read(history, i, call))
            continue;
        /* What stands before it has been written again already: it is a later one. */
        if (list->count > 0 && call->first < call[-1].first) {
            list->calls[0] = *call;
            list->count = 0;
        }
        list->count++;
    }
}

/* The call with that number; NULL: it was before those in the list. */
static const struct kp_past_call *find(const struct list *list, uint64_t number)
{
    int i = list->count - 1;
    while (i >= 0 && list->calls[i].first > number)
        i--;
    return i >= 0 ? &list->calls[i] : NULL;
}

/* Of those that begin in one list, the first that differs before call `end`; else `end`. */
static uint64_t first_difference(const struct list *begins, const struct list *other, uint64_t end)
{
    for (int i = 0; i < begins->count && begins->calls[i].first < end; i++) {
        const struct kp_past_call *call = find(other, begins->calls[i].first);
        if (call && call->fingerprint != begins->calls[i].fingerprint)
            return begins->calls[i].first;
    }
    return end;
}

uint64_t kp_history_differ(const struct kp_history *one, const struct kp_history *other,
                           struct kp_past_call *ones, struct kp_past_call *others, bool *before)
{
    struct list a, b;
    uint64_t mine = atomic_load_explicit(&one->calls, KP_ORDER_INSPECT);
    uint64_t theirs = atomic_load_explicit(&other->calls, KP_ORDER_INSPECT);
    uint64_t none = (mine < theirs ? mine : theirs) + 1;
    list_all(one, &a);
    list_all(other, &b);
    uint64_t number = first_difference(&b, &a, first_difference(&a, &b, none));
    const struct kp_past_call *x = find(&a, number), *y = find(&b, number);
    if (number == none || !x || !y)
        return 0;
    *ones = *x;
    *others = *y;
    *before = a.calls[0].first == number || b.calls[0].first == number;
    *before = *before && number > 1;
    return number;
}

void kp_past_name(const struct kp_past_call *call, char *text, size_t size)
{
    text[0] = '\0';
    call->past->describe(call->subject, text, size);
    size_t length = strlen(text);
    if (call->file && length < size)
        snprintf(text + length, size - length, " (%s:%d)", call->file, (int)call->line);
}
