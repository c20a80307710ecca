/* Makes the calls of kp_route in a trial. Sender and receiver compute each message from the seed of
 * the step, so the receiver knows what must arrive. The messages that arrive are verified after the
 * call. They are verified again before the next call of kp_route, because kport must not change
 * them until then. */
#include "tools/kport/common/random.h"
#include "tools/kport/soak/trial_run.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PARCELS  12 /* the largest number of messages that a member sends */
#define MANY_MEMBERS  12 /* with more members than this, packets are longer, to save rounds */
#define OTHER_PACKETS 24 /* the bytes by which the packets of a faulty processor are longer */

static uint64_t of_step(const struct trial_step *step, int what, int rank)
{
    return random_of(step->seed, (uint64_t)what + 201, (uint64_t)rank + 1);
}

/* --- Outgoing messages --- */

static int parcels_of(const struct trial_step *step, int source)
{
    uint64_t random = of_step(step, 0, source);
    return random % 4 == 0 ? 0 : (int)((random >> 8) % (MOST_PARCELS + 1));
}

/* Computes message j of `source`. In a quarter of all steps, most messages go to the same
 * member. */
static struct trial_message parcel_of(const struct trial_step *step, int n, int source, int j)
{
    uint64_t random = of_step(step, 2 + j, source), all = of_step(step, 1, 0);
    bool popular = all % 4 == 0 && random % 8 != 0;
    return (struct trial_message){
        .peer = (int)((popular ? all >> 8 : random >> 8) % (uint64_t)n),
        .bytes = (size_t)((random >> 24) % ((uint64_t)step->bytes + 1)),
        .key = random,
    };
}

static kp_route_hints how_of(const struct trial_step *step, int n)
{
    uint64_t random = of_step(step, 1, 1);
    int protocols = 0;
    while (kp_protocol_name(protocols))
        protocols++;
    size_t least = n > MANY_MEMBERS ? step->bytes + 8 : step->bytes / 8 + 8;
    return (kp_route_hints){
        .protocol =
            random % 3 ? kp_protocol_name((int)((random >> 8) % (uint64_t)protocols)) : NULL,
        .two_stage = (random >> 24) % 3 == 0,
        .packet_bytes = (random >> 32) % 3 ? least : 0,
        .seed = random >> 40};
}

/* --- Verifying arrivals --- */

static bool is_aligned(const kp_arrival *arrival)
{
    size_t bytes = arrival->bytes;
    size_t to = bytes == 1 || bytes == 2 || bytes == 4 ? bytes : 8;
    return bytes == 0 || (uintptr_t)arrival->data % to == 0;
}

static bool holds(const kp_arrival *arrival, const struct trial_message *message)
{
    const unsigned char *bytes = arrival->data;
    for (size_t i = 0; i < message->bytes; i++) {
        if (bytes[i] != trial_byte(message->key, i))
            return false;
    }
    return true;
}

/* Verifies the arrivals, which are the messages that have arrived. The arrivals must be ordered by
 * source, and the messages of one source must be in the order in which they were sent. Returns what
 * is wrong, or NULL. */
static const char *wrong_with(const struct trial_step *step, int n, int rank,
                              const kp_arrivals *arrivals)
{
    kp_arrival arrival = {.source = 0};
    uint64_t bytes = 0;
    size_t count = 0;
    for (int source = 0; source < n; source++) {
        for (int j = 0; j < parcels_of(step, source); j++) {
            struct trial_message message = parcel_of(step, n, source, j);
            if (message.peer != rank)
                continue;
            if (!kp_route_next(arrivals, &arrival))
                return "a message is missing";
            if (arrival.source != source || arrival.bytes != message.bytes)
                return "a message has another source or length";
            if (!is_aligned(&arrival))
                return "a message lies where its type may not";
            if (!holds(&arrival, &message))
                return "a message has another byte";
            bytes += message.bytes;
            count++;
        }
    }
    if (kp_route_next(arrivals, &arrival))
        return "there is a message too many";
    return arrivals->count != count || arrivals->bytes != bytes ? "the sums are wrong" : NULL;
}

static void look_at(struct actor *actor, const struct trial_step *step, int rank, const char *when)
{
    const char *wrong =
        wrong_with(step, trial_size(actor->run->trial, step->group), rank, &actor->arrivals);
    if (!wrong)
        return;
    atomic_fetch_add(&actor->run->wrong_bytes, 1);
    trial_complain(actor, "%s%s", wrong, when);
}

void trial_route_forget(struct actor *actor)
{
    const struct trial *trial = actor->run->trial;
    const struct trial_step *step = actor->routed;
    if (step)
        look_at(actor, step, trial_rank(trial, step->group, actor->number),
                ", some calls after it has come");
    actor->routed = NULL;
    kp_route_free(&actor->arrivals);
}

/* --- The call of a step --- */

static void make(const struct actor *actor, const struct trial_step *step, int rank,
                 kp_parcel *parcels)
{
    int n = trial_size(actor->run->trial, step->group);
    unsigned char *free = actor->memory;
    for (int j = 0; j < parcels_of(step, rank); j++) {
        struct trial_message message = parcel_of(step, n, rank, j);
        parcels[j] = (kp_parcel){.to = message.peer, .data = free, .bytes = message.bytes};
        trial_fill(free, message.bytes, message.key);
        free += message.bytes;
    }
}

int trial_route(struct actor *actor, const struct trial_step *step, int rank)
{
    int n = trial_size(actor->run->trial, step->group), count = parcels_of(step, rank);
    kp_parcel parcels[MOST_PARCELS + 1] = {{.to = 0}};
    kp_route_hints hints = how_of(step, n);
    bool bad = step->fault && step->who == actor->number;
    trial_route_forget(actor);
    size_t bytes = (size_t)count * step->bytes;
    actor->memory = malloc(bytes + 1);
    if (!actor->memory) {
        trial_complain(actor, "no memory for the messages to be routed");
        return kp_fail(actor->self, "no memory for the messages to be routed");
    }
    make(actor, step, rank, parcels);
    if (bad && step->fault == TRIAL_BAD_PEER)
        parcels[count++] = (kp_parcel){.to = n};
    if (bad && step->fault == TRIAL_OTHER_SIZE)
        hints.packet_bytes += OTHER_PACKETS;
    int status =
        kp_route(actor->members[step->group], parcels, (size_t)count, &actor->arrivals, &hints);
    memset(actor->memory, 0xEE, bytes);
    if (status == KP_OK || status == KP_EUNTAKEN) {
        look_at(actor, step, rank, "");
        actor->routed = step;
    }
    free(actor->memory);
    actor->memory = NULL;
    return status;
}
