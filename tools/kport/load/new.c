/* The command `kport new`. It writes a C file with an algorithm, to be changed by its reader. The
 * algorithm is correct as it stands: every processor sends its blocks straight to those that want
 * them, and a processor that wants a sum combines the operands after the last round. */
#include "tools/kport/command.h"
#include "tools/kport/common/options.h"

#include "kport.h"
#include "lib/problem/operation.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* What an operation writes into the function `build`: C code, in which `to` and `from` are the
 * ranks of the two peers at a distance d. */
struct direct {
    const char *own;             /* where the processor's own block goes, before the first round */
    const char *sends, *sent;    /* whether there is a message to `to` (NULL: always), and what */
    const char *receives, *goes; /* whether there is one from `from` (NULL: always), and where to */
    /* In a reduction: whether this processor has a result (NULL: always), and the number of
     * processors whose operands are in it. */
    const char *has_sum, *operands;
};

#define OUT(PLACE) "kp_run_of(KP_OUT, " PLACE ", 1)"
#define IN(PLACE)  "kp_run_of(KP_IN, " PLACE ", 1)"
#define KEPT(RANK) "kp_run_of(KP_SCRATCH, " RANK ", 1)"
#define SENT_BY_ALL                                                                                \
    {                                                                                              \
        .own = OUT("p->rank") ", " IN("p->rank"), .sent = OUT("to"), .goes = IN("from")            \
    }
#define SENT_TO_ALL                                                                                \
    {                                                                                              \
        .own = OUT("0") ", " IN("p->rank"), .sent = OUT("0"), .goes = IN("from")                   \
    }
#define FROM_ROOT                                                                                  \
    {                                                                                              \
        .own = OUT("0") ", " IN("0"), .sends = "p->rank == 0", .sent = OUT("to"),                  \
        .receives = "from == 0", .goes = IN("0")                                                   \
    }
#define TO_ROOT                                                                                    \
    {                                                                                              \
        .own = OUT("0") ", " IN("0"), .sends = "to == 0", .sent = OUT("0"),                        \
        .receives = "p->rank == 0", .goes = IN("from")                                             \
    }
#define SCAN                                                                                       \
    .own = OUT("0") ", " KEPT("p->rank"), .sends = "to > p->rank", .sent = OUT("0"),               \
    .receives = "from < p->rank", .goes = KEPT("from")

static const struct direct directs[KP_OPERATIONS] = {
    [KP_INDEX] = SENT_BY_ALL,
    [KP_INDEXV] = SENT_BY_ALL,
    [KP_CONCAT] = SENT_TO_ALL,
    [KP_CONCATV] = SENT_TO_ALL,
    [KP_BARRIER] = SENT_TO_ALL,
    [KP_BROADCAST] = {.sends = "p->rank == 0",
                      .sent = IN("0"),
                      .receives = "from == 0",
                      .goes = IN("0")},
    [KP_SCATTER] = FROM_ROOT,
    [KP_SCATTERV] = FROM_ROOT,
    [KP_GATHER] = TO_ROOT,
    [KP_GATHERV] = TO_ROOT,
    [KP_REDUCE] = {.own = OUT("0") ", " KEPT("p->rank"),
                   .sends = "to == p->root",
                   .sent = OUT("0"),
                   .receives = "p->rank == p->root",
                   .goes = KEPT("from"),
                   .has_sum = "p->rank == p->root",
                   .operands = "p->n"},
    [KP_ALLREDUCE] = {.own = OUT("0") ", " KEPT("p->rank"),
                      .sent = OUT("0"),
                      .goes = KEPT("from"),
                      .operands = "p->n"},
    [KP_REDUCE_SCATTER] = {.own = OUT("p->rank") ", " KEPT("p->rank"),
                           .sent = OUT("to"),
                           .goes = KEPT("from"),
                           .operands = "p->n"},
    [KP_REDUCE_SCATTERV] = {.own = OUT("p->rank") ", " KEPT("p->rank"),
                            .sent = OUT("to"),
                            .goes = KEPT("from"),
                            .operands = "p->n"},
    [KP_SCAN] = {SCAN, .operands = "p->rank + 1"},
    [KP_SCAN_EXCLUSIVE] = {SCAN, .has_sum = "p->rank > 0", .operands = "p->rank"},
    [KP_ONE_TO_ONE] = {.own = NULL},
};

