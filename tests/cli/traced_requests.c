/* Starts calls, lets them go on in another call, sends messages with tags, and writes a trace.
 * tests/cli/trace_requests.py runs this program and checks the trace.
 *
 * Usage: traced_requests FILE threads|fibers */
#include <kport.h>

#include <stdio.h>
#include <string.h>

#define N     4
#define TIMES 3

static int collectives(kp_group *w)
{
    char out[N][24] = {{0}}, in[N][24], data[100] = {0};
    size_t counts[N] = {3, 3, 3, 3};
    kp_request *requests[4];
    int status = kp_index_start(w, out, in, sizeof out[0], NULL, &requests[0]);
    status = status ? status : kp_broadcast_start(w, data, sizeof data, 1, NULL, &requests[1]);
    status = status ? status : kp_barrier(w); /* the two go on in it */
    status = status ? status : kp_barrier_start(w, &requests[2]);
    status = status ? status
                    : kp_indexv_start(w, data, counts, NULL, data + 50, counts, NULL, NULL,
                                      &requests[3]);
    return status ? status : kp_wait_all(4, requests);
}

/* A message to the next member as requests, one that waits, and a short one that does not. */
static int messages(kp_group *w)
{
    char data[20] = {0}, other[30], more[8] = {0}, last[8];
    const int me = kp_rank(w), next = (me + 1) % N, from = (me + N - 1) % N;
    kp_request *requests[2];
    kp_message_status found;
    int status = kp_receive_start(w, other, sizeof other, KP_ANY_SOURCE, 7, &found, &requests[0]);
    status = status ? status : kp_send_start(w, data, sizeof data, next, 7, &requests[1]);
    status = status ? status : kp_wait_all(2, requests);
    status = status ? status : kp_send(w, more, sizeof more, next, 9);
    return status ? status : kp_receive(w, last, sizeof last, from, 9, NULL);
}

static int program(kp_proc *self, void *argument)
{
    int status = 0;
    (void)argument;
    for (int i = 0; i < TIMES && !status; i++) {
        status = collectives(kp_world(self));
        status = status ? status : messages(kp_world(self));
    }
    return status;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return fprintf(stderr, "usage: traced_requests FILE threads|fibers\n"), 2;
    kp_config config = {.processors = N};
    if (strcmp(argv[2], "fibers") == 0)
        config.carrier = KP_CARRIER_FIBERS;
    if (kp_trace_create(0, &config.trace) || kp_run(&config, program, NULL, NULL) ||
        kp_trace_write(config.trace, argv[1]) || kp_trace_free(config.trace))
        return fprintf(stderr, "traced_requests: %s\n", kp_last_error()->sentence), 1;
    return 0;
}
