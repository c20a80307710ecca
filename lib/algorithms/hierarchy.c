#include "lib/algorithms/hierarchy.h"

#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"
#include "lib/schedule/elements.h"

const char kp_hierarchy_restriction[] =
    "per_process = 2 ... n / 2 processors in each process of an MPI";

const char *kp_hierarchy_serves(const kp_problem *p)
{
    return p->per_process > 1 && p->per_process < p->n ? NULL : kp_hierarchy_restriction;
}

long kp_hierarchy_radix_high(const kp_problem *p)
{
    int processes = p->per_process > 1 ? p->n / p->per_process : p->n;
    return processes > 2 ? processes : 2;
}

const kp_algorithm *kp_hierarchy_reduce_scatter(const kp_problem *p)
{
    return kp_is_ordered(p) ? &kp_reduce_scatter_pairwise : &kp_reduce_scatter_circulant;
}

/* --- Stages --- */

struct kp_hierarchy kp_hierarchy_of(const kp_problem *p, bool by_leaders)
{
    int t = p->per_process;
    return (struct kp_hierarchy){.p = p,
                                 .t = t,
                                 .processes = p->n / t,
                                 .process = p->rank / t,
                                 .number = p->rank % t,
                                 .leader = by_leaders ? p->root % t : -1};
}

static kp_problem *add(struct kp_hierarchy *h, const kp_algorithm *algorithm, int64_t units,
                       const struct kp_stage *frame)
{
    struct kp_stage *stage = &h->stages[h->count++];
    kp_problem *problem = &stage->problem;
    *stage = *frame;
    problem->operation = algorithm->operation;
    problem->algorithm = algorithm;
    problem->k = (int)kp_least(h->p->k, problem->n > 2 ? problem->n - 1 : 1);
    problem->type = h->p->type;
    problem->op = h->p->op;
    problem->b = (size_t)units * kp_element_bytes(problem);
    problem->values[0] = algorithm->parameters[0].words != NULL;
    return problem;
}

kp_problem *kp_add_within(struct kp_hierarchy *h, const kp_algorithm *algorithm, int64_t units,
                          struct kp_layout out, struct kp_layout in)
{
    const struct kp_stage frame = {.problem = {.n = h->t, .root = h->p->root % h->t},
                                   .first = h->process * h->t,
                                   .distance = 1,
                                   .out = out,
                                   .in = in};
    return add(h, algorithm, units, &frame);
}

kp_problem *kp_add_between(struct kp_hierarchy *h, const kp_algorithm *algorithm, int64_t units,
                           struct kp_layout out, struct kp_layout in)
{
    const struct kp_stage frame = {.problem = {.n = h->processes, .root = h->p->root / h->t},
                                   .first = h->number,
                                   .distance = h->t,
                                   .waits = h->leader >= 0 && h->number != h->leader,
                                   .out = out,
                                   .in = in};
    h->between[h->count] = true;
    return add(h, algorithm, units, &frame);
}

void kp_hierarchy_build(kp_builder *b, const struct kp_hierarchy *h)
{
    for (int i = 0; i < h->count; i++) {
        struct kp_stage stage = h->stages[i];
        stage.scratch = h->scratch;
        kp_build_stage(b, &stage);
    }
}

/* --- Cost --- */

void kp_hierarchy_cost(const struct kp_hierarchy *h, size_t unit, bool only_between, uint64_t *c1,
                       uint64_t *c2)
{
    *c1 = *c2 = 0;
    for (int i = 0; i < h->count; i++) {
        const struct kp_stage *stage = &h->stages[i];
        uint64_t rounds, bytes;
        if (only_between && !h->between[i])
            continue;
        stage->problem.algorithm->stated_cost(&stage->problem, &rounds, &bytes);
        /* The stage counts bytes of blocks of problem.b bytes. They stand for longer blocks. */
        uint64_t block = kp_times((uint64_t)(stage->in.count * stage->in.run), unit);
        *c1 += rounds;
        *c2 = kp_plus(*c2, kp_times(bytes, block / stage->problem.b));
    }
}
