/* The program `kport`. It runs, costs, checks and draws problems of collective communication. This
 * file finds the command that the first argument names, and runs the command. */
#include "tools/kport/command.h"
#include "tools/kport/common/output.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/common/progress.h"
#include "tools/kport/load/load.h"

#include "kport.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct command *const commands[] = {
    &command_run,     &command_cost,    &command_check,   &command_show,  &command_list,
    &command_bounds,  &command_tables,  &command_soak,    &command_route, &command_bench,
    &command_tune,    &command_explain, &command_figures, &command_new,   &command_export,
    &command_predict, &command_compare,
};

/* The end of the help of every command. */
#define EVERY_HELP                                                                                 \
    LOAD_HELP "Every command takes --quiet: then it does not say how far it is. An option of one " \
              "letter may\nhave one dash or two, as -n or --n.\n"

#define COMMANDS (sizeof commands / sizeof commands[0])

static int help(void)
{
    FILE *out = output_begin();
    if (!out)
        return EXIT_IMPOSSIBLE;
    fprintf(out,
            "kport: n processors with k ports each exchange data. A processor is a thread or a "
            "fiber.\n\n");
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "  kport %-8s %s\n", commands[i]->name, commands[i]->summary);
    fprintf(
        out,
        "  kport help     The usage of a command: kport help COMMAND, or kport COMMAND --help\n"
        "  kport --version\n\n"
        "Most commands take a PROBLEM. It names an operation, the number of processors n, the "
        "ports "
        "k,\nand the bytes of a block b. An algorithm with its parameters may follow. K, M or G "
        "may "
        "stand\nbehind a number:\n\n"
        "  kport run index:n=64,k=4,b=1024\n"
        "  kport cost index:n=64,k=1,b=256,alg=radix,r=8\n\n"
        "run, cost, check, show, explain, predict, compare and export also take a schedule in a "
        "file, as\n@FILE. kport list prints the operations and their algorithms.\n\n" EVERY_HELP
        "\nExit status: 0 done; 1 a verification or a check failed; 2 invalid problem or usage;\n"
        "130 interrupted by Ctrl-C, 143 by SIGTERM.\n");
    return output_end(out, EXIT_DONE);
}

static int version(void)
{
    FILE *out = output_begin();
    if (!out)
        return EXIT_IMPOSSIBLE;
    fprintf(out, "kport %s\n", kp_version());
    if (kp_fibers())
        fprintf(out, "fibers are switched by %s\n", kp_fibers());
    else
        fprintf(out, "built without fibers (Meson option fibers)\n");
    fprintf(out, "threads sleep on %s\n", kp_waiting());
    if (kp_pinning())
        fprintf(out, "threads can be pinned by %s\n", kp_pinning());
    else
        fprintf(out, "built without pinning (Meson option affinity)\n");
    return output_end(out, EXIT_DONE);
}

/* Prints the usage in lines of at most 100 characters. An option and its value stay together. */
static void print_usage(const struct command *command, FILE *out)
{
    int used = fprintf(out, "kport %s", command->name);
    for (const char *at = command->usage; *at; at += *at == ' ') {
        int length = 0, depth = 0;
        for (; at[length] && (at[length] != ' ' || depth > 0); length++)
            depth += (at[length] == '[') - (at[length] == ']');
        if (used + 1 + length > 100)
            used = fprintf(out, "\n     ");
        used += fprintf(out, " %.*s", length, at);
        at += length;
    }
}

int command_help(const struct command *command)
{
    FILE *out = output_begin();
    if (!out)
        return EXIT_IMPOSSIBLE;
    print_usage(command, out);
    fprintf(out, "\n\n%s.\n\n%s\n" EVERY_HELP, command->summary, command->help);
    return output_end(out, EXIT_DONE);
}

static const struct command *find(const char *name)
{
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    }
    return NULL;
}

