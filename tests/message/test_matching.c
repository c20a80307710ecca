/* Compares the matching of messages and receives (ports/message/matching.h) with a plain reference,
 * which keeps receives and messages in two lists and scans them from the beginning, as MPI's rules
 * say. Messages, receives and probes are random, with and without wildcards. */
#include "tests/common/machine_common.h"

#include "ports/message/matching.h"

/* A message or a receive. Both sides know it by its number. */
struct entry {
    struct kp_match match; /* first */
    int number;
    bool kept; /* by the reference */
};

/* The reference: a list in the order in which the entries were kept. */
struct list {
    struct entry **all;
    int count, room;
};

static void list_add(struct list *list, struct entry *entry)
{
    if (list->count == list->room) {
        list->room = list->room * 2 + 64;
        list->all = realloc(list->all, (size_t)list->room * sizeof(struct entry *));
        assert_non_null(list->all);
    }
    list->all[list->count++] = entry;
}

static bool agree(int one, int other)
{
    return one == KP_ANY || other == KP_ANY || one == other;
}

/* Returns the index of the first entry that matches, or -1. */
static int list_find(const struct list *list, int source, int tag)
{
    for (int i = 0; i < list->count; i++) {
        if (agree(list->all[i]->match.source, source) && agree(list->all[i]->match.tag, tag))
            return i;
    }
    return -1;
}

static void list_remove(struct list *list, int i)
{
    list->count--;
    memmove(&list->all[i], &list->all[i + 1], (size_t)(list->count - i) * sizeof(struct entry *));
}

/* A kind of traffic: how many sources and tags there are, and how many of 16 receives have a
 * wildcard. */
struct traffic {
    int sources, tags, wildcards;
    int most; /* the number of kept entries at which more of the other kind are drawn */
};

struct trial {
    struct kp_matching matching;
    struct list posted, unexpected;
    uint64_t seed;
    int number, compared, wildcards, probed;
};

static struct entry *draw(struct trial *trial, const struct traffic *traffic, bool receive)
{
    struct entry *made = calloc(1, sizeof *made);
    bool any = receive && random_below(&trial->seed, 16) < traffic->wildcards;
    int kind = any ? 1 + random_below(&trial->seed, 3) : 0;
    assert_non_null(made);
    trial->wildcards += any;
    made->number = trial->number++;
    made->match.source = kind & 1 ? KP_ANY : random_below(&trial->seed, traffic->sources);
    made->match.tag = kind & 2 ? KP_ANY : random_below(&trial->seed, traffic->tags);
    return made;
}

/* Asserts that matching has found what the reference has at index i (-1: nothing). */
static void compare(struct trial *trial, const struct kp_match *found, const struct list *list,
                    int i)
{
    const struct entry *right = i < 0 ? NULL : list->all[i];
    if ((const struct entry *)found != right)
        fail_msg("entry %d: found %d, and the reference finds %d", trial->number,
                 found ? ((const struct entry *)found)->number : -1, right ? right->number : -1);
    trial->compared += right != NULL;
}

static void receive(struct trial *trial, const struct traffic *traffic)
{
    struct entry *made = draw(trial, traffic, true);
    int i = list_find(&trial->unexpected, made->match.source, made->match.tag);
    struct kp_match *found =
        kp_matching_message_for(&trial->matching, made->match.source, made->match.tag);
    compare(trial, found, &trial->unexpected, i);
    if (!found) {
        kp_matching_post(&trial->matching, &made->match);
        list_add(&trial->posted, made);
        return;
    }
    kp_matching_drop(&trial->matching, found);
    list_remove(&trial->unexpected, i);
    free(found);
    free(made);
}

static void arrive(struct trial *trial, const struct traffic *traffic)
{
    struct entry *made = draw(trial, traffic, false);
    int i = list_find(&trial->posted, made->match.source, made->match.tag);
    struct kp_match *found =
        kp_matching_receive_for(&trial->matching, made->match.source, made->match.tag);
    compare(trial, found, &trial->posted, i);
    if (!found) {
        kp_matching_keep(&trial->matching, &made->match);
        list_add(&trial->unexpected, made);
        return;
    }
    kp_matching_unpost(&trial->matching, found);
    list_remove(&trial->posted, i);
    free(found);
    free(made);
}

