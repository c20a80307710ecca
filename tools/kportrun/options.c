#include "options.h"

#include "lib/mpi/job.h"
#include "ports/face.h"
#include "tools/kport/computer/cpus.h"

#include <errno.h>
#include <getopt.h>
#include <kport.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RANKS    65536
#define DEFAULT_STACK ((size_t)8 << 20)
#define LEAST_STACK   ((size_t)16 << 10)
#define STRICT_SEEDS  10

static const char help[] =
    "usage: kportrun [OPTION...] PROGRAM [ARGUMENT...]\n"
    "Runs a program of MPI or BSPlib that kportcc has linked. All ranks are fibers or threads of "
    "one process.\n"
    "\n"
    "  -n, -np N             the number of ranks; default: 1\n"
    "  --carrier fibers|threads\n"
    "                        what carries the ranks; default: fibers\n"
    "  --workers N           the number of threads that carry fibers; default: one for each core, "
    "or\n"
    "                        one with a seed\n"
    "  --bind core|socket|numa|LIST\n"
    "                        bind the threads that carry the ranks: in turn to one core, socket "
    "or\n"
    "                        NUMA node each, or to one CPU each of a list such as 0,2-3\n"
    "  --seed S              run the fibers in the order that this seed draws, on one worker\n"
    "  --interleave A..B     run the program once with each seed from A to B, and report outcomes\n"
    "                        that differ\n"
    "  --compare output|status\n"
    "                        what --interleave compares: every rank's output and the exit status\n"
    "                        (default), or the exit status and the findings\n"
    "  --buffering BYTES     buffer messages up to this length in a send; with 0 every send waits\n"
    "                        for its receive\n"
    "  --check               of BSPlib: report puts of different values to the same place\n"
    "  --bsp-report[=FILE]   of BSPlib: write what each superstep cost to standard error, or to a\n"
    "                        file as text (.txt), JSON (.json) or a drawing (.svg)\n"
    "  --bsp-parameters[=row]\n"
    "                        measure g and l of the BSP model for these ranks, and run no "
    "program;\n"
    "                        with =row the head of the columns is left out\n"
    "  --unchecked leaks|buffers|signatures\n"
    "                        leave out one of these checks; may be given several times\n"
    "  --strict              find all that kportrun can find, in more time: --buffering 0 and\n"
    "                        --interleave 1..10, unless other values are given, and all of every\n"
    "                        buffer is compared\n"
    "  --stack SIZE          the size of each rank's stack, as in 512K or 64M; default: 8M\n"
    "  --timeout SECONDS     end the program after this time, with status 124, and say\n"
    "                        what every rank does\n"
    "  --trace FILE          write a trace of what every rank did and when\n"
    "  --report text|json    how findings are written to standard error; default: text\n"
    "  --prefix              write each rank's number before its lines of output\n"
    "  --gdb                 run under gdb\n"
    "  -x NAME=VALUE         set an environment variable of the program; NAME alone names one "
    "that\n"
    "                        is set, which the program has anyway\n"
    "  --help, --version\n";

static bool wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

static bool wrong(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("kportrun: ", stderr);
    vfprintf(stderr, format, arguments);
    fputs("; kportrun --help lists the options\n", stderr);
    va_end(arguments);
    return false;
}

/* Reads a decimal number that ends at `*end`, which is `text` if there is none. */
static uint64_t number_of(const char *text, char **end)
{
    errno = 0;
    *end = (char *)text;
    uint64_t value = text[0] >= '0' && text[0] <= '9' ? strtoull(text, end, 10) : 0;
    if (errno == ERANGE)
        *end = (char *)text;
    return value;
}

static bool number(const char *option, const char *text, uint64_t low, uint64_t high,
                   uint64_t *value)
{
    char *end;
    *value = number_of(text, &end);
    if (end == text || *end || *value < low || *value > high)
        return wrong("%s is '%s'; it may be a number from %llu to %llu", option, text,
                     (unsigned long long)low, (unsigned long long)high);
    return true;
}

static bool integer(const char *option, const char *text, int low, int high, int *value)
{
    uint64_t read = 0;
    bool right = number(option, text, (uint64_t)low, (uint64_t)high, &read);
    *value = (int)read;
    return right;
}

