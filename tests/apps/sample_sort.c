/* Sample sort (Frazer and McKellar 1970; with regular samples as Shi and Schaeffer 1992).
 *
 * Every processor sorts its keys and takes n of them, evenly spread, as samples. A concatenation
 * (kp_concat) brings all samples to all, and every n-th of them, sorted, parts the keys into n
 * ranges. An index tells how many keys everybody gets from whom (kp_index), an index of blocks of
 * different sizes brings them there (kp_indexv), and each processor sorts the range it has. */
#include "sample_sort.h"

/* What a processor works with; sizes in bytes, as kp_indexv wants them. */
typedef struct room {
    key *mine, *samples, *range;
    size_t *out_bytes, *in_bytes, *totals; /* of each processor; together in one array */
} room;

/* Finds which keys belong to which processor: out_bytes[j] is the length of the own keys that lie
 * between splitters j - 1 and j. */
static int part(kp_group *world, const room *r, size_t count)
{
    size_t n = (size_t)kp_size(world), me = (size_t)kp_rank(world), begin = 0;
    for (size_t s = 0; s < n; s++) /* who has no keys takes the largest there is */
        r->samples[me * n + s] = count > 0 ? r->mine[s * count / n] : UINT32_MAX;
    int status = kp_concat(world, KP_IN_PLACE, r->samples, n * sizeof(key), NULL);
    if (status != 0)
        return status;
    sort(r->samples, n * n);
    for (size_t j = 0; j < n; j++) {
        size_t end = begin;
        while (end < count && (j + 1 == n || r->mine[end] < r->samples[(j + 1) * n]))
            end++;
        r->out_bytes[j] = (end - begin) * sizeof(key);
        begin = end;
    }
    return 0;
}

/* The part of one processor. */
static int work(kp_group *world, const keys *k, app_rows own, room *r)
{
    size_t n = (size_t)kp_size(world), me = (size_t)kp_rank(world), before = 0;
    r->in_bytes = r->out_bytes + n;
    r->totals = r->in_bytes + n;
    memcpy(r->mine, k->given + own.first, own.count * sizeof(key));
    sort(r->mine, own.count);
    int status = part(world, r, own.count);
    if (status == 0)
        status = kp_index(world, r->out_bytes, r->in_bytes, sizeof *r->in_bytes, NULL);
    for (size_t i = 0; i < n; i++)
        r->totals[me] += r->in_bytes[i];
    if (status == 0)
        status = kp_concat(world, KP_IN_PLACE, r->totals, sizeof *r->totals, NULL);
    if (status != 0)
        return status;
    r->range = malloc(r->totals[me] + 1);
    if (r->range == NULL)
        return kp_fail(kp_group_self(world), "there is not enough memory for the range of keys");
    status = kp_indexv(world, r->mine, r->out_bytes, NULL, r->range, r->in_bytes, NULL, NULL);
    if (status != 0)
        return status;
    sort(r->range, r->totals[me] / sizeof(key));
    for (size_t i = 0; i < me; i++)
        before += r->totals[i];
    memcpy(k->sorted + before / sizeof(key), r->range, r->totals[me]);
    return 0;
}

static int program(kp_proc *self, void *shared)
{
    const keys *k = shared;
    kp_group *world = kp_world(self);
    size_t n = (size_t)kp_size(world);
    app_rows own = app_deal(k->count, n, (size_t)kp_rank(world));
    room r = {.mine = calloc(own.most, sizeof(key)),
              .samples = calloc(n * n, sizeof(key)),
              .out_bytes = calloc(3 * n, sizeof(size_t))};
    int status = r.mine && r.samples && r.out_bytes
                     ? work(world, k, own, &r)
                     : kp_fail(self, "there is not enough memory for the keys");
    free(r.range);
    free(r.out_bytes);
    free(r.samples);
    free(r.mine);
    return status;
}

int main(int argc, char **argv)
{
    app a = {.name = "sample_sort", .size_is = "keys", .size = 20000, .most = 100000000};
    if (app_read(&a, argc, argv) != 0)
        return APP_REFUSED;
    keys k = {.count = a.size,
              .given = app_array(&a, a.size, sizeof(key)),
              .sorted = app_array(&a, a.size, sizeof(key))};
    uint64_t random = a.seed;
    for (size_t i = 0; i < k.count; i++) /* some of them more than once */
        k.given[i] = (key)(app_random(&random) % (2 * k.count));
    kp_report report;
    int status = app_run(&a, program, &k, &report);
    k.sorted[k.count - 1] ^= (key)a.corrupt;
    if (status == 0)
        status = verify(&a, &k) ? APP_VERIFIED : APP_WRONG;
    if (status == APP_VERIFIED) {
        printf("%zu keys are sorted\n", k.count);
        app_verified(&a, &report, "the same keys in the same order as by a serial sort");
    }
    free(k.sorted);
    free(k.given);
    return status;
}
