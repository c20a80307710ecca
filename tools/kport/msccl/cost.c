/* `kport cost FILE.xml`. */
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"
#include "tools/kport/msccl/check/verify.h"
#include "tools/kport/msccl/commands.h"

#include <inttypes.h>
#include <stdlib.h>

/* What goes from one rank to another, over all channels. */
struct link {
    int32_t from, to;
    uint32_t connections, messages;
    uint64_t chunks;
};

struct cost {
    const struct msccl *m;
    uint64_t bytes;                /* of the larger buffer; 0: not given */
    uint32_t messages, moves;      /* steps that send; steps that only move or add */
    uint64_t chunks;               /* that are sent */
    uint32_t chain, message_chain; /* the longest chains, of steps and of messages */
    struct link *links;
    uint32_t link_count;
};

/* --- Counting --- */

static void count_steps(struct cost *c)
{
    for (uint32_t i = 0; i < c->m->step_count; i++) {
        const struct msccl_step *s = &c->m->steps[i];
        bool sends = (s->kind->does & MSCCL_SENDS) && s->count > 0;
        c->messages += sends;
        c->chunks += sends ? (uint64_t)s->count : 0;
        c->moves += s->kind->does && !(s->kind->does & (MSCCL_SENDS | MSCCL_RECEIVES));
    }
}

/* Connections are sorted by their ends, so those of a link are neighbours. */
static void count_links(struct cost *c, const struct msccl_graph *g)
{
    for (uint32_t i = 0; i < g->connection_count; i++) {
        const struct msccl_connection *one = &g->connections[i];
        struct link *link = c->link_count > 0 ? &c->links[c->link_count - 1] : NULL;
        if (!link || link->from != one->from || link->to != one->to) {
            link = &c->links[c->link_count++];
            *link = (struct link){.from = one->from, .to = one->to};
        }
        link->connections++;
    }
    for (uint32_t i = 0; i < c->m->step_count; i++) {
        const struct msccl_step *s = &c->m->steps[i];
        const struct msccl_block *b = &c->m->blocks[s->block];
        if (!(s->kind->does & MSCCL_SENDS) || s->count == 0 || b->send < 0)
            continue;
        uint32_t low = 0, high = c->link_count;
        while (high > low + 1) {
            uint32_t middle = low + (high - low) / 2;
            const struct link *at = &c->links[middle];
            bool after = at->from != b->rank ? at->from > b->rank : at->to > b->send;
            low = after ? low : middle;
            high = after ? middle : high;
        }
        c->links[low].messages++;
        c->links[low].chunks += (uint64_t)s->count;
    }
}

/* Finds the longest chains, in which each step waits for the one before it. */
static bool count_chains(struct cost *c, struct msccl_graph *g)
{
    msccl_graph_order(g, MSCCL_UNBOUNDED);
    uint32_t *steps = calloc(2 * (size_t)c->m->step_count + 1, sizeof *steps);
    uint32_t *messages = steps ? steps + c->m->step_count : NULL, before[MSCCL_BEFORE];
    for (uint32_t i = 0; steps && i < g->ordered; i++) {
        uint32_t step = g->order[i];
        int found = msccl_graph_before(g, step, before);
        for (int k = 0; k < found; k++) {
            uint32_t sent = messages[before[k]] + (g->sender[step] == before[k]);
            steps[step] = steps[before[k]] > steps[step] ? steps[before[k]] : steps[step];
            messages[step] = sent > messages[step] ? sent : messages[step];
        }
        steps[step]++;
        c->chain = steps[step] > c->chain ? steps[step] : c->chain;
        c->message_chain = messages[step] > c->message_chain ? messages[step] : c->message_chain;
    }
    free(steps);
    return steps;
}

static bool count(struct cost *c)
{
    struct msccl_graph g;
    struct findings ignored = {0};
    bool done = msccl_graph_begin(&g, c->m, &ignored);
    c->links = done ? calloc((size_t)g.connection_count + 1, sizeof *c->links) : NULL;
    if (c->links) {
        count_steps(c);
        count_links(c, &g);
    }
    done = c->links && count_chains(c, &g);
    findings_end(&ignored);
    msccl_graph_end(&g);
    return done;
}

/* --- Telling --- */

static uint64_t bytes_of(const struct cost *c, uint64_t chunks)
{
    return (uint64_t)((double)chunks * (double)c->bytes / c->m->chunks);
}

