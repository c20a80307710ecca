/* The computations of sample_sort.c on the keys of one processor, and the expected result. */
#ifndef KPORT_APPS_SAMPLE_SORT_H
#define KPORT_APPS_SAMPLE_SORT_H

#include "apps.h"

typedef uint32_t key;

typedef struct keys {
    size_t count;
    key *given, *sorted; /* read by all; each processor writes its range */
} keys;

/* Keys begin ... end - 1 of a processor's. */
typedef struct range {
    size_t begin, end;
} range;

static inline int compare(const void *a, const void *b)
{
    key x = *(const key *)a, y = *(const key *)b;
    return (x > y) - (x < y);
}

static inline void sort(key *k, size_t count)
{
    qsort(k, count, sizeof *k, compare);
}

/* n of the own keys, evenly spread; who has none takes the largest there is. */
static inline void take_samples(const key *mine, size_t count, key *samples, size_t n)
{
    for (size_t s = 0; s < n; s++)
        samples[s] = count > 0 ? mine[s * count / n] : UINT32_MAX;
}

/* Which of the own keys belong to which of n processors: to j those that lie between splitters j -
 * 1 and j. Every n-th of all samples, sorted, is one. */
static inline void part_keys(const key *mine, size_t count, const key *samples, range *parts,
                             size_t n)
{
    size_t begin = 0;
    for (size_t j = 0; j < n; j++) {
        size_t end = begin;
        while (end < count && (j + 1 == n || mine[end] < samples[(j + 1) * n]))
            end++;
        parts[j] = (range){begin, end};
        begin = end;
    }
}

/* There is one right order of the keys, since equal ones cannot be told apart. */
static inline int verify(const app *a, const keys *k)
{
    sort(k->given, k->count);
    for (size_t i = 0; i < k->count; i++) {
        if (k->sorted[i] != k->given[i]) {
            fprintf(stderr,
                    "%s: not verified: key %zu of %zu is %" PRIu32 ", and serially %" PRIu32 "\n",
                    a->name, i, k->count, k->sorted[i], k->given[i]);
            return 0;
        }
    }
    return 1;
}

static inline void fill(const keys *k, uint64_t seed)
{
    for (size_t i = 0; i < k->count; i++) /* some of them more than once */
        k->given[i] = (key)(app_random(&seed) % (2 * k->count));
}

#endif