static bool size(const char *option, const char *text, size_t *bytes)
{
    static const char units[] = "KMG";
    char *end;
    uint64_t value = number_of(text, &end);
    const char *unit = *end ? strchr(units, *end) : NULL;
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    end += unit != NULL;
    if (end == text || *end || value > (SIZE_MAX >> shift))
        return wrong("%s is '%s'; it may be a number of bytes, as in 65536, 64K, 8M or 1G", option,
                     text);
    *bytes = (size_t)value << shift;
    return true;
}

/* Stores whether the text is the second of two words. */
static bool one_of(const char *option, const char *text, const char *first, const char *second,
                   bool *is_second)
{
    *is_second = strcmp(text, second) == 0;
    return *is_second || strcmp(text, first) == 0 ||
           wrong("%s is '%s'; it may be %s or %s", option, text, first, second);
}

static bool read_seeds(struct options *options, const char *text)
{
    char *end, *last;
    options->interleave = true;
    options->first = number_of(text, &end);
    if (end != text && strncmp(end, "..", 2) == 0) {
        options->last = number_of(end + 2, &last);
        if (last != end + 2 && !*last && options->first <= options->last)
            return true;
    }
    return wrong("--interleave is '%s'; it may be two seeds A..B, as in 1..100", text);
}

static bool read_timeout(struct options *options, const char *text)
{
    char *end;
    options->timeout_s = strtod(text, &end);
    return (end != text && !*end && options->timeout_s > 0 && options->timeout_s < 1e9) ||
           wrong("--timeout is '%s'; it may be a number of seconds above 0", text);
}

static bool read_unchecked(struct options *options, const char *text)
{
    static const struct {
        const char *name;
        unsigned bit;
    } checks[] = {{"leaks", KP_MPI_NO_LEAKS},
                  {"buffers", KP_MPI_NO_BUFFERS},
                  {"signatures", KP_MPI_NO_SIGNATURES}};
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        if (strcmp(text, checks[i].name) == 0) {
            options->unchecked |= checks[i].bit;
            return true;
        }
    }
    return wrong("--unchecked is '%s'; it may be leaks, buffers or signatures", text);
}

static bool read_variable(const char *text)
{
    const char *sign = strchr(text, '=');
    if (!sign && getenv(text))
        return true; /* the program inherits it anyway */
    if (!sign || sign == text)
        return wrong("-x is '%s'; it may be NAME=VALUE, or the name of a variable that is set",
                     text);
    char *name = strndup(text, (size_t)(sign - text));
    bool set = name && setenv(name, sign + 1, 1) == 0;
    free(name);
    return set || wrong("no memory for the environment variable '%s'", text);
}

static bool read_buffering(struct options *options, const char *text)
{
    size_t bytes = 0;
    bool right = size("--buffering", text, &bytes);
    options->buffering = bytes == 0 ? KP_UNBUFFERED : bytes;
    return right;
}

static bool read_stack(struct options *options, const char *text)
{
    return size("--stack", text, &options->stack_bytes) &&
           (options->stack_bytes >= LEAST_STACK ||
            wrong("--stack is '%s'; it may be 16K or more", text));
}

/* A report whose name has no ending is text. */
static bool ending_is_known(const char *name)
{
    static const char *const known[] = {".txt", ".json", ".svg"};
    const char *slash = strrchr(name, '/');
    const char *ending = strrchr(slash ? slash : name, '.');
    bool is = !ending;
    for (size_t i = 0; i < sizeof known / sizeof *known && !is; i++)
        is = strcmp(ending, known[i]) == 0;
    return is;
}

enum option_name {
    OPTION_HELP = 256,
    OPTION_VERSION,
    OPTION_CARRIER,
    OPTION_WORKERS,
    OPTION_BIND,
    OPTION_SEED,
    OPTION_INTERLEAVE,
    OPTION_COMPARE,
    OPTION_BUFFERING,
    OPTION_UNCHECKED,
    OPTION_STRICT,
    OPTION_STACK,
    OPTION_TIMEOUT,
    OPTION_TRACE,
    OPTION_REPORT,
    OPTION_PREFIX,
    OPTION_GDB,
    OPTION_CHECK,
    OPTION_BSP_REPORT,
    OPTION_BSP_PARAMETERS,
};

