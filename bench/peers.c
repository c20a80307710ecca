/* The driver of the benchmark. It compares kport with what people would use instead of kport. For
 * each row of a table it times all contestants in turns, in one run. Then it prints the measured
 * ratios beside the limits for them. */
#include "row.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

static const char usage[] =
    "usage: peers [OPTION...]\n"
    "  --row NAME         only the row that is called so, or else those whose name contains NAME\n"
    "  --contestant NAME  only the one that is called so, as --list has it\n"
    "  --repetitions N    instead of 11 (of index n=2: 31), at most 101\n"
    "  --budget MS        a contestant's time in a repetition, in milliseconds (20)\n"
    "  --json FILE        everything that was measured, as JSON\n"
    "  --inside           without programs of their own (MPI, OpenMP, C++, ck)\n"
    "  --lock FILE        hold a lock on FILE while a row is at work, for machines that others "
    "use\n"
    "  --tiny             whole programs (apps) have little to do; for tests\n"
    "  --list             the rows, and what takes part in each\n";

static double number_of(const char *option, const char *text, double least, double most)
{
    char *end;
    errno = 0;
    double value = strtod(text, &end);
    if (end == text || *end || errno || !(value >= least && value <= most)) {
        fprintf(stderr, "peers: %s is \"%s\"; it may be %g ... %g\n", option, text, least, most);
        exit(2);
    }
    return value;
}

static struct options options_of(int argc, char **argv)
{
    static const struct option known[] = {{"row", required_argument, NULL, 'r'},
                                          {"repetitions", required_argument, NULL, 'n'},
                                          {"budget", required_argument, NULL, 'b'},
                                          {"json", required_argument, NULL, 'j'},
                                          {"list", no_argument, NULL, 'l'},
                                          {"lock", required_argument, NULL, 'k'},
                                          {"help", no_argument, NULL, 'h'},
                                          {"tiny", no_argument, NULL, 't'},
                                          {"inside", no_argument, NULL, 'i'},
                                          {"fibers", required_argument, NULL, 'f'},
                                          {"contestant", required_argument, NULL, 'c'},
                                          {NULL, 0, NULL, 0}};
    struct options options = {.budget_ns = 20e6};
    for (int c; (c = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        if (c == 'r')
            options.row = optarg;
        else if (c == 'c')
            options.contestant = optarg;
        else if (c == 'n')
            options.repetitions = (int)number_of("--repetitions", optarg, 1, MOST_REPETITIONS);
        else if (c == 'b')
            options.budget_ns = number_of("--budget", optarg, 0.001, 100000) * 1e6;
        else if (c == 'j')
            options.json = optarg;
        else if (c == 'i')
            programs_leave_out();
        else if (c == 'k')
            options.lock = optarg;
        else if (c == 't')
            options.tiny = true;
        else if (c == 'l')
            options.list = true;
        else if (c == 'f') /* this process is a child that the driver started to measure fibers */
            exit(fibers_program((int)number_of("--fibers", optarg, 1, 1048575)));
        else {
            fputs(usage, c == 'h' ? stdout : stderr);
            exit(c == 'h' ? 0 : 2);
        }
    }
    if (optind < argc) {
        fprintf(stderr, "peers: \"%s\" is no option\n%s", argv[optind], usage);
        exit(2);
    }
    return options;
}

static bool chosen(const struct row *row, const struct options *options)
{
    if (options->exactly)
        return strcmp(row->name, options->row) == 0;
    return !options->row || strstr(row->name, options->row);
}

static void list_row(const struct row *row)
{
    printf("%s\n", row->name);
    for (size_t i = 0; i < contestant_count; i++) {
        const struct contestant *c = &contestants[i];
        if (!c->serves(c, &row->job))
            continue;
        const char *missing = c->missing ? c->missing(c, &row->job) : NULL;
        printf("  %s%s%s\n", c->name, missing ? ": not here: " : "", missing ? missing : "");
    }
}

static int lock(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || flock(fd, LOCK_EX) != 0) {
        fprintf(stderr, "peers: --lock is \"%s\", which cannot be locked\n", path);
        exit(2);
    }
    return fd;
}

int main(int argc, char **argv)
{
    struct options options = options_of(argc, argv);
    size_t count, done = 0;
    int status = 0;
    const struct row *all = rows(options.tiny, &count);
    struct result *results = calloc(count, sizeof *results);
    if (!results)
        return 1;
    for (size_t i = 0; i < count && options.row; i++)
        options.exactly = options.exactly || strcmp(all[i].name, options.row) == 0;
    if (!options.list)
        report_head(&options);
    for (size_t i = 0; i < count; i++) {
        if (!chosen(&all[i], &options))
            continue;
        if (options.list) {
            list_row(&all[i]);
            done++;
            continue;
        }
        int locked = options.lock ? lock(options.lock) : -1;
        run_row(&all[i], &options, &results[done]);
        if (locked >= 0)
            close(locked);
        report_row(&results[done++]);
        fflush(stdout);
        /* The file is written after every row, so that an interrupted run keeps its results. */
        if (options.json && !report_json(options.json, results, done))
            status = 1;
    }
    programs_end();
    if (done == 0) {
        fprintf(stderr, "peers: --row is \"%s\"; peers --list tells the rows\n", options.row);
        status = 2;
    } else if (!options.list)
        report_end(results, done);
    free(results);
    return status;
}
