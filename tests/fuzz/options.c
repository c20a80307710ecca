/* Fuzzes the command line. The input has one word on each line. The program must carry out these
 * words or refuse them, and must not crash. The target calls the program's main as kport_main.
 * Before that, the target cuts numbers to one or two digits, so that problems take little time. */
#include "fuzz.h"

#include "tools/kport/command.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#define MOST_TEXT  2000
#define MOST_WORDS 20

int kport_main(int count, char **arguments);

/* Discards what the program prints, because the target does not check it. A command that reads a
 * schedule from standard input finds nothing there. */
static void silence(void)
{
    static bool silent;
    if (silent)
        return;
    silent = freopen("/dev/null", "w", stdout) && freopen("/dev/null", "r", stdin);
    if (!silent)
        wrong("standard input and output cannot be sent away");
}

/* Keeps the first `most` digits of every number and drops a unit after it (K, M, G). Digits after a
 * decimal point count as a number of their own. */
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
    /* Adds --max-n 4. If an option occurs twice, the program uses its last value. */
    if (has_word(words, count, "--all") || has_word(words, count, "--max-n")) {
        words[count++] = limit;
        words[count++] = four;
    }
    /* These commands take seconds even for small problems, and some write files. With --help at the
     * end the program reads their options and then prints only the help. */
    static const char *const long_ones[] = {"soak", "route",   "bench", "tune",
                                            "new",  "figures", "export"};
    for (size_t i = 0; i < sizeof long_ones / sizeof long_ones[0]; i++) {
        if (count > 1 && count < MOST_WORDS + 2 && strcmp(words[1], long_ones[i]) == 0) {
            words[count++] = help;
            break;
        }
    }
    /* `run` without a problem string runs the main job, which takes a second. An invalid problem
     * string prevents this. */
    bool problem = false;
    for (int i = 2; i < count; i++)
        problem = problem || strchr(words[i], ':');
    if (!problem && count > 1 && strcmp(words[1], "run") == 0)
        words[count++] = none;
    words[count] = NULL;
    silence();
    int status = kport_main(count, words);
    /* With `--on` the command checks a schedule against a network, and may find that the schedule
     * uses a link that does not exist. */
    bool may_fail = has_word(words, count, "--on");
    if (status != EXIT_DONE && status != EXIT_IMPOSSIBLE && !(may_fail && status == EXIT_FAILED))
        wrong("status %d", status);
    return 0;
}
