/* This header has the common part of the contestants that are programs of their own. Such a program
 * connects to the socket of the benchmark's driver and sends a first reply. Between requests it
 * sleeps in read(), so it uses no processor time while other contestants are timed. */
#ifndef KPORT_BENCH_SERVE_H
#define KPORT_BENCH_SERVE_H

#include "programs.h"
#include "socket.h"

#include <stdlib.h>
#include <sys/un.h>

static inline int connect_to_driver(const char *path, int rank)
{
    struct sockaddr_un address;
    struct reply hello;
    memset(&address, 0, sizeof address);
    memset(&hello, 0, sizeof hello);
    address.sun_family = AF_UNIX;
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    hello.rank = rank;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0 ||
        !write_all(fd, &hello, sizeof hello))
        return -1;
    return fd;
}

/* Allocates the buffers of all members, for a program that has all members in one process. */
static inline bool arena_make(const struct job *job, struct arena *arena)
{
    arena_strides(job, arena);
    size_t n = (size_t)job->n;
    void *out = NULL, *in = NULL;
    if (posix_memalign(&out, 64, n * arena->out_stride) != 0 ||
        posix_memalign(&in, 64, n * arena->in_stride) != 0)
        return false;
    arena->out = (char *)out;
    arena->in = (char *)in;
    return true;
}

static inline bool same_buffers(const struct job *a, const struct job *b)
{
    return a->operation == b->operation && a->n == b->n && a->b == b->b && a->list == b->list &&
           a->halves == b->halves;
}

/* `serve` calls `carry_out` for each request, until the driver closes the socket. It returns the
 * exit status of the program. */
typedef void carry_out_function(const struct request *request, const struct arena *arena,
                                struct reply *reply);

static inline int serve(int argc, char **argv, carry_out_function *carry_out)
{
    struct request request;
    struct job last;
    struct arena arena = {NULL, NULL, 0, 0};
    int fd = argc > 1 ? connect_to_driver(argv[1], 0) : -1;
    if (fd < 0)
        return 2;
    memset(&last, 0, sizeof last);
    while (read_all(fd, &request, sizeof request)) {
        struct reply reply;
        memset(&reply, 0, sizeof reply);
        int64_t cpu = cpu_ns();
        if (!arena.out || !same_buffers(&last, &request.job)) {
            free(arena.out);
            free(arena.in);
            arena.out = arena.in = NULL;
            if (!arena_make(&request.job, &arena))
                reply.status = NO_MEMORY;
            last = request.job;
        }
        if (reply.status == DONE)
            carry_out(&request, &arena, &reply);
        reply.cpu_ns = cpu_ns() - cpu;
        if (!write_all(fd, &reply, sizeof reply))
            break;
    }
    return 0;
}

/* The start and the end of a member's timed calls, and whether its results were wrong. */
struct member_times {
    int64_t start, end;
    bool wrong;
};

static inline void join_times(const struct job *job, const struct member_times *members, int n,
                              struct reply *reply)
{
    for (int i = 0; i < n; i++) {
        reply->start_ns = begin_of(job, reply->start_ns, members[i].start);
        reply->end_ns = members[i].end > reply->end_ns ? members[i].end : reply->end_ns;
        if (members[i].wrong)
            reply->status = WRONG_DATA;
    }
}

/* Carries out every step of a job without a library of collectives: a barrier, the copies of the
 * step, and another barrier. `wait` is an expression that passes the barrier of the member's
 * group. */
#define COPY_STEPS(steps, rank, wait)                                                              \
    do {                                                                                           \
        for (int step_ = 0; step_ < (steps)->count; step_++) {                                     \
            const struct job *job_ = &(steps)->step[step_].job;                                    \
            wait;                                                                                  \
            if (job_->operation != BARRIER) {                                                      \
                copy_by_hand(job_, &(steps)->step[step_].arena, rank);                             \
                wait;                                                                              \
            }                                                                                      \
        }                                                                                          \
    } while (0)

/* Carries out one member's share of a request: a verified call if the request wants one, an untimed
 * call, and the timed calls. There is no barrier between the untimed call and the timed calls
 * (team.c says why). `call` is an expression that makes one call. `meet` is an expression that
 * passes the barrier of all members. `whole` has the buffers of all processors. */
#define RUN_CALLS(request, whole, member, steps, times, meet, call)                                \
    do {                                                                                           \
        int rank_ = (member) % group_size(&(request)->job);                                        \
        (times)->wrong = false;                                                                    \
        if ((request)->verify) {                                                                   \
            steps_fill(steps, rank_, out_of(whole, member), in_of(whole, member));                 \
            meet;                                                                                  \
            call;                                                                                  \
            (times)->wrong = !steps_right(steps, rank_, in_of(whole, member));                     \
        }                                                                                          \
        meet;                                                                                      \
        for (uint64_t i_ = 0; i_ <= (request)->calls; i_++) {                                      \
            if (i_ == 1)                                                                           \
                (times)->start = now_ns();                                                         \
            call;                                                                                  \
        }                                                                                          \
        (times)->end = now_ns();                                                                   \
    } while (0)

/* Does the same as RUN_CALLS for a contestant that is written by hand. `wait` is an expression that
 * passes the barrier of the member's group. */
#define RUN_MEMBER(request, whole, member, times, meet, wait)                                      \
    do {                                                                                           \
        int size_ = group_size(&(request)->job);                                                   \
        struct job_steps steps_;                                                                   \
        steps_of(&(request)->job, whole, (member) / size_, &steps_);                               \
        RUN_CALLS(request, whole, member, &steps_, times, meet,                                    \
                  COPY_STEPS(&steps_, (member) % size_, wait));                                    \
    } while (0)

#endif
