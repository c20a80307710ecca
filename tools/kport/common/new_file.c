#include "tools/kport/common/new_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_LINKS 40 /* the longest chain of symbolic links that is followed, as in Linux */
#define LONGEST    4096

static bool fails(struct new_file *file, int error)
{
    snprintf(file->why, sizeof file->why, "%s", strerror(error));
    return false;
}

/* --- The path of the new file --- */

/* Returns the path of a symbolic link's target. `path` is the link's path. A relative target starts
 * from the link's folder. */
static char *beside(const char *path, const char *target)
{
    const char *slash = target[0] == '/' ? NULL : strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0, length = strlen(target);
    char *joined = malloc(folder + length + 1);
    if (joined) {
        memcpy(joined, path, folder);
        memcpy(joined + folder, target, length + 1);
    }
    return joined;
}

/* Follows all symbolic links of a path, and returns the final path, which the caller frees. A file
 * need not exist at the final path. After an error the function sets errno and returns NULL. */
static char *follow(const char *path)
{
    char target[LONGEST];
    char *at = beside("", path);
    for (int i = 0; at && i < MOST_LINKS; i++) {
        ssize_t length = readlink(at, target, sizeof target - 1);
        if (length < 0)
            return at;
        target[length] = '\0';
        char *next = beside(at, target);
        free(at);
        at = next;
    }
    errno = at ? ELOOP : ENOMEM;
    free(at);
    return NULL;
}

/* Finds the final path, and sets `*there` to whether a file exists at that path. Calls stat first,
 * because the system may forbid to follow another user's link. */
static bool find_path(struct new_file *file, const char *path, bool *there)
{
    struct stat old;
    *there = stat(path, &old) == 0;
    if (!*there && (errno != ENOENT || !*path))
        return fails(file, errno);
    if (*there && !S_ISREG(old.st_mode)) {
        snprintf(file->why, sizeof file->why,
                 "it is %s; it may be a regular file, or a name that is free",
                 S_ISDIR(old.st_mode) ? "a folder" : "no regular file");
        return false;
    }
    if (*there && access(path, W_OK) != 0)
        return fails(file, errno);
    file->mode = *there ? old.st_mode & 0777 : 0;
    file->path = follow(path);
    return file->path || fails(file, errno);
}

/* --- Writing the new file --- */

static void hold_signals(struct new_file *file)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        sigaddset(&set, numbers[i]);
    pthread_sigmask(SIG_BLOCK, &set, &file->before);
}

static void let_go(struct new_file *file)
{
    free(file->name);
    free(file->path);
    pthread_sigmask(SIG_SETMASK, &file->before, NULL);
}

/* Returns the permissions that a new file has by default. The umask can be read only by changing
 * it, so this function changes the umask and restores it. */
static mode_t usual_mode(void)
{
    mode_t taken = umask(077);
    umask(taken);
    return 0666 & ~taken;
}

/* Creates the new file under its temporary name. Returns 0 or an errno. */
static int make(struct new_file *file)
{
    static const char ending[] = ".tmp-XXXXXX";
    size_t length = strlen(file->path);
    file->name = malloc(length + sizeof ending);
    if (!file->name)
        return ENOMEM;
    memcpy(file->name, file->path, length);
    memcpy(file->name + length, ending, sizeof ending);
    int descriptor = mkstemp(file->name);
    file->out = descriptor < 0 ? NULL : fdopen(descriptor, "w");
    if (file->out)
        return 0;
    int error = errno;
    if (descriptor >= 0) {
        close(descriptor);
        unlink(file->name);
    }
    return error;
}

bool new_file_begin(struct new_file *file, const char *path)
{
    bool there;
    *file = (struct new_file){.out = NULL};
    if (!find_path(file, path, &there))
        return false;
    file->mode = there ? file->mode : usual_mode();
    hold_signals(file);
    int error = make(file);
    if (error)
        let_go(file);
    return !error || fails(file, error);
}

bool new_file_end(struct new_file *file, bool keep)
{
    int error = ferror(file->out) ? errno ? errno : EIO : 0;
    if (!error && (fflush(file->out) != 0 || fchmod(fileno(file->out), file->mode) != 0))
        error = errno;
    if (fclose(file->out) != 0 && !error)
        error = errno;
    if (keep && !error && rename(file->name, file->path) != 0)
        error = errno;
    if (!keep || error)
        unlink(file->name);
    let_go(file);
    return !keep || !error || fails(file, error);
}
