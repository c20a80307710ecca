/* The report: how many calls were taken, by which algorithm, and how many were passed on, and why.
 * The counts are sums over all processes. */
#include "pmpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const operation_names[PM_OPERATIONS] = {
#define PM_NAME(word, name, kport) name,
    PM_OPERATIONS_OF(PM_NAME)
#undef PM_NAME
};

static const char *const reason_texts[PM_REASONS] = {
#define PM_TEXT(word, text) text,
    PM_REASONS_OF(PM_TEXT)
#undef PM_TEXT
};

/* --- Counting --- */

/* Which calls were taken: a problem, without hints. Other problems than the first PROBLEMS are
 * counted together. */
enum {
    PROBLEMS = 2048
};
struct kept_problem {
    kp_problem problem;
    kp_operator op; /* the program's operator; problem.op points to it */
    enum pm_operation operation;
    long long count;
};

static struct {
    long long taken[PM_OPERATIONS], empty[PM_OPERATIONS], passed[PM_OPERATIONS][PM_REASONS];
    struct kept_problem *problems;
    int filled;
} counts;

void pm_count_passed(enum pm_operation operation, enum pm_reason reason)
{
    counts.passed[operation][reason]++;
}

static bool same_problem(const struct kept_problem *kept, enum pm_operation operation,
                         const kp_problem *problem)
{
    const kp_problem *p = &kept->problem;
    const bool own = problem->op && problem->op->combine;
    return kept->operation == operation && p->operation == problem->operation &&
           p->n == problem->n && p->k == problem->k && p->b == problem->b &&
           p->root == problem->root && p->type == problem->type &&
           (own ? p->op && p->op->combine && kept->op.commutative == problem->op->commutative &&
                      kept->op.element_bytes == problem->op->element_bytes
                : p->op == problem->op);
}

static size_t place_of(enum pm_operation operation, const kp_problem *problem)
{
    size_t hash = (size_t)operation * 31 + problem->b;
    hash = hash * 1000003 + (size_t)problem->n;
    hash = hash * 1000003 + (size_t)problem->root;
    return hash * 1000003 % PROBLEMS;
}

static void count_problem(enum pm_operation operation, const kp_problem *problem)
{
    if (!counts.problems)
        counts.problems = calloc(PROBLEMS, sizeof *counts.problems);
    if (!counts.problems)
        return;
    size_t place = place_of(operation, problem);
    while (counts.problems[place].count > 0 &&
           !same_problem(&counts.problems[place], operation, problem))
        place = (place + 1) % PROBLEMS;
    struct kept_problem *kept = &counts.problems[place];
    if (kept->count == 0) {
        if (counts.filled == PROBLEMS - 1)
            return;
        counts.filled++;
        kept->operation = operation;
        kept->problem = *problem;
        if (problem->op && problem->op->combine) {
            kept->op = *problem->op;
            kept->problem.op = &kept->op;
        }
    }
    kept->count++;
}

void pm_count_taken(enum pm_operation operation, const kp_problem *problem)
{
    counts.taken[operation]++;
    if (!problem)
        counts.empty[operation] += operation != PM_BARRIER;
    else if (pm_settings_report())
        count_problem(operation, problem);
}

/* --- Algorithms --- */

/* What a process counted: calls of an operation that one algorithm served. */
struct line {
    int operation;
    char words[92];
    long long count;
};

static void word_algorithm(const kp_problem *p, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", p->algorithm->name);
    for (int i = 0; i < KP_PARAMETERS && p->algorithm->parameters[i].name && used < size; i++) {
        const kp_parameter *parameter = &p->algorithm->parameters[i];
        if (p->values[i] == 0)
            continue;
        if (parameter->words)
            used += (size_t)snprintf(text + used, size - used, ",%s=%s", parameter->name,
                                     parameter->words[p->values[i] - 1]);
        else
            used += (size_t)snprintf(text + used, size - used, ",%s=%ld", parameter->name,
                                     p->values[i]);
    }
}

static bool has_lengths(kp_operation operation)
{
    return operation == KP_INDEXV || operation == KP_CONCATV || operation == KP_SCATTERV ||
           operation == KP_GATHERV;
}

/* Says which algorithm served a problem: the one that the environment names, or else the one that
 * the library chooses. */
static void word_problem(const struct kept_problem *kept, const kp_profile *profile,
                         struct line *line)
{
    kp_problem problem = kept->problem;
    kp_prediction choice;
    const kp_hints *hints = pm_hints(&problem);
    if (hints) {
        problem.algorithm = hints->algorithm;
        memcpy(problem.values, hints->values, sizeof problem.values);
    }
    line->operation = (int)kept->operation;
    line->count = kept->count;
    snprintf(line->words, sizeof line->words, "%s",
             has_lengths(problem.operation) ? "chosen by the mean length" : "unknown");
    if (hints && has_lengths(problem.operation))
        word_algorithm(&problem, line->words, sizeof line->words);
    else if (!has_lengths(problem.operation) &&
             kp_predict(&pm_state.config, profile, &problem, NULL, NULL, &choice) == KP_OK)
        word_algorithm(&choice.problem, line->words, sizeof line->words);
    if ((kept->operation == PM_REDUCE_SCATTER) && problem.operation == KP_ALLREDUCE) {
        char words[sizeof line->words];
        memcpy(words, line->words, sizeof words);
        snprintf(line->words, sizeof line->words, "allreduce %.80s", words);
    }
}

