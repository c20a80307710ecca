#include "lib/route/count.h"

#include "lib/schedule/arithmetic.h"

#include <stdlib.h>

uint64_t kp_route_bound(int32_t n, const int32_t *packets)
{
    uint64_t most = 0;
    for (int32_t i = 0; i < n; i++) {
        uint64_t sent = 0, received = 0;
        for (int32_t j = 0; j < n; j++) {
            sent += (uint64_t)packets[(int64_t)i * n + j];
            received += (uint64_t)packets[(int64_t)j * n + i];
        }
        most = sent > most ? sent : most;
        most = received > most ? received : most;
    }
    return kp_ceil_div(most, (uint64_t)n);
}

static void free_routers(struct kp_router *routers, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        kp_router_end(&routers[i]);
    free(routers);
}

static struct kp_router *make_routers(const struct kp_route_relation *relation)
{
    int32_t n = relation->n;
    struct kp_router *routers = calloc((size_t)n, sizeof *routers);
    for (int32_t i = 0; routers && i < n; i++) {
        if (!kp_router_begin(&routers[i], n, i, relation->protocol, relation->two_stage,
                             relation->seed)) {
            free_routers(routers, i);
            return NULL;
        }
    }
    for (int32_t i = 0; routers && i < n; i++) {
        struct kp_router *r = &routers[i];
        int32_t *packets = relation->two_stage ? r->waiting : r->load;
        int64_t column = 0;
        for (int32_t j = 0; j < n; j++) {
            packets[j] = relation->packets[(int64_t)i * n + j];
            column += relation->packets[(int64_t)j * n + i];
        }
        kp_router_filled(r, column);
    }
    return routers;
}

/* Sets `agreed` of every router to the maxima of what all routers offer. */
static void agree(struct kp_router *routers, int32_t n)
{
    uint64_t agreed[KP_AGREED] = {0};
    for (int32_t i = 0; i < n; i++) {
        uint64_t offered[KP_AGREED];
        kp_router_offer(&routers[i], offered);
        for (int k = 0; k < KP_AGREED; k++)
            agreed[k] = offered[k] > agreed[k] ? offered[k] : agreed[k];
    }
    for (int32_t i = 0; i < n; i++) {
        for (int k = 0; k < KP_AGREED; k++)
            routers[i].agreed[k] = agreed[k];
    }
}

/* Moves the packets in the slots of `r` to their receivers. */
static void send_packets(struct kp_router *routers, struct kp_router *r,
                         struct kp_route_count *count)
{
    for (int32_t j = 0; j < r->n; j++) {
        int32_t packet = r->slot[j];
        if (packet == KP_NO_PACKET)
            continue;
        kp_router_sent(r, j);
        kp_router_came(&routers[j], r->rank, packet);
        count->relayed += j != packet && j != r->rank;
    }
}

static void send_words(struct kp_router *routers, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < n; j++)
            routers[j].words_in[i] = routers[i].words_out[j];
    }
}

static void exchange(struct kp_router *routers, int32_t n, enum kp_step step,
                     struct kp_route_count *count)
{
    if (step == KP_STEP_WORDS) {
        send_words(routers, n);
        count->words++;
        return;
    }
    for (int32_t i = 0; i < n; i++)
        send_packets(routers, &routers[i], count);
    for (int32_t i = 0; i < n; i++) {
        uint64_t relays = (uint64_t)routers[i].relays;
        count->most_relays = relays > count->most_relays ? relays : count->most_relays;
    }
    count->rounds++;
}

enum kp_count_status kp_route_count(const struct kp_route_relation *relation,
                                    struct kp_route_count *count)
{
    struct kp_router *routers = make_routers(relation);
    enum kp_count_status status = routers ? KP_COUNT_DONE : KP_COUNT_MEMORY;
    enum kp_step step = KP_STEP_WORDS;
    *count = (struct kp_route_count){0};
    while (status == KP_COUNT_DONE) {
        if (relation->stop && relation->stop(relation->context)) {
            status = KP_COUNT_STOPPED;
            break;
        }
        agree(routers, relation->n);
        for (int32_t i = 0; i < relation->n; i++)
            step = kp_router_decide(&routers[i]);
        if (step == KP_STEP_END)
            break;
        exchange(routers, relation->n, step, count);
    }
    if (routers)
        free_routers(routers, relation->n);
    return status;
}
