/* `kport check FILE.xml`. */
#include "tools/kport/command.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"
#include "tools/kport/msccl/check/verify.h"
#include "tools/kport/msccl/commands.h"

#include <stdio.h>

struct msccl_check_wish {
    uint32_t depth; /* of the connections; 0: unbounded */
    bool back_pressure, torn, same_order, json;
};

/* --- JSON --- */

static json_t *findings_json(const struct findings *f)
{
    json_t *list = json_array();
    const struct finding *findings = f->list.items;
    for (size_t i = 0; i < f->list.count; i++)
        json_array_append_new(list,
                              json_pack("{s:s, s:s}", "kind", finding_kind_name(findings[i].kind),
                                        "sentence", findings[i].sentence));
    return list;
}

static json_t *counts_json(const struct findings *f)
{
    json_t *counts = json_object();
    for (int kind = 0; kind < FINDING_KINDS; kind++) {
        if (f->counts[kind] > 0)
            json_object_set_new(counts, finding_kind_name((enum finding_kind)kind),
                                json_integer((json_int_t)f->counts[kind]));
    }
    return counts;
}

static json_t *number_or_null(bool known, size_t number)
{
    return known ? json_integer((json_int_t)number) : json_null();
}

static json_t *verdict_json(const struct msccl *m, const struct msccl_verdict *v,
                            const struct msccl_check_wish *wish)
{
    const struct findings *f = &v->findings;
    bool wrong = findings_wrong(f, wish->same_order), unknown = m->collective == MSCCL_CUSTOM;
    json_t *order =
        v->order == MSCCL_ORDER_NONE ? json_null() : json_boolean(v->order == MSCCL_ORDER_SAME);
    return json_pack(
        "{s:s, s:s, s:s, s:i, s:i, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:o, s:o}",
        "format", "msccl", "name", m->name, "collective", msccl_collective_name(m->collective),
        "ranks", m->n, "steps", (int)m->step_count, "in_place", m->in_place, "out_of_place",
        m->out_of_place, "correct", unknown && !wrong ? json_null() : json_boolean(!wrong), "races",
        number_or_null(v->examined, f->counts[FINDING_RACE]), "benign_races",
        number_or_null(v->examined, f->counts[FINDING_BENIGN]), "deadlock",
        v->ordered ? json_boolean(v->deadlock) : json_null(), "depth",
        number_or_null(wish->depth > 0, wish->depth), "depth_needed",
        number_or_null(v->examined, v->depth_needed), "back_pressure", wish->back_pressure,
        "same_order", order, "counts", counts_json(f), "findings", findings_json(f));
}

/* --- Text --- */

static void print_findings(const struct findings *f, bool order_counts, FILE *out)
{
    enum {
        SHOWN = 10
    };
    const struct finding *list = f->list.items;
    size_t shown[FINDING_KINDS] = {0};
    for (size_t i = 0; i < f->list.count; i++) {
        enum finding_kind kind = list[i].kind;
        bool wrong = kind <= FINDING_RESULT || (kind == FINDING_ORDER && order_counts);
        if (shown[kind]++ < SHOWN)
            fprintf(out, "  %s%s: %s\n", wrong ? "" : "told: ", finding_kind_name(kind),
                    list[i].sentence);
        else if (shown[kind] == SHOWN + 1)
            fprintf(out, "  and %zu more of this kind: %s\n", f->counts[kind] - SHOWN,
                    finding_kind_name(kind));
    }
}

static void print_order(const struct msccl_verdict *v, FILE *out)
{
    static const char *const sentences[] = {
        [MSCCL_ORDER_NONE] = "nothing is combined, or the result is wrong",
        [MSCCL_ORDER_SAME] = "the sum of a chunk is made in the same order for all ranks",
        [MSCCL_ORDER_OTHER] = "ranks make the sum of a chunk in other orders, so bits may differ",
    };
    bool wrong = findings_wrong(&v->findings, false);
    fprintf(out, "  order: %s\n", sentences[wrong ? MSCCL_ORDER_NONE : v->order]);
}

static void print_depth(const struct msccl_verdict *v, const struct msccl_check_wish *wish,
                        FILE *out)
{
    if (v->examined && v->depth_needed > 0)
        fprintf(out, "  depth: connections that hold %u message%s suffice, fewer do not\n",
                v->depth_needed, v->depth_needed == 1 ? "" : "s");
    if (v->examined)
        fprintf(out, "  races: back-pressure of full connections %s as order\n",
                wish->back_pressure ? "counts" : "does not count");
}

static void print(const char *path, const struct msccl *m, const struct msccl_verdict *v,
                  const struct msccl_check_wish *wish, FILE *out)
{
    bool wrong = findings_wrong(&v->findings, wish->same_order);
    fprintf(out, "%s: %s of %d ranks, %u thread blocks, %u steps, %s: %s\n", path,
            msccl_collective_name(m->collective), m->n, m->block_count, m->step_count,
            m->in_place && m->out_of_place ? "in place and not"
            : m->in_place                  ? "in place"
                                           : "out of place",
            wrong                           ? "wrong"
            : m->collective == MSCCL_CUSTOM ? "no fault found; what is to arrive is not known"
                                            : "right");
    print_findings(&v->findings, wish->same_order, out);
    print_order(v, out);
    print_depth(v, wish, out);
}

/* --- The command --- */

static int tell(const char *path, const struct msccl *m, const struct msccl_verdict *v,
                const struct msccl_check_wish *wish)
{
    FILE *out = output_begin();
    if (!out)
        return EXIT_IMPOSSIBLE;
    if (wish->json)
        output_json(out, "check-msccl", verdict_json(m, v, wish));
    else
        print(path, m, v, wish, out);
    int status = output_end(out, EXIT_DONE);
    return status                                           ? status
           : findings_wrong(&v->findings, wish->same_order) ? EXIT_FAILED
                                                            : EXIT_DONE;
}

static int check(const char *path, const struct msccl_check_wish *wish)
{
    char error[MSCCL_ERROR];
    struct msccl_verdict verdict = {0};
    path += path[0] == '@';
    struct msccl *m = msccl_read(path, error);
    const struct msccl_wish asked = {wish->depth, wish->back_pressure, wish->torn};
    bool done = m && msccl_verify(m, &asked, &verdict, error);
    int status = done ? tell(path, m, &verdict, wish) : EXIT_IMPOSSIBLE;
    if (!done)
        fprintf(stderr, "kport: %s: %s\n", path, error);
    findings_end(&verdict.findings);
    msccl_free(m);
    return status;
}

int msccl_check(const struct command *command, int count, char **arguments)
{
    int back_pressure = 0, torn = 0, same_order = 0, json = 0;
    uint64_t depth = 0;
    const char *path = NULL;
    const struct option_row rows[] = {{"--depth", OPTION_NUMBER, &depth, 1, UINT32_MAX},
                                      {"--back-pressure", OPTION_FLAG, &back_pressure, 0, 0},
                                      {"--torn", OPTION_FLAG, &torn, 0, 0},
                                      {"--same-order", OPTION_FLAG, &same_order, 0, 0},
                                      {"--json", OPTION_FLAG, &json, 0, 0},
                                      {0}};
    int given = options_read(command, rows, count, arguments, &path, 1);
    if (given < 0)
        return options_status(given);
    if (back_pressure && depth == 0) {
        fprintf(stderr, "kport check: --back-pressure needs --depth N\n");
        return EXIT_IMPOSSIBLE;
    }
    return check(
        path, &(struct msccl_check_wish){(uint32_t)depth, back_pressure, torn, same_order, json});
}
