/* Sample sort (Frazer and McKellar 1970; with regular samples as in Shi and Schaeffer 1992).
 *
 * Every processor sorts its keys and chooses n of them, evenly spread, as samples. A concatenation
 * (kp_concat) gives all samples to all processors. Every n-th of the sorted samples separates two
 * of the n ranges of keys. An index tells each processor how many keys it gets from each other one
 * (kp_index), an index of blocks of different lengths moves the keys (kp_indexv), and each
 * processor sorts its range. */
#include "sample_sort.h"

/* What a processor works with; sizes in bytes, as kp_indexv wants them. */
typedef struct room {
    key *mine, *samples;
    range *out, *in;              /* for and from each processor */
    size_t *out_bytes, *in_bytes; /* their lengths; together in one array */
} room;

/* Tells everybody which of the own keys are for it. */
static int part(kp_group *world, const room *r, size_t count)
{
    size_t n = (size_t)kp_size(world), me = (size_t)kp_rank(world);
    take_samples(r->mine, count, r->samples + me * n, n);
    int status = kp_concat(world, KP_IN_PLACE, r->samples, n * sizeof(key), NULL);
    if (status != 0)
        return status;
    sort(r->samples, n * n);
    part_keys(r->mine, count, r->samples, r->out, n);
    return kp_index(world, r->out, r->in, sizeof *r->in, NULL);
}

/* The part of one processor. Where its range begins among all keys is where it begins among
 * everybody's, together. */
static int work(kp_group *world, const keys *k, app_rows own, const room *r)
{
    size_t n = (size_t)kp_size(world), before = 0, count = 0;
    memcpy(r->mine, k->given + own.first, own.count * sizeof(key));
    sort(r->mine, own.count);
    int status = part(world, r, own.count);
    for (size_t i = 0; i < n; i++) {
        r->out_bytes[i] = (r->out[i].end - r->out[i].begin) * sizeof(key);
        r->in_bytes[i] = (r->in[i].end - r->in[i].begin) * sizeof(key);
        before += r->in[i].begin;
        count += r->in[i].end - r->in[i].begin;
    }
    if (status != 0)
        return status;
    key *sorted = k->sorted + before;
    status = kp_indexv(world, r->mine, r->out_bytes, NULL, sorted, r->in_bytes, NULL, NULL);
    sort(sorted, count);
    return status;
}

static int program(kp_proc *self, void *shared)
{
    const keys *k = shared;
    kp_group *world = kp_world(self);
    size_t n = (size_t)kp_size(world);
    app_rows own = app_deal(k->count, n, (size_t)kp_rank(world));
    room r = {.mine = calloc(own.most, sizeof(key)),
              .samples = calloc(n * n, sizeof(key)),
              .out = calloc(2 * n, sizeof(range)),
              .out_bytes = calloc(2 * n, sizeof(size_t))};
    r.in = r.out + n;
    r.in_bytes = r.out_bytes + n;
    int status = r.mine && r.samples && r.out && r.out_bytes
                     ? work(world, k, own, &r)
                     : kp_fail(self, "there is not enough memory for the keys");
    free(r.out_bytes);
    free(r.out);
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
    fill(&k, a.seed);
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
