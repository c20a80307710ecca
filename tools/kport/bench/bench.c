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

/* Times g and l, for which there is no option but -n. */
static int run_bsp(const struct bench *bench, int count, char **arguments)
{
    for (int i = 0; i < count; i++) {
        if (arguments[i][0] != '-' || strncmp(arguments[i], "-n", 2) == 0)
            continue;
        fprintf(stderr, "kport bench: %s is given; bsp may have -n\n", arguments[i]);
        return EXIT_IMPOSSIBLE;
    }
    return bench_bsp(bench->n_list);
}

/* The number of trace records of each processor. This number is enough for a few calls of each
 * batch. */
#define TRACE_RECORDS 32

static int run(const struct command *command, int count, char **arguments)
{
    static struct bench bench = {.settings = {.seed = 1, .warm_up = TIMING_WARM_UP}};
    int csv = 0, json = 0, check = 0, overlap = 0;
    const char *tune = NULL;
    const struct option_row rows[] = {
        {"-n", OPTION_TEXT, &bench.n_list, 0, 0},
        {"-k", OPTION_TEXT, &bench.k_list, 0, 0},
        {"-m", OPTION_TEXT, &bench.sizes, 0, 0},
        {"-i", OPTION_NUMBER, &bench.iterations, 1, UINT64_C(1000000000000)},
        {"-x", OPTION_NUMBER, &bench.settings.warm_up, 0, 1000000000},
        {"-c", OPTION_FLAG, &check, 0, 0},
        {"--full", OPTION_FLAG, &bench.full, 0, 0},
        {"--csv", OPTION_FLAG, &csv, 0, 0},
        {"--json", OPTION_FLAG, &json, 0, 0},
        {"--peers", OPTION_FLAG, &bench.with_peers, 0, 0},
        {"--ahead", OPTION_FLAG, &bench.ahead, 0, 0},
        {"--overlap", OPTION_FLAG, &overlap, 0, 0},
        {"--seconds", OPTION_NUMBER, &bench.seconds, 1, 1000000},
        {"--seed", OPTION_NUMBER, &bench.settings.seed, 0, UINT64_MAX},
        {"--trace", OPTION_TEXT, &bench.trace, 0, 0},
        {"--tune", OPTION_TEXT, &tune, 0, 0},
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
    if (bench.bind && bench.with_peers) {
        fprintf(stderr, "kport bench: --bind and --peers are both given; it may be one of them, as "
                        "only pin=1 keeps the peers' threads on cores\n");
        return EXIT_IMPOSSIBLE;
    }
    if (read_is_file(bench.operation)) {
        fprintf(stderr,
                "kport bench: \"%s\" is a file; a schedule from a file is timed by kport run\n",
                bench.operation);
        return EXIT_IMPOSSIBLE;
    }
    bench.settings.check = check;
    const enum bench_shape shape = csv ? BENCH_CSV : json ? BENCH_JSON : BENCH_TEXT;
    int status = read_format(&bench, csv, json);
    status = status ? status : choice_by(tune, &bench.machine);
    if (!status && messages_is_test(bench.operation))
        return messages_carry_out(&bench, shape);
    if (!status && bench.with_peers && peers_missing()) {
        fprintf(stderr, "kport bench: --peers is given, but %s\n", peers_missing());
        status = EXIT_IMPOSSIBLE;
    }
    if (!status)
        status = bench_grid_read(&bench);
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
    .usage =
        "OPERATION [-n LIST] [-k LIST] [-m MIN:MAX] [-i N] [-x N] [-c] [--full] [--csv|--json]",
    .summary = "Times an operation by size, in the shape of the OSU micro-benchmarks",
    .help =
        "OPERATION: as it begins a problem string, with what else is wanted in it: index,\n"
        "allreduce:type=int32,op=maximum, index:alg=radix,r=2,carrier=fibers; also barrier, and a "
        "whole\n"
        "problem string. The keys of the machine are those of kport run; over MPI (carrier=mpi, "
        "under\n"
        "mpirun) times are those of the slowest process, all batches share a machine, and "
        "--peers and\n"
        "--trace are refused.\n\n"
        "  -n 2,8,64     numbers of processors (as many as there are cores, at least 2; over MPI "
        "one\n"
        "                number, that of all processes)\n"
        "  -k 1,3        numbers of ports (n - 1)\n"
        "  -m MIN:MAX    bytes of a block, from MIN up, twice as many in each row, up to MAX; with "
        "K,\n"
        "                M or G behind a number; also MIN: or MAX (1:1M, as far as all buffers "
        "take\n"
        "                512 MiB; reductions begin with one element)\n"
        "  -i N          iterations: calls timed in a row of the table (as many as half a second\n"
        "                takes)\n"
        "  -x N          calls before that, to warm up (5 milliseconds of them)\n"
        "  -c            every byte is compared after every batch of about 50 ms, else only once "
        "for\n"
        "                each row; a column says Pass or Fail\n"
        "  --full        also minimum, maximum, iterations, 50th, 90th and 99th percentile, the\n"
        "                number of samples that those are taken of, and the bandwidths of "
        "nccl-tests:\n"
        "                Algbw counts the bytes of a processor's larger buffer, Busbw those that "
        "some\n"
        "                processor must send or receive (the lower bound of C2 for one port)\n"
        "  --csv, --json the same for programs, with the algorithm that was chosen\n"
        "  --peers       also what one would use instead, in turns with kport: by hand over "
        "shared\n"
        "                memory, pthread_barrier_t, and OpenMP, std::barrier and MPI where there "
        "are\n"
        "                such programs\n"
        "  --ahead       by mailboxes: calls with a root may run ahead of each other, else each "
        "is\n"
        "                followed by a barrier that is timed with it\n"
        "  --overlap     members start the call, compute about as long, and wait for it: how much "
        "is "
        "hidden,\n"
        "                as in OSU's benchmarks of non-blocking calls; progress=1 in OPERATION "
        "gives the\n"
        "                machine a thread that goes on with calls while members compute\n"
        "  --seconds S   all of it takes at most so long; if not given it is estimated, and in "
        "either\n"
        "                case announced on standard error. Rows have fewer iterations where time "
        "does\n"
        "                not allow more.\n"
        "  --bind WHAT   each thread stays on a core, a socket, a numa node, or a CPU of a list, "
        "as "
        "with\n"
        "                kport run\n"
        "  --trace FILE  what every processor did and when, of the last rounds of each of the last "
        "batches,\n"
        "                as kport run writes it; if the table comes to its end\n\n" CHOICE_HELP "\n"
        "Latency is in microseconds a call, from the last processor's start to the last one's "
        "end.\n"
        "Calls follow each other without pause: a call's start is the end of the one before (in "
        "the\n"
        "OSU benchmarks it is the mean over the processors, between barriers). A sample is a call, "
        "or\n"
        "as many as it takes for looking at the clock to cost at most 1 %.\n\n"
        "Rows are printed as they come. Ctrl-C keeps those that are there and ends with status "
        "130\n"
        "(SIGTERM: 143).\n\n"
        "Three tests are of messages with tags between pairs of processors: latency, bandwidth "
        "and\n"
        "bibandwidth, as in osu_latency, osu_bw, osu_bibw and osu_mbw_mr (-n 2 is one pair; 64 "
        "messages\n"
        "are under way at once). They take the keys of the machine, -n, -m, -i, -x, --bind, --csv "
        "and\n--json.\n\n"
        "kport bench bsp [-n LIST] prints g and l of the BSP model, on fibers and threads: g in\n"
        "nanoseconds for a word of 8 bytes, for messages of a word and of 4 KiB, l in "
        "microseconds.\n\n"
        "Example: kport bench index -n 8 -m 8:4K -i 1000 --full\n"
        "         kport bench bandwidth:carrier=fibers,workers=1 -n 2\n",
    .run = run,
};
