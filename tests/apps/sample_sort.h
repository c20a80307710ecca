/* The computations of sample_sort.c: how a processor samples and divides its keys, and how the
 * sorted keys are verified. */
#ifndef KPORT_APPS_SAMPLE_SORT_H
#define KPORT_APPS_SAMPLE_SORT_H

#include "apps.h"

typedef uint32_t key;

typedef struct keys {
    size_t count;
    /* all processors read `given`; each processor writes its own range of `sorted` */
    key *given, *sorted;
} keys;

/* A range of a processor's keys: the keys `begin` to `end - 1`. */
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

/* Takes n evenly spaced keys of a processor as its samples. If the processor has no keys, all its
 * samples are UINT32_MAX. */
static inline void take_samples(const key *mine, size_t count, key *samples, size_t n)
{
    for (size_t s = 0; s < n; s++)
        samples[s] = count > 0 ? mine[s * count / n] : UINT32_MAX;
}

/* Divides a processor's sorted keys among n processors. `samples` has the n * n samples of all
 * processors, sorted; splitter j is samples[j * n]. Processor j gets the remaining keys below
 * splitter j + 1; the last processor gets the rest. */
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

/* Verifies the sorted keys. Only one result is right, because equal keys are indistinguishable. */
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
    for (size_t i = 0; i < k->count; i++) /* some keys occur several times */
        k->given[i] = (key)(app_random(&seed) % (2 * k->count));
}

#endif
