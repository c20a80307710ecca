#include "tools/kport/msccl/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Connections --- */

static bool does(const struct msccl *m, uint32_t step, int what)
{
    const struct msccl_step *s = &m->steps[step];
    /* A step without chunks sends and receives no message. */
    return (s->kind->does & what) && s->count > 0;
}

static uint32_t count(const struct msccl *m, const struct msccl_block *b, int what)
{
    uint32_t found = 0;
    for (uint32_t i = b->first; i < b->first + b->count; i++)
        found += does(m, i, what);
    return found;
}

static int by_ends(const void *a, const void *b)
{
    const struct msccl_connection *l = a, *r = b;
    int32_t left[] = {l->from, l->to, l->channel}, right[] = {r->from, r->to, r->channel};
    for (int i = 0; i < 3; i++) {
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    }
    return 0;
}

/* Lists each end of a connection for itself. */
static uint32_t list_ends(const struct msccl *m, struct msccl_connection *list)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < m->block_count; i++) {
        const struct msccl_block *b = &m->blocks[i];
        if (b->send >= 0)
            list[found++] = (struct msccl_connection){
                b->rank, b->send, b->channel, i, MSCCL_NONE, count(m, b, MSCCL_SENDS), 0};
        if (b->receive >= 0)
            list[found++] = (struct msccl_connection){
                b->receive, b->rank, b->channel, MSCCL_NONE, i, 0, count(m, b, MSCCL_RECEIVES)};
    }
    return found;
}

static void tell_shared(struct msccl_graph *g, const struct msccl_connection *c, uint32_t a,
                        uint32_t b, struct findings *f)
{
    const struct msccl_block *one = &g->m->blocks[a], *other = &g->m->blocks[b];
    g->shared = true;
    findings_add(f, FINDING_CONNECTION,
                 "tb %d and tb %d of rank %d are both on the connection from rank %d to rank %d on "
                 "channel %d",
                 one->id, other->id, one->rank, c->from, c->to, c->channel);
}

/* Joins the two ends of each connection. */
static void join(struct msccl_graph *g, uint32_t ends, struct findings *f)
{
    struct msccl_connection *list = g->connections;
    uint32_t kept = 0;
    qsort(list, ends, sizeof *list, by_ends);
    for (uint32_t i = 0; i < ends; i++) {
        if (kept == 0 || by_ends(&list[kept - 1], &list[i]) != 0) {
            list[kept++] = list[i];
            continue;
        }
        struct msccl_connection *c = &list[kept - 1];
        if (list[i].sender != MSCCL_NONE) {
            if (c->sender != MSCCL_NONE)
                tell_shared(g, c, c->sender, list[i].sender, f);
            c->sender = list[i].sender;
            c->sends += list[i].sends;
        } else {
            if (c->receiver != MSCCL_NONE)
                tell_shared(g, c, c->receiver, list[i].receiver, f);
            c->receiver = list[i].receiver;
            c->receives += list[i].receives;
        }
    }
    g->connection_count = kept;
}

/* --- Messages --- */

/* Returns the first step of a thread block from `step` on that does this; MSCCL_NONE. */
static uint32_t next(const struct msccl *m, uint32_t block, uint32_t step, int what)
{
    const struct msccl_block *b = &m->blocks[block];
    for (; step < b->first + b->count; step++) {
        if (does(m, step, what))
            return step;
    }
    return MSCCL_NONE;
}

static uint32_t first(const struct msccl *m, uint32_t block, int what)
{
    return block == MSCCL_NONE ? MSCCL_NONE : next(m, block, m->blocks[block].first, what);
}

static void tell_length(const struct msccl *m, uint32_t send, uint32_t receive, struct findings *f)
{
    char from[MSCCL_NAME], to[MSCCL_NAME];
    findings_add(f, FINDING_MESSAGE, "%s sends %d chunks, but %s receives %d",
                 msccl_step_name(m, send, from), m->steps[send].count,
                 msccl_step_name(m, receive, to), m->steps[receive].count);
}

static void match(struct msccl_graph *g, const struct msccl_connection *c, struct findings *f)
{
    const struct msccl *m = g->m;
    uint32_t send = first(m, c->sender, MSCCL_SENDS);
    uint32_t receive = first(m, c->receiver, MSCCL_RECEIVES);
    char name[MSCCL_NAME];
    while (send != MSCCL_NONE && receive != MSCCL_NONE) {
        g->receiver[send] = receive;
        g->sender[receive] = send;
        if (m->steps[send].count != m->steps[receive].count)
            tell_length(m, send, receive, f);
        send = next(m, c->sender, send + 1, MSCCL_SENDS);
        receive = next(m, c->receiver, receive + 1, MSCCL_RECEIVES);
    }
    for (; send != MSCCL_NONE; send = next(m, c->sender, send + 1, MSCCL_SENDS))
        findings_add(f, FINDING_MESSAGE, "%s sends a message that rank %d never receives",
                     msccl_step_name(m, send, name), c->to);
}

