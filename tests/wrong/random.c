/* Random programs that are correct. A seed determines the machine, the groups and the sequence of
 * calls. All members of a group make the group's calls in the same order. The result of each call
 * is verified. Each processor ends after its last call, without waiting for the others. */
#include "wrong.h"

#undef kp_here
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MOST_STEPS = 40,
    RANDOM_PROCESSORS = 12,
    RANDOM_GROUPS = 4, /* the most groups, not counting the world */
    MOST_ELEMENTS = 300,
};

/* A step of the program: one call by all members of one group. */
typedef struct action {
    int call, group, elements, root, to, shift;
    bool in_place, planned;
    long radix;
} action;

typedef struct script {
    uint64_t seed;
    bool delays, attached;
    int n, groups, steps;
    kp_config config;
    struct {
        int size, members[RANDOM_PROCESSORS];
    } group[RANDOM_GROUPS + 1];
    action step[MOST_STEPS];
    kp_machine *machine;
    atomic_int attached_threads;
    _Atomic(const char *) complaint;
} script;

/* The state of one processor. */
typedef struct participant {
    script *play;
    kp_proc *self;
    kp_group *groups[RANDOM_GROUPS + 1];
    int me;
    uint64_t random;
    char text[KP_SENTENCE_BYTES + 200];
    int32_t out[RANDOM_PROCESSORS * MOST_ELEMENTS], in[RANDOM_PROCESSORS * MOST_ELEMENTS];
} participant;

static int draw(uint64_t *random, int from, int to)
{
    return from + (int)(next_random(random) % (uint64_t)(to - from + 1));
}

/* Returns element e of the block that processor `from` has for processor `to` in a step. */
static int32_t element(const script *play, int step, int from, int to, int e)
{
    uint64_t state = play->seed + (uint64_t)step * 1000003 + (uint64_t)from * 10007 +
                     (uint64_t)to * 101 + (uint64_t)e;
    return (int32_t)(next_random(&state) & 0xffff);
}

static void fill(participant *mine, int number, int32_t *block, int from, int to, int elements)
{
    for (int e = 0; e < elements; e++)
        block[e] = element(mine->play, number, from, to, e);
}

static bool is(participant *mine, int number, const int32_t *block, int from, int to, int elements)
{
    for (int e = 0; e < elements; e++)
        if (block[e] != element(mine->play, number, from, to, e))
            return false;
    return true;
}

/* Returns whether `block` is the sum of the blocks that ranks first ... last - 1 have for `to`. */
static bool is_sum(participant *mine, int number, const int32_t *block, int first, int last, int to,
                   int elements)
{
    for (int e = 0; e < elements; e++) {
        int32_t sum = 0;
        for (int from = first; from < last; from++)
            sum += element(mine->play, number, from, to, e);
        if (block[e] != sum)
            return false;
    }
    return true;
}

/* --- Calls. Each function makes this processor's call of a step and verifies the result. It
 * returns the call's status, or WRONG_DATA --- */

typedef int call_function(participant *mine, const action *step, int number, kp_group *group);

static int index_call(participant *mine, const action *step, int number, kp_group *group)
{
    int n = kp_size(group), me = kp_rank(group), length = step->elements;
    int32_t *from = step->in_place ? mine->in : mine->out;
    for (int j = 0; j < n; j++)
        fill(mine, number, from + j * length, me, j, length);
    kp_hints hints = {.algorithm = kp_algorithm_find(KP_INDEX, "radix"), .values = {step->radix}};
    size_t b = (size_t)length * sizeof(int32_t);
    const void *out = step->in_place ? KP_IN_PLACE : mine->out;
    int status =
        kp_index(group, out, mine->in, b, step->radix <= n && step->radix > 1 ? &hints : NULL);
    for (int i = 0; i < n && status == 0; i++)
        if (!is(mine, number, mine->in + i * length, i, me, length))
            return WRONG_DATA;
    return status;
}