enum {
    LINES = 1024
};

/* Adds a line, or its count to an equal line. The last line stands for all that find no room. */
static void add_line(struct line *lines, int *count, const struct line *line)
{
    int i = 0;
    while (i < *count &&
           (lines[i].operation != line->operation || strcmp(lines[i].words, line->words) != 0))
        i++;
    if (i < *count) {
        lines[i].count += line->count;
    } else if (*count < LINES) {
        lines[(*count)++] = *line;
    } else {
        lines[LINES - 1].count += line->count;
        snprintf(lines[LINES - 1].words, sizeof line->words, "others");
    }
}

/* Writes this process's lines. Returns their number. */
static int own_lines(struct line *lines)
{
    int count = 0;
    kp_profile *profile = NULL;
    char text[KP_SENTENCE_BYTES];
    (void)!kp_profile_find(&profile, text, sizeof text);
    for (int i = 0; i < PROBLEMS && counts.problems; i++) {
        struct line line;
        if (counts.problems[i].count == 0)
            continue;
        word_problem(&counts.problems[i], profile, &line);
        add_line(lines, &count, &line);
    }
    kp_profile_free(profile);
    for (int i = 0; i < PM_OPERATIONS; i++) {
        struct line line = {.operation = i, .words = "no bytes", .count = counts.empty[i]};
        if (line.count > 0)
            add_line(lines, &count, &line);
    }
    return count;
}

/* --- Printing --- */

static void print_operation(int operation, const struct line *lines, int count)
{
    const char *separator = ": ";
    long long passed = 0, *reasons = counts.passed[operation];
    for (int i = 0; i < PM_REASONS; i++)
        passed += reasons[i];
    if (counts.taken[operation] == 0 && passed == 0)
        return;
    fprintf(stderr, "kport: %-24s %lld taken", operation_names[operation], counts.taken[operation]);
    for (int i = 0; i < count; i++) {
        if (lines[i].operation != operation)
            continue;
        fprintf(stderr, "%s%s %lld", separator, lines[i].words, lines[i].count);
        separator = "; ";
    }
    fprintf(stderr, " | %lld passed on", passed);
    separator = ": ";
    for (int i = 0; i < PM_REASONS; i++) {
        if (reasons[i] == 0)
            continue;
        fprintf(stderr, "%s%s %lld", separator, reason_texts[i], reasons[i]);
        separator = "; ";
    }
    fprintf(stderr, "\n");
}

static void print(const struct line *lines, int count, int processes)
{
    fprintf(stderr, "kport: collective calls, summed over %d processes, over %s\n", processes,
#ifdef OPEN_MPI
            "Open MPI"
#else
            "MPICH"
#endif
    );
    if (pm_state.reason != PM_NONE && pm_state.reason != PM_ENDED)
        fprintf(stderr, "kport: all calls are passed on: %s%s%s\n", reason_texts[pm_state.reason],
                pm_state.sentence[0] ? ": " : "", pm_state.sentence);
    for (int i = 0; i < PM_OPERATIONS; i++)
        print_operation(i, lines, count);
#ifdef OPEN_MPI
    fprintf(stderr, "kport: calls from Fortran are not seen, because Open MPI passes them on "
                    "itself\n");
#else
    fprintf(stderr, "kport: a program whose MPI_Init comes from Fortran is passed on\n");
#endif
}

static void sum(void *data, size_t numbers, int rank)
{
    (void)PMPI_Reduce(rank == 0 ? MPI_IN_PLACE : data, rank == 0 ? data : NULL, (int)numbers,
                      MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
}

/* Collects the lines of all processes at process 0. Processes that have no memory have no lines. */
static int collect(struct line *lines, int own, int rank, int processes)
{
    const int bytes = (int)sizeof *lines;
    for (int from = 1; from < processes; from++) {
        if (rank == from)
            (void)PMPI_Send(lines, own * bytes, MPI_BYTE, 0, from, MPI_COMM_WORLD);
        if (rank != 0)
            continue;
        MPI_Status status;
        int got;
        (void)PMPI_Probe(from, from, MPI_COMM_WORLD, &status);
        (void)PMPI_Get_count(&status, MPI_BYTE, &got);
        struct line *others = malloc((size_t)got + 1);
        if (!others) /* untaken: a few KiB */
            break;
        (void)PMPI_Recv(others, got, MPI_BYTE, from, from, MPI_COMM_WORLD, &status);
        for (int i = 0; i < got / bytes; i++)
            add_line(lines, &own, &others[i]);
        free(others);
    }
    return own;
}

void pm_report(void)
{
    int rank, processes;
    if (pm_settings_report()) {
        (void)PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        (void)PMPI_Comm_size(MPI_COMM_WORLD, &processes);
        struct line *lines = calloc(LINES, sizeof *lines);
        int count = lines ? own_lines(lines) : 0;
        sum(counts.taken, PM_OPERATIONS, rank);
        sum(counts.passed, (size_t)PM_OPERATIONS * PM_REASONS, rank);
        count = collect(lines, count, rank, processes);
        if (rank == 0)
            print(lines, count, processes);
        free(lines);
    }
    free(counts.problems);
    counts.problems = NULL;
}
