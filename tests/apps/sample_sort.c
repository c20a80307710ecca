/* Sample sort (Frazer and McKellar 1970; with regular samples as in Shi and Schaeffer 1992).
 *
 * Every processor sorts its keys and chooses n evenly spaced keys as samples. A concatenation
 * (kp_concat) gives all samples to all processors, which sort them. Every n-th sample is a splitter
 * between two ranges of keys. Range j belongs to processor j. An index (kp_index) tells each
 * processor how many keys it gets from each other processor. An index with lengths (kp_indexv)
 * moves the keys, and each processor sorts its range. */
#include "sample_sort.h"

/* The memory of one processor. kp_indexv needs lengths in bytes. */
typedef struct room {
    key *mine, *samples;
    range *out, *in;              /* which keys go to and come from each processor */
    size_t *out_bytes, *in_bytes; /* the same, as lengths in bytes */
} room;

/* Divides this processor's keys among the processors, and tells each processor which keys it
 * gets. */
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

/* The work of one processor. Its range of the result begins at the index `before`, which is the
 * number of all keys in earlier ranges. */
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
