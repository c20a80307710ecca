#include "lib/plan.h"

#include "lib/call.h"
#include "lib/execute/blocks.h"
#include "lib/execute/cache.h"
#include "lib/operation.h"
#include "lib/operator.h"
#include "lib/problem.h"
#include "lib/profile.h"
#include "lib/route/spare.h"
#include "lib/verdict.h"
#include "ports/port.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 256 /* a power of two */

/* What a seat keeps. */
struct tuned;
struct seat_plans {
    struct kp_cache cache;       /* first: the seat's attachment is taken for it */
    struct kp_prepared *passing; /* the call that came last of those that are not kept */
    struct machine_plans *machine;
    size_t scratch_bytes;
    struct kp_attachment kept[KP_KEPTS];
    struct kp_spare *spare;
    const struct tuned *tuned; /* the machine's; NULL: not asked yet */
};

/* What the machine keeps: problems, as they were asked and as they were resolved, and the plans
 * that serve them. */
struct entry {
    struct entry *next;
    struct kp_plan_key key;
    kp_problem problem;
    kp_discipline rounds; /* where the tuner chooses that */
    struct kp_shared_plan *plan;
    uint64_t used; /* the machine's clock at its last use */
};

/* By what is chosen: found when first needed, and then the same for all members to the end. */
struct tuned {
    bool known, measured;
    const kp_profile *profile; /* NULL: the built-in model */
    kp_profile *own;           /* to be freed with the machine's plans */
    char why[1600];
};

struct machine_plans {
    pthread_mutex_t lock;
    struct entry *buckets[BUCKETS];
    uint64_t clock;
    size_t bytes;
    kp_config config;
    unsigned seats; /* and persistent plans that refer to it */
    bool abandoned; /* the machine has let go of it */
    struct tuned tuned;
};

/* --- The machine's plans, under their lock --- */

static void free_plan(struct kp_shared_plan *plan)
{
    if (!plan)
        return;
    kp_schedule_free(plan->schedule);
    free(plan->verdicts);
    free(plan);
}

static void drop_plan(struct machine_plans *plans, struct kp_shared_plan *plan)
{
    if (--plan->references > 0)
        return;
    plans->bytes -= plan->bytes;
    free_plan(plan);
}

static void drop_entry(struct machine_plans *plans, struct entry **link)
{
    struct entry *entry = *link;
    *link = entry->next;
    drop_plan(plans, entry->plan);
    plans->bytes -= sizeof *entry;
    free(entry);
}

static void free_if_unused(struct machine_plans *plans)
{
    bool unused = plans->abandoned && plans->seats == 0;
    pthread_mutex_unlock(&plans->lock);
    if (!unused)
        return;
    pthread_mutex_destroy(&plans->lock);
    free(plans);
}

static void abandon(void *data)
{
    struct machine_plans *plans = data;
    pthread_mutex_lock(&plans->lock);
    for (int i = 0; i < BUCKETS; i++) {
        while (plans->buckets[i])
            drop_entry(plans, &plans->buckets[i]);
    }
    plans->abandoned = true;
    kp_profile_free(plans->tuned.own);
    plans->tuned = (struct tuned){.known = true};
    free_if_unused(plans);
}

struct kp_attachment kp_machine_plans(const kp_config *config)
{
    struct machine_plans *plans = calloc(1, sizeof *plans);
    if (plans) {
        pthread_mutex_init(&plans->lock, NULL);
        plans->config = *config;
    }
    return (struct kp_attachment){plans, plans ? abandon : NULL};
}

static struct machine_plans *plans_of_machine(const kp_group *seat)
{
    return kp_port_machine_attachment(kp_port_machine(seat))->data;
}

const kp_config *kp_plan_config(const kp_group *seat)
{
    return &plans_of_machine(seat)->config;
}

static struct entry *look_up(struct machine_plans *plans, const kp_problem *key)
{
    struct entry *entry = plans->buckets[kp_plan_hash(key) & (BUCKETS - 1)];
    while (entry && !kp_plan_key_serves(&entry->key, key))
        entry = entry->next;
    if (entry)
        entry->used = ++plans->clock;
    return entry;
}

