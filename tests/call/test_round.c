/* Tests the calls that are a single round: the barrier and kp_send_recv. It also tests which lists
 * of messages kp_exchange refuses. */
#include "kport.h"
#include "tests/common/machine_common.h"

#include <stdatomic.h>

#define N 5

static atomic_int arrived;

static int barriers(kp_proc *self, void *argument)
{
    (void)argument;
    for (int i = 1; i <= 200; i++) {
        atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed);
        int status = kp_barrier(kp_world(self));
        if (status)
            return status;
        if (atomic_load_explicit(&arrived, memory_order_relaxed) < i * N)
            return kp_fail(self, "somebody came through the barrier early");
    }
    return 0;
}

static void nobody_passes_a_barrier_early(void **state)
{
    (void)state;
    kp_config config = {.processors = N};
    kp_report report;
    atomic_store(&arrived, 0);
    if (kp_run(&config, barriers, NULL, &report))
        fail_msg("%s", report.error.sentence);
}

static int around_the_ring(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int me = kp_rank(world), n = kp_size(world), out = me, in = -1, status = 0;
    (void)argument;
    for (int step = 0; step < n && !status; step++) {
        status = kp_send_recv(world, &out, sizeof out, (me + step) % n, &in, sizeof in,
                              (me + n - step) % n);
        if (!status && in != (me + n - step) % n)
            status = kp_fail(self, "the wrong message came");
    }
    /* Sends along a line. The first processor has no left neighbour, and the last has no right
     * neighbour. */
    in = -1;
    if (!status)
        status =
            kp_send_recv(world, &out, sizeof out, me + 1 < n ? me + 1 : -1, &in, sizeof in, me - 1);
    if (!status && in != me - 1)
        status = kp_fail(self, "the wrong message came along the line");
    if (status)
        return status;
    /* The receiver expects another length than the sender sends, and must get an error. */
    status = kp_send_recv(world, &out, sizeof out, (me + 1) % n, &in, me ? sizeof in : 3,
                          (me + n - 1) % n);
    if (status != (me ? 0 : KP_ELENGTH))
        return kp_fail(self, "the length was not compared");
    return 0;
}

static void send_and_receive(void **state)
{
    (void)state;
    kp_config config = {.processors = N};
    kp_report report;
    if (kp_run(&config, around_the_ring, NULL, &report))
        fail_msg("%s", report.error.sentence);
}

#define LISTED 4
#define OTHERS 6 /* the number of choices for each message of a list */

/* Receives every possible list of LISTED messages, although no member sends anything. If `arg` is
 * NULL, kport must refuse a list in which two messages have the same sender and port. Otherwise it
 * must refuse a list in which two buffers overlap. For every other list it must report that the
 * messages are missing. */
static int every_list(kp_proc *self, void *arg)
{
    bool overlap = arg, among = kp_processor(self) == 2;
    unsigned char memory[4 * OTHERS + 4];
    int lists = 1;
    for (int i = 0; i < LISTED; i++)
        lists *= OTHERS;
    for (int list = 0; list < lists; list++) {
        kp_incoming in[LISTED];
        int chosen[LISTED], clashes = 0;
        for (int i = 0, rest = list; i < LISTED; i++, rest /= OTHERS) {
            chosen[i] = rest % OTHERS;
            for (int j = 0; j < i; j++)
                clashes += abs(chosen[i] - chosen[j]) < (overlap ? 2 : 1);
            int name = overlap ? i : chosen[i];
            in[i] = (kp_incoming){name % 3, (int[]){0, 1, 3}[name / 2], NULL, 0, 0};
            if (overlap) {
                in[i].data = memory + 4 * chosen[i];
                in[i].bytes = 8;
            }
        }
        int status = kp_exchange(kp_world(self), NULL, 0, in, among ? LISTED : 0);
        int wanted = overlap ? KP_EARGUMENT : KP_EPORT;
        NEED(self, !among || status == (clashes ? wanted : KP_EMISSING));
        NEED(self, among || status == (clashes ? KP_EPEER : 0));
    }
    return 0;
}

static void every_clash_within_a_list(void **state)
{
    (void)state;
    for (int overlap = 0; overlap < 2; overlap++) {
        kp_config config = {.processors = 4, .ports = LISTED};
        kp_report report;
        int status = kp_run(&config, every_list, overlap ? &config : NULL, &report);
        assert_good(status, &report);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_passes_a_barrier_early),
        cmocka_unit_test(send_and_receive),
        cmocka_unit_test(every_clash_within_a_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
