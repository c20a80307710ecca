/* Times the peers by the helper program kport-peers. So kport itself does not need the libraries of
 * the peers. kport starts the helper when it first needs it, and the helper ends when kport ends.
 * In a build, the helper is in the same folder as kport. After an installation it is in
 * PEERS_FOLDER. */
#include "tools/kport/bench/peers_messages.h"

#include "bench/socket.h"
#include "tools/kport/bench/beside.h"

#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>

#define PROGRAM "kport-peers"
/* The helper may start a dozen programs, each of which may take up to a minute to start. */
#define REPLY_SECONDS 600

const struct peers_column peers_columns[PEERS_COLUMNS] = {
    {"By hand", "by_hand"},  {"pthread_barrier_t", "pthread_barrier"},
    {"OpenMP", "openmp"},    {"std::barrier", "std_barrier"},
    {"Open MPI", "openmpi"}, {"MPICH", "mpich"},
};

extern char **environ;

/* The columns that are timed, a bit each. */
static uint64_t chosen = (UINT64_C(1) << PEERS_COLUMNS) - 1;

bool peers_is_chosen(int column)
{
    return chosen >> column & 1;
}

bool peers_choose(const char *list)
{
    const uint64_t all = (UINT64_C(1) << PEERS_COLUMNS) - 1;
    chosen = *list ? 0 : all;
    for (const char *at = list; *at; at += *at == ',') {
        const size_t length = strcspn(at, ",");
        int column = 0;
        while (column < PEERS_COLUMNS && (strlen(peers_columns[column].key) != length ||
                                          memcmp(peers_columns[column].key, at, length) != 0))
            column++;
        if (column == PEERS_COLUMNS) {
            fprintf(stderr, "kport bench: --peers is \"%.200s\"; it may be a list of", list);
            for (int i = 0; i < PEERS_COLUMNS; i++)
                fprintf(stderr, "%s %s", i > 0 ? "," : "", peers_columns[i].key);
            fprintf(stderr, ", and without a list it means all\n");
            return false;
        }
        chosen |= UINT64_C(1) << column;
        at += length;
    }
    return true;
}

static enum {
    NOT_STARTED,
    RUNS,
    FAILED
} helper;
static int helper_socket;

/* --- The helper program --- */

#ifdef PEERS_FOLDER
/* Returns the path of the helper, or NULL if there is no helper. */
static char *find_program(void)
{
    static char path[1024];
    if (beside_find(PROGRAM, path, sizeof path))
        return path;
    snprintf(path, sizeof path, "%s", PEERS_FOLDER "/" PROGRAM);
    return access(path, X_OK) == 0 ? path : NULL;
}

const char *peers_missing(void)
{
    static char why[2048];
    char ninja[1200];
    if (find_program())
        return NULL;
    beside_ninja(PROGRAM, ninja, sizeof ninja);
    snprintf(why, sizeof why,
             "the helper program " PROGRAM
             ", which times the peers, is neither beside this program nor in " PEERS_FOLDER "%s",
             ninja);
    return why;
}
#else
static char *find_program(void)
{
    return NULL;
}

const char *peers_missing(void)
{
    return "this program is built without peers (Meson option peers)";
}
#endif

/* Starts the helper. Its standard input is one end of a socket; kport has the other end. */
static bool start(void)
{
    char *path = find_program();
    int ends[2];
    pid_t pid;
    posix_spawn_file_actions_t actions;
    const struct timeval limit = {.tv_sec = REPLY_SECONDS};
    if (!path || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
    int error = posix_spawn(&pid, path, &actions, NULL, (char *[]){path, NULL}, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    helper_socket = ends[0];
    return error == 0;
}

static bool ask(const struct peers_request *request, struct peers_reply *reply)
{
    if (helper == NOT_STARTED)
        helper = start() ? RUNS : FAILED;
    if (helper == RUNS && !(write_all(helper_socket, request, sizeof *request) &&
                            read_all(helper_socket, reply, sizeof *reply))) {
        fprintf(stderr, "kport: the helper program " PROGRAM " has ended unasked\n");
        close(helper_socket);
        helper = FAILED;
    }
    return helper == RUNS;
}

/* --- Sending requests to the helper --- */

static int operation_of(const struct task *task)
{
    static const int operations[KP_OPERATIONS] = {
        [KP_INDEX] = INDEX,     [KP_CONCAT] = CONCAT, [KP_BROADCAST] = BROADCAST,
        [KP_SCATTER] = SCATTER, [KP_GATHER] = GATHER, [KP_ALLREDUCE] = ALLREDUCE};
    return operations[task->problem.operation];
}

/* Finds the combination of an allreduce. Returns false if no peer knows it. */
static bool combination_of(const kp_problem *p, int32_t *combination)
{
    const bool sum = !p->op || p->op == KP_SUM, doubles = p->type == KP_FLOAT64;
    *combination = doubles ? (sum ? SUM_OF_DOUBLES : MAXIMUM_OF_DOUBLES)
                           : (sum ? SUM_OF_INTEGERS : MAXIMUM_OF_INTEGERS);
    return (sum || p->op == KP_MAXIMUM) && (doubles || p->type == KP_INT64);
}

/* Converts a task to a job of the benchmark (bench/job.h). Returns false if there is no such job. A
 * job exists for the barrier, for some allreduces, and for five operations, with root 0 and with
 * separate buffers for outgoing and incoming data. */
static bool job_of(const struct task *task, const kp_config *machine, bool ahead, struct job *job)
{
    const kp_problem *p = &task->problem;
    *job = (struct job){.operation = operation_of(task),
                        .n = p->n,
                        .k = p->k,
                        .b = p->b,
                        .pin = machine->pin,
                        .batch = ahead};
    if (job->operation == ALLREDUCE && !combination_of(p, &job->combination))
        return false;
    return task->barrier || (job->operation != BARRIER && p->root == 0 && !p->in_place && p->n > 1);
}

const char *peers_none(const struct task *task, const kp_config *machine)
{
    struct job job;
    return job_of(task, machine, false, &job)
               ? NULL
               : "none; peers exist for index, concat, broadcast, scatter, gather (root 0), "
                 "allreduce "
                 "(an MPI: sum or maximum of float64 or int64) and barrier; not in place, n > 1";
}

const char *peers_column_missing(int column, const struct task *task, const kp_config *machine)
{
    static struct peers_reply told;
    struct peers_request request = {.wish = PEERS_TELL};
    if (!job_of(task, machine, false, &request.job))
        return peers_none(task, machine);
    if (!ask(&request, &told))
        return "the helper program " PROGRAM " does not run";
    return told.missing[column][0] ? told.missing[column] : NULL;
}

bool peers_begin(const struct task *task, const kp_config *machine, bool ahead, double budget_ns)
{
    struct peers_request request = {.wish = PEERS_BEGIN, .columns = chosen, .budget_ns = budget_ns};
    struct peers_reply reply;
    return job_of(task, machine, ahead, &request.job) && ask(&request, &reply) && reply.begun;
}

void peers_repeat(void)
{
    const struct peers_request request = {.wish = PEERS_REPEAT};
    struct peers_reply reply;
    ask(&request, &reply);
}

void peers_end(struct peers_times *times)
{
    const struct peers_request request = {.wish = PEERS_END};
    struct peers_reply reply = {0};
    *times = ask(&request, &reply) ? reply.times : (struct peers_times){.us = {0}};
}