/* Drops what was not used for longest until the rest fits. Not the plan that has just been found:
 * the other processors are about to ask for it, and one that alone is larger than the bound would
 * be built anew by each of them. */
static void make_room(struct machine_plans *plans, const struct kp_shared_plan *found)
{
    while (plans->bytes > plans->config.plan_bytes) {
        struct entry **oldest = NULL;
        for (int i = 0; i < BUCKETS; i++) {
            for (struct entry **link = &plans->buckets[i]; *link; link = &(*link)->next) {
                if ((*link)->plan != found && (!oldest || (*link)->used < (*oldest)->used))
                    oldest = link;
            }
        }
        if (!oldest)
            return;
        drop_entry(plans, oldest);
    }
}

static struct entry *insert(struct machine_plans *plans, const kp_problem *key,
                            const kp_problem *problem, struct kp_shared_plan *plan)
{
    struct entry *entry = malloc(sizeof *entry);
    if (!entry) {
        kp_set_error(KP_EMEMORY, "no memory to keep a plan");
        return NULL;
    }
    struct entry **bucket = &plans->buckets[kp_plan_hash(key) & (BUCKETS - 1)];
    *entry = (struct entry){.next = *bucket,
                            .key = kp_plan_key_of(key),
                            .problem = *problem,
                            .plan = plan,
                            .used = ++plans->clock};
    entry->key.of_root = kp_plan_is_of_root(problem);
    entry->key.problem.op = entry->problem.op = NULL;
    *bucket = entry;
    plan->references++;
    plans->bytes += sizeof *entry;
    return entry;
}

static struct kp_shared_plan *build(struct machine_plans *plans, const kp_problem *problem)
{
    struct kp_shared_plan *plan = calloc(1, sizeof *plan);
    bool listed = kp_algorithm_is_listed(problem->algorithm);
    if (plan && !listed)
        plan->verdicts = calloc(1, sizeof *plan->verdicts);
    if (!plan || (!listed && !plan->verdicts)) {
        kp_set_error(KP_EMEMORY, "no memory for a plan");
        free_plan(plan);
        return NULL;
    }
    plan->machine = plans;
    plan->bytes = sizeof *plan + (listed ? 0 : sizeof *plan->verdicts);
    int status = kp_schedule_build_exact(problem, &plan->schedule);
    if (status == KP_OK) {
        plan->schedule->problem.op = NULL;
        kp_cost cost = kp_schedule_cost(plan->schedule, (size_t)plan->schedule->units_of_block);
        plan->c1 = (int64_t)cost.c1;
        plan->c2_units = (int64_t)cost.c2;
        plan->bytes += plan->schedule->bytes;
    } else if (status == KP_ESCHEDULE && !listed) { /* so that not every member tries */
        kp_verdict_unbuilt(plan->verdicts);
    } else {
        free_plan(plan);
        return NULL;
    }
    plans->bytes += plan->bytes;
    return plan;
}

/* The plan of a problem with nothing left open. Those that differ only in b share it, unless the
 * algorithm splits blocks. */
static struct kp_shared_plan *resolve(struct machine_plans *plans, const kp_problem *problem)
{
    kp_problem key = *problem;
    if (!key.algorithm->own_root) {
        key.target = kp_target_from_root(problem);
        key.root = 0;
    }
    key.in_place = 0;
    if (!key.algorithm->splits || !key.algorithm->splits(&key))
        key.b = 0;
    struct entry *entry = look_up(plans, &key);
    if (entry)
        return entry->plan;
    struct kp_shared_plan *plan = build(plans, &key);
    if (plan && !insert(plans, &key, &key, plan)) {
        plan->references = 1;
        drop_plan(plans, plan);
        return NULL;
    }
    return plan;
}

/* Under the lock of the plans. A profile that is refused is no error of the call's: kp_tuned_by
 * tells. */