static void check_ends(const struct msccl *m, struct findings *f)
{
    char name[MSCCL_NAME];
    for (uint32_t i = 0; i < m->step_count; i++) {
        const struct msccl_block *b = &m->blocks[m->steps[i].block];
        if (does(m, i, MSCCL_SENDS) && b->send < 0)
            findings_add(f, FINDING_CONNECTION, "%s sends, but its tb has send=\"-1\"",
                         msccl_step_name(m, i, name));
        if (does(m, i, MSCCL_RECEIVES) && b->receive < 0)
            findings_add(f, FINDING_CONNECTION, "%s receives, but its tb has recv=\"-1\"",
                         msccl_step_name(m, i, name));
    }
}

static uint32_t *list_of(uint32_t count)
{
    uint32_t *list = malloc(((size_t)count + 1) * sizeof *list);
    if (list)
        memset(list, 0xff, ((size_t)count + 1) * sizeof *list);
    return list;
}

/* Returns the step after which the signal comes that this step waits for; MSCCL_NONE. */
static uint32_t signal_for(const struct msccl *m, uint32_t step)
{
    uint32_t waits = m->steps[step].waits;
    return waits == MSCCL_NONE ? MSCCL_NONE : m->steps[waits].signal;
}

/* Lists for each step the steps of other thread blocks that wait for it. */
static void list_waiting(struct msccl_graph *g)
{
    for (uint32_t i = g->m->step_count; i-- > 0;) {
        uint32_t waits = signal_for(g->m, i);
        if (waits == MSCCL_NONE)
            continue;
        g->next_waiting[i] = g->first_waiting[waits];
        g->first_waiting[waits] = i;
    }
}

bool msccl_graph_begin(struct msccl_graph *g, const struct msccl *m, struct findings *f)
{
    uint32_t **const lists[] = {&g->sender,        &g->receiver,     &g->room,
                                &g->makes_room,    &g->order,        &g->position,
                                &g->first_waiting, &g->next_waiting, &g->pending};
    *g = (struct msccl_graph){.m = m};
    g->connections = calloc(2 * (size_t)m->block_count + 1, sizeof *g->connections);
    bool there = g->connections;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        *lists[i] = list_of(m->step_count);
        there = there && *lists[i];
    }
    if (!there)
        return false;
    join(g, list_ends(m, g->connections), f);
    check_ends(m, f);
    if (!g->shared) {
        for (uint32_t i = 0; i < g->connection_count; i++)
            match(g, &g->connections[i], f);
    }
    list_waiting(g);
    return true;
}

void msccl_graph_end(struct msccl_graph *g)
{
    free(g->connections);
    free(g->sender);
    free(g->receiver);
    free(g->room);
    free(g->makes_room);
    free(g->order);
    free(g->position);
    free(g->first_waiting);
    free(g->next_waiting);
    free(g->pending);
}

/* --- The order --- */

int msccl_graph_before(const struct msccl_graph *g, uint32_t step, uint32_t before[MSCCL_BEFORE])
{
    uint32_t signal = signal_for(g->m, step);
    int found = 0;
    if (step > g->m->blocks[g->m->steps[step].block].first)
        before[found++] = step - 1;
    if (signal != MSCCL_NONE)
        before[found++] = signal;
    if (g->sender[step] != MSCCL_NONE)
        before[found++] = g->sender[step];
    if (g->room[step] != MSCCL_NONE)
        before[found++] = g->room[step];
    return found;
}

/* Returns whether a step waits for something that never happens: a message that nobody sends, a
 * step that there is not, or a signal that no step gives. A thread block signals how far it is
 * after the steps with hasdep="1" only. */
static const char *never(const struct msccl_graph *g, uint32_t step)
{
    const struct msccl *m = g->m;
    const struct msccl_step *s = &m->steps[step];
    if (does(m, step, MSCCL_RECEIVES) && g->sender[step] == MSCCL_NONE)
        return "a message that nobody sends";
    if (s->waits_block >= 0 && s->waits == MSCCL_NONE)
        return "a step that does not exist";
    if (s->waits != MSCCL_NONE && signal_for(m, step) == MSCCL_NONE)
        return "a step that never signals (hasdep is 0 from this step on, but for nops)";
    return NULL;
}

