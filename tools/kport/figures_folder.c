/* The folder that is filled. Everything is written and drawn in a folder of its own inside of it,
 * and renamed from there when all is done, the page last: who fails leaves what was there. A signal
 * that comes meanwhile, or the end of the time announced, clears that folder away. */
#include "figures.h"

#include "command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAGE "index.html"

/* The folder beside; its descriptor and name. */
struct beside {
    char name[4096];
    int descriptor;
};

static int refuse(const char *folder, const char *what)
{
    fprintf(stderr, "kport figures: %s \"%s\": %s; it may be a folder that can be written\n", what,
            folder, strerror(errno));
    return EXIT_IMPOSSIBLE;
}

/* --- The folder beside --- */

static int make_beside(const char *folder, struct beside *beside)
{
    int length = snprintf(beside->name, sizeof beside->name, "%s/.figures-XXXXXX", folder);
    if (length >= (int)sizeof beside->name) {
        errno = ENAMETOOLONG;
        return refuse(folder, "DIR is");
    }
    if (!mkdtemp(beside->name))
        return refuse(folder, "nothing can be written in DIR");
    beside->descriptor = open(beside->name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (beside->descriptor >= 0)
        return EXIT_DONE;
    int status = refuse(folder, "nothing can be read in DIR");
    rmdir(beside->name);
    return status;
}

static void clear_beside(struct beside *beside)
{
    DIR *entries = opendir(beside->name);
    for (struct dirent *e; entries && (e = readdir(entries)) != NULL;)
        unlinkat(beside->descriptor, e->d_name, 0); /* "." and ".." stay */
    if (entries)
        closedir(entries);
    close(beside->descriptor);
    rmdir(beside->name);
}

static bool make_folder(const char *folder, bool *made)
{
    *made = mkdir(folder, 0777) == 0;
    return *made || errno == EEXIST;
}

int folder_check(const char *folder)
{
    struct beside beside;
    bool made;
    if (!make_folder(folder, &made))
        return refuse(folder, "DIR cannot be made:");
    int status = make_beside(folder, &beside);
    if (!status)
        clear_beside(&beside);
    if (made)
        rmdir(folder);
    return status;
}

/* --- Programs --- */

static void watched_signals(sigset_t *set)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGCHLD};
    sigemptyset(set);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sigaddset(set, numbers[i]);
}

/* In the child: gnuplot, without what its user has set for himself. */
static void become_gnuplot(int folder, const char *script)
{
    static char name[] = "gnuplot", defaults[] = "-d";
    char argument[64];
    sigset_t none;
    snprintf(argument, sizeof argument, "%s", script ? script : "--version");
    char *arguments[] = {name, script ? defaults : argument, script ? argument : NULL, NULL};
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (folder >= 0 && fchdir(folder))
        _exit(127);
    int null = script ? -1 : open("/dev/null", O_WRONLY);
    if (null >= 0)
        dup2(null, STDOUT_FILENO);
    execvp(name, arguments);
    _exit(127);
}

/* Waits for the child; another signal, of those that are blocked, kills it. 0, that signal, or -1
 * if it failed. */
static int wait_for(pid_t child)
{
    sigset_t set;
    int status = 0, number = 0;
    watched_signals(&set);
    for (;;) {
        if (waitpid(child, &status, WNOHANG) == child)
            return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? number : number ? number : -1;
        struct timespec wait = {.tv_sec = 0, .tv_nsec = 200000000};
        int arrived = sigtimedwait(&set, NULL, &wait);
        if (arrived > 0 && arrived != SIGCHLD) {
            number = arrived;
            kill(child, SIGKILL);
        }
    }
}

static int gnuplot(int folder, const char *script)
{
    pid_t child = fork();
    if (child == 0)
        become_gnuplot(folder, script);
    return child < 0 ? -1 : wait_for(child);
}

