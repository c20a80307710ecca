#include "tools/kport/common/processes.h"

#include "ports/port.h"
#include "tools/kport/command.h"
#include "tools/kport/common/interrupt.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A process that does not come to an agreement within this many milliseconds is lost. Between two
 * agreements all processes do the same work. */
#define PATIENCE_MS 120000

/* How many seconds a silent process leaves the one of rank 0 to tell why they fail. */
#define LET_TELL_S 1

/* The processes in the command that is suggested where the number of processors is not known. */
#define USUAL_PROCESSES 4

static struct {
    int argument_count;
    char **arguments;
    kp_machine *agreement; /* a machine with one processor in each process; NULL: one process */
    int processes, first, here;
    char network[128];
    int64_t now;
    bool over; /* some process has ended its command, so there are no more agreements */
    bool silent;
    int out, errors; /* while it is silent: where its output would have gone */
} known;

void processes_note_arguments(int count, char **arguments)
{
    known.argument_count = count;
    known.arguments = arguments;
}

bool processes_several(void)
{
    return known.agreement != NULL;
}

int processes_processors(void)
{
    return known.processes * known.here;
}

int processes_first(void)
{
    return known.first;
}

int processes_here(int n)
{
    return processes_several() ? known.here : n;
}

bool processes_prints(void)
{
    return known.first == 0;
}

const char *processes_network(void)
{
    return known.network;
}

void processes_print(FILE *out)
{
    if (processes_several())
        fprintf(out, "%s: processes %d, processors of each %d", known.network, known.processes,
                known.here);
}

void processes_json(json_t *object)
{
    if (!processes_several())
        return;
    json_object_set_new(object, "carrier", json_string("mpi"));
    json_object_set_new(object, "network", json_string(known.network));
    json_object_set_new(object, "processes", json_integer(known.processes));
    json_object_set_new(object, "per_process", json_integer(known.here));
}

/* --- Agreements --- */

/* What a process brings to an agreement, and what it takes from it: the greatest of each. */
struct agreement {
    double ended, status, now, interrupt, values[PROCESSES_VALUES];
};
#define AGREEMENT_NUMBERS (sizeof(struct agreement) / sizeof(double))

static int64_t clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int agree_once(kp_proc *self, void *argument)
{
    return kp_allreduce(kp_world(self), KP_IN_PLACE, argument, AGREEMENT_NUMBERS, KP_FLOAT64,
                        KP_MAXIMUM, NULL);
}

/* Returns an exit status. */
static int agree(struct agreement *agreement)
{
    kp_report report;
    agreement->now = (double)clock_now();
    agreement->interrupt = interrupt_pending();
    if (kp_machine_run(known.agreement, agree_once, agreement, &report)) {
        fprintf(stderr, "kport: the processes could not agree: %s\n", report.error.sentence);
        known.over = true;
        return EXIT_FAILED;
    }
    known.now = (int64_t)agreement->now;
    known.over = agreement->ended > 0;
    interrupt_agree((int)agreement->interrupt);
    return EXIT_DONE;
}

int processes_agree(double *values, int count)
{
    struct agreement agreement = {.ended = 0};
    if (!processes_several())
        return EXIT_DONE;
    if (known.over)
        return EXIT_FAILED;
    for (int i = 0; i < count; i++)
        agreement.values[i] = values[i];
    int status = agree(&agreement);
    for (int i = 0; i < count && !status; i++)
        values[i] = agreement.values[i];
    return known.over ? EXIT_FAILED : status;
}

int64_t processes_now(void)
{
    return processes_several() ? known.now : clock_now();
}

int processes_end(int status)
{
    struct agreement agreement = {.ended = 1, .status = status};
    /* mpirun ends all processes as soon as one has failed. So the one that tells why goes first. */
    if (known.silent && status)
        (void)nanosleep(&(struct timespec){.tv_sec = LET_TELL_S}, NULL);
    if (!processes_several() || known.over)
        return status;
    return agree(&agreement) && !status ? EXIT_FAILED : (int)agreement.status;
}

/* --- Finding the processes --- */

/* Returns the value of a variable that mpirun sets for each process, or -1 without mpirun. */
static int started(const char *by_openmpi, const char *by_mpich)
{
    const char *value = getenv(by_openmpi);
    value = value ? value : getenv(by_mpich);
    return value ? atoi(value) : -1;
}

/* Returns whether the arguments have carrier=mpi in a problem, or the option --carrier mpi. */
static bool name_an_mpi(void)
{
    for (int i = 1; i < known.argument_count; i++) {
        const char *argument = known.arguments[i];
        if (strstr(argument, "carrier=mpi") ||
            (strcmp(argument, "mpi") == 0 && strstr(known.arguments[i - 1], "-carrier")))
            return true;
    }
    return false;
}

void processes_silence(void)
{
    if (started("OMPI_COMM_WORLD_RANK", "PMI_RANK") <= 0 || !name_an_mpi())
        return;
    const int nowhere = open("/dev/null", O_WRONLY);
    known.out = dup(STDOUT_FILENO);
    known.errors = dup(STDERR_FILENO);
    if (nowhere >= 0 && known.out >= 0 && known.errors >= 0) {
        known.silent = true;
        (void)dup2(nowhere, STDOUT_FILENO);
        (void)dup2(nowhere, STDERR_FILENO);
    }
    (void)close(nowhere);
}

