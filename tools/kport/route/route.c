/* The command `kport route`. It routes relations (relations.h) by rounds of total exchange, and
 * counts the rounds that each protocol takes. */
#include "tools/kport/command.h"
#include "tools/kport/common/interrupt.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/route/rows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_N      4096
#define MOST_THREAD 1024 /* the largest number of processors that are threads (--payload) */
#define MOST_H      4096
#define DEFAULT_H   "4,8,10,16,32,50,64"

/* Reads a list of numbers such as "64,128". Each number must be from 1 to `high`. */
static int read_list(const char *name, const char *text, uint64_t high, uint64_t list[ROUTE_LIST])
{
    int count = 0;
    for (const char *at = text;; at++) {
        char number[32];
        size_t length = strcspn(at, ",");
        snprintf(number, sizeof number, "%.*s", (int)(length < 31 ? length : 31), at);
        if (count == ROUTE_LIST - 1) {
            fprintf(stderr, "kport: %s is \"%s\"; it may be up to %d numbers\n", name, text,
                    ROUTE_LIST - 1);
            return EXIT_IMPOSSIBLE;
        }
        if (!options_number(name, number, 1, high, &list[count++]))
            return EXIT_IMPOSSIBLE;
        at += length;
        if (*at == '\0')
            return EXIT_DONE;
    }
}

static int find_protocol(const char *name, struct route_job *job)
{
    if (strcmp(name, "all") == 0)
        return EXIT_DONE;
    for (int i = 0; kp_protocol_row(i); i++) {
        if (strcmp(kp_protocol_row(i)->name, name) == 0) {
            job->protocol = kp_protocol_row(i);
            return EXIT_DONE;
        }
    }
    fprintf(stderr, "kport route: --protocol is \"%s\"; it may be all", name);
    for (int i = 0; kp_protocol_row(i); i++)
        fprintf(stderr, ", %s", kp_protocol_row(i)->name);
    fprintf(stderr, "\n");
    return EXIT_IMPOSSIBLE;
}

static int find_relation(const char *name, struct route_job *job)
{
    job->kind = relation_find(name);
    if (job->kind)
        return EXIT_DONE;
    fprintf(stderr, "kport route: --relation is \"%s\"; it may be ", name);
    relation_names(stderr);
    fprintf(stderr, "\n");
    return EXIT_IMPOSSIBLE;
}

/* The texts of options that are parsed after all options have been read. */
struct texts {
    const char *n, *h, *protocol, *relation, *payload, *carrier;
    uint64_t per_process;
};

static int refuse_together(const char *one, const char *other)
{
    fprintf(stderr, "kport route: %s and %s are both given; only one of them may be\n", one, other);
    return EXIT_IMPOSSIBLE;
}

static int read_file(struct route_job *job, const struct texts *texts)
{
    if (texts->h || texts->relation)
        return refuse_together("--file", texts->h ? "--h" : "--relation");
    if (job->n[1]) {
        fprintf(stderr, "kport route: --n is \"%s\"; with --file it may be one number\n", texts->n);
        return EXIT_IMPOSSIBLE;
    }
    job->h[0] = 1; /* a file has one relation, so there is one h, which is not used */
    job->h[1] = 0;
    return relation_read(job->path, (int32_t)job->n[0], &job->file);
}

/* Finds the processes, if the processors are in several. Without --n their number is then that of
 * the processors. */
static int find_processes(struct route_job *job, const struct texts *texts)
{
    kp_config *machine = &job->machine;
    int status = processes_read(texts->carrier, texts->per_process, machine);
    if (!status && texts->carrier && !texts->payload) {
        fprintf(stderr, "kport route: --carrier is given; without --payload it may not be, because "
                        "packets are only counted\n");
        status = EXIT_IMPOSSIBLE;
    }
    if (!status && texts->n && job->n[1])
        status = processes_refuse(machine, "more than one --n", "the processes stay the same");
    machine->processors = texts->n ? (int)job->n[0] : 0;
    status = status ? status : processes_find(machine);
    if (!status && processes_several())
        job->n[0] = (uint64_t)processes_processors();
    return status;
}

static int read_texts(struct route_job *job, const struct texts *texts)
{
    uint64_t most = texts->payload ? MOST_THREAD : MOST_N;
    int status = read_list("--n", texts->n ? texts->n : "64", most, job->n);
    if (!status)
        status = read_list("--h", texts->h ? texts->h : DEFAULT_H, MOST_H, job->h);
    if (!status)
        status = find_protocol(texts->protocol, job);
    if (!status)
        status = find_relation(texts->relation ? texts->relation : "random", job);
    if (!status && texts->payload) {
        job->moves = true;
        status = options_number("--payload", texts->payload, 0, UINT64_C(1) << 30, &job->payload)
                     ? EXIT_DONE
                     : EXIT_IMPOSSIBLE;
    }
    if (!status && job->packet && !texts->payload && !job->path) {
        fprintf(stderr,
                "kport route: --packet is %" PRIu64
                "; without --payload or --file it may not be given\n",
                job->packet);
        status = EXIT_IMPOSSIBLE;
    }
    status = status ? status : find_processes(job, texts);
    return status || !job->path ? status : read_file(job, texts);
}

