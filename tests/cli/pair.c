/* An object for `kport --load` with two concatenations, of which one is wrong. The environment
 * variable KPORT_MISTAKE names its mistake. */
#include <kport/schedule.h>

#include <stdlib.h>
#include <string.h>

static int has(const char *mistake)
{
    const char *named = getenv("KPORT_MISTAKE");
    return named && strcmp(named, mistake) == 0;
}

static int build(kp_builder *b, const kp_problem *p, int wrong)
{
    if (wrong && has("status"))
        return KP_EFAILED;
    if (!(wrong && has("missing") && p->rank == p->n - 1))
        kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int d = 1; d < p->n; d++) {
        const int from = (p->rank + p->n - d) % p->n;
        kp_build_round(b);
        kp_build_send(b, 0, (p->rank + d) % p->n);
        kp_build_piece(b, kp_run_of(KP_OUT, 0, 1));
        if (wrong && has("no-receive") && p->rank == 0)
            continue;
        kp_build_receive(b, 0, from);
        kp_build_piece(b, kp_run_of(KP_IN, from, 1));
    }
    return KP_OK;
}

static int build_good(kp_builder *b, const kp_problem *p)
{
    return build(b, p, 0);
}

static int build_bad(kp_builder *b, const kp_problem *p)
{
    return build(b, p, 1);
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = (uint64_t)p->n - 1;
    *c2 = *c1 * p->b;
}

static const kp_algorithm bad = {
    .operation = KP_CONCAT, .name = "bad", .build = build_bad, .stated_cost = stated_cost};
static const kp_algorithm good = {
    .operation = KP_CONCAT, .name = "good", .build = build_good, .stated_cost = stated_cost};

KP_ENTRY int kport_load(void)
{
    int status = kp_algorithm_register(&bad, KP_HEADERS, sizeof bad);
    return status ? status : kp_algorithm_register(&good, KP_HEADERS, sizeof good);
}