/* --- The parts of the file --- */

#define ABOUT_COST                                                                                 \
    "/* C1 and C2 of the rounds that build writes, p->b being the bytes of a block. kport "        \
    "chooses "                                                                                     \
    "an\n"                                                                                         \
    " * algorithm by this, without building it, and kport check compares it with what it counts. " \
    "Change\n"                                                                                     \
    " * it with build. Without it (and without .stated_cost below) the algorithm is used only "    \
    "where it\n"                                                                                   \
    " * is named. */\n"

#define ABOUT_RESTRICTION                                                                          \
    "/* An algorithm that is right only for some n and k must say so here and in the algorithm "   \
    "below.\n"                                                                                     \
    " * Otherwise kport may choose it where it is wrong. An example: */\n"                         \
    "// static const char restriction[] = \"n a power of 2\";\n"                                   \
    "// static const char *serves(const kp_problem *p)\n"                                          \
    "// {\n"                                                                                       \
    "//     return (p->n & (p->n - 1)) == 0 ? NULL : restriction;\n"                               \
    "// }\n\n"

static void write_head(FILE *out, const char *name, kp_operation operation)
{
    const char *word = kp_operation_name(operation);
    const char *root = kp_operation_has_root(operation) ? "root=3," : "";
    const char *b = operation == KP_BARRIER ? "" : "b=16,"; /* a barrier moves nothing */
    fprintf(
        out,
        "/* An algorithm for the operation %s: %s.\n"
        " *\n"
        " * How it works. Every block goes straight to the processor that wants it, k of them "
        "in a round.\n"
        " *\n"
        " * Cost. C1 = %s. C2 = b C1.\n"
        " *\n"
        " * Compile it against kport, and try it:\n"
        " *\n"
        " *   cc -shared -fPIC $(pkg-config --cflags kport) %s.c -o %s.so\n"
        " *   kport check %s:n=8,k=2,%s%salg=%s --load ./%s.so\n"
        " *\n"
        " * The same with Meson, in a meson.build:\n"
        " *\n"
        " *   project('%s', 'c', default_options: ['c_std=c11'])\n"
        " *   kport = dependency('kport').partial_dependency(compile_args: true, includes: true)\n"
        " *   shared_module('%s', '%s.c', name_prefix: '', dependencies: kport) */\n"
        "#include <kport/schedule.h>\n\n",
        word, kp_operation_row(operation)->summary,
        operation == KP_ONE_TO_ONE ? "1, or 0 if the target is the root" : "ceil((n - 1) / k)",
        name, name, word, b, root, name, name, name, name, name);
}

static void write_message(FILE *out, const char *call, const char *peer, const char *when,
                          const char *piece)
{
    const char *more = when ? "    " : "";
    if (when)
        fprintf(out, "        if (%s) {\n", when);
    fprintf(out, "        %skp_build_%s(b, port, %s);\n", more, call, peer);
    fprintf(out, "        %skp_build_piece(b, %s);\n", more, piece);
    if (when)
        fprintf(out, "        }\n");
}

/* The place of the operand of processor i is unit i of scratch. */
static void write_sum(FILE *out, const struct direct *direct)
{
    fprintf(out, "    /* The operands are combined in the order of their processors, as operators "
                 "that do not\n"
                 "     * commute need. */\n");
    if (direct->has_sum)
        fprintf(out, "    if (!(%s))\n        return KP_OK;\n", direct->has_sum);
    fprintf(out,
            "    kp_build_move(b, " KEPT("0") ", " IN("0") ");\n"
                                                           "    for (int i = 1; i < %s; i++)\n"
                                                           "        kp_build_fold(b, " KEPT(
                                                               "i") ", " IN("0") ", KP_RIGHT);\n",
            direct->operands);
}

