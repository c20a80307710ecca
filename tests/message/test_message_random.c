/* Sends random messages in phases, with many names of receives, blocking and as requests, in two
 * groups at once, on random machines. A receiver checks what every legal order has in common. Each
 * message comes once, with its own bytes. Of two receives, the later one never takes an earlier
 * message of a sender, if the earlier receive would have matched this message, too. */
#include "tests/message/message_common.h"

#define MOST_OF_PHASE 120
#define GROUPS        2

struct planned {
    int group, from, to, tag;
    size_t bytes;
};

/* A receive: its names, and the message that it got. */
struct taken {
    int group, source, tag;
    int message; /* the number of the message in the plan */
    kp_message_status found;
    unsigned char *data;
};

enum scheme {
    EXACT,
    ANY_SOURCE,
    ANY_TAG,
    ANY_BOTH,
    MIXED, /* receives with names first, then receives without */
    PROBED,
    SCHEMES,
};

enum course {
    ALL_STARTED, /* sends and receives are started in turns, and waited for in the end */
    SENDS_FIRST, /* sends are started, then receives block */
    ONE_SIDED,   /* odd ranks send, even ranks receive; all calls block */
    COURSES,
};

struct trial {
    uint64_t seed;
    int phases;
};

static _Atomic long messages_taken;

/* What a member has in a phase. */
struct phase {
    struct planned plan[MOST_OF_PHASE];
    int planned;
    enum scheme scheme;
    enum course course;
    kp_group *groups[GROUPS];
    int me;
    struct taken taken[MOST_OF_PHASE];
    int receives;
    int sends[MOST_OF_PHASE], send_count; /* numbers in the plan */
    unsigned char *out[MOST_OF_PHASE];
    kp_request *requests[2 * MOST_OF_PHASE];
    int started;
    uint64_t seed; /* the member's own random numbers */
};

/* All members draw the same plan. */
static void draw(struct phase *phase, uint64_t seed, int n)
{
    phase->scheme = (enum scheme)random_below(&seed, SCHEMES);
    phase->course = (enum course)random_below(&seed, COURSES);
    if (n == 1 && phase->course == ONE_SIDED)
        phase->course = SENDS_FIRST;
    /* Blocking calls on both sides wait for each other in the order of the plan, so a receive must
     * not take a message of another sender than the plan's. */
    if (phase->course == ONE_SIDED && phase->scheme != ANY_TAG && phase->scheme != PROBED)
        phase->scheme = EXACT;
    phase->planned = random_below(&seed, MOST_OF_PHASE) + 1;
    int tags = 1 + random_below(&seed, 5);
    bool is_short = random_below(&seed, 2);
    for (int i = 0; i < phase->planned; i++) {
        struct planned *one = &phase->plan[i];
        bool sided = phase->course == ONE_SIDED;
        one->group = random_below(&seed, GROUPS);
        one->from = sided ? random_below(&seed, n / 2) * 2 + 1 : random_below(&seed, n);
        one->to = sided ? random_below(&seed, (n + 1) / 2) * 2 : random_below(&seed, n);
        one->tag = random_below(&seed, tags);
        one->bytes =
            is_short ? (size_t)random_below(&seed, 64) : lengths[random_below(&seed, LENGTHS - 2)];
    }
}

static void name_receive(struct phase *phase, struct taken *taken, const struct planned *one)
{
    bool half = phase->scheme == MIXED && random_below(&phase->seed, 2);
    taken->group = one->group;
    taken->source = one->from;
    taken->tag = one->tag;
    if (phase->scheme == ANY_SOURCE || phase->scheme == ANY_BOTH || half)
        taken->source = KP_ANY_SOURCE;
    if (phase->scheme == ANY_TAG || phase->scheme == ANY_BOTH || half)
        taken->tag = KP_ANY_TAG;
}

/* Puts the receives in a random order, but those with names before those without. */
static void shuffle(struct phase *phase)
{
    struct taken *all = phase->taken;
    for (int i = phase->receives - 1; i > 0 && phase->course != ONE_SIDED; i--) {
        int j = random_below(&phase->seed, i + 1);
        struct taken kept = all[i];
        all[i] = all[j];
        all[j] = kept;
    }
    int named = 0;
    for (int i = 0; i < phase->receives && phase->scheme == MIXED; i++) {
        if (all[i].source == KP_ANY_SOURCE)
            continue;
        struct taken kept = all[named];
        all[named++] = all[i];
        all[i] = kept;
    }
}

