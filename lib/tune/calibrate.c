/* Measures thresholds. A machine of a few threads moves the same bytes in two ways, in turns. The
 * length doubles until the second way takes less time. So the measurement needs no model of the
 * processor.
 *
 * The messages are not written anew between calls. In a program that writes them, the writer must
 * first get the cache lines back from the readers. So packing costs less in such a program than in
 * this measurement. */
#include "lib/tune/thresholds.h"
#include "ports/member.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NS    (UINT64_C(1700) * 1000) /* the threads end within the rest of the 2 ms */
#define MOST_BYTES ((size_t)128 << 10)     /* the greatest length of a message */

enum way {
    PACKED,
    DESCRIBED,
    BY_RECEIVER, /* the receiver, rank 0, copies the message */
    BY_BOTH,
};

/* A comparison of two ways. The threshold is half of the first length at which the second way takes
 * less than 4/5 of the time of the first. If both ways take about the same time, packing is better,
 * because a member that packs does not wait at the end of the call. */
struct trial {
    int what; /* the threshold that is measured */
    enum way ways[2];
    /* At each length, each way gets `batches` batches of `calls` calls; the time of the fastest
     * batch counts. */
    int batches, calls;
};

/* The comparisons that run on one machine. */
struct trials {
    int threads, least_cores, most_cores;
    kp_wait_policy wait;
    int pin, count;
    struct trial trial[2];
};

struct trying {
    const struct trials *all;
    uint64_t (*clock)(void);
    uint64_t until;
    char *memory; /* for each rank, MOST_BYTES to send and MOST_BYTES to receive */
    struct kp_thresholds *found;
};

static void describe(const void *subject, char *text, size_t size)
{
    (void)subject, (void)size;
    text[0] = '\0';
}

static char *sent(const struct trying *t, int rank)
{
    return t->memory + 2 * (size_t)rank * MOST_BYTES;
}

static void move(kp_group *member, const struct trying *t, enum way way, size_t bytes)
{
    const int me = kp_port_rank(member), from = (me + 1) % kp_port_size(member);
    const bool shared = way == BY_BOTH;
    char *taken = sent(t, shared ? 0 : me) + MOST_BYTES;
    const char *source = sent(t, shared ? 1 : from);
    size_t part = shared ? bytes / 2 : bytes, at = shared && me == 1 ? part : 0;
    if (way == BY_RECEIVER && me == 1)
        return;
    if (way == PACKED)
        source = kp_member_buffers(member, bytes) +
                 (size_t)from * kp_member_buffer_stride(member, bytes);
    memcpy(taken + at, source + at, part);
}

static int call(kp_group *member, const struct trying *t, enum way way, size_t bytes)
{
    kp_port_open(member, 1, describe, NULL);
    if (way == PACKED)
        memcpy(kp_member_buffer(member, bytes), sent(t, kp_port_rank(member)), bytes);
    else
        kp_port_lend_all(member);
    int status = kp_port_episode(member, 0);
    if (status)
        return status;
    move(member, t, way, bytes);
    return kp_port_close(member);
}

/* Returns rank 0's value of `so` at all members. Returns true after a failure, to end the trials.
 */
static bool is_so(kp_group *member, bool so)
{
    kp_port_open(member, 1, describe, NULL);
    kp_member_arrive_with(member, so);
    if (kp_member_await(member, 0))
        return true;
    so = kp_member_bits(member) != 0;
    return kp_port_close(member) != KP_OK || so;
}

/* Runs a batch of calls, and lowers `*least` to the batch's time if the batch was faster. Rank 0
 * measures the time until all members have finished. Returns false if there is no time left. */
static bool batch(kp_group *member, const struct trying *t, const struct trial *trial, enum way way,
                  size_t bytes, uint64_t *least)
{
    const bool first = kp_port_rank(member) == 0;
    uint64_t begin = first ? t->clock() : 0;
    for (int i = 0; i < trial->calls; i++) {
        if (call(member, t, way, bytes))
            return false;
    }
    bool over = is_so(member, first && begin >= t->until);
    uint64_t took = first ? t->clock() - begin : 0;
    *least = took < *least ? took : *least;
    return !over;
}