static void write_build(FILE *out, const struct direct *direct, kp_operation operation)
{
    const bool rooted = operation == KP_SCATTER || operation == KP_SCATTERV ||
                        operation == KP_GATHER || operation == KP_GATHERV;
    fprintf(out,
            "/* Writes the rounds of processor p->rank.%s */\n"
            "static int build(kp_builder *b, const kp_problem *p)\n{\n",
            operation == KP_REDUCE ? " The ranks are the processors' own, as own_root says\n"
                                     " * below; the root has rank p->root."
            : kp_operation_has_root(operation)
                ? " Ranks are counted from the root: rank 0 is\n"
                  " * the root, whichever processor that is, and blocks lie in this order, too."
                : "");
    if (direct->operands)
        fprintf(out, "    kp_build_scratch(b, p->n);\n");
    if (rooted)
        fprintf(out, "    if (p->rank == 0)\n    ");
    if (direct->own)
        fprintf(out, "    kp_build_move(b, %s);\n", direct->own);
    fprintf(out, "    for (int d = 1; d < p->n; d++) {\n"
                 "        const int port = (d - 1) %% p->k, to = (p->rank + d) %% p->n;\n"
                 "        const int from = (p->rank + p->n - d) %% p->n;\n"
                 "        if (port == 0)\n"
                 "            kp_build_round(b);\n");
    write_message(out, "send", "to", direct->sends, direct->sent);
    write_message(out, "receive", "from", direct->receives, direct->goes);
    fprintf(out, "    }\n");
    if (direct->operands)
        write_sum(out, direct);
    fprintf(out, "    return KP_OK;\n}\n\n" ABOUT_COST
                 "static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)\n{\n"
                 "    *c1 = ((uint64_t)p->n - 1 + (uint64_t)p->k - 1) / (uint64_t)p->k;\n"
                 "    *c2 = *c1 * p->b;\n}\n\n");
}

static void write_one_to_one(FILE *out)
{
    fprintf(out,
            "/* Writes the rounds of processor p->rank. The ranks are the processors' own: the "
            "sender is p->root, the\n * receiver p->target. */\n"
            "static int build(kp_builder *b, const kp_problem *p)\n{\n"
            "    const int root = p->root, target = p->target;\n"
            "    if (root == target) {\n"
            "        if (p->rank == root)\n"
            "            kp_build_move(b, " OUT("0") ", " IN(
                "0") ");\n"
                     "        return KP_OK;\n"
                     "    }\n"
                     "    kp_build_round(b);\n"
                     "    if (p->rank == root) {\n"
                     "        kp_build_send(b, 0, target);\n"
                     "        kp_build_piece(b, " OUT(
                         "0") ");\n"
                              "    }\n"
                              "    if (p->rank == target) {\n"
                              "        kp_build_receive(b, 0, root);\n"
                              "        kp_build_piece(b, " IN(
                                  "0") ");\n"
                                       "    }\n"
                                       "    return KP_OK;\n}\n\n" ABOUT_COST
                                       "static void stated_cost(const kp_problem *p, uint64_t "
                                       "*c1, uint64_t *c2)\n{\n"
                                       "    *c1 = p->root != p->target;\n"
                                       "    *c2 = *c1 * p->b;\n}\n\n");
}

