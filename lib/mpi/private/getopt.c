/* getopt and its family, with the variables and the state of each copy of the program. They do what
 * libc's functions do: options may stand behind other arguments, which then move to the end. */
#include "host.h"

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WEAK __attribute__((weak))

WEAK char *optarg;
WEAK int optind = 1, opterr = 1, optopt = '?';

static char *next;       /* the rest of an argument with several short options; NULL: none */
static int first, after; /* arguments that are no options, and that options have passed */

enum order {
    PERMUTE, /* arguments that are no options move behind the options */
    STOP,    /* the first argument that is no option ends the options */
    RETURN,  /* such an argument is returned as the value of option 1 */
};

/* What one call was given. */
struct call {
    int argc;
    char **argv;
    const char *letters; /* the short options, without the signs before them */
    enum order order;
    bool colon; /* a missing argument is reported as ':' */
    const struct option *names;
    int *name_index;
    bool single_dash; /* a long option may begin with one dash */
};

static void complain(const struct call *call, const char *text, const char *dashes,
                     const char *name, int letters)
{
    if (opterr && !call->colon)
        fprintf(stderr, "%s: %s '%s%.*s'\n", call->argv[0], text, dashes, letters, name);
}

/* Exchanges the passed arguments [first, after) with the options [after, optind). */
static void exchange(char **argv)
{
    int passed = after - first, options = optind - after;
    for (int i = 0; i < options; i++) {
        char *option = argv[after + i];
        memmove(&argv[first + i + 1], &argv[first + i], (size_t)passed * sizeof *argv);
        argv[first + i] = option;
    }
    first += options;
    after = optind;
}

static bool is_option(const char *argument)
{
    return argument[0] == '-' && argument[1] != '\0';
}

/* Moves on to the next argument with an option. Returns 0 if it has found one. Otherwise returns
 * what the call returns. */
static int advance(const struct call *call)
{
    first = first > optind ? optind : first;
    after = after > optind ? optind : after;
    if (call->order == PERMUTE) {
        if (first != after && after != optind)
            exchange(call->argv);
        else if (after != optind)
            first = optind;
        while (optind < call->argc && !is_option(call->argv[optind]))
            optind++;
        after = optind;
    }
    if (optind < call->argc && strcmp(call->argv[optind], "--") == 0) {
        optind++;
        if (first != after && after != optind)
            exchange(call->argv);
        else if (first == after)
            first = optind;
        after = call->argc;
        optind = call->argc;
    }
    if (optind >= call->argc) {
        if (first != after)
            optind = first;
        return -1;
    }
    if (is_option(call->argv[optind]))
        return 0;
    if (call->order == STOP)
        return -1;
    optarg = call->argv[optind++];
    return 1;
}

/* --- Long options --- */

/* Returns the index of the long option of this name, -1 if there is none, or -2 if it abbreviates
 * several options that differ. */
static int find_name(const struct option *names, const char *name, size_t length)
{
    int found = -1;
    for (int i = 0; names[i].name; i++) {
        if (strncmp(names[i].name, name, length) != 0)
            continue;
        if (strlen(names[i].name) == length)
            return i;
        if (found < 0)
            found = i;
        else if (names[found].has_arg != names[i].has_arg || names[found].flag != names[i].flag ||
                 names[found].val != names[i].val)
            return -2;
    }
    return found;
}

static int take_long(const struct call *call, const char *name, const char *dashes, int found)
{
    const struct option *option = &call->names[found];
    size_t length = strcspn(name, "=");
    bool missing = false;
    next = NULL;
    optind++;
    if (name[length] == '=' && option->has_arg == no_argument) {
        complain(call, "option doesn't allow an argument", dashes, option->name,
                 (int)strlen(option->name));
        optopt = option->val;
        return '?';
    }
    if (name[length] == '=')
        optarg = (char *)&name[length + 1];
    else if (option->has_arg == required_argument) {
        missing = optind >= call->argc;
        optarg = missing ? NULL : call->argv[optind++];
    }
    if (missing) {
        complain(call, "option requires an argument", dashes, option->name,
                 (int)strlen(option->name));
        optopt = option->val;
        return call->colon ? ':' : '?';
    }
    if (call->name_index)
        *call->name_index = found;
    if (!option->flag)
        return option->val;
    *option->flag = option->val;
    return 0;
}

