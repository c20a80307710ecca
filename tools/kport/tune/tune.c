/* The command `kport tune`. It measures how fast this computer is, and writes the result to a
 * profile. By the profile the library chooses the algorithms of later calls. */
#include "tools/kport/tune/tune.h"

#include "lib/problem/operation.h"
#include "lib/tune/profile.h"
#include "ports/port.h"
#include "tools/kport/command.h"
#include "tools/kport/common/interrupt.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/common/progress.h"
#include "tools/kport/computer/computer.h"
#include "tools/kport/tune/tuning.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The options of the command line, before they are parsed. */
struct words {
    const char *n, *k, *carrier, *rounds, *operation, *profile;
    uint64_t workers, per_process;
    int audit, json;
};

/* Reads a list of numbers such as "2,8,64". Returns an exit status. */
static int read_list(const char *what, const char *text, uint64_t most, uint64_t *numbers,
                     int *count)
{
    char part[32];
    for (*count = 0; *text;) {
        size_t length = strcspn(text, ",");
        snprintf(part, sizeof part, "%.*s", (int)(length < 31 ? length : 31), text);
        if (*count == TUNE_MOST_SETTINGS) {
            fprintf(stderr, "kport: %s has more than %d numbers\n", what, TUNE_MOST_SETTINGS);
            return EXIT_IMPOSSIBLE;
        }
        if (!options_number(what, part, 1, most, &numbers[(*count)++]))
            return EXIT_IMPOSSIBLE;
        text += length + (text[length] == ',');
    }
    if (*count > 0)
        return EXIT_DONE;
    fprintf(stderr, "kport: %s is empty; it may be as 2,8,64\n", what);
    return EXIT_IMPOSSIBLE;
}

/* Adds the settings of n processors with each given number of ports. If no number is given, the
 * numbers are 1, 2 and n - 1. No setting is added twice. */
static int add_settings(struct tune_job *job, int n, const uint64_t *k, int count)
{
    int most = n > 2 ? n - 1 : 1;
    const uint64_t usual[] = {1, 2, (uint64_t)most};
    const uint64_t *ports = count > 0 ? k : usual;
    for (int i = 0; i < (count > 0 ? count : 3); i++) {
        bool there = ports[i] > (uint64_t)most;
        if (there && count > 0) {
            fprintf(stderr, "kport: -k is %d; with n=%d it may be 1 ... %d\n", (int)ports[i], n,
                    most);
            return EXIT_IMPOSSIBLE;
        }
        for (int j = 0; j < job->settings; j++)
            there = there || (job->n[j] == n && job->k[j] == (int)ports[i]);
        if (there)
            continue;
        if (job->settings == TUNE_MOST_SETTINGS) {
            fprintf(stderr, "kport: these are more than %d settings\n", TUNE_MOST_SETTINGS);
            return EXIT_IMPOSSIBLE;
        }
        job->n[job->settings] = n;
        job->k[job->settings++] = (int)ports[i];
    }
    return EXIT_DONE;
}

static int read_settings(const struct words *words, struct tune_job *job)
{
    uint64_t n[TUNE_MOST_SETTINGS] = {(uint64_t)job->usual_n}, k[TUNE_MOST_SETTINGS];
    int n_count = 1, k_count = 0;
    if ((words->n && read_list("-n", words->n, 1048575, n, &n_count)) ||
        (words->k && read_list("-k", words->k, 1048574, k, &k_count)))
        return EXIT_IMPOSSIBLE;
    for (int i = 0; i < n_count; i++) {
        if (add_settings(job, (int)n[i], k, k_count))
            return EXIT_IMPOSSIBLE;
    }
    return EXIT_DONE;
}

static int refuse_word(const char *what, const char *text, const char *may_be)
{
    fprintf(stderr, "kport: %s is \"%s\"; it may be %s\n", what, text, may_be);
    return EXIT_IMPOSSIBLE;
}

