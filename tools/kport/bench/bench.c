/* The command `kport bench`. It prints tables of the times of an operation, with a row for each
 * block length. */
#include "tools/kport/bench/bench.h"

#include "tools/kport/bench/bsp.h"

#include "tools/kport/command.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/trace_file.h"
#include "tools/kport/files/read.h"
#include "tools/kport/schedule/choice.h"

#include <stdio.h>
#include <string.h>

static int read_format(struct bench *bench, int csv, int json)
{
    bench->format = bench_format_find(csv ? "csv" : json ? "json" : "text");
    if (!csv || !json)
        return EXIT_DONE;
    fprintf(stderr, "kport bench: --csv and --json are both given; it may be one of them\n");
    return EXIT_IMPOSSIBLE;
}

/* Returns whether each call is followed by a barrier. A barrier is needed if a member may leave a
 * call before all members have arrived. The user can ask for calls without barriers (`ahead`); then
 * a member may begin a call while other members are still in an earlier call. */
static bool is_followed(const struct bench *bench)
{
    return bench->machine.discipline == KP_ROUNDS_BY_MAILBOXES && !bench->ahead &&
           !bench->barrier && !batch_call_is_met(&bench->tables[0].tasks[0].problem);
}

/* Refuses --peers if no peer can carry out any of the tables. */
static int refuse_peers(const struct bench *bench)
{
    const char *none = NULL;
    for (size_t i = 0; i < bench->table_count; i++) {
        if (!(none = peers_none(&bench->tables[i].tasks[0], &bench->machine)))
            return EXIT_DONE;
    }
    fprintf(stderr, "kport bench: --peers is given, but of %s there are %s\n", bench->operation,
            none);
    return EXIT_IMPOSSIBLE;
}

/* Times g and l, for which there is no option but -n. */
static int run_bsp(const struct bench *bench, int count, char **arguments)
{
    for (int i = 0; i < count; i++) {
        if (arguments[i][0] != '-' ||
            strncmp(arguments[i] + (arguments[i][1] == '-'), "-n", 2) == 0)
            continue;
        fprintf(stderr, "kport bench: %s is given; bsp may have -n\n", arguments[i]);
        return EXIT_IMPOSSIBLE;
    }
    return bench_bsp(bench->n_list);
}

/* The number of trace records of each processor. This number is enough for a few calls of each
 * batch. */
#define TRACE_RECORDS 32

/* Tells why these options cannot be given together, if they cannot. */
static bool refuse(const struct bench *bench)
{
    const char *why = NULL;
    if (bench->bind && bench->with_peers)
        why = "--bind and --peers are both given; --peers keeps threads on cores only by pin=1 in "
              "the problem string: kport bench index:pin=1 --peers";
    else if (bench->with_peers && messages_is_test(bench->operation))
        why = "--peers is given; of messages between pairs there are none; `tools/dev bench mpi` "
              "and the OSU micro-benchmarks (osu_latency, osu_bw) time the MPI";
    if (why)
        fprintf(stderr, "kport bench: %s\n", why);
    else if (read_is_file(bench->operation))
        fprintf(stderr,
                "kport bench: \"%s\" is a file; a schedule from a file is timed by kport run\n",
                bench->operation);
    return why || read_is_file(bench->operation);
}

static int run(const struct command *command, int count, char **arguments)
{
    static struct bench bench = {.settings = {.seed = 1, .warm_up = TIMING_WARM_UP}};
    int csv = 0, json = 0, check = 0, overlap = 0;
    struct choice_wish wish = {.tune = NULL};
    const struct option_row rows[] = {
        {"-n", OPTION_TEXT, &bench.n_list, 0, 0},
        {"-k", OPTION_TEXT, &bench.k_list, 0, 0},
        {"-m", OPTION_TEXT, &bench.sizes, 0, 0},
        {"-a", OPTION_TEXT, &bench.algorithms, 0, 0},
        {"-i", OPTION_NUMBER, &bench.iterations, 1, UINT64_C(1000000000000)},
        {"-x", OPTION_NUMBER, &bench.settings.warm_up, 0, 1000000000},
        {"-c", OPTION_FLAG, &check, 0, 0},
        {"--full", OPTION_FLAG, &bench.full, 0, 0},
        {"--csv", OPTION_FLAG, &csv, 0, 0},
        {"--json", OPTION_FLAG, &json, 0, 0},
        {"--peers", OPTION_PERHAPS, &bench.peers, 0, 0},
        {"--ahead", OPTION_FLAG, &bench.ahead, 0, 0},
        {"--overlap", OPTION_FLAG, &overlap, 0, 0},
        {"--seconds", OPTION_NUMBER, &bench.seconds, 1, 1000000},
        {"--seed", OPTION_NUMBER, &bench.settings.seed, 0, UINT64_MAX},
        {"--trace", OPTION_TEXT, &bench.trace, 0, 0},
        CHOICE_OPTIONS(wish),
        {"--bind", OPTION_TEXT, &bench.bind, 0, 0},
        {0}};
    int given = options_read(command, rows, count, arguments, &bench.operation, 1);
    if (given < 0)
        return options_status(given);
    if (given == 0) {
        fprintf(stderr, "kport bench: the operation is missing; usage: kport bench %s\n",
                command->usage);
        return EXIT_IMPOSSIBLE;
    }
    if (strcmp(bench.operation, "bsp") == 0)
        return run_bsp(&bench, count, arguments);
    bench.with_peers = bench.peers != NULL;
    if (refuse(&bench) || (bench.with_peers && !peers_choose(bench.peers)))
        return EXIT_IMPOSSIBLE;
    bench.settings.check = check;
    const enum bench_shape shape = csv ? BENCH_CSV : json ? BENCH_JSON : BENCH_TEXT;
    int status = read_format(&bench, csv, json);
    status = status ? status : choice_by(&wish, &bench.machine);
    if (!status && messages_is_test(bench.operation))
        return messages_carry_out(&bench, shape);
    if (!status && bench.with_peers && peers_missing()) {
        fprintf(stderr, "kport bench: --peers is given, but %s\n", peers_missing());
        status = EXIT_IMPOSSIBLE;
    }
    if (!status)
        status = bench_grid_read(&bench);
    if (!status && bench.with_peers)
        status = refuse_peers(&bench);
    if (!status && overlap) {
        status = overlap_carry_out(&bench, shape);
    } else if (!status) {
        bench.settings.followed = is_followed(&bench);
        status = trace_file_begin(bench.trace, TRACE_RECORDS, &bench.machine);
        status = status ? status : bench_carry_out(&bench);
        status = trace_file_end(bench.trace, &bench.machine, status);
    }
    bench_grid_free(&bench);
    return status;
}