/* Finds for each send the receive that makes room for it. */
static void find_room(struct msccl_graph *g, uint32_t depth)
{
    const struct msccl *m = g->m;
    g->depth = depth;
    memset(g->makes_room, 0xff, m->step_count * sizeof *g->makes_room);
    for (uint32_t i = 0; i < g->connection_count; i++) {
        const struct msccl_connection *c = &g->connections[i];
        uint32_t send = first(m, c->sender, MSCCL_SENDS);
        uint32_t receive = first(m, c->receiver, MSCCL_RECEIVES);
        for (uint32_t k = 0; send != MSCCL_NONE; k++) {
            bool waits = depth != MSCCL_UNBOUNDED && k >= depth && receive != MSCCL_NONE;
            g->room[send] = waits ? receive : MSCCL_NONE;
            if (waits)
                g->makes_room[receive] = send;
            if (waits)
                receive = next(m, c->receiver, receive + 1, MSCCL_RECEIVES);
            send = next(m, c->sender, send + 1, MSCCL_SENDS);
        }
    }
}

static void done_before(struct msccl_graph *g, uint32_t step)
{
    if (step != MSCCL_NONE && --g->pending[step] == 0)
        g->order[g->ordered++] = step;
}

bool msccl_graph_order(struct msccl_graph *g, uint32_t depth)
{
    const struct msccl *m = g->m;
    uint32_t before[MSCCL_BEFORE];
    find_room(g, depth);
    g->ordered = 0;
    for (uint32_t i = 0; i < m->step_count; i++) {
        g->pending[i] = (uint32_t)msccl_graph_before(g, i, before) + (never(g, i) ? 1 : 0);
        if (g->pending[i] == 0)
            g->order[g->ordered++] = i;
    }
    for (uint32_t at = 0; at < g->ordered; at++) {
        uint32_t step = g->order[at];
        const struct msccl_block *b = &m->blocks[m->steps[step].block];
        g->position[step] = at;
        if (step + 1 < b->first + b->count)
            done_before(g, step + 1);
        for (uint32_t i = g->first_waiting[step]; i != MSCCL_NONE; i = g->next_waiting[i])
            done_before(g, i);
        done_before(g, g->receiver[step]);
        done_before(g, g->makes_room[step]);
    }
    return g->ordered == m->step_count;
}

/* --- Deadlocks --- */

/* Reports the steps that wait for what never happens, as far as they are reached. */
static bool explain_never(const struct msccl_graph *g, struct findings *f)
{
    bool any = false;
    char name[MSCCL_NAME];
    for (uint32_t i = 0; i < g->m->step_count; i++) {
        const char *what = g->pending[i] == 1 ? never(g, i) : NULL;
        if (!what)
            continue;
        any = true;
        findings_add(f, FINDING_DEADLOCK, "%s waits for %s", msccl_step_name(g->m, i, name), what);
    }
    return any;
}

/* Returns a step before this one that is never carried out. */
static uint32_t stuck_before(const struct msccl_graph *g, uint32_t step)
{
    uint32_t before[MSCCL_BEFORE];
    int found = msccl_graph_before(g, step, before);
    for (int i = 0; i < found; i++) {
        if (g->pending[before[i]] > 0)
            return before[i];
    }
    return MSCCL_NONE;
}

/* Goes from a step that is never carried out to one before it, as often as there are steps: then it
 * is on a cycle. */
static uint32_t find_cycle(const struct msccl_graph *g)
{
    uint32_t at = 0;
    while (g->pending[at] == 0)
        at++;
    for (uint32_t i = 0; i < g->m->step_count; i++)
        at = stuck_before(g, at);
    return at;
}

void msccl_graph_explain(const struct msccl_graph *g, struct findings *f)
{
    enum {
        SHOWN = 8
    };
    char text[(SHOWN + 2) * (MSCCL_NAME + 24)], name[MSCCL_NAME];
    if (explain_never(g, f))
        return;
    uint32_t begin = find_cycle(g), at = begin;
    int used = snprintf(text, sizeof text, "%s", msccl_step_name(g->m, at, name)), length = 0;
    do {
        at = stuck_before(g, at);
        length++;
        if (length < SHOWN || at == begin)
            used +=
                snprintf(text + used, sizeof text - (size_t)used, "%s waits for %s%s",
                         length > 1 ? ", which" : "", length > SHOWN ? "others, and they for " : "",
                         msccl_step_name(g->m, at, name));
    } while (at != begin);
    findings_add(f, FINDING_DEADLOCK, "%s", text);
}

uint32_t msccl_graph_depth_needed(struct msccl_graph *g)
{
    uint32_t low = 0, high = 0; /* `low` does not suffice, `high` does */
    for (uint32_t i = 0; i < g->connection_count; i++)
        high = g->connections[i].sends > high ? g->connections[i].sends : high;
    while (high > low + 1) {
        uint32_t middle = low + (high - low) / 2;
        if (msccl_graph_order(g, middle))
            high = middle;
        else
            low = middle;
    }
    return high;
}