static int run(const struct command *command, int count, char **arguments)
{
    int json = 0, two_stage = 0;
    struct route_job job = {.trials = 20, .seed = 1};
    struct route_rows rows = {0};
    struct texts texts = {.protocol = "all"};
    const struct option_row options[] = {
        {"--json", OPTION_FLAG, &json, 0, 0},
        {"--two-stage", OPTION_FLAG, &two_stage, 0, 0},
        {"--n", OPTION_TEXT, &texts.n, 0, 0},
        {"--h", OPTION_TEXT, &texts.h, 0, 0},
        {"--protocol", OPTION_TEXT, &texts.protocol, 0, 0},
        {"--relation", OPTION_TEXT, &texts.relation, 0, 0},
        {"--file", OPTION_TEXT, &job.path, 0, 0},
        {"--payload", OPTION_TEXT, &texts.payload, 0, 0},
        {"--packet", OPTION_NUMBER, &job.packet, 8, 1 << 30},
        {"--trials", OPTION_NUMBER, &job.trials, 1, 1000000},
        {"--seed", OPTION_NUMBER, &job.seed, 0, UINT64_MAX},
        {"--carrier", OPTION_TEXT, &texts.carrier, 0, 0},
        {"--per-process", OPTION_NUMBER, &texts.per_process, 1, PROCESSES_EACH},
        {0}};
    int given = options_read(command, options, count, arguments, NULL, 0);
    if (given < 0)
        return options_status(given);
    job.two_stage = two_stage;
    int status = read_texts(&job, &texts);
    if (!status)
        status = route_measure(&job, &rows);
    FILE *out = status ? NULL : output_begin();
    if (out && json)
        output_json(out, "route", route_json(&job, &rows));
    else if (out)
        route_print(&job, &rows, out);
    free(rows.rows);
    free(job.file.lines);
    status = out ? output_end(out, EXIT_DONE) : status ? status : EXIT_IMPOSSIBLE;
    return interrupt_status(status);
}

const struct command command_route = {
    .name = "route",
    .usage = "[--n N,...] [--h H,...] [--protocol P] [OPTION...]",
    .summary = "Rounds of total exchange that relations take, by protocol",
    .help =
        "An h-relation is a set of messages of which every processor sends at most h and gets at "
        "most\n"
        "h. A round of total exchange carries at most one packet from each processor to each. The "
        "table\n"
        "is that of Rao, Suel, Tsantilas and Goudreau 1995, section 4: mean and standard deviation "
        "of the\n"
        "rounds of T trials (20), time/h = rounds n / h, the bound that no protocol can beat, the\n"
        "paper's own figures, and the protocol's own bound. Without --n it is about 64 "
        "processors.\n"
        "h counts in multiples of n (4,8,10,16,32,50,64); in --json it is the number itself, as "
        "256 for 4n of 64.\n"
        "\n"
        "Options: --trials T, --seed S, --relation R or --file F, --two-stage, --payload BYTES,\n"
        "--packet BYTES, --carrier mpi, --per-process T, --json.\n"
        "\n"
        "P is fullest, balanced, direct, simple, fast, or all. With --two-stage all packets go to "
        "random\n"
        "processors first (Valiant), for relations that are not random. R is random, permutation,\n"
        "all-to-one, transposition, hot-spots or zipf. The file F has a line \"source destination "
        "bytes\"\n"
        "for each message, which goes in packets of --packet bytes.\n"
        "\n"
        "Without --payload packets are only counted. With it every message has BYTES bytes, or "
        "what the\n"
        "file says, kp_route moves it on n threads in packets of --packet bytes, and every byte "
        "is\n"
        "verified. No processor sends to itself then. --carrier mpi, with --payload, runs on the\n"
        "processors of the processes that mpirun has started, --per-process of them in each (1). n "
        "is\n"
        "their number then, and seconds are those of the slowest process.\n"
        "\n"
        "Ctrl-C ends it with the rows so far and status 130 (SIGTERM: 143).\n"
        "\n"
        "Example: kport route --n 64,128 --h 4,16,64 --protocol fullest --trials 100\n",
    .run = run,
};
