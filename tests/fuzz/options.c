/* Fuzzes the command line: any words, one on a line, must be carried out or refused, and do nothing
 * else. The program's main is called as kport_main. Numbers are cut to a digit or two, so that
 * problems take little time. */
#include "fuzz.h"

#include "tools/kport/command.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define MOST_TEXT  2000
#define MOST_WORDS 20

int kport_main(int count, char **arguments);

/* What the program prints is not looked at here. */
static void silence(void)
{
    static bool silent;
    if (silent)
        return;
    silent = freopen("/dev/null", "w", stdout) != NULL;
    if (!silent)
        wrong("standard output cannot be sent away");
}

/* Keeps the first `most` digits of every number; what follows a point, too; and no unit behind. */
static void cut_numbers(char *text, int most)
{
    char *to = text;
    int digits = 0;
    for (const char *c = text; *c; c++) {
        bool unit = digits > 0 && strchr("KMGkmg", *c);
        digits = isdigit((unsigned char)*c) ? digits + 1 : unit ? digits : 0;
        if (!unit && digits <= most)
            *to++ = *c;
    }
    *to = '\0';
}

static bool has_word(char **words, int count, const char *word)
{
    for (int i = 0; i < count; i++) {
        if (strncmp(words[i], word, strlen(word)) == 0)
            return true;
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char name[] = "kport", limit[] = "--max-n", four[] = "4", none[] = "none",
                help[] = "--help";
    char text[MOST_TEXT + 1], *words[MOST_WORDS + 4] = {name};
    int count = 1;
    if (size > MOST_TEXT)
        size = MOST_TEXT;
    memcpy(text, data, size);
    text[size] = '\0';
    bool runs = strncmp(text, "run", 3) == 0 || strncmp(text, "check", 5) == 0;
    cut_numbers(text, runs ? 1 : 2);
    for (char *word = strtok(text, "\n"); word && count < MOST_WORDS; word = strtok(NULL, "\n"))
        words[count++] = word;
    /* Whatever comes later counts. */
    if (has_word(words, count, "--all") || has_word(words, count, "--max-n")) {
        words[count++] = limit;
        words[count++] = four;
    }
    /* These take seconds however small they are, and some write files: their options are read, and
     * then the help. */
    static const char *const long_ones[] = {"soak", "route", "bench", "tune", "figures"};
    for (size_t i = 0; i < sizeof long_ones / sizeof long_ones[0]; i++) {
        if (count > 1 && count < MOST_WORDS + 2 && strcmp(words[1], long_ones[i]) == 0) {
            words[count++] = help;
            break;
        }
    }
    /* Without a problem the main job is run, which takes a second: with a word that is none. */
    bool problem = false;
    for (int i = 2; i < count; i++)
        problem = problem || strchr(words[i], ':');
    if (!problem && count > 1 && strcmp(words[1], "run") == 0)
        words[count++] = none;
    words[count] = NULL;
    silence();
    int status = kport_main(count, words);
    bool may_fail = has_word(words, count, "--on"); /* a schedule need not keep to a network */
    if (status != EXIT_DONE && status != EXIT_IMPOSSIBLE && !(may_fail && status == EXIT_FAILED))
        wrong("status %d", status);
    return 0;
}