static int read_machine(const struct words *words, struct tune_job *job)
{
    const char *carrier = words->carrier ? words->carrier : "threads";
    const char *rounds = words->rounds ? words->rounds : "barrier";
    const bool over_mpi = strcmp(carrier, "mpi") == 0;
    if (strcmp(carrier, "fibers") == 0)
        job->machine.carrier = KP_CARRIER_FIBERS;
    else if (strcmp(carrier, "threads") != 0 && !over_mpi)
        return refuse_word("--carrier", carrier, "threads, fibers or mpi");
    if (processes_read(over_mpi ? carrier : NULL, words->per_process, &job->machine))
        return EXIT_IMPOSSIBLE;
    if (over_mpi && words->rounds && strcmp(rounds, "barrier") != 0)
        return refuse_word("--rounds", rounds,
                           "barrier with --carrier mpi: processes share no "
                           "mailboxes");
    if (strcmp(rounds, "mailboxes") == 0)
        job->machine.discipline = KP_ROUNDS_BY_MAILBOXES;
    else if (strcmp(rounds, "both") == 0 && !words->audit)
        job->both = true;
    else if (strcmp(rounds, "barrier") != 0)
        return refuse_word("--rounds", rounds, "barrier or mailboxes, or without --audit both");
    if (words->workers && job->machine.carrier == KP_CARRIER_THREADS)
        return refuse_word("--workers", "given", "left out: only fibers have workers");
    job->machine.workers = (int)words->workers;
    return EXIT_DONE;
}

/* Finds the processes, if the processors are in several. Without -n their number is then that of
 * the processors. */
static int find_processes(const struct words *words, struct tune_job *job)
{
    uint64_t n[TUNE_MOST_SETTINGS];
    int count = 0, status = EXIT_DONE;
    if (job->machine.carrier != KP_CARRIER_MPI)
        return EXIT_DONE;
    if (words->n && read_list("-n", words->n, 1048575, n, &count))
        return EXIT_IMPOSSIBLE;
    if (count > 1)
        return processes_refuse(&job->machine, "more than one -n", "the processes stay the same");
    kp_config machine = job->machine;
    machine.processors = count > 0 ? (int)n[0] : 0;
    status = processes_find(&machine);
    job->usual_n = status ? 0 : processes_processors();
    return status;
}

static int read_operation(const char *text, struct tune_job *job)
{
    job->operation = text ? kp_operation_find(text, strlen(text)) : -1;
    for (int o = 0; text && tuned_operations[o] != KP_OPERATIONS; o++) {
        if (job->operation == (int)tuned_operations[o])
            return EXIT_DONE;
    }
    return text ? refuse_word("--operation", text,
                              "index, concat, broadcast, scatter, gather, reduce, allreduce or "
                              "reduce-scatter")
                : EXIT_DONE;
}

void tune_carrier_format(const struct tune_job *job, char *text, size_t size)
{
    char *over = NULL;
    size_t length;
    FILE *out = processes_several() ? open_memstream(&over, &length) : NULL;
    if (out) {
        processes_print(out);
        fclose(out);
    }
    snprintf(text, size, "%s%s%s%s", kp_carrier_name(job->machine.carrier), over ? " (" : "",
             over ? over : "", over ? ")" : "");
    free(over);
}

bool tune_is_asked(const struct tune_job *job, int o)
{
    return job->operation < 0 || job->operation == (int)tuned_operations[o];
}

int tune_problems(const struct tune_job *job, int lengths)
{
    int count = 0;
    for (int o = 0; tuned_operations[o] != KP_OPERATIONS; o++)
        count += tune_is_asked(job, o) ? lengths : 0;
    return count;
}

/* Returns the number of workers of a machine with n processors. A profile is valid for this number
 * only. */
static int workers_of(const kp_config *machine, int n)
{
    int cores = kp_cores();
    if (machine->carrier != KP_CARRIER_FIBERS || machine->workers > 0)
        return machine->workers;
    return n < cores ? n : cores;
}

/* The numbers of all settings, of the settings that were measured and written, and of the settings
 * for which the time was too short. */
struct tuned {
    int all, written, empty;
};

