#include "tools/kport/msccl/check/verify.h"

#include "tools/kport/command.h"
#include "tools/kport/msccl/check/races.h"

#include <stdio.h>
#include <stdlib.h>

struct verification {
    const struct msccl *m;
    const struct msccl_wish *wish;
    struct msccl_verdict *to;
    struct msccl_graph g;
    bool too_large;
};

/* --- One way to place the buffers --- */

static void judge_order(struct verification *c, const struct msccl_values *v, bool varies)
{
    struct findings *f = &c->to->findings;
    /* A wrong schedule has other sentences. */
    const bool told = !findings_wrong(f, false), races = f->counts[FINDING_RACE] > 0;
    enum msccl_order order = msccl_results_order(v, told ? f : NULL);
    if (order != MSCCL_ORDER_NONE && (varies || races)) {
        order = MSCCL_ORDER_OTHER;
        if (told)
            findings_add(f, FINDING_ORDER, "the order of a sum depends on a race");
    }
    c->to->order = order > c->to->order ? order : c->to->order;
}

static bool check_values(struct verification *c, const struct msccl_places *p,
                         struct msccl_races *r)
{
    struct msccl_values v;
    uint8_t *result = calloc((size_t)p->first[c->m->n] + 1, 1);
    bool done = msccl_values_begin(&v, &c->g, p, r->unordered) && result;
    if (done) {
        msccl_results_mark(&v, result);
        done = msccl_races_judge(r, &v, result);
        msccl_races_tell(r, &c->to->findings);
        msccl_results_check(&v, &c->to->findings);
        judge_order(c, &v, r->varies);
    }
    msccl_values_end(&v);
    free(result);
    return done;
}

static bool check_places(struct verification *c, bool in_place)
{
    struct msccl_places p;
    struct msccl_races r = {0};
    if (c->m->in_place && c->m->out_of_place)
        c->to->findings.prefix = in_place ? "in place: " : "out of place: ";
    bool done = msccl_places_begin(&p, c->m, &c->g, in_place);
    if (done) {
        done = msccl_races_begin(&r, &c->g, &p, !c->wish->torn) && check_values(c, &p, &r);
        c->too_large = r.too_large;
        msccl_races_end(&r);
    }
    msccl_places_end(&p);
    c->to->findings.prefix = NULL;
    return done;
}

/* --- Deadlocks --- */

static void check_depth(struct verification *c)
{
    struct msccl_verdict *to = c->to;
    to->ordered = true;
    if (!msccl_graph_order(&c->g, MSCCL_UNBOUNDED)) {
        to->deadlock = true;
        msccl_graph_explain(&c->g, &to->findings);
        return;
    }
    to->examined = true;
    to->depth_needed = msccl_graph_depth_needed(&c->g);
    if (c->wish->depth == MSCCL_UNBOUNDED || msccl_graph_order(&c->g, c->wish->depth))
        return;
    char prefix[64];
    snprintf(prefix, sizeof prefix, "with connections of depth %u: ", c->wish->depth);
    to->deadlock = true;
    to->findings.prefix = prefix;
    msccl_graph_explain(&c->g, &to->findings);
    to->findings.prefix = NULL;
}

static bool check_steps(struct verification *c)
{
    msccl_places_check(c->m, &c->to->findings);
    if (c->g.shared)
        return true;
    check_depth(c);
    if (!c->to->examined)
        return true;
    msccl_graph_order(&c->g, c->wish->back_pressure && !c->to->deadlock ? c->wish->depth
                                                                        : MSCCL_UNBOUNDED);
    return (!c->m->in_place || check_places(c, true)) &&
           (!c->m->out_of_place || check_places(c, false));
}

bool msccl_verify(const struct msccl *m, const struct msccl_wish *wish, struct msccl_verdict *to,
                  char error[MSCCL_ERROR])
{
    struct verification c = {.m = m, .wish = wish, .to = to};
    *to = (struct msccl_verdict){.order = MSCCL_ORDER_NONE};
    bool done = msccl_graph_begin(&c.g, m, &to->findings) && check_steps(&c);
    msccl_graph_end(&c.g);
    if (m->misnumbered)
        findings_add(&to->findings, FINDING_NOTE,
                     "the step on line %d is not numbered by its place in the tb; its place counts",
                     m->misnumbered);
    if (m->copy)
        findings_add(&to->findings, FINDING_NOTE,
                     "the <copy> on line %d is passed over, as in the runtimes of MSCCL", m->copy);
    if (!done || to->findings.no_memory) {
        snprintf(error, MSCCL_ERROR, "%s",
                 c.too_large ? "too many thread blocks of a rank touch the same places, beside too "
                               "many steps"
                             : "there is no memory for the check");
        return false;
    }
    return true;
}

int msccl_judge(const struct msccl *m, char error[MSCCL_ERROR])
{
    const struct msccl_wish wish = {0};
    struct msccl_verdict verdict;
    int status = msccl_verify(m, &wish, &verdict, error) ? EXIT_DONE : EXIT_IMPOSSIBLE;
    const struct finding *list = verdict.findings.list.items;
    for (size_t i = 0; !status && i < verdict.findings.list.count; i++) {
        if (list[i].kind > FINDING_RESULT)
            continue;
        snprintf(error, MSCCL_ERROR, "%s: %s", finding_kind_name(list[i].kind), list[i].sentence);
        status = EXIT_FAILED;
    }
    findings_end(&verdict.findings);
    return status;
}