static void print_load(const struct cost *c, uint64_t chunks, FILE *out)
{
    fprintf(out, "%8" PRIu64 " chunks", chunks);
    if (c->bytes)
        fprintf(out, " %12" PRIu64 " bytes", bytes_of(c, chunks));
    fprintf(out, "\n");
}

static int by_load(const void *a, const void *b)
{
    const struct link *l = a, *r = b;
    if (l->chunks != r->chunks)
        return l->chunks > r->chunks ? -1 : 1;
    return l->from != r->from ? (l->from > r->from) - (l->from < r->from)
                              : (l->to > r->to) - (l->to < r->to);
}

static void print(const char *path, struct cost *c, FILE *out)
{
    enum {
        SHOWN = 16
    };
    fprintf(out, "%s: %s of %d ranks, a buffer of %d chunks\n", path,
            msccl_collective_name(c->m->collective), c->m->n, c->m->chunks);
    fprintf(out, "  %8u thread blocks, %u steps, of which %u only move or add\n", c->m->block_count,
            c->m->step_count, c->moves);
    fprintf(out, "  %8u messages over %u links:", c->messages, c->link_count);
    print_load(c, c->chunks, out);
    fprintf(out, "  longest chain: %u steps; %u messages one after the other\n", c->chain,
            c->message_chain);
    if (c->link_count > 0)
        qsort(c->links, c->link_count, sizeof *c->links, by_load);
    for (uint32_t i = 0; i < c->link_count && i < SHOWN; i++) {
        const struct link *l = &c->links[i];
        fprintf(out, "  link %4d -> %-4d %4u connections %6u messages", l->from, l->to,
                l->connections, l->messages);
        print_load(c, l->chunks, out);
    }
    if (c->link_count > SHOWN)
        fprintf(out, "  and %u links with no more chunks; --json has all\n", c->link_count - SHOWN);
}

static json_t *load_json(const struct cost *c, const struct link *l)
{
    json_t *load = json_pack("{s:i, s:i, s:i, s:i, s:I}", "from", l->from, "to", l->to,
                             "connections", (int)l->connections, "messages", (int)l->messages,
                             "chunks", (json_int_t)l->chunks);
    if (c->bytes)
        json_object_set_new(load, "bytes", json_integer((json_int_t)bytes_of(c, l->chunks)));
    return load;
}

static json_t *to_json(const struct cost *c)
{
    json_t *links = json_array();
    for (uint32_t i = 0; i < c->link_count; i++)
        json_array_append_new(links, load_json(c, &c->links[i]));
    json_t *all =
        json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:I, s:I, s:I, s:o}", "format", "msccl",
                  "collective", msccl_collective_name(c->m->collective), "ranks", c->m->n,
                  "buffer_chunks", c->m->chunks, "thread_blocks", (int)c->m->block_count, "steps",
                  (int)c->m->step_count, "local_steps", (int)c->moves, "messages", (int)c->messages,
                  "chunks", (json_int_t)c->chunks, "longest_chain", (json_int_t)c->chain,
                  "message_chain", (json_int_t)c->message_chain, "links", links);
    if (c->bytes)
        json_object_set_new(all, "bytes", json_integer((json_int_t)bytes_of(c, c->chunks)));
    return all;
}

/* --- The command --- */

static int tell(const char *path, struct cost *c, bool json)
{
    FILE *out = output_begin();
    if (!out)
        return EXIT_IMPOSSIBLE;
    if (json)
        output_json(out, "cost-msccl", to_json(c));
    else
        print(path, c, out);
    return output_end(out, EXIT_DONE);
}

int msccl_cost(const struct command *command, int count_of, char **arguments)
{
    int json = 0;
    char error[MSCCL_ERROR];
    const char *path = NULL;
    struct cost c = {.bytes = 0};
    const struct option_row rows[] = {{"--json", OPTION_FLAG, &json, 0, 0},
                                      {"--bytes", OPTION_NUMBER, &c.bytes, 1, UINT64_C(1) << 50},
                                      {0}};
    int given = options_read(command, rows, count_of, arguments, &path, 1);
    if (given < 0)
        return options_status(given);
    path += path[0] == '@';
    struct msccl *m = msccl_read(path, error);
    c.m = m;
    int status = m ? msccl_judge(m, error) : EXIT_IMPOSSIBLE;
    if (!status && !count(&c)) {
        snprintf(error, sizeof error, "there is no memory for the counts");
        status = EXIT_IMPOSSIBLE;
    }
    if (status)
        fprintf(stderr, "kport: %s: %s\n", path, error);
    else
        status = tell(path, &c, json);
    free(c.links);
    msccl_free(m);
    return status;
}
