/* Runs the contestants that are programs of their own, such as MPI. The benchmark's driver
 * (peers.c) starts each program once for each number of processors, and sends requests to it over a
 * socket. Between requests the program sleeps. The time to start a program is never measured. */
#include "contestant.h"
#include "serve.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

#define MOST_RUNNING  32
#define MOST_WORDS    48
#define START_SECONDS 60
#define REPLY_SECONDS 60

struct running {
    const struct program *program;
    int n;
    pid_t pid;
    int connections; /* the number of processes that connect: n for MPI, otherwise 1 */
    int *sockets;    /* the socket to the process of each rank */
    char failed[160];
};

static struct running running[MOST_RUNNING];
static int running_count;
static bool left_out;

void programs_leave_out(void)
{
    left_out = true;
}

/* --- Which programs are available --- */

static const char *own_folder(void)
{
    static char folder[1024];
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    while (length > 0 && folder[length - 1] != '/')
        length--;
    folder[length > 0 ? length : 0] = '\0';
    return folder;
}

static bool in_path(const char *name)
{
    char path[1024];
    const char *from = getenv("PATH");
    while (from && *from) {
        size_t length = strcspn(from, ":");
        snprintf(path, sizeof path, "%.*s/%s", (int)length, from, name);
        if (access(path, X_OK) == 0)
            return true;
        from += length + (from[length] == ':');
    }
    return false;
}

static const char *launcher_of(const struct program *program)
{
    for (int i = 0; i < 2; i++) {
        if (program->launcher[i] && in_path(program->launcher[i]))
            return program->launcher[i];
    }
    return NULL;
}

/* Finds the program's file, in the driver's folder or in the folder bench of the same build.
 * Returns false if there is no such file. */
static bool find_file(const struct program *program, char *path, size_t size)
{
    static const char *const folders[] = {"", "../bench/"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        snprintf(path, size, "%s%s%s", own_folder(), folders[i], program->file);
        if (access(path, X_OK) == 0)
            return true;
    }
    return false;
}

/* Returns whether Meson has found the libraries that the program needs. Meson writes the names of
 * such programs to PEERS_FOUND, with a space before and after each name. */
static bool was_found(const struct program *program)
{
    char name[64];
    snprintf(name, sizeof name, " %s ", program->file);
    return strstr(PEERS_FOUND, name) != NULL;
}

const char *program_missing(const struct contestant *self, const struct job *job)
{
    static char why[256];
    char path[1200];
    const struct program *program = self->program;
    (void)job;
    if (left_out)
        return "left out (--inside)";
    bool built = find_file(program, path, sizeof path);
    if (built && (!program->launcher[0] || launcher_of(program)))
        return NULL;
    if (!built && was_found(program))
        snprintf(why, sizeof why,
                 "its program %s is not built (meson compile -C BUILD_FOLDER all-peers)",
                 program->file);
    else
        snprintf(why, sizeof why, "%s (Debian: %s)",
                 built ? "its launcher is missing" : "not found by Meson", program->package);
    return why;
}

/* --- Starting a program --- */

static void add_words(char **words, int *count, const char *const *more)
{
    for (int i = 0; more && more[i] && *count < MOST_WORDS - 1; i++)
        words[(*count)++] = (char *)more[i];
}

static void execute_child(const struct program *program, int n, const char *socket_path)
{
    char *words[MOST_WORDS], file[1200], number[16];
    int count = 0, quiet = open("/dev/null", O_RDWR);
    find_file(program, file, sizeof file);
    snprintf(number, sizeof number, "%d", n);
    if (program->launcher[0]) {
        words[count++] = (char *)launcher_of(program);
        add_words(words, &count, n <= cores_allowed() ? program->bound : program->crowded);
        add_words(words, &count, (const char *const[]){"-n", number, NULL});
    }
    add_words(words, &count, (const char *const[]){file, socket_path, NULL});
    words[count] = NULL;
    for (int i = 0; program->environment && program->environment[i]; i++)
        putenv((char *)program->environment[i]);
    sigset_t none; /* no signal is blocked in the child, although the child inherits the signals
                      that the driver blocks */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    dup2(quiet, 0);
    if (!getenv("KPORT_BENCH_LOUD")) {
        dup2(quiet, 1);
        dup2(quiet, 2);
    }
    execvp(words[0], words);
    _exit(127);
}

static int listen_at(char *path, size_t size)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    static int number;
    snprintf(path, size, "/tmp/kport-bench-%d-%d", (int)getpid(), number++);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    unlink(path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(fd, 4096) != 0) {
        if (fd >= 0)
            close(fd);
        return -1;
    }
    return fd;
}

static bool accept_one(struct running *r, int listener, int64_t until)
{
    struct reply hello;
    struct pollfd wanted = {.fd = listener, .events = POLLIN};
    for (;;) {
        if (now_ns() > until || waitpid(r->pid, NULL, WNOHANG) == r->pid)
            return false;
        if (poll(&wanted, 1, 100) > 0)
            break;
    }
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    struct timeval limit = {.tv_sec = REPLY_SECONDS};
    if (fd >= 0)
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    if (fd < 0 || !read_all(fd, &hello, sizeof hello) || hello.rank < 0 ||
        hello.rank >= r->connections)
        return false;
    r->sockets[hello.rank] = fd;
    return true;
}

