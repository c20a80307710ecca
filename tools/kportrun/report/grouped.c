#include "grouped.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMED 8    /* the ranks that a sentence names; one with more has no group */
#define MOST_TOLD  2000 /* of those told at once; later ones are all told at once */

/* How the ranks of two sentences may correspond. */
enum {
    SAME = 1, /* both name the same rank */
    APART = 2 /* each names one that is as far from its own */
};

struct entry {
    char *sentence;
    size_t number; /* in the order of time */
    int rank, times;
    bool also;   /* another rank has told the same at once */
    size_t next; /* in its group, by rank; 0: none */
};

/* The entries have numbers from 1 on. */
struct list {
    struct entry *all;
    size_t count, room;
};

static struct list waiting, told;

/* --- Sentences that differ in ranks only --- */

/* Goes over a sentence. At the number of a rank, returns its digits; else 0. */
static size_t digits_at(const char *sentence, const char *at)
{
    static const char rank[] = "rank ";
    const size_t length = sizeof rank - 1;
    const bool named = (size_t)(at - sentence) >= length && strncmp(at - length, rank, length) == 0;
    return named ? strspn(at, "0123456789") : 0;
}

/* Keeps in `ways` how the ranks of two sentences correspond, beginning with what it has. Returns
 * false if they do not, or if the sentences differ in anything else. */
static bool correspond(const struct entry *one, const struct entry *other, unsigned char *ways)
{
    const char *a = one->sentence, *b = other->sentence;
    int named = 0;
    while (*a && *b) {
        const size_t a_digits = digits_at(one->sentence, a);
        const size_t b_digits = digits_at(other->sentence, b);
        if (a_digits == 0 || b_digits == 0) {
            if (*a++ != *b++)
                return false;
            continue;
        }
        const long a_rank = strtol(a, NULL, 10), b_rank = strtol(b, NULL, 10);
        if (named == MOST_NAMED)
            return false;
        if (a_rank != b_rank)
            ways[named] &= (unsigned char)~SAME;
        if (a_rank - one->rank != b_rank - other->rank)
            ways[named] &= (unsigned char)~APART;
        if (ways[named++] == 0)
            return false;
        a += a_digits;
        b += b_digits;
    }
    return *a == *b;
}

/* Whether a finding joins a group, whose first one and ways these are. */
static bool joins(const struct entry *first, const struct entry *entry, unsigned char *ways)
{
    unsigned char then[MOST_NAMED];
    memcpy(then, ways, sizeof then);
    if (first->times != entry->times || first->also != entry->also ||
        !correspond(first, entry, then))
        return false;
    memcpy(ways, then, sizeof then);
    return true;
}

static void any_way(unsigned char *ways)
{
    memset(ways, SAME | APART, MOST_NAMED);
}

/* --- Taking --- */

static bool add(struct list *list, const struct entry *entry)
{
    if (list->count == list->room) {
        const size_t room = 2 * list->room + 64;
        struct entry *more = realloc(list->all, room * sizeof *more);
        if (!more)
            return false;
        list->all = more;
        list->room = room;
    }
    struct entry *made = &list->all[list->count];
    *made = *entry;
    made->sentence = strdup(entry->sentence);
    if (!made->sentence)
        return false;
    made->number = ++list->count;
    return true;
}

static bool is_told_by_another(const struct entry *entry)
{
    for (size_t i = 0; i < told.count; i++) {
        unsigned char ways[MOST_NAMED];
        any_way(ways);
        if (told.all[i].rank != entry->rank && joins(&told.all[i], entry, ways))
            return true;
    }
    return false;
}

/* Where the rank of a finding stands in its sentence: at the beginning, or after "3 times in all:
 * ". NULL: nowhere. */
static const char *own_rank(const char *sentence, int rank)
{
    char text[40];
    const char *after = strstr(sentence, " times in all: ");
    const char *at =
        isdigit((unsigned char)sentence[0]) && after ? strchr(after, ':') + 2 : sentence;
    (void)snprintf(text, sizeof text, "rank %d: ", rank);
    return strncmp(at, text, strlen(text)) == 0 ? at : NULL;
}