static int refuse_long(const struct call *call, const char *name, const char *dashes, bool several)
{
    complain(call, several ? "option is ambiguous" : "unrecognized option", dashes, name,
             (int)strlen(name));
    next = NULL;
    optind++;
    optopt = 0;
    return '?';
}

/* Whether argv[optind] is a long option. If so, `*value` is what the call returns. */
static bool long_option(const struct call *call, int *value)
{
    char *argument = call->argv[optind];
    bool two = argument[1] == '-';
    if (!call->names || !(two || call->single_dash))
        return false;
    char *name = argument + (two ? 2 : 1);
    const char *dashes = two ? "--" : "-";
    int found = find_name(call->names, name, strcspn(name, "="));
    /* With one dash it is a short option unless its name is known. */
    if (!two && found < 0 && strchr(call->letters, name[0]))
        return false;
    if (!two && !name[1] && strchr(call->letters, name[0]))
        return false;
    *value = found >= 0 ? take_long(call, name, dashes, found)
                        : refuse_long(call, name, dashes, found == -2);
    return true;
}

/* --- Short options --- */

static int take_letter(const struct call *call)
{
    char letter = *next++;
    const char *known = letter == ':' || letter == ';' ? NULL : strchr(call->letters, letter);
    bool ended = *next == '\0';
    if (ended)
        optind++;
    if (!known) {
        complain(call, "invalid option --", "", &letter, 1);
        optopt = letter;
        return '?';
    }
    if (known[1] != ':')
        return letter;
    optarg = ended ? NULL : next;
    if (!ended)
        optind++;
    next = NULL;
    if (optarg || known[2] == ':')
        return letter;
    if (optind < call->argc) {
        optarg = call->argv[optind++];
        return letter;
    }
    complain(call, "option requires an argument --", "", &letter, 1);
    optopt = letter;
    return call->colon ? ':' : '?';
}

static int option_of(struct call *call)
{
    int value;
    optarg = NULL;
    if (call->argc < 1)
        return -1;
    if (optind == 0) {
        optind = 1;
        next = NULL;
        first = after = 1;
    }
    if (first == 0)
        first = after = optind;
    call->order = *call->letters == '-'                                ? RETURN
                  : *call->letters == '+' || getenv("POSIXLY_CORRECT") ? STOP
                                                                       : PERMUTE;
    call->letters += *call->letters == '-' || *call->letters == '+';
    call->colon = *call->letters == ':';
    if (next && *next)
        return take_letter(call);
    if ((value = advance(call)) != 0)
        return value;
    if (long_option(call, &value))
        return value;
    next = call->argv[optind] + 1;
    return take_letter(call);
}

WEAK int getopt(int argc, char *const *argv, const char *letters)
{
    return option_of(&(struct call){.argc = argc, .argv = (char **)argv, .letters = letters});
}

WEAK int getopt_long(int argc, char *const *argv, const char *letters, const struct option *names,
                     int *name_index)
{
    return option_of(&(struct call){.argc = argc,
                                    .argv = (char **)argv,
                                    .letters = letters,
                                    .names = names,
                                    .name_index = name_index});
}

WEAK int getopt_long_only(int argc, char *const *argv, const char *letters,
                          const struct option *names, int *name_index)
{
    return option_of(&(struct call){.argc = argc,
                                    .argv = (char **)argv,
                                    .letters = letters,
                                    .names = names,
                                    .name_index = name_index,
                                    .single_dash = true});
}