static const struct tuned *tuned_of(struct machine_plans *plans)
{
    const kp_config *config = &plans->config;
    struct tuned *t = &plans->tuned;
    kp_error_record before = *kp_error_slot();
    if (t->known)
        return t;
    t->known = true;
    t->measured = config->tuning == KP_TUNING_MEASURED;
    t->profile = config->profile;
    if (config->beta_us > 0 || config->tau_us > 0) {
        snprintf(t->why, sizeof t->why, "the linear model: the config has beta_us or tau_us");
    } else if (config->tuning == KP_TUNING_BUILTIN) {
        t->profile = NULL;
        snprintf(t->why, sizeof t->why, "the built-in model: the config says so");
    } else if (config->profile) {
        snprintf(t->why, sizeof t->why, "the profile that the config has%s",
                 config->profile->left_out);
    } else {
        bool asked = false;
        int state; /* files are cancellation points, and no call of kport is one */
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
        if (kp_profile_from_environment(&t->own, &asked, t->why, sizeof t->why))
            *kp_error_slot() = before;
        pthread_setcancelstate(state, NULL);
        t->profile = t->own;
        t->measured = t->measured || asked;
    }
    return t;
}

static bool is_open(const kp_problem *asked)
{
    int count = asked->algorithm ? kp_parameter_count(asked->algorithm) : 0;
    for (int i = 0; i < count; i++) {
        if (asked->values[i] == 0)
            return true;
    }
    return !asked->algorithm;
}

static struct entry *find_or_make(struct machine_plans *plans, const kp_problem *asked)
{
    struct entry *entry = look_up(plans, asked);
    if (entry)
        return entry;
    kp_prediction choice;
    const kp_profile *profile = is_open(asked) ? tuned_of(plans)->profile : NULL;
    if (kp_predict(&plans->config, profile, asked, NULL, NULL, &choice) != KP_OK)
        return NULL;
    const kp_problem *problem = &choice.problem;
    struct kp_shared_plan *plan = resolve(plans, problem);
    if (!plan)
        return NULL;
    /* Where nothing was left open and b does not count, that was the entry already. */
    entry = look_up(plans, asked);
    if (!entry && (entry = insert(plans, asked, problem, plan)))
        entry->rounds = choice.rounds;
    return entry;
}

/* --- A seat's plans --- */

static void free_prepared(struct kp_prepared *prepared)
{
    if (prepared)
        kp_prepared_end(prepared);
    free(prepared);
}

static void free_seat(void *data)
{
    struct seat_plans *own = data;
    for (uint32_t i = 0; i <= own->cache.mask; i++)
        free_prepared(own->cache.slots[i]);
    free_prepared(own->passing);
    kp_cache_free(&own->cache);
    pthread_mutex_lock(&own->machine->lock);
    own->machine->seats--;
    free_if_unused(own->machine);
    for (int i = 0; i < KP_KEPTS; i++) {
        if (own->kept[i].free)
            own->kept[i].free(own->kept[i].data);
    }
    kp_spare_release(own->spare);
    free(own);
}

static struct seat_plans *plans_of_seat(kp_group *seat)
{
    struct kp_attachment *attachment = kp_port_seat_attachment(seat);
    if (attachment->data)
        return attachment->data;
    struct seat_plans *own = kp_lines_zeroed(1, sizeof *own);
    if (!own)
        return NULL;
    own->machine = plans_of_machine(seat);
    pthread_mutex_lock(&own->machine->lock);
    own->machine->seats++;
    pthread_mutex_unlock(&own->machine->lock);
    kp_cache_init(&own->cache);
    attachment->data = own;
    attachment->free = free_seat;
    return own;
}

/* Whether the schedule may be executed: an algorithm of the caller's own is checked first, unless
 * it is trusted. What it costs too is stated for the problem as it is asked. */
static bool is_right(const struct entry *entry, const kp_problem *asked, const kp_how *how)
{
    const struct kp_shared_plan *plan = entry->plan;
    if (!plan->verdicts || (plan->schedule && how && how->trusted))
        return true;
    kp_problem problem = *asked;
    problem.algorithm = entry->problem.algorithm;
    memcpy(problem.values, entry->problem.values, sizeof problem.values);
    return kp_verdict_find(plan->verdicts, plan->schedule, &problem) == KP_OK;
}