static int concat_call(participant *mine, const action *step, int number, kp_group *group)
{
    int n = kp_size(group), me = kp_rank(group), length = step->elements, status;
    fill(mine, number, step->in_place ? mine->in + me * length : mine->out, me, 0, length);
    const void *out = step->in_place ? KP_IN_PLACE : mine->out;
    size_t b = (size_t)length * sizeof(int32_t);
    kp_plan *plan = NULL;
    if (step->planned && number % n == me) {
        kp_arguments arguments = {.operation = KP_CONCAT, .out = out, .in = mine->in, .b = b};
        status = kp_plan_make(group, &arguments, &plan);
        if (status == 0)
            status = kp_plan_execute(plan);
        (void)kp_plan_free(plan);
    } else
        status = kp_concat(group, out, mine->in, b, NULL);
    for (int i = 0; i < n && status == 0; i++)
        if (!is(mine, number, mine->in + i * length, i, 0, length))
            return WRONG_DATA;
    return status;
}

static int broadcast_call(participant *mine, const action *step, int number, kp_group *group)
{
    int root = step->root % kp_size(group), length = step->elements;
    if (kp_rank(group) == root)
        fill(mine, number, mine->in, root, 0, length);
    int status = kp_broadcast(group, mine->in, (size_t)length * sizeof(int32_t), root, NULL);
    return status ? status : is(mine, number, mine->in, root, 0, length) ? 0 : WRONG_DATA;
}

static int scatter_call(participant *mine, const action *step, int number, kp_group *group)
{
    int n = kp_size(group), me = kp_rank(group), root = step->root % n, length = step->elements;
    for (int j = 0; j < n && me == root; j++)
        fill(mine, number, mine->out + j * length, root, j, length);
    int status = kp_scatter(group, me == root ? mine->out : NULL, mine->in,
                            (size_t)length * sizeof(int32_t), root, NULL);
    return status ? status : is(mine, number, mine->in, root, me, length) ? 0 : WRONG_DATA;
}

static int gather_call(participant *mine, const action *step, int number, kp_group *group)
{
    int n = kp_size(group), me = kp_rank(group), root = step->root % n, length = step->elements;
    fill(mine, number, mine->out, me, 0, length);
    int status = kp_gather(group, mine->out, me == root ? mine->in : NULL,
                           (size_t)length * sizeof(int32_t), root, NULL);
    for (int i = 0; i < n && me == root && status == 0; i++)
        if (!is(mine, number, mine->in + i * length, i, 0, length))
            return WRONG_DATA;
    return status;
}

static int one_to_one_call(participant *mine, const action *step, int number, kp_group *group)
{
    int n = kp_size(group), me = kp_rank(group), root = step->root % n, to = step->to % n;
    int length = step->elements;
    if (me == root)
        fill(mine, number, mine->out, root, to, length);
    int status =
        kp_one_to_one(group, mine->out, mine->in, (size_t)length * sizeof(int32_t), root, to, NULL);
    return status || me != to || is(mine, number, mine->in, root, to, length) ? status : WRONG_DATA;
}

static int allreduce_call(participant *mine, const action *step, int number, kp_group *group)
{
    int n = kp_size(group), length = step->elements;
    fill(mine, number, step->in_place ? mine->in : mine->out, kp_rank(group), 0, length);
    int status = kp_allreduce(group, step->in_place ? KP_IN_PLACE : mine->out, mine->in,
                              (size_t)length, KP_INT32, KP_SUM, NULL);
    return status || is_sum(mine, number, mine->in, 0, n, 0, length) ? status : WRONG_DATA;
}

static int reduce_call(participant *mine, const action *step, int number, kp_group *group)
{
    int n = kp_size(group), me = kp_rank(group), root = step->root % n, length = step->elements;
    fill(mine, number, mine->out, me, 0, length);
    int status = kp_reduce(group, mine->out, me == root ? mine->in : NULL, (size_t)length, KP_INT32,
                           KP_SUM, root, NULL);
    return status || me != root || is_sum(mine, number, mine->in, 0, n, 0, length) ? status
                                                                                   : WRONG_DATA;
}

