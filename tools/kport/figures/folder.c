/* Fills the folder of `kport figures`. Each file is written under a temporary name beside its final
 * path. When all files are complete, they are moved to their final paths, the page last. So after a
 * failure the folder has its old files. */
#include "tools/kport/figures/figures.h"

#include "tools/kport/command.h"
#include "tools/kport/common/new_file.h"
#include "tools/kport/common/output_file.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PAGE "index.html"

static int refuse(const char *folder, const char *what)
{
    fprintf(stderr, "kport figures: %s \"%s\": %s; it may be a folder that can be written\n", what,
            folder, strerror(errno));
    return EXIT_IMPOSSIBLE;
}

static bool make_folder(const char *folder, bool *made)
{
    *made = mkdir(folder, 0777) == 0;
    return *made || errno == EEXIST;
}

int folder_check(const char *folder)
{
    char name[4096];
    bool made;
    if (!make_folder(folder, &made))
        return refuse(folder, "DIR cannot be made:");
    int descriptor = -1, status = EXIT_DONE;
    errno = ENAMETOOLONG;
    if (snprintf(name, sizeof name, "%s/.figures-XXXXXX", folder) < (int)sizeof name)
        descriptor = mkstemp(name);
    if (descriptor < 0)
        status = refuse(folder, "nothing can be written in DIR");
    else
        unlink(name);
    if (descriptor >= 0)
        close(descriptor);
    if (made)
        rmdir(folder);
    return status;
}

/* --- The files of the folder --- */

/* The extensions are in the order of enum files. */
static const char *const extensions[WITH_PICTURE] = {"csv", "svg"};

/* Goes through the files for the folder: the files of each figure, and then the page. `figure` is
 * NULL for the page. */
struct listing {
    const struct figures *figures;
    const struct figure *figure;
    size_t next;
    int extension;
    char name[64];
    char path[4096 + 64];
};

static bool next_file(struct listing *l)
{
    const size_t all = WITH_PICTURE * l->figures->count;
    l->name[0] = '\0';
    while (!l->name[0] && l->next < all) {
        l->figure = &l->figures->list[l->next / WITH_PICTURE];
        l->extension = (int)(l->next++ % WITH_PICTURE);
        if (l->extension < (int)l->figure->files)
            snprintf(l->name, sizeof l->name, "%s.%s", l->figure->name, extensions[l->extension]);
    }
    if (!l->name[0] && l->next++ == all) {
        l->figure = NULL;
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

static bool write_contents(const struct listing *l, FILE *out)
{
    if (!l->figure)
        return figures_page(l->figures, out);
    if (l->extension > 0)
        return figure_draw(l->figures, l->figure, out);
    figure_csv(l->figure, out);
    return true;
}

/* A file that has its contents, but not yet its final path. */
struct parcel {
    char name[64];
    struct new_file file;
};

static int fail_to_put(const char *name, const char *why)
{
    fprintf(stderr, "kport figures: %s cannot be put in DIR: %s\n", name, why);
    return EXIT_IMPOSSIBLE;
}

static int write_file(const struct listing *l, struct parcel *parcel)
{
    const char *why = NULL;
    memcpy(parcel->name, l->name, sizeof parcel->name);
    if (!new_file_begin(&parcel->file, l->path))
        return fail_to_put(l->name, parcel->file.why);
    errno = 0;
    if (!write_contents(l, parcel->file.out))
        why = strerror(ENOMEM);
    else if (fflush(parcel->file.out) != 0)
        why = strerror(errno);
    if (why)
        new_file_end(&parcel->file, false);
    return why ? fail_to_put(l->name, why) : EXIT_DONE;
}

/* Removes the old picture of each figure that has no picture now, because an earlier run drew it
 * from other data. */
static void remove_stale(const struct figures *figures)
{
    char path[4096 + 64];
    for (size_t i = 0; i < figures->count; i++) {
        const struct figure *figure = &figures->list[i];
        snprintf(path, sizeof path, "%s/%s.svg", figures->folder, figure->name);
        if (figure->files == DATA_ALONE)
            unlink(path);
    }
}

static int put_all(const struct figures *figures)
{
    struct parcel *parcels = calloc(WITH_PICTURE * figures->count + 1, sizeof *parcels);
    struct listing l = {.figures = figures};
    size_t count = 0;
    int status = parcels ? EXIT_DONE : fail_to_put(PAGE, strerror(ENOMEM));
    while (!status && next_file(&l)) {
        status = write_file(&l, &parcels[count]);
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
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t set;
    bool made;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sigaddset(&set, numbers[i]);
    /* So that no temporary file is left. It takes some milliseconds. */
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (!make_folder(figures->folder, &made))
        return refuse(figures->folder, "DIR cannot be made:");
    for (size_t i = 0; i < figures->count; i++) {
        struct figure *figure = &figures->list[i];
        if (figure->files != NO_FILES && !figure_is_drawn(figure))
            figure->files = DATA_ALONE;
    }
    int status = put_all(figures);
    if (status && made)
        rmdir(figures->folder);
    return status;
}