/* Measures one setting, writes it to the profile, and prints a line about it. */
static int tune_one(const struct tune_job *job, int i, struct tuned *tuned, FILE *out)
{
    double begin = timed_now();
    json_t *setting = tune_setting(job, job->n[i], job->k[i]);
    if (!setting)
        return EXIT_FAILED;
    if (json_array_size(json_object_get(setting, "operations")) == 0) {
        if (processes_prints())
            fprintf(stderr, "kport: n=%d, k=%d is not in the profile: nothing was measured\n",
                    job->n[i], job->k[i]);
        tuned->empty++;
        json_decref(setting);
        return EXIT_DONE;
    }
    double beta = json_real_value(json_object_get(setting, "beta_us"));
    double tau = json_real_value(json_object_get(setting, "tau_us"));
    double failed = 0;
    if (processes_prints())
        failed = tune_write(job->path, setting);
    else
        json_decref(setting);
    int status = processes_agree(&failed, 1);
    if (status || failed > 0)
        return status ? status : (int)failed;
    tuned->written++;
    char carrier[256];
    tune_carrier_format(job, carrier, sizeof carrier);
    fprintf(out, "n=%d, k=%d on %s, rounds by %s: beta %.3f us, tau %.3g us a byte; %.1f s\n",
            job->n[i], job->k[i], carrier, kp_discipline_name(job->machine.discipline), beta, tau,
            timed_now() - begin);
    return EXIT_DONE;
}

/* After an interrupt or a failure, prints how many settings are in the file. An interrupt is not a
 * failure, so the lines about the measured settings are printed then. */
static int end_tuning(const struct tune_job *job, const struct tuned *tuned, FILE *out, int status)
{
    bool interrupted = interrupt_came();
    if (processes_prints() && (interrupted || (status && tuned->written > 0)))
        fprintf(stderr, "kport: %s after %d of %d settings; %s %s\n",
                interrupted ? "interrupted" : "failed", tuned->written, tuned->all,
                tuned->written > 0 ? "what was measured is in" : "nothing is written to",
                job->path);
    status = output_end(out, interrupted ? EXIT_DONE : status);
    return interrupted ? interrupt_status(status) : tuned->empty ? EXIT_FAILED : status;
}

static int tune_all(struct tune_job *job)
{
    int disciplines = job->both ? 2 : 1, workers = job->machine.workers;
    struct tuned tuned = {.all = job->settings * disciplines};
    double failed = processes_prints() ? tune_file_check(job->path, job->named) : EXIT_DONE;
    int status = processes_agree(&failed, 1);
    status = status ? status : (int)failed;
    FILE *out = status ? NULL : output_begin();
    if (!out)
        return status ? status : EXIT_IMPOSSIBLE;
    if (processes_prints())
        computer_print("", out);
    interrupt_watch();
    if (progress_is_told())
        fprintf(stderr, "kport tune: %d setting%s of %s, at most %llu s%s; into %s\n", tuned.all,
                tuned.all == 1 ? "" : "s",
                job->operation < 0 ? "all operations"
                                   : kp_operation_name((kp_operation)job->operation),
                (unsigned long long)job->seconds, tuned.all == 1 ? "" : " each", job->path);
    progress_begin("tune", tuned.all, "settings");
    progress_until((double)tuned.all * (double)job->seconds);
    for (int i = 0; i < tuned.all && !status; i++) {
        int which = i / disciplines;
        job->machine.workers = workers;
        job->machine.workers = workers_of(&job->machine, job->n[which]);
        if (job->both)
            job->machine.discipline = i % 2 ? KP_ROUNDS_BY_MAILBOXES : KP_ROUNDS_BY_BARRIER;
        job->done = i;
        status = tune_one(job, which, &tuned, out);
    }
    progress_end();
    return end_tuning(job, &tuned, out, status);
}

static int audit(struct tune_job *job, bool json)
{
    kp_profile *profile = NULL;
    const int refused = kp_profile_read(job->path, &profile);
    if (refused && job->named) {
        fprintf(stderr, "kport: --profile names no profile that can be read: %s\n",
                kp_last_error()->sentence);
        return EXIT_IMPOSSIBLE;
    }
    if (refused)
        fprintf(stderr, "kport: the built-in model: %s\n", kp_last_error()->sentence);
    else if (profile->left_out[0])
        fprintf(stderr, "kport: profile %s%s\n", job->path, profile->left_out);
    int status = tune_audit(job, profile, json);
    kp_profile_free(profile);
    return status;
}