bool folder_has_gnuplot(void)
{
    sigset_t set, before;
    watched_signals(&set);
    sigprocmask(SIG_BLOCK, &set, &before);
    int result = gnuplot(-1, NULL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return result == 0;
}

/* --- Writing --- */

static FILE *begin_file(const struct beside *beside, const char *name)
{
    int descriptor =
        openat(beside->descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return descriptor < 0 ? NULL : fdopen(descriptor, "w");
}

static int end_file(FILE *file, const char *name, bool right)
{
    errno = 0;
    if (file && ferror(file))
        right = false;
    if (file && fclose(file) != 0)
        right = false;
    if (file && right)
        return EXIT_DONE;
    fprintf(stderr, "kport figures: %s could not be written%s%s\n", name, errno ? ": " : "",
            errno ? strerror(errno) : "");
    return EXIT_FAILED;
}

static int write_figure(const struct beside *beside, const struct figure *figure,
                        const char *extension,
                        void (*write)(const struct figure *figure, FILE *out))
{
    char name[64];
    snprintf(name, sizeof name, "%s.%s", figure->name, extension);
    FILE *file = begin_file(beside, name);
    if (file)
        write(figure, file);
    return end_file(file, name, true);
}

static int ended_by(int number)
{
    fprintf(stderr, "kport figures: %s; nothing is written\n",
            number == SIGALRM ? "the time announced is over" : "ended by a signal");
    return number == SIGALRM ? EXIT_FAILED : 128 + number;
}

static int draw(const struct beside *beside, const struct figure *figure)
{
    char script[64];
    snprintf(script, sizeof script, "%s.gp", figure->name);
    int result = gnuplot(beside->descriptor, script);
    if (result == 0)
        return EXIT_DONE;
    if (result > 0)
        return ended_by(result);
    fprintf(stderr, "kport figures: gnuplot has failed to draw %s\n", figure->name);
    return EXIT_FAILED;
}

static int write_all(const struct figures *figures, const struct beside *beside)
{
    int status = EXIT_DONE;
    for (size_t i = 0; i < figures->count && !status; i++) {
        const struct figure *figure = &figures->list[i];
        status = write_figure(beside, figure, "csv", figure_csv);
        if (!status)
            status = write_figure(beside, figure, "gp", figure_script);
        if (!status && figures->has_gnuplot)
            status = draw(beside, figure);
    }
    if (status || !figures->has_gnuplot)
        return status;
    FILE *page = begin_file(beside, PAGE);
    return end_file(page, PAGE, page && figures_page(figures, beside->descriptor, page));
}

/* --- In place --- */

static int put(const struct beside *beside, int folder, const char *name)
{
    if (renameat(beside->descriptor, name, folder, name) == 0)
        return EXIT_DONE;
    fprintf(stderr, "kport figures: %s cannot be put in DIR: %s\n", name, strerror(errno));
    return EXIT_FAILED;
}

static int put_all(const struct figures *figures, const struct beside *beside)
{
    static const char *const extensions[] = {"csv", "gp", "svg", "png"};
    char name[64];
    int status = EXIT_DONE, folder = open(figures->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return refuse(figures->folder, "there is no more");
    for (size_t i = 0; i < figures->count && !status; i++) {
        for (int e = 0; e < (figures->has_gnuplot ? 4 : 2) && !status; e++) {
            snprintf(name, sizeof name, "%s.%s", figures->list[i].name, extensions[e]);
            status = put(beside, folder, name);
        }
    }
    if (!status && figures->has_gnuplot)
        status = put(beside, folder, PAGE);
    close(folder);
    return status;
}

int folder_fill(const struct figures *figures)
{
    struct beside beside;
    sigset_t set;
    bool made;
    watched_signals(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    if (!make_folder(figures->folder, &made))
        return refuse(figures->folder, "DIR cannot be made:");
    int status = make_beside(figures->folder, &beside);
    if (!status) {
        status = write_all(figures, &beside);
        if (!status)
            status = put_all(figures, &beside);
        clear_beside(&beside);
    }
    if (status && made)
        rmdir(figures->folder);
    return status;
}