static void end_one(struct running *r, const char *why)
{
    for (int i = 0; r->sockets && i < r->connections; i++) {
        if (r->sockets[i] >= 0)
            close(r->sockets[i]);
        r->sockets[i] = -1;
    }
    if (r->pid > 0) {
        for (int i = 0; i < 50 && waitpid(r->pid, NULL, WNOHANG) == 0; i++)
            usleep(100000);
        kill(-r->pid, SIGKILL);
        waitpid(r->pid, NULL, WNOHANG);
    }
    r->pid = 0;
    snprintf(r->failed, sizeof r->failed, "%s", why);
}

static void start(struct running *r)
{
    char path[100];
    int listener = listen_at(path, sizeof path);
    int64_t until = now_ns() + (int64_t)START_SECONDS * 1000000000;
    r->connections = r->program->launcher[0] ? r->n : 1;
    r->sockets = malloc((size_t)r->connections * sizeof *r->sockets);
    for (int i = 0; i < r->connections; i++)
        r->sockets[i] = -1;
    fflush(NULL);
    r->pid = listener < 0 ? -1 : fork();
    if (r->pid == 0)
        execute_child(r->program, r->n, path);
    bool came = r->pid > 0;
    for (int i = 0; i < r->connections && came; i++)
        came = accept_one(r, listener, until);
    if (listener >= 0)
        close(listener);
    unlink(path);
    if (!came)
        end_one(r, "does not start");
}

/* Finds the running program for n processors, or starts it. A program with a launcher (MPI) is
 * started for one n; any other program serves every n. */
static struct running *find(const struct program *program, int n)
{
    int wanted = program->launcher[0] ? n : 0;
    for (int i = 0; i < running_count; i++) {
        if (running[i].program == program && running[i].n == wanted)
            return &running[i];
    }
    if (running_count == MOST_RUNNING)
        return NULL;
    struct running *r = &running[running_count++];
    *r = (struct running){.program = program, .n = wanted};
    start(r);
    return r;
}

void programs_end(void)
{
    for (int i = 0; i < running_count; i++) {
        end_one(&running[i], "ended");
        free(running[i].sockets);
    }
    running_count = 0;
}

/* --- Sending requests --- */

static bool ask(struct running *r, const struct request *request, struct reply *reply)
{
    for (int i = 0; i < r->connections; i++) {
        if (!write_all(r->sockets[i], request, sizeof *request))
            return false;
    }
    for (int i = 0; i < r->connections; i++) {
        struct reply one;
        if (!read_all(r->sockets[i], &one, sizeof one))
            return false;
        reply->start_ns = begin_of(&request->job, reply->start_ns, one.start_ns);
        reply->end_ns = one.end_ns > reply->end_ns ? one.end_ns : reply->end_ns;
        reply->cpu_ns += one.cpu_ns;
        reply->status = one.status ? one.status : reply->status;
    }
    return true;
}

bool program_serves(const struct contestant *self, const struct job *job)
{
    /* In rows about fibers, a program serves only the jobs for which the row has a limit against
     * it. */
    const bool tagged = job->operation == PING_PONG || job->operation == WINDOW;
    if (tagged || job->started || job->operation == ALLREDUCE)
        return self->kind == OPENMPI || self->kind == MPICH;
    if (job->fibers)
        return self->kind == OPENMPI && job->operation == INDEX && job->radix == 0;
    if (self->kind == BOOST)
        return job->operation == ROUND_TRIP || job->operation == THROUGHPUT;
    if (self->kind == CK)
        return job->operation == ROUND_TRIP || job->operation == THROUGHPUT ||
               (job->operation == BARRIER && job->n <= 64);
    if (self->kind == BLIS)
        return (job->operation == BARRIER || job->operation == BROADCAST) && job->n <= 64;
    if (self->kind == GLOO)
        return job->operation <= GATHER && job->n <= 64;
    if (job->operation == PROGRAM && (job->before || (job->halves && self->kind == OPENMP)))
        /* `before` is for kport alone. OpenMP cannot serve halves, because its barrier is for all
         * threads. */
        return false;
    if (job->operation == WHOLE && self->kind == MPICH)
        return false;
    if (job->operation > GATHER && job->operation != PROGRAM && job->operation != WHOLE)
        return false;
    return !self->program->launcher[0] || job->n <= 64;
}

const char *program_run(const struct contestant *self, const struct request *request,
                        const struct arena *arena, struct reply *reply)
{
    (void)arena;
    struct running *r = find(self->program, request->job.n);
    if (!r)
        return "too many programs";
    if (!r->failed[0] && !ask(r, request, reply))
        end_one(r, errno == EAGAIN ? "no answer within a minute" : "ended unasked");
    return r->failed[0] ? r->failed : NULL;
}
