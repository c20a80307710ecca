/* Fills the folder of `kport figures`. All files are written and drawn in a temporary folder inside
 * the folder to be filled. When all files are complete, they are moved to their final paths, the
 * page last. So after a failure the folder has its old files. An interrupt such as Ctrl-C ends the
 * drawing, but the files that are complete are moved. If the announced time is over before all
 * files are complete, the command fails. */
#include "tools/kport/figures/figures.h"

#include "tools/kport/command.h"
#include "tools/kport/common/interrupt.h"
#include "tools/kport/common/new_file.h"
#include "tools/kport/common/output_file.h"

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

/* The temporary folder, with its path and its descriptor. */
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

/* --- The temporary folder --- */

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
        unlinkat(beside->descriptor, e->d_name, 0); /* fails for "." and "..", which must stay */
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

/* --- Running gnuplot --- */

static void watched_signals(sigset_t *set)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGCHLD};
    sigemptyset(set);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sigaddset(set, numbers[i]);
}

/* Replaces the child process by gnuplot, which uses its default settings instead of the user's
 * settings. If `script` is NULL, gnuplot draws nothing, and the command only finds out whether
 * gnuplot can be run. */
static void become_gnuplot(int folder, const char *script)
{
    static char name[] = "gnuplot", defaults[] = "-d";
    char argument[64];
    sigset_t none;
    snprintf(argument, sizeof argument, "%s", script ? script : "--version");
    char *arguments[] = {name, script ? defaults : argument, script ? argument : NULL, NULL};
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGXFSZ, SIG_DFL);
    /* Gives the child a process group of its own, so that only the parent gets the signal of
     * Ctrl-C. */
    setpgid(0, 0);
    if (folder >= 0 && fchdir(folder))
        _exit(127);
    int null = script ? -1 : open("/dev/null", O_WRONLY);
    if (null >= 0)
        dup2(null, STDOUT_FILENO);
    execvp(name, arguments);
    _exit(127);
}

/* Waits until the child has ended. If one of the watched signals arrives before, kills the child.
 * Returns 0 if the child succeeded, the number of that signal, or -1 if the child failed. */
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

/* --- Writing the files of a figure --- */

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
    return EXIT_IMPOSSIBLE;
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

static int draw(const struct beside *beside, struct figure *figure, bool *stopped)
{
    char script[64];
    snprintf(script, sizeof script, "%s.gp", figure->name);
    int result = gnuplot(beside->descriptor, script);
    if (result > 0 && result != SIGALRM) {
        interrupt_note(result);
        *stopped = true;
        fprintf(stderr, "kport figures: interrupted; %s and what comes after it is not drawn\n",
                figure->name);
    } else if (result > 0) {
        fprintf(stderr, "kport figures: the time announced is over; nothing is written\n");
    } else if (result < 0) {
        fprintf(stderr, "kport figures: gnuplot has failed to draw %s\n", figure->name);
    }
    return result == 0 || *stopped ? EXIT_DONE : EXIT_FAILED;
}

static int write_all(struct figures *figures, const struct beside *beside)
{
    bool stopped = false;
    int status = EXIT_DONE;
    for (size_t i = 0; i < figures->count && !status; i++) {
        struct figure *figure = &figures->list[i];
        if (figure->files != NO_FILES && !figure_is_drawn(figure))
            figure->files = DATA_ALONE;
        if (figure->files >= DATA_ALONE)
            status = write_figure(beside, figure, "csv", figure_csv);
        if (!status && figure->files >= WITH_SCRIPT)
            status = write_figure(beside, figure, "gp", figure_script);
        if (!status && figure->files == WITH_PICTURES && !stopped)
            status = draw(beside, figure, &stopped);
        if (figure->files == WITH_PICTURES && stopped)
            figure->files = WITH_SCRIPT;
    }
    if (status || !figures->has_gnuplot)
        return status;
    FILE *page = begin_file(beside, PAGE);
    return end_file(page, PAGE, page && figures_page(figures, beside->descriptor, page));
}

/* --- Moving the files to the folder --- */

/* The extensions are in the order of enum files. */
static const char *const extensions[] = {"csv", "gp", "svg", "png"};