/* Returns the command that has the most first letters of this name, at least two, or NULL. */
static const char *nearest(const char *name)
{
    const char *found = NULL;
    size_t most = 1;
    for (size_t i = 0; i < COMMANDS; i++) {
        size_t same = 0;
        while (name[same] && name[same] == commands[i]->name[same])
            same++;
        if (same > most) {
            most = same;
            found = commands[i]->name;
        }
    }
    return found;
}

static int refuse(const char *name)
{
    const char *meant = nearest(name);
    fprintf(stderr, "kport: there is no command \"%s\"; ", name);
    if (meant)
        fprintf(stderr, "is %s meant? ", meant);
    fprintf(stderr, "there are");
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(stderr, "%s %s", i > 0 ? "," : "", commands[i]->name);
    fprintf(stderr, ", help, --help, --version\n");
    return EXIT_IMPOSSIBLE;
}

/* Prints all of the help as JSON. The manual pages and the shells' completions are made from it. */
static int help_json(void)
{
    FILE *out = output_begin();
    if (!out)
        return EXIT_IMPOSSIBLE;
    json_t *list = json_array();
    for (size_t i = 0; i < COMMANDS; i++)
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "name", commands[i]->name,
                                              "usage", commands[i]->usage, "summary",
                                              commands[i]->summary, "help", commands[i]->help));
    output_json(
        out, "help",
        json_pack("{s:s, s:s, s:o}", "kport", kp_version(), "every", EVERY_HELP, "commands", list));
    return output_end(out, EXIT_DONE);
}

/* Carries out `kport help [COMMAND]`, which prints the same text as `kport COMMAND --help`. */
static int help_about(int count, char **names)
{
    if (count == 1 && strcmp(names[0], "--json") == 0)
        return help_json();
    const struct command *command = count > 0 ? find(names[0]) : NULL;
    if (count > 1) {
        fprintf(stderr,
                "kport help: \"%s\" is not understood; usage: kport help [COMMAND|--json]\n",
                names[1]);
        return EXIT_IMPOSSIBLE;
    }
    return command ? command_help(command) : count > 0 ? refuse(names[0]) : help();
}

/* Runs the command that `arguments` begin with, which are the program's without those that every
 * command takes. */
static int dispatch(int count, char **arguments, char *const *files)
{
    if (count == 0 || strcmp(arguments[0], "--help") == 0 || strcmp(arguments[0], "-h") == 0)
        return help();
    if (strcmp(arguments[0], "--version") == 0 || strcmp(arguments[0], "-v") == 0)
        return version();
    if (strcmp(arguments[0], "help") == 0)
        return help_about(count - 1, arguments + 1);
    const struct command *command = find(arguments[0]);
    if (!command)
        return refuse(arguments[0]);
    const int status = load_all(files);
    if (status)
        return status;
    processes_silence();
    return processes_end(command->run(command, count - 1, arguments + 1));
}

/* Takes --quiet out of the arguments, which end with NULL. Returns how many are left. */
static int take_quiet(char **arguments)
{
    int kept = 0;
    for (char **at = arguments; *at; at++) {
        if (strcmp(*at, "--quiet") == 0)
            progress_quiet();
        else
            arguments[kept++] = *at;
    }
    arguments[kept] = NULL;
    return kept;
}

int main(int count, char **arguments)
{
    /* A write beyond the limit on file sizes raises SIGXFSZ, which would end the program. The
     * program ignores the signal, so the write fails with an error that a command reports. */
    signal(SIGXFSZ, SIG_IGN);
    const size_t room = (size_t)count + 1;
    char **others = calloc(2 * room, sizeof *others), **files = others ? others + room : NULL;
    if (!others) {
        fprintf(stderr, "kport: there is no memory for the arguments\n");
        return EXIT_IMPOSSIBLE;
    }
    processes_note_arguments(count, arguments);
    const bool sorted = load_sort(arguments + (count > 0), others, files) >= 0;
    const int status = sorted ? dispatch(take_quiet(others), others, files) : EXIT_IMPOSSIBLE;
    free(others);
    return status;
}
