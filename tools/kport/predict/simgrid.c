#include "tools/kport/predict/simgrid.h"

#include "tools/kport/command.h"
#include "tools/kport/common/interrupt.h"
#include "tools/kport/predict/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char folder[PATH_MAX]; /* the temporary folder; empty: there is none */

static const char *const names[] = {"platform.xml", "hosts", "list", "trace", "said"};

/* Returns the path of a file in the temporary folder. The text is valid for the next four calls. */
static const char *path_of(const char *name)
{
    static char paths[5][PATH_MAX + 32];
    static int next;
    next = (next + 1) % 5;
    snprintf(paths[next], sizeof paths[next], "%s/%s", folder, name);
    return paths[next];
}

bool simgrid_is_there(void)
{
    const char *path = getenv("PATH");
    for (const char *at = path ? path : ""; *at;) {
        char file[PATH_MAX];
        size_t length = strcspn(at, ":");
        snprintf(file, sizeof file, "%.*s/smpirun", (int)length, at);
        if (access(file, X_OK) == 0)
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

static FILE *open_file(const char *name)
{
    FILE *file = fopen(path_of(name), "w");
    if (!file)
        fprintf(stderr, "kport: \"%s\" could not be written: %s\n", path_of(name), strerror(errno));
    return file;
}

static int close_file(FILE *file, const char *name)
{
    errno = 0;
    bool failed = ferror(file) != 0;
    failed = fclose(file) != 0 || failed;
    if (failed)
        fprintf(stderr, "kport: \"%s\" could not be written: %s\n", path_of(name), strerror(errno));
    return failed ? EXIT_IMPOSSIBLE : EXIT_DONE;
}

static int write_hosts(const struct network *net)
{
    FILE *hosts = open_file("hosts");
    for (int rank = 0; hosts && rank < net->n; rank++)
        fprintf(hosts, "node-%d\n", rank);
    return hosts ? close_file(hosts, "hosts") : EXIT_IMPOSSIBLE;
}

static int write_platform(const struct network *net)
{
    FILE *platform = open_file("platform.xml");
    if (platform)
        network_write_platform(net, platform);
    return platform ? close_file(platform, "platform.xml") : EXIT_IMPOSSIBLE;
}

/* smpirun reads a list of traces. One trace in the list is that of all ranks. */
static int write_list(void)
{
    FILE *list = open_file("list");
    if (list)
        fprintf(list, "%s\n", path_of("trace"));
    return list ? close_file(list, "list") : EXIT_IMPOSSIBLE;
}

void simgrid_end(void)
{
    if (!folder[0])
        return;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        (void)unlink(path_of(names[i]));
    (void)rmdir(folder);
    folder[0] = '\0';
}

/* --- A replay --- */

/* SimGrid's own factors and costs are switched off: what remains are the latencies and bandwidths
 * of the platform, and the messages that share its links. */
static const char *const switched_off[] = {
    "-no-privatize",
    "--cfg=network/model:CM02",
    "--cfg=network/latency-factor:1",
    "--cfg=network/bandwidth-factor:1",
    "--cfg=network/weight-S:0",
    "--cfg=network/TCP-gamma:0",
    "--cfg=network/crosstraffic:no",
    "--cfg=surf/precision:1e-12",
    "--cfg=smpi/os:0:0:0",
    "--cfg=smpi/ois:0:0:0",
    "--cfg=smpi/or:0:0:0",
    "--cfg=smpi/host-speed:1Gf",
    "--cfg=smpi/display-timing:yes",
};
#define SWITCHED_OFF (sizeof switched_off / sizeof switched_off[0])

/* Starts smpirun, whose output goes to the file "said". Returns its process, or -1. */
static pid_t start(const struct network *net)
{
    char processes[16], asynchronous[64], detached[64], platform[PATH_MAX + 32];
    uint64_t least_that_waits = trace_length(net, net->eager_bytes) + 1;
    int limit = least_that_waits < INT_MAX ? (int)least_that_waits : INT_MAX;
    char *arguments[32], **next = arguments;
    posix_spawn_file_actions_t files;
    pid_t child;
    snprintf(processes, sizeof processes, "%d", net->n);
    snprintf(platform, sizeof platform, "%s", net->kind ? path_of("platform.xml") : net->path);
    snprintf(asynchronous, sizeof asynchronous, "--cfg=smpi/async-small-thresh:%d", limit);
    snprintf(detached, sizeof detached, "--cfg=smpi/send-is-detached-thresh:%d", limit);
    const char *const head[] = {"smpirun", "-np",           processes, "-platform", platform,
                                "-replay", path_of("list"), detached,  asynchronous};
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        *next++ = (char *)(uintptr_t)head[i];
    for (size_t i = 0; i < SWITCHED_OFF; i++)
        *next++ = (char *)(uintptr_t)switched_off[i];
    if (net->kind) {
        *next++ = (char *)(uintptr_t) "-hostfile";
        *next++ = (char *)(uintptr_t)path_of("hosts");
    }
    *next = NULL;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, 1, path_of("said"), O_WRONLY | O_CREAT | O_TRUNC,
                                     0600);
    posix_spawn_file_actions_adddup2(&files, 1, 2);
    errno = posix_spawnp(&child, "smpirun", &files, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    return errno == 0 ? child : -1;
}

/* Finds a line in what smpirun has said, and what follows `words` there. Returns NULL if there is
 * no such line. The text is valid until the next call. */
static const char *find_said(const char *words)
{
    static char line[1024];
    const char *at = NULL;
    FILE *said = fopen(path_of("said"), "r");
    while (said && !at && fgets(line, sizeof line, said))
        at = strstr(line, words);
    if (said)
        (void)fclose(said);
    return at ? at + strlen(words) : NULL;
}

/* Finds the simulated time. Returns false if it is not there. */
static bool read_time(double *us)
{
    const char *seconds = find_said("Simulated time: ");
    bool found = seconds && sscanf(seconds, "%lf seconds", us) == 1;
    *us *= found ? 1e6 : 1;
    return found;
}

/* Finds the sentence with which SimGrid gave up. */
static const char *find_reason(void)
{
    const char *reason = find_said("/CRITICAL] ");
    reason = reason ? reason : find_said("/ERROR] ");
    return reason ? reason : "it does not say why\n";
}

/* Replays the trace. Returns false after an error. */
static bool replay(const struct network *net, double *us)
{
    int status = 0;
    pid_t child = start(net), ended = -1;
    while (child >= 0 && (ended = waitpid(child, &status, 0)) < 0 && errno == EINTR)
        continue;
    return child >= 0 && ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0 &&
           read_time(us);
}

/* Replays a trace without messages on a platform of the user's own. So its errors are found before
 * there are rows, and nothing else can be their cause. */
static int try_platform(const struct network *net)
{
    double us;
    FILE *trace = open_file("trace");
    for (int rank = 0; trace && rank < net->n; rank++)
        fprintf(trace, "%d init\n%d finalize\n", rank, rank);
    if (!trace || close_file(trace, "trace"))
        return EXIT_IMPOSSIBLE;
    bool done = replay(net, &us);
    if (interrupt_came())
        return EXIT_FAILED;
    /* SimGrid would put several ranks on a host. */
    if (find_said("You requested to use ")) {
        fprintf(stderr, "kport: n is %d, but the platform \"%s\" has fewer hosts\n", net->n,
                net->path);
        return EXIT_IMPOSSIBLE;
    }
    if (done)
        return EXIT_DONE;
    fprintf(stderr, "kport: --network is \"%s\", which SimGrid cannot read as a platform: %s",
            net->path, find_reason());
    return EXIT_IMPOSSIBLE;
}

int simgrid_begin(const struct network *net)
{
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/kport-XXXXXX", parent && *parent ? parent : "/tmp");
    if (!mkdtemp(folder)) {
        fprintf(stderr, "kport: no folder \"%s\" could be made: %s\n", folder, strerror(errno));
        folder[0] = '\0';
        return EXIT_IMPOSSIBLE;
    }
    int status = write_list();
    if (status || !net->kind)
        return status ? status : try_platform(net);
    status = write_hosts(net);
    return status ? status : write_platform(net);
}

int simgrid_time(const kp_schedule *schedule, size_t b, const struct network *net, double *us)
{
    FILE *trace = open_file("trace");
    if (!trace)
        return EXIT_IMPOSSIBLE;
    int status = trace_write(schedule, b, net, trace);
    if (close_file(trace, "trace") || status)
        return EXIT_IMPOSSIBLE;
    if (replay(net, us))
        return EXIT_DONE;
    if (interrupt_came())
        return EXIT_FAILED;
    fprintf(stderr, "kport: SimGrid could not replay the schedule: %s", find_reason());
    return EXIT_IMPOSSIBLE;
}
