/* An object for `kport --load`, with one algorithm: a concatenation in which each processor sends
 * its block to all others. The environment variable KPORT_MISTAKE names the mistake that it has. */
#include <kport/schedule.h>

#include <stdlib.h>
#include <string.h>

static int has(const char *mistake)
{
    const char *named = getenv("KPORT_MISTAKE");
    return named && strcmp(named, mistake) == 0;
}

static void write_message(kp_builder *b, const kp_problem *p, int d)
{
    const int port = (d - 1) % p->k, to = (p->rank + d) % p->n;
    const int from = (p->rank + p->n - d) % p->n, mine = p->rank == 1;
    kp_build_send(b, mine && has("port") ? 7 : port, to);
    kp_build_piece(b, mine && has("too-early") ? kp_run_of(KP_IN, to, 1) : kp_run_of(KP_OUT, 0, 1));
    if (p->rank == 0 && has("no-receive"))
        return;
    kp_build_receive(b, port, from);
    kp_build_piece(b, kp_run_of(KP_IN, mine && has("wrong-place") ? to : from, 1));
}

static int build(kp_builder *b, const kp_problem *p)
{
    if (has("status") && p->rank == 2)
        return KP_EFAILED;
    if (!has("missing") || p->rank != 1)
        kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, p->rank, 1));
    if (has("outside"))
        kp_build_move(b, kp_run_of(KP_OUT, 1, 1), kp_run_of(KP_IN, 0, 1));
    for (int d = 1; d < p->n; d++) {
        if (has("too-many") ? d == 1 : (d - 1) % p->k == 0 && !has("no-round"))
            kp_build_round(b);
        write_message(b, p, d);
    }
    return KP_OK;
}

/* The broadcast of a row that says that the rounds of all processors are alike. */
static int build_broadcast(kp_builder *b, const kp_problem *p)
{
    kp_build_round(b);
    if (p->rank == 0 && p->n > 1) {
        kp_build_send(b, 0, 1);
        kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
    } else if (p->rank == 1) {
        kp_build_receive(b, 0, 0);
        kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
    }
    return KP_OK;
}

/* The sums of an allreduce whose row falsely says same_order: each processor adds the operands of
 * the others to its own, in the order of their distances. */
static int build_allreduce(kp_builder *b, const kp_problem *p)
{
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, 0, 1));
    for (int d = 1; d < p->n; d++) {
        kp_build_round(b);
        kp_build_send(b, 0, (p->rank + d) % p->n);
        kp_build_piece(b, kp_run_of(KP_OUT, 0, 1));
        kp_build_combine(b, 0, (p->rank + p->n - d) % p->n, KP_RIGHT);
        kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    if (has("cheap")) {
        *c1 = 1;
        *c2 = p->b;
        return;
    }
    *c1 = ((uint64_t)p->n - 1 + (uint64_t)p->k - 1) / (uint64_t)p->k;
    *c2 = *c1 * p->b + has("cost");
}

static long one(const kp_problem *p)
{
    (void)p;
    return 1;
}

static long none(const kp_problem *p)
{
    (void)p;
    return 0;
}

static kp_algorithm row = {
    .operation = KP_CONCAT, .name = "mine", .build = build, .stated_cost = stated_cost};

static void spoil_parameters(void)
{
    if (has("parameter-name"))
        row.parameters[0] = (kp_parameter){.low = one, .high = one};
    if (has("parameter-key"))
        row.parameters[0] = (kp_parameter){.name = "root", .low = one, .high = one};
    if (has("parameter-range"))
        row.parameters[0] = (kp_parameter){.name = "x", .low = one, .high = none};
    if (has("texts"))
        row.parameters[0] = (kp_parameter){.name = "x", .low = one, .high = one};
}

static void spoil_row(void)
{
    row.name = has("no-name") ? NULL : has("collision") ? "ring" : has("name") ? "a b" : "mine";
    row.operation = has("operation") ? (kp_operation)99 : KP_CONCAT;
    row.build = has("no-build") ? NULL : build;
    if (has("symmetry")) {
        row.operation = KP_BROADCAST;
        row.build = build_broadcast;
        row.stated_cost = NULL;
        row.symmetry = KP_CYCLIC;
    }
    if (has("order")) {
        row.operation = KP_ALLREDUCE;
        row.build = build_allreduce;
        row.stated_cost = NULL;
        row.same_order = 1;
    }
    if (has("digits"))
        row.symmetry = KP_DIGITS;
    spoil_parameters();
}

KP_ENTRY int kport_load(void)
{
    if (has("nothing"))
        return 0;
    if (has("returns"))
        return 7;
    spoil_row();
    return kp_algorithm_register(&row, has("version") ? "0.0.9" : KP_HEADERS,
                                 has("size") ? sizeof row - 8 : sizeof row);
}