static const struct option names[] = {
    {"np", required_argument, NULL, 'n'},
    {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},
    {"carrier", required_argument, NULL, OPTION_CARRIER},
    {"workers", required_argument, NULL, OPTION_WORKERS},
    {"bind", required_argument, NULL, OPTION_BIND},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"interleave", required_argument, NULL, OPTION_INTERLEAVE},
    {"compare", required_argument, NULL, OPTION_COMPARE},
    {"buffering", required_argument, NULL, OPTION_BUFFERING},
    {"unchecked", required_argument, NULL, OPTION_UNCHECKED},
    {"strict", no_argument, NULL, OPTION_STRICT},
    {"stack", required_argument, NULL, OPTION_STACK},
    {"timeout", required_argument, NULL, OPTION_TIMEOUT},
    {"trace", required_argument, NULL, OPTION_TRACE},
    {"report", required_argument, NULL, OPTION_REPORT},
    {"prefix", no_argument, NULL, OPTION_PREFIX},
    {"gdb", no_argument, NULL, OPTION_GDB},
    {"check", no_argument, NULL, OPTION_CHECK},
    {"bsp-report", optional_argument, NULL, OPTION_BSP_REPORT},
    {"bsp-parameters", optional_argument, NULL, OPTION_BSP_PARAMETERS},
    {0},
};

static bool take(struct options *options, int name, const char *value)
{
    switch (name) {
    case 'n':
        return integer("-n", value, 1, MOST_RANKS, &options->ranks);
    case 'x':
        return read_variable(value);
    case OPTION_CARRIER:
        return one_of("--carrier", value, "fibers", "threads", &options->threads);
    case OPTION_WORKERS:
        return integer("--workers", value, 1, MOST_RANKS, &options->workers);
    case OPTION_BIND:
        options->bind = value;
        return true;
    case OPTION_SEED:
        options->seeded = true;
        return number("--seed", value, 0, UINT64_MAX, &options->seed);
    case OPTION_INTERLEAVE:
        return read_seeds(options, value);
    case OPTION_COMPARE:
        return one_of("--compare", value, "output", "status", &options->only_status);
    case OPTION_BUFFERING:
        return read_buffering(options, value);
    case OPTION_UNCHECKED:
        return read_unchecked(options, value);
    case OPTION_STRICT:
        return options->strict = true;
    case OPTION_STACK:
        return read_stack(options, value);
    case OPTION_TIMEOUT:
        return read_timeout(options, value);
    case OPTION_TRACE:
        options->trace = value;
        return true;
    case OPTION_REPORT:
        return one_of("--report", value, "text", "json", &options->json);
    case OPTION_PREFIX:
        options->prefix = true;
        return true;
    case OPTION_GDB:
        options->gdb = true;
        return true;
    case OPTION_CHECK:
        options->checks = true;
        return true;
    case OPTION_BSP_REPORT:
        options->bsp_report = value ? value : "-";
        return !value || ending_is_known(value) ||
               wrong("--bsp-report is '%s'; its ending may be .txt, .json or .svg", value);
    case OPTION_BSP_PARAMETERS:
        options->bsp_parameters = true;
        options->bsp_row = value != NULL;
        return !value || strcmp(value, "row") == 0 ||
               wrong("--bsp-parameters is '%s'; it may be row, or have no value", value);
    default: /* getopt has said what is wrong */
        fputs("kportrun --help lists the options\n", stderr);
        return false;
    }
}

/* Chooses what the command line has left open. A trace and gdb need one run. */
static void be_strict(struct options *options)
{
    options->buffering = options->buffering > 0 ? options->buffering : KP_UNBUFFERED;
    if (options->seeded || options->interleave || options->threads || options->workers > 1 ||
        options->gdb || options->trace)
        return;
    options->interleave = true;
    options->first = 1;
    options->last = STRICT_SEEDS;
}