/* The plan that serves, held by who asked, and the problem with nothing left open; NULL: the error
 * is set. */
static struct kp_shared_plan *serve(struct machine_plans *plans, const kp_problem *asked,
                                    const kp_how *how, kp_problem *problem, kp_discipline *rounds)
{
    struct kp_shared_plan *plan = NULL;
    pthread_mutex_lock(&plans->lock);
    struct entry *entry = find_or_make(plans, asked);
    if (entry)
        make_room(plans, entry->plan);
    if (entry && is_right(entry, asked, how)) {
        plan = entry->plan;
        *problem = entry->problem;
        *rounds = entry->rounds;
        plan->references++;
        plans->seats++;
    }
    pthread_mutex_unlock(&plans->lock);
    return plan;
}

/* Makes the latest error, which a schedule may have been refused with, the processor's. A schedule
 * counts its ranks from the root. */
static int refuse(kp_group *seat, const kp_problem *asked)
{
    kp_error_record why = *kp_error_slot();
    int root = asked->algorithm && asked->algorithm->own_root ? 0 : asked->root;
    int peer = why.peer < 0 ? -1 : (why.peer + root) % asked->n;
    kp_port_error(seat, why.status, why.round, why.port, peer, "%s", why.sentence);
    if (why.processor < 0)
        return why.status;
    kp_error_slot()->processor = kp_port_processor(seat, (why.processor + root) % asked->n);
    return kp_port_keep_error(seat);
}

int kp_prepare(kp_group *seat, const kp_problem *asked, const kp_how *how, struct kp_prepared *made)
{
    struct seat_plans *own = plans_of_seat(seat);
    kp_problem problem;
    kp_discipline rounds;
    if (!own)
        return kp_port_error(seat, KP_EMEMORY, -1, -1, -1, "no memory for a seat's plans");
    struct kp_shared_plan *plan = serve(own->machine, asked, how, &problem, &rounds);
    if (!plan)
        return refuse(seat, asked);
    kp_prepared_end(made);
    problem.b = asked->b;
    problem.root = asked->root;
    problem.target = asked->target;
    problem.in_place = asked->in_place;
    problem.type = asked->type;
    problem.op = asked->op;
    made->plan = plan;
    made->problem = problem;
    made->unit_bytes = asked->b / (size_t)plan->schedule->units_of_block;
    made->fingerprint = kp_plan_fingerprint(&problem);
    made->c1 = (uint64_t)plan->c1;
    made->c2 = (uint64_t)plan->c2_units * made->unit_bytes;
    made->trace_subject = 0;
    bool by_barrier =
        rounds == KP_ROUNDS_BY_BARRIER && own->machine->config.discipline == KP_ROUNDS_BY_TUNER;
    kp_lowering_prepare(&made->lowering, plan->schedule, made->unit_bytes, seat, !by_barrier,
                        asked->in_place);
    kp_lowering_set_root(&made->lowering, problem.root, kp_port_rank(seat));
    kp_call_settle(seat, made);
    return KP_OK;
}

void kp_prepared_end(struct kp_prepared *made)
{
    kp_code_free(made->code);
    if (made->plan)
        kp_plan_release(made->plan);
    made->code = NULL;
    made->plan = NULL;
}

/* A call that comes again moves to a place of its own. Without memory for that it stays. */
static struct kp_prepared *keep(kp_group *seat, struct seat_plans *own, const struct kp_key *key)
{
    struct kp_prepared *passing = own->passing;
    struct kp_prepared *kept = kp_cache_add(seat, &own->cache, key);
    if (!kept)
        return passing;
    kp_prepared_end(kept);
    *kept = *passing;
    *passing = (struct kp_prepared){.plan = NULL};
    kp_call_show(kept);
    kept->code = kp_lower(seat, kept);
    return kept;
}