static int run(const struct command *command, int count, char **arguments)
{
    struct words words = {.n = NULL};
    struct tune_job job = {.seconds = 0, .seed = 1, .usual_n = 64};
    char cache[1100];
    const struct option_row rows[] = {
        {"-n", OPTION_TEXT, &words.n, 0, 0},
        {"-k", OPTION_TEXT, &words.k, 0, 0},
        {"--carrier", OPTION_TEXT, &words.carrier, 0, 0},
        {"--workers", OPTION_NUMBER, &words.workers, 1, 1048575},
        {"--per-process", OPTION_NUMBER, &words.per_process, 1, PROCESSES_EACH},
        {"--rounds", OPTION_TEXT, &words.rounds, 0, 0},
        {"--operation", OPTION_TEXT, &words.operation, 0, 0},
        {"--seconds", OPTION_NUMBER, &job.seconds, 1, 3600},
        {"--seed", OPTION_NUMBER, &job.seed, 0, UINT64_MAX},
        {"--profile", OPTION_TEXT, &words.profile, 0, 0},
        {"--audit", OPTION_FLAG, &words.audit, 0, 0},
        {"--json", OPTION_FLAG, &words.json, 0, 0},
        {NULL, OPTION_FLAG, NULL, 0, 0}};
    int given = options_read(command, rows, count, arguments, NULL, 0);
    if (given < 0)
        return options_status(given);
    if (read_machine(&words, &job) || read_operation(words.operation, &job) ||
        find_processes(&words, &job) || read_settings(&words, &job))
        return EXIT_IMPOSSIBLE;
    if (words.json && !words.audit)
        return refuse_word("--json", "given", "with --audit; a profile is JSON already");
    job.path = words.profile;
    job.named = words.profile != NULL;
    if (!job.path && !kp_profile_cache(cache, sizeof cache)) {
        fprintf(stderr, "kport: there is no folder for a profile, neither XDG_CACHE_HOME nor HOME "
                        "is set; --profile FILE says where\n");
        return EXIT_IMPOSSIBLE;
    }
    job.path = job.path ? job.path : cache;
    job.seconds = job.seconds ? job.seconds : 60;
    return words.audit ? audit(&job, words.json) : tune_all(&job);
}

const struct command command_tune = {
    .name = "tune",
    .usage = "[-n LIST] [-k LIST] [--audit] [OPTION...]",
    .summary = "Measures this machine, for the choice of algorithms",
    .help = "For each n and k it measures an empty round (beta), a byte (tau) and, for blocks of 8 "
            "bytes to\n"
            "128 KiB, the candidates of each operation. It fits T = gamma1 C1 beta + gamma2 C2 tau "
            "+ gamma3\n"
            "(Bruck et al. 1997, section 3.5) to these times, and writes a profile. Every program "
            "that uses\n"
            "the library on this machine then chooses by this profile. KPORT_TUNE=builtin switches "
            "it off.\n"
            "\n"
            "  -n LIST           processors, as in 2,8,64 (64)\n"
            "  -k LIST           ports (1, 2 and n - 1)\n"
            "  --carrier C       threads, fibers or mpi (threads). With mpi, under mpirun, n is "
            "the number of\n"
            "                    all processors, times are those of the slowest process, and the "
            "profile\n"
            "                    names the network and --per-process\n"
            "  --per-process T   processors of each process (1)\n"
            "  --workers W       threads that carry the fibers (one for each core; with mpi the "
            "processors\n"
            "                    of a process are threads without this option)\n"
            "  --rounds R        what keeps the rounds apart: barrier, mailboxes, or both, one "
            "after the\n"
            "                    other (barrier)\n"
            "  --operation NAME  this operation alone\n"
            "  --seconds S       at most S seconds for each n and k (60)\n"
            "  --profile FILE    the profile (kport/profile.json in the XDG cache folder)\n"
            "  --audit           measures no profile, but judges one: for other lengths of blocks, "
            "the time of\n"
            "                    the algorithm that the profile chooses / the best time measured. "
            "--json\n"
            "                    prints this for programs. --seed draws which algorithms are "
            "measured beside\n"
            "                    those that are expected to be near the best\n"
            "\n"
            "The profile is written after each n and k, and keeps what it has of others. Ctrl-C "
            "ends the\n"
            "measuring: the profile has what is done, and the status is 130 (SIGTERM: 143). The "
            "status is 1\n"
            "if there was no time to measure anything of some n and k.\n"
            "\n"
            "Example: kport tune -n 2 -k 1 --operation broadcast --seconds 3\n",
    .run = run,
};