static void probe(struct trial *trial, const struct traffic *traffic)
{
    struct entry *wanted = draw(trial, traffic, true);
    int source = wanted->match.source, tag = wanted->match.tag;
    compare(trial, kp_matching_message_for(&trial->matching, source, tag), &trial->unexpected,
            list_find(&trial->unexpected, source, tag));
    trial->probed++;
    free(wanted);
}

/* Takes an entry from anywhere, as a receive is that ends with an error, or a withdrawn message. */
static void withdraw(struct trial *trial, bool receives)
{
    struct list *list = receives ? &trial->posted : &trial->unexpected;
    if (list->count == 0)
        return;
    int i = random_below(&trial->seed, list->count);
    struct entry *out = list->all[i];
    (receives ? kp_matching_unpost : kp_matching_drop)(&trial->matching, &out->match);
    list_remove(list, i);
    free(out);
}

static void step(struct trial *trial, const struct traffic *traffic)
{
    int kind = random_below(&trial->seed, 32);
    bool full = trial->posted.count + trial->unexpected.count >= traffic->most;
    if (kind == 0)
        withdraw(trial, random_below(&trial->seed, 2));
    else if (kind < 4)
        probe(trial, traffic);
    else if (full ? trial->posted.count == 0 : kind < 18)
        receive(trial, traffic);
    else
        arrive(trial, traffic);
    assert_true(trial->matching.posted_count == (size_t)trial->posted.count);
    assert_true(trial->matching.unexpected_count == (size_t)trial->unexpected.count);
}

static void end_trial(struct trial *trial)
{
    while (trial->posted.count > 0)
        withdraw(trial, true);
    while (trial->unexpected.count > 0)
        withdraw(trial, false);
    assert_true(trial->matching.posted.lists == 0 && trial->matching.unexpected.lists == 0);
    assert_true(trial->matching.any_source == 0 && trial->matching.any_tag == 0 &&
                trial->matching.any_both == 0);
    assert_null(trial->matching.soonest);
    assert_null(trial->matching.latest);
    kp_matching_free(&trial->matching);
    free(trial->posted.all);
    free(trial->unexpected.all);
}

static void matching_is_that_of_the_reference(void **state)
{
    static const struct traffic kinds[] = {
        {1, 1, 0, 100},  {1, 1, 8, 100},    {2, 3, 4, 40},     {4, 4, 16, 60},   {8, 2, 4, 200},
        {16, 16, 2, 90}, {3, 200, 2, 1000}, {200, 3, 1, 1000}, {12, 12, 3, 300}, {8, 8, 0, 300},
    };
    const int count = sizeof kinds / sizeof kinds[0];
    int messages = 0, wanted = level == SMALL ? 40000 : 1000000;
    (void)state;
    for (uint64_t seed = 1; messages < wanted; seed++) {
        for (int i = 0; i < count; i++) {
            struct trial trial = {.seed = seed * 1000 + (uint64_t)i};
            for (int j = 0; j < 2000; j++)
                step(&trial, &kinds[i]);
            messages += trial.compared;
            assert_true(trial.compared > 100 && trial.probed > 50);
            assert_true((trial.wildcards > 0) == (kinds[i].wildcards > 0));
            end_trial(&trial);
        }
    }
    print_message("%d messages matched\n", messages);
}

/* Receives that were posted with all four kinds of names, in every order, get one message after the
 * other in the order in which they were posted. */
static void receives_are_served_in_the_order_of_posting(void **state)
{
    static const int names[4][2] = {{5, 7}, {KP_ANY, 7}, {5, KP_ANY}, {KP_ANY, KP_ANY}};
    (void)state;
    for (int order = 0; order < 4 * 4 * 4 * 4; order++) {
        struct kp_matching matching = {.order = 0};
        struct kp_match posted[4];
        for (int i = 0; i < 4; i++) {
            const int *name = names[order >> 2 * i & 3];
            posted[i] = (struct kp_match){.source = name[0], .tag = name[1]};
            kp_matching_post(&matching, &posted[i]);
        }
        for (int i = 0; i < 4; i++) {
            struct kp_match *found = kp_matching_receive_for(&matching, 5, 7);
            assert_ptr_equal(found, &posted[i]);
            kp_matching_unpost(&matching, found);
        }
        assert_null(kp_matching_receive_for(&matching, 5, 7));
        kp_matching_free(&matching);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(matching_is_that_of_the_reference),
        TEST(receives_are_served_in_the_order_of_posting),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests_name("matching", tests, NULL, NULL);
}