struct kp_prepared *kp_plan_find(kp_group *seat, const kp_arguments *a, const kp_problem *asked,
                                 bool keeps)
{
    const struct kp_key key = kp_key_of(a);
    struct seat_plans *own = plans_of_seat(seat);
    struct kp_prepared *found = own && keeps ? kp_cache_find(seat, &key) : NULL;
    if (found)
        return found;
    if (own && !own->passing)
        own->passing = kp_lines_zeroed(1, sizeof *own->passing);
    if (!own || !own->passing) {
        kp_port_error(seat, KP_EMEMORY, -1, -1, -1, "no memory for a plan");
        return NULL;
    }
    struct kp_prepared *passing = own->passing;
    if (kp_prepare(seat, asked, a->how, passing))
        return NULL;
    if (passing->scratch_bytes > 0 && !kp_plan_scratch(seat, passing->scratch_bytes)) {
        kp_port_error(seat, KP_EMEMORY, -1, -1, -1, "no memory for %zu bytes of scratch",
                      passing->scratch_bytes);
        return NULL;
    }
    passing->what = key.what;
    passing->amount = key.amount;
    passing->how = a->how ? *a->how : (kp_how){.algorithm = NULL};
    return keeps && kp_cache_admits(&own->cache, &key) ? keep(seat, own, &key) : passing;
}

void kp_plan_hold(struct kp_shared_plan *plan)
{
    pthread_mutex_lock(&plan->machine->lock);
    plan->references++;
    plan->machine->seats++;
    pthread_mutex_unlock(&plan->machine->lock);
}

void kp_plan_release(struct kp_shared_plan *plan)
{
    struct machine_plans *plans = plan->machine;
    pthread_mutex_lock(&plans->lock);
    drop_plan(plans, plan);
    plans->seats--;
    free_if_unused(plans);
}

char *kp_plan_scratch(kp_group *seat, size_t bytes)
{
    struct seat_plans *own = plans_of_seat(seat);
    if (!own)
        return NULL;
    if (bytes > own->scratch_bytes || !own->cache.scratch) {
        void *memory;
        if (posix_memalign(&memory, 64, bytes > 0 ? bytes : 64) != 0)
            return NULL;
        free(own->cache.scratch);
        own->cache.scratch = memory;
        own->scratch_bytes = bytes;
    }
    return own->cache.scratch;
}

struct kp_attachment *kp_plan_kept(kp_group *seat, enum kp_kept what)
{
    struct seat_plans *own = plans_of_seat(seat);
    return own ? &own->kept[what] : NULL;
}

struct kp_spare *kp_plan_spare(kp_group *seat)
{
    struct seat_plans *own = plans_of_seat(seat);
    if (own && !own->spare)
        own->spare = kp_spare_make();
    return own ? own->spare : NULL;
}

/* It stays as it is once it is known. */
static const struct tuned *tuned_of_seat(struct seat_plans *own)
{
    if (!own->tuned) {
        pthread_mutex_lock(&own->machine->lock);
        own->tuned = tuned_of(own->machine);
        pthread_mutex_unlock(&own->machine->lock);
    }
    return own->tuned;
}

bool kp_plan_profile(kp_group *seat, const kp_profile **profile, bool *measured)
{
    struct seat_plans *own = plans_of_seat(seat);
    if (!own)
        return false;
    *profile = tuned_of_seat(own)->profile;
    *measured = own->tuned->measured;
    return true;
}

static int tuned_by(kp_group *seat, char *text, size_t size)
{
    struct seat_plans *own = plans_of_seat(seat);
    if (!own)
        return kp_port_error(seat, KP_EMEMORY, -1, -1, -1, "no memory for a seat's plans");
    const struct tuned *tuned = tuned_of_seat(own);
    return snprintf(text, size, "%s%s", tuned->why,
                    tuned->measured ? "; first calls are measured" : "");
}

int kp_tuned_by(kp_group *group, char *text, size_t size)
{
    int status = kp_pass_enter(group);
    if (status)
        return status;
    if (!text && size > 0)
        return kp_pass_leave(group, kp_port_error(group, KP_EARGUMENT, -1, -1, -1,
                                                  "text is NULL; with a size of 0 it may be"));
    return kp_pass_leave(group, tuned_by(group, text, size));
}
