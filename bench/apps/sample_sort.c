/* Sorts keys by sample sort. Each member sorts its keys, and samples of the keys divide the whole
 * range into one part for each member. Each member collects its part and sorts it. If memory is
 * shared, a member copies its part directly from the arrays of the other members. */
#include "../../tests/apps/sample_sort.h"

#include "whole.h"

static bool pose(size_t size, struct posed *posed)
{
    keys *k = malloc(sizeof *k);
    if (!k)
        return false;
    *k = (keys){
        .count = size, .given = calloc(size, sizeof(key)), .sorted = calloc(size, sizeof(key))};
    if (!k->given || !k->sorted)
        return false;
    fill(k, 1);
    *posed = (struct posed){k, k->sorted, size * sizeof(key)};
    return true;
}

/* The numbers of the arrays. PARTS is a table: row i says which range of member i's sorted keys
 * belongs to each member. */
enum {
    MINE,
    GATHERED,
    SAMPLES,
    PARTS,
    ARRIVED, /* without shared memory: the range of keys that each member sends to this member */
    LENGTHS  /* without shared memory: the bytes that this member sends to each member and receives
                from each member */
};

static void plan(const void *problem, size_t n, bool shared, struct room *rooms)
{
    const keys *k = problem;
    size_t most = app_deal(k->count, n, 0).most;
    rooms[MINE] = (struct room){.bytes = n * most * sizeof(key), .common = true};
    rooms[GATHERED] = (struct room){.bytes = n * n * sizeof(key), .common = true};
    rooms[SAMPLES].bytes = n * n * sizeof(key);
    rooms[PARTS] = (struct room){.bytes = n * n * sizeof(range), .common = true};
    if (!shared) {
        rooms[ARRIVED].bytes = n * sizeof(range);
        rooms[LENGTHS].bytes = 2 * n * sizeof(size_t);
    }
}

/* Returns where this member's keys begin and end among all keys in sorted order. `parts` has, for
 * each member, the range of that member's keys that belong to this member. Successive ranges are
 * `stride` elements apart. */
static range own_range(size_t n, const range *parts, size_t stride)
{
    range own = {0, 0};
    for (size_t i = 0; i < n; i++) {
        own.begin += parts[i * stride].begin;
        own.end += parts[i * stride].end;
    }
    return own;
}

static range fetch_shared(struct talk *t, const keys *k, size_t most)
{
    const range *parts = (const range *)t->array[PARTS] + t->me;
    const key *all = t->array[MINE];
    t->calls->barrier(t);
    range own = own_range(t->n, parts, t->n);
    key *to = k->sorted + own.begin;
    for (size_t i = 0; i < t->n; i++) {
        range part = parts[i * t->n];
        memcpy(to, all + i * most + part.begin, (part.end - part.begin) * sizeof *to);
        to += part.end - part.begin;
    }
    return own;
}

static range fetch_by_messages(struct talk *t, const keys *k, const key *mine, const range *parts)
{
    range *arrived = t->array[ARRIVED];
    size_t *out_bytes = t->array[LENGTHS], *in_bytes = out_bytes + t->n;
    t->calls->index(t, parts, arrived, sizeof *parts);
    for (size_t i = 0; i < t->n; i++) {
        out_bytes[i] = (parts[i].end - parts[i].begin) * sizeof *mine;
        in_bytes[i] = (arrived[i].end - arrived[i].begin) * sizeof *mine;
    }
    range own = own_range(t->n, arrived, 1);
    t->calls->indexv(t, mine, out_bytes, k->sorted + own.begin, in_bytes);
    return own;
}

static void run(struct talk *t, void *problem)
{
    const keys *k = problem;
    app_rows own = app_deal(k->count, t->n, t->me);
    size_t n = t->n;
    key *mine = (key *)t->array[MINE] + t->me * own.most;
    key *gathered = t->array[GATHERED], *samples = t->array[SAMPLES];
    range *parts = (range *)t->array[PARTS] + t->me * n;

    memcpy(mine, k->given + own.first, own.count * sizeof *mine);
    sort(mine, own.count);
    take_samples(mine, own.count, gathered + t->me * n, n);
    t->calls->concat(t, gathered, n * sizeof *gathered);
    memcpy(samples, gathered, n * n * sizeof *samples);
    sort(samples, n * n);
    part_keys(mine, own.count, samples, parts, n);
    range sorted =
        t->calls->shared ? fetch_shared(t, k, own.most) : fetch_by_messages(t, k, mine, parts);
    sort(k->sorted + sorted.begin, sorted.end - sorted.begin);
}

static bool right(const void *problem)
{
    const app a = {.name = "sample_sort"};
    keys k = *(const keys *)problem;
    /* The keys are copied, because the verification sorts them in place. */
    k.given = malloc(k.count * sizeof *k.given);
    if (!k.given)
        return false;
    memcpy(k.given, ((const keys *)problem)->given, k.count * sizeof *k.given);
    bool same = verify(&a, &k);
    free(k.given);
    return same;
}

const struct whole sample_sort = {"sample_sort", 100000, 500, pose, plan, run, right};