static void write_row(FILE *out, const char *name, kp_operation operation)
{
    static const char *const constants[KP_OPERATIONS] = {
        "KP_INDEX",   "KP_CONCAT",         "KP_BROADCAST",  "KP_SCATTER",
        "KP_GATHER",  "KP_INDEXV",         "KP_CONCATV",    "KP_SCATTERV",
        "KP_GATHERV", "KP_REDUCE",         "KP_ALLREDUCE",  "KP_REDUCE_SCATTER",
        "KP_SCAN",    "KP_SCAN_EXCLUSIVE", "KP_ONE_TO_ONE", "KP_REDUCE_SCATTERV",
        "KP_BARRIER"};
    fprintf(out,
            ABOUT_RESTRICTION
            "static const kp_algorithm algorithm = {\n"
            "    .operation = %s,\n"
            "    .name = \"%s\",\n"
            "    .summary = \"every block straight to its place, k of them in a round\",\n"
            "    .source = \"folklore\",\n"
            "    .build = build,\n"
            "    .stated_cost = stated_cost,\n"
            "    // .restriction = restriction,\n"
            "    // .serves = serves,\n"
            "%s};\n\n"
            "KP_ENTRY int kport_load(void)\n{\n"
            "    return kp_algorithm_register(&algorithm, KP_HEADERS, sizeof algorithm);\n}\n",
            constants[operation], name,
            operation == KP_REDUCE
                ? "    .own_root = 1, /* operands are combined in the order of the ranks */\n"
            : operation == KP_ALLREDUCE
                ? "    .same_order = 1, /* all processors combine in the order of the ranks */\n"
                : "");
}

static void write_file(FILE *out, const char *name, kp_operation operation)
{
    write_head(out, name, operation);
    if (operation == KP_ONE_TO_ONE)
        write_one_to_one(out);
    else
        write_build(out, &directs[operation], operation);
    write_row(out, name, operation);
}

/* --- The command --- */

static int check_name(const char *name, kp_operation operation)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    const size_t length = strspn(name, allowed);
    if (length == 0 || length > 40 || name[length]) {
        fprintf(stderr, "kport: NAME is \"%.60s\"; it may have 1 ... 40 letters, digits and - _\n",
                name);
        return EXIT_IMPOSSIBLE;
    }
    if (kp_algorithm_find(operation, name)) {
        fprintf(stderr, "kport: NAME is \"%s\"; %s has an algorithm of this name already\n", name,
                kp_operation_name(operation));
        return EXIT_IMPOSSIBLE;
    }
    return EXIT_DONE;
}

/* Creates the file, which must not exist yet. */
static int make_file(const char *path, const char *name, kp_operation operation)
{
    FILE *out = fopen(path, "wx");
    if (!out && errno == EEXIST) {
        fprintf(stderr,
                "kport: %s exists already, and is not overwritten; give another NAME, or remove "
                "the file\n",
                path);
        return EXIT_IMPOSSIBLE;
    }
    if (!out) {
        fprintf(stderr, "kport: %s cannot be written: %s\n", path, strerror(errno));
        return EXIT_IMPOSSIBLE;
    }
    write_file(out, name, operation);
    const bool failed = ferror(out) != 0;
    if (fclose(out) == 0 && !failed)
        return EXIT_DONE;
    fprintf(stderr, "kport: %s cannot be written: %s\n", path, strerror(errno));
    (void)remove(path);
    return EXIT_IMPOSSIBLE;
}

static int run(const struct command *command, int count, char **arguments)
{
    const char *name = NULL, *word = NULL;
    const struct option_row rows[] = {{"--operation", OPTION_TEXT, &word, 0, 0}, {0}};
    const int given = options_read(command, rows, count, arguments, &name, 1);
    if (given < 0)
        return options_status(given);
    if (given == 0) {
        fprintf(stderr, "kport new: NAME is not given; usage: kport new %s\n", command->usage);
        return EXIT_IMPOSSIBLE;
    }
    int operation;
    if (!options_operation("--operation", word, "", &operation))
        return EXIT_IMPOSSIBLE;
    char path[64];
    const int status = check_name(name, (kp_operation)operation);
    snprintf(path, sizeof path, "%.40s.c", name);
    return status ? status : make_file(path, name, (kp_operation)operation);
}

const struct command command_new = {
    .name = "new",
    .usage = "NAME --operation OPERATION",
    .summary = "Writes NAME.c with an algorithm, for you to change",
    .help = "The algorithm is correct as it stands: every block goes straight to its place. The "
            "head of\n"
            "the file has the commands that compile it to a shared object, by cc and by Meson, and "
            "that\n"
            "check it. A file that exists is not overwritten.\n"
            "\n"
            "Example: kport new mine --operation concat\n",
    .run = run,
};