/* Goes through the files for the folder: the files of each figure, and then the page. */
struct listing {
    const struct figures *figures;
    size_t next;
    char name[64];
    char path[4096 + 64];
};

static bool next_file(struct listing *l)
{
    const size_t all = 4 * l->figures->count;
    l->name[0] = '\0';
    while (!l->name[0] && l->next < all) {
        const struct figure *figure = &l->figures->list[l->next / 4];
        size_t extension = l->next++ % 4;
        if (extension < (size_t)figure->files)
            snprintf(l->name, sizeof l->name, "%s.%s", figure->name, extensions[extension]);
    }
    if (!l->name[0] && l->next == all && l->figures->has_gnuplot) {
        l->next++;
        snprintf(l->name, sizeof l->name, PAGE);
    }
    snprintf(l->path, sizeof l->path, "%s/%s", l->figures->folder, l->name);
    return l->name[0] != '\0';
}

int folder_check_files(const struct figures *figures)
{
    struct listing l = {.figures = figures};
    struct stat state;
    int status = EXIT_DONE;
    while (!status && next_file(&l)) {
        if (lstat(l.path, &state) == 0)
            status = output_file_check(l.path);
    }
    return status;
}

/* A file that is being moved to the folder. */
struct parcel {
    char name[64];
    struct new_file file;
};

static int fail_to_put(const char *name, const char *why)
{
    fprintf(stderr, "kport figures: %s cannot be put in DIR: %s\n", name, why);
    return EXIT_IMPOSSIBLE;
}

/* Copies a file from the temporary folder to the folder of its final path, under a temporary name.
 * The final path may be a symbolic link to another folder, so a rename would not be enough. */
static int copy(const struct beside *beside, const struct listing *l, struct parcel *parcel)
{
    struct new_file *file = &parcel->file;
    char buffer[16384];
    int descriptor = openat(beside->descriptor, l->name, O_RDONLY | O_CLOEXEC);
    FILE *in = descriptor < 0 ? NULL : fdopen(descriptor, "r");
    if (!in)
        return fail_to_put(l->name, strerror(errno));
    bool begun = new_file_begin(file, l->path);
    memcpy(parcel->name, l->name, sizeof parcel->name);
    for (size_t count; begun && (count = fread(buffer, 1, sizeof buffer, in)) > 0;)
        fwrite(buffer, 1, count, file->out);
    const char *why = begun ? NULL : file->why;
    if (begun && ferror(in)) {
        new_file_end(file, false);
        why = "it could not be read";
    }
    fclose(in);
    return why ? fail_to_put(l->name, why) : EXIT_DONE;
}

/* Removes the old script and the old pictures of each figure that has no picture now, because an
 * earlier run drew them from other data. */
static void remove_stale(const struct figures *figures)
{
    char path[4096 + 64];
    for (size_t i = 0; i < figures->count; i++) {
        const struct figure *figure = &figures->list[i];
        for (int e = DATA_ALONE; figure->files == DATA_ALONE && e < WITH_PICTURES; e++) {
            snprintf(path, sizeof path, "%s/%s.%s", figures->folder, figure->name, extensions[e]);
            unlink(path);
        }
    }
}

/* Copies all files next to their final paths. Only then are they renamed, so that a failure to copy
 * leaves all old files. */
static int put_all(const struct figures *figures, const struct beside *beside)
{
    struct parcel *parcels = calloc(4 * figures->count + 1, sizeof *parcels);
    struct listing l = {.figures = figures};
    size_t count = 0;
    int status = parcels ? EXIT_DONE : fail_to_put(PAGE, strerror(ENOMEM));
    while (!status && next_file(&l)) {
        status = copy(beside, &l, &parcels[count]);
        count += !status;
    }
    for (size_t i = 0; i < count; i++) {
        if (!new_file_end(&parcels[i].file, !status))
            status = fail_to_put(parcels[i].name, parcels[i].file.why);
    }
    free(parcels);
    if (!status)
        remove_stale(figures);
    return status;
}

int folder_fill(struct figures *figures)
{
    struct beside beside;
    sigset_t set;
    bool made;
    watched_signals(&set);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
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
