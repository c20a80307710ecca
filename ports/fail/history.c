#include "ports/fail/history.h"

#include "ports/error.h"
#include "ports/machine_data.h"
#include "ports/order.h"

#include <string.h>

_Static_assert(sizeof(struct kp_past_call) % sizeof(uint64_t) == 0, "it is copied by words");

/* The entries of a history that are still in its memory, oldest first. */
struct list {
    struct kp_past_call room[KP_HISTORY_ENTRIES];
    const struct kp_past_call *calls;
    int count;
};

void kp_history_note(struct kp_history *history, const struct kp_call *call, struct kp_site site,
                     const struct kp_past *past)
{
    struct kp_past_call *last = &history->last;
    uint64_t number = atomic_load_explicit(&history->calls, KP_ORDER_NOTE) + 1;
    uint64_t entries = atomic_load_explicit(&history->entries, KP_ORDER_NOTE);
    atomic_store_explicit(&history->calls, number, KP_ORDER_NOTE);
    if (entries > 0 && last->fingerprint == call->fingerprint && last->file == site.file &&
        last->line == (uint64_t)site.line)
        return;
    uint64_t words[KP_PAST_WORDS];
    _Atomic uint64_t *entry = history->words[entries % KP_HISTORY_ENTRIES];
    *last = (struct kp_past_call){.first = number,
                                  .fingerprint = call->fingerprint,
                                  .past = past,
                                  .file = site.file,
                                  .line = (uint64_t)site.line};
    if (past->copy)
        past->copy(call->subject, last->subject);
    else
        memcpy(last->subject, call->subject, past->bytes);
    memcpy(words, last, sizeof words);
    atomic_store_explicit(&history->begun, entries + 1, KP_ORDER_NOTE);
    /* A reader that sees one of these words also sees the new `begun` (partner: list_all). */
    for (size_t w = 0; w < KP_PAST_WORDS; w++)
        atomic_store_explicit(&entry[w], words[w], KP_ORDER_SHOW);
    atomic_store_explicit(&history->entries, entries + 1, KP_ORDER_SHOW);
}

void kp_history_reset(struct kp_history *history)
{
    atomic_store_explicit(&history->calls, 0, KP_ORDER_RESET);
    atomic_store_explicit(&history->begun, 0, KP_ORDER_RESET);
    atomic_store_explicit(&history->entries, 0, KP_ORDER_RESET);
}

static uint64_t oldest(uint64_t entries)
{
    return entries > KP_HISTORY_ENTRIES ? entries - KP_HISTORY_ENTRIES : 0;
}

static void list_all(const struct kp_history *history, struct list *list)
{
    uint64_t end = atomic_load_explicit(&history->entries, KP_ORDER_INSPECT), first = oldest(end);
    for (uint64_t i = first; i < end; i++) {
        uint64_t words[KP_PAST_WORDS];
        const _Atomic uint64_t *entry = history->words[i % KP_HISTORY_ENTRIES];
        for (size_t w = 0; w < KP_PAST_WORDS; w++)
            words[w] = atomic_load_explicit(&entry[w], KP_ORDER_INSPECT);
        memcpy(&list->room[i - first], words, sizeof words);
    }
    /* The list leaves out entries that the member has overwritten, or may be overwriting now. */
    uint64_t kept = oldest(atomic_load_explicit(&history->begun, KP_ORDER_NOTE));
    kept = kept < end ? kept : end;
    list->calls = &list->room[kept - first];
    list->count = (int)(end - kept);
}

/* Returns the entry that contains the call with this number, or NULL if it is no longer there. */
static const struct kp_past_call *find(const struct list *list, uint64_t number)
{
    int i = list->count - 1;
    while (i >= 0 && list->calls[i].first > number)
        i--;
    return i >= 0 ? &list->calls[i] : NULL;
}

/* Returns the number of the first call before `end` that begins an entry of `begins` and differs in
 * `other`. Returns `end` if there is no such call. */
static uint64_t first_difference(const struct list *begins, const struct list *other, uint64_t end)
{
    for (int i = 0; i < begins->count && begins->calls[i].first < end; i++) {
        const struct kp_past_call *call = find(other, begins->calls[i].first);
        if (call && call->fingerprint != begins->calls[i].fingerprint)
            return begins->calls[i].first;
    }
    return end;
}

static struct kp_site site_of(const struct kp_past_call *call)
{
    return (struct kp_site){call->file, (int)call->line};
}

static void say_call(const kp_machine *machine, struct kp_words *words, int processor,
                     const struct kp_past_call *call)
{
    char text[160] = "";
    call->past->describe(call->subject, text, sizeof text);
    kp_call_as_written(machine, site_of(call), text, sizeof text);
    kp_say(words, "processor %d called %s", processor, text);
    if (call->file)
        kp_say(words, " (%s:%d)", call->file, kp_site_line(site_of(call)));
}

bool kp_history_say_difference(const kp_machine *machine, const struct kp_history *one,
                               int processor, const struct kp_history *other, int another,
                               struct kp_words *words, struct kp_site *site)
{
    struct list a, b;
    uint64_t mine = atomic_load_explicit(&one->calls, KP_ORDER_INSPECT);
    uint64_t theirs = atomic_load_explicit(&other->calls, KP_ORDER_INSPECT);
    uint64_t none = (mine < theirs ? mine : theirs) + 1;
    list_all(one, &a);
    list_all(other, &b);
    uint64_t number = first_difference(&b, &a, first_difference(&a, &b, none));
    const struct kp_past_call *x = find(&a, number), *y = find(&b, number);
    if (number == none || !x || !y) /* untaken: both histories have a call that differs */
        return false;
    /* The members' calls may have differed earlier, in calls that one history no longer has.
     * Seldom taken: the oldest call of a history differs. */
    bool before = number > 1 && (a.calls[0].first == number || b.calls[0].first == number);
    *site = site_of(x);
    say_call(machine, words, processor, x);
    kp_say(words, ", ");
    say_call(machine, words, another, y);
    kp_say(words, " (call %llu of both%s)", (unsigned long long)number,
           before ? ", or an earlier one differs too" : "");
    return true;
}
