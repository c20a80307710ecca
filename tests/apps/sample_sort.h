/* What sample_sort.c does with the keys of one processor, and what has to come out. */
#ifndef KPORT_APPS_SAMPLE_SORT_H
#define KPORT_APPS_SAMPLE_SORT_H

#include "apps.h"

typedef uint32_t key;

typedef struct keys {
    size_t count;
    key *given, *sorted; /* read by all; each processor writes its range */
} keys;

static inline int compare(const void *a, const void *b)
{
    key x = *(const key *)a, y = *(const key *)b;
    return (x > y) - (x < y);
}

static inline void sort(key *k, size_t count)
{
    qsort(k, count, sizeof *k, compare);
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

#endif
