/* Tests what goes wrong with messages between processes of an MPI. mpirun starts this program
 * (under_mpi.sh).
 *
 * usage: mpi_message_errors CARRIER.so PER_PROCESS */
#include <kport.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NEED(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail(__LINE__, #condition);                                                            \
    } while (0)

#define LONG 300000

/* Ends this process, and mpirun then ends the others. */
static void fail(int line, const char *condition)
{
    fprintf(stderr, "%s:%d: not so: %s; %s\n", __FILE__, line, condition,
            kp_last_error()->sentence);
    _exit(1);
}

static int per_process, workers;
static bool carries_first; /* this process carries processor 0 */
static char data[LONG];

static int run(unsigned limit_ms, size_t unreceived, kp_program *program, kp_report *report)
{
    const kp_config config = {.carrier = KP_CARRIER_MPI,
                              .per_process = per_process,
                              .workers = workers,
                              .time_limit_ms = limit_ms,
                              .unreceived_bytes = unreceived};
    return kp_run(&config, program, NULL, report);
}

static bool says(kp_proc *self, const char *words)
{
    return strstr(kp_error(self)->sentence, words) != NULL;
}

static int too_long(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    const int last = kp_size(world) - 1, me = kp_rank(world);
    kp_message_status found;
    char in[8] = "kept", line[40];
    (void)argument;
    snprintf(line, sizeof line, "mpi_message_errors.c:%d)", __LINE__ + 2);
    for (int i = 0; i < 4 && me == last; i++)
        NEED(kp_send(world, data, i % 2 ? LONG : 100, 0, i) == 0);
    for (int i = 0; i < 4 && me == 0; i++) {
        int status = kp_receive(world, in, sizeof in, i < 2 ? last : KP_ANY_SOURCE, i, &found);
        NEED(status == KP_ELENGTH);
        NEED(says(self, line) && says(self, i % 2 ? " 300000 bytes" : " 100 bytes"));
        NEED(found.source == last && found.tag == i && strcmp(in, "kept") == 0);
    }
    return kp_barrier(world);
}

/* The last processor sends a message that the first one leaves. */
static int leave(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    (void)argument;
    const int me = kp_rank(world), last = kp_size(world) - 1;
    if (me == 0) {
        carries_first = true;
        NEED(kp_receive(world, data, 1, last, 78, NULL) == 0);
    }
    if (me == last)
        NEED(kp_send(world, data, 10, 0, 77) == 0 && kp_send(world, data, 1, 0, 78) == 0);
    return 0;
}

static void left_messages_are_told(void)
{
    kp_report report;
    for (int i = 0; i < 2; i++) {
        NEED(run(0, 0, leave, &report) == KP_EUNTAKEN);
        NEED(strstr(report.error.sentence, carries_first
                                               ? "10 bytes with tag 77 ("
                                               : "1 messages with tags were sent and not"));
    }
}

/* The last processor ends. What it has sent is received, and what waits for more ends. The others
 * go on. */
static int end_early(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    const int last = kp_size(world) - 1, me = kp_rank(world);
    int value = 0;
    (void)argument;
    if (me == last) {
        NEED(kp_send(world, &me, sizeof me, 0, 1) == 0);
        return 0;
    }
    if (me == 0) {
        NEED(kp_receive(world, &value, sizeof value, last, KP_ANY_TAG, NULL) == 0 && value == last);
        NEED(kp_receive(world, &value, sizeof value, last, KP_ANY_TAG, NULL) == KP_ELOST);
        NEED(says(self, "has ended its program") && kp_error(self)->processor == last);
        NEED(kp_probe(world, last, 1, NULL) == KP_ELOST);
        NEED(kp_send(world, data, LONG, last, 1) == KP_ELOST);
    }
    NEED(kp_exchange_messages(world, data, LONG / 2, me, 1, data + LONG / 2, LONG / 2, me, 1,
                              NULL) == 0);
    if (me == 0 && last > 1)
        NEED(kp_send(world, data, LONG, 1, 2) == 0);
    if (me == 1)
        NEED(kp_receive(world, data, LONG, KP_ANY_SOURCE, 2, NULL) == 0);
    return 0;
}

/* The last processor fails while others send to it and receive from it. */
static int failing(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    const int last = kp_size(world) - 1, me = kp_rank(world);
    char in[LONG / 100];
    kp_request *request;
    (void)argument;
    if (me == last)
        return kp_fail(self, "the test says so");
    if (me == 0) {
        NEED(kp_send_start(world, data, LONG, last, 3, &request) == 0);
        const int status = kp_wait(&request);
        NEED(status == KP_EFAILED && says(self, "the test says so"));
        return status;
    }
    return kp_receive(world, in, sizeof in, KP_ANY_SOURCE, 4, NULL);
}

/* All send first, and nothing is buffered. */
static int send_first(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    const int n = kp_size(world), me = kp_rank(world);
    int value = me;
    (void)argument;
    int status = kp_send(world, &me, sizeof me, (me + 1) % n, 5);
    if (status)
        NEED(says(self, "kp_send of 4 bytes to rank"));
    return status ? status : kp_receive(world, &value, sizeof value, (me + n - 1) % n, 5, NULL);
}

/* One waits for a message that nobody sends, the others in a barrier. */
static int crossed(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int value;
    (void)argument;
    if (kp_rank(world) > 0)
        return kp_barrier(world);
    return kp_receive(world, &value, sizeof value, 1, 6, NULL);
}

int main(int argc, char **argv)
{
    alarm(110);
    NEED(argc == 5 && strrchr(argv[1], '/'));
    *strrchr(argv[1], '/') = '\0';
    setenv("KPORT_CARRIERS", argv[1], 1);
    per_process = atoi(argv[3]);
    workers = atoi(argv[4]);
    kp_report report;
    NEED(run(0, 0, too_long, &report) == 0);
    NEED(run(0, KP_UNBUFFERED, too_long, &report) == 0);
    left_messages_are_told();
    NEED(run(0, 0, end_early, &report) == 0);
    NEED(run(0, 0, failing, &report) == KP_EFAILED);
    NEED(run(0, 0, send_first, &report) == 0);
    NEED(run(200, KP_UNBUFFERED, send_first, &report) == KP_ETIMEOUT);
    NEED(run(200, 0, crossed, &report) == KP_ETIMEOUT);
    return 0;
}