const struct command command_bench = {
    .name = "bench",
    .usage = "OPERATION [-n LIST] [-k LIST] [-m MIN:MAX] [-a LIST|all] [-i N] [-c] [--full] "
             "[--csv|--json] [OPTION...]",
    .summary = "Times an operation by size, in the shape of the OSU micro-benchmarks",
    .help =
        "OPERATION is the beginning of a problem string, as index, allreduce:type=int32,op=maximum "
        "or\n"
        "index:alg=radix,r=2,carrier=fibers; also barrier, or a whole problem string. The keys of "
        "the\n"
        "machine are those of kport run. Over an MPI (carrier=mpi, under mpirun) the times are "
        "those of\n"
        "the slowest process, and --peers and --trace are refused.\n"
        "\n"
        "  -n LIST       numbers of processors, as in 2,8,64 (one for each core, at least 2; over "
        "an\n"
        "                MPI the number of all processors)\n"
        "  -k LIST       numbers of ports (n - 1)\n"
        "  -m MIN:MAX    bytes of a block: MIN, twice MIN, and so on up to MAX; K, M or G may "
        "stand behind\n"
        "                a number; also MIN: or MAX (1:1M, or less if the buffers would have more "
        "than\n"
        "                512 MiB in all; reductions begin with one element)\n"
        "  -a LIST|all   a row for each of these algorithms that serves the problem, as in\n"
        "                tree,radix/r=2\n"
        "  -i N          iterations: the calls that are timed for a row (as many as half a second "
        "takes)\n"
        "  -x N          calls before them, to warm up (5 milliseconds of calls)\n"
        "  -c            compares every byte after every batch of about 50 ms, not only once a "
        "row; a\n"
        "                column says Pass or Fail\n"
        "  --full        prints also minimum, maximum, iterations, percentiles 90 and 99, the "
        "number "
        "of\n"
        "                their samples, and the bandwidths of nccl-tests, which a comment line "
        "explains\n"
        "  --csv, --json the rows for programs; JSON also has the computer and the date\n"
        "  --peers[=LIST]\n"
        "                times also what a program would use instead, in turns with kport: by_hand "
        "(copies),\n"
        "                pthread_barrier, openmp, std_barrier, openmpi, mpich; all, or those of "
        "the LIST.\n"
        "                " PEERS_KNOW "\n"
        "  --ahead       by mailboxes: calls with a root may run ahead of each other. By default "
        "each call\n"
        "                is timed together with a barrier that follows it\n"
        "  --overlap     the members start the call, compute about as long, and wait for it: how "
        "much of\n"
        "                the call is hidden, as in OSU's benchmarks of non-blocking calls. "
        "progress=1 in\n"
        "                OPERATION gives the machine a thread that goes on with calls meanwhile\n"
        "  --seconds S   takes at most S seconds, with fewer iterations if necessary. The time, or "
        "without\n"
        "                this option an estimate, is announced on standard error\n"
        "  --seed S      the seed of the data (1)\n"
        "  --bind WHAT   each thread stays on a core, a socket, a numa node, or a CPU of a list, "
        "as with\n"
        "                kport run\n"
        "  --trace FILE  what every processor did and when, as kport run writes it, in the last "
        "rounds of\n"
        "                each of the last batches; only of a table that is complete\n"
        "\n" CHOICE_HELP "\n"
        "Latency is in microseconds a call, from the last processor's start to the last one's "
        "end.\n"
        "Calls follow each other without a pause, so a call starts when the one before has ended. "
        "A\n"
        "sample is a call, or as many as are necessary for the clock to take at most 1 % of the "
        "time.\n"
        "Ctrl-C keeps the rows that are there and ends with status 130 (SIGTERM: 143).\n"
        "\n"
        "latency, bandwidth and bibandwidth in place of OPERATION time messages with tags between "
        "pairs\n"
        "of processors, as osu_latency, osu_bw, osu_bibw and osu_mbw_mr do: -n 2 is one pair, and "
        "64\n"
        "messages are under way at once. They take the keys of the machine, -n, -m, -i, -x, "
        "--bind, --csv\n"
        "and --json.\n"
        "\n"
        "kport bench bsp [-n LIST] prints g and l of the BSP model, on fibers and threads: g in\n"
        "nanoseconds for a word of 8 bytes, in messages of a word and of 4 KiB, and l in "
        "microseconds.\n"
        "\n"
        "Example: kport bench index -n 8 -m 8:4K -i 1000 --full\n"
        "         kport bench bandwidth:carrier=fibers,workers=1 -n 2\n",
    .run = run,
};
