/* `kport show FILE.xml`. */
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"
#include "tools/kport/msccl/check/verify.h"
#include "tools/kport/msccl/commands.h"
#include "tools/kport/msccl/draw.h"

#include <stdio.h>

static void print_place(uint8_t buffer, int32_t from, int32_t count, FILE *out)
{
    fprintf(out, count > 1 ? " %c[%d..%d]" : " %c[%d]", "ios"[buffer], from, from + count - 1);
}

static void print_end(const struct msccl_graph *g, const char *arrow, uint32_t other, FILE *out)
{
    char name[MSCCL_NAME];
    if (other != MSCCL_NONE)
        fprintf(out, "  %s %s", arrow, msccl_step_name(g->m, other, name));
}

static void print_step(const struct msccl_graph *g, uint32_t step, FILE *out)
{
    const struct msccl_step *s = &g->m->steps[step];
    const int does = s->kind->does;
    fprintf(out, "    %4u  %-4s", step - g->m->blocks[s->block].first, s->kind->name);
    if (does & MSCCL_READS)
        print_place(s->from_buffer, s->from, s->count, out);
    if (does & MSCCL_ADDS)
        fprintf(out, " added to");
    else if ((does & MSCCL_READS) && (does & MSCCL_WRITES))
        fprintf(out, " ->");
    if (does & (MSCCL_WRITES | MSCCL_ADDS))
        print_place(s->to_buffer, s->to, s->count, out);
    print_end(g, "from", g->sender[step], out);
    print_end(g, "to", g->receiver[step], out);
    if (s->waits_block >= 0)
        fprintf(out, "  after tb %d step %d", s->waits_block, s->waits_step);
    fprintf(out, "\n");
}

static void print(const struct msccl_graph *g, FILE *out)
{
    const struct msccl *m = g->m;
    fprintf(out, "%s of %d ranks, %d chunks%s%s\n", msccl_collective_name(m->collective), m->n,
            m->chunks, m->in_place ? ", in place" : "",
            m->in_place && m->out_of_place ? " and not" : "");
    for (uint32_t i = 0; i < m->block_count; i++) {
        const struct msccl_block *b = &m->blocks[i];
        fprintf(out, "rank %d tb %d", b->rank, b->id);
        if (b->send >= 0)
            fprintf(out, ", sends to %d", b->send);
        if (b->receive >= 0)
            fprintf(out, ", receives from %d", b->receive);
        if (b->send >= 0 || b->receive >= 0)
            fprintf(out, ", channel %d", b->channel);
        fprintf(out, "\n");
        for (uint32_t k = b->first; k < b->first + b->count; k++)
            print_step(g, k, out);
    }
}

/* Prints or draws the schedule. `error` is a sentence if the status is EXIT_IMPOSSIBLE. */
static int show(const struct msccl *m, const char *svg, char error[MSCCL_ERROR])
{
    struct msccl_graph g;
    struct findings ignored = {0};
    int status = EXIT_DONE;
    FILE *out = output_begin();
    if (!out)
        return EXIT_IMPOSSIBLE;
    if (!msccl_graph_begin(&g, m, &ignored)) {
        snprintf(error, MSCCL_ERROR, "there is no memory for the steps");
        status = EXIT_IMPOSSIBLE;
    } else if (!svg) {
        print(&g, out);
    } else {
        msccl_graph_order(&g, MSCCL_UNBOUNDED);
        status = msccl_draw(&g, out, error) ? EXIT_DONE : EXIT_IMPOSSIBLE;
    }
    findings_end(&ignored);
    msccl_graph_end(&g);
    return output_end_in(out, status, svg ? svg : "-");
}

int msccl_show(const struct command *command, int count, char **arguments)
{
    char error[MSCCL_ERROR];
    const char *path = NULL, *svg = NULL;
    const struct option_row rows[] = {{"--svg", OPTION_TEXT, &svg, 0, 0}, {0}};
    int given = options_read(command, rows, count, arguments, &path, 1);
    if (given < 0)
        return options_status(given);
    path += path[0] == '@';
    struct msccl *m = msccl_read(path, error);
    int status = m ? msccl_judge(m, error) : EXIT_IMPOSSIBLE;
    status = status ? status : show(m, svg, error);
    if (status)
        fprintf(stderr, "kport: %s: %s\n", path, error);
    msccl_free(m);
    return status;
}