/* Measures one threshold. Returns false if the time did not suffice. */
static bool try_one(kp_group *member, const struct trying *t, const struct trial *trial)
{
    const struct kp_threshold_row *row = &kp_threshold_rows[trial->what];
    const bool first = kp_port_rank(member) == 0;
    bool better = false;
    size_t bytes = row->least;
    while (!better && bytes < row->most) {
        uint64_t least[2] = {UINT64_MAX, UINT64_MAX};
        bytes *= 2;
        memset(sent(t, kp_port_rank(member)), 1, bytes);
        for (int i = 0; i < 2 * trial->batches; i++) {
            if (!batch(member, t, trial, trial->ways[i % 2], bytes, &least[i % 2]))
                return false;
        }
        better = is_so(member, least[1] < least[0] - least[0] / 5);
    }
    if (first)
        t->found->bytes[trial->what] = better ? bytes / 2 : row->most;
    return true;
}

static int try_all(kp_proc *self, void *arg)
{
    const struct trying *t = arg;
    for (int i = 0; i < t->all->count && try_one(kp_world(self), t, &t->all->trial[i]); i++)
        continue;
    return KP_OK;
}

static void try_on_machine(struct trying *t)
{
    struct kp_machine_config config = {.processors = t->all->threads,
                                       .wait = t->all->wait,
                                       .pin = t->all->pin,
                                       .most_cores = t->all->most_cores,
                                       .eager_bytes = MOST_BYTES,
                                       .once = true};
    kp_machine *machine;
    int status = kp_port_machine_create(&config, &machine);
    if (status)
        return;
    t->memory = malloc(2 * (size_t)t->all->threads * MOST_BYTES);
    if (t->memory)
        status = kp_machine_run(machine, try_all, t, NULL);
    free(t->memory);
    (void)kp_machine_destroy(machine);
}

void kp_calibrate(uint64_t (*clock)(void), struct kp_thresholds *found)
{
    static const struct trials all[] = {
        {.threads = 2,
         .least_cores = 2,
         .wait = KP_WAIT_SPIN,
         .pin = KP_PIN_NEVER,
         .count = 2,
         .trial = {{KP_EAGER_OF_TWO, {PACKED, DESCRIBED}, 10, 8},
                   {KP_LEAST_PART, {BY_RECEIVER, BY_BOTH}, 10, 4}}},
        {.threads = 3,
         .least_cores = 3,
         .wait = KP_WAIT_SPIN,
         .pin = KP_PIN_NEVER,
         .count = 1,
         .trial = {{KP_EAGER_OF_MANY, {PACKED, DESCRIBED}, 10, 8}}},
        {.threads = 4,
         .most_cores = 2,
         .wait = KP_WAIT_YIELD,
         .pin = KP_PIN_ALWAYS,
         .count = 1,
         .trial = {{KP_EAGER_CROWDED, {PACKED, DESCRIBED}, 4, 6}}},
    };
    const uint64_t begin = clock(), count = sizeof all / sizeof all[0];
    const int cores = kp_cores();
    for (uint64_t i = 0; i < count; i++) {
        struct trying t = {.all = &all[i],
                           .clock = clock,
                           .until = begin + MOST_NS * (i + 1) / count,
                           .found = found};
        if (cores >= all[i].least_cores && (all[i].most_cores == 0 || kp_pinning()))
            try_on_machine(&t);
    }
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct kp_thresholds here;

static void find_here(void)
{
    const kp_error_record before = *kp_error_slot();
    here = kp_thresholds_of_caches();
    here.from = "measured in this process";
    kp_calibrate(kp_nanoseconds, &here);
    *kp_error_slot() = before;
}

const struct kp_thresholds *kp_thresholds_here(void)
{
    int state; /* the state before; no call of kport may be a cancellation point */
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    pthread_once(&once, find_here);
    pthread_setcancelstate(state, NULL);
    return &here;
}