static int reduce_scatter_call(participant *mine, const action *step, int number, kp_group *group)
{
    int n = kp_size(group), me = kp_rank(group), length = step->elements;
    for (int j = 0; j < n; j++)
        fill(mine, number, mine->out + j * length, me, j, length);
    int status =
        kp_reduce_scatter(group, mine->out, mine->in, (size_t)length, KP_INT32, KP_SUM, NULL);
    return status || is_sum(mine, number, mine->in, 0, n, me, length) ? status : WRONG_DATA;
}

static int scan_call(participant *mine, const action *step, int number, kp_group *group)
{
    int me = kp_rank(group), length = step->elements;
    fill(mine, number, mine->out, me, 0, length);
    int status = step->in_place
                     ? kp_exscan(group, mine->out, mine->in, (size_t)length, KP_INT32, KP_SUM, NULL)
                     : kp_scan(group, mine->out, mine->in, (size_t)length, KP_INT32, KP_SUM, NULL);
    if (status || (step->in_place && me == 0))
        return status;
    return is_sum(mine, number, mine->in, 0, me + !step->in_place, 0, length) ? 0 : WRONG_DATA;
}

/* Returns the length of a block in a call in which each block has a length of its own. Some lengths
 * are 0. */
static int length_of(const script *play, const action *step, int number, int from, int to)
{
    return element(play, number, from, to, -1) % (step->elements + 1);
}

static int indexv_call(participant *mine, const action *step, int number, kp_group *group)
{
    int n = kp_size(group), me = kp_rank(group);
    size_t out[RANDOM_PROCESSORS], in[RANDOM_PROCESSORS];
    int32_t *to = mine->out, *from = mine->in;
    for (int j = 0; j < n; j++) {
        int length = length_of(mine->play, step, number, me, j);
        fill(mine, number, to, me, j, length);
        to += length;
        out[j] = (size_t)length * sizeof(int32_t);
        in[j] = (size_t)length_of(mine->play, step, number, j, me) * sizeof(int32_t);
    }
    int status = kp_indexv(group, mine->out, out, NULL, mine->in, in, NULL, NULL);
    for (int i = 0; i < n && status == 0; i++) {
        int length = length_of(mine->play, step, number, i, me);
        if (!is(mine, number, from, i, me, length))
            return WRONG_DATA;
        from += length;
    }
    return status;
}

/* Makes a round in which every member may send a message to the member at a random distance. A
 * quarter of the members send nothing. */
static int exchange_call(participant *mine, const action *step, int number, kp_group *group)
{
    int n = kp_size(group), me = kp_rank(group), length = step->elements;
    if (n == 1)
        return kp_exchange(group, NULL, 0, NULL, 0);
    int distance = 1 + step->shift % (n - 1), to = (me + distance) % n,
        from = (me + n - distance) % n;
    bool sends = element(mine->play, number, me, to, -2) % 4 != 0;
    bool receives = element(mine->play, number, from, me, -2) % 4 != 0;
    fill(mine, number, mine->out, me, to, length);
    int port = step->root % kp_ports(group);
    size_t bytes = (size_t)length * sizeof(int32_t);
    kp_outgoing out = {.port = port, .peer = to, .data = mine->out, .bytes = bytes};
    kp_incoming in = {.port = port, .peer = from, .data = mine->in, .bytes = bytes};
    if (step->in_place)
        in = (kp_incoming){port, from, mine->in, sizeof mine->in, 1};
    int status = kp_exchange(group, &out, sends, &in, receives);
    if (status || !receives)
        return status;
    return in.bytes == bytes && is(mine, number, mine->in, from, me, length) ? 0 : WRONG_DATA;
}

static int barrier_call(participant *mine, const action *step, int number, kp_group *group)
{
    (void)mine, (void)step, (void)number;
    return kp_barrier(group);
}

static const struct {
    const char *name;
    call_function *make;
} calls[] = {
    {"index", index_call},         {"concat", concat_call},
    {"broadcast", broadcast_call}, {"scatter", scatter_call},
    {"gather", gather_call},       {"one to one", one_to_one_call},
    {"allreduce", allreduce_call}, {"reduce", reduce_call},
    {"scan", scan_call},           {"reduce-scatter", reduce_scatter_call},
    {"indexv", indexv_call},       {"exchange", exchange_call},
    {"exchange", exchange_call},   {"barrier", barrier_call},
};
enum {
    CALLS = sizeof calls / sizeof *calls
};