static bool make_phase(struct phase *phase)
{
    phase->receives = phase->send_count = phase->started = 0;
    for (int i = 0; i < phase->planned; i++) {
        const struct planned *one = &phase->plan[i];
        if (one->from == phase->me) {
            unsigned char *out = malloc(one->bytes + 1);
            if (!out)
                return false;
            fill(out, one->bytes, key_of(one->from, (uint64_t)i));
            phase->out[phase->send_count] = out;
            phase->sends[phase->send_count++] = i;
        }
        if (one->to == phase->me) {
            struct taken *taken = &phase->taken[phase->receives++];
            *taken = (struct taken){.message = -1, .data = malloc(MOST_BYTES)};
            if (!taken->data)
                return false;
            name_receive(phase, taken, one);
        }
    }
    shuffle(phase);
    return true;
}

static int send_next(struct phase *phase, int i, bool blocks)
{
    const struct planned *one = &phase->plan[phase->sends[i]];
    kp_group *group = phase->groups[one->group];
    if (blocks)
        return kp_send(group, phase->out[i], one->bytes, one->to, one->tag);
    return kp_send_start(group, phase->out[i], one->bytes, one->to, one->tag,
                         &phase->requests[phase->started++]);
}

static int receive_next(struct phase *phase, struct taken *taken, bool blocks)
{
    kp_group *group = phase->groups[taken->group];
    if (!blocks)
        return kp_receive_start(group, taken->data, MOST_BYTES, taken->source, taken->tag,
                                &taken->found, &phase->requests[phase->started++]);
    int source = taken->source, tag = taken->tag, there = 0, status = 0;
    kp_message_status seen = {source, tag, 0};
    if (phase->scheme == PROBED) {
        if (random_below(&phase->seed, 2))
            status = kp_probe(group, source, tag, &seen);
        while (!status && !there)
            status = kp_probe_now(group, source, tag, &there, &seen);
    }
    if (!status)
        status = kp_receive(group, taken->data, MOST_BYTES, seen.source, seen.tag, &taken->found);
    bool right = phase->scheme != PROBED || memcmp(&seen, &taken->found, sizeof seen) == 0;
    return status || right ? status : WRONG_BYTES;
}

/* Waits for all requests, in one of the ways of request.h. */
static int wait_all(struct phase *phase)
{
    int count = phase->started, which[2 * MOST_OF_PHASE], ended, status = 0;
    switch (random_below(&phase->seed, 4)) {
    case 0:
        return kp_wait_all(count, phase->requests);
    case 1:
        do
            status = kp_wait_any(count, phase->requests, &which[0]);
        while (!status && which[0] >= 0);
        return status;
    case 2:
        do
            status = kp_wait_some(count, phase->requests, &ended, which);
        while (!status && ended > 0);
        return status;
    default:
        for (int i = count - 1; i >= 0 && !status; i--) {
            for (ended = 0; !status && !ended;)
                status = kp_test(&phase->requests[i], &ended);
        }
        return status;
    }
}

static int move(struct phase *phase)
{
    int sent = 0, received = 0, status = 0;
    bool mixes = phase->course == ALL_STARTED;
    bool blocks = phase->course == ONE_SIDED;
    while (!status && (sent < phase->send_count || received < phase->receives)) {
        bool sends = sent < phase->send_count &&
                     (!mixes || received == phase->receives || random_below(&phase->seed, 2));
        status = sends ? send_next(phase, sent, blocks)
                       : receive_next(phase, &phase->taken[received], !mixes);
        *(sends ? &sent : &received) += 1;
        if (random_once_in(&phase->seed, 100))
            sched_yield();
    }
    return status ? status : wait_all(phase);
}

static bool matches(int name, int number)
{
    return name < 0 || name == number;
}