/* What cannot be had together. */
static bool agree(struct options *options)
{
    if (options->strict)
        be_strict(options);
    bool ordered = options->seeded || options->interleave;
    if (options->threads && ordered)
        return wrong("a seed orders fibers; --carrier threads leaves the order to the system");
    if (options->threads && options->workers)
        return wrong("--workers is the number of threads that carry fibers; --carrier is threads");
    if (ordered && options->workers > 1)
        return wrong("--workers is %d; with a seed all ranks run on one worker", options->workers);
    if (options->seeded && options->interleave)
        return wrong("--seed and --interleave both name seeds; use one of them");
    if (options->interleave && (options->gdb || options->trace || options->bsp_report))
        return wrong("%s is for one run; use --seed instead of --interleave", options->gdb ? "--gdb"
                                                                              : options->trace
                                                                                  ? "--trace"
                                                                                  : "--bsp-report");
    if (options->bsp_report && kp_face_is_under_mpirun())
        return wrong("--bsp-report is for processes that kportrun starts, and mpirun has started "
                     "this one; use kportrun -n N instead of mpirun -n N");
    if (options->bind && kp_face_is_under_mpirun())
        return wrong("--bind is given, but mpirun binds processes to cores (--bind-to)");
    if (ordered)
        options->workers = 1;
    if (options->workers > options->ranks)
        options->workers = options->ranks;
    return !options->bind || computer_cpus("kportrun", options->bind, &options->cpus);
}

/* How many letters the texts have in common from their first letter on. */
static size_t common(const char *name, const char *text)
{
    size_t length = 0;
    while (name[length] && name[length] == text[length])
        length++;
    return length;
}

/* After getopt has refused an option, names the one that begins most alike. */
static void name_nearest(const char *argument)
{
    const char *text = argument + strspn(argument, "-"), *nearest = NULL;
    size_t most = 2;
    for (const struct option *option = names; option->name; option++) {
        if (common(option->name, text) > most) {
            most = common(option->name, text);
            nearest = option->name;
        }
    }
    if (nearest)
        fprintf(stderr, "kportrun: is --%s meant?\n", nearest);
}

/* What stands after the options. */
static bool suits(const struct options *options)
{
    const char *program = options->program[0];
    if (!program)
        return options->bsp_parameters || wrong("no program is named");
    if (options->bsp_parameters)
        return wrong("--bsp-parameters runs no program, and %s is named", program);
    const char *ending = strrchr(program, '.');
    const bool report = options->bsp_report && strcmp(options->bsp_report, "-") == 0;
    if (report && ending && !strchr(ending, '/') && strcmp(ending, ".so") != 0 &&
        ending_is_known(program))
        return wrong("%s is named as the program; a file of --bsp-report stands behind a sign, as "
                     "in --bsp-report=%s",
                     program, program);
    return true;
}

bool options_read(int argc, char **argv, struct options *options, int *status)
{
    int name;
    *options = (struct options){.ranks = 1, .stack_bytes = DEFAULT_STACK, .threads = !kp_fibers()};
    *status = STATUS_USAGE;
    while ((name = getopt_long_only(argc, argv, "+n:x:", names, NULL)) != -1) {
        if (name == OPTION_HELP || name == OPTION_VERSION) {
            fputs(name == OPTION_HELP ? help : "kportrun " KP_VERSION "\n", stdout);
            *status = 0;
            return false;
        }
        if (name == '?')
            name_nearest(argv[optind - 1]);
        if (!take(options, name, optarg))
            return false;
    }
    options->program = &argv[optind];
    return suits(options) && agree(options);
}

int options_suit(const struct options *options, bool is_bsp)
{
    const char *of_bsp = options->checks ? "--check" : options->bsp_report ? "--bsp-report" : NULL;
    const char *of_mpi = options->buffering   ? "--buffering"
                         : options->unchecked ? "--unchecked"
                                              : NULL;
    if (!is_bsp && of_bsp)
        (void)wrong("%s is for programs of BSPlib, and %s uses MPI", of_bsp, options->program[0]);
    else if (is_bsp && of_mpi)
        (void)wrong("%s is for programs of MPI, and %s uses BSPlib", of_mpi, options->program[0]);
    else
        return 0;
    return STATUS_USAGE;
}

kp_config options_config(const struct options *options)
{
    return (kp_config){.processors = options->ranks,
                       .carrier = options->threads ? KP_CARRIER_THREADS : KP_CARRIER_FIBERS,
                       .workers = options->workers,
                       .seed = options->seed,
                       .stack_bytes = options->stack_bytes,
                       .cpus = options->cpus};
}