static void end_silence(void)
{
    if (!known.silent)
        return;
    fflush(stdout);
    (void)dup2(known.out, STDOUT_FILENO);
    (void)dup2(known.errors, STDERR_FILENO);
    (void)close(known.out);
    (void)close(known.errors);
    known.silent = false;
}

static void print_argument(const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./";
    if (text[0] && text[strspn(text, plain)] == '\0') {
        fprintf(stderr, " %s", text);
        return;
    }
    fprintf(stderr, " '");
    for (; *text; text++)
        fprintf(stderr, *text == '\'' ? "'\\''" : "%c", *text);
    fprintf(stderr, "'");
}

/* Prints the command that starts the processes of this machine, unless it is the one that was
 * given. */
static void suggest(const kp_config *config)
{
    const int each = config->per_process > 0 ? config->per_process : 1;
    const int is = started("OMPI_COMM_WORLD_SIZE", "PMI_SIZE");
    int processes = config->processors / each;
    if (config->processors == 0)
        processes = is > 0 ? is : USUAL_PROCESSES;
    if (processes == is)
        return;
    fprintf(stderr, "kport: this would do: mpirun -n %d", processes);
    print_argument(known.arguments[0]);
    for (int i = 1; i < known.argument_count; i++)
        print_argument(known.arguments[i]);
    fprintf(stderr, "\n");
}

/* What all processes find wrong alike, one of them tells. */
static int refuse(const kp_config *config, int status)
{
    if (status != KP_EARGUMENT || started("OMPI_COMM_WORLD_RANK", "PMI_RANK") <= 0) {
        fprintf(stderr, "kport: %s\n", kp_last_error()->sentence);
        suggest(config);
    }
    return EXIT_IMPOSSIBLE;
}

static int check(const kp_config *config)
{
    const int each = config->per_process > 0 ? config->per_process : 1;
    if (config->pin == KP_PIN_ALWAYS)
        return processes_refuse(config, "pin=1", "mpirun binds processes to cores (--bind-to)");
    if (config->processors % each == 0)
        return EXIT_DONE;
    fprintf(stderr, "kport: n is %d; with per_process=%d it may be a multiple of %d\n",
            config->processors, each, each);
    return EXIT_IMPOSSIBLE;
}

int processes_refuse(const kp_config *config, const char *option, const char *why)
{
    if (config->carrier != KP_CARRIER_MPI)
        return EXIT_DONE;
    fprintf(stderr, "kport: %s is given; with carrier=mpi it may not be: %s\n", option, why);
    return EXIT_IMPOSSIBLE;
}

int processes_read(const char *carrier, uint64_t per_process, kp_config *config)
{
    if (carrier && strcmp(carrier, "mpi") != 0) {
        fprintf(stderr, "kport: --carrier is \"%.60s\"; it may be mpi, or left out\n", carrier);
        return EXIT_IMPOSSIBLE;
    }
    if (per_process && !carrier) {
        fprintf(stderr, "kport: --per-process is given; without --carrier mpi it may not be\n");
        return EXIT_IMPOSSIBLE;
    }
    config->carrier = carrier ? KP_CARRIER_MPI : config->carrier;
    config->per_process = (int)per_process;
    return EXIT_DONE;
}

/* Before MPI ends, which is at the end of the program. */
static void destroy(void)
{
    (void)kp_machine_destroy(known.agreement);
}

static int count_processes(kp_proc *self, void *argument)
{
    *(int *)argument = kp_size(kp_world(self));
    return KP_OK;
}

/* Under mpirun a command without carrier=mpi is carried out by every process by itself. The one of
 * rank 0 says so. */
static void tell_of_others(void)
{
    static bool told;
    const int started = kp_port_started_by_mpirun();
    if (started > 1 && !told)
        fprintf(stderr,
                "kport: mpirun has started %d processes, and each carries out this command by "
                "itself; with carrier=mpi (of route, tune and soak: --carrier mpi) they do it "
                "together\n",
                started);
    told = true;
}

int processes_find(const kp_config *config)
{
    kp_machine *machine;
    const char *network;
    kp_report report;
    if (config->carrier != KP_CARRIER_MPI) {
        tell_of_others();
        return EXIT_DONE;
    }
    int status = check(config);
    if (status)
        return status;
    end_silence();
    if ((status = kp_machine_create(config, &machine)) != KP_OK)
        return refuse(config, status);
    known.here = kp_port_machine_here(machine, &known.first, &network);
    snprintf(known.network, sizeof known.network, "%s", network);
    (void)kp_machine_destroy(machine);
    if (processes_several())
        return EXIT_DONE;
    const kp_config alone = {.carrier = KP_CARRIER_MPI, .time_limit_ms = PATIENCE_MS};
    if ((status = kp_machine_create(&alone, &known.agreement)) != KP_OK)
        return refuse(config, status);
    (void)atexit(destroy);
    if (kp_machine_run(known.agreement, count_processes, &known.processes, &report) ||
        (!processes_prints() && !freopen("/dev/null", "w", stdout))) {
        fprintf(stderr, "kport: the processes could not meet: %s\n", report.error.sentence);
        return EXIT_FAILED;
    }
    interrupt_hold();
    return processes_agree(NULL, 0);
}