/* Finds which message a receive has got: the contents tell. */
static bool identify(struct phase *phase, struct taken *taken)
{
    for (int i = 0; i < phase->planned; i++) {
        const struct planned *one = &phase->plan[i];
        bool known = one->bytes == 0;
        for (int j = 0; j < phase->receives && known; j++)
            known = phase->taken[j].message != i; /* empty messages are as good as each other */
        if (one->group == taken->group && one->to == phase->me && one->tag == taken->found.tag &&
            one->from == taken->found.source && one->bytes == taken->found.bytes &&
            (one->bytes > 0 ? holds(taken->data, one->bytes, key_of(one->from, (uint64_t)i))
                            : known)) {
            taken->message = i;
            return matches(taken->source, one->from) && matches(taken->tag, one->tag);
        }
    }
    return false;
}

static bool is_legal(struct phase *phase)
{
    for (int i = 0; i < phase->receives; i++) {
        if (!identify(phase, &phase->taken[i]))
            return false;
    }
    for (int i = 0; i < phase->receives; i++) {
        const struct taken *early = &phase->taken[i];
        for (int j = i + 1; j < phase->receives; j++) {
            const struct taken *late = &phase->taken[j];
            const struct planned *one = &phase->plan[late->message];
            bool tells = one->bytes > 7; /* shorter ones may have equal contents */
            if (early->message == late->message && tells)
                return false;
            if (early->group == late->group && early->found.source == late->found.source && tells &&
                phase->plan[early->message].bytes > 7 && late->message < early->message &&
                matches(early->source, one->from) && matches(early->tag, one->tag))
                return false;
        }
    }
    return true;
}

static void end_phase(struct phase *phase)
{
    for (int i = 0; i < phase->send_count; i++)
        free(phase->out[i]);
    for (int i = 0; i < phase->receives; i++)
        free(phase->taken[i].data);
}

static int send_random(kp_proc *self, void *argument)
{
    const struct trial *trial = argument;
    struct phase *phase = calloc(1, sizeof *phase);
    int status = 0;
    bool legal = true;
    NEED(self, phase);
    phase->groups[0] = kp_world(self);
    phase->me = kp_processor(self);
    phase->seed = random_of(trial->seed, 5, (uint64_t)phase->me);
    NEED(self, kp_group_dup(kp_world(self), &phase->groups[1]) == 0);
    for (int i = 0; i < trial->phases && !status && legal; i++) {
        draw(phase, random_of(trial->seed, 6, (uint64_t)i), kp_size(kp_world(self)));
        if (!make_phase(phase))
            return KP_EMEMORY;
        status = move(phase);
        legal = status || is_legal(phase);
        atomic_fetch_add(&messages_taken, phase->receives);
        end_phase(phase);
        if (!status) /* a wildcard would take messages of the next phase */
            status = kp_barrier(kp_world(self));
    }
    free(phase);
    NEED(self, legal);
    return status;
}

/* Over an MPI every process must make the same runs, and sees only its own messages. */
static bool goes_on(uint64_t seed, long wanted)
{
#ifdef OVER_MPI
    return seed <= (uint64_t)wanted / 500;
#else
    (void)seed;
    return atomic_load(&messages_taken) < wanted;
#endif
}

static void random_messages_come_in_a_legal_order(void **state)
{
    static const size_t limits[] = {0, KP_UNBUFFERED, 300, 5000}, eager[] = {0, 64, 1024};
    const long wanted = level == SMALL ? 10000 : 1000000;
    (void)state;
    atomic_store(&messages_taken, 0);
    for (uint64_t seed = 1; goes_on(seed, SANITIZED ? wanted / 5 : wanted); seed++) {
        uint64_t random = random_of(seed, 1, 2);
        struct trial trial = {.seed = seed, .phases = 30};
        kp_config config = {.processors = 1 + random_below(&random, 8),
                            .unreceived_bytes = limits[random_below(&random, 4)],
                            .message_eager_bytes = eager[random_below(&random, 3)]};
        kp_report report;
        int status = kp_run(&config, send_random, &trial, &report);
        if (status)
            fail_msg("seed %llu: status %d: %s", (unsigned long long)seed, status,
                     report.error.sentence);
    }
    print_message("%ld messages\n", atomic_load(&messages_taken));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {TEST(random_messages_come_in_a_legal_order)};
    read_level(argc, argv);
    return cmocka_run_group_tests_name("message_random", tests, NULL, NULL);
}
