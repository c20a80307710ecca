#include "tools/kport/run/barrier.h"

#include "lib/problem/fields.h"
#include "lib/problem/problem.h"
#include "tools/kport/command.h"
#include "tools/kport/run/batch.h"
#include "tools/kport/schedule/facts.h"

#include <string.h>

static const char name[] = "barrier";

bool barrier_is_meant(const char *text)
{
    return strcspn(text, ":,") == sizeof name - 1 && memcmp(text, name, sizeof name - 1) == 0;
}

static int most_ports(int n)
{
    return n > 2 ? n - 1 : 1;
}

/* Reads the field's number into `number`. If `field` is NULL, `number` is unchanged. */
static int read_number(const struct kp_field *field, uint64_t high, int *number)
{
    uint64_t value;
    if (!field)
        return EXIT_DONE;
    if (kp_field_number(field, 1, high, &value))
        return facts_refuse();
    *number = (int)value;
    return EXIT_DONE;
}

int barrier_read(const char *text, kp_problem *problem)
{
    struct kp_field fields[KP_FIELDS], *n = NULL, *k = NULL, *per_process = NULL;
    size_t head = strcspn(text, ":");
    int count = 0;
    *problem = (kp_problem){.n = 0};
    if (kp_fields_split(text + head + (text[head] == ':'), fields, &count))
        return facts_refuse();
    for (int i = 0; i < count; i++) {
        if (kp_word_is(fields[i].key, "n")) {
            n = &fields[i];
        } else if (kp_word_is(fields[i].key, "k")) {
            k = &fields[i];
        } else if (kp_word_is(fields[i].key, "per_process")) {
            per_process = &fields[i];
        } else {
            fprintf(stderr,
                    "kport: %.*s is given; a barrier moves nothing and has n, k and the "
                    "machine's keys\n",
                    KP_WORD(fields[i].key));
            return EXIT_IMPOSSIBLE;
        }
    }
    if (!n) {
        fprintf(stderr, "kport: n is missing; it may be a number 1 ... %d\n", KP_MOST_PROCESSORS);
        return EXIT_IMPOSSIBLE;
    }
    int status = read_number(n, KP_MOST_PROCESSORS, &problem->n);
    problem->k = most_ports(problem->n);
    status = status ? status : read_number(k, (uint64_t)problem->k, &problem->k);
    return status ? status : read_number(per_process, (uint64_t)problem->n, &problem->per_process);
}

void barrier_format(const kp_problem *problem, char *text, size_t size)
{
    char k[32] = "", per_process[32] = "";
    if (problem->k != most_ports(problem->n))
        snprintf(k, sizeof k, ",k=%d", problem->k);
    if (problem->per_process > 1)
        snprintf(per_process, sizeof per_process, ",per_process=%d", problem->per_process);
    snprintf(text, size, "%s:n=%d%s%s", name, problem->n, k, per_process);
}

/* Makes a barrier. No processor may leave it, by the clock, before the last one has arrived. */
static int verify_by_clock(kp_group *world, int (*barrier)(kp_group *))
{
    const int64_t arrived = batch_now_ns();
    int status = barrier(world);
    const int64_t own[2] = {arrived, -batch_now_ns()};
    int64_t last[2];
    if (!status)
        status = kp_allreduce(world, own, last, 2, KP_INT64, KP_MAXIMUM, NULL);
    if (!status && -last[1] < last[0])
        status = kp_fail(kp_group_self(world), "a processor left the barrier before all had come");
    return status;
}

/* Detects every processor that leaves a barrier too early. The proof: let P be the first processor
 * that leaves its b-th barrier before all n processors have arrived at that barrier. At that time
 * no processor has arrived at a later barrier. So each processor has arrived at most b times, and
 * at least one processor has arrived fewer times. So `come` < b * n, and the test below fails. */
int barrier_verify(struct barrier_count *count, kp_group *world, int (*barrier)(kp_group *),
                   uint64_t calls, uint64_t *passed)
{
    uint64_t n = (uint64_t)kp_size(world);
    int status = 0;
    for (uint64_t i = 0; i < calls && !status && count->spread; i++)
        status = verify_by_clock(world, barrier);
    for (uint64_t i = 0; i < calls && !status && !count->spread; i++) {
        /* The accesses are relaxed, because the barrier that is tested must order them. */
        atomic_fetch_add_explicit(&count->come, 1, memory_order_relaxed);
        status = barrier(world);
        uint64_t come = atomic_load_explicit(&count->come, memory_order_relaxed);
        ++*passed;
        if (!status && come < *passed * n)
            status = kp_fail(kp_group_self(world), "it left the barrier before all had come");
    }
    return status;
}
