/* The command `kport export`. It writes the schedule of a problem in one of several formats. */
#include "tools/kport/command.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"
#include "tools/kport/common/output_file.h"
#include "tools/kport/files/formats.h"
#include "tools/kport/schedule/choice.h"
#include "tools/kport/schedule/facts.h"

#include <string.h>

/* Finds the format of this name. If there is none in this build, prints an error message and
 * returns NULL. */
static const struct export_format *find(const char *name)
{
    const struct export_format *format;
    for (int i = 0; (format = export_format_at(i)); i++) {
        if (strcmp(format->name, name) != 0)
            continue;
        if (format->write)
            return format;
        fprintf(stderr,
                "kport: --format is \"%s\", which this build lacks (Meson option %s); see kport "
                "--version\n",
                name, format->needs);
        return NULL;
    }
    fprintf(stderr, "kport: --format is \"%.200s\"; it may be", name);
    for (int i = 0; (format = export_format_at(i)); i++)
        fprintf(stderr, "%s %s", i > 0 ? "," : "", format->name);
    fprintf(stderr, "%s\n",
            strcmp(name, "svg") == 0 ? "; kport show PROBLEM --svg FILE draws it" : "");
    return NULL;
}

static int run(const struct command *command, int count, char **arguments)
{
    const char *text = NULL, *name = "text", *path = "-";
    struct choice_wish wish = {.tune = NULL};
    kp_problem problem;
    kp_schedule *schedule;
    const struct option_row rows[] = {{"--format", OPTION_TEXT, &name, 0, 0},
                                      CHOICE_OPTIONS(wish),
                                      {"-o", OPTION_TEXT, &path, 0, 0},
                                      {0}};
    int given = options_read(command, rows, count, arguments, &text, 1);
    if (given < 0)
        return options_status(given);
    if (given == 0) {
        fprintf(stderr, "kport export: which problem? usage: kport export %s\n", command->usage);
        return EXIT_IMPOSSIBLE;
    }
    const struct export_format *format = find(name);
    int status = format ? EXIT_DONE : EXIT_IMPOSSIBLE;
    if (!status && format->edited)
        status = output_file_is_free(path);
    status = status ? status : choice_read(text, &wish, &problem);
    if (status)
        return status;
    status = facts_build_right(&problem, &schedule);
    if (status)
        return status;
    FILE *out = output_begin();
    status = out ? format->write(schedule, out) : EXIT_IMPOSSIBLE;
    kp_schedule_free(schedule);
    return out ? output_end_in(out, status, path) : status;
}

const struct command command_export = {
    .name = "export",
    .usage = "PROBLEM|@FILE [--format NAME] [-o FILE] [--tune builtin|FILE] [--beta US] "
             "[--tau US]",
    .summary = "Writes a schedule as text, as JSON, as a drawing or for a simulator",
    .help =
        "Writes the schedule that `run` executes. check, cost, show, explain, run, predict, "
        "compare\n"
        "and export read text and JSON again, as @FILE in place of a problem.\n\n"
        "  --format NAME  text (the default): for people, a line for each message\n"
        "                 json: for programs; the manual has its schema (schedule.schema.json)\n"
        "                 dot: a drawing by Graphviz; tikz: a drawing by LaTeX\n"
        "                 goal: for LogGOPSim; simgrid: a time-independent trace, for SimGrid\n"
        "                 msccl: XML for MSCCL, of an allreduce, concat, reduce-scatter, index,\n"
        "                 broadcast or reduce; `kport check FILE.xml` checks it\n"
        "  -o FILE        the file, which must be new or empty; - is standard output "
        "(-)\n\n" CHOICE_HELP "\n"
        "Example: kport export concat:n=4,k=1,b=8,alg=ring --format text\n",
    .run = run,
};