bool grouped_take(const struct kp_finding *finding)
{
    struct entry entry = {.sentence = (char *)(uintptr_t)finding->sentence,
                          .rank = finding->rank,
                          .times = finding->times};
    if (finding->ends || !own_rank(finding->sentence, finding->rank))
        return false;
    if (finding->of_end || finding->times > 1)
        return add(&waiting, &entry);
    if (is_told_by_another(&entry)) {
        entry.also = true;
        return add(&waiting, &entry);
    }
    if (told.count < MOST_TOLD)
        (void)add(&told, &entry);
    return false;
}

/* --- Writing --- */

static int by_rank(const void *one, const void *other)
{
    const struct entry *a = one, *b = other;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

/* Writes "rank 3", or "ranks 0-2, 5". */
static void write_ranks(FILE *out, size_t first)
{
    const struct entry *entry = &waiting.all[first - 1];
    fprintf(out, entry->next ? "ranks " : "rank ");
    for (const char *comma = ""; entry; comma = ", ") {
        const int from = entry->rank;
        int to = from;
        while (entry && (entry->rank == to || entry->rank == to + 1)) {
            to = entry->rank;
            entry = entry->next ? &waiting.all[entry->next - 1] : NULL;
        }
        fprintf(out, from == to ? "%s%d" : "%s%d-%d", comma, from, to);
    }
}

/* Writes the rank that all sentences name; or "r", "r+1" ... for one that is as far from each. */
static void write_named(FILE *out, const struct entry *first, long named, unsigned char way)
{
    if (way & SAME)
        fprintf(out, "%ld", named);
    else if (named == first->rank)
        fprintf(out, "r");
    else
        fprintf(out, "r%+ld", named - first->rank);
}

/* Writes a sentence from `at` on, and returns whether a rank in it is one for each. */
static bool write_words(FILE *out, const struct entry *first, const char *at,
                        const unsigned char *ways)
{
    bool each = false;
    int named = 1; /* the finding's own rank stands before */
    while (*at) {
        const size_t digits = digits_at(first->sentence, at);
        if (digits == 0) {
            fputc(*at++, out);
            continue;
        }
        const unsigned char way = named < MOST_NAMED ? ways[named++] : SAME;
        each = each || !(way & SAME);
        write_named(out, first, strtol(at, NULL, 10), way);
        at += digits;
    }
    return each;
}

static void write_group(size_t number, const unsigned char *ways,
                        void (*write_sentence)(const char *sentence))
{
    const struct entry *first = &waiting.all[number - 1];
    const char *own = own_rank(first->sentence, first->rank);
    const char *rest = strchr(own, ':');
    char *words = NULL, *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&words, &bytes);
    const bool each = out && write_words(out, first, rest, ways);
    const bool written = out && fclose(out) == 0;
    out = open_memstream(&text, &bytes);
    if (out && written) {
        if (first->times > 1)
            fprintf(out, first->next ? "%d times each: " : "%d times in all: ", first->times);
        fprintf(out, first->also ? "also " : "");
        write_ranks(out, number);
        fprintf(out, "%s%s", each ? ", each r" : "", words);
    }
    if (out && fclose(out) == 0 && written)
        write_sentence(text);
    free(text);
    free(words);
}

void grouped_write(void (*write_sentence)(const char *sentence))
{
    if (waiting.count > 0)
        qsort(waiting.all, waiting.count, sizeof *waiting.all, by_rank);
    for (size_t i = 0; i < waiting.count; i++) {
        struct entry *last = &waiting.all[i];
        const struct entry *first = last;
        unsigned char ways[MOST_NAMED];
        if (first->number == 0)
            continue; /* in a group */
        any_way(ways);
        for (size_t j = i + 1; j < waiting.count; j++) {
            struct entry *other = &waiting.all[j];
            if (other->number == 0 || !joins(first, other, ways))
                continue;
            other->number = 0;
            last->next = j + 1;
            last = other;
        }
        write_group(i + 1, ways, write_sentence);
    }
    for (size_t i = 0; i < waiting.count; i++)
        free(waiting.all[i].sentence);
    waiting.count = 0;
}
