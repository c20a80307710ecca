/* The getopt of each copy of a program beside libc's, on random command lines: the same options,
 * arguments and order in the end. */
#include <getopt.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* lib/mpi/private/getopt.c is compiled with these names. */
extern char *own_optarg;
extern int own_optind, own_opterr, own_optopt;
int own_getopt(int argc, char *const *argv, const char *letters);
int own_getopt_long(int argc, char *const *argv, const char *letters, const struct option *names,
                    int *index);
int own_getopt_long_only(int argc, char *const *argv, const char *letters,
                         const struct option *names, int *index);

#define MOST 8

static const char *const words[] = {
    "-a",     "-b",        "-bx",  "-c",      "-cy",  "-abc",   "-d",     "-",        "--",
    "file",   "other",     "-ab",  "--alpha", "--be", "--beta", "-alpha", "--beta=3", "--gamma",
    "--ga=4", "--alpha=1", "--al", "--delta", "-be",  "-gamma", "--d",    "-:",       "-zb",
};
static const char *const letters[] = {
    "ab:c::", "+ab:c::", "-ab:c::", ":ab:c::", "+:ab:c::", "d", ""};
static int flag;
static const struct option names[] = {
    {"alpha", no_argument, NULL, 'A'},      {"alpine", no_argument, NULL, 'P'},
    {"beta", required_argument, NULL, 'B'}, {"gamma", optional_argument, NULL, 'G'},
    {"delta", no_argument, &flag, 7},       {0},
};

enum which {
    SHORT,
    LONG,
    LONG_ONLY
};

static int theirs(enum which which, int argc, char **argv, const char *text, int *index)
{
    return which == SHORT  ? getopt(argc, argv, text)
           : which == LONG ? getopt_long(argc, argv, text, names, index)
                           : getopt_long_only(argc, argv, text, names, index);
}

static int ours(enum which which, int argc, char **argv, const char *text, int *index)
{
    return which == SHORT  ? own_getopt(argc, argv, text)
           : which == LONG ? own_getopt_long(argc, argv, text, names, index)
                           : own_getopt_long_only(argc, argv, text, names, index);
}

static void compare(unsigned seed)
{
    char *argv[MOST + 2] = {"program"}, *own_argv[MOST + 2], line[256] = "";
    int argc = 1 + (int)(seed % MOST), value, own_value, index, own_index, own_flag, their_flag;
    enum which which = (enum which)(rand() % 3);
    const char *text = letters[(size_t)rand() % (sizeof letters / sizeof *letters)];
    for (int i = 1; i < argc; i++) {
        argv[i] = (char *)words[(size_t)rand() % (sizeof words / sizeof *words)];
        strcat(strcat(line, " "), argv[i]);
    }
    memcpy(own_argv, argv, sizeof argv);
    optind = own_optind = 0; /* begins anew */
    opterr = own_opterr = 0;
    do {
        index = own_index = -1;
        flag = 0;
        value = theirs(which, argc, argv, text, &index);
        their_flag = flag;
        flag = 0;
        own_value = ours(which, argc, own_argv, text, &own_index);
        own_flag = flag;
        if (value != own_value || optind != own_optind || index != own_index ||
            own_flag != their_flag || (optarg != own_optarg && value != -1) ||
            ((value == '?' || value == ':') && optopt != own_optopt))
            fail_msg("seed %u, kind %d, \"%s\",%s: libc %d, place %d, '%s', %d; here %d, place %d, "
                     "'%s', %d",
                     seed, (int)which, text, line, value, optind, optarg ? optarg : "", optopt,
                     own_value, own_optind, own_optarg ? own_optarg : "", own_optopt);
    } while (value != -1);
    for (int i = 0; i < argc; i++)
        assert_string_equal(argv[i], own_argv[i]);
}

static void same_as_libc(void **state)
{
    (void)state;
    srand(1);
    for (unsigned seed = 0; seed < 20000; seed++)
        compare(seed);
}

/* Without optind = 0 the first call begins at 1, as in most programs. */
static void begins_at_one(void **state)
{
    char *argv[] = {"program", "-a", "-b", "3", NULL};
    (void)state;
    own_optind = 1;
    assert_int_equal(own_getopt(4, argv, "ab:"), 'a');
    assert_int_equal(own_getopt(4, argv, "ab:"), 'b');
    assert_string_equal(own_optarg, "3");
    assert_int_equal(own_getopt(4, argv, "ab:"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(begins_at_one),
        cmocka_unit_test(same_as_libc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