/* --- The run of one processor --- */

static void hesitate(participant *mine)
{
    if (!mine->play->delays || next_random(&mine->random) % 6 != 0)
        return;
    int turns = (int)(next_random(&mine->random) % 2000);
    if (mine->play->config.carrier == KP_CARRIER_THREADS) {
        nanosleep(&(struct timespec){.tv_nsec = turns * 100}, NULL);
        return;
    }
    atomic_int turned = 0;
    while (turned < turns)
        turned++;
}

static int last_step_of(const script *play, int processor)
{
    int last = -1;
    for (int i = 0; i < play->steps; i++)
        for (int m = 0; m < play->group[play->step[i].group].size; m++)
            if (play->group[play->step[i].group].members[m] == processor)
                last = i;
    return last;
}

static void complain(participant *mine, int number, int status, const char *what)
{
    const char *none = NULL;
    snprintf(mine->text, sizeof mine->text, "processor %d, step %d, %s: status %d: %s", mine->me,
             number, what, status,
             status == WRONG_DATA ? "wrong data" : kp_error(mine->self)->sentence);
    atomic_compare_exchange_strong(&mine->play->complaint, &none, mine->text);
}

static int member_of(participant *mine, int group)
{
    const script *play = mine->play;
    if (mine->groups[group])
        return 0;
    if (group == 0) {
        mine->groups[0] = kp_world(mine->self);
        return 0;
    }
    return kp_group_create(mine->self, play->group[group].members, play->group[group].size,
                           &mine->groups[group]);
}

static int go_through(participant *mine)
{
    script *play = mine->play;
    int last = last_step_of(play, mine->me), status = 0;
    for (int i = 0; i <= last && status == 0; i++) {
        const action *step = &play->step[i];
        bool concerned = false;
        for (int m = 0; m < play->group[step->group].size; m++)
            concerned |= play->group[step->group].members[m] == mine->me;
        if (!concerned)
            continue;
        hesitate(mine);
        status = member_of(mine, step->group);
        if (status == 0)
            status = calls[step->call].make(mine, step, i, mine->groups[step->group]);
        if (status != 0)
            complain(mine, i, status, calls[step->call].name);
    }
    for (int g = 1; g <= play->groups; g++)
        (void)kp_group_free(mine->groups[g]);
    return status;
}

static participant *sit_down(script *play, kp_proc *self)
{
    participant *mine = calloc(1, sizeof *mine);
    if (!mine)
        abort();
    mine->play = play;
    mine->self = self;
    mine->me = kp_processor(self);
    mine->random = play->seed * RANDOM_PROCESSORS + (uint64_t)mine->me;
    return mine;
}

/* Frees the processor's state, unless its `text` has an error message, which is read later. */
static int stand_up(participant *mine, int status)
{
    if (!mine->text[0])
        free(mine);
    return status;
}

static int started(kp_proc *self, void *arg)
{
    participant *mine = sit_down(arg, self);
    return stand_up(mine, go_through(mine));
}

typedef struct thread_of {
    script *play;
    int processor;
} thread_of;

static void *attached(void *arg)
{
    script *play = ((thread_of *)arg)->play;
    kp_proc *self = NULL;
    if (kp_machine_attach(play->machine, ((thread_of *)arg)->processor, &self) != 0)
        abort();
    atomic_fetch_add(&play->attached_threads, 1);
    while (atomic_load(&play->attached_threads) < play->n)
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    participant *mine = sit_down(play, self);
    int status = stand_up(mine, go_through(mine));
    int detached = kp_machine_detach(self);
    if (status == 0 && detached != 0)
        atomic_store(&play->complaint, "detaching failed");
    return NULL;
}

/* --- From the seed to the program --- */

static void draw_group(script *play, int g, uint64_t *random)
{
    int order[RANDOM_PROCESSORS];
    for (int i = 0; i < play->n; i++)
        order[i] = i;
    for (int i = play->n - 1; i > 0 && g > 0; i--) {
        int other = draw(random, 0, i), kept = order[i];
        order[i] = order[other];
        order[other] = kept;
    }
    play->group[g].size = g == 0 ? play->n : draw(random, 1, play->n);
    memcpy(play->group[g].members, order, sizeof order);
}

static void draw_machine(script *play, uint64_t *random)
{
    kp_config *config = &play->config;
    config->processors = play->n = draw(random, 1, RANDOM_PROCESSORS);
    config->ports = play->n > 1 ? draw(random, 1, play->n - 1) : 1;
    config->wait = (kp_wait_policy)draw(random, KP_WAIT_AUTO, KP_WAIT_PARK);
    config->time_limit_ms = draw(random, 0, 3) == 0 ? 60000 : 0;
    config->eager_bytes = draw(random, 0, 1) ? (size_t)draw(random, 1, 2000) : 0;
    if (draw(random, 0, 2) == 0) {
        config->discipline = KP_ROUNDS_BY_MAILBOXES;
        config->generations = 2 << draw(random, 0, 4);
    }
    if (kp_fibers() && draw(random, 0, 1)) {
        config->carrier = KP_CARRIER_FIBERS;
        config->workers = draw(random, 1, play->n < 3 ? play->n : 3);
        config->seed = draw(random, 0, 1) ? next_random(random) : 0;
    } else
        play->attached = draw(random, 0, 2) == 0;
}

static void draw_play(script *play, uint64_t seed)
{
    uint64_t random = seed;
    play->seed = seed;
    draw_machine(play, &random);
    play->groups = draw(&random, 0, RANDOM_GROUPS);
    for (int g = 0; g <= play->groups; g++)
        draw_group(play, g, &random);
    play->steps = draw(&random, 1, MOST_STEPS);
    for (int i = 0; i < play->steps; i++)
        play->step[i] = (action){
            .call = draw(&random, 0, CALLS - 1),
            .group = draw(&random, 0, play->groups),
            .elements =
                draw(&random, 0, 3) == 0 ? draw(&random, 0, MOST_ELEMENTS) : draw(&random, 0, 4),
            .root = draw(&random, 0, 1000),
            .to = draw(&random, 0, 1000),
            .shift = draw(&random, 0, 1000),
            .in_place = draw(&random, 0, 1),
            .planned = draw(&random, 0, 1),
            .radix = draw(&random, 0, 8),
        };
}

static int attach_all(script *play)
{
    pthread_t threads[RANDOM_PROCESSORS];
    thread_of who[RANDOM_PROCESSORS];
    for (int i = 0; i < play->n; i++) {
        who[i] = (thread_of){play, i};
        if (pthread_create(&threads[i], NULL, attached, &who[i]) != 0)
            abort();
    }
    for (int i = 0; i < play->n; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

const char *run_random(uint64_t seed, bool delays)
{
    static script play;
    static char text[KP_SENTENCE_BYTES + 300];
    kp_report report = {0};
    memset(&play, 0, sizeof play);
    play.delays = delays;
    draw_play(&play, seed);
    int status = kp_machine_create(&play.config, &play.machine);
    if (status == 0)
        status = play.attached ? attach_all(&play)
                               : kp_machine_run(play.machine, started, &play, &report);
    const char *complaint = atomic_load(&play.complaint);
    if (status == 0 && !complaint)
        status = kp_machine_destroy(play.machine);
    if (status == 0 && !complaint)
        return "";
    snprintf(text, sizeof text, "n=%d,k=%d,%s,%s: %s", play.n, play.config.ports,
             play.config.carrier == KP_CARRIER_FIBERS ? "fibers"
             : play.attached                          ? "attached"
                                                      : "threads",
             play.config.discipline == KP_ROUNDS_BY_MAILBOXES ? "mailboxes" : "barrier",
             complaint ? complaint : kp_last_error()->sentence);
    return text;
}
